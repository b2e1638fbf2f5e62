/* Selects the device that the workbench measures on, at the start and while it runs. */
#ifndef TUI_LAB_DEVICE_SWITCH_H
#define TUI_LAB_DEVICE_SWITCH_H

#include "tui/lab/app.h"

/* Switches to the device `name` ("soft:mi60", "soft:mi25,l1_bytes=65536", "hip:0", "replay:FILE"). Cancels the sweep,
 * closes its recording, keeps the curves as previous curves, replaces defaults of the old kind of device by those of
 * the new one, starts a worker for the new device and measures the current experiment. Does not wait for the old
 * worker. A change for undo (undo.h). False, with a message and without any change, for an unknown name or constant. */
bool app_switch_device(struct app *a, const char *name);

/* The same after a pause without another call: while a key changes a constant step by step. */
void app_switch_device_after(struct app *a, const char *name, int ms);
void device_switch_pump(struct app *a); /* called by the main loop */

/* Switches from a recording back to the device before it; false when none is open, or on failure. */
bool app_leave_recording(struct app *a);

/* Checks the kind of device, the model and its constants, or the session file, without opening the device. */
bool device_check_name(const char *name, struct err *e);
/* Whether it uses sizes reduced for the software GPU, as recordings made on one also do. */
bool device_is_soft(const char *name);
/* Its target, "gfx900": for a recording that of the GPU that it was made on; "" if that is not known. */
void device_read_lab_arch(const char *name, char arch[DEVICE_ARCH]);
/* If the device replays a recording, sets its experiment as recorded; `choose` also makes it the current one. */
void device_apply_recording(struct app *a, bool choose);
/* The device may have been opened, or experiments read: its numbers are defaults. A recording has its own. */
void device_take_numbers(struct app *a);

#endif

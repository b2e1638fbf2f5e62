/* The device that the workbench measures on: chosen when it opens, changed while it runs. */
#ifndef TUI_LAB_DEVICE_SWITCH_H
#define TUI_LAB_DEVICE_SWITCH_H

#include "tui/lab/app.h"

/* Goes on with the device `name` ("soft:mi60", "soft:mi25,l1_bytes=65536", "hip:0", "replay:FILE"): the sweep is
 * cancelled, its recording closed, curves stay as ghosts, values that stood at the old kind's defaults go to the new
 * one's, the old worker ends without being waited for, a new one opens the device and the current experiment is
 * measured. False with one line on the status line for a name or constant that there is not: then everything stays. */
bool app_switch_device(struct app *a, const char *name);

/* Whether the name is a device's: its kind, a model with its constants in range, a session file that can be read. Opens
 * nothing. */
bool device_check_name(const char *name, struct err *e);
/* Whether it has the software GPU's scaled sizes; a recording made on one has them, too. */
bool device_is_soft(const char *name);
/* Where the device replays a recording: the experiment of it stands as it was recorded, and is the current one with
 * `choose`. */
void device_apply_recording(struct app *a, bool choose);

#endif

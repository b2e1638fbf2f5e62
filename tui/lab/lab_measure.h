/* Measuring for the screen: the worker's life, the present sweep, the recording. Never blocks. */
#ifndef TUI_LAB_LAB_MEASURE_H
#define TUI_LAB_LAB_MEASURE_H

#include "tui/lab/app.h"
#include "tui/lab/background_job.h"

enum { MEASURE_FDS = 2 + 2 * BACKGROUND_JOBS_MAX };

void measure_start(struct app *a);               /* the current bench; the curve shown becomes the ghost */
void measure_start_after(struct app *a, int ms); /* after a pause without further changes */
/* Shows the curve for what is set without measuring, where it is still known; false where it has to be measured. */
bool measure_show_known_curve(struct app *a);
void measure_cancel(struct app *a);
/* Lets the person edit a copy of the kernel, on a terminal that the caller has lent, and measures it beside the
 * original, which stays as the pinned curve. */
void measure_edited_kernel(struct app *a);
void measure_original_kernel(struct app *a); /* the original kernel again */
bool measure_is_running(const struct app *a);
void measure_start_worker(struct app *a); /* starts one when there is none */
/* Descriptors to poll, and how long to sleep at most (ms). */
int measure_poll_fds(const struct app *a, int fds[MEASURE_FDS]);
int measure_timeout(const struct app *a);
void measure_pump(struct app *a); /* after every poll: records, timers, deaths */
/* Ends the sweep and lets the worker go, so that the next one may open another device (device_switch.h). Does not wait.
 */
void measure_release_worker(struct app *a);
void measure_close(struct app *a);

/* --- lab_recording.c --- */
void recording_toggle(struct app *a);
void recording_write_points(struct app *a); /* writes the points that have ended */
void recording_end_sweep(struct app *a);    /* the present file ends here; the next sweep gets its own */
void recording_close(struct app *a);

#endif

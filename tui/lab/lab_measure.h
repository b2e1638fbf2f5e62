/* Measuring in the workbench: worker, current sweep and recording. Nothing here blocks. */
#ifndef TUI_LAB_LAB_MEASURE_H
#define TUI_LAB_LAB_MEASURE_H

#include "tui/lab/app.h"
#include "tui/lab/background_job.h"

enum { MEASURE_FDS = 1 + WORKER_POOL_FDS * (1 + BACKGROUND_JOBS_MAX) };

void measure_start(struct app *a);               /* the current experiment; its curve becomes the previous curve */
void measure_start_after(struct app *a, int ms); /* after a pause without other changes */
/* After a change of a parameter: at once, unless another change was just before, as of a key that is held. */
void measure_start_after_change(struct app *a);
/* Whether a change now follows another one, before anything was measured or as of a key that is held. */
bool measure_waits_for_changes(const struct app *a);
/* Shows the curve for the current settings if it is still kept; false when it has to be measured. */
bool measure_show_known_curve(struct app *a);
void measure_cancel(struct app *a);
void measure_abort(struct app *a);                     /* the same without a message; a sweep runs */
void measure_drop_sweep(struct app *a);                /* forgets the sweep, so that its experiment may go */
struct sampling measure_sampling(const struct app *a); /* as the settings say; of a recording, the default */
bool measure_is_running(const struct app *a);
void measure_start_worker(struct app *a); /* if none is running */
/* After a change of the setting `workers`: replaces the workers if the number differs. */
void measure_use_worker_count(struct app *a);
/* Descriptors to poll, and the longest time to sleep (ms). */
int measure_poll_fds(const struct app *a, int fds[MEASURE_FDS]);
int measure_timeout(const struct app *a);
void measure_pump(struct app *a); /* after every poll: handles records, timers and dead workers */
/* Ends the sweep and the worker, so that the next worker can open another device (device_switch.h). Does not wait. */
void measure_release_worker(struct app *a);
void measure_close(struct app *a);

/* --- lab_recording.c --- */
void recording_start(struct app *a);        /* of this sweep, unless it is in a file, and of later ones */
void recording_toggle(struct app *a);       /* a finished curve that is in no file is only written */
void recording_write_points(struct app *a); /* writes points that have finished */
void recording_end_sweep(struct app *a);    /* closes the file; the next sweep has its own */
void recording_close(struct app *a);

#endif

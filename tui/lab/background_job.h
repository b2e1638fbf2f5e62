/* Work beside the workbench's own: a worker of its own that opens a device, measures a plan there or does single jobs.
 * Views use it for what must not disturb the sweep on the bench. All sides hang in struct app, so that the loop polls
 * and pumps them; nothing here blocks. */
#ifndef TUI_LAB_BACKGROUND_JOB_H
#define TUI_LAB_BACKGROUND_JOB_H

#include "tui/lab/app.h"

enum background_job_state {
	BACKGROUND_IDLE,
	BACKGROUND_OPENING,
	BACKGROUND_BUSY,
	BACKGROUND_DONE,
	BACKGROUND_FAILED,
	BACKGROUND_CANCELLED
};

struct background_job;
/* After each record that came, and with NULL after each change of state. It must not free the side. */
typedef void background_job_listener(void *ctx, struct background_job *s, const json_t *record);

enum { BACKGROUND_JOBS_MAX = 24 };

struct background_job *background_job_create(struct app *a, background_job_listener *on,
	void *ctx); /* owned by the app's list until background_job_free; NULL when there are BACKGROUND_JOBS_MAX */
void background_job_free(struct app *a, struct background_job *s); /* its worker ends by itself; NULL is fine */

/* Opens the device, unless the side's worker has it already. What was going on there is cancelled. */
void background_job_open_device(struct background_job *s, const char *device);
/* Opens the device and measures the plan there, which is copied (its counters stay the caller's). */
void background_job_measure(struct background_job *s, const char *device, const struct plan *p);
/* Opens the device and sends the job (gpu/protocol/record.h) when it is open; takes the reference. The side is done
 * with the job's point record. */
void background_job_send(struct background_job *s, const char *device, json_t *job);
void background_job_cancel(struct background_job *s); /* what is measured stays */

enum background_job_state background_job_state(const struct background_job *s);
bool background_job_is_busy(const struct background_job *s);                /* opening or measuring */
const struct sweep *background_job_sweep(const struct background_job *s);   /* NULL before the first measurement */
const json_t *background_job_device_record(const struct background_job *s); /* NULL until the device is open */
const char *background_job_status_text(const struct background_job *s);     /* the state in a line; why it failed */

/* --- for the loop (lab_measure.c) --- */
int background_jobs_poll_fds(const struct app *a, int *fds); /* at most 2 * BACKGROUND_JOBS_MAX */
void background_jobs_pump(struct app *a);
bool background_jobs_are_busy(const struct app *a);
void background_jobs_close(struct app *a); /* all of them, when the program ends */

#endif

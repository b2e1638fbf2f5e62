/* Background jobs: a worker that opens a device and measures a plan or runs single jobs there, separate from the sweep
 * of the workbench. struct app lists all jobs, so that the main loop polls and pumps them. Nothing here blocks. */
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
/* Called after each record, and with NULL after each change of state. It must not free the job. */
typedef void background_job_listener(void *ctx, struct background_job *s, const json_t *record);

enum { BACKGROUND_JOBS_MAX = 24 };

/* `name`: what it measures, for the status line, such as "heat map"; "" keeps it out of there. Owned by the app until
 * background_job_free; NULL when there are BACKGROUND_JOBS_MAX. */
struct background_job *background_job_create(struct app *a, const char *name, background_job_listener *on, void *ctx);
void background_job_free(
	struct app *a, struct background_job *s); /* does not wait for its worker; NULL has no effect */

/* Opens the device, unless the job's worker has it open. Cancels what the job was doing. */
void background_job_open_device(struct background_job *s, const char *device);
/* Opens the device and measures the plan, which is copied (the caller keeps the counters). */
void background_job_measure(struct background_job *s, const char *device, const struct plan *p);
/* Opens the device, then sends the job (docs/protocol.md); takes the reference. The state becomes BACKGROUND_DONE
 * with the job's point record. */
void background_job_send(struct background_job *s, const char *device, json_t *job);
void background_job_cancel(struct background_job *s); /* measured points stay */

enum background_job_state background_job_state(const struct background_job *s);
bool background_job_is_busy(const struct background_job *s);                /* opening or measuring */
const struct sweep *background_job_sweep(const struct background_job *s);   /* NULL before the first measurement */
const json_t *background_job_device_record(const struct background_job *s); /* NULL until the device is open */
const char *background_job_status_text(const struct background_job *s); /* the state in one line, or why it failed */

/* --- for the main loop (lab_measure.c) --- */
int background_jobs_poll_fds(const struct app *a, int *fds); /* at most WORKER_POOL_FDS * BACKGROUND_JOBS_MAX */
void background_jobs_pump(struct app *a);
bool background_jobs_are_busy(const struct app *a);
/* "heat map on soft:mi60: point 3 of 18: 40 %": the latest named job that is busy; "": none is. */
char *background_jobs_format_status(const struct app *a, char *out, size_t size);
void background_jobs_close(struct app *a); /* all of them, at the end of the program */

#endif

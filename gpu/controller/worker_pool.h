/* Workers that share the jobs of one front end. It has the calls of a worker controller: a job goes to a worker that is
 * free, and its records come back as they arrive, in any order of the jobs. A worker that dies is replaced, and its job
 * goes to another one. Nothing here blocks except worker_pool_close. */
#ifndef GPU_CONTROLLER_WORKER_POOL_H
#define GPU_CONTROLLER_WORKER_POOL_H

#include "gpu/controller/worker_controller.h"
#include "gpu/controller/worker_count.h"

enum { WORKER_POOL_FDS = 2 * WORKERS_MAX };
enum { JOB_TRIES = 3 /* a job that ended so many workers fails */ };

struct worker_pool;

/* Starts the first worker; the others start when there are jobs for them, or at once if many will come. `jobs`: how
 * many; 0 if that is not known. One worker for each place; devices with one target, or the jobs would differ. Copies
 * the places. NULL if no process can be started. */
struct worker_pool *worker_pool_start(const struct worker_place *places, int count, int jobs, struct err *e);
/* A pool on one device of this machine. */
struct worker_pool *worker_pool_start_local(const char *device, int count, struct err *e);
void worker_pool_close(struct worker_pool *p); /* waits at most 1 s; NULL is allowed */
void worker_pool_close_async(struct worker_pool *p);

/* Descriptors to poll for input. Returns their number, at most WORKER_POOL_FDS. */
int worker_pool_poll_fds(const struct worker_pool *p, int *fds);
/* Reads records, sends jobs, replaces dead workers. Call it after poll, and at least every 250 ms. */
void worker_pool_pump(struct worker_pool *p);
/* The next record, NULL if none has arrived. The caller owns it. A job that failed with its workers has a point record
 * as from a worker, with the reason as its error. The pool adds records of type "death", with a "text" that says which
 * worker died and what follows. */
json_t *worker_pool_next_record(struct worker_pool *p);
/* Queues a request and releases it. False if the pool is dead. */
bool worker_pool_send(struct worker_pool *p, json_t *job);
/* Drops the queued jobs, without a record, and cancels the others. */
void worker_pool_cancel(struct worker_pool *p);
/* The same for one job; the others go on, and one that its worker had in its queue is sent again. */
void worker_pool_cancel_job(struct worker_pool *p, json_int_t job);
/* Jobs that the caller should keep in the pool, so that no worker waits for one; more while jobs are short. */
int worker_pool_wanted_jobs(const struct worker_pool *p);

/* STARTING until a device is open; BUSY while it has jobs; DEAD when no worker is left and none can be started. */
enum worker_controller_state worker_pool_state(const struct worker_pool *p);
const char *worker_pool_device(const struct worker_pool *p);          /* of the first place */
const json_t *worker_pool_device_record(const struct worker_pool *p); /* of the first worker that opened its device */
const char *worker_pool_crash_text(const struct worker_pool *p);      /* why the pool is dead; "" while it is not */
bool worker_pool_open_failed(const struct worker_pool *p, enum status *status);

/* --- who works on what --- */
struct worker_status {
	const char *device, *host; /* host "": this machine; both valid until the next pump */
	enum worker_controller_state state;
	bool started;
	int pid;            /* 0: none */
	json_int_t job;     /* that it measures; 0: none */
	json_int_t point;   /* of that job */
	double job_seconds; /* since the job was sent */
	int done, deaths;   /* points it measured; workers that died here */
};
int worker_pool_size(const struct worker_pool *p);
void worker_pool_get_status(const struct worker_pool *p, int i, struct worker_status *out);

#endif

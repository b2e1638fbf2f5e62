/* What a worker controller consists of. Private to worker_controller.c, worker_requests.c, worker_output.c,
 * worker_records.c and worker_death.c. */
#ifndef GPU_CONTROLLER_CONTROLLER_STATE_H
#define GPU_CONTROLLER_CONTROLLER_STATE_H

#include "base/buf.h"
#include "base/log.h"
#include "gpu/controller/output_limits.h"
#include "gpu/controller/worker_controller.h"
#include "gpu/controller/worker_crash.h"
#include "gpu/controller/worker_spawn.h"
#include "gpu/remote/content_offer.h"
#include "gpu/remote/via_command.h"

enum {
	JOBS_MAX = 256,
	CONTROLLER_GRACE_MS = 250, /* from "quit" or "fatal" to SIGKILL: time for the telemetry to stop */
};

struct outstanding {
	json_int_t job, point;
	json_t *request; /* as the caller sent it; owned */
};

struct worker_controller {
	char device[DEVICE_NAME_MAX];
	char *via;                 /* the command that started it elsewhere; NULL: this machine */
	char label[VIA_LABEL_MAX]; /* of a place elsewhere */
	struct spawned_worker process;
	struct output_limits limits;
	struct content_offer offer;
	char *host;                    /* of a worker elsewhere, from its hello; NULL: this machine, or unknown */
	struct buf to, from, err_text; /* not yet written; not yet parsed; standard error */
	json_t **queue;                /* records for the caller: [head, count) */
	size_t head, count, cap;
	struct outstanding jobs[JOBS_MAX];
	size_t job_count;
	size_t to_cancel; /* the first jobs: those that existed when worker_controller_cancel was called */
	json_t *device_record;
	enum worker_controller_state state;
	struct stderr_summary summary;
	char crash_text[640];
	char killed[500]; /* why we killed it; "" if we did not */
	bool fatal, compiling;
	bool ending;  /* it has said that it measures nothing more */
	bool ignored; /* what it still sends */
	enum status fatal_status;
	long long pumped, heard, pinged, cancelled, kill_at, ended; /* ms; 0: never */
	json_int_t ping;
};

/* --- worker_requests.c --- */
void controller_queue_request(struct worker_controller *w, json_t *record); /* takes the record */
void controller_flush_requests(struct worker_controller *w);
struct outstanding *controller_find_job(struct worker_controller *w, json_int_t job, json_int_t point); /* or NULL */
void controller_end_job(struct worker_controller *w, json_int_t job, json_int_t point); /* the worker has answered */
void controller_forget_jobs(struct worker_controller *w);

/* --- worker_output.c --- */
bool controller_read_output(struct worker_controller *w);    /* what is available; true if there was something */
void controller_read_rest(struct worker_controller *w);      /* of a worker that has ended */
void controller_discard_output(struct worker_controller *w); /* a full pipe would block a worker that is to end */
/* A line that is not a record, or a record that answers nothing. */
void controller_count_stray(struct worker_controller *w, size_t bytes);
/* To the log, unless this worker has written too much there. */
void controller_log_line(struct worker_controller *w, enum log_level level, const char *before, const char *text);

/* --- worker_records.c --- */
/* Takes the record; false, and nothing happens, if no worker sends such a record. */
bool controller_handle_record(struct worker_controller *w, json_t *record);

/* --- worker_death.c --- */
void controller_check_timeouts(struct worker_controller *w, long long now); /* ms */
void controller_kill_flooder(struct worker_controller *w, const char *why);
/* Another worker of this place would be rejected, too. */
void controller_reject_worker(struct worker_controller *w, const char *why);
void controller_handle_end(struct worker_controller *w, int status); /* from waitpid */

#endif

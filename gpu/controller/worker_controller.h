/* The front end's side of a worker: start, talk, watch, restart. Nothing here blocks except worker_controller_close,
 * which waits up to a second. */
#ifndef GPU_CONTROLLER_WORKER_CONTROLLER_H
#define GPU_CONTROLLER_WORKER_CONTROLLER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum worker_controller_state { WORKER_STARTING, WORKER_READY, WORKER_BUSY, WORKER_DEAD };

enum { DEVICE_NAME_MAX = 4200 /* "replay:" and a path */ };

struct worker_controller;

/* Starts `wavedeck worker --device DEVICE` in a process group of its own. NULL only when it cannot be started at all; a
 * device that cannot be opened arrives as a "fatal" record and death. The worker's standard error goes to the log. */
struct worker_controller *worker_controller_start(const char *device, struct err *e);
void worker_controller_close(struct worker_controller *w); /* quit, then kill; frees */
void worker_controller_close_async(struct worker_controller
		*w); /* the same without waiting for its end: a thread of its own does that. NULL is fine */

/* Descriptors to poll for input, at most 2 (records and standard error); the count is returned. */
int worker_controller_poll_fds(const struct worker_controller *w, int fds[2]);
/* Reads what there is, sends pings, kills a worker silent for 5 s or not cancelled within 1 s. Call after poll and at
 * least every 250 ms. */
void worker_controller_pump(struct worker_controller *w);
/* The next record, NULL when there is none now. The caller owns it. */
json_t *worker_controller_next_record(struct worker_controller *w);
/* Queues a request. Takes the reference. False when the worker is dead, or too many jobs are waiting. */
bool worker_controller_send(struct worker_controller *w, json_t *request);
void worker_controller_cancel(struct worker_controller *w); /* everything queued and running */

enum worker_controller_state worker_controller_state(const struct worker_controller *w);
const char *worker_controller_device(const struct worker_controller *w);          /* as asked for */
const json_t *worker_controller_device_record(const struct worker_controller *w); /* NULL until it has arrived */
int worker_controller_pid(const struct worker_controller *w);
/* Why it died, one line: "worker killed by SIGSEGV while running point 3", "GPU memory fault: ..."; "" while it lives.
 */
const char *worker_controller_crash_text(const struct worker_controller *w);
bool worker_controller_open_failed(const struct worker_controller *w,
	enum status *status); /* the device cannot be opened: starting again is useless */

#endif

/* The front end's side of a worker: start, talk, watch, restart. Nothing here blocks except worker_close, which waits
 * up to a second. */
#ifndef GPU_CLIENT_H
#define GPU_CLIENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum worker_state { WORKER_STARTING, WORKER_READY, WORKER_BUSY, WORKER_DEAD };

enum { DEVICE_NAME_MAX = 4200 /* "replay:" and a path */ };

struct worker;

/* Starts `wavedeck worker --device DEVICE` in a process group of its own. NULL only when it cannot be started at all; a
 * device that cannot be opened arrives as a "fatal" record and death. The worker's standard error goes to the log. */
struct worker *worker_start(const char *device, struct err *e);
void worker_close(struct worker *w); /* quit, then kill; frees */
void worker_retire(
	struct worker *w); /* the same without waiting for its end: a thread of its own does that. NULL is fine */

/* Descriptors to poll for input, at most 2 (records and standard error); the count is returned. */
int worker_fds(const struct worker *w, int fds[2]);
/* Reads what there is, sends pings, kills a worker silent for 5 s or not cancelled within 1 s. Call after poll and at
 * least every 250 ms. */
void worker_pump(struct worker *w);
/* The next record, NULL when there is none now. The caller owns it. */
json_t *worker_next(struct worker *w);
/* Queues a request. Takes the reference. False when the worker is dead, or too many jobs are waiting. */
bool worker_send(struct worker *w, json_t *request);
void worker_cancel(struct worker *w); /* everything queued and running */

enum worker_state worker_state(const struct worker *w);
const char *worker_device(const struct worker *w);          /* as asked for */
const json_t *worker_device_record(const struct worker *w); /* NULL until it has arrived */
int worker_pid(const struct worker *w);
/* Why it died, one line: "worker killed by SIGSEGV while running point 3", "GPU memory fault: ..."; "" while it lives.
 */
const char *worker_death(const struct worker *w);
bool worker_was_fatal(
	const struct worker *w, enum status *status); /* the device cannot be opened: starting again is useless */

#endif

/* The front end's side of a worker: starts it, exchanges records with it, detects crashes and hangs. Protocol:
 * docs/protocol.md. Nothing here blocks except worker_controller_close, which waits at most 1 s. */
#ifndef GPU_CONTROLLER_WORKER_CONTROLLER_H
#define GPU_CONTROLLER_WORKER_CONTROLLER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "gpu/remote/worker_places.h"

enum worker_controller_state { WORKER_STARTING, WORKER_READY, WORKER_BUSY, WORKER_DEAD };

enum { DEVICE_NAME_MAX = 4200 /* "replay:" and a path */ };

struct worker_controller;

/* Starts `wavedeck worker --device DEVICE` in a new process group, or with the place's command. NULL only if the
 * process cannot be started. If the device cannot be opened, the worker sends a "fatal" record and ends. Its standard
 * error goes to the log. */
struct worker_controller *worker_controller_start(const struct worker_place *place, struct err *e);
/* Asks the worker to quit, kills it after 1 s, and frees. NULL is allowed. */
void worker_controller_close(struct worker_controller *w);
/* The same without waiting: a thread does that. NULL is allowed. */
void worker_controller_close_async(struct worker_controller *w);

/* The descriptors to poll for input (records, standard error). Returns their number, at most 2. */
int worker_controller_poll_fds(const struct worker_controller *w, int fds[2]);
/* Reads available records, sends pings, kills a worker that is silent for 5 s, does not cancel within 1 s or floods;
 * one elsewhere has 20 s and 5 s, and any time before its hello. Call it after poll, and at least every 250 ms. */
void worker_controller_pump(struct worker_controller *w);
/* The next record, NULL if none has arrived. The caller owns it. */
json_t *worker_controller_next_record(struct worker_controller *w);
/* Queues a request and releases it. False if the worker is dead or too many jobs are queued. */
bool worker_controller_send(struct worker_controller *w, json_t *request);
void worker_controller_cancel(struct worker_controller *w); /* all jobs, queued and running */

enum worker_controller_state worker_controller_state(const struct worker_controller *w);
const json_t *worker_controller_device_record(const struct worker_controller *w); /* NULL until the device is open */
int worker_controller_pid(const struct worker_controller *w);
/* Why the worker ended, one line: "worker killed by SIGSEGV while running point 3", "GPU memory fault: ..."; "" while
 * it runs. */
const char *worker_controller_crash_text(const struct worker_controller *w);
/* Whether the worker has said that it ends after the point that it answered: it does not begin its other jobs. */
bool worker_controller_is_ending(const struct worker_controller *w);
/* Whether the device could not be opened; a restart would not help. *status (may be NULL) gets the exit status. */
bool worker_controller_open_failed(const struct worker_controller *w, enum status *status);

#endif

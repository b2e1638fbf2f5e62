/* Starts the process of a worker, here or through a command that starts it elsewhere. */
#ifndef GPU_CONTROLLER_WORKER_SPAWN_H
#define GPU_CONTROLLER_WORKER_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "gpu/remote/worker_places.h"

struct spawned_worker {
	pid_t pid;        /* leads a process group of its own */
	int in, out, err; /* our ends of its standard input, output and error; -1: closed */
	char *folder;     /* for its temporary files on this machine; NULL: none. Owned */
};

/* A worker elsewhere has no terminal: ssh cannot ask there. False with an error; nothing is open then. */
bool worker_spawn(const struct worker_place *place, struct spawned_worker *out, struct err *e);
/* Once no process uses it. */
void worker_spawn_remove_folder(struct spawned_worker *w);
void worker_spawn_close(int *fd);

#endif

/* Where workers run: this machine, or others that a command reaches (`ssh node7`). The user's file of hosts gives such
 * commands names. */
#ifndef GPU_REMOTE_WORKER_PLACES_H
#define GPU_REMOTE_WORKER_PLACES_H

#include "base/err.h"

enum { PLACES_MAX = 64 };

struct worker_place {
	const char *device;
	const char *via; /* a command that starts it elsewhere; NULL: this machine */
};

/* One for each worker. */
struct worker_places {
	struct worker_place list[PLACES_MAX];
	int count;
	char *commands[PLACES_MAX]; /* what `via` points to */
	int command_count;
};

/* Each text is a command, "ssh node7", the name of one in the file of hosts, or "local"; "*4" at its end means four
 * workers. Copies the texts, but not `device`. Freed by worker_places_free, even on failure. */
bool worker_places_parse(
	const char *const *texts, int count, const char *device, struct worker_places *out, struct err *e);
void worker_places_free(struct worker_places *p);

/* The names in the file of hosts, for completion; the caller frees them and the list. Returns their number. */
int worker_hosts_list(char ***names);

#endif

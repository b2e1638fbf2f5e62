/* Measures some points of a plan into a session of their own: what a task of `wavedeck batch` does. The points have
 * their indexes in the whole plan, and the header is that of the whole plan. */
#ifndef CLI_RUN_RUN_CHUNK_H
#define CLI_RUN_RUN_CHUNK_H

#include <jansson.h>
#include <stdbool.h>

struct run_chunk {
	const char *experiment, *device;
	const char *counters; /* as after --counters; NULL: none */
	const json_t *plan;   /* header fields "params", "sweep", "soft_defaults" and "device":{"arch"}, and "open" */
	const bool *wanted;   /* a flag per point of the plan: measure it */
	const json_t *origin; /* becomes "batch" of the header */
	const char *record;   /* the session: a file that does not exist, or is empty */
	bool no_verify;
	const char *lock_clocks; /* as after --lock-clocks; NULL: none */
	int kept;                /* out: points that were measured and recorded */
};

/* Prints only failures; returns the exit status. SIGINT and SIGTERM end the session with what was measured. */
int command_run_chunk(struct run_chunk *c);

#endif

/* Explains why a worker ended, from its exit status and its standard error. */
#ifndef GPU_CONTROLLER_WORKER_CRASH_H
#define GPU_CONTROLLER_WORKER_CRASH_H

#include <stddef.h>

enum { CRASH_TEXT_MAX = 400 };

/* Standard error since the last point: the most significant line (ROCr prints pages after it) and the last line. */
struct stderr_summary {
	char significant[CRASH_TEXT_MAX], last[CRASH_TEXT_MAX];
	int rank; /* of `significant`; 0: none */
};

void stderr_summary_add(struct stderr_summary *w, const char *line);
void stderr_summary_clear(struct stderr_summary *w);

/* One line. `status` is from waitpid, `doing` what the worker was doing ("running point 3", "" if idle). */
void worker_crash_describe(char *out, size_t size, int status, const struct stderr_summary *w, const char *doing);

#endif

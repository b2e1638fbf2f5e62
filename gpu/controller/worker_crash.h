/* Why a worker died, from how it ended and what it wrote to standard error last. */
#ifndef GPU_CONTROLLER_WORKER_CRASH_H
#define GPU_CONTROLLER_WORKER_CRASH_H

#include <stddef.h>

enum { CRASH_TEXT_MAX = 400 };

/* What standard error said since the last point: the most telling line (ROCr prints pages after it) and the last one.
 */
struct stderr_summary {
	char telling[CRASH_TEXT_MAX], last[CRASH_TEXT_MAX];
	int rank; /* of `telling`, 0 without */
};

void stderr_summary_add(struct stderr_summary *w, const char *line);
void stderr_summary_clear(struct stderr_summary *w);

/* One line: `status` is waitpid's, `doing` what it was at ("running point 3", "" when idle). */
void worker_crash_describe(char *out, size_t size, int status, const struct stderr_summary *w, const char *doing);

#endif

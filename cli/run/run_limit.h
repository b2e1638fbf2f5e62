/* When a run stops by itself: --limit SECONDS of the whole run, 0 never, and without it a limit for each point, because
 * a kernel may never end. */
#ifndef CLI_RUN_RUN_LIMIT_H
#define CLI_RUN_RUN_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum {
	POINT_LIMIT_S = 1800, /* of a point, without --limit */
	LONG_POINT_S = 20     /* then a line says how to stop */
};
struct run_limit {      /* all 0: without --limit */
	double seconds; /* of the whole run; 0: none */
	bool unlimited; /* --limit 0 */
};

bool run_limit_parse(const char *text, struct run_limit *out, struct err *e); /* NULL: without --limit */
/* `run`, `point`: seconds since the start of the run, and since the end of the last point. */
bool run_limit_is_over(const struct run_limit *l, double run, double point);
/* Why the run stopped, what was kept, and how to continue. */
char *run_limit_format(const struct run_limit *l, int done, int count, bool recorded, char *out, size_t size);

#endif

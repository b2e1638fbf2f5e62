/* What is missing on this machine, with the mend for each. */
#ifndef GPU_CONTROLLER_DOCTOR_H
#define GPU_CONTROLLER_DOCTOR_H

#include <stddef.h>

enum check_state { CHECK_OK, CHECK_WARNING, CHECK_MISSING };

struct doctor_check {
	const char *name; /* "libamdhip64" */
	enum check_state state;
	char text[400]; /* what was found */
	char mend[200]; /* a command or an advice; "" when nothing is to be done */
};

const char *check_state_name(enum check_state s); /* "ok", "warning", "missing" */

/* All checks in order; takes up to some seconds, because it opens the software GPU. The caller frees *out with free().
 */
size_t doctor_run_checks(struct doctor_check **out);

#endif

/* Checks the installation and shows how to fix each problem. */
#ifndef GPU_CONTROLLER_DOCTOR_DOCTOR_H
#define GPU_CONTROLLER_DOCTOR_DOCTOR_H

#include <stddef.h>

enum check_state { CHECK_OK, CHECK_WARNING, CHECK_MISSING };

struct doctor_check {
	const char *name; /* "libamdhip64" */
	enum check_state state;
	char text[400]; /* the result */
	char fix[300];  /* a command or advice; "" if nothing needs fixing */
};

const char *check_state_name(enum check_state s); /* "ok", "warning", "missing" */

/* Runs all checks; takes a few seconds, because it opens the software GPU. The caller frees *out with free(). */
size_t doctor_run_checks(struct doctor_check **out);

#endif

/* `exec --check`: runs a program with its launches checked, and reports what was found. */
#ifndef CLI_CHECK_CHECKED_PROGRAM_H
#define CLI_CHECK_CHECKED_PROGRAM_H

#include "base/err.h"
#include "gpu/softgpu-link/softenv.h"

/* Values as written; NULL: not given. */
struct check_request {
	bool wanted;
	const char *checks; /* after --check= */
	const char *error_status, *limit, *suppress, *json, *junit;
};

/* Returns the exit status: the program's, or that of --error-exitcode if something is reported. -1 with an error if the
 * request is wrong or the program does not start. */
int checked_program_run(
	const struct check_request *q, const char *model, const struct exec_watch *w, char **program, struct err *e);

#endif

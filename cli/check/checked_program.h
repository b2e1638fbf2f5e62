/* `exec --check`: runs a program with its launches checked, and reports what was found. */
#ifndef CLI_CHECK_CHECKED_PROGRAM_H
#define CLI_CHECK_CHECKED_PROGRAM_H

#include "cli/check/check_options.h"
#include "gpu/softgpu-link/softenv.h"

/* Returns the exit status: the program's, or that of --error-exitcode if something is reported. -1 with an error if the
 * program does not start, or a report cannot be written. */
int checked_program_run(
	const struct check_plan *p, const char *model, const struct exec_watch *w, char **program, struct err *e);

#endif

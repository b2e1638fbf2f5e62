/* A program of the user's as an experiment: its arguments are the parameters, and a kernel of it is measured. */
#ifndef CLI_OWN_PROGRAM_SWEEP_H
#define CLI_OWN_PROGRAM_SWEEP_H

#include "cli/cli_support.h"

struct program_options {
	const char *args, *kernel; /* --args, --kernel; NULL: not given */
};

/* A path, which has a slash, of a file that can be executed. */
bool command_is_program(const char *word);
/* If the first word is a program, which the other words give ranges: replaces it by the definition of an experiment,
 * and *device by a model that the program has code for, unless there is one. Without --kernel, it runs the program to
 * find the kernel with the most cycles. False with an error. */
bool command_resolve_program(
	struct argument_list *words, const struct program_options *o, const char **device, struct err *e);

#endif

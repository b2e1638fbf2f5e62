/* `isa EXP --diff WHAT`: two variants of an experiment's code side by side. */
#ifndef CLI_COMMAND_ISA_H
#define CLI_COMMAND_ISA_H

#include "experiments/definition/experiment.h"

struct isa_diff_options {
	const char *device, *arch;
	const char *with;  /* a choice of one of its parameters, NAME=VALUE, or "edited" */
	bool all, renamed; /* whole kernels instead of the hot loops; without registers' numbers */
};
/* The code at these values beside the other one. False with one line. */
bool isa_print_diff(struct experiment *x, const double *values, const struct isa_diff_options *how, struct err *e);

#endif

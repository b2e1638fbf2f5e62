/* `isa EXP --diff WHAT`: compares the code of two variants of an experiment. */
#ifndef CLI_COMMAND_ISA_H
#define CLI_COMMAND_ISA_H

#include "experiments/definition/experiment.h"

struct isa_diff_options {
	const char *device, *arch;
	const char *with;  /* a choice of one of its parameters, NAME=VALUE, or "edited" */
	bool all, renamed; /* whole kernels instead of hot loops; ignore register numbers */
};
/* Prints the code at these values next to the other variant. False with one line. */
bool isa_print_diff(struct experiment *x, const double *values, const struct isa_diff_options *how, struct err *e);

#endif

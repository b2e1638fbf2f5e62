/* The part of a job that runs the user's program. Private to experiments/definition. */
#ifndef EXPERIMENTS_DEFINITION_PROGRAM_PROGRAM_JOB_H
#define EXPERIMENTS_DEFINITION_PROGRAM_PROGRAM_JOB_H

#include "experiments/definition/definition.h"

/* Adds "program": the name of its file with the arguments at a point, and the kernel. Where the program is, is not part
 * of a definition (named_program.h). False with an error. */
bool definition_add_program(json_t *job, const struct experiment *x, const double *values, struct err *e);

#endif

/* The program that the user has named on the command line. A definition has only the name of its program's file, and
 * only the named program runs: a definition or a session can come from somebody else. */
#ifndef EXPERIMENTS_DEFINITION_PROGRAM_NAMED_PROGRAM_H
#define EXPERIMENTS_DEFINITION_PROGRAM_NAMED_PROGRAM_H

#include <jansson.h>

#include "base/err.h"

/* For the rest of this process. It runs in the current folder. False with an error if it cannot be executed. */
bool named_program_set(const char *path, struct err *e);
/* Completes a job with a program: its path and its folder. True for other jobs. False with an error if it is not the
 * named one. */
bool named_program_complete(json_t *job, struct err *e);

#endif

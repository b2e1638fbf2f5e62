/* What a compiler says about itself and about the libraries that it can read. It starts slowly (0.2 s), so each of its
 * answers is kept in the user's cache for as long as its file does not change. */
#ifndef KERNELS_COMPILE_COMPILER_ANSWERS_H
#define KERNELS_COMPILE_COMPILER_ANSWERS_H

#include <stdbool.h>

#include "base/buf.h"

/* Runs argv[0], an absolute path, or takes its answer from the cache: whether it exits with 0. Its output is added to
 * `answer`, which may be NULL. `input`: a file that the answer depends on too; NULL: none. */
bool compiler_ask(char *const argv[], const char *input, struct buf *answer);

#endif

/* What else a compile depends on than its arguments and the files that it lists. */
#ifndef KERNELS_COMPILE_COMPILER_ENVIRONMENT_H
#define KERNELS_COMPILE_COMPILER_ENVIRONMENT_H

#include <stdint.h>

/* Of the environment variables that lead clang to other headers or give it other arguments; `h` if none is set. */
uint64_t compiler_environment_hash(uint64_t h);
/* Of the size and time of a program; `h` if there is none. */
uint64_t compiler_program_hash(uint64_t h, const char *path);

#endif

/* Which instruction sets the installed HSA runtime, below HIP, knows. */
#ifndef GPU_BACKENDS_HSA_TARGETS_H
#define GPU_BACKENDS_HSA_TARGETS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether it knows the target "gfx1100". A runtime that does not ignores such GPUs. True also if there is no runtime
 * that could tell. Loads the library: the worker process only. */
bool hsa_knows_target(const char *arch);

#endif

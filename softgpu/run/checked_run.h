/* What checks of a launch of softgpu-run find. */
#ifndef SOFTGPU_RUN_CHECKED_RUN_H
#define SOFTGPU_RUN_CHECKED_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "softgpu/core/softgpu.h"

/* The launches to come are checked for the list, such as "memory,race". Call it before the first one. On failure
 * returns false and writes one line to `why`. */
bool checked_run_begin(struct gpu *g, const char *list, char *why, size_t size);
/* The kernel may access these bytes, and they are initialized. Between checked_run_begin and the launch. */
void checked_run_add_memory(struct gpu *g, uint64_t va, uint64_t bytes);
/* Writes a line to standard error for each place of the last launch, and returns their number. */
size_t checked_run_report(const struct gpu *g);

#endif

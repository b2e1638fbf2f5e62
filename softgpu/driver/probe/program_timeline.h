/* The timeline of a whole program, exec --timeline FILE: kernels and copies by queue, waits by thread of the program,
 * in virtual time. Any thread. */
#ifndef SOFTGPU_DRIVER_PROBE_PROGRAM_TIMELINE_H
#define SOFTGPU_DRIVER_PROBE_PROGRAM_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/time_types.h"

struct active_launch;

bool program_timeline_is_on(void); /* SOFTGPU_TIMELINE=FILE */
/* Times of the GPU. */
void program_timeline_add_kernel(unsigned gpu, uint32_t queue, const struct active_launch *r);
void program_timeline_add_copy(unsigned gpu, uint32_t queue, const char *name, uint64_t bytes, ns_t start, ns_t end);
/* The calling thread waited from `start`, as program_timeline_now was then, until now. */
ns_t program_timeline_now(void);
void program_timeline_add_wait(ns_t start);
/* Writes the file. A process that the program has started, and that uses the GPU, appends its number to the name. */
void program_timeline_write(void);
void program_timeline_reset_in_child(void);

#endif

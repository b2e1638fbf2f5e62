/* The text of the progress line: pure functions of what is known about a launch. */
#ifndef SOFTGPU_DRIVER_PROBE_LAUNCH_PROGRESS_H
#define SOFTGPU_DRIVER_PROBE_LAUNCH_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "softgpu/core/time_types.h"

struct launch_progress {
	const char *kernel;
	uint64_t done, total; /* workgroups */
	uint64_t rate;        /* wave instructions a second; 0: unknown */
	ns_t elapsed;         /* host time since the launch began */
};

/* "kernel  12 of 640 workgroups  35 M wave instructions/s  4 min left", in at most `width` columns; the kernel's name
 * is cut first. Returns out. */
char *launch_progress_text(char *out, size_t size, const struct launch_progress *p, unsigned width);
/* Host time that is left if all workgroups take as long as those that are done; false if none is done. */
bool launch_progress_left(const struct launch_progress *p, ns_t *left);

/* "12 s", "4 min", "2 h"; "1.5 M". Return out. */
char *progress_duration_text(char *out, size_t size, ns_t ns);
char *progress_count_text(char *out, size_t size, uint64_t count);

#endif

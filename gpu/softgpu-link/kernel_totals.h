/* What the kernels of a program took in a run, as libsoftgpu.so writes it (softgpu/driver/probe/kernel_table.h). */
#ifndef GPU_SOFTGPU_LINK_KERNEL_TOTALS_H
#define GPU_SOFTGPU_LINK_KERNEL_TOTALS_H

#include <jansson.h>
#include <stdint.h>

#include "base/err.h"

/* All launches of a kernel, by all processes of the program. */
struct kernel_total {
	char *symbol, *name; /* name: as in the source */
	uint64_t launches, ps, cycles, waves, instructions;
	bool nameless;  /* one of HIP's own */
	json_t *values; /* numbers by name: counters, and CYCLES_... if launches were profiled */
};

struct kernel_totals { /* zeros: none */
	struct kernel_total *list;
	int count;
};

/* Adds the files of a folder. */
void kernel_totals_read(struct kernel_totals *t, const char *folder);
void kernel_totals_free(struct kernel_totals *t);
/* The kernel of that symbol or name, else the only one whose name has this part. NULL with an error, which names the
 * kernels. */
const struct kernel_total *kernel_totals_find(const struct kernel_totals *t, const char *part, struct err *e);
/* The one with the most cycles, HIP's own only if there is no other; NULL: none was launched. */
const struct kernel_total *kernel_totals_find_largest(const struct kernel_totals *t);

#endif

/* Sums over a program's launches, by kernel. Not safe for threads: the caller has a lock. */
#ifndef SOFTGPU_DRIVER_PROBE_KERNEL_TABLE_H
#define SOFTGPU_DRIVER_PROBE_KERNEL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "softgpu/core/time_types.h"
#include "softgpu/driver/probe/kernel_name.h"

enum { KERNEL_VALUES = 64 };

struct kernel_value { /* a counter or a stall reason; the name is a constant */
	const char *name;
	uint64_t value;
};

struct kernel_sums {
	char name[KERNEL_NAME_BYTES];
	uint64_t launches, ps, cycles, waves, instructions;
	ns_t host_ns; /* that the simulation has taken */
	struct kernel_value stalls[KERNEL_VALUES], counters[KERNEL_VALUES];
};

/* Adds a launch, or several, to the kernel of that name. Kernels that find no room are one row, "others". */
void kernel_table_add(const struct kernel_sums *launch);
/* The row at `index`, those with the longest virtual time first (without it: those with the longest simulation); NULL
 * after the last. */
const struct kernel_sums *kernel_table_at(size_t index);
void kernel_table_sum(struct kernel_sums *out); /* of all rows */
void kernel_table_clear(void);
/* For somebody who measures the program: SOFTGPU_SUMS=FOLDER wants the table in FOLDER/PID.sums. For each kernel a line
 *   kernel LAUNCHES PS CYCLES WAVES INSTRUCTIONS SYMBOL
 * and lines "value NAME NUMBER" for its counters and, if launches are profiled, its stall reasons (CYCLES_...). */
bool kernel_table_has_file(void);
void kernel_table_write(void);

#endif

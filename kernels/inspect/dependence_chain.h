/* The dependence chain of a loop: the registers through which each pass waits for the one before it. */
#ifndef KERNELS_INSPECT_DEPENDENCE_CHAIN_H
#define KERNELS_INSPECT_DEPENDENCE_CHAIN_H

#include <stddef.h>

#include "kernels/inspect/code_object.h"
#include "kernels/inspect/instruction_costs.h"

struct dependence_chain {
	size_t length;   /* instructions on it; 0: no pass needs a register of the one before */
	unsigned cycles; /* a pass cannot be shorter: issue and, for memory, the nearest latency, of its instructions */
	unsigned units[UNIT_COUNT]; /* its instructions by unit */
	unsigned alike;             /* chains as long as this one beside it, that run at the same time */
};

/* Of lines [start, end), as they stand there: what a branch inside skips counts as run. `on` gets a flag a line of the
 * listing that is set for the chain's. Where there are several, the one with the most cycles; memory cells are not
 * followed. */
struct dependence_chain dependence_chain_find(
	const struct kernel_line *lines, size_t start, size_t end, const struct issue_costs *costs, bool *on);

#endif

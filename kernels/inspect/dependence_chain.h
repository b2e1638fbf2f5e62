/* The loop-carried dependence chain: instructions through which each iteration waits for the previous one. */
#ifndef KERNELS_INSPECT_DEPENDENCE_CHAIN_H
#define KERNELS_INSPECT_DEPENDENCE_CHAIN_H

#include <stddef.h>

#include "kernels/inspect/code_object.h"
#include "kernels/inspect/instruction_costs.h"

struct dependence_chain {
	size_t length;   /* number of instructions; 0: no iteration depends on the previous one */
	unsigned cycles; /* lower bound for an iteration: issue and shortest memory latency of the instructions */
	unsigned units[UNIT_COUNT]; /* number of instructions by unit */
	unsigned alike;             /* number of other chains of the same length, which run at the same time */
};

/* Of lines [start, end), in program order: a branch inside the loop counts as not taken. on[line] is set for the lines
 * of the chain. Of several chains, the one with the most cycles. Dependences through memory are ignored. */
struct dependence_chain dependence_chain_find(
	const struct kernel_line *lines, size_t start, size_t end, const struct issue_costs *costs, bool *on);

#endif

/* The cycle breakdowns of a sweep as stacks: which stall reasons have an area of their own, and where it is. */
#ifndef GPU_PROTOCOL_STALLS_STALL_STACK_H
#define GPU_PROTOCOL_STALLS_STALL_STACK_H

#include "gpu/protocol/stalls/stall_reasons.h"

struct breakdown {
	double cycles[STALL_REASON_COUNT], all;
	bool valid;
};

/* Selects the reasons with an area of their own, in the order of the stack; the last one, STALL_OTHER, has the rest.
 * Returns how many. */
int stall_stack_choose(const struct breakdown *list, int count, int shown[STALL_REASON_COUNT]);
/* The edges of the areas as parts of the stack, from 0 to 1; n + 1 of them. */
void stall_stack_edges(const struct breakdown *of, const int *shown, int n, double *edges);

#endif

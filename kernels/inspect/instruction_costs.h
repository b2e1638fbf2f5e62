/* What instructions cost a wave on a machine: numbers that whoever knows the machine fills in. */
#ifndef KERNELS_INSPECT_INSTRUCTION_COSTS_H
#define KERNELS_INSPECT_INSTRUCTION_COSTS_H

#include <stdbool.h>

#include "softgpu/isa/isa.h"

struct issue_costs {
	bool known;
	unsigned rate[RATE_COUNT];    /* cycles that a wave's instruction of that rate takes to issue */
	unsigned branch;              /* of a branch that is taken */
	unsigned latency[UNIT_COUNT]; /* cycles from issue to data where the nearest memory has it; 0: none beyond the
	                                 issue */
};

unsigned instruction_issue_cycles(const struct issue_costs *c, const struct isa_inst *in);
/* Until what needs its result can issue. */
unsigned instruction_result_cycles(const struct issue_costs *c, const struct isa_inst *in);

#endif

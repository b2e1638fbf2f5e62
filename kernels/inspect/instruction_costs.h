/* Issue cycles and latencies of instructions on a GPU. The caller provides the numbers. */
#ifndef KERNELS_INSPECT_INSTRUCTION_COSTS_H
#define KERNELS_INSPECT_INSTRUCTION_COSTS_H

#include <stdbool.h>

#include "softgpu/isa/isa.h"

struct issue_costs {
	bool known;
	unsigned rate[RATE_COUNT];    /* issue cycles of an instruction of that rate, per wave */
	unsigned branch;              /* cycles of a taken branch */
	unsigned matrix_pass;         /* cycles of a pass of the matrix core */
	unsigned vgpr_banks;          /* of the vector registers; 0: reads of one bank do not conflict */
	unsigned latency[UNIT_COUNT]; /* cycles from issue to data from the nearest memory; 0: no latency after issue */
};

unsigned instruction_issue_cycles(const struct issue_costs *c, const struct isa_inst *in);
/* Cycles until an instruction that depends on the result can issue. */
unsigned instruction_result_cycles(const struct issue_costs *c, const struct isa_inst *in);

#endif

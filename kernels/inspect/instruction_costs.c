/* Computes the cycles of an instruction. */
#include "kernels/inspect/instruction_costs.h"

#include "softgpu/isa/semantics_mfma.h"

unsigned instruction_issue_cycles(const struct issue_costs *c, const struct isa_inst *in)
{
	const struct isa_info *row = isa_info(in->op);
	if (in->op == OP_s_nop)
		return c->rate[row->rate] * ((unsigned)(in->imm & 15) + 1);
	if (row->rate == RATE_MFMA && !mfma_coexecutes(isa_mfma_shape(in->op)))
		return mfma_passes(isa_mfma_shape(in->op)) * c->matrix_pass;
	return row->unit == UNIT_BRANCH ? c->branch : c->rate[row->rate];
}

unsigned instruction_result_cycles(const struct issue_costs *c, const struct isa_inst *in)
{
	return instruction_issue_cycles(c, in) + c->latency[isa_info(in->op)->unit];
}

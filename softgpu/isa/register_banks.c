#include "softgpu/isa/register_banks.h"

#include <string.h>

static bool is_vgpr(unsigned operand)
{
	return operand >= ISA_VGPR0 && operand < ISA_AGPR0;
}

static void read_operand(struct isa_bank_reads *b, unsigned operand, unsigned banks)
{
	const unsigned number = operand - ISA_VGPR0, bank = number % banks;

	if (!is_vgpr(operand))
		return;
	for (unsigned k = 0; k < b->count[bank]; k++)
		if (b->number[bank][k] == number)
			return;
	b->number[bank][b->count[bank]++] = (uint16_t)number;
}

/* `before`: the same half of the instruction before. */
static void read_operation(
	struct isa_bank_reads *b, const struct isa_inst *in, const struct isa_inst *before, unsigned banks)
{
	for (unsigned k = 0; k < 2; k++)
		if (isa_info(in->op)->src[k] != T__ && (!before || before->src[k] != in->src[k]))
			read_operand(b, in->src[k], banks);
}

void isa_find_bank_reads(
	const struct isa_inst *in, const struct isa_inst *before, unsigned banks, struct isa_bank_reads *out)
{
	const bool dual_before = before && before->dual.op != OP_INVALID;

	memset(out, 0, sizeof *out);
	if (in->dual.op == OP_INVALID || !banks || banks > ISA_BANKS_MAX)
		return;
	const struct isa_inst second = isa_second_operation(in),
			      second_before = dual_before ? isa_second_operation(before) : (struct isa_inst){0};
	read_operation(out, in, before, banks);
	read_operation(out, &second, dual_before ? &second_before : NULL, banks);
}

unsigned isa_bank_conflict_cycles(const struct isa_inst *in, const struct isa_inst *before, unsigned banks)
{
	struct isa_bank_reads b;
	unsigned most = 1;

	isa_find_bank_reads(in, before, banks, &b);
	for (unsigned k = 0; k < ISA_BANKS_MAX; k++)
		most = b.count[k] > most ? b.count[k] : most;
	return most - 1;
}

/* --- pairs --- */
static bool is_single(const struct isa_inst *in)
{
	return in->op != OP_INVALID && in->dual.op == OP_INVALID && isa_has_dual_form(in->op) &&
		in->form == FORM_PLAIN && in->enc != ENC_VOP3;
}

static bool share_bank(unsigned a, unsigned b, unsigned banks)
{
	return is_vgpr(a) && is_vgpr(b) && (a - ISA_VGPR0) % banks == (b - ISA_VGPR0) % banks;
}

static bool reads(const struct isa_inst *in, unsigned operand)
{
	return in->src[0] == operand || in->src[1] == operand || in->src[2] == operand || in->dst == operand;
}

bool isa_can_pair(const struct isa_inst *x, const struct isa_inst *y, unsigned banks)
{
	return is_single(x) && is_single(y) && is_vgpr(x->dst) && is_vgpr(y->dst) && (x->dst ^ y->dst) & 1 &&
		!share_bank(x->src[0], y->src[0], banks) && !share_bank(x->src[1], y->src[1], banks) &&
		!reads(y, x->dst) && !reads(x, y->dst);
}

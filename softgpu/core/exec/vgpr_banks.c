#include "softgpu/core/exec/vgpr_banks.h"

#include <string.h>

#include "base/min_max.h"

enum { BANKS_MAX = 16, POSITIONS = 3 };

/* What the banks read for one instruction after the other. */
struct bank_reads {
	unsigned banks;
	uint16_t kept[BANKS_MAX][POSITIONS];    /* register read last, + 1; 0: none */
	uint16_t now[BANKS_MAX][2 * POSITIONS]; /* registers that the current instruction reads */
	uint8_t count[BANKS_MAX];
};

static void read_vgpr(struct bank_reads *b, unsigned number, unsigned position)
{
	const unsigned bank = number % b->banks;
	uint16_t *kept = &b->kept[bank][position];

	if (*kept == number + 1)
		return;
	*kept = number + 1;
	for (unsigned k = 0; k < b->count[bank]; k++)
		if (b->now[bank][k] == number)
			return;
	if (b->count[bank] < 2 * POSITIONS)
		b->now[bank][b->count[bank]++] = number;
}

static void read_operand(struct bank_reads *b, unsigned operand, unsigned dwords, unsigned position)
{
	if (operand < ISA_VGPR0 || operand >= ISA_AGPR0)
		return;
	for (unsigned k = 0; k < dwords; k++)
		read_vgpr(b, operand - ISA_VGPR0 + k, position);
}

static void read_operation(struct bank_reads *b, const struct isa_inst *d)
{
	const struct isa_info *info = isa_info(d->op);

	for (unsigned k = 0; k < POSITIONS; k++)
		if (info->src[k] != T__ && d->src[k] != ISA_NONE)
			read_operand(b, d->src[k], isa_type_dwords(info->src[k]), k);
	if (info->traits & READS_D && info->src[2] == T__)
		read_operand(b, d->dst, isa_type_dwords(info->dst), 2);
}

static unsigned read_instruction(struct bank_reads *b, const struct isa_inst *d)
{
	unsigned cycles = 0;

	memset(b->count, 0, sizeof b->count);
	read_operation(b, d);
	if (d->dual.op != OP_INVALID) {
		const struct isa_inst second = isa_second_operation(d);
		read_operation(b, &second);
	}
	for (unsigned k = 0; k < b->banks; k++)
		cycles = b->count[k] > cycles ? b->count[k] : cycles;
	return cycles;
}

static unsigned read_cycles(const struct model *m, const struct uop *i, struct uop *const *before, unsigned count)
{
	struct bank_reads b = {.banks = m->vgpr_banks};

	while (count-- > 0)
		if (before[count]->unit == UNIT_VALU)
			read_instruction(&b, &before[count]->d);
	return read_instruction(&b, &i->d);
}

void uop_add_bank_cycles(const struct model *m, struct uop *i, struct uop *const *before, unsigned count)
{
	if (i->unit != UNIT_VALU || !i->d.size)
		return;
	const unsigned cost = i->cost - i->bank_cycles, cycles = read_cycles(m, i, before, count);

	i->bank_cycles = cycles > cost ? cycles - cost : 0;
	i->cost = i->busy = cost + i->bank_cycles;
}

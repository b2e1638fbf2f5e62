#include "softgpu/core/exec/vgpr_banks.h"

enum { BANKS_MAX = 16, POSITIONS = 3, GATHER_MAX = 8 };

/* Instructions in line issue back to back; times are in cycles. */
struct register_reads {
	unsigned banks;
	uint16_t kept[BANKS_MAX][POSITIONS]; /* register read last for each position, + 1; 0: none */
	unsigned free[BANKS_MAX];            /* when the bank can read another register */
	unsigned issued[GATHER_MAX];         /* when the last instructions issued, a ring */
	unsigned count;                      /* instructions so far */
	unsigned next;                       /* when the next one can issue */
	unsigned ready;                      /* when the current one has its registers */
};

static void read_vgpr(struct register_reads *b, unsigned number, unsigned position, unsigned from)
{
	const unsigned bank = number % b->banks;

	for (unsigned k = 0; k < POSITIONS; k++)
		if (b->kept[bank][k] == number + 1) { /* one read serves all positions */
			b->kept[bank][position] = number + 1;
			return;
		}
	b->kept[bank][position] = number + 1;
	b->free[bank] = (b->free[bank] > from ? b->free[bank] : from) + 1;
	b->ready = b->free[bank] > b->ready ? b->free[bank] : b->ready;
}

static void read_operand(struct register_reads *b, unsigned operand, unsigned dwords, unsigned position, unsigned from)
{
	if (operand < ISA_VGPR0 || operand >= ISA_AGPR0)
		return;
	for (unsigned k = 0; k < dwords; k++)
		read_vgpr(b, operand - ISA_VGPR0 + k, position, from);
}

static void read_operation(struct register_reads *b, const struct isa_inst *d, unsigned from)
{
	const struct isa_info *info = isa_info(d->op);

	for (unsigned k = 0; k < POSITIONS; k++)
		if (info->src[k] != T__ && d->src[k] != ISA_NONE)
			read_operand(b, d->src[k], isa_type_dwords(info->src[k]), k, from);
	if (info->traits & READS_D && info->src[2] == T__)
		read_operand(b, d->dst, isa_type_dwords(info->dst), 2, from);
}

static void read_registers(struct register_reads *b, const struct uop *i, unsigned from)
{
	if (i->unit != UNIT_VALU)
		return;
	read_operation(b, &i->d, from);
	if (i->d.dual.op != OP_INVALID) {
		const struct isa_inst second = isa_second_operation(&i->d);
		read_operation(b, &second, from);
	}
}

/* Issues i; returns the cycles that it waited for its registers. */
static unsigned issue_in_line(const struct model *m, struct register_reads *b, const struct uop *i)
{
	const unsigned ahead = m->vgpr_gather, soonest = b->next;

	b->ready = 0;
	read_registers(b, i, b->count < ahead ? 0 : b->issued[(b->count - ahead) % GATHER_MAX]);
	const unsigned t = b->ready > soonest && b->count ? b->ready : soonest;
	b->issued[b->count++ % GATHER_MAX] = t;
	b->next = t + i->cost - i->bank_cycles;
	return t - soonest;
}

void uop_add_bank_cycles(const struct model *m, struct uop *i, struct uop *const *before, unsigned count)
{
	struct register_reads b = {.banks = m->vgpr_banks};

	if (i->unit != UNIT_VALU || !i->d.size)
		return;
	while (count-- > 0)
		issue_in_line(m, &b, before[count]);
	const unsigned cost = i->cost - i->bank_cycles;

	i->bank_cycles = issue_in_line(m, &b, i);
	i->cost = i->busy = cost + i->bank_cycles;
}

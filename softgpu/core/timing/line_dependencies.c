#include "softgpu/core/timing/line_dependencies.h"

#include "softgpu/isa/register_banks.h"
#include "softgpu/isa/register_effects.h"
#include "softgpu/isa/semantics_mfma.h"

/* --- banks --- */
static const struct isa_inst *find_vector_instruction(struct uop *const *before, unsigned count)
{
	for (unsigned k = 0; k < count; k++)
		if (before[k]->unit == UNIT_VALU && before[k]->d.size)
			return &before[k]->d;
	return NULL;
}

void uop_add_bank_cycles(const struct model *m, struct uop *i, struct uop *const *before, unsigned count)
{
	if (i->d.enc != ENC_VOPD || !i->d.size)
		return;
	const unsigned cost = i->cost - i->bank_cycles;

	i->bank_cycles = isa_bank_conflict_cycles(&i->d, find_vector_instruction(before, count), m->vgpr_banks);
	i->busy = i->busy ? cost + i->bank_cycles : 0;
	i->cost = cost + i->bank_cycles;
}

/* --- latencies --- */
static unsigned valu_result_cycles(const struct model *m, const struct isa_info *info)
{
	switch (info->rate) {
	case RATE_QUARTER:
		return info->dst == T_F32 || info->dst == T_F16 ? m->valu_trans_latency : m->valu_quarter_latency;
	case RATE_INT_MUL: return m->valu_quarter_latency;
	case RATE_SHIFT64: return m->valu_latency + 1;
	case RATE_F64_FMA:
	case RATE_F64_ADD:
	case RATE_F64_CVT: return m->valu_f64_latency;
	case RATE_F64_TRANS: return m->valu_f64_latency + 2;
	default: return m->valu_latency;
	}
}

/* Cycles from the issue of an instruction to that of one that needs its result; 0: it has none, or a counter tells when
 * it is there. */
static unsigned result_cycles(const struct model *m, const struct uop *i)
{
	const struct isa_info *info = isa_info(i->d.op);

	if (i->kind != UOP_PLAIN || (i->unit != UNIT_VALU && i->unit != UNIT_SALU) || model_is_ideal(m, IDEAL_results))
		return 0;
	if (i->matrix_cycles)
		return i->matrix_cycles;
	if (!m->valu_latency)
		return 0;
	if (i->unit == UNIT_SALU)
		return m->salu_latency;
	const unsigned cycles = valu_result_cycles(m, info), passes = i->cost / (info->rate == RATE_FULL ? 1 : i->cost);

	return max_u64(cycles + passes - 1, i->cost);
}

/* --- registers --- */
static bool spans_overlap(struct isa_span a, struct isa_span b)
{
	return a.first < b.first + b.count && b.first < a.first + a.count;
}

static bool lists_meet(const struct isa_span *a, unsigned count, const struct isa_span *b, unsigned other_count)
{
	for (unsigned k = 0; k < count; k++)
		for (unsigned n = 0; n < other_count; n++)
			if (spans_overlap(a[k], b[n]))
				return true;
	return false;
}

/* The registers of the matrix that v_mfma adds. */
static struct isa_span addend_of(const struct isa_inst *d)
{
	const unsigned registers = d->src[2] < ISA_VGPR0 ? 0 : mfma_result_registers(isa_mfma_shape(d->op));

	return (struct isa_span){d->src[2], registers};
}

/* --- waiting --- */
struct instruction {
	const struct uop *i;
	struct isa_effects of;
};

/* Whether x is a vector instruction that the matrix core does not order after the product. */
static bool may_overtake_product(const struct uop *x, const struct uop *product)
{
	return product->matrix_cycles && x->unit == UNIT_VALU && !x->matrix_cycles;
}

enum { NO_WAIT = -1 };

/* How many cycles before the result of `first` the other one can issue. LLVM has the same waits for what a product
 * reads and writes (GCNHazardRecognizer, checkMAIHazards908 and checkMAIVALUHazards). */
static int cycles_before_result(const struct model *m, const struct instruction *first, const struct instruction *next)
{
	const struct isa_effects *a = &first->of, *b = &next->of;

	if (lists_meet(a->writes, a->write_count, b->reads, b->read_count))
		return 0;
	if (!may_overtake_product(next->i, first->i))
		return NO_WAIT;
	if (lists_meet(a->writes, a->write_count, b->writes, b->write_count))
		return 0;
	const struct isa_span addend = addend_of(&first->i->d);
	return lists_meet(&addend, 1, b->writes, b->write_count) ? m->mfma_addend_early_cycles : NO_WAIT;
}

static bool await_result(struct uop *i, struct uop *producer, unsigned cycles, unsigned early)
{
	if (i->awaited_count == sizeof i->awaited)
		return false;
	producer->dependency |= RESULT_IS_AWAITED;
	producer->result_slot = producer->pc / 4 % RESULT_SLOTS;
	producer->result_cycles = cycles;
	i->dependency |= AWAITS_RESULTS;
	i->awaited_early[i->awaited_count] = early;
	i->awaited[i->awaited_count++] = producer->result_slot;
	return true;
}

void uop_find_dependencies(const struct model *m, struct uop *i, struct uop *const *before, unsigned count)
{
	struct instruction own = {.i = i}, other;
	unsigned passed = 0;

	i->awaited_count = 0;
	i->dependency &= ~AWAITS_RESULTS;
	if (!i->d.size || i->kind == UOP_WAITCNT)
		return;
	isa_effects(&i->d, &own.of);
	for (unsigned k = 0; k < count; k++) {
		const unsigned cycles = result_cycles(m, before[k]);
		passed += before[k]->cost;
		if (cycles <= passed)
			continue;
		other.i = before[k];
		isa_effects(&before[k]->d, &other.of);
		const int early = cycles_before_result(m, &other, &own);
		if (early != NO_WAIT && !await_result(i, before[k], cycles, (unsigned)early))
			return;
	}
}

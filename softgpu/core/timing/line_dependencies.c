#include "softgpu/core/timing/line_dependencies.h"

#include "softgpu/isa/register_banks.h"
#include "softgpu/isa/register_effects.h"

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

static bool writes_any(const struct isa_effects *writer, const struct isa_effects *reader)
{
	for (unsigned k = 0; k < writer->write_count; k++)
		for (unsigned n = 0; n < reader->read_count; n++)
			if (spans_overlap(writer->writes[k], reader->reads[n]))
				return true;
	return false;
}

static bool await_result(struct uop *i, struct uop *producer, unsigned cycles)
{
	if (i->awaited_count == sizeof i->awaited)
		return false;
	producer->dependency |= RESULT_IS_AWAITED;
	producer->result_slot = producer->pc / 4 % RESULT_SLOTS;
	producer->result_cycles = cycles;
	i->dependency |= AWAITS_RESULTS;
	i->awaited[i->awaited_count++] = producer->result_slot;
	return true;
}

void uop_find_dependencies(const struct model *m, struct uop *i, struct uop *const *before, unsigned count)
{
	struct isa_effects own, other;
	unsigned passed = 0;

	i->awaited_count = 0;
	i->dependency &= ~AWAITS_RESULTS;
	if (!i->d.size || i->kind == UOP_WAITCNT)
		return;
	isa_effects(&i->d, &own);
	for (unsigned k = 0; k < count; k++) {
		const unsigned cycles = result_cycles(m, before[k]);
		passed += before[k]->cost;
		if (cycles <= passed)
			continue;
		isa_effects(&before[k]->d, &other);
		if (writes_any(&other, &own) && !await_result(i, before[k], cycles))
			return;
	}
}

#include "experiments/analysis/dual_issue.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "softgpu/isa/isa_family.h"
#include "softgpu/isa/register_banks.h"

/* The last vector instruction before the line; NULL: none. */
static const struct isa_inst *vector_instruction_before(const struct code_model *m, size_t line)
{
	while (line-- > 0)
		if (isa_info(m->lines[line].inst.op)->unit == UNIT_VALU)
			return &m->lines[line].inst;
	return NULL;
}

void code_find_bank_conflicts(struct code_model *m)
{
	m->bank_cycles = xcalloc(m->count, sizeof *m->bank_cycles);
	for (size_t i = 0; i < m->count; i++)
		if (m->lines[i].inst.dual.op != OP_INVALID)
			m->bank_cycles[i] = (uint8_t)isa_bank_conflict_cycles(
				&m->lines[i].inst, vector_instruction_before(m, i), m->costs.vgpr_banks);
}

bool code_has_dual_issue(const struct code_model *m)
{
	return m->lines && m->count && isa_family_of(m->lines[0].inst.target)->has_pairs && m->info.wave_size == 32;
}

static bool is_alone(const struct code_model *m, size_t line)
{
	const struct isa_inst *in = &m->lines[line].inst;
	return in->dual.op == OP_INVALID && isa_has_dual_form(in->op);
}

/* Whether the next instruction, hints for the scheduler aside, could be in the same instruction. */
static bool could_pair(const struct code_model *m, size_t line, size_t end, size_t *next)
{
	for (*next = line + 1; *next < end && m->lines[*next].inst.op == OP_s_delay_alu;)
		++*next;
	return *next < end && is_alone(m, *next) &&
		isa_can_pair(&m->lines[line].inst, &m->lines[*next].inst, m->costs.vgpr_banks);
}

struct dual_issue code_count_dual_issue(const struct code_model *m)
{
	struct dual_issue d = {.first_conflict = m->count, .first_alone = m->count};
	size_t start = code_has_loop(m) ? m->loop_start : 0, end = code_has_loop(m) ? m->loop_end : m->count,
	       free_from = 0;
	for (size_t i = end; i-- > start;)
		if (m->bank_cycles[i]) {
			d.conflicts++;
			d.cycles += m->bank_cycles[i];
			d.first_conflict = i;
		}
	for (size_t i = start; i < end; i++) {
		size_t next;
		d.pairs += m->lines[i].inst.dual.op != OP_INVALID;
		if (!is_alone(m, i))
			continue;
		d.first_alone = d.alone++ ? d.first_alone : i;
		if (i >= free_from && m->costs.vgpr_banks && could_pair(m, i, end, &next)) {
			d.could++;
			free_from = next + 1;
		}
	}
	return d;
}

char *code_text_dual_issue(const struct code_model *m, char *out, size_t size)
{
	struct dual_issue d = code_count_dual_issue(m);
	size_t n = (size_t)snprintf(out, size, "%u pair%s, %u alone", d.pairs, plural_s(d.pairs), d.alone);
	if (d.could && n < size)
		n += (size_t)snprintf(out + n, size - n, " (%u pair%s possible)", d.could, plural_s(d.could));
	if (!m->costs.vgpr_banks || n >= size)
		return out;
	if (d.conflicts)
		snprintf(out + n, size - n, "; %u with register bank conflicts (%%), %u cycle%s", d.conflicts, d.cycles,
			plural_s(d.cycles));
	else
		snprintf(out + n, size - n, "; no register bank conflicts");
	return out;
}

char *code_text_bank_conflict(const struct code_model *m, size_t line, char *out, size_t size)
{
	struct isa_bank_reads b;
	size_t n = 0;
	*out = 0;
	if (!m->bank_cycles[line])
		return out;
	isa_find_bank_reads(&m->lines[line].inst, vector_instruction_before(m, line), m->costs.vgpr_banks, &b);
	for (unsigned bank = 0; bank < m->costs.vgpr_banks; bank++)
		for (unsigned k = 0; b.count[bank] > 1 && k < b.count[bank] && n < size; k++)
			n += (size_t)snprintf(out + n, size - n, "%sv%u",
				k           ? " and "
					: n ? ", "
					    : "",
				b.number[bank][k]);
	if (n < size)
		snprintf(out + n, size - n, " share a register bank: %u cycle%s more", m->bank_cycles[line],
			plural_s(m->bank_cycles[line]));
	return out;
}

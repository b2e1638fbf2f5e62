/* Queries of the code model, as numbers and as lines of text. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "base/vendor/vendor_words.h"
#include "experiments/analysis/code_model.h"
#include "kernels/inspect/sass/sass_text.h"
#include "softgpu/isa/isa_family.h"

static bool is_sass(const struct code_model *m)
{
	return vendor_is_nvidia(m->info.arch);
}

bool code_has_loop(const struct code_model *m)
{
	return m->lines && m->loop_end > m->loop_start;
}

bool code_knows_resources(const struct code_model *m)
{
	return !is_sass(m) || m->info.vgprs;
}

bool code_crosses_fetch_window(const struct kernel_line *l)
{
	return l->inst.target && isa_family_of(l->inst.target)->has_window_stalls &&
		l->va % FETCH_WINDOW + l->inst.size > FETCH_WINDOW;
}

struct instruction_mix code_count_instructions(const struct code_model *m, size_t start, size_t end)
{
	struct instruction_mix x = {0};
	for (size_t i = start; i < end; i++, x.all++) {
		const struct isa_inst *in = &m->lines[i].inst;
		if (m->listed)
			x.units[m->listed->unit(m->lines[i].text)] += m->listed->unit(m->lines[i].text) != 0;
		x.integer_adds += is_sass(m) && sass_adds_integers(m->lines[i].text);
		x.wide_adds += is_sass(m) && sass_adds_wide(m->lines[i].text);
		if (in->op == OP_INVALID)
			continue;
		x.units[isa_info(in->op)->unit]++;
		x.cycles += m->costs.known ? instruction_issue_cycles(&m->costs, in) : 0;
	}
	return x;
}

unsigned instruction_mix_vmem(const struct instruction_mix *m)
{
	return m->units[UNIT_VMEM] + m->units[UNIT_FLAT];
}

unsigned instruction_mix_other(const struct instruction_mix *m)
{
	unsigned units = 0;
	for (int u = 0; u < UNIT_COUNT; u++)
		units += u == UNIT_INTERNAL ? 0 : m->units[u];
	return m->all - units;
}

const struct code_contract *code_find_contract(const struct code_model *m, size_t line)
{
	for (int i = 0; i < m->contract_count; i++)
		if (contract_matches_line(&m->contract[i].is, &m->lines[line]))
			return &m->contract[i];
	return NULL;
}

bool code_contract_holds(const struct code_model *m)
{
	for (int i = 0; i < m->contract_count; i++)
		if (!m->contract[i].holds)
			return false;
	return true;
}

static bool find_offset(const struct code_model *m, uint64_t va, size_t *to)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->lines[i].va == va) {
			*to = i;
			return true;
		}
	return false;
}

bool code_branch_target(const struct code_model *m, size_t line, size_t *to)
{
	const struct kernel_line *l = &m->lines[line];
	uint64_t target;
	if (m->listed)
		return m->listed->branch_target(l, &target) && find_offset(m, target, to);
	const char *name = isa_mnemonic(&l->inst);
	bool branch = !strcmp(name, "s_branch") || (!strncmp(name, "s_cbranch_", 10) && l->inst.enc == ENC_SOPP);
	uint64_t va = l->va + 4 + (uint64_t)((int64_t)(int16_t)l->inst.imm * 4);
	return branch && find_offset(m, va, to);
}

char *code_text_words(const struct code_model *m, size_t line, char *out, size_t size)
{
	const struct kernel_line *l = &m->lines[line];
	const uint8_t *from = m->code + (l->va - m->lines[0].va);
	uint32_t word;
	size_t n = 0;
	*out = 0;
	for (size_t at = 0; at + sizeof word <= l->inst.size && n < size; at += sizeof word) {
		memcpy(&word, from + at, sizeof word);
		n += (size_t)snprintf(out + n, size - n, "%s%08X", at ? " " : "", word);
	}
	return out;
}

/* --- lines --- */
char *code_text_registers(const struct code_model *m, char *out, size_t size)
{
	if (!is_sass(m))
		snprintf(out, size, "%u VGPRs, %u SGPRs", m->info.vgprs, m->info.sgprs);
	else if (m->info.vgprs)
		snprintf(out, size, "%u", m->info.vgprs);
	else
		snprintf(out, size, "not available: %s", m->why_no_lines);
	return out;
}

char *code_text_memory(const struct code_model *m, char *out, size_t size)
{
	size_t n = 0;
	if (code_knows_resources(m))
		n = (size_t)snprintf(out, size, "LDS %u B, scratch %u B per thread, kernel arguments %u B",
			m->info.lds_bytes, m->info.scratch_bytes, m->info.kernarg_bytes);
	else
		n = (size_t)snprintf(
			out, size, "kernel arguments %u B, LDS and scratch not known", m->info.kernarg_bytes);
	if (m->info.code_bytes && n < size)
		snprintf(out + n, size - n, ", code %zu B", m->info.code_bytes);
	return vendor_words_apply(m->info.arch, out, size);
}

char *code_text_occupancy(const struct code_model *m, char *out, size_t size)
{
	if (!code_knows_resources(m)) {
		snprintf(out, size, "not known without the registers");
		return out;
	}
	snprintf(out, size, "%u wave%s of %u lanes per SIMD with blocks of %u thread%s, limited by %s",
		m->info.waves_per_simd, plural_s(m->info.waves_per_simd), m->info.wave_size, m->request.block,
		plural_s(m->request.block), m->info.limited_by);
	return vendor_words_apply(m->info.arch, out, size);
}

char *code_text_limits(const struct code_model *m, char *out, size_t size)
{
	size_t n = (size_t)snprintf(out, size, "waves per SIMD: ");
	for (unsigned i = 0; i < m->limit_count && n < size; i++)
		n += (size_t)snprintf(out + n, size - n, "%s%s %u", i ? ", " : "", m->limits[i].by, m->limits[i].waves);
	if (!code_knows_resources(m) && n < size)
		snprintf(out + n, size - n, ", others not known");
	return vendor_words_apply(m->info.arch, out, size);
}

static char *append_integer_adds(const struct code_model *m, char *out, size_t n, size_t size)
{
	struct instruction_mix x = code_count_instructions(m, m->loop_start, m->loop_end);
	if (x.integer_adds)
		snprintf(out + n, size - n, "; %u integer add%s, %u of 64 bits", x.integer_adds,
			x.integer_adds == 1 ? "" : "s", x.wide_adds);
	return out;
}

char *code_text_loop(const struct code_model *m, char *out, size_t size)
{
	unsigned across = 0;
	if (!m->lines)
		snprintf(out, size, "not available: %s", m->why_no_lines);
	else if (!code_has_loop(m))
		snprintf(out, size, "none");
	if (!code_has_loop(m))
		return out;
	const struct kernel_line *first = &m->lines[m->loop_start], *last = &m->lines[m->loop_end - 1];
	for (size_t i = m->loop_start; i < m->loop_end; i++)
		across += code_crosses_fetch_window(&m->lines[i]);
	size_t n = (size_t)snprintf(out, size, "%zu instructions, %" PRIu64 " bytes from %06" PRIx64,
		m->loop_end - m->loop_start, last->va + last->inst.size - first->va, first->va - m->info.code_va);
	if (m->listed)
		return n < size ? append_integer_adds(m, out, n, size) : out;
	if (n >= size)
		return out;
	n += (size_t)snprintf(out + n, size - n, ", %u modulo %d", (unsigned)(first->va % FETCH_WINDOW), FETCH_WINDOW);
	if (isa_family_of(first->inst.target)->has_window_stalls && n < size)
		snprintf(out + n, size - n, "; %u cross%s a fetch window%s", across, across == 1 ? "es" : "",
			across ? " (+)" : "");
	return out;
}

static const struct {
	unsigned unit;
	const char *name;
} kinds[] = {
	{UNIT_VALU, "VALU"},
	{UNIT_SALU, "SALU"},
	{UNIT_VMEM, "VMEM"},
	{UNIT_FLAT, "FLAT"},
	{UNIT_LDS, "LDS"},
	{UNIT_SMEM, "SMEM"},
};

char *code_text_chain(const struct code_model *m, char *out, size_t size)
{
	size_t n = 0;
	const char *between = "";
	*out = 0;
	if (m->listed) {
		snprintf(out, size, "not known: %s is listed, not decoded", m->listed->name);
		return out;
	}
	if (!m->chain.length) {
		snprintf(out, size, code_has_loop(m) ? "none: no trip needs a register of the previous one" : "none");
		return out;
	}
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds && n < size; i++)
		if (m->chain.units[kinds[i].unit]) {
			n += (size_t)snprintf(
				out + n, size - n, "%s%u %s", between, m->chain.units[kinds[i].unit], kinds[i].name);
			between = " + ";
		}
	if (m->chain.cycles && m->costs.known && n < size)
		n += (size_t)snprintf(out + n, size - n, ", at least %u cycles per trip", m->chain.cycles);
	if (m->chain.alike && n < size)
		snprintf(out + n, size - n, "; %u more of the same length", m->chain.alike);
	return out;
}

static const char *contract_place_name(const struct isa_contract *c)
{
	return strcmp(c->where, "kernel") ? "hot loop" : "kernel";
}

char *code_text_contract(const struct code_model *m, char *out, size_t size)
{
	size_t n = 0;
	*out = 0;
	for (int i = 0; i < m->contract_count && n < size; i++) {
		const struct code_contract *c = &m->contract[i];
		char broken[160];
		contract_describe_violation(&c->is, c->found, broken, sizeof broken);
		if (!c->holds)
			n += (size_t)snprintf(out + n, size - n, "%sbroken: %s", n ? "; " : "", broken);
		else if (c->is.count < 0)
			n += (size_t)snprintf(out + n, size - n, "%s%s in the %s: OK, %d", n ? "; " : "",
				c->is.instruction, contract_place_name(&c->is), c->found);
		else
			n += (size_t)snprintf(out + n, size - n, "%s%d %s in the %s: OK", n ? "; " : "", c->is.count,
				c->is.instruction, contract_place_name(&c->is));
	}
	if (!n)
		snprintf(out, size, "none for %s", m->info.arch);
	return out;
}

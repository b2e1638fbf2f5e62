/* Below the listings: registers, LDS and occupancy of the kernel, and an explanation of the instruction at the
 * cursor. */
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "base/vendor/vendor_words.h"
#include "experiments/analysis/dual_issue.h"
#include "kernels/inspect/instruction_help.h"
#include "tui/views/code/code_view_draw.h"

enum { ROWS_ALL = 8 /* with fewer rows the facts are combined */ };

/* --- the kernel --- */
static int contract_role(const struct code_model *m)
{
	return !m->contract_count ? ROLE_DIM : code_contract_holds(m) ? ROLE_OK : ROLE_BAD;
}

static void memory_text(const struct code_model *m, char *out, size_t size)
{
	char registers[400];
	bool nvidia = vendor_is_nvidia(m->info.arch);
	size_t n = (size_t)snprintf(
		out, size, "%s%s", nvidia ? "registers " : "", code_text_registers(m, registers, sizeof registers));
	if (code_knows_resources(m) && n < size)
		snprintf(out + n, size - n, ", LDS %u B, scratch %u B", m->info.lds_bytes, m->info.scratch_bytes);
	vendor_words_apply(m->info.arch, out, size);
}

static void occupancy_text(const struct code_model *m, char *out, size_t size)
{
	if (code_knows_resources(m))
		snprintf(out, size, "%u wave%s per SIMD, limited by %s", m->info.waves_per_simd,
			plural_s(m->info.waves_per_simd), m->info.limited_by);
	else
		code_text_occupancy(m, out, size);
	vendor_words_apply(m->info.arch, out, size);
}

static void loop_text(const struct code_model *m, char *out, size_t size)
{
	if (!code_has_loop(m)) {
		code_text_loop(m, out, size);
		return;
	}
	struct instruction_mix x = code_count_instructions(m, m->loop_start, m->loop_end);
	snprintf(out, size,
		vendor_is_nvidia(m->info.arch)
			? "%u instructions: %u arithmetic, %u uniform, %u memory, %u shared, %u constant, %u branch, %u other"
			: "%u instructions: %u VALU, %u SALU, %u VMEM, %u LDS, %u SMEM, %u branch, %u other",
		x.all, x.units[UNIT_VALU], x.units[UNIT_SALU], instruction_mix_vmem(&x), x.units[UNIT_LDS],
		x.units[UNIT_SMEM], x.units[UNIT_BRANCH], instruction_mix_other(&x));
}

void code_view_draw_kernel(const struct app *a, struct area at)
{
	const struct code_model *m = code_view_of(a)->shown.model;
	struct area in = area_inner(at);
	char text[400];
	int y = 0;
	bool low = in.r.h < ROWS_ALL;
	area_draw_frame(at, false, m ? m->info.name : "kernel", code_view_of(a)->shown.label);
	if (!m)
		return;
	memory_text(m, text, sizeof text);
	y = area_draw_wrapped(in, y, ROLE_TEXT, low ? "" : "uses    ", text);
	occupancy_text(m, text, sizeof text);
	y = area_draw_wrapped(in, y, ROLE_TITLE, low ? "" : "allows  ", text);
	if (!low)
		y = area_draw_wrapped(in, y, ROLE_TEXT, "limits  ", code_text_limits(m, text, sizeof text));
	if (contract_role(m) == ROLE_BAD || low)
		y = area_draw_wrapped(in, y, contract_role(m), "expected", code_text_contract(m, text, sizeof text));
	loop_text(m, text, sizeof text);
	if (!low)
		y = area_draw_wrapped(in, y, ROLE_TEXT, "loop    ", text);
	y = area_draw_wrapped(in, y, ROLE_WARN, low ? "chain *" : "chain * ", code_text_chain(m, text, sizeof text));
	if (!low && code_has_dual_issue(m))
		y = area_draw_wrapped(in, y, ROLE_TEXT, "dual    ", code_text_dual_issue(m, text, sizeof text));
	if (!low && contract_role(m) != ROLE_BAD)
		y = area_draw_wrapped(in, y, contract_role(m), "expected", code_text_contract(m, text, sizeof text));
	if (y < in.r.h && !low)
		area_draw_fitted(in, 1, y, in.r.w - 1, ROLE_DIM, m->where);
}

/* --- the instruction --- */
static int put_help(struct area in, int y, const struct code_model *m, size_t line)
{
	const struct kernel_line *l = &m->lines[line];
	char encoding[64], words[CODE_WORDS_TEXT], registers[256], text[400], rate[120];
	if (m->listed) /* the encoding alone */
		return area_draw_wrapped(in, y, ROLE_DIM, "", code_text_words(m, line, words, sizeof words));
	const char *help =
		l->inst.op ? instruction_help_find(isa_info(l->inst.op)->name) : "not an instruction of this target";
	y = area_draw_wrapped(in, y, ROLE_TEXT, "", help ? help : "");
	if (!l->inst.op)
		return y;
	if (l->inst.dual.op != OP_INVALID)
		y = area_draw_wrapped(in, y, ROLE_TEXT, ":: ", instruction_help_find(isa_info(l->inst.dual.op)->name));
	instruction_help_rate(&l->inst, &m->costs, rate, sizeof rate);
	y = area_draw_wrapped(in, y, ROLE_TEXT, "", instruction_help_registers(&l->inst, registers, sizeof registers));
	snprintf(text, sizeof text, "%s: %s%s%s%s%s", instruction_help_encoding(&l->inst, encoding, sizeof encoding),
		code_text_words(m, line, words, sizeof words), *rate ? "; " : "", rate, *rate ? " on " : "",
		*rate ? m->costs_of : "");
	y = area_draw_wrapped(in, y, ROLE_DIM, "", text);
	return isa_mfma_shape(l->inst.op)->side ? area_draw_wrapped(in, y, ROLE_KEY, "", "t: its tile, lane by lane")
						: y;
}

/* The whole source line, for which its pane often has no room. */
static int put_source_line(struct area in, int y, const struct code_model *m, size_t line)
{
	int at = m->source_line[line];
	const char *source = code_request_source(&m->request), *end = source ? strrchr(source, '.') : NULL;
	if (at < 1 || at > m->source_count || (end && !strcmp(end, ".s"))) /* assembly: as in the title */
		return y;
	const char *text = m->source[at - 1] + strspn(m->source[at - 1], " \t");
	char label[32];
	snprintf(label, sizeof label, "line %d", at);
	return *text ? area_draw_wrapped(in, y, ROLE_TITLE, label, text) : y;
}

static int put_branch(struct area in, int y, const struct code_model *m, size_t line)
{
	size_t to;
	char text[80];
	if (!code_branch_target(m, line, &to))
		return y;
	snprintf(text, sizeof text, "branches to offset %06x, %zu lines %s",
		(unsigned)(m->lines[to].va - m->info.code_va), to > line ? to - line : line - to,
		to > line ? "down" : "up");
	return area_draw_wrapped(in, y, ROLE_TEXT, "", text);
}

void code_view_draw_instruction(const struct app *a, struct area at)
{
	const struct code_view *v = code_view_of(a);
	const struct code_model *m = v->shown.model;
	struct area in = area_inner(at);
	char text[400];
	bool there = m && m->lines && v->line < m->count;
	area_draw_frame(at, false, there ? m->lines[v->line].text : "instruction", "");
	if (!there)
		return;
	int y = put_source_line(in, 0, m, v->line);
	y = put_help(in, y, m, v->line);
	if (v->profile)
		y = area_draw_wrapped(
			in, y, ROLE_LEFT, "", issue_counts_format(&v->profile->lines[v->line], 4, text, sizeof text));
	y = put_branch(in, y, m, v->line);
	if (m->on_chain[v->line])
		y = area_draw_wrapped(
			in, y, ROLE_WARN, "", "* on the loop's dependence chain: the next iteration waits for it");
	if (m->bank_cycles[v->line]) {
		snprintf(text, sizeof text, "%% ");
		code_text_bank_conflict(m, v->line, text + 2, sizeof text - 2);
		y = area_draw_wrapped(in, y, ROLE_WARN, "", text);
	}
	if (code_crosses_fetch_window(&m->lines[v->line]))
		area_draw_wrapped(in, y, ROLE_DIM, "", "+ crosses a 32-byte fetch boundary");
}

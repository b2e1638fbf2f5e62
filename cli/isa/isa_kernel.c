/* Prints one kernel: what it needs, and its code. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/paths.h"
#include "base/printable_text.h"
#include "cli/isa/command_isa.h"
#include "cli/run/profile_report.h"
#include "experiments/analysis/code_model.h"
#include "experiments/analysis/dual_issue.h"
#include "kernels/inspect/readable_name.h"

enum { MARKS = 5 };

/* Marks an instruction: > in the hot loop, * on the dependence chain, + across a fetch window, % with a conflict of
 * register banks. */
static const char *format_line_marks(const struct code_model *m, size_t i, bool loop, char out[MARKS])
{
	int n = 0;
	if (loop && m->lines[i].in_hot_loop)
		out[n++] = '>';
	if (m->on_chain[i])
		out[n++] = '*';
	if (code_crosses_fetch_window(&m->lines[i]))
		out[n++] = '+';
	if (m->bank_cycles[i])
		out[n++] = '%';
	out[n] = 0;
	return out;
}

/* Offsets are relative to the kernel, as in profiles and in the views. */
static void print_code_line(const struct code_model *m, size_t i, const char *mark)
{
	const struct kernel_line *l = &m->lines[i];
	char words[CODE_WORDS_TEXT];
	printf("  %-3s %06" PRIx64 "  %-17s  %s\n", mark, l->va - m->info.code_va,
		code_text_words(m, i, words, sizeof words), l->text);
}

/* Before the first instruction of each line of the source: "  ; add.hip:17  a[i] += b[i];". */
static void print_source_line(const struct code_model *m, size_t i, int *last)
{
	int line = m->mapped ? m->source_line[i] : 0;
	struct buf text = {0};
	if (!line || line == *last)
		return;
	*last = line;
	buf_printf(&text, "  ; %s:%d", path_basename(m->request.file), line);
	if (line <= m->source_count)
		buf_printf(&text, "  %s", m->source[line - 1] + strspn(m->source[line - 1], " \t"));
	text_print_line(stdout, &text);
}

/* With a profile, each line has its cycles. */
static void print_code_lines(const struct code_model *m, size_t start, size_t end, bool loop, const json_t *profile)
{
	char mark[MARKS];
	int source_line = 0;
	if (profile)
		profile_print_heading();
	for (size_t i = start; i < end; i++) {
		print_source_line(m, i, &source_line);
		format_line_marks(m, i, loop, mark);
		if (profile)
			profile_print_instruction(
				profile, (int64_t)(m->lines[i].va - m->info.code_va), m->lines[i].text, mark);
		else
			print_code_line(m, i, mark);
	}
}

static void print_kernel_code(const struct code_model *m, const struct isa_request *r)
{
	bool whole = r->all || !code_has_loop(m);
	if (!m->lines) /* without a listing, the facts above are still useful */
		return;
	if (r->profile)
		profile_print_breakdown(r->profile);
	printf("\n");
	print_code_lines(m, whole ? 0 : m->loop_start, whole ? m->count : m->loop_end, whole, r->profile);
}

static void print_kernel_facts(const struct code_model *m)
{
	char text[400];
	struct buf head = {0};
	char *name = kernel_readable_name(m->info.name);
	buf_printf(&head, "%s, %s, %s", name, m->info.arch, m->where);
	text_print_line(stdout, &head);
	free(name);
	printf("  registers      %s\n", code_text_registers(m, text, sizeof text));
	printf("  memory         %s\n", code_text_memory(m, text, sizeof text));
	printf("  occupancy      %s\n", code_text_occupancy(m, text, sizeof text));
	printf("  limits         %s\n", code_text_limits(m, text, sizeof text));
	printf("  hot loop       %s\n", code_text_loop(m, text, sizeof text));
	if (code_has_loop(m))
		printf("  chain (*)      %s\n", code_text_chain(m, text, sizeof text));
	if (code_has_dual_issue(m))
		printf("  dual issue     %s\n", code_text_dual_issue(m, text, sizeof text));
	if (m->contract_count)
		printf("  expected       %s\n", code_text_contract(m, text, sizeof text));
}

void isa_print_kernel(
	const struct code_object *o, const struct kernel_info *k, const char *where, struct isa_request *r)
{
	const struct code_request look = {.device = (char *)r->device,
		.file = (char *)r->source,
		.arch = (char *)r->arch,
		.block = r->block,
		.dynamic_lds = r->dynamic_lds,
		.contract = (json_t *)r->contract};
	struct code_model *m = code_model_from_object(o, k, &look, where);
	if (r->shown++)
		printf("\n");
	print_kernel_facts(m);
	print_kernel_code(m, r);
	if (r->advice)
		profile_print_advice(m, r->profile);
	code_model_free(m);
}

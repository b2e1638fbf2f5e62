#include "experiments/analysis/code_diff.h"

#include <stdio.h>

static struct listing_range select_diff_range(const struct code_model *m, bool loop)
{
	return loop ? (struct listing_range){m->lines, m->loop_start, m->loop_end - m->loop_start}
		    : (struct listing_range){m->lines, 0, m->count};
}

struct code_diff code_diff_compute(
	const struct code_model *left, const struct code_model *right, bool all, bool renamed)
{
	struct code_diff d = {.left = left,
		.right = right,
		.renamed = renamed,
		.loops = !all && code_has_loop(left) && code_has_loop(right)};
	d.left_lines = select_diff_range(left, d.loops);
	d.right_lines = select_diff_range(right, d.loops);
	d.rows = listing_diff_compute(d.left_lines, d.right_lines, renamed);
	return d;
}

void code_diff_free(struct code_diff *d)
{
	listing_diff_free(&d->rows);
	*d = (struct code_diff){0};
}

char diff_row_mark(enum listing_row_kind kind)
{
	static const char marks[] = {[LISTING_ROW_SAME] = '=',
		[LISTING_ROW_CHANGED] = '~',
		[LISTING_ROW_LEFT] = '<',
		[LISTING_ROW_RIGHT] = '>'};
	return marks[kind];
}

char *code_diff_format_summary(const struct code_diff *d, char *out, size_t size)
{
	const size_t *n = d->rows.of_kind;
	snprintf(out, size, "%zu equal, %zu changed, %zu only left, %zu only right; %s%s", n[LISTING_ROW_SAME],
		n[LISTING_ROW_CHANGED], n[LISTING_ROW_LEFT], n[LISTING_ROW_RIGHT],
		d->loops ? "hot loops" : "whole kernels", d->renamed ? ", register numbers ignored" : "");
	return out;
}

int code_diff_figures(const struct code_diff *d, struct diff_figure out[DIFF_FIGURES_MAX])
{
	static const struct {
		const char *name;
		unsigned unit;
	} units[] = {{"VALU", UNIT_VALU}, {"SALU", UNIT_SALU}, {"LDS", UNIT_LDS}, {"SMEM", UNIT_SMEM},
		{"branch", UNIT_BRANCH}};
	struct instruction_mix l =
		code_count_instructions(d->left, d->left_lines.from, d->left_lines.from + d->left_lines.count);
	struct instruction_mix r =
		code_count_instructions(d->right, d->right_lines.from, d->right_lines.from + d->right_lines.count);
	int n = 0;
	out[n++] = (struct diff_figure){"total", "", l.all, r.all};
	for (int i = 0; i < 2; i++)
		out[n++] = (struct diff_figure){units[i].name, "", l.units[units[i].unit], r.units[units[i].unit]};
	out[n++] = (struct diff_figure){"VMEM", "", instruction_mix_vmem(&l), instruction_mix_vmem(&r)};
	for (int i = 2; i < 5; i++)
		out[n++] = (struct diff_figure){units[i].name, "", l.units[units[i].unit], r.units[units[i].unit]};
	out[n++] = (struct diff_figure){"other", "", instruction_mix_other(&l), instruction_mix_other(&r)};
	if (l.integer_adds || r.integer_adds) {
		out[n++] = (struct diff_figure){"integer adds", "", l.integer_adds, r.integer_adds};
		out[n++] = (struct diff_figure){"of 64 bits", "", l.wide_adds, r.wide_adds};
	}
	if (l.cycles && r.cycles)
		out[n++] = (struct diff_figure){"issue", "cycles per trip", l.cycles, r.cycles};
	if (d->loops && d->left->costs.known)
		out[n++] =
			(struct diff_figure){"chain", "cycles per trip", d->left->chain.cycles, d->right->chain.cycles};
	return n;
}

/* Part of `isa`: two listings side by side. */
#include "cli/isa/command_isa.h"

#include <stdio.h>
#include <string.h>

#include "experiments/analysis/code_diff.h"
#include "experiments/analysis/code_variant.h"
#include "cli/cli_support.h"

enum { COLUMN_LEAST = 36, COLUMN_MOST = 64, WIDTH = 120, FIGURE_WIDTH = 12 };

static const char *line_text(const struct code_model *m, int line)
{
	return line < 0 ? "" : m->lines[line].text;
}

static char chain_mark(const struct code_model *m, int line)
{
	return line >= 0 && m->on_chain[line] ? '*' : ' ';
}

static void print_diff_rows(const struct code_diff *d)
{
	int width = (terminal_width(WIDTH) - 9) / 2;
	width = width < COLUMN_LEAST ? COLUMN_LEAST : width > COLUMN_MOST ? COLUMN_MOST : width;
	for (size_t i = 0; i < d->rows.count; i++) {
		const struct listing_row *r = &d->rows.rows[i];
		char left[COLUMN_MOST + 1], right[COLUMN_MOST + 1];
		snprintf(left, sizeof left, "%.*s", width, line_text(d->left, r->left));
		snprintf(right, sizeof right, "%.*s", width, line_text(d->right, r->right));
		printf("  %c %-*s %c %c %s\n", chain_mark(d->left, r->left), width, left, diff_row_mark(r->kind),
			chain_mark(d->right, r->right), right);
	}
}

static void print_diff_head(const char *side, const struct code_model *m)
{
	char text[400];
	printf("%-6s %s, %s, %s\n", side, m->info.name, m->info.arch, m->where);
	printf("       %s; ", code_text_registers(m, text, sizeof text));
	printf("%s\n", code_text_occupancy(m, text, sizeof text));
	if (code_has_loop(m))
		printf("       chain (*): %s\n", code_text_chain(m, text, sizeof text));
	if (m->contract_count)
		printf("       expected: %s\n", code_text_contract(m, text, sizeof text));
}

static void print_diff_figures(const struct code_diff *d)
{
	struct diff_figure list[DIFF_FIGURES_MAX];
	int n = code_diff_figures(d, list);
	printf("\n  %-*s %8s %8s\n", FIGURE_WIDTH, "", "left", "right");
	for (int i = 0; i < n; i++)
		printf("  %-*s %8u %8u%s%s\n", FIGURE_WIDTH, list[i].name, list[i].left, list[i].right,
			*list[i].unit ? "  " : "", list[i].unit);
}

static bool print_diff(const struct code_model *left, const struct code_model *right,
	const struct isa_diff_options *how, struct err *e)
{
	char text[200];
	if (!left->lines || !right->lines)
		return err_set(e, ST_REQUEST, "%s", left->lines ? right->why_no_lines : left->why_no_lines);
	struct code_diff d = code_diff_compute(left, right, how->all, how->renamed);
	print_diff_head("left", left);
	print_diff_head("right", right);
	printf("\n%s\n", code_diff_format_summary(&d, text, sizeof text));
	print_diff_rows(&d);
	print_diff_figures(&d);
	code_diff_free(&d);
	return true;
}

static struct code_model *load_code(
	struct experiment *x, const double *values, const struct isa_diff_options *how, struct err *e)
{
	struct code_request r;
	if (!code_request_build(x, values, false, how->device, how->arch, &r, e))
		return NULL;
	struct code_model *m = code_model_load(&r, e);
	if (m && *m->warning)
		command_print_error(m->warning);
	code_request_free(&r);
	return m;
}

static bool find_other_variant(
	struct experiment *x, const char *word, struct experiment **other, double *values, struct err *e)
{
	*other = x;
	if (strcmp(word, "edited"))
		return variant_apply_word(x, word, values, e);
	*other = variant_load_edited(x, e);
	return *other ||
		err_set(e, ST_REQUEST, "%s has no edited copy; create one with `wavedeck edit %s`", x->id, x->id);
}

bool isa_print_diff(struct experiment *x, const double *values, const struct isa_diff_options *how, struct err *e)
{
	struct experiment *other;
	double changed[PARAMS_MAX];
	memcpy(changed, values, (size_t)x->param_count * sizeof *values);
	if (!find_other_variant(x, how->with, &other, changed, e))
		return false;
	struct code_model *left = load_code(x, values, how, e),
			  *right = left ? load_code(other, changed, how, e) : NULL;
	bool ok = right && print_diff(left, right, how, e);
	code_model_free(left);
	code_model_free(right);
	return ok;
}

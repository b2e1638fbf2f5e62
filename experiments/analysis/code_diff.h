/* Compares the code of two kernels: aligned rows and instruction counts, for `isa --diff` and the code view. */
#ifndef EXPERIMENTS_ANALYSIS_CODE_DIFF_H
#define EXPERIMENTS_ANALYSIS_CODE_DIFF_H

#include "kernels/inspect/listing_diff.h"
#include "experiments/analysis/code_model.h"

struct code_diff {
	const struct code_model *left, *right; /* borrowed; both have lines */
	struct listing_diff rows;
	struct listing_range left_lines, right_lines;
	bool loops, renamed; /* only the hot loops; register numbers ignored */
};

/* Compares the hot loops, if both have one and not `all`; else the whole kernels. code_diff_free. */
struct code_diff code_diff_compute(
	const struct code_model *left, const struct code_model *right, bool all, bool renamed);
void code_diff_free(struct code_diff *d);

/* '=', '~' (changed), '<' (only left), '>' (only right). */
char diff_row_mark(enum listing_row_kind kind);
/* "38 equal, 2 changed, 1 only left, 0 only right; hot loops" */
char *code_diff_format_summary(const struct code_diff *d, char *out, size_t size);
/* Counts below the two columns; returns how many. Cycles only if they are known. The first is the sum of the units up
 * to "other". */
struct diff_figure {
	const char *name, *unit;
	unsigned left, right;
};
enum { DIFF_FIGURES_MAX = 10 };
int code_diff_figures(const struct code_diff *d, struct diff_figure out[DIFF_FIGURES_MAX]);

#endif

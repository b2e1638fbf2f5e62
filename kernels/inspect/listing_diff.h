/* Compares two listings: lines that are the same, changed, or in only one of them. */
#ifndef KERNELS_INSPECT_LISTING_DIFF_H
#define KERNELS_INSPECT_LISTING_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/inspect/code_object.h"

enum listing_row_kind {
	LISTING_ROW_SAME,
	LISTING_ROW_CHANGED, /* same mnemonic, other operands */
	LISTING_ROW_LEFT,
	LISTING_ROW_RIGHT
};
struct listing_row {
	enum listing_row_kind kind;
	int left, right; /* line numbers; -1: none */
};

struct listing_diff {
	struct listing_row *rows;
	size_t count;
	size_t of_kind[LISTING_ROW_RIGHT + 1];
};

/* Lines [from, from + count) of a listing. */
struct listing_range {
	const struct kernel_line *lines;
	size_t from, count;
};

/* Aligns equal lines by a longest common subsequence, then lines with equal mnemonics between them. `renamed`: ignores
 * register numbers and branch distances, so that a different register allocation makes no difference. Free with
 * listing_diff_free. */
struct listing_diff listing_diff_compute(struct listing_range left, struct listing_range right, bool renamed);
void listing_diff_free(struct listing_diff *a);

/* "v_add_u32_e32 v, s[2], v" from "v_add_u32_e32 v3, s[0:1], v7": removes register numbers, keeps the width of ranges.
 */
char *listing_strip_registers(const char *text, char *out, size_t size);

#endif

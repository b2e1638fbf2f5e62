/* Two listings side by side: which lines are the same, which changed, which are in one of them only. */
#ifndef KERNELS_INSPECT_LISTING_DIFF_H
#define KERNELS_INSPECT_LISTING_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/inspect/code_object.h"

enum listing_row_kind {
	LISTING_ROW_SAME,
	LISTING_ROW_CHANGED /* the same mnemonic, other operands */,
	LISTING_ROW_LEFT,
	LISTING_ROW_RIGHT
};
struct listing_row {
	enum listing_row_kind kind;
	int left, right; /* lines; -1: none */
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

/* A longest common subsequence of the texts; between its lines those of one mnemonic are paired. `renamed`: without
 * registers' numbers and branches' distances, so that code that only another allocation gave other registers is the
 * same. Ended by listing_diff_free. */
struct listing_diff listing_diff_compute(struct listing_range left, struct listing_range right, bool renamed);
void listing_diff_free(struct listing_diff *a);

/* "v_add_u32_e32 v, s, v" for "v_add_u32_e32 v3, s[0:1], v7" but with the width of ranges: "s[2]". */
char *listing_strip_registers(const char *text, char *out, size_t size);

#endif

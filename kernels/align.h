/* Two listings side by side: which lines are the same, which changed, which are in one of them only. */
#ifndef KERNELS_ALIGN_H
#define KERNELS_ALIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/code_object.h"

enum row_kind { ROW_SAME, ROW_CHANGED /* the same mnemonic, other operands */, ROW_LEFT, ROW_RIGHT };
struct row {
	enum row_kind kind;
	int left, right; /* lines; -1: none */
};

struct alignment {
	struct row *rows;
	size_t count;
	size_t of_kind[ROW_RIGHT + 1];
};

/* Lines [from, from + count) of a listing. */
struct stretch {
	const struct kernel_line *lines;
	size_t from, count;
};

/* A longest common subsequence of the texts; between its lines those of one mnemonic are paired. `renamed`: without
 * registers' numbers and branches' distances, so that code that only another allocation gave other registers is the
 * same. Ended by align_free. */
struct alignment align_listings(struct stretch left, struct stretch right, bool renamed);
void align_free(struct alignment *a);

/* "v_add_u32_e32 v, s, v" for "v_add_u32_e32 v3, s[0:1], v7" but with the width of ranges: "s[2]". */
char *align_rename(const char *text, char *out, size_t size);

#endif

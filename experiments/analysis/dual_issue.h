/* Dual issue and the banks of the vector registers in a kernel's code (gfx11, waves of 32 lanes). */
#ifndef EXPERIMENTS_ANALYSIS_DUAL_ISSUE_H
#define EXPERIMENTS_ANALYSIS_DUAL_ISSUE_H

#include "experiments/analysis/code_model.h"

struct dual_issue {
	unsigned pairs;             /* dual instructions */
	unsigned alone;             /* instructions with a dual form that are issued alone */
	unsigned could;             /* pairs of neighbors among these that the rules for operands allow */
	unsigned conflicts, cycles; /* instructions with conflicts of register banks, and the cycles that these take */
	size_t first_conflict, first_alone; /* their first lines; the model's count: none */
};

/* Fills in the model's bank_cycles. */
void code_find_bank_conflicts(struct code_model *m);
/* Whether the code can have dual instructions. */
bool code_has_dual_issue(const struct code_model *m);
/* Of the hot loop, or of the kernel if it has none. */
struct dual_issue code_count_dual_issue(const struct code_model *m);

/* "64 pairs, 0 alone; no bank conflicts" */
char *code_text_dual_issue(const struct code_model *m, char *out, size_t size);
/* "v37 and v45, v46 and v38 share a register bank: 1 cycle more"; "" if the line has no conflict. */
char *code_text_bank_conflict(const struct code_model *m, size_t line, char *out, size_t size);

#endif

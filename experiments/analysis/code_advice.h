/* Advice about a kernel: for each usual cause of lost cycles that its profile or its code shows, the numbers, where to
 * look and what to try. */
#ifndef EXPERIMENTS_ANALYSIS_CODE_ADVICE_H
#define EXPERIMENTS_ANALYSIS_CODE_ADVICE_H

#include "experiments/analysis/code_profile.h"
#include "gpu/protocol/stalls/ideal_causes.h"

enum { CODE_ADVICE_MAX = 14 };
struct code_advice {
	int part;                      /* enum ideal_part_number: with it ideal, the cause is gone; -1: no part is */
	const char *cause;             /* "LDS bank conflicts" */
	double share;                  /* of all cycles of the waves, in per cent; 0: not measured */
	char seen[240];                /* the numbers of this kernel */
	const char *look, *suggestion; /* where to look; what to try */
	size_t line;                   /* the instruction that costs most for this cause; the model's count: none */
};

/* Counters that the advice uses where the profile's record has them, as "counters"; ends with NULL. */
extern const char *const code_advice_counters[];
/* The causes, largest share first. `p` NULL: only those that the code shows. Returns how many. */
int code_advise(const struct code_model *m, const struct code_profile *p, struct code_advice out[CODE_ADVICE_MAX]);

/* "LDS bank conflicts, 26 % of the cycles" */
char *code_advice_format_title(const struct code_advice *c, char *out, size_t size);
extern const char code_advice_none[]; /* what to show when there is no advice */

#endif

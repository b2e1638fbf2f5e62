/* Cycles of each instruction of a point: the "profile" of its record (docs/protocol.md), matched to a code model.
 */
#ifndef EXPERIMENTS_ANALYSIS_CODE_PROFILE_H
#define EXPERIMENTS_ANALYSIS_CODE_PROFILE_H

#include "experiments/analysis/code_model.h"

enum { PROFILE_REASONS_MAX = 64 };
struct stall_share {
	const char *cause;
	long long cycles;
};
/* The stall reasons with any cycles, largest first. Returns how many. */
int profile_list_stall_shares(const json_t *causes, struct stall_share out[PROFILE_REASONS_MAX]);
/* The record of the instruction `offset` bytes after the entry; NULL if it was never issued. */
const json_t *profile_find_instruction(const json_t *profile, int64_t offset);

/* Over all waves of the launch. */
struct issue_counts {
	long long count, issue, stall;
	const json_t *causes;
};
struct issue_counts issue_counts_read(const json_t *line); /* from an instruction's record; NULL: all 0 */
struct code_profile {
	json_t *record;             /* shared */
	struct issue_counts *lines; /* one per line of the model; owned */
	long long cycles;           /* of the launch, on the critical wave */
	long long all, most;        /* issue and stall cycles of all instructions; of the one with the most cycles */
};

struct code_profile *code_profile_build(json_t *profile, const struct code_model *m);
void code_profile_free(struct code_profile *p);
long long issue_counts_cycles(const struct issue_counts *i);
/* Whether an instruction takes at least 5 % of all cycles; without a profile, whether it is on the dependence chain. */
bool code_is_hot(const struct code_model *m, const struct code_profile *p, size_t line);
/* "issued 499 times: 4.00 issue cycles, 130.76 stall cycles each: L1 130.76" */
char *issue_counts_format(const struct issue_counts *i, int causes, char *out, size_t size);
/* "L1 130.8, LDS conflict 2.0": stall cycles per issue by reason, largest first. */
char *issue_counts_format_stalls(const struct issue_counts *i, int causes, const char *format, char *out, size_t size);

#endif

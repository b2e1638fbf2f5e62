/* Where a point's cycles went, instruction by instruction: its record's "profile" (gpu/protocol/record.h) beside a code
 * model.
 */
#ifndef EXPERIMENTS_ANALYSIS_CODE_PROFILE_H
#define EXPERIMENTS_ANALYSIS_CODE_PROFILE_H

#include "experiments/analysis/code_model.h"

enum { PROFILE_REASONS_MAX = 64 };
struct stall_share {
	const char *cause;
	long long cycles;
};
/* The causes that have any cycles, the most first. Returns how many. */
int profile_list_stall_shares(const json_t *causes, struct stall_share out[PROFILE_REASONS_MAX]);
/* The record of the instruction so many bytes behind the entry; NULL: it was never issued. */
const json_t *profile_find_instruction(const json_t *profile, int64_t offset);

/* Over all waves of the launch. */
struct issue_counts {
	long long count, issue, stall;
	const json_t *causes;
};
struct issue_counts issue_counts_read(const json_t *line); /* of an instruction's record; NULL: all 0 */
struct code_profile {
	json_t *record;             /* shared */
	struct issue_counts *lines; /* one for each of the model's; owned */
	long long cycles;           /* of the launch, along the critical wave */
	long long all, most;        /* issue and stall cycles of all instructions; of the one with the most */
};

struct code_profile *code_profile_build(json_t *profile, const struct code_model *m);
void code_profile_free(struct code_profile *p);
long long issue_counts_cycles(const struct issue_counts *i);
/* An instruction that takes a good part of all the cycles; without a profile one on the dependence chain. */
bool code_is_hot(const struct code_model *m, const struct code_profile *p, size_t line);
/* "issued 499 times: 4.00 cycles to issue, 130.76 stalled each: L1 130.76" */
char *issue_counts_format(const struct issue_counts *i, int causes, char *out, size_t size);
/* "L1 130.8, wait 2.0": stall cycles each time by cause, the most first. */
char *issue_counts_format_stalls(const struct issue_counts *i, int causes, const char *format, char *out, size_t size);

#endif

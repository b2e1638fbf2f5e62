/* Expected instructions ("contract"): what the compiled code must contain for an experiment to measure what it claims.
 */
#ifndef KERNELS_INSPECT_ISA_CONTRACT_H
#define KERNELS_INSPECT_ISA_CONTRACT_H

#include "kernels/inspect/code_object.h"

struct isa_contract {
	const char *isa;         /* prefix of the targets it applies to: "gfx9", "sm_" */
	const char *instruction; /* "v_fma_f32", in any encoding; "global_load_dword glc" requires the modifier, as does
	                          * "LDG.64" of SASS */
	const char *where;       /* "hot_loop", or "kernel" */
	int count;               /* -1: at least one */
};

bool contract_applies_to(const struct isa_contract *c, const char *arch);
/* Of NVIDIA's targets, whose code only the CUDA toolkit's tools list. */
bool contract_is_of_sass(const struct isa_contract *c);
/* Whether the line is this instruction, or one half of a dual instruction is, in the right place. */
bool contract_matches_line(const struct isa_contract *c, const struct kernel_line *line);
int contract_count_matches(const struct isa_contract *c, const struct kernel_line *lines, size_t count);
bool contract_is_met(const struct isa_contract *c, int found);
/* "the hot loop contains 3 global_load_dword, expected 1" */
void contract_describe_violation(const struct isa_contract *c, int found, char *out, size_t size);

#endif

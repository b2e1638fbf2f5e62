/* A contract: which instructions the code must hold for an experiment to be about what it says. */
#ifndef KERNELS_INSPECT_ISA_CONTRACT_H
#define KERNELS_INSPECT_ISA_CONTRACT_H

#include "kernels/inspect/code_object.h"

struct isa_contract {
	const char *isa;         /* beginning of the targets it is for: "gfx9" */
	const char *instruction; /* "v_fma_f32", whatever its encoding; "global_load_dword glc" wants the modifier as
	                            well */
	const char *where;       /* "hot_loop", or "kernel" */
	int count;               /* -1: at least one */
};

bool contract_applies_to(const struct isa_contract *c, const char *arch);
bool contract_matches_line(const struct isa_contract *c,
	const struct kernel_line *line); /* the line is of that instruction, and in that place */
int contract_count_matches(const struct isa_contract *c, const struct kernel_line *lines, size_t count);
bool contract_is_met(const struct isa_contract *c, int found);
/* "the hot loop holds 3 global_load_dword, the experiment is about 1" */
void contract_describe_violation(const struct isa_contract *c, int found, char *out, size_t size);

#endif

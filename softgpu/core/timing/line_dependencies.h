/* Results of earlier instructions in line that an instruction must wait for. On gfx11 a result is ready some cycles
 * after its instruction issued, and the next instruction of the wave can issue before that. On gfx908 this holds for
 * v_mfma, whose matrix core works next to the vector ALU; so do writes of its result's registers, which must come after
 * it, and of those of the matrix that it adds, which it reads until shortly before. The board does not wait for all of
 * these: compilers put s_nop before the instruction (LLVM, GCNHazardRecognizer), so that it rarely waits here.
 *
 * Where instructions that issue back to back would not wait anyway, nothing is recorded. A taken branch takes longer
 * than any result of gfx11 does after its instruction, so only instructions in line matter. */
#ifndef SOFTGPU_CORE_EXEC_LINE_DEPENDENCIES_H
#define SOFTGPU_CORE_EXEC_LINE_DEPENDENCIES_H

#include <stdbool.h>

#include "base/min_max.h"
#include "softgpu/core/state/cu.h"
#include "softgpu/core/model_config.h"

enum { DEPENDENCY_REACH = 12 /* instructions between which dependencies are looked for */ };

/* Bits of uop.dependency. */
enum { RESULT_IS_AWAITED = 1, AWAITS_RESULTS = 2, USES_MATRIX_CORE = 4 };

/* Adds to the cost of i the cycles that bank conflicts of its registers take (isa/register_banks.h). before: the
 * instructions before it in line, the nearest first. */
void uop_add_bank_cycles(const struct model *m, struct uop *i, struct uop *const *before, unsigned count);

/* Finds the results that i waits for. */
void uop_find_dependencies(const struct model *m, struct uop *i, struct uop *const *before, unsigned count);

/* The wave issues i at cycle t. */
static inline void result_record_issue(struct wave *w, const struct uop *i, cycle_t t)
{
	if (__builtin_expect(i->dependency & RESULT_IS_AWAITED, 0))
		w->result_ready[i->result_slot] = t + i->result_cycles;
	if (__builtin_expect(i->dependency & USES_MATRIX_CORE, 0))
		w->simd->matrix_core_free = t + i->matrix_cycles;
}

/* The earliest cycle from t on at which the SIMD's matrix core is free, if i needs it. */
static inline cycle_t matrix_core_wait(const struct simd *s, const struct uop *i, cycle_t t)
{
	return __builtin_expect(i->dependency & USES_MATRIX_CORE, 0) ? max_u64(t, s->matrix_core_free) : t;
}

/* The earliest cycle from `next` on at which the results that i waits for are ready, or as nearly as it needs. */
static inline cycle_t results_wait(const struct wave *w, const struct uop *i, cycle_t next)
{
	if (__builtin_expect(i->dependency & AWAITS_RESULTS, 0))
		for (unsigned k = 0; k < i->awaited_count; k++)
			next = max_u64(next + i->awaited_early[k], w->result_ready[i->awaited[k]]) -
				i->awaited_early[k];
	return next;
}

#endif

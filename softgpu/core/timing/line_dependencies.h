/* Results of earlier instructions in line that an instruction must wait for. On gfx11 a result is ready some cycles
 * after its instruction issued, and the next instruction of the wave can issue before that.
 *
 * Where instructions that issue back to back would not wait anyway, nothing is recorded. A taken branch takes longer
 * than any result does after its instruction, so only instructions in line matter. */
#ifndef SOFTGPU_CORE_EXEC_LINE_DEPENDENCIES_H
#define SOFTGPU_CORE_EXEC_LINE_DEPENDENCIES_H

#include <stdbool.h>

#include "base/min_max.h"
#include "softgpu/core/state/wave.h"
#include "softgpu/core/model_config.h"

enum { DEPENDENCY_REACH = 12 /* instructions between which dependencies are looked for */ };

/* Bits of uop.dependency. */
enum { RESULT_IS_AWAITED = 1, AWAITS_RESULTS = 2 };

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
}

/* The earliest cycle from `next` on at which the results that i waits for are ready. */
static inline cycle_t results_wait(const struct wave *w, const struct uop *i, cycle_t next)
{
	if (__builtin_expect(i->dependency & AWAITS_RESULTS, 0))
		for (unsigned k = 0; k < i->awaited_count; k++)
			next = max_u64(next, w->result_ready[i->awaited[k]]);
	return next;
}

#endif

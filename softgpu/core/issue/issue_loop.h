/* Executes one instruction and advances the wave: shared by the issue loops. Private to softgpu/core. */
#ifndef SOFTGPU_CORE_ISSUE_ISSUE_LOOP_H
#define SOFTGPU_CORE_ISSUE_ISSUE_LOOP_H

#include <immintrin.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/exec/decode_cache.h"
#include "softgpu/core/exec/line_dependencies.h"
#include "softgpu/core/memory/icache_fetch.h"
#include "softgpu/core/memory/l1.h"
#include "softgpu/core/ops/ops.h"
#include "softgpu/core/jit/jit.h"
#include "softgpu/core/timing/scheduler.h"

/* The name of a table of the compiled variant, such as issue_v3. */
#define VARIANT_NAME(name)           VARIANT_JOIN(name, VARIANT)
#define VARIANT_JOIN(name, variant)  VARIANT_PASTE(name, variant)
#define VARIANT_PASTE(name, variant) name##_##variant

/* Runs the CU, whose event is the first in the queue, until its next instruction that other CUs may observe is later
 * than the queue's next event; then updates the CU's event. Compiled for each host variant, host_variant.h. */
typedef void issue_fn(struct cu *cu);
extern issue_fn *const issue_base[2],
	*const issue_v3[2], *const issue_v4[2]; /* [0]: not profiled; [1]: reports every issue and wait (profiler.h) */

enum { PREFETCH_VGPRS_MAX = 32 /* registers */ };

/* The wave's registers may have left the host's caches while other waves ran. Prefetches them all, so that instructions
 * do not miss one after the other. */
static inline void prefetch_vgprs(const struct wave *w)
{
	const struct launch *l = &w->m->launch;
	const char *v = (const char *)w->v;
	uint32_t n = ((l->rsrc1 & 63) + 1) * (256 / l->lanes); /* that the code asks for; gfx11 allocates more */

	const char *end = v + (size_t)4 * l->lanes * (n < PREFETCH_VGPRS_MAX ? n : PREFETCH_VGPRS_MAX);

	for (; v < end; v += 64)
		__builtin_prefetch(v);
}

/* Sets the host's floating-point modes. Returns another operation where these modes alone cannot do what MODE says. */
static __attribute__((noinline, unused)) op_fn *select_mode_op(struct wave *w, const struct uop *i, op_fn *fn)
{
	uint32_t mx = w->mxcsr[i->fp], csr = mx & ~MXCSR_EMULATED;

	if (w->m->mxcsr != csr)
		_mm_setcsr(w->m->mxcsr = csr);
	if (!(mx & MXCSR_EMULATED))
		return fn;
	return fn == w->m->ops[OPS_MODIFIED] ? w->m->ops_any_mode[OPS_MODIFIED]
		: fn == w->m->ops[OPS_DUAL]  ? w->m->ops_any_mode[OPS_DUAL]
		: fn == w->m->ops[i->d.op]   ? w->m->ops_any_mode[i->d.op]
					     : fn;
}

static inline op_fn *prepare_fp_op(struct wave *w, const struct uop *i, op_fn *fn)
{
	return w->m->mxcsr == w->mxcsr[i->fp] ? fn : select_mode_op(w, i, fn);
}

/* Advances the wave to the next instruction in line. The previous one issued at `last`; an instruction that crosses two
 * fetch windows stalls unless something longer hides it. No branch: it would be unpredictable. */
static inline void set_next_in_line(struct wave *w, const struct uop *after, cycle_t last, cycle_t next)
{
	w->next = results_wait(w, after, max_u64(next, last + after->fetch_stall));
	w->ip = after;
}

/* Whether the instruction's line of code is known to be in the instruction cache. */
static inline bool code_is_resident(const struct wave *w, const struct uop *i)
{
	return !(i->is_fetch_entry & !(i->resident_in & w->sqc_bit));
}

static inline void fetch_if_missing(struct wave *w, const struct uop *after)
{
	if (__builtin_expect(!code_is_resident(w, after), 0))
		fetch_resume_at(w, after);
}

static inline void advance_wave(struct wave *w, const struct uop *i, cycle_t last, cycle_t next)
{
	set_next_in_line(w, i + i->words, last, next);
	fetch_if_missing(w, i + i->words);
}

/* The wave issues the instruction at cycle t. Returns whether it was already executed ahead (and counted then). A fetch
 * does not count as an instruction of the wave. */
static inline bool issue_record(struct wave *w, const struct uop *i, enum uop_kind kind, cycle_t t)
{
	bool done = w->ahead && kind != UOP_SHARED;

	((struct uop *)i)->hits += !done;
	w->last = t;
	w->ahead -= done;
	result_record_issue(w, i, t);
	return done;
}

static inline void issue_waitcnt(struct wave *w, const struct uop *i, cycle_t t)
{
	w->next = results_wait(w, w->ip, waitcnt_wait(w, t, i) + i->cost);
}

/* Issues the s_waitcnts that come next, together with the instruction before them: they need no unit, only the wave's
 * own instruction buffer (assumed: internal instructions do not count toward a CU's issue limit), so no other wave
 * observes when they issue. Stops at one whose successor may have to be fetched. */
static inline void issue_waitcnts(struct wave *w)
{
	for (const struct uop *i; (i = w->ip)->kind == UOP_WAITCNT && code_is_resident(w, i + i->words);) {
		issue_record(w, i, UOP_WAITCNT, w->next);
		w->ip = i + i->words;
		issue_waitcnt(w, i, w->last);
	}
}

static inline void execute_uop(struct wave *w, const struct uop *i)
{
	const struct uop *x = i;
	op_fn *fn = i->fn;

	if (i->fp | w->gpr_idx) {
		if (w->gpr_idx && i->unit == UNIT_VALU) {
			x = uop_apply_gpr_index(w, i);
			fn = x->fn;
		} else if (w->gpr_idx & GPR_IDX_SKIP && i->kind == UOP_MEMORY && i->unit != UNIT_SMEM) {
			return;
		}
		fn = prepare_fp_op(w, i, fn);
	}
	fn(w, x);
}

/* Executes vector instructions in line from i on; they change neither control flow nor register indexing. Executes
 * about *count of them (a compiled block is not split) and subtracts their number from it. Returns the next
 * instruction. */
static inline const struct uop *execute_valu_run(struct wave *w, const struct uop *i, int32_t *count)
{
	while (i->valu_run && *count > 0) {
		struct jit_block *x = jit_run_block(w, i);
		if (x) {
			x->runs++;
			*count -= x->count;
			i = x->after;
			continue;
		}
		((struct uop *)i)->hits++;
		(i->fp ? prepare_fp_op(w, i, i->fn) : i->fn)(w, i);
		--*count;
		i += i->words;
	}
	return i;
}

#endif

/* What an instruction computes, apart from its time. */
#ifndef SOFTGPU_CORE_EXEC_EXECUTE_UOP_H
#define SOFTGPU_CORE_EXEC_EXECUTE_UOP_H

#include <immintrin.h>

#include "softgpu/core/exec/decode_cache.h"
#include "softgpu/core/state/machine.h"
#include "softgpu/core/jit/jit.h"

enum { PREFETCH_VGPRS_MAX = 32 /* registers */ };

/* The wave's registers may have left the host's caches while other waves ran. Prefetches them all, so that instructions
 * do not miss one after the other. */
static inline void prefetch_vgprs(const struct wave *w)
{
	const struct launch *l = w->launch;
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

	if (w->m->thread.mxcsr != csr)
		_mm_setcsr(w->m->thread.mxcsr = csr);
	if (!(mx & MXCSR_EMULATED))
		return fn;
	return fn == launch_executor(w)->ops[OPS_MODIFIED] ? launch_executor(w)->ops_any_mode[OPS_MODIFIED]
		: fn == launch_executor(w)->ops[OPS_DUAL]  ? launch_executor(w)->ops_any_mode[OPS_DUAL]
		: fn == launch_executor(w)->ops[i->d.op]   ? launch_executor(w)->ops_any_mode[i->d.op]
							   : fn;
}

static inline op_fn *prepare_fp_op(struct wave *w, const struct uop *i, op_fn *fn)
{
	return w->m->thread.mxcsr == w->mxcsr[i->fp] ? fn : select_mode_op(w, i, fn);
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

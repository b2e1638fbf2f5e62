/* Streaks: runs of vector instructions in line, as machine code of the host.
 *
 * A function for each instruction loads a wave's registers and stores one; a chain of multiply-adds then waits for its
 * own stores. Where the host has AVX2, what is met often (jit_ops.def's rows, all lanes active, the usual MODE) becomes
 * one function that keeps in the host's registers what the next instruction needs. Everything else stays with the
 * interpreter, and results and times are the same; but which of two NaNs that meet is kept is no result, here as there.
 */
#ifndef SOFTGPU_CORE_JIT_JIT_H
#define SOFTGPU_CORE_JIT_JIT_H

#include <immintrin.h>

#include "softgpu/core/exec/machine.h"

enum {
	JIT_BLOCK_MAX = 128 /* instructions */,
	JIT_LOOKUPS_MAX = 32,
	JIT_LOOKUPS_UNKNOWN = UINT8_MAX,
	JIT_THRESHOLD = 16 /* times that a branch goes somewhere, or that waves have started */
};

struct jit;

typedef void jit_block_fn(uint32_t *vgprs, uint32_t *sgprs);

/* Instructions from `first` on as one function. */
struct jit_block {
	jit_block_fn *run;
	const struct uop *after, *last; /* behind it, and its last one */
	uint64_t cycles; /* from the first one's issue to the last one's, of a wave that nothing holds up */
	uint64_t runs;   /* times that all of it was issued in this launch and that is not in the instructions' hits */
	uint64_t held;   /* a bit for each instruction cache that surely holds all of it */
	struct {
		const struct uop *i;
		uint64_t cycles;
	} entry[JIT_LOOKUPS_MAX]; /* what issue looks up behind the first, and how long after */
	uint8_t entries;          /* JIT_LOOKUPS_UNKNOWN until asked for */
	uint8_t count;
	uint8_t fp;   /* of all that have floating point */
	uint8_t cost; /* of each, where all have the same and none comes late; else 0 */
	struct uop *first;
	struct jit_block *next;
};

/* NULL where memory runs out. Without `able` there will be no streaks. */
struct jit *jit_open(bool able);
void jit_close(struct jit *s);
/* Forgets them all, before the instructions are freed. */
void jit_discard_all(struct jit *s);

static inline bool wave_exec_is_full(const struct wave *w)
{
	return wave_exec_mask(w) == UINT64_MAX && !w->gpr_idx;
}

/* Makes streaks of what was met often in line from i on, where waves have now come so many times. */
void jit_compile_hot(struct machine *m, struct uop *i);
static inline void jit_note_execution(struct wave *w, const struct uop *i, uint64_t times)
{
	if (__builtin_expect(times >= JIT_THRESHOLD && !(times & (times - 1)), 0) && wave_exec_is_full(w))
		jit_compile_hot(w->m, (struct uop *)i);
}

/* Puts the runs into the instructions' hits. */
void jit_flush_counts(struct jit *s);
/* Instructions have left the instruction caches of these bits; one that was not looked up is from now on. */
void jit_code_evicted(struct jit *s, uint64_t bits);
void jit_entry_added(struct jit *s);
/* Looks up what issue would behind the first instruction, which the wave issues at cycle t: false when not all has come
 * by its time. */
bool jit_block_code_ready(struct wave *w, struct jit_block *x, uint64_t t);

/* Whether the wave is in the state for it; sets the host's modes. */
static inline bool jit_block_can_run(struct wave *w, const struct jit_block *x)
{
	uint32_t mx = w->mxcsr[x->fp];

	if (!wave_exec_is_full(w) || (x->fp && mx & MXCSR_EMULATED))
		return false;
	if (x->fp && w->m->mxcsr != mx)
		_mm_setcsr(w->m->mxcsr = mx);
	return true;
}

/* Runs the streak that begins at i; NULL when there is none or the wave is not in the state for it. */
static inline struct jit_block *jit_run_block(struct wave *w, const struct uop *i)
{
	struct jit_block *x = i->jit_block;

	if (!x || !jit_block_can_run(w, x))
		return NULL;
	x->run(w->v, w->s);
	return x;
}

#endif

/* JIT: compiles straight-line vector code to host machine code.
 *
 * The interpreter calls one function per instruction, which loads and stores the wave's registers; a chain of
 * multiply-adds then waits for its own stores. On hosts with AVX2, code that runs often (rows in jit_ops.def, all lanes
 * active, a normal MODE) becomes one function, a block, that keeps values in host registers. The interpreter runs
 * everything else. Without timing, runs of scalar instructions (rows in jit_scalar_ops.def) become blocks too. Results
 * and times are the same.
 */
#ifndef SOFTGPU_CORE_JIT_JIT_H
#define SOFTGPU_CORE_JIT_JIT_H

#include <immintrin.h>

#include "softgpu/core/state/machine.h"

enum {
	JIT_BLOCK_MAX = 128 /* instructions */,
	JIT_LOOKUPS_MAX = 32,
	JIT_AWAITED_MAX = 8,
	JIT_THRESHOLD = 16 /* taken branches to an address, or started waves, before it is compiled */
};

struct jit;

typedef void jit_block_fn(uint32_t *vgprs, uint32_t *sgprs);

/* Instructions from `first` on, compiled to one function. */
struct jit_block {
	jit_block_fn *run;
	const struct uop *after, *last; /* the instruction after the block, and its last one */
	uint64_t cycles;      /* from the issue of the first to that of the last instruction, without stalls */
	uint64_t runs;        /* issues of the block in this launch that are not yet in the instructions' hits */
	uint64_t resident_in; /* bit per instruction cache that is known to hold the whole block */
	struct {
		const struct uop *i;
		uint64_t cycles;
	} entry[JIT_LOOKUPS_MAX]; /* later instructions that check the instruction cache, and when */
	uint8_t entries;
	uint8_t awaited;  /* instructions that wait for results from before the block */
	uint32_t results; /* bit per slot: results of the block that instructions wait for */
	struct {
		uint16_t cycles;
		uint8_t slot;
	} await[JIT_AWAITED_MAX];             /* when each of these results must be ready */
	uint16_t result_cycles[RESULT_SLOTS]; /* when each result is ready */
	uint8_t count;
	uint8_t fp;   /* enum fp_class of the floating-point instructions */
	uint8_t cost; /* of each instruction if all are equal and none has a fetch stall; else 0 */
	struct uop *first;
	struct jit_block *next;
};

/* NULL: out of memory. If not `enabled`, nothing is ever compiled. */
struct jit *jit_open(bool enabled);
void jit_close(struct jit *s);
/* Discards all blocks, and compiles for waves of so many lanes from now on. */
void jit_set_lanes(struct jit *s, unsigned lanes);
/* Discards all blocks. Must be called before the instructions are freed. */
void jit_discard_all(struct jit *s);

static inline bool wave_exec_is_full(const struct wave *w)
{
	return wave_exec_mask(w) == w->launch->all_lanes && !w->gpr_idx;
}

/* Compiles the hot code in line from i on. */
void jit_compile_hot(struct executor *x, struct uop *i);
static inline void jit_note_execution(struct wave *w, const struct uop *i, uint64_t times)
{
	if (__builtin_expect(times >= JIT_THRESHOLD && !(times & (times - 1)), 0) &&
		(wave_exec_is_full(w) || !w->m->model.timing))
		jit_compile_hot(launch_executor(w), (struct uop *)i);
}

/* Adds the runs of blocks to the hits of their instructions. */
void jit_flush_counts(struct jit *s);
/* Instructions were evicted from the instruction caches in `bits`; or a new instruction checks the cache from now on.
 */
void jit_code_evicted(struct jit *s, uint64_t bits);
void jit_entry_added(struct jit *s);
/* The costs and dependencies of instructions have changed. */
void jit_time_blocks(struct jit *s);
/* Whether the results from before the block are ready in time if it begins at cycle t. */
static inline bool jit_results_ready(const struct wave *w, const struct jit_block *x, uint64_t t)
{
	for (unsigned n = 0; n < x->awaited; n++)
		if (n == JIT_AWAITED_MAX || w->result_ready[x->await[n].slot] > t + x->await[n].cycles)
			return false;
	return true;
}

/* The wave has issued the block from cycle t on. */
static inline void jit_record_results(struct wave *w, const struct jit_block *x, uint64_t t)
{
	for (uint32_t left = x->results; left; left &= left - 1) {
		const unsigned slot = __builtin_ctz(left);
		w->result_ready[slot] = t + x->result_cycles[slot];
	}
}

/* Makes the instruction cache accesses of the block after its first instruction, which the wave issues at cycle t.
 * False if some code does not arrive in time. */
bool jit_block_code_ready(struct wave *w, struct jit_block *x, uint64_t t);

/* Whether the state of the wave permits the block. If so, sets the host's floating-point modes. */
static inline bool jit_block_can_run(struct wave *w, const struct jit_block *x)
{
	uint32_t mx = w->mxcsr[x->fp];

	if (!wave_exec_is_full(w) || (x->fp && mx & MXCSR_EMULATED))
		return false;
	if (x->fp && w->m->thread.mxcsr != mx)
		_mm_setcsr(w->m->thread.mxcsr = mx);
	return true;
}

/* Runs the block that begins at i. NULL if none exists or the state of the wave does not permit it. */
static inline struct jit_block *jit_run_block(struct wave *w, const struct uop *i)
{
	struct jit_block *x = i->jit_block;

	if (!x || !jit_block_can_run(w, x))
		return NULL;
	x->run(w->v, w->s);
	return x;
}

#endif

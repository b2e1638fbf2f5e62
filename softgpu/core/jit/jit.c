/* Which code is compiled, where its machine code lives, and when a block may run. */
#include "softgpu/core/jit/jit.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/min_max.h"
#include "softgpu/core/timing/line_dependencies.h"
#include "softgpu/core/memory/icache_fetch.h"
#include "softgpu/core/jit/jit_compile.h"
#include "softgpu/core/jit/jit_match.h"
#include "softgpu/core/jit/jit_scalar.h"

enum {
	ARENA_BYTES = 4 << 20,
	MAX_SCAN = 4096,              /* instructions in line per scan */
	MIN_BLOCK = 3,                /* instructions; shorter blocks do not pay off */
	MIN_HITS = JIT_THRESHOLD / 2, /* issues of its first instruction; at a scan, parts of a loop may have run one
	                                 trip less than the branch */
};

/* Constants, then code. It is never writable and executable at the same time. */
struct arena {
	uint32_t constant[JIT_POOL_ENTRIES][8];
	uint8_t code[];
};

struct jit {
	struct arena *arena;  /* NULL: disabled */
	struct jit_pool pool; /* constants in the arena */
	unsigned lanes;       /* of the waves whose code is compiled */
	bool full;            /* existing blocks stay; no more are compiled */
	uint8_t *end;         /* end of the code in the arena */
	struct jit_block *all;
};

struct jit *jit_open(bool enabled)
{
	struct jit *s = calloc(1, sizeof *s);
	if (!enabled || !s)
		return s;
	void *p = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return s;
	s->arena = p;
	s->pool.entry = s->arena->constant;
	s->end = s->arena->code;
	return s;
}

void jit_set_lanes(struct jit *s, unsigned lanes)
{
	jit_discard_all(s);
	s->lanes = lanes;
}

void jit_discard_all(struct jit *s)
{
	for (struct jit_block *x = s->all, *next; x; x = next) {
		next = x->next;
		x->first->jit_block = NULL;
		free(x);
	}
	s->all = NULL;
	s->full = false;
	s->pool.count = 0;
	if (s->arena)
		s->end = s->arena->code;
}

/* Discards all blocks and compiles nothing from now on. */
static void disable_jit(struct jit *s)
{
	jit_flush_counts(s);
	jit_discard_all(s);
	if (s->arena)
		munmap(s->arena, ARENA_BYTES);
	s->arena = NULL;
}

void jit_close(struct jit *s)
{
	if (s)
		disable_jit(s);
	free(s);
}

/* --- compiling --- */
/* Issues i at cycle t of the block. */
static void note_result(struct jit_block *x, const struct uop *i, uint64_t t)
{
	if (!(i->dependency & RESULT_IS_AWAITED))
		return;
	x->results |= 1u << i->result_slot;
	x->result_cycles[i->result_slot] = t + i->result_cycles;
}

/* The cycle of the block at which i can issue, if that is t without results to wait for. */
static uint64_t await_results(struct jit_block *x, const struct uop *i, uint64_t t)
{
	uint64_t ready = t;

	for (unsigned k = 0; i->dependency & AWAITS_RESULTS && k < i->awaited_count; k++)
		if (x->results >> i->awaited[k] & 1)
			ready = max_u64(ready, x->result_cycles[i->awaited[k]]);
	for (unsigned k = 0; i->dependency & AWAITS_RESULTS && k < i->awaited_count; k++) {
		if (x->results >> i->awaited[k] & 1)
			continue;
		if (x->awaited < JIT_AWAITED_MAX) {
			x->await[x->awaited].slot = i->awaited[k];
			x->await[x->awaited].cycles = ready + i->awaited_early[k];
		}
		x->awaited += x->awaited <= JIT_AWAITED_MAX;
	}
	return ready;
}

/* The instruction at cycle t of the block checks the instruction cache there. */
static void add_code_lookup(struct jit_block *x, const struct uop *i, uint64_t t)
{
	if (x->entries < JIT_LOOKUPS_MAX) {
		x->entry[x->entries].i = i;
		x->entry[x->entries].cycles = t;
	}
	x->entries++;
}

static void time_block(struct jit_block *x)
{
	const struct uop *i = x->first;
	uint64_t t = 0;

	x->cost = i->cost;
	x->awaited = x->entries = 0;
	x->results = 0;
	await_results(x, i, 0);
	note_result(x, i, 0);
	for (unsigned n = 1; n < x->count; n++) {
		const struct uop *after = i + i->words;
		const uint64_t soonest = t + i->cost;
		t = await_results(x, after, max_u64(soonest, t + after->fetch_stall));
		if (after->cost != x->first->cost || t > soonest)
			x->cost = 0;
		note_result(x, after, t);
		if (after->is_fetch_entry)
			add_code_lookup(x, after, t);
		i = after;
	}
	x->cycles = t;
	x->last = i;
	x->after = i + i->words;
}

void jit_time_blocks(struct jit *s)
{
	for (struct jit_block *x = s->all; x; x = x->next)
		time_block(x);
}

static bool compile_block(struct jit *s, struct x86_emitter *e, const struct uop *i, unsigned count)
{
	if (i->unit == UNIT_VALU)
		return jit_compile(e, &s->pool, s->lanes, i, count);
	jit_compile_scalar(e, i, count);
	return true;
}

static bool add_jit_block(struct jit *s, struct uop *i, unsigned count, uint8_t fp)
{
	struct x86_emitter e = {.at = s->end, .end = (uint8_t *)s->arena + ARENA_BYTES};
	struct jit_block *x = calloc(1, sizeof *x);

	if (!x || !compile_block(s, &e, i, count) || e.at > e.end) {
		free(x);
		return false;
	}
	*x = (struct jit_block){.run = (jit_block_fn *)s->end, .first = i, .count = count, .fp = fp, .next = s->all};
	time_block(x);
	s->end = e.at;
	s->all = i->jit_block = x;
	return true;
}

/* The number of instructions from i on that can be one block. */
static unsigned match_block(const struct executor *x, const struct uop *i, uint8_t *fp)
{
	unsigned count = jit_match(x, i, fp);

	return count || x->m->model.timing ? count : jit_match_scalar(x, i);
}

/* Compiles the hot blocks in line from i on. False if the arena is full. */
static bool compile_line(struct executor *x, struct uop *i)
{
	for (unsigned n = 0; n < MAX_SCAN && i->fn && i->kind != UOP_ENDPGM; n++) {
		uint8_t fp;
		unsigned count = match_block(x, i, &fp);
		if (count < MIN_BLOCK) {
			i += i->words;
			continue;
		}
		if (!i->jit_block && i->hits >= MIN_HITS && !add_jit_block(x->jit, i, count, fp))
			return false;
		while (count--)
			i += i->words;
	}
	return true;
}

void jit_compile_hot(struct executor *x, struct uop *i)
{
	struct jit *s = x->jit;

	if (!s->arena || s->full)
		return;
	if (mprotect(s->arena, ARENA_BYTES, PROT_READ | PROT_WRITE)) {
		disable_jit(s);
		return;
	}
	s->full = !compile_line(x, i);
	if (mprotect(s->arena, ARENA_BYTES, PROT_READ | PROT_EXEC))
		disable_jit(s);
}

/* --- calls from the issue loop --- */
void jit_flush_counts(struct jit *s)
{
	for (struct jit_block *x = s->all; x; x = x->next) {
		struct uop *i = x->first;
		for (unsigned n = 0; x->runs && n < x->count; n++, i += i->words)
			i->hits += x->runs;
		x->runs = 0;
	}
}

void jit_code_evicted(struct jit *s, uint64_t bits)
{
	for (struct jit_block *x = s->all; x; x = x->next)
		x->resident_in &= ~bits;
}

void jit_entry_added(struct jit *s)
{
	for (struct jit_block *x = s->all; x; x = x->next) {
		x->resident_in = 0;
		time_block(x);
	}
}

/* Repeating an access changes nothing, so the caller may still issue the instructions one by one. */
bool jit_block_code_ready(struct wave *w, struct jit_block *x, uint64_t t)
{
	bool all_resident = true;

	if (x->resident_in & w->sqc_bit)
		return true;
	if (x->entries > JIT_LOOKUPS_MAX)
		return false;
	for (unsigned n = 0; n < x->entries; n++) {
		const struct uop *i = x->entry[n].i;
		if (!(i->resident_in & w->sqc_bit) && !fetch_is_resident(w, i, t + x->entry[n].cycles))
			return false;
		all_resident &= (i->resident_in & w->sqc_bit) != 0;
	}
	if (all_resident)
		x->resident_in |= w->sqc_bit;
	return true;
}

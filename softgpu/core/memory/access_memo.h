/* What an instruction remembers of its last access to memory: when the lanes' pattern repeats, so do the requests. */
#ifndef SOFTGPU_CORE_MEMORY_ACCESS_MEMO_H
#define SOFTGPU_CORE_MEMORY_ACCESS_MEMO_H

#include "softgpu/core/memory/l1.h"

/* The last access of a load or store instruction, for accesses whose lane elements are contiguous. */
enum { MEMO_LINES = 64 };
struct memory_memo {
	struct lane_pattern lanes;
	uint32_t misses;            /* accesses since the pattern last repeated */
	uint32_t epoch;             /* cu.memo_epoch: it remembers nothing of another one */
	uint8_t from, to;           /* offsets of the first lane within its line for which the rest is valid */
	uint8_t count;              /* lines requested; 0: more than MEMO_LINES */
	uint16_t cycles;            /* of the address stage */
	uint16_t cycle[MEMO_LINES]; /* of each request */
	uint64_t line[MEMO_LINES];  /* relative to the first lane's, in the order of their requests */
};

/* Those of an instruction, by cu.memo: where clusters are simulated in windows, each has its own, so that what runs
 * ahead does not depend on other clusters, nor on other launches. They are made when they are needed. */
struct memory_memos {
	uint32_t count;
	struct memory_memo *memo[];
};
struct memory_memos *memory_memos_create(uint32_t count); /* NULL: out of memory */
void memory_memos_free(struct memory_memos *s);
struct memory_memo *memory_memo_renew(const struct cu *cu, struct memory_memos *s); /* NULL: out of memory */

/* The memo of the wave's accesses. NULL: the instruction has none, or out of memory. */
static inline struct memory_memo *memory_memo_of(const struct wave *w, const struct uop *i)
{
	if (!i->memory)
		return NULL;
	const struct cu *cu = w->simd->cu;
	struct memory_memo *memo = i->memory->memo[cu->memo];
	return __builtin_expect(memo && memo->epoch == cu->memo_epoch, 1) ? memo : memory_memo_renew(cu, i->memory);
}

/* Whether the last access of the instruction had the recorded pattern, so that the next may, too. */
static inline bool memory_repeats(const struct wave *w, const struct uop *i)
{
	const struct memory_memo *memo = memory_memo_of(w, i);

	return memo && !memo->misses;
}

/* Finds the requests for elements of `bytes` bytes; the first lane's is at offset `align` in its line. */
void memory_memo_find_lines(
	const struct machine *m, struct memory_memo *memo, uint32_t align, uint32_t bytes, enum memory_kind kind);

/* Like memory_schedule_access, for an access with the memo's pattern, the first lane's at physical address `first`. The
 * launch must not be profiled. */
void memory_schedule_known(struct wave *w, const struct uop *i, const struct memory_memo *memo, uint64_t first,
	bool wide, enum memory_kind kind);
/* Defers the timing of a load that executes ahead, until it issues (memory_replay_deferred). False if the ring is full.
 */
bool memory_defer_load(struct wave *w, const struct memory_memo *memo, uint64_t first, bool wide);
void memory_replay_deferred(struct wave *w, const struct uop *i);

#endif

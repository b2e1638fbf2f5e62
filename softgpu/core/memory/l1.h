/* Memory as vector accesses and fetches meet it: L1, with L2 and DRAM (l2.h) behind it. Who goes where and when; the
 * data itself is host memory. */
#ifndef SOFTGPU_CORE_MEMORY_L1_H
#define SOFTGPU_CORE_MEMORY_L1_H

#include "softgpu/core/timing/waitcnt.h"
#include "softgpu/core/memory/lane_pattern.h"
#include "softgpu/core/exec/machine.h"

/* One vector memory instruction: where each lane's element lies. */
struct memory_access {
	uint64_t memory; /* lanes that go to memory; flat accesses to LDS and lanes outside a buffer do not */
	uint64_t lds;    /* lanes that a flat access sends to LDS */
	uint32_t elements, bytes, step; /* elements of a lane, their size and distance in bytes */
	uint64_t odd; /* lanes of scratch whose dwords lie `apart`, not `step`: misaligned ones, and ones among lanes of
	                 memory */
	uint32_t apart;
	bool linear; /* lane l's element follows lane l - 1's, in all lanes */
	bool window; /* one mapping holds all of `memory`: what follows leads from `at` to host and physical addresses
	              */
	uint64_t to_host, to_phys;
	uint64_t heads;       /* lanes of `memory` that may touch a line that the lane before does not end in */
	uint64_t at[LANES];   /* GPU address in a window, physical address otherwise */
	uint8_t *host[LANES]; /* of lanes in `lds`, and of those in `memory` without a window */
};

static inline uint8_t *access_host_pointer(const struct memory_access *x, unsigned l)
{
	return x->window && !(x->lds >> l & 1) ? (uint8_t *)(uintptr_t)(x->at[l] + x->to_host) : x->host[l];
}

enum memory_kind { MEMORY_LOAD, MEMORY_STORE, MEMORY_ATOMIC };

/* Times the access as the instruction issued at w->last and enters its completion into the wave's counters. */
void memory_schedule_access(struct wave *w, const struct uop *i, const struct memory_access *x, enum memory_kind kind);

/* What a load's or store's last access was like, kept with it; each lane's element is in one piece. */
enum { MEMO_LINES = 64 };
struct memory_memo {
	struct lane_pattern lanes;
	uint32_t misses;           /* accesses since one was like the one before */
	uint8_t from, to;          /* the first lane's places within its line for which the next two hold */
	uint8_t count;             /* lines touched, 0: more than are kept */
	uint64_t line[MEMO_LINES]; /* less the first lane's, in the order in which they are wanted */
};

/* Finds the lines for elements of so many bytes, the first lane's `align` into its line. */
void memory_memo_find_lines(struct memory_memo *memo, uint32_t align, uint32_t bytes);
/* The same as memory_schedule_access for an access that is as the memo says, the first lane's at physical address
 * `first`. Nobody looks inside. */
void memory_schedule_known(struct wave *w, const struct uop *i, const struct memory_memo *memo, uint64_t first,
	bool wide, enum memory_kind kind);
/* Puts a load by that the wave does before its time, and times it when it issues; false when there is no room. */
bool memory_defer_load(struct wave *w, const struct memory_memo *memo, uint64_t first, bool wide);
void memory_replay_deferred(struct wave *w, const struct uop *i);
void memory_invalidate_l1(struct wave *w);

/* A line of code wanted at cycle t: when it is at the instruction cache. */
uint64_t memory_fetch_code_line(struct machine *m, uint64_t phys, uint64_t t);

#endif

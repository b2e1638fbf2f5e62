/* Timing of vector memory accesses and code fetches: L1, and L2 and DRAM behind it (l2.h). Data is in host memory. */
#ifndef SOFTGPU_CORE_MEMORY_L1_H
#define SOFTGPU_CORE_MEMORY_L1_H

#include "softgpu/core/timing/waitcnt.h"
#include "softgpu/core/memory/lane_pattern.h"
#include "softgpu/core/state/machine.h"

/* One vector memory instruction: the location of each lane's element. */
struct memory_access {
	uint64_t memory; /* lanes that access memory; flat accesses to LDS and lanes outside a buffer do not */
	uint64_t lds;    /* lanes of a flat access that access LDS */
	uint32_t elements, bytes, step; /* elements per lane, their size and stride in bytes */
	uint64_t odd; /* lanes with stride `apart` between dwords instead of `step`: misaligned ones in scratch, ones in
	                 scratch mixed with memory lanes, and those in `cut` */
	uint32_t apart;
	uint64_t cut;              /* lanes whose first `inside` bytes are in the buffer, but not all */
	uint8_t inside[MAX_LANES]; /* of lanes in `cut` */
	bool linear;               /* lane l's element follows lane l - 1's, in all lanes */
	bool window;               /* one mapping contains all of `memory`: the offsets below convert `at` */
	uint64_t to_host, to_phys;
	uint64_t heads;           /* lanes of `memory` that may touch another line than the previous lane does */
	uint64_t at[MAX_LANES];   /* GPU address in a window, physical address otherwise */
	uint8_t *host[MAX_LANES]; /* of lanes in `lds`, and of those in `memory` without a window */
};

static inline uint8_t *access_host_pointer(const struct memory_access *x, unsigned l)
{
	return x->window && !(x->lds >> l & 1) ? (uint8_t *)(uintptr_t)(x->at[l] + x->to_host) : x->host[l];
}

static inline uint32_t access_bytes_inside(const struct memory_access *x, unsigned l)
{
	return x->cut >> l & 1 ? x->inside[l] : x->elements * x->bytes;
}

/* Pieces of a lane's access that are contiguous: all of it, or each element. */
static inline uint32_t access_pieces(const struct memory_access *x)
{
	return x->step == x->bytes ? 1 : x->elements;
}

/* The bytes of piece k of lane l; 0: it is outside of the buffer. */
static inline uint32_t access_piece_bytes(const struct memory_access *x, unsigned l, uint32_t k)
{
	const uint32_t inside = access_bytes_inside(x, l);

	return access_pieces(x) == 1 ? inside : k * x->bytes < inside ? x->bytes : 0;
}

enum memory_kind { MEMORY_LOAD, MEMORY_STORE, MEMORY_ATOMIC };

/* The counter of an access. */
static inline enum waitcnt_kind memory_counter_of(const struct wave *w, const struct uop *i, enum memory_kind kind)
{
	return kind == MEMORY_LOAD || i->d.dst != ISA_NONE ? WAITCNT_VM : w->m->store_counter;
}

/* Schedules the access of the instruction that issued at w->last and pushes its completion to vmcnt. */
void memory_schedule_access(struct wave *w, const struct uop *i, const struct memory_access *x, enum memory_kind kind);

/* One image instruction: the texels of each lane, up to eight for a filter in three dimensions. */
enum { IMAGE_TEXELS_MAX = 8 };
struct image_access {
	unsigned texels, bytes;                   /* bytes of a texel, which are in one line */
	uint64_t memory[IMAGE_TEXELS_MAX];        /* lanes whose texel is inside the image */
	uint64_t at[IMAGE_TEXELS_MAX][MAX_LANES]; /* physical addresses, of lanes in `memory` */
	uint8_t *host[IMAGE_TEXELS_MAX][MAX_LANES];
};
/* The same for an image instruction, which occupies the address stage for this many cycles, or for one per line. */
void memory_schedule_image(
	struct wave *w, const struct uop *i, const struct image_access *x, enum memory_kind kind, unsigned cycles);

void memory_invalidate_l1(struct wave *w);
/* gfx11: the cache of its shader array. */
void memory_invalidate_gl1(struct wave *w);

/* Fetches a line of code for a cache of the cluster at cycle t; returns when it arrives at the instruction cache. */
cycle_t memory_fetch_code_line(struct machine *m, struct cluster *c, uint64_t phys, cycle_t t);

#endif

/* What a launch did with each dword of global memory: its last write, and two loads since then that nothing orders.
 * 20 bytes for each dword of a page, from its first access on. */
#ifndef SOFTGPU_CORE_CHECK_RACES_GLOBAL_SHADOW_H
#define SOFTGPU_CORE_CHECK_RACES_GLOBAL_SHADOW_H

#include "softgpu/core/check/races/known_waves.h"
#include "softgpu/core/check/races/number_map.h"

enum { SHADOW_SEGMENT_BITS = 28, SHADOW_SITE_BITS = 14 };
enum { MARK_WRITE, MARK_LOAD, MARK_OTHER_LOAD, MARKS };
/* Of a cell. */
enum {
	CELL_ATOMIC = 1, /* the write was one */
	CELL_SPLIT = 2,  /* its bytes have cells of their own */
	CELL_SYNC = 4,   /* it has a struct cell_sync */
	CELL_AWAITED = 8 /* waves poll or swap it: stores to it count as atomic */
};

/* An access: by the wave and in the part of its run that the segment is (global_races.c), by the instruction that the
 * site is, and by the lane. Where lanes one after the other accessed parts of the dword, it is that of the first. */
struct shadow_mark {
	uint32_t segment;          /* 0: none */
	uint32_t site, lane, mask; /* mask: a bit for each byte of the dword */
};
struct shadow_cell {
	uint32_t segment[MARKS]; /* and the upper bits of the site */
	uint16_t at[MARKS];      /* the lower ones, and the lane */
	uint16_t bits;           /* masks, and CELL_* */
};

/* Writes of the cell by atomics that are not ordered. */
enum { SYNC_SEGMENTS = 5 };
struct cell_sync {
	uint32_t segment[SYNC_SEGMENTS], count;
	known_set known; /* those for which there was no room */
};

struct shadow_page;
struct global_shadow {
	struct number_map pages, sync, bytes; /* by number of the page; by number of the dword */
	struct shadow_page *last;
	uint32_t launch; /* a page with another number was not accessed in this launch */
	size_t used;     /* pages that were */
};

/* Whether memory at this address is checked. */
typedef bool shadow_wanted_fn(const void *of, uint64_t va);

void global_shadow_close(struct global_shadow *s);
/* A launch begins: all cells are empty. */
void global_shadow_begin(struct global_shadow *s);
/* The cell of the dword. NULL: it is not checked, or there is no memory for it. */
struct shadow_cell *global_shadow_find(
	struct global_shadow *s, uint64_t dword, shadow_wanted_fn *wanted, const void *of);
/* What belongs to a cell with CELL_SPLIT, a cell for each byte, and with CELL_SYNC; all zeros at first. NULL: out of
 * memory. */
struct shadow_cell *global_shadow_bytes(struct global_shadow *s, uint64_t dword);
struct cell_sync *global_shadow_sync(struct global_shadow *s, uint64_t dword);

struct shadow_mark shadow_mark_get(const struct shadow_cell *c, unsigned which);
void shadow_mark_set(struct shadow_cell *c, unsigned which, struct shadow_mark m);

#endif

/* What a cluster stores in a window goes to its overlay: a copy of each line that it stores to. Its own loads see the
 * overlay, those of other clusters see memory, where the overlays are written at the end of the window
 * (overlay_merge.h). So what a load returns does not depend on which cluster is simulated first, also where workgroups
 * race. */
#ifndef SOFTGPU_CORE_MEMORY_WINDOW_STORE_OVERLAY_H
#define SOFTGPU_CORE_MEMORY_WINDOW_STORE_OVERLAY_H

#include "softgpu/core/memory/l1.h"
#include "softgpu/core/timing/window_log.h"

/* Of a line's number, for hash tables. */
static inline uint32_t overlay_hash_line(uintptr_t number)
{
	return (uint64_t)number * UINT64_C(0x9e3779b97f4a7c15) >> 40;
}

void overlay_close(struct store_overlay *o);

/* The overlay that the wave's loads must ask; NULL: none, or it is empty. What acts at the end of the window sees
 * memory, where the overlays have been written. */
static inline const struct store_overlay *overlay_to_ask(const struct wave *w)
{
	const struct store_overlay *o = &w->simd->cu->cluster->stores;

	return __builtin_expect(w->m->windowed, 0) && o->line.count && !w->m->applied ? o : NULL;
}

/* The overlay that takes the stores of the wave's instruction; NULL: memory does, as always without timing. */
static inline struct store_overlay *overlay_to_write(const struct wave *w)
{
	if (__builtin_expect(!w->m->windowed, 1) || w->m->applied || !w->m->model.timing)
		return NULL;
	struct cluster *c = w->simd->cu->cluster;
	c->stores.when = cluster_key(c) - (c->begin << EVENT_ID_BITS);
	return &c->stores;
}

/* Copies bytes of host memory as the overlay's cluster sees them, and stores some. */
void overlay_read(const struct store_overlay *o, const uint8_t *from, void *to, uint32_t bytes);
void overlay_write(struct store_overlay *o, uint8_t *to, const void *from, uint32_t bytes);
/* The same for memory that no other cluster accesses: lines that are not in the overlay stay there. */
void overlay_write_private(struct store_overlay *o, uint8_t *to, const void *from, uint32_t bytes);
/* Whether any of so many lines is in the overlay; the numbers are relative to the line of `first`. */
bool overlay_has_line(const struct store_overlay *o, const uint8_t *first, const uint64_t *number, unsigned count);

void overlay_clear(struct store_overlay *o);

#endif

/* What a cluster stores in a window goes to its overlay: a copy of each line that it stores to. Its own loads see the
 * overlay, those of other clusters see memory, where the overlays are written at the end of the window. So what a load
 * returns does not depend on which cluster is simulated first, also where workgroups race. If several clusters stored
 * to a byte in the same window, the one with the highest number wins: nothing orders such stores. */
#ifndef SOFTGPU_CORE_MEMORY_WINDOW_STORE_OVERLAY_H
#define SOFTGPU_CORE_MEMORY_WINDOW_STORE_OVERLAY_H

#include "softgpu/core/memory/l1.h"

void overlay_close(struct store_overlay *o);

/* The overlay that the wave's loads must ask; NULL: none, or it is empty. What acts at the end of the window sees
 * memory, where the overlays have been written. */
static inline const struct store_overlay *overlay_to_ask(const struct wave *w)
{
	const struct store_overlay *o = &w->simd->cu->cluster->stores;

	return __builtin_expect(w->m->windowed, 0) && o->line.count && !w->m->applied ? o : NULL;
}

/* The overlay that takes the wave's stores; NULL: memory does. */
static inline struct store_overlay *overlay_to_write(const struct wave *w)
{
	return __builtin_expect(w->m->windowed, 0) && !w->m->applied ? &w->simd->cu->cluster->stores : NULL;
}

/* Copies bytes of host memory as the overlay's cluster sees them, and stores some. */
void overlay_read(const struct store_overlay *o, const uint8_t *from, void *to, uint32_t bytes);
void overlay_write(struct store_overlay *o, uint8_t *to, const void *from, uint32_t bytes);
/* The same for memory that no other cluster accesses: lines that are not in the overlay stay there. */
void overlay_write_private(struct store_overlay *o, uint8_t *to, const void *from, uint32_t bytes);
/* Whether any of so many lines is in the overlay; the numbers are relative to the line of `first`. */
bool overlay_has_line(const struct store_overlay *o, const uint8_t *first, const uint64_t *number, unsigned count);

/* Writes to memory what the clusters have stored, of lines of part `number` of `parts`. Several threads may write
 * different parts at once. */
void overlays_write(const struct machine *m, uint32_t number, uint32_t parts);
void overlay_clear(struct store_overlay *o);

#endif

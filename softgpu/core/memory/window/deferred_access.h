/* Accesses by which workgroups communicate: their values are read and written at the end of a window, in the order in
 * which their instructions issue, so that clusters need not wait for each other. Their times are known as always: the
 * wave cannot use the value sooner. These are atomics, loads that bypass L1 (of atomics and volatile data), and stores
 * by one lane, as those to flags are (without timing, these act at once, as all stores do). Other accesses act when
 * they issue; where they meet a line with a deferred access of their CU, they are deferred too, so that each CU's
 * accesses to a line stay in order. Such a load may hit L1, but completes no earlier than the window. */
#ifndef SOFTGPU_CORE_MEMORY_WINDOW_DEFERRED_ACCESS_H
#define SOFTGPU_CORE_MEMORY_WINDOW_DEFERRED_ACCESS_H

#include "softgpu/core/memory/l1.h"

enum { DEFERRED_REGISTERS = 4 };

struct deferred_access {
	uint64_t key;
	struct wave *wave;
	const struct uop *i;
	uint64_t exec;
	struct memory_access x;
	unsigned data; /* operand number of the first data VGPR; ISA_NONE: it stores none */
	uint32_t registers[DEFERRED_REGISTERS * MAX_LANES]; /* what they hold, or the data SGPRs of a scalar atomic */
};

/* Defers the access if it must be; returns whether. access: of enum vm_access; data: as above. */
bool access_defer(struct wave *w, const struct uop *i, const struct memory_access *x, unsigned access, unsigned data);
/* The same for an atomic of an image, and for one of the scalar cache: its cell, and so many dwords of data. */
bool access_defer_image(struct wave *w, const struct uop *i, const struct image_access *x);
void access_defer_scalar(
	struct wave *w, const struct uop *i, uint8_t *cell, unsigned bytes, const uint32_t *data, unsigned dwords);
/* Whether it is to scratch, which is the wave's own. */
bool access_is_private(const struct wave *w, const struct uop *i, const struct memory_access *x);
/* Whether an access of this kind may have to be: it then must not take a path that does not ask. */
static inline bool access_may_defer(const struct wave *w, const struct uop *i)
{
	const bool bypasses = (i->d.flags & (FLAG_GLC | FLAG_SLC)) == FLAG_GLC;

	return __builtin_expect(w->m->windowed, 0) && (bypasses || w->simd->cu->defers || w->m->applied);
}

/* The deferred access whose operation executes now, instead of a new one; NULL: none. */
static inline const struct deferred_access *access_applied(const struct wave *w)
{
	return __builtin_expect(w->m->applied != NULL, 0) ? w->m->applied : NULL;
}

/* Executes what all clusters have deferred. */
void accesses_apply(struct machine *m);

#endif

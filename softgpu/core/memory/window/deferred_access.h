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
	uint32_t word3;                                     /* of a buffer's descriptor */
	uint32_t registers[DEFERRED_REGISTERS * MAX_LANES]; /* what the data VGPRs hold, or SGPRs of a scalar atomic */
	struct memory_access x;                             /* access_copy takes it */
};

/* Defers the access if it must be; returns whether. access: of enum vm_access; data: operand number of the first data
 * VGPR, ISA_NONE: it stores none. */
bool access_defer(struct wave *w, const struct uop *i, const struct memory_access *x, unsigned access, unsigned data);
/* The same for an atomic of an image, and for one of the scalar cache: its cell and its data. */
bool access_defer_image(struct wave *w, const struct uop *i, const struct image_access *x);
void access_defer_scalar(struct wave *w, const struct uop *i, uint8_t *cell, unsigned bytes, const uint32_t *data);
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

/* The first data register, as a column of lanes: `now`, or what it held when the access that executes was deferred. */
static inline const uint32_t *access_data(const struct wave *w, const uint32_t *now)
{
	const struct deferred_access *applied = access_applied(w);

	return applied ? applied->registers : now;
}

/* Copies what is used of it. */
void access_copy(struct memory_access *to, const struct memory_access *from);

/* Executes what all clusters have deferred, up to one that stops the launch. */
void accesses_apply(struct machine *m);
/* The CU has deferred nothing. */
void accesses_forget(struct cu *cu);

#endif

/* Prototypes of the C references, from reference.def: reference_NAME(shape, the kernel's parameters). */
#ifndef KERNELS_REFERENCE_REFERENCES_H
#define KERNELS_REFERENCE_REFERENCES_H

#include "kernels/reference/reference.h"

#define REFERENCE(name, ...) void reference_##name(const struct launch_shape *shape, __VA_ARGS__);
#include "kernels/reference/reference.def"
#undef REFERENCE

/* The number of work-items of a workgroup, and of a launch. */
static inline uint64_t shape_block(const struct launch_shape *s)
{
	return (uint64_t)s->block[0] * s->block[1] * s->block[2];
}

static inline uint64_t shape_threads(const struct launch_shape *s)
{
	return shape_block(s) * s->grid[0] * s->grid[1] * s->grid[2];
}

#endif

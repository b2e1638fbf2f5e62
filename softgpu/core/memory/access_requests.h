/* Which lines an access requests, and when: on gfx9 by the address stage of its L1 (l1_address.h); on gfx11, and for
 * atomics and images, a line in a cycle, whatever the order of the lanes. */
#ifndef SOFTGPU_CORE_MEMORY_ACCESS_REQUESTS_H
#define SOFTGPU_CORE_MEMORY_ACCESS_REQUESTS_H

#include "softgpu/core/memory/access_lines.h"
#include "softgpu/core/memory/l1.h"

/* The requests of an access; for atomics, also the lanes on each line's busiest dword. */
void requests_of_access(
	const struct wave *w, const struct memory_access *x, enum memory_kind kind, struct access_lines *out);
/* The same for an image instruction. */
void requests_of_image(const struct image_access *x, struct access_lines *out);
/* Counts the lanes on each dword of each line, for atomics. */
void requests_count_same(const struct memory_access *x, struct access_lines *s);

#endif

/* Empty caches: the state before the device's first launch. */
#ifndef SOFTGPU_CORE_MEMORY_COLD_CACHES_H
#define SOFTGPU_CORE_MEMORY_COLD_CACHES_H

struct machine;

/* Between launches. The caches that a launch empties anyway are left: L1, scalar data, L1 of a shader array. */
void memory_clear_caches(struct machine *m);
void memory_clear_l2(struct machine *m); /* only the L2 cache */

#endif

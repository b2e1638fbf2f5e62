/* Finds kernels whose waves may wait for each other in a loop. Such a kernel does not run ahead (run_ahead.h): how
 * often a wave polls depends on the cycle at which another wave stores.
 *
 * A wait loop ends on a value that it loads: an exit depends, through registers, on
 * - a load or an atomic that returns, from LDS or from a flat address, or
 * - a plain load from memory at an address that does not change in the loop. A pointer chase is none.
 * Loads that bypass the L1 cache, atomics of memory and scalar loads need no search: they always wait for their cycle.
 * Where the code is not known (a call, an indirect jump), the kernel may wait. */
#ifndef SOFTGPU_CORE_FAST_WAIT_LOOPS_H
#define SOFTGPU_CORE_FAST_WAIT_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "softgpu/core/state/vm.h"
#include "softgpu/isa/isa.h"

/* Whether the kernel whose code begins at this address has a wait loop. */
bool kernel_has_wait_loop(struct vm *vm, enum isa_target target, uint64_t entry);
/* The addresses of its polls: loads from LDS, at an address that does not change, in a wait loop that stores nothing
 * and has no barrier. Fills up to max, returns how many it filled. None where the code is not known. */
size_t kernel_find_polls(struct vm *vm, enum isa_target target, uint64_t entry, uint64_t *pc, size_t max);

#endif

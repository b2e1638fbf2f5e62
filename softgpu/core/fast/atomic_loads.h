/* Finds the loads with which loops of compare-and-swap begin. LLVM makes such a loop of an atomic that the target does
 * not have (AtomicExpandPass), such as an addition of doubles; its first load is a plain one by its code. */
#ifndef SOFTGPU_CORE_FAST_ATOMIC_LOADS_H
#define SOFTGPU_CORE_FAST_ATOMIC_LOADS_H

#include <stddef.h>
#include <stdint.h>

#include "softgpu/core/state/vm.h"
#include "softgpu/isa/isa.h"

/* The addresses of these loads. Fills up to max, returns how many it filled. None where
 * the code is not known. */
size_t kernel_find_atomic_loads(struct vm *vm, enum isa_target target, uint64_t entry, uint64_t *pc, size_t max);

#endif

#include "softgpu/core/memory/launch_addresses.h"

#include "softgpu/core/state/machine.h"

#define PACKET_PHYS  LAUNCH_PHYS
#define SCRATCH_PHYS (LAUNCH_PHYS + LAUNCH_PHYS / 4)
#define KERNARG_PHYS (LAUNCH_PHYS + LAUNCH_PHYS / 2)
#define IN_LINE      63
_Static_assert(LAUNCHES_MAX *VM_SHIFT_BYTES <= LAUNCH_PHYS / 4, "each resident launch has addresses of its own");
_Static_assert(3 * LAUNCHES_MAX <= VM_SHIFTS, "and its own shifts");

static void shift_launch_memory(const struct launch *n, uint64_t va, uint64_t to)
{
	struct vm *vm = &n->m->vm;
	const struct vm_region *r = va ? vm_find(vm, va, 1, 0) : NULL;

	if (r)
		vm_begin_shift(
			vm, n->number, va, (r->phys & VM_SYSTEM) | (to + n->number * VM_SHIFT_BYTES) | (va & IN_LINE));
}

void launch_addresses_begin(const struct launch *n)
{
	vm_end_shifts(&n->m->vm, n->number); /* of a launch that never ended */
	shift_launch_memory(n, n->d->packet_va, PACKET_PHYS);
	shift_launch_memory(n, n->d->kernarg, KERNARG_PHYS);
	if (n->d->private_bytes)
		shift_launch_memory(n, n->d->scratch_base, SCRATCH_PHYS);
}

void launch_addresses_end(const struct launch *n)
{
	vm_end_shifts(&n->m->vm, n->number);
}

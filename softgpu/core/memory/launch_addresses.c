#include "softgpu/core/memory/launch_addresses.h"

#include "softgpu/core/state/machine.h"

#define PACKET_PHYS  LAUNCH_PHYS
#define SCRATCH_PHYS (LAUNCH_PHYS + LAUNCH_PHYS / 4)
#define KERNARG_PHYS (LAUNCH_PHYS + LAUNCH_PHYS / 2)
#define IN_LINE      63

static void shift_memory(struct machine *m, uint64_t va, uint64_t to)
{
	const struct vm_region *r = va ? vm_find(&m->vm, va, 1, 0) : NULL;

	if (r)
		vm_begin_shift(&m->vm, va, (r->phys & VM_SYSTEM) | to | (va & IN_LINE));
}

void launch_addresses_begin(struct machine *m, const struct dispatch *d)
{
	vm_end_shifts(&m->vm); /* of a launch that never ended */
	shift_memory(m, d->packet_va, PACKET_PHYS);
	shift_memory(m, d->kernarg, KERNARG_PHYS);
	if (d->private_bytes)
		shift_memory(m, d->scratch_base, SCRATCH_PHYS);
}

void launch_addresses_end(struct machine *m)
{
	vm_end_shifts(&m->vm);
}

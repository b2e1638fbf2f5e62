/* The address space of a device: mappings, and bounded buffers. */
#include "softgpu/core/state/gpu.h"
#include "softgpu/core/state/gpu_memory.h"

bool gpu_map(struct gpu *g, uint64_t va, uint64_t size, void *host, uint64_t phys, unsigned access)
{
	return vm_map(&g->m.vm, &(struct vm_region){va, size, host, phys, access});
}

void gpu_unmap(struct gpu *g, uint64_t va, uint64_t size)
{
	vm_unmap(&g->m.vm, va, size);
}

size_t gpu_list_mappings(const struct gpu *g, struct gpu_mapping *out, size_t max)
{
	const struct vm *vm = &g->m.vm;

	for (uint32_t i = 0; i < vm->count && i < max; i++) {
		const struct vm_region *r = &vm->region[i];
		out[i] = (struct gpu_mapping){r->va, r->size, r->host, r->phys, r->access};
	}
	return vm->count;
}

void gpu_set_unmapped_hook(struct gpu *g, void (*hook)(void))
{
	g->m.vm.unmapped_hook = hook;
}

void *gpu_host_pointer(struct gpu *g, uint64_t va, uint64_t size, unsigned access)
{
	const struct vm_region *r = vm_find(&g->m.vm, va, size, access);

	return r ? r->host + (va - r->va) : NULL;
}

/* --- bounded buffers --- */
/* Addresses that neither the program nor the runtime uses: from 32 TiB on, below Linux's mappings. A slot is large
 * enough for the distance of any 32-bit index of the largest elements, in both directions. */
#define BOUNDED_BASE (UINT64_C(1) << 45)
#define BOUNDED_ROOM (UINT64_C(1) << 38)

uint64_t gpu_bounded_address(unsigned slot, uint64_t va)
{
	return BOUNDED_BASE + slot * BOUNDED_ROOM + BOUNDED_ROOM / 2 + (va & UINT32_MAX);
}

bool gpu_bounded_slot_contains(unsigned slot, uint64_t address)
{
	return address - (BOUNDED_BASE + slot * BOUNDED_ROOM) < BOUNDED_ROOM;
}

bool gpu_map_bounded(struct gpu *g, unsigned slot, uint64_t va, uint64_t bytes)
{
	uint64_t start = BOUNDED_BASE + slot * BOUNDED_ROOM;

	return slot < GPU_BOUNDED_SLOTS && bytes <= BOUNDED_ROOM / 4 && !vm_overlaps(&g->m.vm, start, BOUNDED_ROOM) &&
		vm_map_alias(&g->m.vm, gpu_bounded_address(slot, va), va, bytes);
}

bool memory_is_bounded(const struct machine *m, uint64_t va)
{
	uint64_t offset = va - BOUNDED_BASE;

	return offset < GPU_BOUNDED_SLOTS * BOUNDED_ROOM &&
		vm_overlaps(&m->vm, BOUNDED_BASE + offset / BOUNDED_ROOM * BOUNDED_ROOM, BOUNDED_ROOM);
}

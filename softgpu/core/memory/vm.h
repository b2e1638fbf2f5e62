/* The device's address space: mappings of GPU addresses to host memory, kept sorted. */
#ifndef SOFTGPU_CORE_MEMORY_VM_H
#define SOFTGPU_CORE_MEMORY_VM_H

#include <stdbool.h>
#include <stdint.h>

struct vm_region {
	uint64_t va, size;
	uint8_t *host;
	uint64_t phys;
	unsigned access; /* enum vm_access */
};

struct vm {
	struct vm_region *region;
	uint32_t count, room;
	uint32_t last;      /* the region found last */
	uint64_t epoch;     /* counts changes */
	void (*look)(void); /* gpu_set_unmapped_hook; NULL: nothing comes meanwhile */
};

bool vm_map(struct vm *vm, const struct vm_region *r);
void vm_unmap(struct vm *vm, uint64_t va, uint64_t size);
void vm_close(struct vm *vm);
/* The mapping that holds [va, va + size) with that access, NULL without. Valid until the next change. */
const struct vm_region *vm_find(struct vm *vm, uint64_t va, uint64_t size, unsigned access);

#endif

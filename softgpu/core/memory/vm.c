#include "softgpu/core/memory/vm.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

/* Index of the first region that ends after va. */
static uint32_t region_index(const struct vm *vm, uint64_t va)
{
	uint32_t low = 0, high = vm->count;

	while (low < high) {
		uint32_t mid = (low + high) / 2;
		if (vm->region[mid].va + vm->region[mid].size <= va)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static bool insert_region(struct vm *vm, uint32_t at, const struct vm_region *r)
{
	if (vm->count == vm->capacity) {
		uint32_t capacity = vm->capacity ? 2 * vm->capacity : 64;
		struct vm_region *more = realloc(vm->region, capacity * sizeof *more);
		if (!more)
			return false;
		vm->region = more;
		vm->capacity = capacity;
	}
	memmove(vm->region + at + 1, vm->region + at, (vm->count - at) * sizeof *vm->region);
	vm->region[at] = *r;
	vm->count++;
	return true;
}

bool vm_map(struct vm *vm, const struct vm_region *r)
{
	uint32_t at = region_index(vm, r->va);

	if (!r->size || (r->va | r->size | r->phys | (uintptr_t)r->host) % PAGE || r->va + r->size < r->va)
		return false;
	if (at < vm->count && vm->region[at].va < r->va + r->size)
		return false;
	vm->epoch++;
	return insert_region(vm, at, r);
}

/* The part of `r` from `va` to its end. */
static struct vm_region region_tail(const struct vm_region *r, uint64_t va)
{
	uint64_t skip = va - r->va;

	return (struct vm_region){va, r->size - skip, r->host + skip, r->phys + skip, r->access};
}

void vm_unmap(struct vm *vm, uint64_t va, uint64_t size)
{
	uint64_t end = va + size;
	uint32_t at = region_index(vm, va);

	vm->epoch++;
	vm->last = 0;
	while (at < vm->count && vm->region[at].va < end) {
		struct vm_region *r = &vm->region[at], behind = {0};
		if (r->va + r->size > end)
			behind = region_tail(r, end);
		if (r->va < va) {
			r->size = va - r->va;
			at++;
		} else {
			memmove(r, r + 1, (vm->count - at - 1) * sizeof *r);
			vm->count--;
		}
		if (behind.size) {
			insert_region(vm, at, &behind);
			return;
		}
	}
}

void vm_close(struct vm *vm)
{
	free(vm->region);
	memset(vm, 0, sizeof *vm);
}

/* Finds the region that contains `va` and remembers it as vm->last. */
static bool find_vm_region(struct vm *vm, uint64_t va)
{
	uint32_t at = region_index(vm, va);

	if (at == vm->count || va < vm->region[at].va)
		return false;
	vm->last = at;
	return true;
}

static bool find_region_after_hook(struct vm *vm, uint64_t va)
{
	if (!vm->unmapped_hook)
		return false;
	vm->unmapped_hook();
	return find_vm_region(vm, va);
}

const struct vm_region *vm_find(struct vm *vm, uint64_t va, uint64_t size, unsigned access)
{
	if (vm->last >= vm->count || va - vm->region[vm->last].va >= vm->region[vm->last].size)
		if (!find_vm_region(vm, va) && !find_region_after_hook(vm, va))
			return NULL;
	const struct vm_region *r = &vm->region[vm->last];
	if (size > r->size - (va - r->va) || (r->access & access) != access)
		return NULL;
	return r;
}

#include "softgpu/core/memory/vm.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

/* Index of the first region that ends behind va. */
static uint32_t position(const struct vm *vm, uint64_t va)
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

static bool insert(struct vm *vm, uint32_t at, const struct vm_region *r)
{
	if (vm->count == vm->room) {
		uint32_t room = vm->room ? 2 * vm->room : 64;
		struct vm_region *more = realloc(vm->region, room * sizeof *more);
		if (!more)
			return false;
		vm->region = more;
		vm->room = room;
	}
	memmove(vm->region + at + 1, vm->region + at, (vm->count - at) * sizeof *vm->region);
	vm->region[at] = *r;
	vm->count++;
	return true;
}

bool vm_map(struct vm *vm, const struct vm_region *r)
{
	uint32_t at = position(vm, r->va);

	if (!r->size || (r->va | r->size | r->phys | (uintptr_t)r->host) % PAGE || r->va + r->size < r->va)
		return false;
	if (at < vm->count && vm->region[at].va < r->va + r->size)
		return false;
	vm->epoch++;
	return insert(vm, at, r);
}

/* The part of `r` from `va` on. */
static struct vm_region tail(const struct vm_region *r, uint64_t va)
{
	uint64_t skip = va - r->va;

	return (struct vm_region){va, r->size - skip, r->host + skip, r->phys + skip, r->access};
}

void vm_unmap(struct vm *vm, uint64_t va, uint64_t size)
{
	uint64_t end = va + size;
	uint32_t at = position(vm, va);

	vm->epoch++;
	vm->last = 0;
	while (at < vm->count && vm->region[at].va < end) {
		struct vm_region *r = &vm->region[at], behind = {0};
		if (r->va + r->size > end)
			behind = tail(r, end);
		if (r->va < va) {
			r->size = va - r->va;
			at++;
		} else {
			memmove(r, r + 1, (vm->count - at - 1) * sizeof *r);
			vm->count--;
		}
		if (behind.size) {
			insert(vm, at, &behind);
			return;
		}
	}
}

void vm_close(struct vm *vm)
{
	free(vm->region);
	memset(vm, 0, sizeof *vm);
}

/* Makes the region that holds `va` the one found last. */
static bool search(struct vm *vm, uint64_t va)
{
	uint32_t at = position(vm, va);

	if (at == vm->count || va < vm->region[at].va)
		return false;
	vm->last = at;
	return true;
}

static bool search_again(struct vm *vm, uint64_t va)
{
	if (!vm->look)
		return false;
	vm->look();
	return search(vm, va);
}

const struct vm_region *vm_find(struct vm *vm, uint64_t va, uint64_t size, unsigned access)
{
	if (vm->last >= vm->count || va - vm->region[vm->last].va >= vm->region[vm->last].size)
		if (!search(vm, va) && !search_again(vm, va))
			return NULL;
	const struct vm_region *r = &vm->region[vm->last];
	if (size > r->size - (va - r->va) || (r->access & access) != access)
		return NULL;
	return r;
}

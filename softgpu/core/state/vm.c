#include "softgpu/core/state/vm.h"

#include <stdlib.h>
#include <string.h>

#include "softgpu/core/softgpu.h"

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

bool vm_overlaps(const struct vm *vm, uint64_t va, uint64_t size)
{
	uint32_t at = region_index(vm, va);

	return at < vm->count && vm->region[at].va < va + size;
}

/* False if it overlaps a mapping. */
static bool add_region(struct vm *vm, const struct vm_region *r)
{
	if (vm_overlaps(vm, r->va, r->size))
		return false;
	vm->epoch++;
	return insert_region(vm, region_index(vm, r->va), r);
}

bool vm_map(struct vm *vm, const struct vm_region *r)
{
	if (!r->size || (r->va | r->size | r->phys | (uintptr_t)r->host) % PAGE || r->va + r->size < r->va)
		return false;
	return add_region(vm, r);
}

bool vm_map_alias(struct vm *vm, uint64_t alias, uint64_t va, uint64_t bytes)
{
	const struct vm_region *r = bytes ? vm_find(vm, va, bytes, 0) : NULL;

	if (!r || (alias ^ va) % PAGE || alias + bytes < alias)
		return false;
	uint64_t into = va - r->va;
	return add_region(
		vm, &(struct vm_region){alias, bytes, r->host + into, r->phys + into, r->access & ~(unsigned)VM_EXEC});
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

/* --- shifts --- */
/* The shift that the region is the memory of; NULL: none. */
static const struct vm_shift *shift_of(const struct vm *vm, const struct vm_region *r)
{
	for (uint32_t i = 0; i < vm->shifts; i++)
		if (r->phys - vm->shift[i].to < VM_SHIFT_BYTES)
			return &vm->shift[i];
	return NULL;
}

static uint64_t unshifted_phys(const struct vm *vm, const struct vm_region *r)
{
	const struct vm_shift *s = shift_of(vm, r);

	return s ? r->phys - s->to + s->from : r->phys;
}

void vm_begin_shift(struct vm *vm, unsigned owner, uint64_t va, uint64_t to)
{
	const struct vm_region *found = vm_find(vm, va, 1, 0);

	if (!found || vm->shifts == VM_SHIFTS)
		return;
	struct vm_region tail = region_tail(found, va);
	uint32_t at = (uint32_t)(found - vm->region);
	const struct vm_shift shift = {to, unshifted_phys(vm, &tail), owner};
	tail.phys = to;
	if (va == found->va) {
		vm->region[at] = tail;
	} else if (insert_region(vm, at + 1, &tail)) {
		vm->region[at].size -= tail.size;
	} else {
		return; /* out of memory: no shift */
	}
	vm->shift[vm->shifts++] = shift;
}

static bool continues_region(const struct vm_region *a, const struct vm_region *b)
{
	return a->va + a->size == b->va && a->phys + a->size == b->phys && a->host + a->size == b->host &&
		a->access == b->access;
}

/* With the region before it, or the one behind it, if they are one mapping. */
static void join_region(struct vm *vm, uint32_t i)
{
	struct vm_region *r = &vm->region[i];

	if (i + 1 < vm->count && continues_region(r, r + 1)) {
		r->size += r[1].size;
		memmove(r + 1, r + 2, (vm->count - i - 2) * sizeof *r);
		vm->count--;
	}
	if (i && continues_region(r - 1, r)) {
		r[-1].size += r->size;
		memmove(r, r + 1, (vm->count - i - 1) * sizeof *r);
		vm->count--;
	}
}

/* The mapping may have been removed in part, and a later shift may have cut it. */
static void end_shift(struct vm *vm, struct vm_shift s)
{
	for (uint32_t i = vm->count; i-- > 0;) {
		struct vm_region *r = &vm->region[i];
		if (r->phys - s.to >= VM_SHIFT_BYTES)
			continue;
		r->phys = r->phys - s.to + s.from;
		join_region(vm, i);
	}
}

static void remove_shift(struct vm *vm, uint32_t i)
{
	const struct vm_shift s = vm->shift[i];

	vm->shifts--;
	memmove(&vm->shift[i], &vm->shift[i + 1], (vm->shifts - i) * sizeof *vm->shift);
	end_shift(vm, s);
}

void vm_end_shifts(struct vm *vm, unsigned owner)
{
	for (uint32_t i = vm->shifts; i-- > 0;)
		if (vm->shift[i].owner == owner)
			remove_shift(vm, i);
}

static void end_all_shifts(struct vm *vm)
{
	while (vm->shifts)
		remove_shift(vm, vm->shifts - 1);
}

bool vm_copy(struct vm *vm, const struct vm *from)
{
	vm_close(vm);
	for (uint32_t i = 0; i < from->count; i++)
		if (!insert_region(vm, i, &from->region[i]))
			return false;
	vm->unmapped_hook = from->unmapped_hook;
	memcpy(vm->shift, from->shift, sizeof vm->shift);
	vm->shifts = from->shifts;
	end_all_shifts(vm); /* those of launches of `from` */
	return true;
}

/* Whether a mapping that a shift has cut in two contains [va, end). `r` contains va. */
static bool is_in_cut_mapping(const struct vm *vm, const struct vm_region *r, uint64_t va, uint64_t end)
{
	const struct vm_region *last = vm->region + vm->count - 1;

	for (; r < last && end > r->va + r->size; r++)
		if (!(shift_of(vm, r) || shift_of(vm, r + 1)) || r[1].va != r->va + r->size ||
			r[1].host != r->host + r->size || r[1].access != r->access)
			return false;
	return va < end && end <= r->va + r->size;
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
	if ((r->access & access) != access)
		return NULL;
	if (size > r->size - (va - r->va) && !(vm->shifts && is_in_cut_mapping(vm, r, va, va + size)))
		return NULL;
	return r;
}

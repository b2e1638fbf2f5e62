/* The device's address space: a sorted list of mappings from GPU addresses to host memory. */
#ifndef SOFTGPU_CORE_STATE_VM_H
#define SOFTGPU_CORE_STATE_VM_H

#include <stdbool.h>
#include <stdint.h>

struct vm_region {
	uint64_t va, size;
	uint8_t *host;
	uint64_t phys;
	unsigned access; /* enum vm_access */
};

/* Memory that caches and channels see at other addresses during a launch, the owner. */
struct vm_shift {
	uint64_t to, from; /* physical addresses of its first byte: now, and else */
	unsigned owner;
};
enum { VM_SHIFTS = 24 };
#define VM_SHIFT_BYTES (UINT64_C(1) << 39) /* more than any mapping has; at most the distance of two shifts */

struct vm {
	struct vm_region *region;
	uint32_t count, capacity;
	uint32_t last;  /* index of the region found last */
	uint64_t epoch; /* number of changes */
	struct vm_shift shift[VM_SHIFTS];
	uint32_t shifts;
	void (*unmapped_hook)(
		void); /* called before an address counts as unmapped (gpu_set_unmapped_hook); may be NULL */
};

bool vm_map(struct vm *vm, const struct vm_region *r);
/* Maps [alias, alias + bytes) to the memory that is mapped at `va`, to the byte and without VM_EXEC. False if that is
 * not in one mapping, if `alias` is in use, or memory runs out. */
bool vm_map_alias(struct vm *vm, uint64_t alias, uint64_t va, uint64_t bytes);
/* Replaces the mappings by those of `from`. False if memory runs out. */
bool vm_copy(struct vm *vm, const struct vm *from);
void vm_unmap(struct vm *vm, uint64_t va, uint64_t size);
/* Until vm_end_shifts, caches and channels see the memory from `va` to the end of its mapping, or to where another
 * shift begins, at the physical address `to`, where nothing is mapped. Without effect on unmapped memory. */
void vm_begin_shift(struct vm *vm, unsigned owner, uint64_t va, uint64_t to);
/* Those of one owner; others stay. */
void vm_end_shifts(struct vm *vm, unsigned owner);
void vm_close(struct vm *vm);
/* Whether anything is mapped in [va, va + size). */
bool vm_overlaps(const struct vm *vm, uint64_t va, uint64_t size);
/* The mapping that contains [va, va + size) and permits the access; NULL: none. Where a shift has cut the mapping, its
 * part that contains va: its `host` continues behind it. Valid until the next change. */
const struct vm_region *vm_find(struct vm *vm, uint64_t va, uint64_t size, unsigned access);

#endif

/* The program's allocations that kernels can reach, to the byte. Memory that the runtime allocates for itself is not
 * among them.
 *
 * An allocation that was freed stays known until its addresses are used again, or FREED_ALLOCATIONS_MAX were freed
 * after it. Any thread; the lock is held for a search, and for an insertion. */
#ifndef SOFTGPU_DRIVER_CHECK_ALLOCATIONS_H
#define SOFTGPU_DRIVER_CHECK_ALLOCATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "softgpu/core/softgpu.h"

enum { FREED_ALLOCATIONS_MAX = 65536 };
/* At least as many bytes before and after an allocation are no other memory that is mapped, if it has addresses of its
 * own (va_quarantine.h). */
#define ALLOCATION_GUARD UINT64_C(65536)

check_find_fn allocations_find_extent;

struct allocation {
	uint64_t address, bytes;         /* as kernels see it */
	const char *how;                 /* the function that the program called: "hipMalloc". Never NULL */
	uint32_t allocated_by, freed_by; /* stacks (host_stack.h); 0: none */
	bool freed;
};
/* False: it is not known, or was forgotten. */
bool allocations_get(uint32_t number, struct allocation *out);

/* What the program has not freed by itself: live ones, and those that hipDeviceReset or the end of the runtime freed.
 * Fills in up to max numbers in the order of the addresses; returns how many there are, and their *bytes. */
size_t allocations_list_leaks(uint32_t *out, size_t max, uint64_t *bytes);

/* The live ones in the order of the addresses, up to max; returns how many there are. */
size_t allocations_list_live(struct allocation *out, size_t max);

/* --- for the hooks --- */
struct new_allocation {
	uint64_t address, bytes, host; /* host: where the program has registered memory; otherwise 0 */
	bool own_addresses;            /* nothing else is within ALLOCATION_GUARD */
	const char *how;
	uint32_t stack;
};
/* Older ones at these addresses are forgotten. Returns its number; 0: memory runs out. */
uint32_t allocations_add(const struct new_allocation *a);
struct live_allocation {
	uint64_t address;
	uint32_t number; /* 0: none */
};
/* The one that begins at an address, or for which the program has registered `host`. */
struct live_allocation allocations_find_live(uint64_t address);
struct live_allocation allocations_find_registered(uint64_t host);
/* No effect if it is not live any more. by_program: the program has freed it by itself. */
void allocations_free(struct live_allocation which, uint32_t stack, bool by_program);
/* Forgets all, with their numbers. */
void allocations_forget_all(void);
void allocations_revive(struct live_allocation which); /* the runtime refused to free it */

#endif

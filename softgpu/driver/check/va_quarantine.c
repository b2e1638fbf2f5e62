#include "softgpu/driver/check/va_quarantine.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "softgpu/driver/check/allocations.h"

/* Below programs, libraries and stacks; above the shadow memory of address sanitizers, and bounded buffers
 * (gpu_bounded_address). */
#define FIRST  UINT64_C(0x300000000000)
#define END    UINT64_C(0x500000000000)
#define STRIDE ALLOCATION_GUARD
enum { TRIES = 4096 };

static _Atomic uint64_t next; /* from FIRST on */

static __thread unsigned depth;

void va_quarantine_begin(void)
{
	depth++;
}

void va_quarantine_end(void)
{
	depth--;
}

bool va_quarantine_contains(uint64_t address)
{
	return address - FIRST < END - FIRST;
}

bool va_quarantine_serves(const void *address, int protection, int flags)
{
	const int all = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

	return depth && !address && protection == PROT_NONE && (flags & all) == all;
}

/* A start behind the last one, with room to the mapping after it; at the end of the range, the first one again. */
static uint64_t take_range(uint64_t bytes)
{
	const uint64_t room = (bytes + 2 * STRIDE - 1) & ~(STRIDE - 1);
	uint64_t at = next, after;

	do {
		after = at + room > END - FIRST ? room : at + room;
	} while (
		!__atomic_compare_exchange_n((uint64_t *)&next, &at, after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return FIRST + after - room;
}

void *va_quarantine_reserve(size_t bytes, int flags)
{
	if (bytes < END - FIRST)
		for (int i = 0; i < TRIES; i++) {
			void *at = (void *)(uintptr_t)take_range(bytes);
			long got = syscall(SYS_mmap, at, bytes, PROT_NONE, flags | MAP_FIXED_NOREPLACE, -1, 0);

			if (got == (long)(uintptr_t)at)
				return at;
			if (got == -1 && errno != EEXIST)
				break;
			if (got != -1) /* a kernel before 4.17 */
				syscall(SYS_munmap, got, bytes);
		}
	return (void *)syscall(SYS_mmap, NULL, bytes, PROT_NONE, flags, -1, 0);
}

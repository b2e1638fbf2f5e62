/* Kernels with a fault, and the same without it ("_ok"), for checks of memory, LDS and barriers. */
#include <stdint.h>

#define GLOBAL extern "C" __attribute__((global, amdgpu_flat_work_group_size(64, 256)))
#define SHARED static __attribute__((shared))
#define ITEM   __builtin_amdgcn_workitem_id_x()
#define LANES  __AMDGCN_WAVEFRONT_SIZE
enum { SIZE = 256 };

__attribute__((device)) static inline void barrier()
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

__attribute__((device)) static inline uint32_t reduce(volatile uint32_t *s, uint32_t t, bool wait)
{
	for (uint32_t n = SIZE / 2; n; n /= 2) {
		if (t < n)
			s[t] += s[t + n];
		if (wait)
			barrier();
	}
	return s[0];
}

/* --- races in LDS --- */
GLOBAL void neighbor(uint32_t *out)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = out[ITEM];
	out[ITEM] = s[(ITEM + 64) % SIZE];
}

GLOBAL void neighbor_ok(uint32_t *out)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = out[ITEM];
	barrier();
	out[ITEM] = s[(ITEM + 64) % SIZE];
}

/* No wave but the own one is read. */
GLOBAL void same_wave_ok(uint32_t *out)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = out[ITEM];
	out[ITEM] = s[ITEM ^ 1];
}

GLOBAL void reduction(uint32_t *out)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = out[ITEM];
	barrier();
	out[ITEM] = reduce(s, ITEM, false);
}

GLOBAL void reduction_ok(uint32_t *out)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = out[ITEM];
	barrier();
	out[ITEM] = reduce(s, ITEM, true);
}

/* The next trip stores what others may not have read yet. */
GLOBAL void second_barrier(uint32_t *out, uint32_t trips)
{
	SHARED volatile uint32_t s[SIZE];
	uint32_t sum = 0;
	for (uint32_t k = 0; k < trips; k++) {
		s[ITEM] = out[ITEM] + k;
		barrier();
		sum += s[(ITEM + 64) % SIZE];
	}
	out[ITEM] = sum;
}

GLOBAL void second_barrier_ok(uint32_t *out, uint32_t trips)
{
	SHARED volatile uint32_t s[SIZE];
	uint32_t sum = 0;
	for (uint32_t k = 0; k < trips; k++) {
		s[ITEM] = out[ITEM] + k;
		barrier();
		sum += s[(ITEM + 64) % SIZE];
		barrier();
	}
	out[ITEM] = sum;
}

GLOBAL void bytes(uint8_t *out)
{
	SHARED volatile uint8_t s[SIZE];
	s[ITEM] = out[ITEM];
	out[ITEM] = s[ITEM ^ 64];
}

/* Bytes of one dword belong to different waves. */
GLOBAL void bytes_ok(uint8_t *out)
{
	SHARED volatile uint8_t s[SIZE];
	const uint32_t at = ITEM % 64 * 4 + ITEM / 64;
	s[at] = out[ITEM];
	out[ITEM] = s[at] + 1;
}

GLOBAL void counter(uint32_t *out)
{
	SHARED uint32_t count;
	if (!ITEM)
		count = 0;
	barrier();
	__atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
	out[ITEM] = *(volatile uint32_t *)&count;
}

GLOBAL void counter_ok(uint32_t *out)
{
	SHARED uint32_t count;
	if (!ITEM)
		count = 0;
	barrier();
	__atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
	barrier();
	out[ITEM] = *(volatile uint32_t *)&count;
}

GLOBAL void histogram_ok(uint32_t *out)
{
	SHARED uint32_t bins[64];
	if (ITEM < 64)
		bins[ITEM] = 0;
	barrier();
	__atomic_fetch_add(&bins[out[ITEM] % 64], 1, __ATOMIC_RELAXED);
	barrier();
	out[ITEM] = bins[ITEM % 64];
}

GLOBAL void one_cell(uint32_t *out)
{
	SHARED volatile uint32_t s;
	s = ITEM;
	barrier();
	out[ITEM] = s;
}

/* All store the same value. */
GLOBAL void one_cell_ok(uint32_t *out)
{
	SHARED volatile uint32_t s;
	s = 7;
	barrier();
	out[ITEM] = s;
}

/* The first wave hands a value to the others, which poll. */
GLOBAL void flag_ok(uint32_t *out)
{
	SHARED volatile uint32_t value, flag;
	if (!ITEM)
		flag = 0;
	barrier();
	if (ITEM < LANES) {
		value = 42;
		__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
		flag = 1;
	} else {
		while (!flag)
			;
		__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
	}
	out[ITEM] = value;
}

/* The value is stored after the flag. */
GLOBAL void flag(uint32_t *out)
{
	SHARED volatile uint32_t value, flag;
	if (!ITEM)
		flag = 0;
	barrier();
	if (ITEM < LANES) {
		flag = 1;
		__builtin_amdgcn_s_sleep(100);
		value = 42;
	} else {
		while (!flag)
			;
	}
	out[ITEM] = value;
}

/* The last wave reads what the others have counted down. */
GLOBAL void last_wave_ok(uint32_t *out)
{
	SHARED uint32_t left;
	SHARED volatile uint32_t s[SIZE];
	if (!ITEM)
		left = SIZE / LANES;
	barrier();
	s[ITEM] = out[ITEM];
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	uint32_t before = ITEM % LANES ? 0 : __atomic_fetch_sub(&left, 1, __ATOMIC_RELAXED);
	before = __builtin_amdgcn_readfirstlane(before);
	if (before == 1)
		for (uint32_t k = 0; k < SIZE / LANES; k++)
			out[ITEM % LANES + LANES * k] = s[(ITEM + LANES * k) % SIZE];
}

/* --- bounds --- */
GLOBAL void lds_end(uint32_t *out)
{
	SHARED volatile uint32_t s[100];
	s[ITEM % 101] = ITEM;
	barrier();
	out[ITEM] = s[ITEM % 100];
}

GLOBAL void lds_end_ok(uint32_t *out)
{
	SHARED volatile uint32_t s[101];
	if (ITEM < 101)
		s[ITEM] = ITEM;
	barrier();
	out[ITEM] = s[ITEM % 101];
}

GLOBAL void buffer_end(uint32_t *out, uint32_t from)
{
	out[ITEM + from] = ITEM;
}

GLOBAL void buffer_end_ok(uint32_t *out, uint32_t from)
{
	out[ITEM + from] = ITEM;
}

/* --- barriers --- */
GLOBAL void half_barrier(uint32_t *out)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = ITEM;
	if (ITEM % 2)
		barrier();
	out[ITEM] = s[ITEM];
}

GLOBAL void half_barrier_ok(uint32_t *out)
{
	SHARED volatile uint32_t s[SIZE];
	if (ITEM % 2)
		s[ITEM] = ITEM;
	barrier();
	out[ITEM] = s[ITEM];
}

/* They return, and so wait for nothing. */
GLOBAL void early_return_ok(uint32_t *out)
{
	SHARED volatile uint32_t s[SIZE];
	if (ITEM % 64 >= 50)
		return;
	s[ITEM] = ITEM;
	barrier();
	out[ITEM] = s[ITEM];
}

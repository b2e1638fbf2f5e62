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

/* Additions of doubles are a loop of compare-and-swap, which begins with a plain load. */
GLOBAL void double_sum_ok(double *out)
{
	SHARED double sum;
	if (!ITEM)
		sum = 0;
	barrier();
	uint64_t old = *(uint64_t *)&sum, next;
	do {
		const double more = __builtin_bit_cast(double, old) + out[ITEM % 128];
		next = __builtin_bit_cast(uint64_t, more);
	} while (!__atomic_compare_exchange_n((uint64_t *)&sum, &old, next, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	barrier();
	out[ITEM % 128] = sum;
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

GLOBAL void scratch_end(uint32_t *out, uint32_t n)
{
	volatile uint32_t a[8];
	for (uint32_t k = 0; k < 8; k++)
		a[k] = k;
	a[ITEM % n] = ITEM;
	out[ITEM] = a[out[ITEM] % 8];
}

GLOBAL void scratch_end_ok(uint32_t *out, uint32_t n)
{
	volatile uint32_t a[8];
	for (uint32_t k = 0; k < 8; k++)
		a[k] = k;
	a[ITEM % n] = ITEM;
	out[ITEM] = a[out[ITEM] % 8];
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

/* --- uninitialized values: `fresh` was never written --- */
GLOBAL void fresh_branch(uint32_t *out, uint32_t value, const uint32_t *fresh)
{
	if (fresh[0] == value)
		out[ITEM] = 1;
}

GLOBAL void fresh_branch_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	fresh[0] = 3;
	if (fresh[0] == value)
		out[ITEM] = 1;
}

GLOBAL void fresh_mask(uint32_t *out, uint32_t value, const uint32_t *fresh)
{
	if (fresh[ITEM] == value)
		out[ITEM] = 1;
}

GLOBAL void fresh_mask_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	fresh[ITEM] = ITEM;
	if (*(volatile uint32_t *)&fresh[ITEM] == value)
		out[ITEM] = 1;
}

GLOBAL void fresh_address(uint32_t *out, uint32_t value, const uint32_t *fresh)
{
	out[fresh[ITEM] + ITEM] = 1;
}

/* Only the low byte was written, and only it is used. */
GLOBAL void fresh_address_ok(uint32_t *out, uint32_t value, uint8_t *fresh)
{
	fresh[4 * ITEM] = ITEM;
	out[((volatile uint32_t *)fresh)[ITEM] & 255] = 1;
}

GLOBAL void fresh_atomic(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	__atomic_fetch_add(&fresh[ITEM], 1, __ATOMIC_RELAXED);
}

GLOBAL void fresh_atomic_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	__atomic_fetch_add(&out[ITEM], 1, __ATOMIC_RELAXED);
}

GLOBAL void fresh_lds(uint32_t *out)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM / 2] = ITEM;
	barrier();
	if (s[ITEM] == 3)
		out[ITEM] = 1;
}

GLOBAL void fresh_lds_ok(uint32_t *out)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM ^ 1] = ITEM;
	barrier();
	if (s[ITEM] == 3)
		out[ITEM] = 1;
}

/* Copies decide nothing: structures have padding. */
GLOBAL void fresh_copy_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = fresh[ITEM];
	out[ITEM] = s[ITEM] + 1;
}

/* Neither does what a comparison masks away. */
GLOBAL void fresh_masked_ok(uint32_t *out, uint32_t value, const uint32_t *fresh)
{
	const uint32_t x = fresh[ITEM];
	out[ITEM] = ITEM > 1000 ? x : ITEM;
	if (ITEM > 1000 & x == 5)
		out[0] = 1;
}

/* The copied value is what it was. */
GLOBAL void fresh_copied(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = fresh[ITEM];
	const uint32_t x = __builtin_amdgcn_ds_bpermute(4 * (ITEM ^ 1), s[ITEM]) * 3 + 1;
	if (x == value)
		out[ITEM] = 1;
}

GLOBAL void fresh_copied_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = out[ITEM];
	const uint32_t x = __builtin_amdgcn_ds_bpermute(4 * (ITEM ^ 1), s[ITEM]) * 3 + 1;
	if (x == value)
		out[ITEM] = 1;
}

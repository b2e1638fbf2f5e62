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

/* The first wave waits for a flag that no one sets, and the others at a barrier. */
__attribute__((device)) static inline void await_flag(uint32_t *out, bool set)
{
	SHARED volatile uint32_t flag;
	if (!ITEM)
		flag = 0;
	barrier();
	if (set && ITEM == 3 * LANES)
		flag = 1;
	while (ITEM < LANES && !flag)
		;
	barrier();
	out[ITEM] = flag;
}

GLOBAL void stuck(uint32_t *out)
{
	await_flag(out, false);
}

GLOBAL void stuck_ok(uint32_t *out)
{
	await_flag(out, true);
}

/* Gives up after a while: by a count, and by what is in memory. */
GLOBAL void gives_up_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	SHARED volatile uint32_t flag;
	uint32_t trips = 500;
	if (!ITEM)
		flag = 0;
	barrier();
	if (ITEM < LANES)
		while (!flag && trips)
			trips--;
	else if (ITEM < 2 * LANES)
		while (!flag && __atomic_fetch_add(&out[1], 1, __ATOMIC_RELAXED) < 50000)
			;
	barrier();
	out[ITEM] = flag;
}

/* --- what other hardware does not allow --- */
GLOBAL void lanes_return(uint32_t *out)
{
	SHARED volatile uint32_t s[SIZE];
	if (ITEM % 64 >= 20)
		return;
	s[ITEM] = ITEM;
	barrier();
	out[ITEM] = s[ITEM];
}

GLOBAL void lanes_return_ok(uint32_t *out)
{
	SHARED volatile uint32_t s[SIZE];
	if (ITEM % 64 < 20)
		s[ITEM] = ITEM;
	barrier();
	if (ITEM % 64 >= 20)
		return;
	out[ITEM] = s[ITEM];
}

GLOBAL void wave_returns(uint32_t *out)
{
	SHARED volatile uint32_t s[SIZE];
	if (ITEM >= 128)
		return;
	s[ITEM] = ITEM;
	barrier();
	out[ITEM] = s[ITEM];
}

GLOBAL void wave_returns_ok(uint32_t *out)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = ITEM;
	barrier();
	if (ITEM >= 128)
		return;
	out[ITEM] = s[ITEM];
}

GLOBAL void two_barriers(uint32_t *out)
{
	SHARED volatile uint32_t s[SIZE];
	if (ITEM < 64) {
		s[ITEM] = 1;
		barrier();
		out[ITEM] = s[ITEM + 64];
	} else {
		s[ITEM] = ITEM;
		barrier();
	}
}

GLOBAL void two_barriers_ok(uint32_t *out)
{
	SHARED volatile uint32_t s[SIZE];
	s[ITEM] = ITEM;
	barrier();
	if (ITEM < 64)
		out[ITEM] = s[ITEM + 64];
	barrier();
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

/* Scratch begins undefined: half of the work-items store nothing. */
GLOBAL void fresh_scratch(uint32_t *out, uint32_t value)
{
	volatile uint32_t a[4];
	if (ITEM % 2)
		a[value % 4] = ITEM;
	if (a[value % 4] == 3)
		out[ITEM] = 1;
}

GLOBAL void fresh_scratch_ok(uint32_t *out, uint32_t value)
{
	volatile uint32_t a[4];
	a[value % 4] = ITEM;
	if (a[value % 4] == 3)
		out[ITEM] = 1;
}

/* Parts of what was stored. */
GLOBAL void fresh_scratch_bytes(uint32_t *out, uint32_t value)
{
	volatile uint8_t a[16];
	a[value + 1] = ITEM;
	a[value + 2] = ITEM;
	if (a[value] == 3)
		out[ITEM] = 1;
}

GLOBAL void fresh_scratch_bytes_ok(uint32_t *out, uint32_t value)
{
	volatile uint8_t a[16];
	a[value + 1] = ITEM;
	a[value + 2] = ITEM;
	if (*(volatile uint16_t *)&a[value + 1] == 0x303)
		out[ITEM] = 1;
}

/* Undefined values in more registers than there are, which are spilled and filled. Bit 0 of each is defined. */
enum { VALUES = 48 };
#define FEW_REGISTERS __attribute__((amdgpu_num_vgpr(32)))

__attribute__((device)) static inline uint32_t sum_spilled(uint32_t *out, const uint32_t *fresh, uint32_t keep)
{
	uint32_t v[VALUES], sum = 0;
#pragma unroll
	for (uint32_t k = 0; k < VALUES; k++) {
		v[k] = fresh[ITEM + k] * 2;
		__asm__ volatile("" : "+v"(v[k]));
	}
	barrier();
#pragma unroll
	for (uint32_t k = 0; k < VALUES; k++) {
		__asm__ volatile("" : "+v"(v[k]));
		sum += v[k] & keep;
	}
	return sum;
}

GLOBAL FEW_REGISTERS void fresh_spilled(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	if (sum_spilled(out, fresh, 3) == value)
		out[ITEM] = 1;
}

GLOBAL FEW_REGISTERS void fresh_spilled_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	if (sum_spilled(out, fresh, 1) == value)
		out[ITEM] = 1;
}

/* --- races in global memory: workgroups write to `out`, and `fresh` begins with zeros --- */
#define GROUP __builtin_amdgcn_workgroup_id_x()
#define AGENT "agent"
enum { GROUPS = 3 };

__attribute__((device)) static inline void release()
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, AGENT);
}

__attribute__((device)) static inline void acquire()
{
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, AGENT);
}

__attribute__((device)) static inline uint32_t poll(const uint32_t *at)
{
	return __hip_atomic_load(at, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

__attribute__((device)) static inline void post(uint32_t *at, uint32_t value)
{
	__hip_atomic_store(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

__attribute__((device)) static inline uint32_t add(uint32_t *at, uint32_t value)
{
	return __hip_atomic_fetch_add(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* Reads what the next workgroup writes. */
GLOBAL void next_group(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	const uint32_t at = GROUP * SIZE + ITEM;
	out[at] = ITEM;
	fresh[at] = out[(at + SIZE) % (GROUPS * SIZE)];
}

GLOBAL void next_group_ok(uint32_t *out)
{
	const uint32_t at = GROUP * SIZE + ITEM;
	volatile uint32_t *const own = out;
	own[at] = ITEM;
	own[at] = own[GROUP * SIZE + (ITEM ^ 1)];
}

/* Each loads its neighbors before it stores. */
GLOBAL void stencil(uint32_t *out)
{
	const uint32_t at = GROUP * SIZE + ITEM;
	out[at] += out[at + 1];
}

GLOBAL void stencil_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	const uint32_t at = GROUP * SIZE + ITEM;
	fresh[at] = out[at] + out[at + 1];
}

GLOBAL void next_wave(uint32_t *out)
{
	volatile uint32_t *const own = out + GROUP * SIZE;
	own[ITEM] = ITEM;
	out[ITEM + GROUP * SIZE] = out[(ITEM + 64) % SIZE + GROUP * SIZE] + 1;
}

GLOBAL void next_wave_ok(uint32_t *out)
{
	uint32_t *const own = out + GROUP * SIZE;
	own[ITEM] = ITEM;
	barrier();
	const uint32_t other = own[(ITEM + 64) % SIZE];
	barrier();
	own[ITEM] = other + 1;
}

/* The workgroup that ends last sums up what all have left. */
__attribute__((device)) static inline bool is_last_group(uint32_t *count)
{
	SHARED uint32_t before;
	barrier();
	if (!ITEM) {
		release();
		before = add(count, 1);
		acquire();
	}
	barrier();
	return before == GROUPS - 1;
}

GLOBAL void last_group(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	fresh[GROUP * SIZE + ITEM] = ITEM;
	barrier();
	if (GROUP == GROUPS - 1)
		out[ITEM] = fresh[ITEM] + fresh[SIZE + ITEM] + fresh[2 * SIZE + ITEM];
}

GLOBAL void last_group_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	fresh[GROUP * SIZE + ITEM] = ITEM;
	if (is_last_group(&fresh[1000]))
		out[ITEM] = fresh[ITEM] + fresh[SIZE + ITEM] + fresh[2 * SIZE + ITEM];
}

/* The first work-item counts before the other waves have stored. */
GLOBAL void last_group_early(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	SHARED uint32_t before;
	if (!ITEM)
		before = add(&fresh[1000], 1);
	fresh[GROUP * SIZE + ITEM] = ITEM;
	barrier();
	if (before == GROUPS - 1)
		out[ITEM] = fresh[ITEM] + fresh[SIZE + ITEM] + fresh[2 * SIZE + ITEM];
}

GLOBAL void last_group_early_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	SHARED uint32_t before;
	fresh[GROUP * SIZE + ITEM] = ITEM;
	barrier();
	if (!ITEM)
		before = add(&fresh[1000], 1);
	barrier();
	if (before == GROUPS - 1)
		out[ITEM] = fresh[ITEM] + fresh[SIZE + ITEM] + fresh[2 * SIZE + ITEM];
}

/* Each workgroup adds its sum to that of the one before, which posts a flag. */
__attribute__((device)) static inline void look_back(uint32_t *out, uint32_t *fresh, bool wait)
{
	const uint32_t group = GROUP;
	if (ITEM)
		return;
	uint32_t sum = group + 1;
	if (group) {
		while (wait && !poll(&fresh[group - 1]))
			;
		acquire();
		sum += fresh[500 + group - 1];
	}
	fresh[500 + group] = sum;
	release();
	post(&fresh[group], 1);
}

GLOBAL void look_back_sum(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	look_back(out, fresh, false);
}

GLOBAL void look_back_sum_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	look_back(out, fresh, true);
}

/* What the first workgroup did is known to the last one through the one between them. */
GLOBAL void through_middle(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	const uint32_t group = GROUP;
	fresh[600 + 64 * group + ITEM % 64] = 1;
	look_back(out, fresh, true);
	if (group == 2)
		out[ITEM] = fresh[600 + ITEM % 64];
}

GLOBAL void through_middle_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	const uint32_t group = GROUP;
	fresh[600 + 64 * group + ITEM % 64] = 1;
	barrier();
	look_back(out, fresh, true);
	barrier();
	if (group == 2)
		out[ITEM] = fresh[600 + ITEM % 64];
}

/* All workgroups meet. */
__attribute__((device)) static inline void meet(uint32_t *count, uint32_t until)
{
	barrier();
	if (!ITEM) {
		release();
		add(count, 1);
		while (poll(count) < until)
			;
		acquire();
	}
	barrier();
}

__attribute__((device)) static inline void exchange(uint32_t *fresh, bool wait)
{
	for (uint32_t k = 1; k <= 4; k++) {
		fresh[GROUP * SIZE + ITEM] = k;
		if (wait)
			meet(&fresh[1000], (2 * k - 1) * GROUPS);
		fresh[800 + GROUP] = fresh[(GROUP + 1) % GROUPS * SIZE + 7];
		if (wait)
			meet(&fresh[1000], 2 * k * GROUPS);
	}
}

GLOBAL void grid_barrier(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	exchange(fresh, false);
}

GLOBAL void grid_barrier_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	exchange(fresh, true);
}

/* The first workgroup adds the parts of the others, which post that they are there. */
__attribute__((device)) static inline void fix_up(uint32_t *out, uint32_t *fresh, bool wait)
{
	const uint32_t group = GROUP;
	uint32_t sum = ITEM;
	if (group) {
		fresh[group * SIZE + ITEM] = sum;
		barrier();
		release();
		if (!ITEM)
			post(&fresh[group], 1);
		return;
	}
	for (uint32_t k = 1; k < GROUPS; k++) {
		while (wait && !poll(&fresh[k]))
			;
		acquire();
		sum += fresh[k * SIZE + ITEM];
	}
	out[ITEM] = sum;
}

GLOBAL void stream_k(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	fix_up(out, fresh, false);
}

GLOBAL void stream_k_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	fix_up(out, fresh, true);
}

/* All workgroups write the same bytes. */
GLOBAL void group_bytes(uint8_t *out)
{
	out[ITEM] = ITEM + GROUP;
}

/* Bytes of one dword belong to different workgroups. */
GLOBAL void group_bytes_ok(uint8_t *out)
{
	volatile uint8_t *const own = out + 4 * ITEM + GROUP;
	*own = ITEM + GROUP;
	out[4 * ITEM + GROUP] = *own + 1;
}

/* The plain load does not wait for the other additions. */
GLOBAL void global_sum(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	add(&fresh[0], 1);
	out[GROUP * SIZE + ITEM] = fresh[0];
}

GLOBAL void global_sum_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	add(&fresh[ITEM % 7], 1);
}

/* Additions of doubles are a loop of compare-and-swap. */
GLOBAL void global_double_sum_ok(double *out, uint32_t value, double *fresh)
{
	uint64_t old = *(uint64_t *)fresh, next;
	do {
		const double more = __builtin_bit_cast(double, old) + out[ITEM % 128];
		next = __builtin_bit_cast(uint64_t, more);
	} while (!__atomic_compare_exchange_n((uint64_t *)fresh, &old, next, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

__attribute__((device)) static inline void add_locked(uint32_t *fresh, bool lock)
{
	if (ITEM)
		return;
	uint32_t none = 0;
	while (lock && !__hip_atomic_compare_exchange_strong(&fresh[0], &none, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
			       __HIP_MEMORY_SCOPE_AGENT))
		none = 0;
	acquire();
	fresh[64] += GROUP + 1;
	release();
	post(&fresh[0], 0);
}

GLOBAL void locked_sum(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	add_locked(fresh, false);
}

GLOBAL void locked_sum_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	add_locked(fresh, true);
}

/* The exchange that opens the lock is a plain store by its code. */
GLOBAL void exchanged_lock_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	if (ITEM)
		return;
	while (__hip_atomic_exchange(&fresh[0], 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT))
		;
	acquire();
	fresh[64] += GROUP + 1;
	release();
	__hip_atomic_exchange(&fresh[0], 0, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* A ticket lock. */
GLOBAL void ticket_lock_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	if (ITEM)
		return;
	const uint32_t ticket = add(&fresh[0], 1);
	while (poll(&fresh[1]) != ticket)
		;
	acquire();
	fresh[64] += GROUP + 1;
	release();
	post(&fresh[1], ticket + 1);
}

/* A scalar load. */
GLOBAL void uniform_load(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	fresh[GROUP] = GROUP + 1;
	out[ITEM + GROUP * SIZE] = ((const __attribute__((address_space(4))) uint32_t *)(uintptr_t)fresh)[2 - GROUP];
}

GLOBAL void uniform_load_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	fresh[GROUP] = GROUP + 1;
	out[ITEM + GROUP * SIZE] = ((const __attribute__((address_space(4))) uint32_t *)(uintptr_t)fresh)[500];
}

GLOBAL void same_value_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	fresh[0] = 1;
	if (out[ITEM] % 2)
		fresh[1] = 1;
}

/* A flag in LDS orders what a wave did in global memory. */
GLOBAL void lds_order(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	SHARED volatile uint32_t flag;
	uint32_t *const own = fresh + GROUP * SIZE;
	if (!ITEM)
		flag = 0;
	barrier();
	own[ITEM] = ITEM;
	if (ITEM >= LANES && ITEM < 2 * LANES)
		out[GROUP * SIZE + ITEM] = own[ITEM - LANES];
}

GLOBAL void lds_order_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	SHARED volatile uint32_t flag;
	uint32_t *const own = fresh + GROUP * SIZE;
	if (!ITEM)
		flag = 0;
	barrier();
	own[ITEM] = ITEM;
	if (ITEM < LANES) {
		release();
		flag = 1;
	} else if (ITEM < 2 * LANES) {
		while (!flag)
			;
		acquire();
		out[GROUP * SIZE + ITEM] = own[ITEM - LANES];
	}
}

/* Global wave sync: a wave of each workgroup meets the others. */
__attribute__((device)) static inline void sync_all_groups()
{
	barrier();
	if (ITEM < LANES)
		__asm__ volatile("s_mov_b32 m0, 0\n\tds_gws_barrier %0 offset:3 gds\n\ts_waitcnt vmcnt(0) lgkmcnt(0)" ::"v"(
					 GROUPS - 1)
				 : "memory");
	barrier();
}

GLOBAL void all_groups(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	fresh[GROUP * SIZE + ITEM] = ITEM;
	barrier();
	out[GROUP * SIZE + ITEM] = fresh[(GROUP + 1) % GROUPS * SIZE + ITEM];
}

GLOBAL void all_groups_ok(uint32_t *out, uint32_t value, uint32_t *fresh)
{
	fresh[GROUP * SIZE + ITEM] = ITEM;
	sync_all_groups();
	out[GROUP * SIZE + ITEM] = fresh[(GROUP + 1) % GROUPS * SIZE + ITEM];
}

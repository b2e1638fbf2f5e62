/* Kernels whose workgroups work alone, or communicate: by atomics, by tickets, by flags, by a barrier of the grid. */
#include <stdint.h>

#define GLOBAL extern "C" __attribute__((global, amdgpu_flat_work_group_size(64, 256)))
#define SHARED static __attribute__((shared))
#define AGENT  "agent"

static __attribute__((device)) inline uint32_t item(void)
{
	return __builtin_amdgcn_workitem_id_x();
}
static __attribute__((device)) inline uint32_t group(void)
{
	return __builtin_amdgcn_workgroup_id_x();
}
static __attribute__((device)) inline uint32_t number(void)
{
	return group() * 256 + item();
}

static __attribute__((device)) inline void barrier(void)
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

static __attribute__((device)) inline uint32_t add(uint32_t *at, uint32_t value)
{
	return __hip_atomic_fetch_add(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* Loads that hit and miss, arithmetic between them, and stores. */
GLOBAL void gather(uint32_t *out, const uint32_t *in, uint32_t mask)
{
	uint32_t x = number() * 2654435761u, sum = 0;

	for (int k = 0; k < 12; k++) {
		sum += in[x & mask];
		x = x * 1664525u + 1013904223u + (sum & 1);
	}
	out[number()] = sum;
}

/* Stores of each shape: rows of 16 lanes, pairs, bytes, lanes apart, some lanes, one address; and loads of what this
 * cluster has just stored. */
GLOBAL void shapes(uint32_t *out, const uint32_t *in, uint32_t mask)
{
	uint8_t *bytes = (uint8_t *)(out + 0x10000);
	uint64_t *pairs = (uint64_t *)(out + 0x8000);
	const uint32_t n = number() & 0x3fff, row = n / 16 % 4 * 4096 + n / 64 * 16 + n % 16;

	for (uint32_t k = 0; k < 3; k++) {
		out[row] = out[row] * 3 + in[(n + k * 77) & mask];
		pairs[n] += (uint64_t)out[row] << k;
		bytes[n] += out[row];
		bytes[0x4000 + n * 3] = n + k;
		if (item() % 3 == k)
			out[0x6000 + n / 2] = pairs[n] >> 5;
		out[0x14000 + n / 256] = group() + k;
	}
}

/* Loads that bypass L0 and hit the cache behind it: their times are known before their values. */
GLOBAL void again(uint32_t *out, const uint32_t *in, uint32_t mask)
{
	const volatile uint32_t *at = in + (number() & mask);
	uint32_t sum = 0;

	if (item() >= 64)
		return;
	for (uint32_t k = 0; k < 12; k++)
		sum += at[k];
	out[number()] = sum;
}

/* A sum in LDS, and one by an atomic for each workgroup, without a return. */
GLOBAL void reduce(uint32_t *out, const uint32_t *in, uint32_t mask)
{
	SHARED uint32_t part[256];

	part[item()] = in[number() & mask];
	for (uint32_t n = 128; n; n /= 2) {
		barrier();
		if (item() < n)
			part[item()] += part[item() + n];
	}
	if (!item())
		add(out, part[0]);
}

/* All on few addresses, with a load of another after it, which may be the same line. */
GLOBAL void histogram(uint32_t *out, const uint32_t *in, uint32_t mask)
{
	for (uint32_t k = 0; k < 8; k++)
		add(&out[in[(number() + k * 4096) & mask] & 63], 1);
}

/* Each workgroup takes a number, and writes who has it. */
GLOBAL void tickets(uint32_t *out, const uint32_t *in, uint32_t mask)
{
	SHARED uint32_t mine;

	(void)in, (void)mask;
	if (!item())
		mine = add(&out[0], 1);
	barrier();
	out[1 + mine * 4 + item() / 64] = group() + item() / 64;
}

/* Each workgroup waits for a flag of the one before it, and reads what that has written. */
GLOBAL void chain(uint32_t *out, const uint32_t *in, uint32_t mask)
{
	uint32_t *flag = out + 4096;

	(void)in, (void)mask;
	if (item() % 64)
		return;
	if (group())
		while (!__hip_atomic_load(&flag[group() - 1], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT))
			__builtin_amdgcn_s_sleep(1);
	if (item())
		return;
	out[group() + 1] = out[group()] * 3 + group();
	__hip_atomic_store(&flag[group()], 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}

/* Rounds of all workgroups: each adds its neighbor's value of the round before. `flag` counts arrivals. */
GLOBAL void rounds(uint32_t *out, const uint32_t *in, uint32_t mask)
{
	const uint32_t groups = 32;
	uint32_t *flag = out + 4096;

	(void)in, (void)mask;
	for (uint32_t k = 0; k < 6; k++) {
		const uint32_t next = (group() + 1) % groups;
		out[(k + 1) * 32 * 8 + group() * 8 + item() / 64] =
			__hip_atomic_load(&out[k * 32 * 8 + next * 8 + item() / 64], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) + group() + k;
		__builtin_amdgcn_fence(__ATOMIC_RELEASE, AGENT);
		barrier();
		if (!item()) {
			add(flag, 1);
			while (__hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) < (k + 1) * groups)
				__builtin_amdgcn_s_sleep(1);
		}
		barrier();
		__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, AGENT);
	}
}

/* Cells that many change, by atomics of other kinds: of the scalar cache, of an image, and one that returns next to its
 * data, which change before it acts. What each finds there shows the order. */
#ifdef __GFX9__
typedef uint32_t words2 __attribute__((ext_vector_type(2)));

/* 64 texels of R32_UINT in s[40:47]: their address in units of 256 bytes, and words 1 and 3 of the descriptor. */
#define DESCRIPTOR                                                                       \
	"s_mov_b32 s40, %2\n\ts_mov_b32 s41, %3\n\ts_mov_b32 s42, 63\n\ts_mov_b32 s43, %4\n\t" \
	"s_mov_b32 s44, 63 << 13\n\ts_mov_b32 s45, 0\n\ts_mov_b32 s46, 0\n\ts_mov_b32 s47, 0\n\t"

static __attribute__((device)) inline void change_cells(uint32_t *out)
{
	const uint64_t base = (uint64_t)(out + 0x4000);
	const uint32_t low = __builtin_amdgcn_readfirstlane(base >> 8),
		       high = __builtin_amdgcn_readfirstlane(base >> 40) | 4 << 20 | 4 << 26,
		       identity = 4 | 5 << 3 | 6 << 6 | 7 << 9 | 9u << 28;
	const words2 texel = {item() & 7, 0};
	uint32_t ticket = 1, swapped = number() + 1;

	asm volatile("s_atomic_add %0, %1, 0x0 glc\n\ts_waitcnt lgkmcnt(0)" : "+s"(ticket) : "s"(out) : "memory");
	out[64 + ticket] = number() / 64;
	asm volatile(DESCRIPTOR "image_atomic_swap %0, %1, s[40:47] dmask:0x1 unorm glc\n\ts_waitcnt vmcnt(0)"
		     : "+v"(swapped)
		     : "v"(texel), "s"(low), "s"(high), "s"(identity)
		     : "s40", "s41", "s42", "s43", "s44", "s45", "s46", "s47", "memory");
	out[0x8000 + number()] = swapped;
}
#define CMPSWAP "global_atomic_cmpswap v40, %1, v[41:42], off glc"
#define ADD_U32 "v_add_u32"
#else
static __attribute__((device)) inline void change_cells(uint32_t *out)
{
	add(out, number());
}
#define CMPSWAP "global_atomic_cmpswap_b32 v40, %1, v[41:42], off glc"
#define ADD_U32 "v_add_nc_u32"
#endif

GLOBAL void cells(uint32_t *out, const uint32_t *in, uint32_t mask)
{
	uint32_t found;

	(void)in, (void)mask;
	change_cells(out);
	for (uint32_t k = 0; k < 4; k++) {
		asm volatile("v_mov_b32 v41, %2\n\tv_mov_b32 v42, %3\n\t" CMPSWAP "\n\tv_mov_b32 v41, 7\n\tv_mov_b32 v42, 9\n\t"
			     "s_waitcnt vmcnt(0)\n\t" ADD_U32 " %0, v40, v41\n\t" ADD_U32 " %0, %0, v42"
			     : "=&v"(found)
			     : "v"(out + 0x7000 + item() % 32), "v"(number() + 1), "v"(k)
			     : "v40", "v41", "v42", "memory");
		out[0x10000 + number() * 4 + k] = found;
	}
}

/* Most workgroups leave the buffers, some after others, and each elsewhere. */
GLOBAL void fault(uint32_t *out, const uint32_t *in, uint32_t mask)
{
	uint32_t n = group() * 2654435761u >> 24;

	for (uint32_t k = 0; k < n; k++)
		out[number()] += in[(item() + k) & mask];
	if (n > 9)
		((volatile uint32_t *)out)[((uint64_t)1 << 40) + group() * 4096 + item()] = n;
}

/* Items read and write what others do, without any order. */
GLOBAL void race(uint32_t *out, const uint32_t *in, uint32_t mask)
{
	uint8_t *bytes = (uint8_t *)out;

	for (uint32_t k = 0; k < 6; k++) {
		out[(number() * 7 + k * 64) & 0x3fff] += out[(number() * 5 + k * 131) & 0x3fff] + in[number() & mask];
		bytes[(number() * 3 + k) & 0xffff] += bytes[(number() * 9 + k * 17) & 0xffff];
		out[0x8000 + group() % 64] += out[(number() * 11) & 0x3fff];
	}
}

/* Items look at a cell without order, and change it if it is still the same. */
GLOBAL void swaps(uint32_t *out, const uint32_t *in, uint32_t mask)
{
	(void)in, (void)mask;
	for (uint32_t k = 0; k < 6; k++) {
		uint32_t *cell = out + ((group() * 7 + k) & 63), seen = *cell, next = seen + number();
		while (!__atomic_compare_exchange_n(cell, &seen, next, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED) && seen & 15)
			next = seen + 1;
		out[0x8000 + number()] = seen;
	}
}

/* Kernels with much work that can run ahead, and instructions that must wait for their issue cycle. */
#include <stdint.h>

#define GLOBAL extern "C" __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
#define SHARED static __attribute__((shared))
enum { BLOCK = 256, TRIPS = 24 };

static __attribute__((device)) inline uint32_t item(void) { return __builtin_amdgcn_workitem_id_x(); }
static __attribute__((device)) inline uint32_t group(void) { return __builtin_amdgcn_workgroup_id_x(); }

static __attribute__((device)) inline void barrier(void)
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/* Loads, LDS and two barriers in each trip of a loop. */
GLOBAL void tiles(uint32_t *out, const uint32_t *in, uint32_t words)
{
	SHARED uint32_t tile[BLOCK];
	uint32_t t = item(), sum = 0, at = group() * 37;

	for (uint32_t n = 0; n < TRIPS; n++, at += BLOCK) {
		tile[t] = in[(at + t) % words];
		barrier();
		for (uint32_t k = 0; k < 8; k++)
			sum = sum * 5 + tile[(t * 3 + k * 17) % BLOCK];
		barrier();
	}
	out[group() * BLOCK + t] = sum;
}

/* The trip count of a lane depends on loaded values; there are no barriers. */
GLOBAL void diverge(uint32_t *out, const uint32_t *in, uint32_t words)
{
	uint32_t i = group() * BLOCK + item(), at = i % words, trips = 0;

	for (uint32_t v = in[at]; v % 29 && trips < 100; v = in[at], trips++)
		at = (at * 7 + v) % words;
	out[i] = at << 8 | trips;
}

/* One wave ends before the barriers of the others; the others write memory and count between barriers. */
GLOBAL void early_exit(uint32_t *out, const uint32_t *in, uint32_t words)
{
	SHARED uint32_t cell[BLOCK];
	uint32_t t = item(), wave = __builtin_amdgcn_readfirstlane(t / 64), i = group() * BLOCK + t;

	cell[t] = in[i % words];
	barrier();
	if (wave == 3)
		return;
	for (uint32_t n = 0; n < TRIPS; n++) {
		uint32_t v = cell[(t + n * 64) % BLOCK];
		if (wave == n % 3)
			out[i] = v + n;
		if (wave == 1 && t % 64 == n)
			__atomic_fetch_add(&out[group() * BLOCK + 3 * 64], v, __ATOMIC_RELAXED);
		barrier();
		if (wave < 2)
			cell[t] = v * 3 + out[group() * BLOCK + 2 * 64 + n % 64]; /* the last write is before the barrier, or long ago */
		barrier();
	}
	out[i] += cell[t];
}

/* Waves spin on LDS until another wave writes, which takes long. */
GLOBAL void spin(uint32_t *out, const uint32_t *in, uint32_t words)
{
	SHARED uint32_t word[4];
	uint32_t t = item(), wave = __builtin_amdgcn_readfirstlane(t / 64), v = in[t % words];

	if (t < 4)
		word[t] = 0;
	barrier();
	if (wave)
		while (__atomic_load_n(&word[wave - 1], __ATOMIC_ACQUIRE) == 0)
			;
	for (uint32_t n = 0; n < 50; n++)
		v = v * 5 + in[(v + n) % words];
	if (t % 64 == 0)
		__atomic_store_n(&word[wave], v | 1, __ATOMIC_RELEASE);
	out[group() * BLOCK + t] = v + (wave ? word[wave - 1] : 0);
}

/* The first lane of each wave takes a lock in LDS, works on data behind it, and gives it back with a store. */
GLOBAL void lock(uint32_t *out, const uint32_t *in, uint32_t words)
{
	SHARED uint32_t locked, sum;
	uint32_t t = item(), v = in[t % words];

	if (t == 0)
		locked = sum = 0;
	barrier();
	for (uint32_t n = 0; n < 20; n++) {
		for (uint32_t k = 0; k < t / 64 * 3; k++)
			v = v * 5 + in[(v + n) % words];
		if (t % 64 == 0) {
			uint32_t open = 0;
			while (!__atomic_compare_exchange_n(&locked, &open, 1, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
				open = 0;
			sum = sum * 3 + v % 7;
			__atomic_store_n(&locked, 0, __ATOMIC_RELEASE);
		}
	}
	barrier();
	out[group() * BLOCK + t] = v + sum;
}

/* Waves wait for each other in memory: between waves of a workgroup a plain load is enough. */
GLOBAL void relay(uint32_t *out, const uint32_t *in, uint32_t words)
{
	uint32_t t = item(), wave = __builtin_amdgcn_readfirstlane(t / 64), v = in[t % words];
	uint32_t *mine = out + group() * BLOCK + wave * 64, *before = mine - 64;

	if (wave)
		while (__hip_atomic_load(before, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP) == 0)
			;
	for (uint32_t n = 0; n < 50; n++)
		v = v * 5 + in[(v + n) % words];
	if (t % 64)
		mine[t % 64] = v + (wave ? *before : 0);
	else
		__hip_atomic_store(mine, v | 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP);
}

/* A wave takes what the others have ready, in the order of their times. */
GLOBAL void watch(uint32_t *out, const uint32_t *in, uint32_t words)
{
	SHARED uint32_t ready[4];
	uint32_t t = item(), wave = __builtin_amdgcn_readfirstlane(t / 64), v = in[t % words], sum = 0, taken = 0;

	if (t < 4)
		ready[t] = 0;
	barrier();
	for (uint32_t n = 0; wave && n < 10 * (v % 16); n++)
		v = v * 5 + in[(v + n) % words];
	if (wave)
		__atomic_store_n(&ready[wave], v | 1, __ATOMIC_RELEASE);
	for (uint32_t k = 1; !wave && taken < 3; k = k % 3 + 1) {
		uint32_t seen = __atomic_load_n(&ready[k], __ATOMIC_ACQUIRE);
		if (seen) {
			sum = sum * 3 + k;
			taken++;
			__atomic_store_n(&ready[k], 0, __ATOMIC_RELAXED);
		}
	}
	out[group() * BLOCK + t] = v + sum;
}

/* Waves store to the same word of LDS; the last one counts. */
GLOBAL void last_wins(uint32_t *out, const uint32_t *in, uint32_t words)
{
	SHARED uint32_t word;
	uint32_t t = item(), v = in[(group() * BLOCK + t) % words];

	for (uint32_t n = 0; n < v % 50; n++)
		v = v * 5 + in[(v + n) % words];
	if (t % 64 == 0)
		__atomic_store_n(&word, v, __ATOMIC_RELAXED);
	barrier();
	out[group() * BLOCK + t] = v + word;
}

/* As RCCL takes its work: after the barrier, the first wave loads the next piece into the LDS that the others still
 * read. The load takes longer than they need. */
GLOBAL void next_piece(uint32_t *out, const uint32_t *in, uint32_t words)
{
	SHARED uint32_t piece;
	uint32_t t = item(), sum = 0, seen;

	if (t < 64)
		piece = in[group() % words];
	barrier();
	for (uint32_t n = 1; n <= TRIPS; n++) {
		barrier();
		seen = __atomic_load_n(&piece, __ATOMIC_RELAXED);
		sum = sum * 5 + seen;
		if (t < 64)
			__atomic_store_n(&piece, in[(seen + n) % words], __ATOMIC_RELAXED);
		barrier();
	}
	out[group() * BLOCK + t] = sum;
}

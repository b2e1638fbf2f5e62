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

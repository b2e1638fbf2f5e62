/* References for multiply-add chains s = a * s + b: fused, or with the product rounded first.
 *
 * After a step that does not change s, no later step changes it: the chain stops there with the exact result of the
 * full length. No intermediate value is denormal (b is at least 1e-8; products are 0 or larger than b), so the flushing
 * of v_mad_f32 has no effect: both forms are exact. */
#include "kernels/reference/references.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"

enum {
	LANES = 64, /* chains computed together, 8 AVX2 vectors: a single chain is limited by latency */
	CHECK = 64, /* steps between two checks for a change */
};

typedef void run_fn(const float *a, const float *b, float *s, int length);

/* LANES chains from s = 0; inlined with a constant `fused`. */
static inline __attribute__((always_inline)) void run_lanes(
	bool fused, const float *a, const float *b, float *s, int length)
{
	float before[LANES];
	memset(s, 0, LANES * sizeof *s);
	for (int done = 0; done < length; done++) {
		bool check = done % CHECK == CHECK - 1;
		if (check)
			memcpy(before, s, sizeof before);
		for (int k = 0; k < LANES; k++) {
			float product = a[k] * s[k]; /* compiled with -ffp-contract=off: rounded here */
			s[k] = fused ? __builtin_fmaf(a[k], s[k], b[k]) : product + b[k];
		}
		if (check && !memcmp(before, s, sizeof before))
			return;
	}
}

static void run_unfused(const float *a, const float *b, float *s, int length)
{
	run_lanes(false, a, b, s, length);
}
static void run_fused(const float *a, const float *b, float *s, int length)
{
	run_lanes(true, a, b, s, length);
}
#ifdef __x86_64__
#define FAST __attribute__((target("avx2,fma"), optimize("O3")))
FAST static void run_unfused_fast(const float *a, const float *b, float *s, int length)
{
	run_lanes(false, a, b, s, length);
}
FAST static void run_fused_fast(const float *a, const float *b, float *s, int length)
{
	run_lanes(true, a, b, s, length);
}
#endif

static run_fn *choose_runner(bool fused)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		return fused ? run_fused_fast : run_unfused_fast;
#endif
	return fused ? run_fused : run_unfused;
}

static void chain_operands(uint32_t gid, float *a, float *b)
{
	float x = (float)gid, y = 0;
	*a = x / (x + 1.0f);
	*b = (y + 1.0f) / (y + 1.0e8f);
}

/* Work-items first .. first + LANES - 1. Those with an index in their block of at least `straight` swap a and b. */
static void run_chains(run_fn *run_chain, uint32_t first, uint32_t block, uint32_t straight, float *s, int length)
{
	float a[LANES], b[LANES];
	for (uint32_t k = 0; k < LANES; k++) {
		bool swapped = (first + k) % block >= straight;
		chain_operands(first + k, swapped ? &b[k] : &a[k], swapped ? &a[k] : &b[k]);
	}
	run_chain(a, b, s, length);
}

/* Chains that are not swapped depend only on their index and length: the next point of a sweep reuses those of the last
 * one. */
static struct {
	float *s;
	uint32_t count;
	int length;
	bool fused;
} kept;

static void extend_kept(uint32_t count, bool fused, int length)
{
	if (kept.length != length || kept.fused != fused)
		kept.count = 0;
	kept.length = length;
	kept.fused = fused;
	if (count <= kept.count)
		return;
	kept.s = xrealloc(kept.s, (count + LANES) * sizeof *kept.s);
	for (uint32_t i = kept.count - kept.count % LANES; i < count; i += LANES)
		run_chains(choose_runner(fused), i, UINT32_MAX, UINT32_MAX, kept.s + i, length);
	kept.count = count;
}

static uint32_t count_threads(const struct launch_shape *shape)
{
	return shape->grid[0] * shape->block[0];
}

void reference_fma_unfused(const struct launch_shape *shape, float *out, int length)
{
	extend_kept(count_threads(shape), false, length);
	memcpy(out, kept.s, count_threads(shape) * sizeof *out);
}

void reference_fma_fused(const struct launch_shape *shape, float *out, int length)
{
	extend_kept(count_threads(shape), true, length);
	memcpy(out, kept.s, count_threads(shape) * sizeof *out);
}

static void run_divergence(const struct launch_shape *shape, bool fused, float *out, int length, unsigned straight)
{
	uint32_t count = count_threads(shape);
	for (uint32_t i = 0; i < count; i += LANES) {
		float s[LANES];
		run_chains(choose_runner(fused), i, shape->block[0], straight, s, length);
		memcpy(out + i, s, (count - i < LANES ? count - i : LANES) * sizeof *s);
	}
}

/* `paths`, the number of loops for the work-items from `lanes` on, affects only the time. */
void reference_divergence_unfused(
	const struct launch_shape *shape, float *out, int length, unsigned lanes, unsigned paths)
{
	(void)paths;
	run_divergence(shape, false, out, length, lanes);
}

void reference_divergence_fused(
	const struct launch_shape *shape, float *out, int length, unsigned lanes, unsigned paths)
{
	(void)paths;
	run_divergence(shape, true, out, length, lanes);
}

/* 256 dual multiply-adds per trip: the X halves add 1 * x, the Y halves 2 * 1; whole numbers, so exact. */
void reference_vgpr_bank(const struct launch_shape *shape, const float *x, float *out, int trips)
{
	for (uint32_t t = 0; t < shape->block[0]; t++)
		out[t] = 256.0f * (float)trips * (x[t] + 2.0f);
}

/* The multiply-add chain s = a * s + b, fused or with the product rounded first.
 *
 * Once a step leaves s unchanged every later one does: a chain may stop there with the very bits that the whole length
 * gives. No value on the way is denormal (b is 1e-8 or more, all products are 0 or grow from it), so v_mad_f32's
 * flushing changes nothing: both are exact. */
#include "kernels/reference/references.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"

enum {
	LANES = 64, /* chains that run side by side, 8 vectors of AVX2: one alone waits for its own sums */
	CHECK = 64, /* steps between two looks at whether anything still moves */
};

typedef void run_fn(const float *a, const float *b, float *s, int length);

/* LANES chains from s = 0; `fused` is a constant where this is inlined. */
static inline __attribute__((always_inline)) void run_lanes(bool fused, const float *a, const float *b, float *s, int length)
{
	float before[LANES];
	memset(s, 0, LANES * sizeof *s);
	for (int done = 0; done < length; done++) {
		bool look = done % CHECK == CHECK - 1;
		if (look)
			memcpy(before, s, sizeof before);
		for (int k = 0; k < LANES; k++) {
			float product = a[k] * s[k]; /* compiled with -ffp-contract=off: rounded here */
			s[k] = fused ? __builtin_fmaf(a[k], s[k], b[k]) : product + b[k];
		}
		if (look && !memcmp(before, s, sizeof before))
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

/* Work-items first .. first + LANES - 1; from `straight` on in their block they have a and b swapped. */
static void run_chains(run_fn *go, uint32_t first, uint32_t block, uint32_t straight, float *s, int length)
{
	float a[LANES], b[LANES];
	for (uint32_t k = 0; k < LANES; k++) {
		bool swapped = (first + k) % block >= straight;
		chain_operands(first + k, swapped ? &b[k] : &a[k], swapped ? &a[k] : &b[k]);
	}
	go(a, b, s, length);
}

/* Unswapped chains depend on their index and the length alone: those of the last launch serve the next one of a sweep
 * over blocks. */
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

/* How many loops the work-items beyond `lanes` are spread over changes the time and no result. */
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

/* 256 dual multiply-adds a trip: the X halves sum 1 * x, the Y halves 2 * 1; whole numbers, exact. */
void reference_vgpr_bank(const struct launch_shape *shape, const float *x, float *out, int trips)
{
	for (uint32_t t = 0; t < shape->block[0]; t++)
		out[t] = 256.0f * (float)trips * (x[t] + 2.0f);
}

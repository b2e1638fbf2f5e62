// Loads with multiply-adds: latency is hidden by other waves, by other chains of the same wave, or by independent work
// before the use (CUDA lecture notes). `buf` contains its own indices; no line is read twice, so large buffers miss L2.
//   WORK   multiply-adds per loop iteration
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#include "kernels/order.inc"
#ifndef WORK
#define WORK 8
#endif

struct operands { float a, b; };

static __device__ __forceinline__ struct operands operands_of(unsigned gid)
{
	float x = (float)gid;
	return { x / (x + 1.0f), 1.0f / 1.0e8f };
}

template <int COUNT> static __device__ __forceinline__ float multiply_adds(struct operands o, float s)
{
#pragma unroll
	for (int k = 0; k < COUNT; k++)
		s = __builtin_fmaf(o.a, s, o.b);
	return s;
}

/* Each iteration: an independent load, `step` elements on, and WORK multiply-adds. 2^shift lanes share an element. */
extern "C" __global__ void hide_by_waves(const unsigned *buf, float *out, unsigned *sums, unsigned trips, unsigned step, unsigned shift, unsigned work)
{
	unsigned gid = blockIdx.x * blockDim.x + threadIdx.x, at = gid >> shift, sum = 0;
	struct operands o = operands_of(gid);
	float s = 0.0f;
#pragma unroll 1
	for (unsigned i = 0; i < trips; i++) {
		unsigned m = load(buf, at);
		ISSUED(s);
		at += step;
		s = multiply_adds<WORK>(o, s);
		ARRIVED(m, s);
		sum += m;
	}
	out[gid] = s;
	sums[gid] = sum;
}

/* Each load's address is the value of the last. `m` is used after COUNT multiply-adds, or before them. */
template <int COUNT, bool BETWEEN>
static __device__ __forceinline__ void prefetch(const unsigned *buf, float *out, unsigned *last, unsigned trips, unsigned step)
{
	unsigned gid = blockIdx.x * blockDim.x + threadIdx.x, m = gid;
	struct operands o = operands_of(gid);
	float s = 0.0f;
#pragma unroll 1
	for (unsigned i = 0; i < trips; i++) {
		m = load(buf, m + step);
		if (BETWEEN)
			ISSUED(s);
		else
			ARRIVED(m, s);
		s = multiply_adds<COUNT>(o, s);
		ARRIVED(m, s);
	}
	out[gid] = s;
	last[gid] = m;
}

#define PREFETCH(count) \
	extern "C" __global__ void prefetch_between_##count(const unsigned *buf, float *out, unsigned *last, unsigned trips, unsigned step, unsigned work) \
	{ \
		prefetch<count, true>(buf, out, last, trips, step); \
	} \
	extern "C" __global__ void prefetch_behind_##count(const unsigned *buf, float *out, unsigned *last, unsigned trips, unsigned step, unsigned work) \
	{ \
		prefetch<count, false>(buf, out, last, trips, step); \
	}

PREFETCH(0) PREFETCH(8) PREFETCH(16) PREFETCH(24) PREFETCH(32) PREFETCH(40) PREFETCH(48) PREFETCH(56) PREFETCH(64)
PREFETCH(72) PREFETCH(80) PREFETCH(88) PREFETCH(96) PREFETCH(104) PREFETCH(112) PREFETCH(120) PREFETCH(128)

/* CHAINS independent chains of loads, one load of each per iteration ... */
template <int CHAINS> static __device__ __forceinline__ void load_chains(const unsigned *buf, unsigned *last, unsigned trips)
{
	unsigned gid = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x, m[CHAINS], sum = 0;
#pragma unroll
	for (int k = 0; k < CHAINS; k++)
		m[k] = gid + k * threads;
#pragma unroll 1
	for (unsigned i = 0; i < trips; i++) {
#pragma unroll
		for (int k = 0; k < CHAINS; k++)
			m[k] = load(buf, m[k] + CHAINS * threads);
	}
#pragma unroll
	for (int k = 0; k < CHAINS; k++)
		sum += m[k];
	last[gid] = sum;
}

/* ... and of multiply-adds, about FMA_A_TRIP in total per iteration, so loop overhead does not depend on CHAINS. */
#define FMA_A_TRIP 240
template <int CHAINS> static __device__ __forceinline__ void fma_chains(float *out, unsigned trips)
{
	unsigned gid = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
	struct operands o[CHAINS];
	float s[CHAINS];
#pragma unroll
	for (unsigned k = 0; k < CHAINS; k++) {
		o[k] = operands_of(gid + k * threads);
		s[k] = 0.0f;
	}
#pragma unroll 1
	for (unsigned i = 0; i < trips; i++) {
		EVEN_START(s[0]);
#pragma unroll
		for (int k = 1; k < CHAINS; k++)
			OPAQUE(s[k]);
#pragma unroll
		for (int n = 0; n < FMA_A_TRIP / CHAINS; n++)
#pragma unroll
			for (int k = 0; k < CHAINS; k++)
				s[k] = __builtin_fmaf(o[k].a, s[k], o[k].b);
	}
#pragma unroll
	for (unsigned k = 0; k < CHAINS; k++)
		out[gid + k * threads] = s[k];
}

#define CHAINS_OF(count) \
	extern "C" __global__ void load_chains_##count(const unsigned *buf, float *out, unsigned *last, unsigned trips, unsigned chains, unsigned length) \
	{ \
		load_chains<count>(buf, last, trips); \
	} \
	extern "C" __global__ void fma_chains_##count(const unsigned *buf, float *out, unsigned *last, unsigned trips, unsigned chains, unsigned length) \
	{ \
		fma_chains<count>(out, trips); \
	}

CHAINS_OF(1) CHAINS_OF(2) CHAINS_OF(3) CHAINS_OF(4) CHAINS_OF(5) CHAINS_OF(6) CHAINS_OF(7) CHAINS_OF(8)
CHAINS_OF(9) CHAINS_OF(10) CHAINS_OF(11) CHAINS_OF(12) CHAINS_OF(13) CHAINS_OF(14) CHAINS_OF(15) CHAINS_OF(16)

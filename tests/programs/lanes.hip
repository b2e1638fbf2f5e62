/* Communication between the lanes of a wave: HIP shuffles and votes, DPP, permutes, swizzles; and atomics on global memory and
 * LDS. */
#include <hip/hip_runtime.h>

#define GLOBAL extern "C" __global__
#define I (blockIdx.x * blockDim.x + threadIdx.x)
#define LANES __AMDGCN_WAVEFRONT_SIZE

/* --- HIP's cross-lane functions: out is [what][item] --------------------------------------------------------------------- */
GLOBAL void shuffles(const int *in, const int *lane, int *out, int n, int width)
{
	int i = I, v = in[i], at = lane[i], k = 0;

	out[k++ * n + i] = __shfl(v, at, width);
	out[k++ * n + i] = __shfl_xor(v, at & (width - 1), width);
	out[k++ * n + i] = __shfl_up(v, at & (width - 1), width);
	out[k++ * n + i] = __shfl_down(v, at & (width - 1), width);
	out[k++ * n + i] = __float_as_int(__shfl(__int_as_float(v), at ^ 1, width));
	double d = __shfl_xor((double)v * 3, 5 & (width - 1), width);
	out[k++ * n + i] = (int)(d / 3);
	long long q = __shfl_down((long long)v << 20, 3, width);
	out[k++ * n + i] = (int)(q >> 20);
}

/* Some lanes are inactive. Only operations that read inactive lanes may read their values. */
GLOBAL void votes(const int *in, unsigned long long *out, int n)
{
	int i = I, v = in[i];

	for (int k = 0; k < 8; k++)
		out[k * n + i] = 0;
	if (v & 1) {
		out[i] = __ballot(v & 2);
		out[n + i] = __any((v & 0xff) == 77) | __all(v & 1) << 1 | __all(v & 4) << 2;
		out[2 * n + i] = __popcll(__ballot(1));
		out[3 * n + i] = __builtin_amdgcn_mbcnt_hi(-1, __builtin_amdgcn_mbcnt_lo(-1, 0)) + __lane_id();
		out[4 * n + i] = __builtin_amdgcn_readfirstlane(v);
		out[5 * n + i] = __ffsll((unsigned long long)__ballot(v & 8)) + __clzll((long long)__ballot(v & 16));
		if (v & 32)
			out[6 * n + i] = __builtin_amdgcn_read_exec();
		else
			out[6 * n + i] = __ballot(v & 64) * 3;
	}
	out[7 * n + i] = (unsigned)__builtin_amdgcn_readlane(v, __builtin_amdgcn_readfirstlane(in[5] & (LANES - 1)));
}

/* --- DPP: old value -7 where a lane has no source ------------------------------------------------------------------------ */
#define DPP(k, control, rows, banks, bound) out[(k) * n + i] = __builtin_amdgcn_update_dpp(-7, v, control, rows, banks, bound)
GLOBAL void dpp(const int *in, int *out, int n)
{
	int i = I, v = in[i];

	DPP(0, 0x1b, 15, 15, false);   /* quad_perm 3 2 1 0 */
	DPP(1, 0x93, 15, 15, false);   /* quad_perm 3 0 1 2 */
	DPP(2, 0x101, 15, 15, false);  /* row_shl 1 */
	DPP(3, 0x10f, 15, 15, true);   /* row_shl 15, zero outside */
	DPP(4, 0x113, 15, 15, false);  /* row_shr 3 */
	DPP(5, 0x125, 15, 15, false);  /* row_ror 5 */
#ifdef __gfx1100__
	DPP(6, 0x153, 15, 15, false);  /* row_share 3 */
	DPP(7, 0x165, 15, 15, false);  /* row_xmask 5 */
	DPP(8, 0x15f, 15, 15, true);   /* row_share 15 */
	DPP(9, 0x16f, 15, 15, false);  /* row_xmask 15 */
	DPP(12, 0x150, 10, 15, false); /* row_share 0 into rows 1 and 3 */
	DPP(13, 0x161, 12, 15, false); /* row_xmask 1 in rows 2 and 3 */
#else
	DPP(6, 0x130, 15, 15, false);  /* wave_shl 1 */
	DPP(7, 0x134, 15, 15, false);  /* wave_rol 1 */
	DPP(8, 0x138, 15, 15, true);   /* wave_shr 1 */
	DPP(9, 0x13c, 15, 15, false);  /* wave_ror 1 */
	DPP(12, 0x142, 10, 15, false); /* row_bcast 15 into rows 1 and 3 */
	DPP(13, 0x143, 12, 15, false); /* row_bcast 31 into rows 2 and 3 */
#endif
	DPP(10, 0x140, 15, 15, false); /* row_mirror */
	DPP(11, 0x141, 15, 15, false); /* row_half_mirror */
	DPP(14, 0x111, 5, 9, false);   /* row_shr 1 into rows 0, 2 and banks 0, 3 */
	DPP(15, 0x114, 15, 6, true);
}

/* Sums over a wave with row shifts and broadcasts, as in rocPRIM: the total in the last lane, and prefix sums. gfx11 has
 * no broadcasts. */
GLOBAL void dpp_scan(const int *in, int *out)
{
	int v = in[I];

	v += __builtin_amdgcn_update_dpp(0, v, 0x111, 15, 15, false);
	v += __builtin_amdgcn_update_dpp(0, v, 0x112, 15, 15, false);
	v += __builtin_amdgcn_update_dpp(0, v, 0x114, 15, 15, false);
	v += __builtin_amdgcn_update_dpp(0, v, 0x118, 15, 15, false);
#ifdef __gfx1100__
	int before = __builtin_amdgcn_permlanex16(0, v, -1, -1, true, false);
	v += I & 16 ? before : 0;
#if LANES == 64
	before = __builtin_amdgcn_readlane(v, 31);
	v += I & 32 ? before : 0;
#endif
#else
	v += __builtin_amdgcn_update_dpp(0, v, 0x142, 10, 15, false);
	v += __builtin_amdgcn_update_dpp(0, v, 0x143, 12, 15, false);
#endif
	out[I] = v;
}

GLOBAL void permutes(const int *in, const int *lane, int *out, int n)
{
	int i = I, v = in[i], at = lane[i];

	out[i] = __builtin_amdgcn_ds_bpermute(at * 4, v);
	out[n + i] = __builtin_amdgcn_ds_permute(at * 4, v);       /* lane[] is a permutation */
	out[2 * n + i] = __builtin_amdgcn_ds_swizzle(v, 0x8000 | 0x1b);  /* quads reversed */
	out[3 * n + i] = __builtin_amdgcn_ds_swizzle(v, 0x1f | 5 << 10); /* lane ^ 5 */
	out[4 * n + i] = __builtin_amdgcn_ds_swizzle(v, 0x18 | 3 << 5);  /* (lane & 24) | 3 */
	out[5 * n + i] = -9;
	if (v & 1)
		out[5 * n + i] = __builtin_amdgcn_ds_bpermute((i ^ 1) * 4, v & 2 ? i : -i); /* an absent lane gives 0 */
}

/* --- atomics ------------------------------------------------------------------------------------------------------------- */
/* One cell for each operation. Each item stores the returned values. */
template <typename T, typename S> __device__ void all_atomics(T *cell, S *signed_cell, T v, T *old, int n, int i)
{
	old[0 * n + i] = atomicAdd(&cell[0], v);
	old[1 * n + i] = atomicMin(&cell[1], v);
	old[2 * n + i] = atomicMax(&cell[2], v);
	old[3 * n + i] = atomicAnd(&cell[3], v | (T)1 << (i & 31));
	old[4 * n + i] = atomicOr(&cell[4], v & (T)1 << (i & 31));
	old[5 * n + i] = atomicXor(&cell[5], v);
	old[6 * n + i] = atomicExch(&cell[6], v);
	old[7 * n + i] = atomicCAS(&cell[7], (T)i, (T)(i + 1)); /* succeeds only when the cell equals the item number */
	__hip_atomic_fetch_min(&signed_cell[8], (S)v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
	__hip_atomic_fetch_max(&signed_cell[9], (S)v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

GLOBAL void atomics_32(const unsigned *in, unsigned *cell, unsigned *old, int n)
{
	all_atomics(cell, (int *)cell, in[I], old, n, I);
	old[8 * n + I] = atomicSub(&cell[10], in[I]);
	old[9 * n + I] = atomicInc(&cell[11], 100);
	old[10 * n + I] = atomicDec(&cell[12], 50);
	atomicAdd((float *)&cell[13], (float)(in[I] & 15)); /* small integers: exact in any order */
}

GLOBAL void atomics_64(const unsigned long long *in, unsigned long long *cell, unsigned long long *old, int n)
{
	all_atomics(cell, (long long *)cell, in[I], old, n, I);
	atomicAdd((double *)&cell[13], (double)(in[I] & 15));
}

/* The same in LDS: one set of cells per workgroup, copied to memory at the end. */
template <typename T, typename S> __device__ void shared_atomics(const T *in, T *cell, T *old, int n)
{
	__shared__ T mine[16];

	if (threadIdx.x < 16)
		mine[threadIdx.x] = cell[threadIdx.x];
	__syncthreads();
	all_atomics(mine, (S *)mine, in[I], old, n, threadIdx.x);
	__syncthreads();
	if (threadIdx.x < 16)
		cell[threadIdx.x] = mine[threadIdx.x];
}

GLOBAL void lds_atomics_32(const unsigned *in, unsigned *cell, unsigned *old, int n)
{
	shared_atomics<unsigned, int>(in, cell, old, n);
}

GLOBAL void lds_atomics_64(const unsigned long long *in, unsigned long long *cell, unsigned long long *old, int n)
{
	shared_atomics<unsigned long long, long long>(in, cell, old, n);
}

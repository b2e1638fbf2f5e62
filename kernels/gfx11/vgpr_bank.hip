// Dual-issue multiply-adds with sources in chosen banks (register number mod 4), as tried for RDNA3 SGEMM, kernel 6.
//   X0, Y0, X1, Y1   banks of the two halves' first and second sources. The ISA requires X0 != Y0 and X1 != Y1
//   CHAINS           pairs of accumulators (an even and an odd register), used in rotation
//   REUSE            1: all instructions read the same registers; 0: alternate between two sets in the same banks
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#ifndef X0
#define X0 0
#define Y0 1
#define X1 2
#define Y1 3
#define CHAINS 8
#define REUSE 0
#endif
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

/* One wave, 256 instructions per iteration. X halves add 1 * x, Y halves 2 * 1; out is the sum of all accumulators. */
extern "C" __global__ __launch_bounds__(32) void vgpr_bank(const float *x, float *out, int trips)
{
	float sum;
	/* v16-v31, v48-v63: two sets of sources, four registers per role, one in each bank. v32-v47: accumulators. */
	asm volatile(
		".irp base, 16, 48\n\t.irp bank, 0, 1, 2, 3\n\t"
		"v_mov_b32 v[\\base+\\bank], 1.0\n\tv_mov_b32 v[\\base+4+\\bank], 2.0\n\t"
		"v_mov_b32 v[\\base+8+\\bank], %1\n\tv_mov_b32 v[\\base+12+\\bank], 1.0\n\t"
		".endr\n\t.endr\n\t"
		".irp chain, 0, 1, 2, 3, 4, 5, 6, 7\n\tv_mov_b32 v[32+2*\\chain], 0\n\tv_mov_b32 v[33+2*\\chain], 0\n\t.endr\n\t"
		"s_mov_b32 s20, %2\n"
		".Ltrip%=:\n\t"
		".set at, 0\n\t.rept 256\n\t"
		".set other, 32 * (at & 1) * (1 - " TEXT(REUSE) ")\n\t"
		"v_dual_fmac_f32 v[32+2*(at & (" TEXT(CHAINS) " - 1))], v[16+other+" TEXT(X0) "], v[24+other+" TEXT(X1) "] :: "
		"v_dual_fmac_f32 v[33+2*(at & (" TEXT(CHAINS) " - 1))], v[20+other+" TEXT(Y0) "], v[28+other+" TEXT(Y1) "]\n\t"
		".set at, at + 1\n\t.endr\n\t"
		"s_sub_i32 s20, s20, 1\n\ts_cmp_lg_u32 s20, 0\n\ts_cbranch_scc1 .Ltrip%=\n\t"
		"v_mov_b32 %0, 0\n\t"
		".irp chain, 0, 1, 2, 3, 4, 5, 6, 7\n\tv_add_f32 %0, %0, v[32+2*\\chain]\n\tv_add_f32 %0, %0, v[33+2*\\chain]\n\t.endr"
		: "=&v"(sum) : "v"(x[threadIdx.x]), "s"(trips)
		: "s20", "scc", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31", "v32", "v33",
		  "v34", "v35", "v36", "v37", "v38", "v39", "v40", "v41", "v42", "v43", "v44", "v45", "v46", "v47", "v48", "v49", "v50", "v51", "v52", "v53", "v54",
		  "v55", "v56", "v57", "v58", "v59", "v60", "v61", "v62", "v63");
	out[threadIdx.x] = sum;
}

// Dual-issue multiply-adds with sources in chosen banks (register number mod 4), as tried for RDNA3 SGEMM, kernel 6.
//   X0, Y0, X1, Y1   banks of the two halves' first and second sources. The ISA requires X0 != Y0 and X1 != Y1
//   CHAINS           pairs of accumulators (an even and an odd register), used in rotation: 1, 2, 4 or 8
//   REUSE            1: all instructions read the same registers; 0: alternate between two sets in the same banks
//
// One wave of 32, 256 instructions per trip. X halves add 1 * x, Y halves 2 * 1; out is the sum of all accumulators.
//
// void vgpr_bank(const float *x, float *out, int trips)
	.include "kernels/gfx11/gfx11_kernel.inc"

.ifndef X0
	.set X0, 0
.endif
.ifndef Y0
	.set Y0, 1
.endif
.ifndef X1
	.set X1, 2
.endif
.ifndef Y1
	.set Y1, 3
.endif
.ifndef CHAINS
	.set CHAINS, 8
.endif
.ifndef REUSE
	.set REUSE, 0
.endif

	.set SUMS, 32
	.set SOURCES, 16        // v[16:31] and v[48:63]: two sets, each with four registers per role, one in each bank
	.set SET, 32
	.set ROLE, 4            // X's first source, Y's first, X's second, Y's second

kernel_begin vgpr_bank
	s_load_b128 s[4:7], s[0:1], 0x0        // x, out
	s_load_b32 s8, s[0:1], 0x10            // trips
	v_lshlrev_b32 v0, 2, v0
	s_waitcnt lgkmcnt(0)
	global_load_b32 v1, v0, s[4:5]
	.set at, SUMS
	.rept 16
	v_mov_b32 v[at], 0
	.set at, at + 1
	.endr
	s_waitcnt vmcnt(0)
	.irp base, 0, 1
	.irp bank, 0, 1, 2, 3
	.set at, SOURCES + SET * \base + \bank
	v_mov_b32 v[at], 1.0
	v_mov_b32 v[at+ROLE], 2.0
	v_mov_b32 v[at+2*ROLE], v1
	v_mov_b32 v[at+3*ROLE], 1.0
	.endr
	.endr
.Ltrip:
	.set at, 0
	.rept 256
	.set from, SOURCES + SET * (at & 1) * (1 - REUSE)
	.set to, SUMS + 2 * (at & (CHAINS - 1))
	v_dual_fmac_f32 v[to], v[from+X0], v[from+2*ROLE+X1] :: v_dual_fmac_f32 v[to+1], v[from+ROLE+Y0], v[from+3*ROLE+Y1]
	.set at, at + 1
	.endr
	s_sub_i32 s8, s8, 1
	s_cmp_lg_u32 s8, 0
	s_cbranch_scc1 .Ltrip
	v_mov_b32 v1, 0
	.set at, SUMS
	.rept 16
	v_add_f32 v1, v1, v[at]
	.set at, at + 1
	.endr
	global_store_b32 v0, v1, s[6:7]
	kernel_end vgpr_bank, 64, 9, 20

	.amdgpu_metadata
---
amdhsa.version: [ 1, 1 ]
amdhsa.kernels:
  - .name: vgpr_bank
    .symbol: vgpr_bank.kd
    .kernarg_segment_size: 20
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 11
    .vgpr_count: 64
    .max_flat_workgroup_size: 32
    .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 16, .size: 4, .value_kind: by_value }
...
	.end_amdgpu_metadata

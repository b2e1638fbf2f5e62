// C = alpha * A * B + beta * C, row-major, n x n, in dual-issue multiply-adds: RDNA3 SGEMM 6 to 8.
//   BANKS        1: the two operands of each multiply-add come from different register banks; 0: registers as loaded
//   UNROLL       k steps per trip of the inner loop: 1, 2, 4, 8
//   PRIORITY     raise the wave's priority while it multiplies
//   SCALAR_BASE  1: global loads use a scalar base and a lane offset; 0: a 64-bit address per load
//   SPREAD       issue the next tiles' loads two at a time between the k steps (UNROLL = 8), not all before them
//
// As in sgemm_patch.hip, kernel 5: 128 work-items compute 128 x 128 results, 8 steps of k at a time. A wave has 32 rows.
// It is 8 x 4 lanes; a lane has 8 rows (two groups of 4, 16 apart) and 16 columns (four groups of 4, 32 apart).
// LDS: A's tile transposed, 8 columns of 128 + 4 words; then B's tile, 8 rows of 128 words. n is a multiple of 128.
//
// void sgemm_dual(const float *a, const float *b, float *c, int n, float alpha, float beta)
	.include "kernels/gfx11/gfx11_kernel.inc"
	.altmacro

.ifndef BANKS
	.set BANKS, 1
.endif
.ifndef UNROLL
	.set UNROLL, 1
.endif
.ifndef PRIORITY
	.set PRIORITY, 1
.endif
.ifndef SCALAR_BASE
	.set SCALAR_BASE, 0
.endif
.ifndef SPREAD
	.set SPREAD, 0
.endif
.if SPREAD && UNROLL != 8
	.error "SPREAD needs UNROLL=8"
.endif

	.set COLUMN_BYTES, 132 * 4             // from one k to the next: of A's tile,
	.set ROW_BYTES, 128 * 4                // and of B's
	.set TILE_B, 8 * COLUMN_BYTES
	.set LDS_BYTES, TILE_B + 8 * ROW_BYTES

// Scalars: s0 k   s1 n - 8   s2, s3 block   s[4:5] A   s[6:7] B   s[8:9] C   s10 n   s11 alpha   s12 beta
//   s13 -1 if there are next tiles   s14 byte offset of the step in B's tile   s15 temporary, k of the next tiles
//   with SCALAR_BASE: s16 bytes of 8 rows of B   s[24:39] bases of B's 8 rows   s[40:55] bases of A's 8 rows
	.set SGPRS, 16 + 40 * SCALAR_BASE
// Vectors: v0 work-item   v[2:129] sums   v130, v131 where to store elements of A and B in LDS   v132, v133 first LDS
//   addresses to load from   v134, v135 current ones   v[136:157] addresses   v[168:183] elements of the next tiles
//   v[184:213] operands   with SCALAR_BASE: v214, v215 byte offsets of the elements of B and A
	.set SUMS, 2
	.set NEXT, 168
	.set OPERANDS, 184
	.set VGPRS, 214 + 2 * SCALAR_BASE

// --- global loads ---

// The element in B's row \j of the tile that starts at row s15. v154 is the element's index.
.macro load_b j
	.if SCALAR_BASE
	global_load_b32 v[NEXT+\j], v214, s[24+2*\j:25+2*\j]
	.else
	.if \j == 0
	v_mad_u64_u32 v[154:155], null, s15, s10, v[136:137]
	.else
	v_add_nc_u32 v154, s10, v154
	.endif
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_ashrrev_i32 v155, 31, v154
	v_lshlrev_b64 v[156:157], 2, v[154:155]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_add_co_u32 v156, vcc_lo, s6, v156
	v_add_co_ci_u32 v157, vcc_lo, s7, v157, vcc_lo
	global_load_b32 v[NEXT+\j], v[156:157], off
	.endif
.endm

// The element in A's row 16 * \j, in the tile that starts at column s15. v[158:159] is its column.
.macro load_a j
	.if SCALAR_BASE
	global_load_b32 v[NEXT+8+\j], v215, s[40+2*\j:41+2*\j]
	.else
	.if \j == 0
	v_add_co_u32 v158, vcc_lo, s15, v1
	v_add_co_ci_u32_e64 v159, null, 0, 0, vcc_lo
	.endif
	v_add_co_u32 v156, vcc_lo, v158, v[138+2*\j]
	v_add_co_ci_u32 v157, vcc_lo, v159, v[139+2*\j], vcc_lo
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_lshlrev_b64 v[156:157], 2, v[156:157]
	v_add_co_u32 v156, vcc_lo, s4, v156
	s_delay_alu instid0(VALU_DEP_2)
	v_add_co_ci_u32 v157, vcc_lo, s5, v157, vcc_lo
	global_load_b32 v[NEXT+8+\j], v[156:157], off
	.endif
.endm

// Loads \first to \last of the 16: 8 of B, then 8 of A.
.macro load_next first, last
	.set load, \first
	.rept \last - \first + 1
	.if load < 8
	load_b load
	.else
	load_a (load-8)
	.endif
	.set load, load + 1
	.endr
.endm

.macro store_next
	.set load, 0
	.rept 8
	ds_store_b32 v131, v[NEXT+load] offset:ROW_BYTES*load
	ds_store_b32 v130, v[NEXT+8+load] offset:64*load
	.set load, load + 1
	.endr
.endm

// --- one step of k ---

// Elements of A's column and B's row in registers. With BANKS a pair of A is in banks 2 and 3, a pair of B in 0 and 1.
.if BANKS
	.set PAIR, 4
	.set COLUMN, OPERANDS + 2
	.set ROW, OPERANDS
.else
	.set PAIR, 2
	.set COLUMN, OPERANDS
	.set ROW, OPERANDS + 8
.endif

.macro read_column
	.if BANKS
	ds_load_b64 v[COLUMN:COLUMN+1], v134
	ds_load_b64 v[COLUMN+4:COLUMN+5], v134 offset:8
	ds_load_b64 v[COLUMN+8:COLUMN+9], v134 offset:64
	ds_load_b64 v[COLUMN+12:COLUMN+13], v134 offset:72
	.else
	ds_load_b128 v[COLUMN:COLUMN+3], v134
	ds_load_b128 v[COLUMN+4:COLUMN+7], v134 offset:64
	.endif
.endm

.macro read_row
	.set group, 0
	.rept 4
	.if BANKS
	ds_load_b64 v[ROW+8*group:ROW+1+8*group], v135 offset:128*group
	ds_load_b64 v[ROW+4+8*group:ROW+5+8*group], v135 offset:128*group+8
	.else
	ds_load_b128 v[ROW+4*group:ROW+3+4*group], v135 offset:128*group
	.endif
	.set group, group + 1
	.endr
.endm

// The 4 products of pairs of A and B, in two instructions. In each, both halves have an operand from each of the other's
// registers, and they add to an odd and an even register. \turned: the second instruction has the halves exchanged.
.macro multiply_pair sum, column, row, turned
	v_dual_fmac_f32 v[\sum+3], v[\column], v[\row] :: v_dual_fmac_f32 v[\sum], v[\column+1], v[\row+1]
	.if PRIORITY && \sum == SUMS
	s_setprio 1
	.endif
	v_dual_fmac_f32 v[\sum+1], v[\column+\turned], v[\row+1-\turned] :: v_dual_fmac_f32 v[\sum+2], v[\column+1-\turned], v[\row+\turned]
.endm

// Walks the 4 pairs of A and 8 pairs of B so that each instruction has a pair in common with the one before. Visit v is
// for A's pair v % 8 / 2; of 8 visits, all are for the same two pairs of B, but the last is for the next pair.
.macro multiply
	.set visit, 0
	.rept 32
	.set down, visit % 8 / 2
	.set across, visit / 8 * 2 + ((visit & 1) ^ (down & 1))
	.if visit % 8 == 7
	.set across, (visit / 8 * 2 + 2) % 8
	.endif
	multiply_pair (SUMS+4*visit), (COLUMN+PAIR*down), (ROW+PAIR*across), (visit&1)
	.set visit, visit + 1
	.endr
.endm

// \last: of the trip.
.macro step last
	.if UNROLL == 8
	.if BANKS
	s_clause 0xb
	.else
	s_clause 0x5
	.endif
	.endif
	read_column
	.if UNROLL < 8
	v_add_nc_u32 v135, s14, v133
	s_addk_i32 s14, ROW_BYTES
	.endif
	read_row
	v_add_nc_u32 v134, COLUMN_BYTES, v134
	.if UNROLL == 8
	v_add_nc_u32 v135, ROW_BYTES, v135
	.elseif \last
	s_cmpk_lg_i32 s14, 8*ROW_BYTES
	.endif
	s_waitcnt lgkmcnt(0)
	multiply
	.if PRIORITY
	s_setprio 0
	.endif
.endm

// --- results ---

// Results \group of 4 columns in the lane's row \i: v[192+\i] + v[200+\group] is the first one's index.
.macro store_results i, group
	.set down, (\i) / 2
	.irp x, 0, 1, 2, 3
	.set across, 2 * (\group) + \x / 2
	.if down < 3 || (across & 1)
	.set visit, across / 2 * 8 + 2 * down + ((across & 1) ^ (down & 1))
	.else
	.set visit, (across / 2 + 3) % 4 * 8 + 7
	.endif
	// The first instruction has both pairs' first elements, and both second ones; the other one the rest.
	.if ((\i) & 1) == (\x & 1)
	.set sum\x, SUMS + 4 * visit + 3 * (1 - ((\i) & 1))
	.else
	.set sum\x, SUMS + 4 * visit + 1 + (((\i) & 1) ^ (visit & 1))
	.endif
	.endr
	v_add_nc_u32 v154, v[192+\i], v[200+\group]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_ashrrev_i32 v155, 31, v154
	v_lshlrev_b64 v[156:157], 2, v[154:155]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_add_co_u32 v156, vcc_lo, s8, v156
	v_add_co_ci_u32 v157, vcc_lo, s9, v157, vcc_lo
	global_load_b128 v[184:187], v[156:157], off
	v_mul_f32 v188, s11, v[sum0]
	v_mul_f32 v189, s11, v[sum1]
	v_mul_f32 v190, s11, v[sum2]
	v_mul_f32 v191, s11, v[sum3]
	s_waitcnt vmcnt(0)
	v_dual_fmac_f32 v188, s12, v184 :: v_dual_fmac_f32 v189, s12, v185
	v_dual_fmac_f32 v190, s12, v186 :: v_dual_fmac_f32 v191, s12, v187
	global_store_b128 v[156:157], v[188:191], off
.endm

kernel_begin sgemm_dual
	s_load_b256 s[4:11], s[0:1], 0x0
	s_load_b32 s12, s[0:1], 0x20
	v_and_b32 v1, 7, v0                    // column of A
	v_lshrrev_b32 v158, 3, v0              // row of A
	v_mul_u32_u24 v130, COLUMN_BYTES, v1
	v_lshl_add_u32 v130, v158, 2, v130
	v_lshlrev_b32 v131, 2, v0
	v_and_b32 v132, 0x180, v131            // wave * 32 rows
	v_add_nc_u32 v131, TILE_B, v131
	v_bfe_u32 v159, v0, 3, 2               // lane / 8
	v_lshl_or_b32 v132, v159, 4, v132
	v_lshlrev_b32 v133, 4, v1
	v_add_nc_u32 v133, TILE_B, v133
	s_waitcnt lgkmcnt(0)
	s_sub_i32 s1, s10, 8
	v_lshl_add_u32 v136, s2, 7, v0         // column of B
	v_mov_b32 v137, 0
	v_lshl_add_u32 v158, s3, 7, v158
	v_mul_lo_u32 v158, v158, s10           // index of A's row
.if SCALAR_BASE
	v_lshlrev_b32 v214, 2, v136
	v_add_lshl_u32 v215, v158, v1, 2
	s_lshl_b32 s16, s10, 5
	s_mov_b64 s[24:25], s[6:7]
	s_mov_b64 s[40:41], s[4:5]
	s_lshl_b32 s14, s10, 2
	s_lshl_b32 s15, s10, 6
	.set row, 1
	.rept 7
	s_add_u32 s[24+2*row], s[22+2*row], s14
	s_addc_u32 s[25+2*row], s[23+2*row], 0
	s_add_u32 s[40+2*row], s[38+2*row], s15
	s_addc_u32 s[41+2*row], s[39+2*row], 0
	.set row, row + 1
	.endr
.else
	s_lshl_b32 s15, s10, 4
	.set row, 0
	.rept 8
	v_mov_b32 v[138+2*row], v158
	v_mov_b32 v[139+2*row], 0
	v_add_nc_u32 v158, s15, v158
	.set row, row + 1
	.endr
.endif
	s_mov_b32 s15, 0
	load_next 0, 15
	.set sum, SUMS
	.rept 64
	v_dual_mov_b32 v[sum], 0 :: v_dual_mov_b32 v[sum+1], 0
	.set sum, sum + 2
	.endr
	s_mov_b32 s0, 0
	s_waitcnt vmcnt(0)
	store_next
	s_waitcnt lgkmcnt(0)
	s_barrier
.Ltile:
	s_cmp_lt_i32 s0, s1
	s_cselect_b32 s13, -1, 0
.if SCALAR_BASE
	s_cbranch_scc0 .Lloaded                // with SPREAD, the last iteration loads the last tiles again
	v_add_nc_u32 v214, s16, v214
	v_add_nc_u32 v215, 0x20, v215
.else
	s_add_i32 s15, s0, 8
	.if SPREAD
	s_min_i32 s15, s15, s1
	.else
	s_cmp_lt_i32 s0, s1
	s_cbranch_scc0 .Lloaded
	.endif
.endif
.if SPREAD
	load_next 0, 3
.else
	load_next 0, 15
.endif
.Lloaded:
	v_mov_b32 v134, v132
.if UNROLL == 8
	v_mov_b32 v135, v133
	.set k, 0
	.rept 8
	step 0
	.if SPREAD && k < 6
	.if SCALAR_BASE
	s_clause 0x1
	.endif
	load_next (4+2*k), (5+2*k)
	.endif
	.set k, k + 1
	.endr
.else
	s_mov_b32 s14, 0
.Lstep:
	.rept UNROLL - 1
	step 0
	.endr
	step 1
	s_cbranch_scc1 .Lstep
.endif
	s_and_not1_b32 vcc_lo, exec_lo, s13
	s_waitcnt vmcnt(0)
	s_barrier
	s_cbranch_vccnz .Lnext
	store_next
	s_waitcnt lgkmcnt(0)
	s_barrier
.Lnext:
	s_add_i32 s0, s0, 8
	s_delay_alu instid0(SALU_CYCLE_1)
	s_cmp_lt_i32 s0, s10
	s_cbranch_scc1 .Ltile

	v_lshrrev_b32 v192, 5, v0              // row: wave * 32 + lane / 8 * 4
	v_lshlrev_b32 v192, 5, v192
	v_bfe_u32 v193, v0, 3, 2
	v_lshl_or_b32 v192, v193, 2, v192
	v_lshl_add_u32 v192, s3, 7, v192
	v_mul_lo_u32 v192, v192, s10
	s_mul_i32 s14, s10, 13
	v_lshlrev_b32 v200, 2, v1              // column: lane % 8 * 4
	v_lshl_add_u32 v200, s2, 7, v200
	.irp i, 1, 2, 3, 5, 6, 7
	.if \i == 5
	v_add_nc_u32 v196, s14, v195           // rows 16 to 19
	.endif
	v_add_nc_u32 v[192+\i], s10, v[191+\i]
	.endr
	.irp group, 1, 2, 3
	v_add_nc_u32 v[200+\group], 32, v[199+\group]
	.endr
	.irp half, 0, 4
	.irp group, 0, 1, 2, 3
	.irp i, 0, 1, 2, 3
	store_results (\half+\i), \group
	.endr
	.endr
	.endr
	kernel_end sgemm_dual, VGPRS, SGPRS, 36, LDS_BYTES

// The metadata is text: counts are passed as values of macro arguments.
.macro metadata vgprs, sgprs, lds
	.amdgpu_metadata
---
amdhsa.version: [ 1, 1 ]
amdhsa.kernels:
  - .name: sgemm_dual
    .symbol: sgemm_dual.kd
    .kernarg_segment_size: 36
    .kernarg_segment_align: 8
    .group_segment_fixed_size: \lds
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: \sgprs
    .vgpr_count: \vgprs
    .max_flat_workgroup_size: 128
    .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 16, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 24, .size: 4, .value_kind: by_value }
      - { .offset: 28, .size: 4, .value_kind: by_value }
      - { .offset: 32, .size: 4, .value_kind: by_value }
...
	.end_amdgpu_metadata
.endm

	metadata %VGPRS, %(SGPRS + 2), %LDS_BYTES   // vcc is added

// Loops of "HIP performance optimization on Vega64" (Vega64 notes), reduced to what determines their published values.
// The first dword argument is the number of iterations, unless noted otherwise.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"

// name: the kernel; lds: bytes.  s[4:5] kernarg, s6 workgroup, v0 work-item
.macro kernel name, lds=0
	.text
	.globl \name
	.p2align 8
	.type \name,@function
	.amdhsa_kernel \name
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_group_segment_fixed_size \lds
		.amdhsa_next_free_vgpr 24
		.amdhsa_next_free_sgpr 32
		.amdhsa_float_denorm_mode_32 0
	.end_amdhsa_kernel
	.text
\name:
.endm

.macro nops count
	.rept \count
	s_nop 0
	.endr
.endm

// n multiply-adds, 2 scalar instructions and a taken branch a trip; the loop begins at byte `at` of a 32-byte window
.macro fma_loop name, n, at
	kernel \name
	s_load_dword s8, s[0:1], 0x0
	v_cvt_f32_u32 v1, v0
	v_mov_b32 v2, 0x3f7fff00
	v_mov_b32 v3, 0x3a83126f
	s_mov_b32 s9, 0
	s_waitcnt lgkmcnt(0)
	s_branch \name\()_loop
	.p2align 5
	.rept \at / 4
	s_nop 0
	.endr
\name\()_loop:
	.rept \n
	v_mad_f32 v1, v2, v1, v3
	.endr
	s_add_u32 s9, s9, 1
	s_cmp_lt_u32 s9, s8
	s_cbranch_scc1 \name\()_loop
	s_endpgm
.endm

	kernel null
	s_endpgm

// 200 instructions of one kind
	kernel waits
	.rept 200
	s_waitcnt lgkmcnt(0)
	.endr
	s_endpgm

	kernel moves
	.rept 200
	s_mov_b32 s8, 0
	.endr
	s_endpgm

// Reads both clocks, before and after a loop.  Arguments: trips, pad, buffer
	kernel clocks
	s_load_dword s8, s[0:1], 0x0
	s_load_dwordx2 s[10:11], s[0:1], 0x8
	s_memtime s[12:13]
	s_memrealtime s[14:15]
	s_waitcnt lgkmcnt(0)
clocks_loop:
	s_sub_u32 s8, s8, 1
	s_cmp_lg_u32 s8, 0
	s_cbranch_scc1 clocks_loop
	s_memtime s[16:17]
	s_memrealtime s[18:19]
	s_waitcnt lgkmcnt(0)
	s_store_dwordx4 s[12:15], s[10:11], 0x0
	s_store_dwordx4 s[16:19], s[10:11], 0x10
	s_dcache_wb
	s_endpgm

// Work without any effect but time.
	kernel idle
	v_cvt_f32_u32 v1, v0
	v_rcp_f32 v1, v1
	s_mul_i32 s4, s4, s4
	v_mul_lo_u32 v2, v0, v0
	v_mad_f32 v3, v1, v1, v1
	s_nop 7
	v_add_u32 v2, v2, v0
	s_waitcnt vmcnt(0)
	s_endpgm

	fma_loop fma_a, 40, 12
	fma_loop fma_b, 100, 4
	fma_loop fma_c, 100, 0

// Vega64 notes 2.6.1: v = buf[v * i], 48 cycles of code a step.  Arguments: reads, pad, buffer
	kernel chase_dram
	s_load_dword s8, s[0:1], 0x0
	s_load_dwordx2 s[10:11], s[0:1], 0x8
	s_mov_b32 s9, 1
	v_mov_b32 v1, 0
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v8, s10
	v_mov_b32 v9, s11
	global_load_dword v1, v[8:9], off
	s_branch dram_loop
	.p2align 5
dram_loop:
	s_waitcnt vmcnt(0)
	v_mul_lo_u32 v2, v1, s9
	s_add_u32 s9, s9, 1
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshlrev_b64 v[4:5], 2, v[2:3]
	v_add_co_u32 v4, vcc, v8, v4
	v_addc_co_u32 v5, vcc, v9, v5, vcc
	global_load_dword v1, v[4:5], off
	s_cmp_lt_u32 s9, s8
	s_cbranch_scc1 dram_loop
	s_endpgm

// Vega64 notes 2.6.2: address = i * v * stride - 1.  Arguments: stride in dwords, reads, buffer
	kernel chase_stride
	s_load_dwordx2 s[6:7], s[0:1], 0x0
	s_load_dwordx2 s[10:11], s[0:1], 0x8
	s_mov_b32 s9, 1
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v8, s10
	v_mov_b32 v9, s11
	global_load_dword v1, v[8:9], off
	s_branch stride_loop
	.p2align 5
stride_loop:
	s_waitcnt vmcnt(0)
	v_mul_lo_u32 v2, v1, s9
	v_mov_b32 v6, s6
	v_mul_lo_u32 v2, v2, v6
	s_add_u32 s9, s9, 1
	s_cmp_lt_u32 s9, s7
	v_add_u32 v2, -1, v2
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshlrev_b64 v[4:5], 2, v[2:3]
	v_add_co_u32 v4, vcc, v8, v4
	v_addc_co_u32 v5, vcc, v9, v5, vcc
	global_load_dword v1, v[4:5], off
	s_cbranch_scc1 stride_loop
	s_endpgm

// 8 vector and 8 scalar adds, 16 times a trip
	kernel both_pipes
	s_load_dword s8, s[0:1], 0x0
	s_mov_b32 s9, 0
	s_waitcnt lgkmcnt(0)
	.p2align 5
both_pipes_loop:
	.rept 16
	.rept 8
	v_add_u32 v1, 1, v1
	.endr
	.rept 8
	s_add_u32 s10, s10, 1
	.endr
	.endr
	s_add_u32 s9, s9, 1
	s_cmp_lt_u32 s9, s8
	s_cbranch_scc1 both_pipes_loop
	s_endpgm

// Vega64 notes 2.6.3, the repository's kernel: address = (i * v - 1) & (range - 1).  Arguments: range in dwords, reads, buffer
	kernel chase_range
	s_load_dwordx2 s[6:7], s[0:1], 0x0
	s_load_dwordx2 s[10:11], s[0:1], 0x8
	s_mov_b32 s9, 1
	s_waitcnt lgkmcnt(0)
	s_sub_u32 s6, s6, 1
	v_mov_b32 v8, s10
	v_mov_b32 v9, s11
	global_load_dword v1, v[8:9], off
	s_branch range_loop
	.p2align 5
range_loop:
	s_waitcnt vmcnt(0)
	v_mul_lo_u32 v2, v1, s9
	v_mov_b32 v6, s6
	s_add_u32 s9, s9, 1
	s_cmp_lt_u32 s9, s7
	v_add_u32 v2, -1, v2
	v_and_b32 v2, s6, v2
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshlrev_b64 v[4:5], 2, v[2:3]
	v_add_co_u32 v4, vcc, v8, v4
	v_addc_co_u32 v5, vcc, v9, v5, vcc
	global_load_dword v1, v[4:5], off
	s_cbranch_scc1 range_loop
	s_endpgm

// Vega64 notes 2.9.1: v = lds[v] & mask, 100 a trip.  Arguments: trips
	kernel lds_chain, 16384
	s_load_dword s8, s[0:1], 0x0
	v_mov_b32 v1, 0
	s_mov_b32 s9, 0
	s_waitcnt lgkmcnt(0)
	s_branch lds_chain_loop
	.p2align 5
	nops 1
lds_chain_loop:
	.rept 100
	v_and_b32 v1, 0, v1
	v_lshlrev_b32_e64 v1, 2, v1 // 8 bytes: a step is 24 long and no read crosses a fetch window
	ds_read_b32 v1, v1
	s_waitcnt lgkmcnt(0)
	.endr
	s_add_u32 s9, s9, 1
	s_cmp_lt_u32 s9, s8
	s_cbranch_scc1 lds_chain_loop
	s_endpgm

// Vega64 notes 2.9.2: v = ((lds[v] + tid) * stride) & 4095, 100 a trip, LDS all zeros.  Arguments: trips, stride
	kernel lds_stride, 16384
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	v_mov_b32 v1, 0
	s_mov_b32 s7, 0
	s_movk_i32 s10, 0xfff
	s_waitcnt lgkmcnt(0)
	v_mul_lo_u32 v1, v0, s9
	v_and_b32 v1, s10, v1
	s_branch lds_stride_loop
	.p2align 5
lds_stride_loop:
	.rept 100
	v_lshlrev_b32 v2, 2, v1
	ds_read_b32 v2, v2
	s_waitcnt lgkmcnt(0)
	v_add_u32 v2, v0, v2
	v_mul_lo_u32 v2, v2, s9
	v_and_b32 v1, s10, v2
	.endr
	s_add_u32 s7, s7, 1
	s_cmp_lt_u32 s7, s8
	s_cbranch_scc1 lds_stride_loop
	s_endpgm

// Vega64 notes 2.10: buf[(gid & 0xffff0000) | (gid & (window - 1))] = gid.  Arguments: window in dwords, pad, buffer
	kernel store_window
	s_load_dword s8, s[0:1], 0x0
	s_load_dwordx2 s[10:11], s[0:1], 0x8
	s_lshl_b32 s2, s2, 8
	v_add_u32 v0, s2, v0
	s_mov_b32 s12, 0xffff0000
	v_and_b32 v1, s12, v0
	s_waitcnt lgkmcnt(0)
	s_sub_u32 s8, s8, 1
	v_and_b32 v2, s8, v0
	v_or_b32 v2, v1, v2
	v_mov_b32 v3, 0
	v_lshlrev_b64 v[2:3], 2, v[2:3]
	v_mov_b32 v4, s11
	v_add_co_u32 v2, vcc, s10, v2
	v_addc_co_u32 v3, vcc, v4, v3, vcc
	global_store_dword v[2:3], v0, off
	s_endpgm

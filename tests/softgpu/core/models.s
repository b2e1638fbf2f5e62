// Differences between mi25, mi60 and mi100.  Assembled for gfx900; instructions of the others are machine words.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"

// s[0:1] kernarg, s2 workgroup, v0 work-item
.macro kernel name
	.text
	.globl \name
	.p2align 8
	.type \name,@function
	.amdhsa_kernel \name
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_next_free_vgpr 24
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
	.text
\name:
.endm

// A chain of 8-byte pointers, 64 steps a trip.  Arguments: trips, pad, start
	kernel chase
	s_load_dword s8, s[0:1], 0x0
	s_load_dwordx2 s[10:11], s[0:1], 0x8
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v0, s10
	v_mov_b32 v1, s11
chase_loop:
	.rept 64
	global_load_dwordx2 v[0:1], v[0:1], off
	s_waitcnt vmcnt(0)
	.endr
	s_sub_u32 s8, s8, 1
	s_cmp_lg_u32 s8, 0
	s_cbranch_scc1 chase_loop
	s_endpgm

// 64 instructions a trip.  Argument: trips
.macro rate name, text:vararg
	kernel \name
	s_load_dword s8, s[0:1], 0x0
	v_mov_b32 v2, 0
	v_mov_b32 v3, 0
	s_waitcnt lgkmcnt(0)
\name\()_loop:
	.rept 64
	\text
	.endr
	s_sub_u32 s8, s8, 1
	s_cmp_lg_u32 s8, 0
	s_cbranch_scc1 \name\()_loop
	s_endpgm
.endm

	rate rate_fma64, v_fma_f64 v[2:3], v[2:3], v[2:3], v[2:3]
	rate rate_add64, v_add_f64 v[2:3], v[2:3], v[2:3]
	rate rate_fma32, v_fma_f32 v2, v2, v2, v2

// Arguments: out.  out[workgroup] = HW_ID
	kernel place
	s_load_dwordx2 s[10:11], s[0:1], 0x0
	s_getreg_b32 s8, hwreg(HW_REG_HW_ID)
	s_lshl_b32 s9, s2, 2
	v_mov_b32 v1, s8
	v_mov_b32 v2, s9
	s_waitcnt lgkmcnt(0)
	.rept 500
	s_nop 15
	.endr
	global_store_dword v2, v1, s[10:11]
	s_endpgm

// Arguments: out.  out[0] = 5 + the sum of four products of bytes
	kernel dot4
	s_load_dwordx2 s[10:11], s[0:1], 0x0
	v_mov_b32 v1, 0x01020304
	v_mov_b32 v2, 0xff010203
	v_mov_b32 v4, 0
	s_waitcnt lgkmcnt(0)
	.long 0xd3a84003, 0x1a160501              // v_dot4_i32_i8 v3, v1, v2, 5: gfx906 on
	global_store_dword v4, v3, s[10:11]
	s_endpgm

// Arguments: out.  out[0] += 1.5f for every work-item
	kernel atomic_f32
	s_load_dwordx2 s[10:11], s[0:1], 0x0
	v_mov_b32 v1, 0x3fc00000
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v4, s10
	v_mov_b32 v5, s11
	.long 0xdd348000, 0x007f0104              // global_atomic_add_f32 v[4:5], v1, off: gfx908
	s_endpgm

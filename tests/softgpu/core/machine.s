// Kernels that exercise one unit each: instruction cache, outstanding accesses, device memory, atomics, wave slots.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"

// s[0:1] kernarg, s2 workgroup, v0 work-item
.macro kernel name, lds=0, vgprs=24
	.text
	.globl \name
	.p2align 8
	.type \name,@function
	.amdhsa_kernel \name
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_group_segment_fixed_size \lds
		.amdhsa_next_free_vgpr \vgprs
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
	.text
\name:
.endm

// A loop of n instructions of 8 bytes each.  Arguments: trips
.macro unrolled name, n
	kernel \name
	s_load_dword s8, s[0:1], 0x0
	s_mov_b32 s9, 0
	s_waitcnt lgkmcnt(0)
	s_branch \name\()_loop
	.p2align 6
\name\()_loop:
	.rept \n
	v_mad_f32 v1, v2, v1, v3
	.endr
	s_add_u32 s9, s9, 1
	s_cmp_lt_u32 s9, s8
	s_cbranch_scc0 \name\()_end
	s_branch \name\()_loop
\name\()_end:
	s_endpgm
.endm

	unrolled code_1k, 128
	unrolled code_24k, 3072
	unrolled code_40k, 5120

	kernel null
	s_endpgm

// k loads of different lines, then one wait; the next iteration continues after them.  Arguments: trips, pad, buffer
.macro loads name, k
	kernel \name
	s_load_dword s8, s[0:1], 0x0
	s_load_dwordx2 s[10:11], s[0:1], 0x8
	s_mov_b32 s9, 0
	v_lshlrev_b32 v0, 6, v0
	s_waitcnt lgkmcnt(0)
\name\()_loop:
	.set at, 0
	.rept \k
	global_load_dword v2, v0, s[10:11] offset:at
	s_add_u32 s10, s10, 0x1000
	s_addc_u32 s11, s11, 0
	.endr
	s_waitcnt vmcnt(0)
	s_add_u32 s9, s9, 1
	s_cmp_lt_u32 s9, s8
	s_cbranch_scc1 \name\()_loop
	s_endpgm
.endm

	loads loads_1, 1
	loads loads_4, 4
	loads loads_16, 16
	loads loads_63, 63
	loads loads_80, 80

// Copies 64 bytes per work-item, 16 KiB per workgroup of 256.  Arguments: from, to
	kernel copy
	s_load_dwordx4 s[8:11], s[0:1], 0x0
	s_lshl_b32 s3, s2, 14
	v_lshl_add_u32 v0, v0, 4, s3
	v_add_u32 v1, 0x1000, v0
	v_add_u32 v2, 0x2000, v0
	v_add_u32 v3, 0x3000, v0
	s_waitcnt lgkmcnt(0)
	global_load_dwordx4 v[4:7], v0, s[8:9]
	global_load_dwordx4 v[8:11], v1, s[8:9]
	global_load_dwordx4 v[12:15], v2, s[8:9]
	global_load_dwordx4 v[16:19], v3, s[8:9]
	s_waitcnt vmcnt(3)
	global_store_dwordx4 v0, v[4:7], s[10:11]
	s_waitcnt vmcnt(3)
	global_store_dwordx4 v1, v[8:11], s[10:11]
	s_waitcnt vmcnt(3)
	global_store_dwordx4 v2, v[12:15], s[10:11]
	s_waitcnt vmcnt(3)
	global_store_dwordx4 v3, v[16:19], s[10:11]
	s_endpgm

// The same without the stores.  Arguments: from
	kernel read
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	s_lshl_b32 s3, s2, 14
	v_lshl_add_u32 v0, v0, 4, s3
	v_add_u32 v1, 0x1000, v0
	v_add_u32 v2, 0x2000, v0
	v_add_u32 v3, 0x3000, v0
	s_waitcnt lgkmcnt(0)
	global_load_dwordx4 v[4:7], v0, s[8:9]
	global_load_dwordx4 v[8:11], v1, s[8:9]
	global_load_dwordx4 v[12:15], v2, s[8:9]
	global_load_dwordx4 v[16:19], v3, s[8:9]
	s_waitcnt vmcnt(0)
	s_endpgm

// The same with stores instead.  Arguments: to
	kernel write
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	s_lshl_b32 s3, s2, 14
	v_lshl_add_u32 v0, v0, 4, s3
	v_add_u32 v1, 0x1000, v0
	v_add_u32 v2, 0x2000, v0
	v_add_u32 v3, 0x3000, v0
	s_waitcnt lgkmcnt(0)
	global_store_dwordx4 v0, v[4:7], s[8:9]
	global_store_dwordx4 v1, v[4:7], s[8:9]
	global_store_dwordx4 v2, v[4:7], s[8:9]
	global_store_dwordx4 v3, v[4:7], s[8:9]
	s_waitcnt vmcnt(0)
	s_endpgm

// 64 atomic adds per wave, lane l to dword l * stride.  Arguments: stride in bytes, pad, buffer
	kernel atomics
	s_load_dword s8, s[0:1], 0x0
	s_load_dwordx2 s[10:11], s[0:1], 0x8
	v_mov_b32 v2, 1
	s_waitcnt lgkmcnt(0)
	v_and_b32 v0, 63, v0
	v_mul_lo_u32 v1, v0, s8
	.rept 16
	global_atomic_add v1, v2, s[10:11]
	.endr
	s_endpgm

	kernel wide, 0, 65
	s_endpgm

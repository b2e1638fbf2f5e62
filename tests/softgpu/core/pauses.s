// Kernels for paused launches: one with much work, one that waits for another, one that interrupts the host.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"

.macro kernel name
	.text
	.globl \name
	.p2align 8
	.type \name,@function
	.amdhsa_kernel \name
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_group_segment_fixed_size 4096
		.amdhsa_next_free_vgpr 24
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
	.text
\name:
.endm

// Arguments: buffer of 64 Ki dwords, trips. Every wave reads, exchanges data in LDS, passes a barrier and adds.
	kernel mixed
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	s_load_dword s10, s[0:1], 0x8
	s_mul_i32 s11, s2, 0x1234
	v_lshlrev_b32 v1, 2, v0
	s_mov_b32 m0, -1
	s_waitcnt lgkmcnt(0)
mixed_loop:
	v_add_u32 v2, s11, v0
	v_and_b32 v2, 0xffff, v2
	v_lshlrev_b32 v2, 2, v2
	global_load_dword v3, v2, s[8:9]
	s_waitcnt vmcnt(0)
	ds_write_b32 v1, v3
	s_waitcnt lgkmcnt(0)
	s_barrier
	v_xor_b32 v4, 0x104, v1
	ds_read_b32 v5, v4
	s_waitcnt lgkmcnt(0)
	v_add_u32 v5, v5, v3
	v_mad_u32_u24 v5, v5, 3, 1
	v_mov_b32 v6, 1
	global_atomic_add v2, v6, s[8:9]
	s_mul_i32 s11, s11, 0x41
	s_add_u32 s11, s11, 0x77
	s_barrier
	s_sub_u32 s10, s10, 1
	s_cmp_lg_u32 s10, 0
	s_cbranch_scc1 mixed_loop
	s_endpgm

// Arguments: buffer. Ends when its first dword is not 0.
	kernel waits
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	v_mov_b32 v1, 0
	s_waitcnt lgkmcnt(0)
waits_loop:
	global_load_dword v2, v1, s[8:9] glc
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s10, v2
	s_cmp_eq_u32 s10, 0
	s_cbranch_scc1 waits_loop
	v_add_u32 v2, 1, v2
	global_store_dword v1, v2, s[8:9] offset:4
	s_endpgm

	kernel raises
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	v_mov_b32 v1, 0
	v_mov_b32 v2, 41
	s_waitcnt lgkmcnt(0)
	global_store_dword v1, v2, s[8:9]
	s_endpgm

	kernel interrupts
	s_mov_b32 m0, 1234
	s_nop 0
	s_sendmsg sendmsg(MSG_INTERRUPT)
	s_endpgm

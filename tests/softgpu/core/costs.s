// Kernels for the cost of instructions that no published row covers: loops of 16 of them.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"

// s[0:1] kernarg, v0 work-item. Arguments: buffer, trips
.macro begin name
	.text
	.globl \name
	.p2align 8
	.type \name,@function
	.amdhsa_kernel \name
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_group_segment_fixed_size 32768
		.amdhsa_next_free_vgpr 24
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
	.text
\name:
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	s_load_dword s10, s[0:1], 0x8
	s_waitcnt lgkmcnt(0)
.endm

.macro loop
	s_branch 1f
	.p2align 6
1:
.endm

.macro end
	s_sub_u32 s10, s10, 1
	s_cmp_lg_u32 s10, 0
	s_cbranch_scc1 1b
	s_waitcnt vmcnt(0) lgkmcnt(0)
	s_endpgm
.endm

// Flat accesses to LDS, lane addresses shifted by `shift`, and the same with DS instructions.
.macro lds name, shift
	begin flat_\name
	s_mov_b64 s[12:13], src_shared_base
	v_lshlrev_b32 v4, \shift, v0
	v_mov_b32 v5, s13
	loop
	.rept 16
	flat_load_dword v2, v[4:5]
	s_waitcnt vmcnt(0) lgkmcnt(0)
	.endr
	end

	begin ds_\name
	v_lshlrev_b32 v4, \shift, v0
	loop
	.rept 16
	ds_read_b32 v2, v4
	s_waitcnt vmcnt(0) lgkmcnt(0)
	.endr
	end
.endm

// Barriers
	begin barriers
	loop
	.rept 16
	s_barrier
	.endr
	end

	lds linear, 2
	lds bank, 7

	begin flat_add
	s_mov_b64 s[12:13], src_shared_base
	v_mov_b32 v4, 0
	v_mov_b32 v5, s13
	v_mov_b32 v6, 1
	loop
	.rept 16
	flat_atomic_add v2, v[4:5], v6 glc
	s_waitcnt vmcnt(0) lgkmcnt(0)
	.endr
	end

	begin sleep_0
	loop
	.rept 16
	s_sleep 0
	.endr
	end

	begin sleep_1
	loop
	.rept 16
	s_sleep 1
	.endr
	end

// Four dwords of which two lie in the next line
	begin scalar_store
	s_mov_b32 s12, 1
	loop
	.rept 16
	s_store_dwordx4 s[12:15], s[8:9], 0x38
	s_waitcnt lgkmcnt(0)
	.endr
	end

	begin atomic_add
	v_lshlrev_b32 v4, 2, v0
	loop
	.rept 16
	global_atomic_add v4, v0, s[8:9]
	.endr
	end

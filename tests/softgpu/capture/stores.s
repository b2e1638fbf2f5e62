// Kernels for buffers; each work-item has a dword. Argument: the buffer.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
	.text
	.globl store
	.p2align 8
	.type store,@function
	.amdhsa_kernel store
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
// Adds the workgroup's number.
	.text
store:
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	s_lshl_b32 s4, s2, 8
	v_lshl_add_u32 v1, v0, 2, s4
	s_waitcnt lgkmcnt(0)
	global_load_dword v2, v1, s[8:9]
	s_waitcnt vmcnt(0)
	v_add_u32 v2, s2, v2
	global_store_dword v1, v2, s[8:9]
	s_endpgm

	.globl load
	.p2align 8
	.type load,@function
	.amdhsa_kernel load
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
// Loads, and computes with it for a while.
	.text
load:
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	s_lshl_b32 s4, s2, 8
	v_lshl_add_u32 v1, v0, 2, s4
	s_waitcnt lgkmcnt(0)
	global_load_dword v2, v1, s[8:9]
	s_waitcnt vmcnt(0)
	.rept 64
	v_add_u32 v2, s2, v2
	.endr
	s_endpgm

// A pointer chase for test_gfx11_memory.c: the work-item of workgroup g starts at byte g * part. Arguments: buffer,
// trips of 64 loads, part.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"

	.text
	.globl chase
	.p2align 8
	.type chase,@function
	.amdhsa_kernel chase
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_wavefront_size32 1
		.amdhsa_next_free_vgpr 1
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
	.text
chase:
	s_load_b128 s[4:7], s[0:1], 0x0
	s_waitcnt lgkmcnt(0)
	s_mul_i32 s8, s2, s7
	v_mov_b32 v0, s8
	.p2align 6
chase_trip:
	.rept 64
	global_load_b32 v0, v0, s[4:5]
	s_waitcnt vmcnt(0)
	.endr
	s_sub_i32 s6, s6, 1
	s_cmp_lg_u32 s6, 0
	s_cbranch_scc1 chase_trip
	s_endpgm

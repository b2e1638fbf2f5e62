// Kernels that report where their workgroups run, and take longer on fewer CUs.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"

// s[0:1] kernarg, s2 workgroup, v0 work-item
.macro kernel name
	.text
	.globl \name
	.p2align 8
	.type \name,@function
	.amdhsa_kernel \name
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 24
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
	.text
\name:
.endm

// Some thousand cycles of arithmetic, then HW_ID.  Arguments: out.  out[workgroup] = HW_ID
	kernel place
	s_load_dwordx2 s[10:11], s[0:1], 0x0
	.rept 1000
	v_mad_f32 v1, v2, v1, v3
	.endr
	s_getreg_b32 s8, hwreg(HW_REG_HW_ID)
	s_lshl_b32 s9, s2, 2
	v_mov_b32 v1, s8
	v_mov_b32 v2, s9
	s_waitcnt lgkmcnt(0)
	global_store_dword v2, v1, s[10:11]
	s_endpgm

// The same arithmetic without a result.
	kernel work
	.rept 1000
	v_mad_f32 v1, v2, v1, v3
	.endr
	s_endpgm

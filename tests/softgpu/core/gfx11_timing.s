// Loops for test_gfx11_timing.c. Argument: trips. Each body has 120 instructions; the first operand of `loop` is its
// name. WAVE64 selects waves of 64 lanes.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"

.ifdef WAVE64
	.set WAVE32, 0
.else
	.set WAVE32, 1
.endif

.macro loop name
	.text
	.globl \name
	.p2align 8
	.type \name,@function
	.amdhsa_kernel \name
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_wavefront_size32 WAVE32
		.amdhsa_next_free_vgpr 128
		.amdhsa_next_free_sgpr 64
	.end_amdhsa_kernel
	.text
\name:
	s_load_b32 s4, s[0:1], 0x0
	s_waitcnt lgkmcnt(0)
	.p2align 6
\name\()_trip:
.endm
.macro end_loop name
	s_sub_i32 s4, s4, 1
	s_cmp_lg_u32 s4, 0
	s_cbranch_scc1 \name\()_trip
	s_endpgm
.endm

	loop empty
	end_loop empty

// --- LDS: each lane reads 16 bytes of its own, without bank conflicts ---
.macro read_lds name, wgp
	.globl \name
	.p2align 8
	.type \name,@function
	.amdhsa_kernel \name
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_wavefront_size32 WAVE32
		.amdhsa_workgroup_processor_mode \wgp
		.amdhsa_group_segment_fixed_size 8192
		.amdhsa_next_free_vgpr 128
		.amdhsa_next_free_sgpr 64
	.end_amdhsa_kernel
	.text
\name:
	s_load_b32 s4, s[0:1], 0x0
	v_and_b32 v0, 31, v0
	v_lshlrev_b32 v0, 4, v0
	s_waitcnt lgkmcnt(0)
\name\()_trip:
	.rept 8
	ds_load_b128 v[4:7], v0
	ds_load_b128 v[8:11], v0 offset:512
	s_waitcnt lgkmcnt(1)
	.endr
	end_loop \name
.endm
	.text
	read_lds lds_wgp_mode, 1
	read_lds lds_cu_mode, 0

// --- dependent instructions ---
.macro chain name, instruction:vararg
	loop \name
	.rept 120
	\instruction
	.endr
	end_loop \name
.endm
	chain chain_add, v_add_f32 v0, v0, v1
	chain chain_mul_int, v_mul_lo_u32 v0, v0, v1
	chain chain_rcp, v_rcp_f32 v0, v0
	chain chain_fma_f64, v_fma_f64 v[0:1], v[2:3], v[4:5], v[0:1]
	chain chain_scalar, s_add_u32 s8, s8, s9
	chain single_xor, v_xor_b32 v0, v1, v2
	chain single_fmac, v_mul_f32 v0, v1, v2

// Every fourth, every fifth instruction needs the same result.
	loop four_chains
	.rept 30
	.irp k, 10, 11, 12, 13
	v_add_f32 v\k, v\k, v1
	.endr
	.endr
	end_loop four_chains

	loop five_chains
	.rept 24
	.irp k, 10, 11, 12, 13, 14
	v_add_f32 v\k, v\k, v1
	.endr
	.endr
	end_loop five_chains

.ifndef WAVE64
// --- registers of one bank ---
	loop alone
	.rept 12
	.irp k, 0, 12, 24, 36, 48, 60, 72, 84, 96, 108
	v_fma_f32 v126, v[\k], v[\k+4], v[\k+8]
	.endr
	.endr
	end_loop alone

// Banks 0 and 0, 1 and 1; other registers than those of the instruction before.
	loop dual_conflict
	.rept 12
	.irp k, 20, 28, 36, 44, 52
	v_dual_fmac_f32 v[\k], v0, v4 :: v_dual_fmac_f32 v[\k+3], v1, v5
	v_dual_fmac_f32 v[\k+4], v8, v12 :: v_dual_fmac_f32 v[\k+7], v9, v13
	.endr
	.endr
	end_loop dual_conflict

// The same registers in each instruction.
	loop dual_kept
	.rept 12
	.irp k, 20, 28, 36, 44, 52, 60, 68, 76, 84, 92
	v_dual_fmac_f32 v\k, v0, v4 :: v_dual_fmac_f32 v[\k+3], v1, v5
	.endr
	.endr
	end_loop dual_kept

	loop dual
	.rept 12
	.irp k, 20, 28, 36, 44, 52, 60, 68, 76, 84, 92
	v_dual_fmac_f32 v\k, v2, v4 :: v_dual_fmac_f32 v[\k+3], v3, v5
	.endr
	.endr
	end_loop dual
.endif

// Small kernels for errors of a wave, and for cases that are easiest to write in assembly.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"

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
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 1
		.amdhsa_system_vgpr_workitem_id 2
	.end_amdhsa_kernel
	.text
\name:
.endm

	kernel illegal
	s_nop 0
	.long 0xc4000000        // an export: not a compute instruction
	s_endpgm

	kernel image
	image_get_lod v0, v[0:1], s[0:7], s[8:11] dmask:0x1
	s_endpgm

// Arguments: buffer, byte offset of the access
	kernel read_at
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	s_load_dword s10, s[0:1], 0x8
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v1, s10
	global_load_dword v2, v1, s[8:9]
	s_waitcnt vmcnt(0)
	s_endpgm

	kernel write_at
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	s_load_dword s10, s[0:1], 0x8
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v1, s10
	global_store_dword v1, v1, s[8:9]
	s_endpgm

	kernel jump_away
	s_mov_b64 s[8:9], 0x1000
	s_setpc_b64 s[8:9]

	kernel forever
forever_loop:
	s_branch forever_loop

	kernel trap
	s_trap 2
	s_endpgm

// One wave, one result per lane. Arguments: buffer
.macro store_v1
	v_lshlrev_b32 v3, 2, v0
	global_store_dword v3, v1, s[8:9]
	s_endpgm
.endm

.macro begin name, lds=0
	kernel \name, \lds
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	s_waitcnt lgkmcnt(0)
.endm

// Lanes below 5 take one path, the others another.
	begin diverge
	v_cmp_gt_u32 vcc, 5, v0
	s_and_saveexec_b64 s[10:11], vcc
	v_mov_b32 v1, 111
	s_xor_b64 exec, exec, s[10:11]
	v_mov_b32 v1, 222
	s_mov_b64 exec, s[10:11]
	store_v1

	begin one_lane
	v_mov_b32 v1, 7
	s_mov_b64 exec, 0x400
	v_add_u32 v1, v1, v0
	s_mov_b64 exec, -1
	store_v1

// LDS words beyond the workgroup's 512 bytes read as 0.
	begin lds_bounds, 512
	v_lshlrev_b32 v2, 2, v0
	v_add_u32 v4, 100, v0
	ds_write_b32 v2, v4 offset:384
	s_waitcnt lgkmcnt(0)
	ds_read_b32 v1, v2 offset:384
	s_waitcnt lgkmcnt(0)
	store_v1

	begin dpp
	v_mov_b32 v1, 1000
	v_mov_b32_dpp v1, v0 row_shr:1 row_mask:0xf bank_mask:0xf
	store_v1

	begin sdwa
	v_mov_b32 v1, 0xaabbccdd
	v_mov_b32 v2, 0x11223344
	v_add_u32_sdwa v1, v2, v0 dst_sel:BYTE_2 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1 src1_sel:DWORD
	store_v1

	begin swizzle
	ds_swizzle_b32 v1, v0 offset:swizzle(SWAP,1)
	s_waitcnt lgkmcnt(0)
	store_v1

	begin modifiers
	v_cvt_f32_u32 v1, v0
	v_mad_f32 v1, -v1, 2.0, |v1| clamp
	v_add_f32 v1, v1, 1.0 mul:4                // ignored in IEEE mode
	s_setreg_imm32_b32 hwreg(HW_REG_MODE, 9, 1), 0
	v_mul_f32 v1, v1, 1.0 mul:2
	store_v1

	begin relative
	v_mov_b32 v4, 40
	v_mov_b32 v5, 50
	v_mov_b32 v6, 60
	s_mov_b32 s10, 2
	s_set_gpr_idx_on s10, gpr_idx(SRC0)
	v_mov_b32 v1, v4
	s_set_gpr_idx_off
	store_v1

	begin readlane
	v_add_u32 v2, 10, v0
	s_mov_b32 s10, 33
	v_readlane_b32 s11, v2, s10
	v_readfirstlane_b32 s12, v2
	s_add_u32 s11, s11, s12
	v_mov_b32 v1, s11
	store_v1

// Denormals: a smallest normal halved, with MODE's f32 denormals as the descriptor leaves them (flushed) and then kept.
	begin denormal
	v_mov_b32 v4, 0x00800000
	v_mul_f32 v5, 0.5, v4
	s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3
	v_mul_f32 v6, 0.5, v4
	v_cmp_gt_u32 vcc, 32, v0
	v_cndmask_b32 v1, v6, v5, vcc
	store_v1

	begin identity
	s_lshl_b32 s4, s4, 16
	s_lshl_b32 s3, s3, 8
	s_or_b32 s2, s2, s3
	s_or_b32 s2, s2, s4
	v_lshlrev_b32 v1, 8, v1
	v_lshlrev_b32 v2, 16, v2
	v_or3_b32 v1, v0, v1, v2
	v_lshl_or_b32 v1, s2, 24, v1
	store_v1

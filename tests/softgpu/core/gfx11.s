// Instructions of gfx11 whose effect is on the whole wave, for test_gfx11.c. Arguments: buffer. Each work-item stores its
// result, v1, at its number. WAVE64 selects the kernels for waves of 64 lanes.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"

.ifdef WAVE64
	.set WAVE32, 0
.else
	.set WAVE32, 1
.endif

.macro kernel name, lds=0, private=0, scratch=0, wgp=1
	.text
	.globl \name
	.p2align 8
	.type \name,@function
	.amdhsa_kernel \name
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_group_segment_fixed_size \lds
		.amdhsa_private_segment_fixed_size \private
		.amdhsa_enable_private_segment \scratch
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_wavefront_size32 WAVE32
		.amdhsa_workgroup_processor_mode \wgp
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 64
	.end_amdhsa_kernel
	.text
\name:
	s_load_b64 s[8:9], s[0:1], 0x0
	v_and_b32 v0, 0x3ff, v0
	v_lshlrev_b32 v3, 2, v0
	s_waitcnt lgkmcnt(0)
.endm
.macro store_v1
	global_store_b32 v3, v1, s[8:9]
	s_waitcnt_vscnt null, 0x0
	s_endpgm
.endm

.ifdef WAVE64

	kernel halves64
	v_permlane64_b32 v1, v0
	store_v1

	kernel masks64
	v_cmp_gt_u32 vcc, 40, v0
	v_mov_b32 v1, vcc_hi
	v_cmpx_lt_u32 39, v0
	v_mov_b32 v1, vcc_lo
	s_mov_b64 exec, -1
	store_v1

// The low half of a wave64, then the high one.
	kernel subvector
	v_mov_b32 v1, 0
	s_mov_b32 s12, 0
	s_subvector_loop_begin s10, .Lsubvector_end
.Lsubvector_loop:
	s_add_i32 s12, s12, 1
	v_add_nc_u32 v1, s12, v1
	s_subvector_loop_end s10, .Lsubvector_loop
.Lsubvector_end:
	store_v1

.else

// Both operations read before either writes.
	kernel dual_exchange
	v_mov_b32 v4, 1
	v_add_nc_u32 v5, v0, 10
	v_dual_mov_b32 v4, v5 :: v_dual_mov_b32 v5, v4
	v_lshl_or_b32 v1, v4, 8, v5
	store_v1

// The second one reads the destination of the first.
	kernel dual_order
	v_mov_b32 v4, 3.0
	v_mov_b32 v6, 2.0
	v_mov_b32 v7, 4.0
	v_dual_mul_f32 v4, v6, v7 :: v_dual_add_f32 v5, v4, v6
	v_mul_f32 v1, v4, v5
	v_cvt_u32_f32 v1, v1
	store_v1

	kernel rows32
	s_mov_b32 s10, 0x76543210
	s_mov_b32 s11, 0xfedcba98
	v_mov_b32 v1, v0
	v_permlanex16_b32 v1, v0, s10, s11
	store_v1

	kernel rows_reversed
	s_mov_b32 s10, 0x89abcdef
	s_mov_b32 s11, 0x01234567
	v_permlane16_b32 v1, v0, s10, s11
	store_v1

// Lane 5 is inactive when the others read it: it stays, reads as 0 with bound_ctrl, or is fetched.
	kernel rows_inactive
	s_mov_b32 s10, 0x55555555
	v_mov_b32 v1, 100
	v_mov_b32 v4, 100
	v_mov_b32 v5, 100
	s_mov_b32 exec_lo, 0xffffffdf
	v_permlane16_b32 v1, v0, s10, s10
	v_permlane16_b32 v4, v0, s10, s10 op_sel:[0,1]
	v_permlane16_b32 v5, v0, s10, s10 op_sel:[1,0]
	s_mov_b32 exec_lo, -1
	v_lshl_or_b32 v1, v4, 8, v1
	v_lshl_or_b32 v1, v5, 16, v1
	store_v1

	kernel swap_halves
	v_lshl_or_b32 v4, v0, 16, 1
	v_lshl_or_b32 v5, v0, 17, 2
	.long 0x7e08cd05                // v_swap_b16 v4, v5
	v_xor_b32 v1, v4, v5
	v_lshlrev_b32 v5, 1, v5
	v_add_nc_u32 v1, v1, v5
	store_v1

	kernel relative
	v_mov_b32 v10, 7
	v_mov_b32 v12, 9
	s_mov_b32 m0, 2
	v_movrels_b32 v4, v10
	v_movreld_b32 v20, v0
	s_mov_b32 m0, 0x30002
	v_movrelsd_2_b32 v30, v10
	v_add_nc_u32 v1, v4, v22
	v_lshl_add_u32 v1, v33, 8, v1
	store_v1

// DPP8 reverses groups of 8; row_share and row_xmask.
	kernel dpp
	v_mov_b32_dpp v1, v0 dpp8:[7,6,5,4,3,2,1,0]
	v_mov_b32_dpp v4, v0 row_share:3 row_mask:0xf bank_mask:0xf
	v_mov_b32_dpp v5, v0 row_xmask:5 row_mask:0xf bank_mask:0xf
	v_lshl_or_b32 v1, v4, 8, v1
	v_lshl_or_b32 v1, v5, 16, v1
	store_v1

// A 16-bit result keeps the other half.
	kernel keep_half
	v_mov_b32 v1, 0x12345678
	v_add_nc_u16 v1, v0, 1
	v_mov_b32 v4, 0x9abcdef0
	v_add_nc_u16 v4, v0, 2 op_sel:[0,0,1]
	v_xor_b32 v1, v1, v4
	store_v1

// Compares write as many bits as the wave has lanes; v_cmpx writes EXEC alone; NULL takes what is not wanted.
	kernel masks32
	s_mov_b32 vcc_hi, 0x5555
	s_mov_b32 s11, 77
	v_cmp_gt_u32 vcc_lo, 4, v0
	v_cmp_gt_u32_e64 s10, 8, v0
	v_add_co_u32 v4, null, -1, v0
	s_mov_b64 null, 5
	v_mov_b32 v1, vcc_hi
	v_add_nc_u32 v1, s10, v1
	v_add_nc_u32 v1, s11, v1
	v_cmpx_lt_u32 3, v0
	v_add_nc_u32 v1, vcc_lo, v1
	s_mov_b32 exec_lo, -1
	store_v1

// Scratch needs no SGPRs.
	kernel scratch, private=64, scratch=1
	v_add_nc_u32 v4, 1000, v0
	scratch_store_b32 off, v0, off offset:8
	scratch_store_b32 off, v4, off offset:12
	v_mov_b32 v6, 4
	s_waitcnt_vscnt null, 0x0
	scratch_load_b32 v5, v6, off offset:8
	scratch_load_b32 v7, off, off offset:8
	s_waitcnt vmcnt(0)
	v_add_nc_u32 v1, v5, v7
	store_v1

	kernel addtid
	global_load_addtid_b32 v1, s[8:9] offset:256
	s_waitcnt vmcnt(0)
	v_add_nc_u32 v1, 1, v1
	global_store_addtid_b32 v1, s[8:9]
	s_waitcnt_vscnt null, 0x0
	s_endpgm

// The buffer has A, B and C in the layout of the registers, 8 dwords a lane each; D replaces C.
.macro matrix name, instruction
	kernel \name
	v_mul_u32_u24 v3, 96, v0
	global_load_b128 v[8:11], v3, s[8:9]
	global_load_b128 v[12:15], v3, s[8:9] offset:16
	global_load_b128 v[16:19], v3, s[8:9] offset:32
	global_load_b128 v[20:23], v3, s[8:9] offset:48
	global_load_b128 v[24:27], v3, s[8:9] offset:64
	global_load_b128 v[28:31], v3, s[8:9] offset:80
	s_waitcnt vmcnt(0)
	\instruction
	global_store_b128 v3, v[24:27], s[8:9] offset:64
	global_store_b128 v3, v[28:31], s[8:9] offset:80
	s_endpgm
.endm
	matrix matrix_f16, "v_wmma_f32_16x16x16_f16 v[24:31], v[8:15], v[16:23], v[24:31]"
	matrix matrix_iu8, "v_wmma_i32_16x16x16_iu8 v[24:31], v[8:11], v[16:19], v[24:31] neg_lo:[1,0,0]"

// All waves of a workgroup of 1024 meet at a barrier in one CU or one WGP, and share LDS.
.macro barrier name, wgp
	kernel \name, lds=4096, wgp=\wgp
	v_mul_u32_u24 v4, 3, v0
	ds_store_b32 v3, v4
	s_waitcnt lgkmcnt(0)
	s_barrier
	v_xor_b32 v5, 0xffc, v3
	ds_load_b32 v1, v5
	s_waitcnt lgkmcnt(0)
	store_v1
.endm
	barrier barrier_wgp, 1
	barrier barrier_cu, 0

.endif

// Wave and memory rows whose effect takes several instructions to observe, for test_rows.c. Arguments: buffer
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"

.macro kernel name, lds=1024
	.text
	.globl \name
	.p2align 8
	.type \name,@function
	.amdhsa_kernel \name
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_group_segment_fixed_size \lds
		.amdhsa_next_free_vgpr 24
		.amdhsa_next_free_sgpr 64
	.end_amdhsa_kernel
	.text
\name:
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	v_lshlrev_b32 v3, 2, v0
	s_waitcnt lgkmcnt(0)
.endm
.macro store_v1
	global_store_dword v3, v1, s[8:9]
	s_endpgm
.endm
.macro store_s n
	v_mov_b32 v1, \n
	store_v1
.endm

// Dword 100 of the buffer is 40: adds 2, returns the old value, compares and swaps, returns the final cell
	kernel scalar_atomics
	s_mov_b32 s16, 2
	s_atomic_add s16, s[8:9], 0x190 glc
	s_mov_b32 s20, 7
	s_mov_b32 s21, 42
	s_atomic_cmpswap s[20:21], s[8:9], 0x190 glc
	s_waitcnt lgkmcnt(0)
	s_mov_b32 s24, 100
	s_mov_b32 s25, 0
	s_atomic_inc_x2 s[24:25], s[8:9], 0x198 glc
	s_atomic_umax s16, s[8:9], 0x190
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v1, s20
	v_mov_b32 v4, s16
	v_cmp_eq_u32 vcc, 1, v0
	v_cndmask_b32 v1, v1, v4, vcc
	v_mov_b32 v4, s24
	v_cmp_eq_u32 vcc, 2, v0
	v_cndmask_b32 v1, v1, v4, vcc
	store_v1

	kernel scalar_scratch
	s_mov_b32 s16, 77
	s_mov_b32 s17, 8                // 8 * 64 bytes
	s_scratch_store_dword s16, s[8:9], s17
	s_dcache_wb
	s_scratch_load_dword s18, s[8:9], 0x200
	s_atc_probe 3, s[8:9], 0x0
	s_waitcnt lgkmcnt(0)
	store_s s18

// Lanes below 20 take one branch, the other lanes the other. The stack begins at s[0:3].
	kernel fork
	v_cmp_gt_u32 vcc, 20, v0
	s_getreg_b32 s30, hwreg(HW_REG_MODE, 29, 3)
	s_mov_b64 s[40:41], exec
	v_mov_b32 v1, 0
	s_cbranch_i_fork vcc, 4           // dwords from fork_next to fork_low
fork_next:
	v_add_u32 v1, 100, v1
	s_cbranch_join s30
	s_branch fork_end
fork_low:
	v_add_u32 v1, 7, v1
	s_cbranch_join s30
fork_end:
	s_mov_b64 exec, s[40:41]
	store_v1

	kernel vskip
	v_mov_b32 v1, 5
	s_mov_b32 s16, 1
	s_setvskip s16, 0
	s_nop 4
	v_mov_b32 v1, 6
	ds_write_b32 v3, v3
	global_store_dword v3, v3, s[8:9] offset:1024
	s_setvskip s16, 1
	s_nop 4
	v_add_u32 v1, 10, v1
	store_v1

	kernel setkill
	v_mov_b32 v1, 3
	global_store_dword v3, v1, s[8:9]
	s_setkill 0
	v_mov_b32 v1, 4
	global_store_dword v3, v1, s[8:9]
	s_setkill 1
	v_mov_b32 v1, 5
	store_v1

	kernel rfe
	s_rfe_b64 s[8:9]
	s_endpgm

	kernel sendmsghalt
	s_sendmsghalt sendmsg(0, 0, 0)
	s_endpgm

	kernel saved
	v_mov_b32 v1, 9
	global_store_dword v3, v1, s[8:9]
	s_endpgm_saved

// LDS dword n is n. Dword n becomes n + (n + 64); then the same with the distance in the upper address bits
	kernel src2
	v_add_u32 v4, 64, v0
	ds_write_b32 v3, v0
	ds_write_b32 v3, v4 offset:256
	ds_add_src2_u32 v3 offset:64
	s_waitcnt lgkmcnt(0)
	ds_read_b32 v1, v3
	s_waitcnt lgkmcnt(0)
	store_v1

	kernel condxchg
	v_lshlrev_b32 v5, 3, v0
	v_mov_b32 v6, 11
	v_mov_b32 v7, 22
	ds_write_b64 v5, v[6:7]
	v_mov_b32 v6, 0x80000021
	v_mov_b32 v7, 0x21
	ds_condxchg32_rtn_b64 v[10:11], v5, v[6:7]
	ds_read_b64 v[12:13], v5
	s_waitcnt lgkmcnt(0)
	v_lshlrev_b32 v12, 8, v12
	v_lshlrev_b32 v13, 16, v13
	v_or3_b32 v1, v10, v12, v13
	store_v1

// GDS keeps its contents after the workgroup. M0 contains base and size
	kernel gds
	s_mov_b32 m0, 0x01000100
	ds_write_b32 v3, v0 gds
	v_mov_b32 v4, 1
	ds_add_u32 v3, v4 gds
	v_add_u32 v5, 4, v3
	ds_read_b32 v1, v5 gds
	s_waitcnt lgkmcnt(0)
	store_v1

// A buffer load to LDS, and one with TFE
	kernel load_lds
	s_mov_b32 s16, s8
	s_mov_b32 s17, s9
	s_movk_i32 s18, 0x1000
	s_mov_b32 s19, 0x00027000
	s_mov_b32 m0, 16
	v_mov_b32 v5, v0
	buffer_load_ubyte v3, s[16:19], 0 offen offset:512 lds
	s_waitcnt vmcnt(0)
	ds_read_b32 v1, v3 offset:528
	s_waitcnt lgkmcnt(0)
	v_lshlrev_b32 v5, 8, v0
	v_or_b32 v1, v1, v5
	store_v1

	kernel tfe
	s_mov_b32 s16, s8
	s_mov_b32 s17, s9
	s_movk_i32 s18, 0x1000
	s_mov_b32 s19, 0x00027000
	v_mov_b32 v7, 99
	.long 0xe0501200, 0x80840603   // buffer_load_dword v6, v3, s[16:19], 0 offen offset:512 tfe
	s_waitcnt vmcnt(0)
	v_add_u32 v1, v6, v7
	store_v1

	kernel mqsad
	v_mov_b32 v4, 0x04030201
	v_mov_b32 v5, 0x08070605
	v_mov_b32 v6, 0x01000101
	v_mov_b32 v8, 1000
	v_mov_b32 v9, v0
	v_mov_b32 v10, 0
	v_mov_b32 v11, 3
	v_mqsad_u32_u8 v[12:15], v[4:5], v6, v[8:11]
	v_add3_u32 v1, v12, v13, v14
	v_add_u32 v1, v1, v15
	store_v1

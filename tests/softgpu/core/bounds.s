// Accesses of every kind along a buffer, from a byte offset on, under a mask of lanes.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"

.macro kernel name
	.text
	.globl \name
	.p2align 8
	.type \name,@function
	.amdhsa_kernel \name
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 24
		.amdhsa_next_free_sgpr 32
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_vgpr_workitem_id 1
	.end_amdhsa_kernel
	.text
\name:
.endm

// Arguments: buffer, byte offset, trips, EXEC. The row of a work-item of a block of 8 columns is v1. Lane l accesses element l of
// 1 << shift bytes, and the next trip continues after lane 63.
.macro access name, shift, text:vararg
	kernel \name
	s_load_dwordx4 s[8:11], s[0:1], 0x0
	s_load_dwordx2 s[12:13], s[0:1], 0x10
	v_lshlrev_b32 v2, 3, v1
	v_add_u32 v2, v2, v0
	v_lshlrev_b32 v2, \shift, v2
	s_waitcnt lgkmcnt(0)
	s_ashr_i32 s14, s10, 31
	s_add_u32 s8, s8, s10
	s_addc_u32 s9, s9, s14
\name\()_loop:
	v_mov_b32 v5, s9
	v_add_co_u32 v4, vcc, s8, v2
	v_addc_co_u32 v5, vcc, 0, v5, vcc
	s_mov_b64 exec, s[12:13]
	\text
	s_mov_b64 exec, -1
	s_waitcnt vmcnt(0) lgkmcnt(0)
	s_add_u32 s8, s8, 64 << \shift
	s_addc_u32 s9, s9, 0
	s_sub_u32 s11, s11, 1
	s_cmp_lg_u32 s11, 0
	s_cbranch_scc1 \name\()_loop
	s_endpgm
.endm

.macro descriptor
	s_mov_b32 s16, s8
	s_and_b32 s17, s9, 0xffff
	s_mov_b32 s18, -1
	s_mov_b32 s19, 0x24000
.endm

.macro load_from_descriptor
	descriptor
	buffer_load_dword v6, v2, s[16:19], 0 offen
.endm

.macro store_to_descriptor
	descriptor
	buffer_store_dwordx2 v[6:7], v2, s[16:19], 0 offen
.endm

	access load_byte, 0, global_load_ubyte v6, v[4:5], off
	access load_short, 1, global_load_ushort v6, v[4:5], off
	access load_half, 1, global_load_short_d16_hi v6, v[4:5], off
	access load_1, 2, global_load_dword v6, v[4:5], off
	access load_base, 2, global_load_dword v6, v2, s[8:9]
	access load_2, 3, global_load_dwordx2 v[6:7], v[4:5], off
	access load_4, 4, global_load_dwordx4 v[6:9], v[4:5], off
	access load_flat, 2, flat_load_dword v6, v[4:5]
	access load_buffer, 2, load_from_descriptor
	access store_byte, 0, global_store_byte v[4:5], v6, off
	access store_short, 1, global_store_short v[4:5], v6, off
	access store_1, 2, global_store_dword v[4:5], v6, off
	access store_base, 2, global_store_dword v2, v6, s[8:9]
	access store_4, 4, global_store_dwordx4 v[4:5], v[6:9], off
	access store_flat, 3, flat_store_dwordx2 v[4:5], v[6:7]
	access store_buffer, 3, store_to_descriptor
	access atomic_1, 2, global_atomic_add v6, v[4:5], v7, off glc
	access atomic_2, 3, global_atomic_add_x2 v[4:5], v[6:7], off

// Scalar accesses at the offset. Arguments: as above
.macro scalar name, text:vararg
	kernel \name
	s_load_dwordx4 s[8:11], s[0:1], 0x0
	s_waitcnt lgkmcnt(0)
	s_ashr_i32 s14, s10, 31
	s_add_u32 s8, s8, s10
	s_addc_u32 s9, s9, s14
	\text
	s_waitcnt lgkmcnt(0)
	s_dcache_wb
	s_endpgm
.endm

	scalar scalar_load_1, s_load_dword s16, s[8:9], 0x0
	scalar scalar_load_4, s_load_dwordx4 s[16:19], s[8:9], 0x0
	scalar scalar_store_1, s_store_dword s16, s[8:9], 0x0

// Waits until the buffer's element after the last one is not 0, which never happens.
	kernel spin
	s_load_dwordx4 s[8:11], s[0:1], 0x0
	v_mov_b32 v2, 0
	s_waitcnt lgkmcnt(0)
	s_add_u32 s8, s8, s10
	s_addc_u32 s9, s9, 0
spin_loop:
	global_load_dword v6, v2, s[8:9]
	s_waitcnt vmcnt(0)
	v_cmp_eq_u32 vcc, 0, v6
	s_cbranch_vccnz spin_loop
	s_endpgm

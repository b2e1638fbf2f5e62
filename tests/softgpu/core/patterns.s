// Accesses to memory and LDS with the lane offsets of a table, one entry per iteration.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"

	.text
	.globl patterns
	.p2align 8
	.type patterns,@function
	.amdhsa_kernel patterns
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_group_segment_fixed_size 4096
		.amdhsa_next_free_vgpr 40
		.amdhsa_next_free_sgpr 40
	.end_amdhsa_kernel
	.text

.macro mix first, last
	.set n, \first
	.rept \last - \first + 1
	v_mad_u32_u24 v30, v30, 5, v[n]
	v_alignbit_b32 v30, v30, v30, 7
	.set n, n + 1
	.endr
.endm

// Arguments: table of trips * 64 pairs of offsets, into memory and into LDS; table of trips pairs of EXEC; memory; bytes of it for a
// workgroup; trips.
patterns:
	s_load_dwordx4 s[8:11], s[0:1], 0x0
	s_load_dwordx2 s[12:13], s[0:1], 0x10
	s_load_dwordx2 s[14:15], s[0:1], 0x18
	s_waitcnt lgkmcnt(0)
	s_mul_i32 s14, s14, s2
	s_add_u32 s12, s12, s14
	s_addc_u32 s13, s13, 0
	v_lshlrev_b32 v31, 3, v0
	v_mov_b32 v30, v0
	s_mov_b32 m0, -1
patterns_loop:
	global_load_dwordx2 v[1:2], v31, s[8:9]
	s_load_dwordx2 s[20:21], s[10:11], 0x0
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_mov_b32 v5, s13
	v_add_co_u32 v4, vcc, s12, v1
	v_addc_co_u32 v5, vcc, 0, v5, vcc
	s_mov_b64 exec, s[20:21]

	global_load_dword v6, v[4:5], off
	global_load_dword v7, v1, s[12:13] offset:4
	global_load_dwordx2 v[8:9], v[4:5], off
	global_load_dwordx3 v[10:12], v[4:5], off offset:16
	global_load_dwordx4 v[13:16], v[4:5], off
	global_load_ubyte v17, v[4:5], off offset:1
	global_load_sbyte v18, v[4:5], off
	global_load_ushort v19, v[4:5], off
	global_load_sshort v20, v[4:5], off offset:2
	flat_load_dword v21, v[4:5]
	s_waitcnt vmcnt(0) lgkmcnt(0)
	mix 6, 21
	global_store_dword v[4:5], v30, off
	global_store_dword v1, v6, s[12:13] offset:8
	global_store_dwordx2 v[4:5], v[30:31], off offset:32
	global_store_dwordx3 v[4:5], v[14:16], off offset:4
	global_store_dwordx4 v[4:5], v[18:21], off offset:64
	global_store_byte v[4:5], v30, off offset:5
	global_store_short v[4:5], v30, off offset:10
	global_store_short_d16_hi v[4:5], v30, off offset:14
	flat_store_dword v[4:5], v7

	ds_read_b32 v6, v2
	ds_read_b64 v[8:9], v2 offset:8
	ds_read_b96 v[10:12], v2
	ds_read_b128 v[13:16], v2
	ds_read2_b32 v[17:18], v2 offset1:3
	ds_read2st64_b32 v[19:20], v2 offset1:1
	ds_read_u8 v21, v2
	ds_read_i8 v22, v2 offset:1
	ds_read_u16 v23, v2
	ds_read_i16 v24, v2 offset:2
	ds_read2_b64 v[25:28], v2 offset0:2 offset1:1
	s_waitcnt lgkmcnt(0)
	mix 6, 28
	ds_write_b32 v2, v30
	ds_write_b64 v2, v[30:31] offset:8
	ds_write_b96 v2, v[14:16] offset:4
	ds_write_b128 v2, v[18:21] offset:16
	ds_write2_b32 v2, v30, v6 offset1:5
	ds_write2st64_b32 v2, v30, v8 offset1:2
	ds_write2_b64 v2, v[9:10], v[30:31] offset0:1 offset1:4
	ds_write_b8 v2, v30 offset:3
	ds_write_b16 v2, v30 offset:6
	v_mov_b32 v3, v2
	ds_read2_b32 v[2:3], v2 offset0:1 offset1:2
	s_waitcnt lgkmcnt(0)
	mix 2, 3

	s_mov_b64 exec, -1
	s_add_u32 s8, s8, 512
	s_addc_u32 s9, s9, 0
	s_add_u32 s10, s10, 8
	s_addc_u32 s11, s11, 0
	s_sub_u32 s15, s15, 1
	s_cmp_lg_u32 s15, 0
	s_cbranch_scc1 patterns_loop

	v_lshlrev_b32 v1, 2, v0
	global_store_dword v1, v30, s[12:13]
	s_waitcnt vmcnt(0)
	s_endpgm

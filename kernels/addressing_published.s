// Three forms of a loop with the published numbers of vector and scalar instructions per iteration (Fixstars):
// f 5 and 4, g 3 and 6, h 4 and 3 (scalar: with waits and branches), plus a load and a store. The listings are for an
// older GCN, so these are gfx9's instructions. Per iteration, 32 of 64 lanes add 1: lane l to element l + 32 i.
// The source's groups overlap (base group * n for 32 n elements); here each group has its own 32 n elements.
//
// void address_NAME(int *p, unsigned n): n iterations, at least 1; any block of full waves of 64
	.include "kernels/kernel.inc"

// v0 = lane, v1 = group of 64; s[8:9] = p, s10 = n, s11 = 32 n; v[2:3] = the group's base in bytes.
.macro address_begin
	s_load_dword s5, s[0:1], 0x4           // block size x in the low half
	s_load_dwordx2 s[8:9], s[2:3], 0x0     // p
	s_load_dword s10, s[2:3], 0x8          // n
	s_waitcnt lgkmcnt(0)
	s_and_b32 s5, s5, 0xffff
	s_mul_i32 s4, s4, s5
	s_lshl_b32 s11, s10, 5
	v_add_u32 v1, s4, v0
	v_lshrrev_b32 v1, 6, v1                // group
	v_and_b32 v0, 63, v0                   // lane
	v_mul_lo_u32 v2, v1, s11
	v_mov_b32 v3, 0
	v_lshlrev_b64 v[2:3], 2, v[2:3]
	v_mov_b32 v4, s9
	v_add_co_u32 v2, vcc, s8, v2
	v_addc_co_u32 v3, vcc, v4, v3, vcc
	v_cmp_gt_u32 s[14:15], 32, v0          // the 32 working lanes
	v_lshlrev_b32 v5, 2, v0                // lane in bytes
.endm

// for (i = lane; i < 32 n; i += 32) base[i] += 1, inside the test: counter and end are per lane; lanes exit one by one.
kernel_begin address_f
	address_begin
	s_and_b64 exec, exec, s[14:15]
	v_add_co_u32 v2, vcc, v2, v5
	v_addc_co_u32 v3, vcc, 0, v3, vcc
	s_movk_i32 s6, 0x80
	s_mov_b64 s[12:13], 0                  // lanes that have finished
	window_start 0
address_f_loop:
	global_load_dword v4, v[2:3], off
	s_waitcnt vmcnt(0)
	v_add_u32 v4, 1, v4
	global_store_dword v[2:3], v4, off
	v_add_u32 v0, 32, v0
	v_add_co_u32 v2, vcc, s6, v2
	v_addc_co_u32 v3, vcc, 0, v3, vcc
	v_cmp_le_u32 vcc, s11, v0
	s_or_b64 s[12:13], vcc, s[12:13]
	s_andn2_b64 exec, exec, s[12:13]
	s_cbranch_execnz address_f_loop
	kernel_end address_f, 6, 16, 12

// for (i = 0; i < 32 n; i += 32) if (lane < 32) base[i + lane] += 1: a uniform counter, with the test inside the loop.
// The group's base is in scalar registers, and the lane's offset has 32 bits: a group is at most 2 GiB.
kernel_begin address_g
	address_begin
	v_readfirstlane_b32 s8, v2
	v_readfirstlane_b32 s9, v3
	s_mov_b32 s10, 0                       // i
	window_start 0
address_g_loop:
	s_and_saveexec_b64 s[12:13], s[14:15]
	v_add_u32 v2, s10, v0
	v_lshlrev_b32 v2, 2, v2
	global_load_dword v4, v2, s[8:9]
	s_waitcnt vmcnt(0)
	v_add_u32 v4, 1, v4
	global_store_dword v2, v4, s[8:9]
	s_mov_b64 exec, s[12:13]
	s_add_u32 s10, s10, 32
	s_cmp_lt_u32 s10, s11
	s_cbranch_scc1 address_g_loop
	kernel_end address_g, 6, 16, 12

// if (lane < 32) { base += lane; for (i = 0; i < 128 n; i += 128) *(int *)((char *)base + i) += 1; }: counts bytes,
// compared in 64 bits, which only a vector instruction can do.
kernel_begin address_h
	address_begin
	s_and_b64 exec, exec, s[14:15]
	v_add_co_u32 v0, vcc, v2, v5
	v_addc_co_u32 v1, vcc, 0, v3, vcc
	s_lshl_b32 s11, s11, 2
	v_mov_b32 v6, s11
	v_mov_b32 v7, 0
	s_mov_b64 s[12:13], 0                  // i, extended to 64 bits
	window_start 0
address_h_loop:
	v_add_co_u32 v2, vcc, s12, v0
	v_addc_co_u32 v3, vcc, 0, v1, vcc
	global_load_dword v4, v[2:3], off
	s_addk_i32 s12, 0x80
	s_waitcnt vmcnt(0)
	v_add_u32 v4, 1, v4
	global_store_dword v[2:3], v4, off
	v_cmp_lt_u64 vcc, s[12:13], v[6:7]
	s_cbranch_vccnz address_h_loop
	kernel_end address_h, 8, 16, 12

	.amdgpu_metadata
---
amdhsa.version: [ 1, 1 ]
amdhsa.kernels:
  - .name: address_f
    .symbol: address_f.kd
    .kernarg_segment_size: 12
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 20
    .vgpr_count: 6
    .max_flat_workgroup_size: 1024
    .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 8, .size: 4, .value_kind: by_value }
  - .name: address_g
    .symbol: address_g.kd
    .kernarg_segment_size: 12
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 20
    .vgpr_count: 6
    .max_flat_workgroup_size: 1024
    .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 8, .size: 4, .value_kind: by_value }
  - .name: address_h
    .symbol: address_h.kd
    .kernarg_segment_size: 12
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 20
    .vgpr_count: 8
    .max_flat_workgroup_size: 1024
    .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 8, .size: 4, .value_kind: by_value }
...
	.end_amdgpu_metadata

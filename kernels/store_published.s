// Each work-item stores one dword into a window that maps the grid onto few memory channels (Vega64 notes 2.10), with
// the source's index computation: two masks, an or, a 64-bit address.
	.include "kernels/kernel.inc"

// index = (gid & ~(span - 1)) | (gid & (window - 1)); buf[index] = index. The source stores gid, so the result of a
// collision is undefined; colliding work-items have the same index, so storing it can be verified.
//
// void channel_store(int *buf, unsigned window, unsigned span)
kernel_begin channel_store
	s_load_dword s5, s[0:1], 0x4           // block size x in the low half
	s_load_dwordx4 s[8:11], s[2:3], 0x0    // buf, window, span
	s_waitcnt lgkmcnt(0)
	s_and_b32 s5, s5, 0xffff
	s_mul_i32 s4, s4, s5
	s_sub_i32 s11, 0, s11
	s_add_i32 s10, s10, -1
	v_add_u32 v0, s4, v0                   // gid
	v_and_b32 v1, s11, v0
	v_and_b32 v0, s10, v0
	v_or_b32 v0, v1, v0
	v_mov_b32 v1, 0
	v_lshlrev_b64 v[2:3], 2, v[0:1]
	v_mov_b32 v1, s9
	v_add_co_u32 v2, vcc, s8, v2
	v_addc_co_u32 v3, vcc, v1, v3, vcc
	global_store_dword v[2:3], v0, off
	kernel_end channel_store, 4, 16, 16

	.amdgpu_metadata
---
amdhsa.version: [ 1, 1 ]
amdhsa.kernels:
  - .name: channel_store
    .symbol: channel_store.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 20
    .vgpr_count: 4
    .max_flat_workgroup_size: 1024
    .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 8, .size: 4, .value_kind: by_value }
      - { .offset: 12, .size: 4, .value_kind: by_value }
...
	.end_amdgpu_metadata

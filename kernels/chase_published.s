// Pointer chases by one work-item with the published instructions on the critical path (Vega64 notes 2.6.1 to 2.6.3):
// those between the arrival of a value and the issue of the next load. Instructions after the load are hidden by it.
// Loops start on a 32-byte fetch window and no 8-byte instruction crosses one.
	.include "kernels/kernel.inc"

// 6a: v = buf[v * i], i = 1 .. reads - 1. wait 4, mul 16, 2 x 4, lshl 8, add 4, addc 4, issue 4: 48 cycles + the load.
//
// void chase_dram(const int *buf, unsigned reads, int *out)
kernel_begin chase_dram
	s_load_dwordx2 s[8:9], s[2:3], 0x0     // buf
	s_load_dword s10, s[2:3], 0x8          // reads
	s_load_dwordx2 s[12:13], s[2:3], 0x10  // out
	v_mov_b32 v0, 0
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v4, s9
	global_load_dword v1, v0, s[8:9]
	s_mov_b32 s6, 1                        // i
	s_cmp_le_u32 s10, s6
	s_cbranch_scc1 .Ldram_done
	window_start 0
chase_dram_loop:
	s_waitcnt vmcnt(0)
	v_mul_lo_u32 v2, v1, s6
	s_add_i32 s6, s6, 1
	v_ashrrev_i32 v3, 31, v2
	v_lshlrev_b64 v[2:3], 2, v[2:3]
	v_add_co_u32 v2, vcc, s8, v2
	v_addc_co_u32 v3, vcc, v4, v3, vcc
	global_load_dword v1, v[2:3], off
	s_cmp_lg_u32 s6, s10
	s_cbranch_scc1 chase_dram_loop
.Ldram_done:
	s_waitcnt vmcnt(0)
	global_store_dword v0, v1, s[12:13]
	kernel_end chase_dram, 5, 16, 24

// 6b: v = buf[i * v * stride - 1]. wait 4, mul 16, mov 4, mul 16, 4 x 4, lshl 8, add 4, addc 4, issue 4: 76 cycles.
//
// void chase_stride(const int *buf, unsigned stride, unsigned reads, int *out)
kernel_begin chase_stride
	s_load_dwordx4 s[8:11], s[2:3], 0x0    // buf, stride, reads
	s_load_dwordx2 s[12:13], s[2:3], 0x10  // out
	v_mov_b32 v0, 0
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v4, s9
	global_load_dword v1, v0, s[8:9]
	s_mov_b32 s6, 1                        // i
	s_cmp_le_u32 s11, s6
	s_cbranch_scc1 .Lstride_done
	window_start 0
chase_stride_loop:
	s_waitcnt vmcnt(0)
	v_mul_lo_u32 v2, v1, s6
	v_mov_b32 v3, s10
	v_mul_lo_u32 v2, v2, v3
	s_add_i32 s6, s6, 1
	s_cmp_lg_u32 s6, s11
	v_add_u32 v2, -1, v2
	v_ashrrev_i32 v3, 31, v2
	v_lshlrev_b64 v[2:3], 2, v[2:3]
	v_add_co_u32 v2, vcc, s8, v2
	v_addc_co_u32 v3, vcc, v4, v3, vcc
	global_load_dword v1, v[2:3], off
	s_cbranch_scc1 chase_stride_loop
.Lstride_done:
	s_waitcnt vmcnt(0)
	global_store_dword v0, v1, s[12:13]
	kernel_end chase_stride, 5, 16, 24

// 6c and 6d: v = buf[(i * v - 1) & (range - 1)]. wait 4, mul 16, 5 x 4, ashr 4, lshl 8, add 4, addc 4, issue 4:
// 64 cycles. (The text's kernel also multiplies by range, so it reads one word; the published 376 is the repository's.)
//
// void chase_range(const int *buf, unsigned range, unsigned reads, int *out)
kernel_begin chase_range
	s_load_dwordx4 s[8:11], s[2:3], 0x0    // buf, range, reads
	s_load_dwordx2 s[12:13], s[2:3], 0x10  // out
	v_mov_b32 v0, 0
	s_waitcnt lgkmcnt(0)
	global_load_dword v1, v0, s[8:9]
	s_add_i32 s10, s10, -1
	s_mov_b32 s6, 1                        // i
	s_cmp_le_u32 s11, s6
	s_cbranch_scc1 .Lrange_done
	window_start 0
chase_range_loop:
	s_waitcnt vmcnt(0)
	v_mul_lo_u32 v2, v1, s6
	v_mov_b32 v4, s9
	s_add_i32 s6, s6, 1
	s_cmp_lg_u32 s6, s11
	v_add_u32 v2, -1, v2
	v_and_b32 v2, s10, v2
	v_ashrrev_i32 v3, 31, v2
	v_lshlrev_b64 v[2:3], 2, v[2:3]
	v_add_co_u32 v2, vcc, s8, v2
	v_addc_co_u32 v3, vcc, v4, v3, vcc
	global_load_dword v1, v[2:3], off
	s_cbranch_scc1 chase_range_loop
.Lrange_done:
	s_waitcnt vmcnt(0)
	global_store_dword v0, v1, s[12:13]
	kernel_end chase_range, 5, 16, 24

	.amdgpu_metadata
---
amdhsa.version: [ 1, 1 ]
amdhsa.kernels:
  - .name: chase_dram
    .symbol: chase_dram.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 20
    .vgpr_count: 5
    .max_flat_workgroup_size: 1
    .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 8, .size: 4, .value_kind: by_value }
      - { .offset: 16, .size: 8, .value_kind: global_buffer, .address_space: global }
  - .name: chase_stride
    .symbol: chase_stride.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 20
    .vgpr_count: 5
    .max_flat_workgroup_size: 1
    .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 8, .size: 4, .value_kind: by_value }
      - { .offset: 12, .size: 4, .value_kind: by_value }
      - { .offset: 16, .size: 8, .value_kind: global_buffer, .address_space: global }
  - .name: chase_range
    .symbol: chase_range.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 20
    .vgpr_count: 5
    .max_flat_workgroup_size: 1
    .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 8, .size: 4, .value_kind: by_value }
      - { .offset: 12, .size: 4, .value_kind: by_value }
      - { .offset: 16, .size: 8, .value_kind: global_buffer, .address_space: global }
...
	.end_amdgpu_metadata

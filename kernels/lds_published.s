// Dependent LDS reads with the published instructions (Vega64 notes 2.9): INNER unrolled reads in a counted loop.
	.include "kernels/kernel.inc"

.ifndef INNER
	.set INNER, 100
.endif

// v = lds[v] & mask: read issue 4, wait 4, and 4, shift 4: 16 cycles plus the read latency. The shift has its 8-byte
// form: a step is then 24 bytes long and no read crosses a fetch window.
//
// void lds_latency(const int *buf, unsigned mask, unsigned outer, int *out)
kernel_begin lds_latency
	s_load_dwordx4 s[8:11], s[2:3], 0x0    // buf, mask, outer
	s_load_dwordx2 s[12:13], s[2:3], 0x10  // out
	v_lshlrev_b32 v3, 2, v0
	s_waitcnt lgkmcnt(0)
	global_load_dword v2, v3, s[8:9]
	s_waitcnt vmcnt(0)
	ds_write_b32 v3, v2
	v_mov_b32 v1, v3
	s_waitcnt lgkmcnt(0)
	s_cmp_eq_u32 s11, 0
	s_cbranch_scc1 .Llatency_done
	window_start 0
lds_latency_loop:
	.rept INNER
	ds_read_b32 v1, v1
	s_waitcnt lgkmcnt(0)
	v_and_b32 v1, s10, v1
	v_lshlrev_b32_e64 v1, 2, v1
	.endr
	s_add_i32 s11, s11, -1
	s_cmp_lg_u32 s11, 0
	s_cbranch_scc1 lds_latency_loop
.Llatency_done:
	v_lshrrev_b32 v1, 2, v1
	global_store_dword v3, v1, s[12:13]
	kernel_end lds_latency, 4, 16, 24, 16384

// v = ((lds[v] + tid) * stride) & 4095, one wave: issue 4, wait 4, add 4, mul 16, and 4, shift 4: 36 cycles plus
// latency and conflicts. A step is exactly one fetch window. The wave first fills LDS from buf, 64 words per pass, 16 at a time.
//
// void lds_bank_conflict(const int *buf, unsigned stride, unsigned outer, int *out)
kernel_begin lds_bank_conflict
	s_load_dwordx4 s[8:11], s[2:3], 0x0    // buf, stride, outer
	s_load_dwordx2 s[12:13], s[2:3], 0x10  // out
	v_lshlrev_b32 v3, 2, v0
	v_mov_b32 v2, v3
	s_movk_i32 s6, 4
	s_movk_i32 s7, 0xfff
	s_waitcnt lgkmcnt(0)
.Lbank_fill:
	.irp k, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	global_load_dword v[4 + \k], v2, s[8:9] offset:256 * \k
	.endr
	s_waitcnt vmcnt(0)
	.irp k, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	ds_write_b32 v2, v[4 + \k] offset:256 * \k
	.endr
	v_add_u32 v2, 0x1000, v2
	s_add_i32 s6, s6, -1
	s_cmp_lg_u32 s6, 0
	s_cbranch_scc1 .Lbank_fill
	v_mul_lo_u32 v1, v0, s10               // v = (tid * stride) & 4095
	v_and_b32 v1, s7, v1
	v_lshlrev_b32 v1, 2, v1
	s_waitcnt lgkmcnt(0)
	s_cmp_eq_u32 s11, 0
	s_cbranch_scc1 .Lbank_done
	window_start 0
lds_bank_conflict_loop:
	.rept INNER
	ds_read_b32 v1, v1
	s_waitcnt lgkmcnt(0)
	v_add_u32 v1, v1, v0
	v_mul_lo_u32 v1, v1, s10
	v_and_b32 v1, s7, v1
	v_lshlrev_b32 v1, 2, v1
	.endr
	s_add_i32 s11, s11, -1
	s_cmp_lg_u32 s11, 0
	s_cbranch_scc1 lds_bank_conflict_loop
.Lbank_done:
	v_lshrrev_b32 v1, 2, v1
	global_store_dword v3, v1, s[12:13]
	kernel_end lds_bank_conflict, 20, 16, 24, 16384

	.amdgpu_metadata
---
amdhsa.version: [ 1, 1 ]
amdhsa.kernels:
  - .name: lds_latency
    .symbol: lds_latency.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 16384
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 20
    .vgpr_count: 4
    .max_flat_workgroup_size: 64
    .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 8, .size: 4, .value_kind: by_value }
      - { .offset: 12, .size: 4, .value_kind: by_value }
      - { .offset: 16, .size: 8, .value_kind: global_buffer, .address_space: global }
  - .name: lds_bank_conflict
    .symbol: lds_bank_conflict.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 16384
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 20
    .vgpr_count: 20
    .max_flat_workgroup_size: 64
    .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 8, .size: 4, .value_kind: by_value }
      - { .offset: 12, .size: 4, .value_kind: by_value }
      - { .offset: 16, .size: 8, .value_kind: global_buffer, .address_space: global }
...
	.end_amdgpu_metadata

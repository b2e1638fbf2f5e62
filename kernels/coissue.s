// Co-issue of adds: GROUPS times VALU vector and SALU scalar adds per iteration, 4 bytes each, one chain per
// register. A CU issues a vector and a scalar instruction of different waves in the same cycle (Fixstars addressing).
//
// void coissue(unsigned *out, unsigned trips, unsigned adds): out[gid] = trips * adds, where adds is the number per
// iteration, the sum that the registers must reach. The argument is only for the C reference.
	.include "kernels/kernel.inc"

.ifndef VALU
	.set VALU, 8
.endif
.ifndef SALU
	.set SALU, 8
.endif
.ifndef GROUPS
	.set GROUPS, 16
.endif

kernel_begin coissue
	s_load_dword s5, s[0:1], 0x4           // block size x in the low half
	s_load_dwordx2 s[8:9], s[2:3], 0x0     // out
	s_load_dword s10, s[2:3], 0x8          // trips
	.irp k, 2, 3, 4, 5, 6, 7, 8, 9
	v_mov_b32 v\k, 0
	.endr
	.irp k, 16, 17, 18, 19, 20, 21, 22, 23
	s_mov_b32 s\k, 0
	.endr
	s_waitcnt lgkmcnt(0)
	s_and_b32 s5, s5, 0xffff
	s_mul_i32 s4, s4, s5
	v_add_u32 v0, s4, v0                   // gid
	s_cmp_eq_u32 s10, 0
	s_cbranch_scc1 .Lcoissue_done
	window_start 0
coissue_loop:
	.rept GROUPS
	.set k, 0
	.rept VALU
	v_add_u32 v[2 + k % 8], 1, v[2 + k % 8]
	.set k, k + 1
	.endr
	.set k, 0
	.rept SALU
	s_add_u32 s[16 + k % 8], s[16 + k % 8], 1
	.set k, k + 1
	.endr
	.endr
	s_add_i32 s10, s10, -1
	s_cmp_lg_u32 s10, 0
	s_cbranch_scc1 coissue_loop
.Lcoissue_done:
	.irp k, 3, 4, 5, 6, 7, 8, 9
	v_add_u32 v2, v2, v\k
	.endr
	.irp k, 16, 17, 18, 19, 20, 21, 22, 23
	v_add_u32 v2, s\k, v2
	.endr
	v_mov_b32 v1, 0
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	v_mov_b32 v3, s9
	v_add_co_u32 v0, vcc, s8, v0
	v_addc_co_u32 v1, vcc, v3, v1, vcc
	global_store_dword v[0:1], v2, off
	kernel_end coissue, 10, 24, 16

	.amdgpu_metadata
---
amdhsa.version: [ 1, 1 ]
amdhsa.kernels:
  - .name: coissue
    .symbol: coissue.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 28
    .vgpr_count: 10
    .max_flat_workgroup_size: 1024
    .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 8, .size: 4, .value_kind: by_value }
      - { .offset: 12, .size: 4, .value_kind: by_value }
...
	.end_amdgpu_metadata

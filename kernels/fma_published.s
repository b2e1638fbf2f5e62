// The multiply-add loops of Vega64 notes 2.2 and 2.5, published instructions and alignment: v_mad_f32 (8 bytes, not
// fused), two scalar instructions, a branch. 2a starts at 0x124C (12 modulo 32), 2b four bytes off an 8-byte boundary,
// 2c (nested, inner loop fully unrolled) on one. OFFSET moves each by that many bytes; fma_assembly: UNROLL, OFFSET.
//
// void NAME(float *out, int length): multiply-adds per work-item, a multiple of the loop's
	.include "kernels/kernel.inc"

.ifndef OFFSET
	.set OFFSET, 0
.endif
.ifndef UNROLL
	.set UNROLL, 40
.endif

// \q = \num / \den rounded correctly: the sequence every gfx9 compiler emits.
.macro divide q, num, den
	v_div_scale_f32 v8, s[6:7], \den, \den, \num
	v_div_scale_f32 v9, vcc, \num, \den, \num
	v_rcp_f32 v10, v8
	v_fma_f32 v11, -v8, v10, 1.0
	v_fma_f32 v10, v11, v10, v10
	v_mul_f32 v11, v9, v10
	v_fma_f32 v12, -v8, v11, v9
	v_fma_f32 v11, v12, v10, v11
	v_fma_f32 v8, -v8, v11, v9
	v_div_fmas_f32 v8, v8, v10, v11
	v_div_fixup_f32 \q, v8, \den, \num
.endm

// In: s5 the packet's word with the block size, v0 the work-item. Out: v0 = gid, v3 = a, v4 = b, v5 = s.
.macro chain_begin
	s_and_b32 s5, s5, 0xffff
	s_mul_i32 s4, s4, s5
	v_add_u32 v0, s4, v0                // x = gid
	v_cvt_f32_u32 v1, v0
	v_add_f32 v2, 1.0, v1
	divide v3, v1, v2                   // a = x / (x + 1)
	v_mov_b32 v1, 1.0
	v_mov_b32 v2, 0x4cbebc20            // 1e8
	divide v4, v1, v2                   // b = (y + 1) / (y + 1e8), y = 0
	v_mov_b32 v5, 0                     // s
.endm

// Repeats v5 = \a * v5 + \b until s10, the number of remaining multiply-adds, is 0.
.macro chain_loop name, unroll, start, a, b
	.set chain_start, (\start + OFFSET) % 32
	window_start chain_start
\name:
	.rept \unroll
	v_mad_f32 v5, \a, v5, \b
	.endr
	s_addk_i32 s10, -\unroll
	s_cmp_gt_i32 s10, 0
	s_cbranch_scc1 \name
.endm

.macro chain_store
	v_mov_b32 v1, 0
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	v_mov_b32 v2, s9
	v_add_co_u32 v0, vcc, s8, v0
	v_addc_co_u32 v1, vcc, v2, v1, vcc
	global_store_dword v[0:1], v5, off
.endm

.macro fma_kernel name, unroll, start
kernel_begin \name
	s_load_dword s5, s[0:1], 0x4        // block size x in the low half
	s_load_dwordx2 s[8:9], s[2:3], 0x0  // out
	s_load_dword s10, s[2:3], 0x8       // length
	s_waitcnt lgkmcnt(0)
	chain_begin
	s_cmp_lt_i32 s10, 1
	s_cbranch_scc1 .L\name\()_done
	chain_loop \name\()_loop, \unroll, \start, v3, v4
.L\name\()_done:
	chain_store
	kernel_end \name, 13, 16, 12
.endm

	fma_kernel fma_2a, 40, 12
	fma_kernel fma_2b, 100, 4
	fma_kernel fma_2c, 100, 0
	fma_kernel fma_assembly, UNROLL, 0

// 2.5: work-items below `lanes` run s = a * s + b, the others s = b * s + a. The source swaps with a wrong temporary,
// and for the wrong work-items; here the last two kernels compute the same. All loops have 40 multiply-adds and start
// like 2a, of which the plain kernel is a copy; the addresses of the others are not published.
//
// void divergence_NAME(float *out, int length, unsigned lanes, unsigned paths): length % 40 == 0, paths a power of two
.macro divergence_begin
	s_load_dword s5, s[0:1], 0x4         // block size x in the low half
	s_load_dwordx4 s[8:11], s[2:3], 0x0  // out, length, lanes
	s_load_dword s12, s[2:3], 0x10       // paths
	v_mov_b32 v6, v0                     // work-item in the block
	s_waitcnt lgkmcnt(0)
	chain_begin
	v_cmp_gt_u32 s[14:15], s11, v6       // below `lanes`
.endm

// All work-items run the first path.
kernel_begin divergence_plain
	divergence_begin
	s_cmp_lt_i32 s10, 1
	s_cbranch_scc1 .Lplain_done
	chain_loop divergence_plain_loop, 40, 12, v3, v4
.Lplain_done:
	chain_store
	kernel_end divergence_plain, 13, 16, 20

// A loop for path 0, and one that paths 1 .. paths - 1 run in turn: item t >= lanes is on path max(1, t mod paths).
kernel_begin divergence_split
	divergence_begin
	s_cmp_lt_i32 s10, 1
	s_cbranch_scc1 .Lsplit_done
	s_add_i32 s6, s12, -1
	v_and_b32 v7, s6, v6
	v_max_u32 v7, 1, v7
	v_cndmask_b32 v7, v7, 0, s[14:15]    // the path
	s_mov_b64 s[6:7], exec
	s_mov_b32 s13, s10
	s_and_b64 exec, exec, s[14:15]
	s_cbranch_execz .Lsplit_others
	chain_loop divergence_split_first_loop, 40, 12, v3, v4
.Lsplit_others:
	s_mov_b32 s5, 1
.Lsplit_path:
	s_cmp_ge_u32 s5, s12
	s_cbranch_scc1 .Lsplit_end
	s_mov_b64 exec, s[6:7]
	v_cmp_eq_u32 vcc, s5, v7
	s_add_i32 s5, s5, 1
	s_and_b64 exec, exec, vcc
	s_cbranch_execz .Lsplit_path
	s_mov_b32 s10, s13
	chain_loop divergence_split_other_loop, 40, 12, v4, v3
	s_branch .Lsplit_path
.Lsplit_end:
	s_mov_b64 exec, s[6:7]
.Lsplit_done:
	chain_store
	kernel_end divergence_split, 13, 16, 20

// Swaps the operands first, then runs one loop for all.
kernel_begin divergence_merged
	divergence_begin
	v_mov_b32 v7, v3
	v_cndmask_b32 v3, v4, v3, s[14:15]
	v_cndmask_b32 v4, v7, v4, s[14:15]
	s_cmp_lt_i32 s10, 1
	s_cbranch_scc1 .Lmerged_done
	chain_loop divergence_merged_loop, 40, 12, v3, v4
.Lmerged_done:
	chain_store
	kernel_end divergence_merged, 13, 16, 20

	.amdgpu_metadata
---
amdhsa.version: [ 1, 1 ]
amdhsa.kernels:
  - .name: fma_2a
    .symbol: fma_2a.kd
    .kernarg_segment_size: 12
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 20
    .vgpr_count: 13
    .max_flat_workgroup_size: 1024
    .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 8, .size: 4, .value_kind: by_value }
  - .name: fma_2b
    .symbol: fma_2b.kd
    .kernarg_segment_size: 12
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 20
    .vgpr_count: 13
    .max_flat_workgroup_size: 1024
    .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 8, .size: 4, .value_kind: by_value }
  - .name: fma_2c
    .symbol: fma_2c.kd
    .kernarg_segment_size: 12
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 20
    .vgpr_count: 13
    .max_flat_workgroup_size: 1024
    .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 8, .size: 4, .value_kind: by_value }
  - .name: fma_assembly
    .symbol: fma_assembly.kd
    .kernarg_segment_size: 12
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 20
    .vgpr_count: 13
    .max_flat_workgroup_size: 1024
    .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 8, .size: 4, .value_kind: by_value }
  - .name: divergence_plain
    .symbol: divergence_plain.kd
    .kernarg_segment_size: 20
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 20
    .vgpr_count: 13
    .max_flat_workgroup_size: 1024
    .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 8, .size: 4, .value_kind: by_value }
      - { .offset: 12, .size: 4, .value_kind: by_value }
      - { .offset: 16, .size: 4, .value_kind: by_value }
  - .name: divergence_split
    .symbol: divergence_split.kd
    .kernarg_segment_size: 20
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 20
    .vgpr_count: 13
    .max_flat_workgroup_size: 1024
    .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 8, .size: 4, .value_kind: by_value }
      - { .offset: 12, .size: 4, .value_kind: by_value }
      - { .offset: 16, .size: 4, .value_kind: by_value }
  - .name: divergence_merged
    .symbol: divergence_merged.kd
    .kernarg_segment_size: 20
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 20
    .vgpr_count: 13
    .max_flat_workgroup_size: 1024
    .args:
      - { .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .offset: 8, .size: 4, .value_kind: by_value }
      - { .offset: 12, .size: 4, .value_kind: by_value }
      - { .offset: 16, .size: 4, .value_kind: by_value }
...
	.end_amdgpu_metadata

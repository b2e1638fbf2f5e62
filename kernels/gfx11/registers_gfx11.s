// registers.s for gfx11: writes vector register VGPR and scalar register SGPR. The descriptors request registers up to
// these; every wave has the same scalar registers. Only assembled, never launched.
//
// void vgpr_limit(void), void sgpr_limit(void)
	.include "kernels/gfx11/gfx11_kernel.inc"
	.altmacro

.ifndef VGPR
	.set VGPR, 255
.endif
.ifndef SGPR
	.set SGPR, 105
.endif

kernel_begin vgpr_limit
	v_mov_b32 v[VGPR], 0
	kernel_end vgpr_limit, VGPR + 1, 8, 0

kernel_begin sgpr_limit
	s_mov_b32 s[SGPR], 0
	kernel_end sgpr_limit, 1, SGPR + 1, 0

// The metadata is text: counts are passed as values of macro arguments.
.macro metadata vgprs, sgprs
	.amdgpu_metadata
---
amdhsa.version: [ 1, 1 ]
amdhsa.kernels:
  - .name: vgpr_limit
    .symbol: vgpr_limit.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 10
    .vgpr_count: \vgprs
    .max_flat_workgroup_size: 1024
  - .name: sgpr_limit
    .symbol: sgpr_limit.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: \sgprs
    .vgpr_count: 1
    .max_flat_workgroup_size: 1024
...
	.end_amdgpu_metadata
.endm

	metadata %(VGPR + 1), %(SGPR + 3)   // vcc is added

// Kernels for launches on changing numbers of threads, and for launches that others join. Argument of all: a buffer.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"

.macro kernel name, lds=0, align=8
	.text
	.globl \name
	.p2align \align
	.type \name,@function
	.amdhsa_kernel \name
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_group_segment_fixed_size \lds
		.amdhsa_next_free_vgpr 24
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
	.text
\name:
	s_load_dwordx2 s[8:9], s[0:1], 0x0
.endm

// Three trips, after which each work-item stores a dword.
.macro trips
	s_lshl_b32 s10, s2, 6
	v_add_u32 v1, s10, v0
	v_lshlrev_b32 v1, 2, v1
	v_mov_b32 v2, 0
	s_movk_i32 s11, 3
.endm

.macro end name
	s_sub_u32 s11, s11, 1
	s_cmp_lg_u32 s11, 0
	s_cbranch_scc1 \name\()_loop
	s_waitcnt lgkmcnt(0)
	global_store_dword v1, v2, s[8:9]
	s_endpgm
.endm

// The test changes the constant between launches. The loop enters a page that the first few instructions are not in.
	kernel small
	trips
small_loop:
	v_add_u32 v2, 0x1111, v2
	s_branch small_far
	.fill 1024, 4, 0xbf800000
small_far:
	v_xor_b32 v2, v2, v0
	end small

// Does not fit the instruction cache: its end evicts its begin, and other kernels.
	kernel large
	trips
large_loop:
	.rept 4600
	v_mad_u32_u24 v2, v2, 3, v0
	.endr
	end large

// A workgroup has a CU for itself, and ends when it has read many lines of 1 MiB. Workgroups take different times.
	kernel bursts, 65536
	s_lshl_b32 s10, s2, 14
	s_movk_i32 s11, 0x1000
	s_and_b32 s12, s2, 7
bursts_wait:
	s_sleep 1
	s_sub_u32 s12, s12, 1
	s_cbranch_scc0 bursts_wait
	v_lshlrev_b32 v1, 6, v0
	v_or_b32 v1, s10, v1
	v_and_b32 v1, 0xfffff, v1
	s_waitcnt lgkmcnt(0)
	.rept 4
	global_load_dword v2, v1, s[8:9]
	v_add_u32 v1, s11, v1
	v_and_b32 v1, 0xfffff, v1
	.endr
	s_endpgm

// Waits for a load at the end of a page of code. The next page is not in the instruction cache.
	kernel waits, 0, 12
	v_lshlrev_b32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	s_branch waits_load
	.p2align 11
	.fill 509, 4, 0xbf800000
waits_load:
	global_load_dword v2, v1, s[8:9]
	s_waitcnt vmcnt(0)
	v_add_u32 v2, 1, v2
	s_endpgm

// Vector code that becomes one compiled block, many times.
	kernel counted
	s_movk_i32 s11, 0x2000
	v_mov_b32 v2, 1.0
counted_loop:
	.rept 6
	v_fma_f32 v2, v2, v2, v2
	v_fma_f32 v3, v2, v2, v3
	.endr
	s_sub_u32 s11, s11, 1
	s_cmp_lg_u32 s11, 0
	s_cbranch_scc1 counted_loop
	s_endpgm

// Vector code without a branch.
	kernel straight
	v_mov_b32 v2, 1.0
	.rept 16
	v_fma_f32 v2, v2, v2, v2
	.endr
	s_endpgm

// Dependent instructions that go on in the next page of 4 KiB, and the same within a page. Argument: a buffer.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"

.macro descriptor name, wave32
	.text
	.globl \name
	.type \name,@function
	.amdhsa_kernel \name
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 24
		.amdhsa_next_free_sgpr 32
		.amdhsa_wavefront_size32 \wave32
	.end_amdhsa_kernel
	.text
.endm

// The last product is the first instruction after 4 KiB, or after 2 KiB. The store keeps the thread from executing it
// before the one before the store has issued.
.macro product name, align, fill
	descriptor \name, 1
	.p2align 12
\name:
	s_load_b64 s[8:9], s[0:1], 0x0
	s_lshl_b32 s10, s2, 6
	v_add_nc_u32 v1, s10, v0
	v_lshlrev_b32 v1, 2, v1
	v_mov_b32 v2, 0
	s_waitcnt lgkmcnt(0)
	s_branch \name\()_chain
	.p2align \align
	.fill \fill, 4, 0xbf800000
\name\()_chain:
	.rept 3
	v_mul_lo_u32 v2, v2, v0
	.endr
	global_store_b32 v1, v0, s[8:9]
	v_mul_lo_u32 v2, v2, v0
	global_store_b32 v1, v2, s[8:9]
	s_endpgm

// The same code in waves of 64 lanes, for which it is decoded separately: brings it into the instruction caches.
	descriptor \name\()_warm, 0
	.p2align 8
\name\()_warm:
	s_branch \name
.endm

	product crossing, 11, 504
	product inside, 10, 248

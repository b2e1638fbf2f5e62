// Waves of different workgroups that wait for each other. Assembled for gfx900 and gfx1100.

// s[0:1] kernarg, s2 workgroup, v0 work-item; then s[8:9] buffer, s10 workgroups - 1, s11 rounds
.macro kernel name
	.text
	.globl \name
	.p2align 8
	.type \name,@function
	.amdhsa_kernel \name
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 24
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
	.text
\name:
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	s_load_dwordx2 s[10:11], s[0:1], 0x8
	s_mov_b32 m0, 0
	s_lshl_b32 s12, s2, 2
	v_mov_b32 v2, s12
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v1, s10
.endm

// Each workgroup writes the round's number and reads that of the next workgroup. The buffer then has for each workgroup
// the last round, and behind them (256 dwords on) how many numbers were wrong. Workgroup 0 comes late.
	kernel rounds
	s_mov_b32 s13, 0
	s_mov_b32 s16, 0
	s_add_u32 s14, s12, 4
	s_cmp_eq_u32 s2, s10
	s_cselect_b32 s14, 0, s14
	v_mov_b32 v5, s14
rounds_loop:
	s_add_u32 s13, s13, 1
	s_cmp_eq_u32 s2, 0
	s_cbranch_scc0 rounds_in_time
	s_sleep 20
rounds_in_time:
	v_mov_b32 v3, s13
	global_store_dword v2, v3, s[8:9]
	ds_gws_barrier v1 offset:3 gds
	s_waitcnt 0
	global_load_dword v4, v5, s[8:9] glc
	s_waitcnt vmcnt(0)
	v_readfirstlane_b32 s15, v4
	s_cmp_lg_u32 s15, s13
	s_cselect_b32 s15, 1, 0
	s_add_u32 s16, s16, s15
	ds_gws_barrier v1 offset:3 gds
	s_waitcnt 0
	s_cmp_lt_u32 s13, s11
	s_cbranch_scc1 rounds_loop
	v_mov_b32 v3, s16
	global_store_dword v2, v3, s[8:9] offset:1024
	s_endpgm

// The value of the first active lane, to resource M0[21:16] + offset.
	kernel init
	s_mov_b32 m0, 0x3e0000
	v_mov_b32 v1, v0
	s_mov_b64 exec, 0xf0
	ds_gws_init v1 offset:5 gds
	s_waitcnt 0
	s_endpgm

// Workgroup 0 writes 7 to the first dword, and then releases the others, which copy it to theirs.
.macro semaphore name, release:vararg
	kernel \name
	s_cmp_eq_u32 s2, 0
	s_cbranch_scc0 \name\()_wait
	s_sleep 127
	v_mov_b32 v3, 7
	global_store_dword v2, v3, s[8:9]
\name\()_release:
	\release
	s_waitcnt 0
	s_sub_u32 s11, s11, 1
	s_cmp_eq_u32 s11, 0
	s_cbranch_scc0 \name\()_release
	s_endpgm
\name\()_wait:
	ds_gws_sema_p gds
	s_waitcnt 0
	v_mov_b32 v5, 0
	global_load_dword v4, v5, s[8:9] glc
	s_waitcnt vmcnt(0)
	global_store_dword v2, v4, s[8:9]
	s_endpgm
.endm

	semaphore sema_v, ds_gws_sema_v gds
	semaphore sema_br, ds_gws_sema_br v1 gds
	semaphore sema_release_all, ds_gws_sema_release_all gds

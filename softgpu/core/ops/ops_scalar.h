/* Scalar instructions: SOP1, SOP2, SOPK, SOPC, SOPP and SMEM. All operands are read before anything is written. */
#ifndef SOFTGPU_CORE_OPS_OPS_SCALAR_H
#define SOFTGPU_CORE_OPS_OPS_SCALAR_H

#include "softgpu/core/memory/icache_fetch.h"
#include "softgpu/core/memory/l1.h"
#include "softgpu/core/memory/scalar_memory.h"
#include "softgpu/core/ops/ops_types.h"
#include "softgpu/core/issue/wave_control.h"
#include "softgpu/core/exec/wave_hwreg.h"

#define SCC   w->scc
#define EXEC  (*(lane_bits *)&w->s[ISA_EXEC])
#define VCC   (*(lane_bits *)&w->s[ISA_VCC])
#define M0    w->s[ISA_M0]
#define SIMM  (i->d.imm)
#define CLAMP (i->d.clamp)

static inline const void *scalar_source(const struct wave *w, const struct uop *i, unsigned k)
{
	return (const void *)(i->src[k] + ((uintptr_t)w->s & i->rel[k]));
}

#define SRD__(p)      0
#define SRD_B32(p)    (*(const dword *)(p))
#define SRD_U32(p)    (*(const dword *)(p))
#define SRD_I32(p)    ((int32_t) * (const dword *)(p))
#define SRD_B64(p)    (*(const qword *)(p))
#define SRD_U64(p)    (*(const qword *)(p))
#define SRD_I64(p)    ((int64_t) * (const qword *)(p))
#define SRD_SIMM16(p) SIMM
#define SWR__(p, D)   ((void)(D))
#define SWR_B32(p, D) (*(dword *)(p) = (D))
#define SWR_U32(p, D) (*(dword *)(p) = (D))
#define SWR_I32(p, D) (*(dword *)(p) = (D))
#define SWR_B64(p, D) (*(qword *)(p) = (D))
#define SWR_U64(p, D) (*(qword *)(p) = (D))
#define SWR_I64(p, D) (*(qword *)(p) = (D))

/* A pair at an odd SGPR number is an invalid encoding; x86 reads it anyway. */
#define SCALAR(name, td, td2, t0, t1, t2, rate, traits, ...)         \
	static void op_##name(struct wave *w, const struct uop *i)   \
	{                                                            \
		void *dp UNUSED = (char *)w->s + i->dst;             \
		CT_##t0 A UNUSED = SRD_##t0(scalar_source(w, i, 0)); \
		CT_##t1 B UNUSED = SRD_##t1(scalar_source(w, i, 1)); \
		CT_##td D UNUSED = SRD_##td(dp);                     \
		__VA_ARGS__;                                         \
		SWR_##td(dp, D);                                     \
	}

/* --- the program counter --- */
#define PC_NEXT (i->pc + i->words * 4u)
#define BRANCH(cond)                            \
	do {                                    \
		if (cond)                       \
			simd_take_branch(w, i); \
	} while (0)
#define GETPC (D = PC_NEXT)
#define SETPC simd_jump_to(w, A)
#define SWAPPC                      \
	do {                        \
		D = PC_NEXT;        \
		simd_jump_to(w, A); \
	} while (0)
#define CALL                            \
	do {                            \
		D = PC_NEXT;            \
		simd_take_branch(w, i); \
	} while (0)

/* Vega ISA 4.6: a fork first takes the path with fewer lanes. The mask and address of the other path are pushed to four
 * SGPRs at CSP * 4; CSP is bits 29-31 of MODE. */
enum { MODE_CSP = 29, MODE_VSKIP = 28 };
#define PC                 PC_NEXT
#define FORK(mask, target) scalar_fork(w, i, mask, target)
#define JOIN               scalar_join(w, i, A)
#define PRIVILEGED         machine_halt(w, i, LAUNCH_ILLEGAL, "%s outside a trap handler", isa_mnemonic(&i->d))

static void push_fork_stack(struct wave *w, uint64_t exec, uint64_t pc)
{
	uint32_t *entry = &w->s[(w->mode >> MODE_CSP) * 4];

	memcpy(entry, &exec, sizeof exec);
	memcpy(entry + 2, &pc, sizeof pc);
	wave_set_mode(w, w->mode + (1u << MODE_CSP));
}

static UNUSED void scalar_fork(struct wave *w, const struct uop *i, uint64_t mask, uint64_t target)
{
	uint64_t e = active_lanes(w), pass = mask & e, fail = ~mask & e;

	if (pass == e) {
		simd_jump_to(w, target);
	} else if (fail == e) {
		return;
	} else if (__builtin_popcountll(fail) < __builtin_popcountll(pass)) {
		EXEC = fail;
		push_fork_stack(w, pass, target);
	} else {
		EXEC = pass;
		push_fork_stack(w, fail, PC_NEXT);
		simd_jump_to(w, target);
	}
}

static UNUSED void scalar_join(struct wave *w, const struct uop *i UNUSED, uint32_t bottom)
{
	uint64_t pc;

	if (w->mode >> MODE_CSP == (bottom & 7))
		return;
	wave_set_mode(w, w->mode - (1u << MODE_CSP));
	const uint32_t *entry = &w->s[(w->mode >> MODE_CSP) * 4];
	memcpy(&pc, entry + 2, sizeof pc);
	memcpy(&w->s[ISA_EXEC], entry, 8);
	simd_jump_to(w, pc);
}

/* --- the wave --- */
#define NOP     ((void)0)
#define ENDPGM  ((void)0) /* UOP_ENDPGM */
#define BARRIER ((void)0) /* UOP_BARRIER */
#define WAITCNT ((void)0) /* UOP_WAITCNT */
/* The sleep begins when the instruction has issued. */
#define SLEEP                                                                 \
	do {                                                                  \
		const uint64_t awake = w->last + 64 * (uint32_t)(SIMM & 127); \
		w->next = awake > w->next ? awake : w->next;                  \
	} while (0)
#define SETPRIO           ((void)0)
#define MSG_INTERRUPT     1
#define MSG_DEALLOC_VGPRS 3 /* gfx11 */
#define SENDMSG                                                                   \
	do {                                                                      \
		const struct dispatch *d_ = w->launch->d;                         \
		if ((SIMM & 15) == MSG_INTERRUPT && d_->interrupt)                \
			d_->interrupt(w->s[ISA_M0] & 0xffffff);                   \
		if ((SIMM & 15) == MSG_DEALLOC_VGPRS && w->m->isa->counts_stores) \
			w->vgprs_released = true;                                 \
	} while (0)
#define ICACHE_INV fetch_invalidate_icache(w)
#define SETHALT                                                       \
	do {                                                          \
		if (SIMM & 1)                                         \
			machine_halt(w, i, LAUNCH_TRAP, "s_sethalt"); \
	} while (0)
#define SETKILL       ((void)0) /* UOP_ENDPGM if bit 0 is set */
#define SENDMSGHALT   machine_halt(w, i, LAUNCH_TRAP, "s_sendmsghalt")
#define SETVSKIP(bit) wave_set_mode(w, (w->mode & ~(1u << MODE_VSKIP)) | ((bit)&1u) << MODE_VSKIP)
#define TRAP          machine_halt(w, i, LAUNCH_TRAP, "s_trap %d", SIMM & 255)
#define GETREG        (D = wave_getreg(w, SIMM))
#define SETREG        wave_setreg(w, SIMM, B)
#define GPR_IDX_BITS  (((uint32_t)SIMM & 15) << 12) /* the operands that are indexed: src0, src1, src2, dst */
#define GPR_IDX_ON                                                               \
	do {                                                                     \
		w->gpr_idx = (w->gpr_idx & GPR_IDX_SKIP) | 0x100 | GPR_IDX_BITS; \
		M0 = (M0 & ~0xf0ffu) | (A & 255) | GPR_IDX_BITS;                 \
	} while (0)
#define GPR_IDX_OFF (w->gpr_idx &= GPR_IDX_SKIP)
#define GPR_IDX_IDX (M0 = (M0 & ~255u) | (A & 255))
#define GPR_IDX_MODE                                                 \
	do {                                                         \
		w->gpr_idx = (w->gpr_idx & ~0xf000u) | GPR_IDX_BITS; \
		M0 = (M0 & ~0xf000u) | GPR_IDX_BITS;                 \
	} while (0)
#define MOVRELS(n) memcpy(&D, &w->s[(i->d.src[0] + M0) & 127], 4 * (n))
#define MOVRELD(n)                                                 \
	do {                                                       \
		memcpy(&w->s[(i->d.dst + M0) & 127], &A, 4 * (n)); \
		memcpy(&D, dp, sizeof D);                          \
	} while (0)

/* --- scalar memory --- */
#define S_LOAD(n)          scalar_load(w, i, n, false)
#define S_BUFFER_LOAD(n)   scalar_load(w, i, n, true)
#define S_SCRATCH_LOAD(n)  scalar_load(w, i, n, false)
#define S_SCRATCH_STORE(n) scalar_store(w, i, n, false)
#define S_PROBE            scalar_flush(w)
#define S_ATOMIC_AT(ctype, new, buffer)                                              \
	do {                                                                         \
		const uint32_t *data;                                                \
		uint8_t *cell = scalar_atomic(w, i, sizeof(ctype), buffer, &data);   \
		ctype A UNUSED, B UNUSED = 0, OLD, after;                            \
		if (!cell)                                                           \
			break;                                                       \
		memcpy(&A, data, sizeof A);                                          \
		if (i->sources & 0x80) /* the data is two cells: compare and swap */ \
			memcpy(&B, data + sizeof A / 4, sizeof B);                   \
		do {                                                                 \
			memcpy(&OLD, cell, sizeof OLD);                              \
			after = (new);                                               \
		} while (!cell_swap(cell, &OLD, &after, sizeof OLD));                \
		if (i->d.flags & FLAG_GLC)                                           \
			memcpy(&w->s[i->d.dst], &OLD, sizeof OLD);                   \
	} while (0)
#define S_ATOMIC(ctype, new)        S_ATOMIC_AT(ctype, new, false)
#define S_BUFFER_ATOMIC(ctype, new) S_ATOMIC_AT(ctype, new, true)
#define S_STORE(n)                  scalar_store(w, i, n, false)
#define S_BUFFER_STORE(n)           scalar_store(w, i, n, true)
#define S_MEMTIME                   scalar_read_clock(w, i, false)
#define S_MEMREALTIME               scalar_read_clock(w, i, true)
#define S_DCACHE_INV                scalar_invalidate(w)
#define S_DCACHE_WB                 scalar_flush(w)
#define SCALAR_MEMORY(name, td, td2, t0, t1, t2, rate, traits, ...)       \
	static void op_##name(struct wave *w, const struct uop *i UNUSED) \
	{                                                                 \
		__VA_ARGS__;                                              \
	}

#endif

/* Scalar instructions: SOP1, SOP2, SOPK, SOPC, SOPP and SMEM. Operands are values, read before anything is written. */
#ifndef SOFTGPU_CORE_OPS_SCALAR_H
#define SOFTGPU_CORE_OPS_SCALAR_H

#include "softgpu/core/memory.h"
#include "softgpu/core/ops_types.h"
#include "softgpu/core/simd.h"
#include "softgpu/core/wave.h"

#define SCC w->scc
#define EXEC (*(qword *)&w->s[ISA_EXEC])
#define VCC (*(qword *)&w->s[ISA_VCC])
#define M0 w->s[ISA_M0]
#define SIMM (i->d.imm)
#define CLAMP (i->d.clamp)

static inline const void *scalar_source(const struct wave *w, const struct inst *i, unsigned k)
{
	return (const void *)(i->src[k] + ((uintptr_t)w->s & i->rel[k]));
}

#define SRD__(p) 0
#define SRD_B32(p) (*(const dword *)(p))
#define SRD_U32(p) (*(const dword *)(p))
#define SRD_I32(p) ((int32_t)*(const dword *)(p))
#define SRD_B64(p) (*(const qword *)(p))
#define SRD_U64(p) (*(const qword *)(p))
#define SRD_I64(p) ((int64_t)*(const qword *)(p))
#define SRD_SIMM16(p) SIMM
#define SWR__(p, D) ((void)(D))
#define SWR_B32(p, D) (*(dword *)(p) = (D))
#define SWR_U32(p, D) (*(dword *)(p) = (D))
#define SWR_I32(p, D) (*(dword *)(p) = (D))
#define SWR_B64(p, D) (*(qword *)(p) = (D))
#define SWR_U64(p, D) (*(qword *)(p) = (D))
#define SWR_I64(p, D) (*(qword *)(p) = (D))

/* The words of these are pairs that may start at an odd number only where the encoding is wrong; x86 reads them anyway. */
#define SCALAR(name, td, td2, t0, t1, t2, rate, text, ...) \
static void op_##name(struct wave *w, const struct inst *i) \
{ \
	void *dp UNUSED = (char *)w->s + i->dst; \
	CT_##t0 A UNUSED = SRD_##t0(scalar_source(w, i, 0)); \
	CT_##t1 B UNUSED = SRD_##t1(scalar_source(w, i, 1)); \
	CT_##td D UNUSED = SRD_##td(dp); \
	__VA_ARGS__; \
	SWR_##td(dp, D); \
}

/* --- the program counter ------------------------------------------------------------------------------------------- */
#define PC_NEXT (i->pc + i->words * 4u)
#define BRANCH(cond) do { if (cond) simd_branch(w, i); } while (0)
#define GETPC (D = PC_NEXT)
#define SETPC simd_jump(w, A)
#define SWAPPC do { D = PC_NEXT; simd_jump(w, A); } while (0)
#define CALL do { D = PC_NEXT; simd_branch(w, i); } while (0)

/* --- the wave ------------------------------------------------------------------------------------------------------ */
#define NOP ((void)0)
#define ENDPGM ((void)0)  /* KIND_END */
#define BARRIER ((void)0) /* KIND_BARRIER */
#define WAITCNT ((void)0) /* KIND_WAIT */
#define SLEEP (w->next = w->last + 64 * (uint32_t)(SIMM & 127))
#define SETPRIO ((void)0)
#define SENDMSG ((void)0)
#define ICACHE_INV ((void)0)
#define SETHALT do { if (SIMM & 1) machine_halt(w, i, LAUNCH_TRAP, "s_sethalt"); } while (0)
#define TRAP machine_halt(w, i, LAUNCH_TRAP, "s_trap %d", SIMM & 255)
#define GETREG (D = wave_getreg(w, SIMM))
#define SETREG wave_setreg(w, SIMM, B)
#define GPR_IDX_BITS (((uint32_t)SIMM & 15) << 12) /* which operands move: src0, src1, src2, dst */
#define GPR_IDX_ON do { \
	w->gpr_idx = 0x100 | GPR_IDX_BITS; \
	M0 = (M0 & ~0xf0ffu) | (A & 255) | GPR_IDX_BITS; \
} while (0)
#define GPR_IDX_OFF (w->gpr_idx = 0)
#define GPR_IDX_IDX (M0 = (M0 & ~255u) | (A & 255))
#define GPR_IDX_MODE do { \
	w->gpr_idx = (w->gpr_idx & ~0xf000u) | GPR_IDX_BITS; \
	M0 = (M0 & ~0xf000u) | GPR_IDX_BITS; \
} while (0)
#define MOVRELS(n) memcpy(&D, &w->s[(i->d.src[0] + M0) & 127], 4 * (n))
#define MOVRELD(n) do { memcpy(&w->s[(i->d.dst + M0) & 127], &A, 4 * (n)); memcpy(&D, dp, sizeof D); } while (0)

/* --- scalar memory ------------------------------------------------------------------------------------------------- */
#define S_LOAD(n) scalar_load(w, i, n, false)
#define S_BUFFER_LOAD(n) scalar_load(w, i, n, true)
#define S_STORE(n) scalar_store(w, i, n, false)
#define S_BUFFER_STORE(n) scalar_store(w, i, n, true)
#define S_MEMTIME scalar_time(w, i, false)
#define S_MEMREALTIME scalar_time(w, i, true)
#define S_DCACHE_INV scalar_invalidate(w)
#define S_DCACHE_WB scalar_flush(w)
#define SCALAR_MEMORY(name, td, td2, t0, t1, t2, rate, text, ...) \
static void op_##name(struct wave *w, const struct inst *i UNUSED) \
{ \
	__VA_ARGS__; \
}

#endif

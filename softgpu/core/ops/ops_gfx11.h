/* What gfx11 has and gfx9 has not: operand types and statements of gfx11.def. */
#ifndef SOFTGPU_CORE_OPS_OPS_GFX11_H
#define SOFTGPU_CORE_OPS_OPS_GFX11_H

#include "softgpu/core/ops/ops_scalar.h"

/* --- types --- */
#define CT_BF16          float
#define CT_B256          uint32_t
#define CT_MATRIX        uint32_t
#define RD_BF16(p, l)    bf16_to_f32((uint16_t)(p)[l])
#define RD_B256(p, l)    0
#define RD_MATRIX(p, l)  0
#define NEW_BF16(D, old) (((old)&0xffff0000) | f32_to_bf16(D))
#define WR_BF16(p, l, D) WR_1(BF16, p, l, D)
#define WR_MATRIX(p, l, D)

/* --- statements --- */
#define EXEC_LO   (*(dword *)&w->s[ISA_EXEC])
#define SIGNED(k) (i->d.neg >> (k)&1)
#define ILLEGAL   machine_halt(w, i, LAUNCH_ILLEGAL, "%s", isa_mnemonic(&i->d))
#define SET_MODE(low, bits) \
	wave_set_mode(      \
		w, (w->mode & ~(((1u << (bits)) - 1) << (low))) | ((uint32_t)SIMM & ((1u << (bits)) - 1)) << (low))

#define NOT_EXECUTED         machine_halt(w, i, LAUNCH_ILLEGAL, "%s is not supported yet", isa_mnemonic(&i->d))
#define SENDMSG_RTN          NOT_EXECUTED
#define SUBVECTOR_LOOP_BEGIN NOT_EXECUTED
#define SUBVECTOR_LOOP_END   NOT_EXECUTED
#define MOVRELSD_2           NOT_EXECUTED
#define VMOVRELD             NOT_EXECUTED
#define VMOVRELS             NOT_EXECUTED
#define VMOVRELSD            NOT_EXECUTED
#define VMOVRELSD_2          NOT_EXECUTED
#define SWAPREL              NOT_EXECUTED
#define PERMLANE16(x)        NOT_EXECUTED
#define PERMLANE64           NOT_EXECUTED
#define WMMA(f)              NOT_EXECUTED
#define WMMA_16(f)           NOT_EXECUTED
#define GLOBAL_ADDTID_LOAD   NOT_EXECUTED
#define GLOBAL_ADDTID_STORE  NOT_EXECUTED
#define GL1_INV              memory_invalidate_l1(w)

#endif

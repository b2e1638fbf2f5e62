/* Operand types of operations.def in C: CT_x is the type, RD_x(p, l) reads lane l of a register, WR_x writes it. */
#ifndef SOFTGPU_CORE_OPS_OPS_TYPES_H
#define SOFTGPU_CORE_OPS_OPS_TYPES_H

#include <string.h>

#include "softgpu/core/state/machine.h"
#include "softgpu/isa/semantics_helpers.h"

/* v_mad_f32 and related instructions always flush denormals. Here the host's mode does so (FP_FLUSH), so that each
 * takes only two host instructions. */
#define mad_f32(a, b, c) add_f32(mul_f32(a, b), c)

#define UNUSED __attribute__((unused)) /* rows do not use all names */

typedef uint32_t __attribute__((may_alias)) dword;
typedef uint64_t __attribute__((may_alias)) qword;

/* A bit per lane, in SGPRs. */
#if LANES == 32
typedef dword lane_bits;
#define ALL_LANES ((uint64_t)UINT32_MAX)
#else
typedef qword lane_bits;
#define ALL_LANES UINT64_MAX
#endif

static inline uint64_t active_lanes(const struct wave *w)
{
	return *(const lane_bits *)&w->s[ISA_EXEC];
}

#define CT__      int
#define CT_B16    uint16_t
#define CT_I16    int16_t
#define CT_U16    uint16_t
#define CT_F16    float
#define CT_B32    uint32_t
#define CT_I32    int32_t
#define CT_U32    uint32_t
#define CT_F32    float
#define CT_B64    uint64_t
#define CT_I64    int64_t
#define CT_U64    uint64_t
#define CT_F64    double
#define CT_B128   struct quad
#define CT_ACC    uint32_t
#define CT_ACC4   uint32_t
#define CT_P32    uint64_t
#define CT_ACC2   uint32_t
#define CT_ACC8   uint32_t
#define CT_ACC16  uint32_t
#define CT_ACC32  uint32_t
#define CT_P16    uint32_t
#define CT_MIX    float
#define CT_MASK   int
#define CT_CARRY  int
#define CT_SIMM16 int32_t
#define CT_F16K   float
#define CT_I16K   int16_t
#define CT_U16K   uint16_t
#define CT_B16K   uint16_t
#define CT_S32    uint32_t

#define RD__(p, l)      0
#define RD_B16(p, l)    ((uint16_t)(p)[l])
#define RD_I16(p, l)    ((int16_t)(p)[l])
#define RD_U16(p, l)    ((uint16_t)(p)[l])
#define RD_F16(p, l)    (is_class_test ? f16_to_f32((p)[l]) : f16_in((p)[l]))
#define RD_B32(p, l)    ((p)[l])
#define RD_I32(p, l)    ((int32_t)(p)[l])
#define RD_U32(p, l)    ((p)[l])
#define RD_F32(p, l)    bits_f32((p)[l])
#define RD_B64(p, l)    ((uint64_t)(p)[LANES + (l)] << 32 | (p)[l])
#define RD_I64(p, l)    ((int64_t)RD_B64(p, l))
#define RD_U64(p, l)    RD_B64(p, l)
#define RD_F64(p, l)    bits_f64(RD_B64(p, l))
#define RD_B128(p, l)   ((struct quad){{(p)[l], (p)[LANES + (l)], (p)[2 * LANES + (l)], (p)[3 * LANES + (l)]}})
#define RD_ACC(p, l)    ((p)[l])
#define RD_P32(p, l)    RD_B64(p, l)
#define RD_ACC2(p, l)   0
#define RD_ACC4(p, l)   0
#define RD_ACC8(p, l)   0
#define RD_ACC16(p, l)  0
#define RD_ACC32(p, l)  0
#define RD_P16(p, l)    ((p)[l])
#define RD_MIX(p, l)    bits_f32((p)[l]) /* op_modified has selected and converted halves */
#define RD_MASK(p, l)   0
#define RD_CARRY(p, l)  0
#define RD_SIMM16(p, l) 0
/* Old value of a destination that keeps one half: the half that is written. */
#define RD_F16K(p, l) f16_in((p)[l] >> half)
#define RD_I16K(p, l) ((int16_t)((p)[l] >> half))
#define RD_U16K(p, l) ((uint16_t)((p)[l] >> half))
#define RD_B16K(p, l) ((uint16_t)((p)[l] >> half))
#define RD_S32(p, l)  0

/* The new dword of a destination, from D and the old dword. */
#define MERGE_HALF(old, value) (((old) & ~(0xffffu << half)) | (uint32_t)(uint16_t)(value) << half)
#if GFX11 /* keeps the other half; op_modified writes the high one */
#define NEW_HALF(old, value) (((old)&0xffff0000) | (uint16_t)(value))
#else
#define NEW_HALF(old, value) ((uint32_t)(uint16_t)(value))
#endif
#define NEW_B16(D, old)  NEW_HALF(old, D)
#define NEW_I16(D, old)  NEW_HALF(old, D)
#define NEW_U16(D, old)  NEW_HALF(old, D)
#define NEW_F16(D, old)  NEW_HALF(old, f32_to_f16(D))
#define NEW_B32(D, old)  (D)
#define NEW_I32(D, old)  ((uint32_t)(D))
#define NEW_U32(D, old)  (D)
#define NEW_F32(D, old)  f32_bits(D)
#define NEW_P16(D, old)  (D)
#define NEW_F16K(D, old) MERGE_HALF(old, f32_to_f16(D))
#define NEW_I16K(D, old) MERGE_HALF(old, D)
#define NEW_U16K(D, old) MERGE_HALF(old, D)
#define NEW_B16K(D, old) MERGE_HALF(old, D)
#define NEW_S32(D, old)  (D)
#define BITS_B64(D)      (D)
#define BITS_I64(D)      ((uint64_t)(D))
#define BITS_U64(D)      (D)
#define BITS_P32(D)      (D)
#define BITS_F64(D)      f64_bits(D)

#define BLEND(p, l, value) ((p)[l] = m_ ? (value) : (p)[l])
#define WR_1(T, p, l, D)   BLEND(p, l, NEW_##T(D, (p)[l]))
#define WR_2(T, p, l, D)                                        \
	do {                                                    \
		uint64_t bits_ = BITS_##T(D);                   \
		BLEND(p, l, (uint32_t)bits_);                   \
		BLEND(p, LANES + (l), (uint32_t)(bits_ >> 32)); \
	} while (0)
#define WR__(p, l, D)    ((void)(D))
#define WR_B16(p, l, D)  WR_1(B16, p, l, D)
#define WR_I16(p, l, D)  WR_1(I16, p, l, D)
#define WR_U16(p, l, D)  WR_1(U16, p, l, D)
#define WR_F16(p, l, D)  WR_1(F16, p, l, D)
#define WR_B32(p, l, D)  WR_1(B32, p, l, D)
#define WR_I32(p, l, D)  WR_1(I32, p, l, D)
#define WR_U32(p, l, D)  WR_1(U32, p, l, D)
#define WR_F32(p, l, D)  WR_1(F32, p, l, D)
#define WR_P16(p, l, D)  WR_1(P16, p, l, D)
#define WR_F16K(p, l, D) WR_1(F16K, p, l, D)
#define WR_I16K(p, l, D) WR_1(I16K, p, l, D)
#define WR_U16K(p, l, D) WR_1(U16K, p, l, D)
#define WR_B16K(p, l, D) WR_1(B16K, p, l, D)
#define WR_S32(p, l, D)  ((void)(D))
#define WR_B64(p, l, D)  WR_2(B64, p, l, D)
#define WR_I64(p, l, D)  WR_2(I64, p, l, D)
#define WR_U64(p, l, D)  WR_2(U64, p, l, D)
#define WR_F64(p, l, D)  WR_2(F64, p, l, D)
#define WR_P32(p, l, D)  WR_2(P32, p, l, D)
#define WR_ACC(p, l, D)  WR_1(B32, p, l, D)
#define WR_ACC2(p, l, D) /* op_multiply_blocks does */
#define WR_ACC4(p, l, D)
#define WR_ACC8(p, l, D)
#define WR_ACC16(p, l, D)
#define WR_ACC32(p, l, D)
#define WR_B128(p, l, D)                                      \
	do {                                                  \
		for (unsigned k_ = 0; k_ < 4; k_++)           \
			BLEND(p, k_ *LANES + (l), (D).v[k_]); \
	} while (0)
#define WR_MASK(p, l, D) (bits[l] = -(uint32_t)((D) != 0))

#endif

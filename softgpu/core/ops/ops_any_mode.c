/* Vector operations for any MODE: rounding other than to nearest even, halves with flushed denormals, IEEE or
 * DX10_CLAMP off, FP16_OVFL. The rows are those of ops.c, but SEMANTICS_MODE is the wave's MODE instead of a constant.
 * Compiled with -frounding-math, because the host's rounding mode is not known at compile time. */
#include <stdint.h>

/* MODE of the wave whose instruction runs. The transcendental unit ignores its rounding mode. */
static _Thread_local uint32_t any_mode;
#define SEMANTICS_MODE      any_mode
#define ENTER_MODE(w, rate) (any_mode = (w)->mode & ((rate) == RATE_QUARTER || (rate) == RATE_F64_TRANS ? ~15u : ~0u))
#define OPERATION(i)        (TABLE_NAME(ops, EXECUTOR, any_mode)[(i)->d.op])

#include "softgpu/core/ops/ops.h"

#include "softgpu/core/ops/ops_modifiers.h"
#include "softgpu/core/ops/ops_dual.h"
#include "softgpu/core/ops/ops_family.h"

#define EMPTY(...)
#define DEFINE_SOP1    EMPTY
#define DEFINE_SOP2    EMPTY
#define DEFINE_SOPK    EMPTY
#define DEFINE_SOPC    EMPTY
#define DEFINE_SOPP    EMPTY
#define DEFINE_SMEM    EMPTY
#define DEFINE_VOP1    VECTOR
#define DEFINE_VOP2    VECTOR
#define DEFINE_VOPC    VECTOR
#define DEFINE_VOP3    VECTOR
#define DEFINE_VOP3P   VECTOR
#define DEFINE_VOPD    VECTOR
#define DEFINE_DS      EMPTY
#define DEFINE_FLAT    EMPTY
#define DEFINE_GLOBAL  EMPTY
#define DEFINE_SCRATCH EMPTY
#define DEFINE_MTBUF   EMPTY
#define DEFINE_MUBUF   EMPTY
#define DEFINE_MIMG    EMPTY
#pragma GCC diagnostic ignored "-Wsign-compare" /* rows mix signs as the hardware does */
#pragma GCC diagnostic ignored "-Wunused-function"
#define OP(enc, name, d, d2, s0, s1, s2, unit, rate, traits, ...) \
	DEFINE_##enc(name, d, T_##d2, s0, s1, s2, RATE_##rate, traits, __VA_ARGS__)
#include "softgpu/isa/operations.def"
#undef OP

/* Table entries, for vector operations only. */
#define TABLE_ENTRY(name, ...) [OP_##name] = op_##name,
#undef VECTOR
#define VECTOR TABLE_ENTRY
#pragma GCC diagnostic ignored "-Woverride-init"
op_fn *const TABLE_NAME(ops, EXECUTOR, any_mode)[OPS_TABLE_SIZE] = {
#define ENCODE(enc, code, targets, mnemonic, op) DEFINE_##enc(op)
#include FAMILY_ENCODINGS
#undef ENCODE
#include "softgpu/core/ops/ops_whole_wave.def"
	[OPS_MODIFIED] = op_modified,
	[OPS_DUAL] = op_dual,
};

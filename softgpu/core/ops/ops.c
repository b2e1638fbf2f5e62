/* The executor: one function per operation of a family. Compiled for each family, wave size (LANES) and host variant;
 * EXECUTOR and VARIANT are in the name of its table.
 *
 * Vector operations have two forms: one lane (EXEC has one bit), and a loop over all lanes. A lane reads and writes
 * only its own column of the registers, so that the iterations of the loops below are independent even if registers
 * overlap.
 */
#include "softgpu/core/ops/ops.h"

#include "softgpu/core/ops/ops_scalar.h"
#include "softgpu/core/ops/ops_vector.h"
#include "softgpu/core/ops/ops_vmem.h"
#include "softgpu/core/ops/ops_format.h"
#include "softgpu/core/ops/ops_image.h"
#include "softgpu/core/ops/ops_lds.h"
#include "softgpu/core/ops/ops_modifiers.h"
#include "softgpu/core/ops/ops_dual.h"
#include "softgpu/core/ops/ops_family.h"

/* Each macro gets the columns of a row that it needs, d2 and rate as enumerators, then the semantics. */
#define DEFINE_SOP1    SCALAR
#define DEFINE_SOP2    SCALAR
#define DEFINE_SOPK    SCALAR
#define DEFINE_SOPC    SCALAR
#define DEFINE_SOPP    SCALAR
#define DEFINE_SMEM    SCALAR_MEMORY
#define DEFINE_VOP1    VECTOR
#define DEFINE_VOP2    VECTOR
#define DEFINE_VOPC    VECTOR
#define DEFINE_VOP3    VECTOR
#define DEFINE_VOP3P   VECTOR
#define DEFINE_VOPD    VECTOR
#define DEFINE_DS      LDS_OP
#define DEFINE_FLAT    VECTOR_MEMORY
#define DEFINE_GLOBAL  VECTOR_MEMORY
#define DEFINE_SCRATCH VECTOR_MEMORY
#define DEFINE_MTBUF   VECTOR_MEMORY
#define DEFINE_MUBUF   VECTOR_MEMORY
#define DEFINE_MIMG    VECTOR_MEMORY

#pragma GCC diagnostic ignored "-Wsign-compare" /* rows mix signs as the hardware does */
#define OP(enc, name, d, d2, s0, s1, s2, unit, rate, traits, ...) \
	DEFINE_##enc(name, d, T_##d2, s0, s1, s2, RATE_##rate, traits, __VA_ARGS__)
#include "softgpu/isa/operations.def"
#undef OP

#include "softgpu/core/ops/ops_add_carry.h"
#include "softgpu/core/ops/ops_float32.h"
#include "softgpu/core/ops/ops_shift64.h"

#pragma GCC diagnostic ignored \
	"-Woverride-init" /* the last entries replace rows: operations on the whole wave, and faster versions */
op_fn *const TABLE_NAME(ops, EXECUTOR, VARIANT)[OPS_TABLE_SIZE] = {
#define ENCODE(enc, code, targets, mnemonic, op) [OP_##op] = op_##op,
#include FAMILY_ENCODINGS
#undef ENCODE
#include "softgpu/core/ops/ops_whole_wave.def"
	[OP_v_add_co_u32] = op_add_all,
	[OP_v_sub_co_u32] = op_sub_all,
	[OP_v_addc_co_u32] = op_add_carry_all,
	[OP_v_subb_co_u32] = op_sub_carry_all,
	[OP_v_lshlrev_b64] = op_shift_left,
	[OP_v_lshrrev_b64] = op_shift_right,
	[OP_v_ashrrev_i64] = op_shift_right_signed,
	[OP_v_add_f32] = op_add_floats,
	[OP_v_sub_f32] = op_sub_floats,
	[OP_v_subrev_f32] = op_subrev_floats,
	[OP_v_mul_f32] = op_mul_floats,
#if !GFX11
	[OP_v_mad_f32] = op_mad_floats,
	[OP_v_mac_f32] = op_mac_floats,
	[OP_v_madmk_f32] = op_mad_floats,
	[OP_v_madak_f32] = op_mad_floats,
#endif
#if defined __FMA__
	[OP_v_fma_f32] = op_fma_floats,
	[OP_v_fmac_f32] = op_fmac_floats,
#endif
	[OPS_MODIFIED] = op_modified,
	[OPS_DUAL] = op_dual,
};

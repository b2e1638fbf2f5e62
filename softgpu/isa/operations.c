/* Expands operations.def into rows, with the codes of the family that has the operation first. */
#include "softgpu/isa/family.h"

#pragma GCC diagnostic ignored "-Woverride-init" /* codes of gfx9 replace those of gfx11 */
static const struct isa_info rows[OP_COUNT] = {
	[OP_INVALID] = {.name = "invalid"},
#define OP(enc_, name_, d, d2, s0, s1, s2, unit_, rate_, traits_, ...) \
	[OP_##name_] = {                                               \
		.name = #name_,                                        \
		.enc = ENC_##enc_,                                     \
		.unit = UNIT_##unit_,                                  \
		.rate = RATE_##rate_,                                  \
		.traits = traits_,                                     \
		.dst = T_##d,                                          \
		.dst2 = T_##d2,                                        \
		.src = {T_##s0, T_##s1, T_##s2},                       \
	},
#include "softgpu/isa/operations.def"
#undef OP
#define ENCODE(enc_, code_, targets_, mnemonic_, op_) [OP_##op_].targets = ISA_##targets_, [OP_##op_].code = code_,
#include "softgpu/isa/gfx11/gfx11_encodings.def"
#undef ENCODE
#define ENCODE(enc_, code_, targets_, mnemonic_, op_) \
	[OP_##op_].targets = ISA_##targets_, [OP_##op_].code = code_, [OP_##op_].name = #mnemonic_,
#include "softgpu/isa/gfx9/gfx9_encodings.def"
#undef ENCODE
};

static const uint8_t dwords[T_COUNT] = {
	[T_B16] = 1,
	[T_I16] = 1,
	[T_U16] = 1,
	[T_F16] = 1,
	[T_B32] = 1,
	[T_I32] = 1,
	[T_U32] = 1,
	[T_F32] = 1,
	[T_B64] = 2,
	[T_I64] = 2,
	[T_U64] = 2,
	[T_F64] = 2,
	[T_B96] = 3,
	[T_B128] = 4,
	[T_B256] = 8,
	[T_B512] = 16,
	[T_P16] = 1,
	[T_CARRY] = 2,
	[T_MASK] = 2,
	[T_ADDR] = 1,
	[T_SBASE] = 2,
	[T_SRSRC] = 4,
	[T_F16K] = 1,
	[T_I16K] = 1,
	[T_U16K] = 1,
	[T_B16K] = 1,
	[T_P32] = 2,
	[T_ACC] = 1,
	[T_ACC2] = 2,
	[T_ACC4] = 4,
	[T_ACC8] = 8,
	[T_ACC16] = 16,
	[T_ACC32] = 32,
	[T_S32] = 1,
	[T_EXEC] = 2,
	[T_MIX] = 1,
	[T_BF16] = 1,
	[T_MATRIX] = 8,
};

const struct isa_info *isa_info(unsigned op)
{
	return &rows[op < OP_COUNT ? op : OP_INVALID];
}

unsigned isa_type_dwords(enum isa_type t)
{
	return t < T_COUNT ? dwords[t] : 0;
}

bool isa_is_half(enum isa_type type)
{
	switch (type) {
	case T_B16:
	case T_I16:
	case T_U16:
	case T_F16:
	case T_F16K:
	case T_I16K:
	case T_U16K:
	case T_B16K:
	case T_BF16: return true;
	default: return false;
	}
}

unsigned isa_operand_dwords(enum isa_target target, enum isa_type type)
{
	bool mask = type == T_MASK || type == T_CARRY || type == T_EXEC;

	if (type == T_MATRIX && !isa_is_wave32(target))
		return 4;
	return mask && isa_is_wave32(target) ? 1 : isa_type_dwords(type);
}

bool isa_is_float(enum isa_type t)
{
	return t == T_F16 || t == T_F32 || t == T_F64 || t == T_F16K || t == T_MIX || t == T_BF16 || t == T_P32;
}

int isa_source_count(const struct isa_info *row)
{
	int n = 0;

	while (n < 3 && row->src[n] != T__ && row->src[n] != T_CARRY)
		n++;
	return n;
}

unsigned isa_number(const struct isa_info *row)
{
	return row - rows;
}

bool isa_is_global_wave_sync(unsigned op)
{
	switch (op) {
	case OP_ds_gws_init:
	case OP_ds_gws_barrier:
	case OP_ds_gws_sema_p:
	case OP_ds_gws_sema_v:
	case OP_ds_gws_sema_br:
	case OP_ds_gws_sema_release_all: return true;
	default: return false;
	}
}

unsigned isa_image_data_dwords(const struct isa_inst *in)
{
	const struct isa_info *row = isa_info(in->op);
	const bool atomic = row->traits & VMEM_ATOMIC;
	const unsigned least = row->traits & GATHERS ? 4 : isa_type_dwords(row->dst2 ? row->dst2 : row->dst),
		       first = (row->dst2 ? in->data : in->dst) % 256,
		       components = row->traits & GATHERS ? 4 : (unsigned)__builtin_popcount(in->imm & 15);
	unsigned n;

	n = components ? components : 1;
	if (in->flags & FLAG_D16 && !atomic)
		n = (n + 1) / 2;
	if (atomic && n != 2 * least)
		n = least;
	n += in->flags & FLAG_TFE ? 1 : 0;
	return first + n <= 256 ? n : least;
}

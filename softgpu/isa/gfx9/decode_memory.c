/* Decodes memory instructions: SMEM, DS, FLAT and its segments, MUBUF, MIMG. */
#include "softgpu/isa/gfx9/decode.h"

#include <string.h>

enum { SADDR_OFF = 0x7f };

static bool decode_smem_address(struct decoder *d)
{
	struct isa_inst *out = d->out;
	uint32_t lo = d->word[0], hi = d->word[1];

	if (!put_scalar_operand(&out->src[0], extract_bits(lo, 5, 0) * 2, d->row->src[0]))
		return false;
	if (extract_bits(lo, 17, 17)) {
		out->flags |= FLAG_IMM;
		out->imm = sign_extend(extract_bits(hi, 20, 0), 21);
	}
	if (!extract_bits(lo, 14, 14))
		return out->flags & FLAG_IMM || put_scalar_operand(&out->src[1], extract_bits(hi, 6, 0), T_B32);
	out->flags |= FLAG_SADDR;
	return put_scalar_operand(&out->src[1], extract_bits(hi, 31, 25), T_B32);
}

bool decode_smem(struct decoder *d)
{
	struct isa_inst *out = d->out;
	uint32_t lo = d->word[0];

	bool discard = d->row->dst == T__ && d->row->src[2] == T__ && d->row->src[0] != T__;

	if (extract_bits(lo, 16, 16) && !discard && d->row->src[2] != T_SIMM16)
		out->flags |= FLAG_GLC;
	if (d->row->dst != T__ && (d->row->src[2] == T__ || out->flags & FLAG_GLC) &&
		!put_scalar_operand(&out->dst, extract_bits(lo, 12, 6), d->row->dst))
		return false;
	if (d->row->src[2] == T_SIMM16)
		out->offset1 = extract_bits(lo, 12, 6);
	else if (d->row->src[2] != T__ && !put_scalar_operand(&out->src[2], extract_bits(lo, 12, 6), d->row->src[2]))
		return false;
	return d->row->src[0] == T__ ? !extract_bits(lo, 17, 17) : decode_smem_address(d);
}

/* As LLVM decodes it: the src2 rows, and global wave sync without a value. */
static bool is_reserved_bit_25(const struct isa_info *row, bool global_wave_sync)
{
	return row->dst == T__ && row->src[1] == T__ && (row->src[0] == T__) == global_wave_sync;
}

bool decode_ds(struct decoder *d)
{
	struct isa_inst *out = d->out;
	const struct isa_info *row = d->row;
	uint32_t lo = d->word[0], hi = d->word[1];

	out->imm = row->dst2 == T_OFF2 ? extract_bits(lo, 7, 0) : extract_bits(lo, 15, 0);
	out->offset1 = row->dst2 == T_OFF2 ? extract_bits(lo, 15, 8) : 0;
	if (extract_bits(lo, 16, 16))
		out->flags |= FLAG_GDS;
	if (extract_bits(lo, 25, 25) && is_reserved_bit_25(row, isa_is_global_wave_sync(out->op)))
		return false;
	if (out->op == OP_ds_nop && lo != 0xd8280000)
		return false;
	if (isa_is_global_wave_sync(out->op) && !(out->flags & FLAG_GDS))
		return false;
	if ((out->op == OP_ds_permute_b32 || out->op == OP_ds_bpermute_b32) && out->flags)
		return false;
	for (int i = 0; i < 3; i++) {
		unsigned field = extract_bits(hi, 8 * i + 7, 8 * i);

		if (row->src[i] == T__ ? field != 0 : !put_vgpr_operand(&out->src[i], field, row->src[i]))
			return false;
	}
	return row->dst == T__ ? extract_bits(hi, 31, 24) == 0
			       : put_vgpr_operand(&out->dst, extract_bits(hi, 31, 24), row->dst);
}

/* An atomic returns a value only with glc. */
static bool put_loaded(struct decoder *d, unsigned field)
{
	if (d->row->dst == T__)
		return !(d->row->traits & VMEM_ATOMIC && d->out->flags & FLAG_GLC);
	if (d->row->traits & VMEM_ATOMIC && !(d->out->flags & FLAG_GLC))
		return true;
	return put_vgpr_operand(&d->out->dst, field, d->row->dst);
}

static bool put_flat_address(struct decoder *d)
{
	struct isa_inst *out = d->out;
	unsigned field = extract_bits(d->word[1], 22, 16);
	if (d->row->enc == ENC_FLAT && (field || extract_bits(d->word[0], 12, 12)))
		return false;
	bool saddr = d->row->enc != ENC_FLAT && field != SADDR_OFF;
	enum isa_type wide = d->row->enc == ENC_SCRATCH || saddr ? T_B32 : T_B64;

	if (saddr) {
		out->flags |= FLAG_SADDR;
		if (!put_scalar_operand(&out->src[2], field, d->row->src[2]))
			return false;
		if (d->row->enc == ENC_SCRATCH)
			return true; /* on gfx9, scratch uses one of the two */
	}
	return put_vgpr_operand(&out->src[0], extract_bits(d->word[1], 7, 0), wide);
}

bool decode_flat(struct decoder *d)
{
	struct isa_inst *out = d->out;
	uint32_t lo = d->word[0], hi = d->word[1];

	out->flags |= (extract_bits(lo, 16, 16) ? FLAG_GLC : 0) | (extract_bits(lo, 17, 17) ? FLAG_SLC : 0) |
		(extract_bits(lo, 13, 13) ? FLAG_LDS : 0) | (extract_bits(hi, 23, 23) ? FLAG_NV : 0);
	out->imm = out->enc == ENC_FLAT ? (int32_t)extract_bits(lo, 11, 0) : sign_extend(lo, 13);
	if (out->flags & FLAG_LDS) /* LDS loads exist only on later targets */
		return false;
	if (extract_bits(lo, 25, 25) && out->op == OP_global_atomic_pk_add_f16) /* reserved; LLVM checks it here */
		return false;
	if (d->row->src[1] != T__ && !put_vgpr_operand(&out->src[1], extract_bits(hi, 15, 8), d->row->src[1]))
		return false;
	return put_loaded(d, extract_bits(hi, 31, 24)) && put_flat_address(d);
}

bool decode_mubuf(struct decoder *d)
{
	struct isa_inst *out = d->out;
	const struct isa_info *row = d->row;
	uint32_t lo = d->word[0], hi = d->word[1];
	unsigned both = extract_bits(lo, 13, 12);

	out->flags |= (extract_bits(lo, 14, 14) ? FLAG_GLC : 0) | (extract_bits(lo, 17, 17) ? FLAG_SLC : 0) |
		(extract_bits(lo, 16, 16) ? FLAG_LDS : 0) | (extract_bits(hi, 23, 23) ? FLAG_TFE : 0) |
		(both & 1 ? FLAG_OFFEN : 0) | (both & 2 ? FLAG_IDXEN : 0);
	out->imm = extract_bits(lo, 11, 0);
	if (row->src[0] == T__)
		return extract_bits(lo, 16, 12) == 0;
	if (out->flags & FLAG_LDS) {
		if (!isa_loads_lds(row))
			return false;
		out->flags &= ~FLAG_TFE;
	}
	if (row->traits & VMEM_ATOMIC)
		out->flags &= ~FLAG_TFE;
	if (both && !put_vgpr_operand(&out->src[0], extract_bits(hi, 7, 0), both == 3 ? T_B64 : T_B32))
		return false;
	if (row->dst2 != T__ && !put_vgpr_operand(&out->data, extract_bits(hi, 15, 8), row->dst2))
		return false;
	return (out->flags & FLAG_LDS || put_loaded(d, extract_bits(hi, 15, 8))) &&
		put_scalar_operand(&out->src[1], extract_bits(hi, 20, 16) * 4, T_SRSRC) &&
		extract_bits(hi, 31, 24) != ISA_LITERAL &&
		put_source_operand(&out->src[2], extract_bits(hi, 31, 24), T_B32);
}

/* Formatted data may be halves: not the bits of a texel, its size or an atomic's cell. */
static bool has_half_data(const struct isa_info *row)
{
	return !(row->traits & VMEM_ATOMIC) && !strstr(row->name, "_pck") &&
		strcmp(row->name, "image_get_resinfo") != 0;
}

/* The registers of the address depend on the descriptor, which only the executor knows: the row has the fewest. */
bool decode_mimg(struct decoder *d)
{
	struct isa_inst *out = d->out;
	const struct isa_info *row = d->row;
	uint32_t lo = d->word[0], hi = d->word[1];

	/* As in LLVM, bit 0 is a higher bit of the opcode, and gather4 has four registers. */
	if (lo & 1 || (row->traits & GATHERS && extract_bits(hi, 15, 8) > 252) ||
		(row->src[2] == T__ && extract_bits(hi, 25, 21)) || (extract_bits(hi, 31, 31) && !has_half_data(row)))
		return false;
	out->flags |= (extract_bits(lo, 12, 12) ? FLAG_UNORM : 0) | (extract_bits(lo, 13, 13) ? FLAG_GLC : 0) |
		(extract_bits(lo, 14, 14) ? FLAG_DA : 0) | (extract_bits(lo, 15, 15) ? FLAG_A16 : 0) |
		(extract_bits(lo, 16, 16) ? FLAG_TFE : 0) | (extract_bits(lo, 17, 17) ? FLAG_LWE : 0) |
		(extract_bits(lo, 25, 25) ? FLAG_SLC : 0) | (extract_bits(hi, 31, 31) ? FLAG_D16 : 0);
	out->imm = extract_bits(lo, 11, 8);
	if (row->dst2 != T__ && !put_vgpr_operand(&out->data, extract_bits(hi, 15, 8), row->dst2))
		return false;
	return put_loaded(d, extract_bits(hi, 15, 8)) &&
		put_vgpr_operand(&out->src[0], extract_bits(hi, 7, 0), row->src[0]) &&
		put_scalar_operand(&out->src[1], extract_bits(hi, 20, 16) * 4, row->src[1]) &&
		(row->src[2] == T__ || put_scalar_operand(&out->src[2], extract_bits(hi, 25, 21) * 4, row->src[2]));
}

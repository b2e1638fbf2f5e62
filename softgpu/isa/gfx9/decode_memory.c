/* Decodes memory instructions: SMEM, DS, FLAT and its segments, MUBUF, MTBUF, MIMG. */
#include "softgpu/isa/gfx9/decode.h"

#include <string.h>

enum { SADDR_OFF = 0x7f };

/* Data registers: on gfx90a accumulation registers if the instruction's bit for it is set (LLVM, FLATInstructions.td,
 * DSInstructions.td, BUFInstructions.td, MIMGInstructions.td). gfx90a requires that pairs begin at an even register;
 * what an odd one does is not described. LLVM's disassembler accepts it, and here it names the two registers. */
static bool put_data_operand(uint16_t *where, unsigned field, bool accumulation, enum isa_type type)
{
	if (!put_vgpr_operand(where, field, type))
		return false;
	*where += accumulation ? ISA_AGPR0 - ISA_VGPR0 : 0;
	return true;
}

static bool has_accumulation_bit(const struct decoder *d, uint32_t word, unsigned bit)
{
	return d->out->target == ISA_GFX90A && word >> bit & 1;
}

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
	const bool accumulation = has_accumulation_bit(d, lo, 25);

	out->imm = row->dst2 == T_OFF2 ? extract_bits(lo, 7, 0) : extract_bits(lo, 15, 0);
	out->offset1 = row->dst2 == T_OFF2 ? extract_bits(lo, 15, 8) : 0;
	if (extract_bits(lo, 16, 16))
		out->flags |= FLAG_GDS;
	if (extract_bits(lo, 25, 25) && d->out->target != ISA_GFX90A &&
		is_reserved_bit_25(row, isa_is_global_wave_sync(out->op)))
		return false;
	if (out->op == OP_ds_nop && lo != 0xd8280000)
		return false;
	if (isa_is_global_wave_sync(out->op) && !(out->flags & FLAG_GDS))
		return false;
	if ((out->op == OP_ds_permute_b32 || out->op == OP_ds_bpermute_b32) && out->flags)
		return false;
	for (int i = 0; i < 3; i++) {
		unsigned field = extract_bits(hi, 8 * i + 7, 8 * i);

		if (row->src[i] == T__ ? field != 0
				       : !put_data_operand(&out->src[i], field, accumulation && row->src[i] != T_ADDR,
						 row->src[i]))
			return false;
	}
	return row->dst == T__ ? extract_bits(hi, 31, 24) == 0
			       : put_data_operand(&out->dst, extract_bits(hi, 31, 24), accumulation, row->dst);
}

/* On gfx908 these atomics return nothing. */
static bool lacks_result(const struct isa_inst *in)
{
	switch (in->op) {
	case OP_global_atomic_add_f32:
	case OP_global_atomic_pk_add_f16:
	case OP_buffer_atomic_add_f32:
	case OP_buffer_atomic_pk_add_f16: return in->target == ISA_GFX908;
	default: return false;
	}
}

/* The bit that gfx940 calls scc; LLVM checks that it is 0 only of what gfx90a added, and of buffer atomics of floats.
 */
static bool has_reserved_scc(const struct decoder *d, unsigned bit)
{
	const unsigned op = d->out->op;
	const bool checked = d->row->targets == ISA_GFX90A ||
		(d->out->target == ISA_GFX90A && (op == OP_buffer_atomic_add_f32 || op == OP_buffer_atomic_pk_add_f16));

	return checked && d->row->traits & VMEM_ATOMIC && extract_bits(d->word[0], bit, bit);
}

/* An atomic returns a value only with glc. */
static bool put_loaded(struct decoder *d, unsigned field, bool accumulation)
{
	if (d->row->dst == T__ || lacks_result(d->out))
		return !(d->row->traits & VMEM_ATOMIC && d->out->flags & FLAG_GLC);
	if (d->row->traits & VMEM_ATOMIC && !(d->out->flags & FLAG_GLC))
		return true;
	return put_data_operand(&d->out->dst, field, accumulation, d->row->dst);
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
	const bool accumulation = has_accumulation_bit(d, hi, 23);

	out->flags |= (extract_bits(lo, 16, 16) ? FLAG_GLC : 0) | (extract_bits(lo, 17, 17) ? FLAG_SLC : 0) |
		(extract_bits(lo, 13, 13) ? FLAG_LDS : 0) | (extract_bits(hi, 23, 23) && !accumulation ? FLAG_NV : 0);
	out->imm = out->enc == ENC_FLAT ? (int32_t)extract_bits(lo, 11, 0) : sign_extend(lo, 13);
	if (has_reserved_scc(d, 25))
		return false;
	if (out->flags & FLAG_LDS) /* LDS loads exist only on later targets */
		return false;
	if (extract_bits(lo, 25, 25) && out->op == OP_global_atomic_pk_add_f16) /* reserved; LLVM checks it here */
		return false;
	if (d->row->src[1] != T__ &&
		!put_data_operand(&out->src[1], extract_bits(hi, 15, 8), accumulation, d->row->src[1]))
		return false;
	return put_loaded(d, extract_bits(hi, 31, 24), accumulation) && put_flat_address(d);
}

/* The registers of a buffer instruction. */
static bool put_buffer_operands(struct decoder *d, bool accumulation)
{
	struct isa_inst *out = d->out;
	const unsigned both = extract_bits(d->word[0], 13, 12), data = extract_bits(d->word[1], 15, 8),
		       soffset = extract_bits(d->word[1], 31, 24);

	out->flags |= (both & 1 ? FLAG_OFFEN : 0) | (both & 2 ? FLAG_IDXEN : 0);
	if (both && !put_vgpr_operand(&out->src[0], extract_bits(d->word[1], 7, 0), both == 3 ? T_B64 : T_B32))
		return false;
	if (d->row->dst2 != T__ && !put_data_operand(&out->data, data, accumulation, d->row->dst2))
		return false;
	return (out->flags & FLAG_LDS || put_loaded(d, data, accumulation)) &&
		put_scalar_operand(&out->src[1], extract_bits(d->word[1], 20, 16) * 4, T_SRSRC) &&
		soffset != ISA_LITERAL && put_source_operand(&out->src[2], soffset, T_B32);
}

bool decode_mtbuf(struct decoder *d)
{
	const uint32_t lo = d->word[0], hi = d->word[1];
	const bool accumulation = has_accumulation_bit(d, hi, 23);

	d->out->flags |= (extract_bits(lo, 14, 14) ? FLAG_GLC : 0) | (extract_bits(hi, 22, 22) ? FLAG_SLC : 0) |
		(extract_bits(hi, 23, 23) && d->out->target != ISA_GFX90A ? FLAG_TFE : 0);
	d->out->imm = extract_bits(lo, 11, 0);
	d->out->format = extract_bits(lo, 25, 19);
	return put_buffer_operands(d, accumulation);
}

bool decode_mubuf(struct decoder *d)
{
	struct isa_inst *out = d->out;
	const struct isa_info *row = d->row;
	uint32_t lo = d->word[0], hi = d->word[1];
	const bool accumulation = has_accumulation_bit(d, hi, 23);

	out->flags |= (extract_bits(lo, 14, 14) ? FLAG_GLC : 0) | (extract_bits(lo, 17, 17) ? FLAG_SLC : 0) |
		(extract_bits(lo, 16, 16) ? FLAG_LDS : 0) |
		(extract_bits(hi, 23, 23) && out->target != ISA_GFX90A ? FLAG_TFE : 0);
	out->imm = extract_bits(lo, 11, 0);
	if (row->src[0] == T__) /* LLVM ignores glc and scc of buffer_wbl2 */
		return !(accumulation && row->targets == ISA_GFX90A) &&
			(extract_bits(lo, 16, 12) & (out->op == OP_buffer_wbl2 ? ~12u : ~0u)) == 0;
	if (has_reserved_scc(d, 15))
		return false;
	if (out->flags & FLAG_LDS) {
		if (!isa_loads_lds(row))
			return false;
		out->flags &= ~FLAG_TFE;
	}
	if (row->traits & VMEM_ATOMIC)
		out->flags &= ~FLAG_TFE;
	return put_buffer_operands(d, accumulation);
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
	const bool accumulation = has_accumulation_bit(d, lo, 16);

	/* As in LLVM, bit 0 is a higher bit of the opcode, and gather4 has four registers. */
	if (lo & 1 || (row->traits & GATHERS && extract_bits(hi, 15, 8) > 252) ||
		(row->src[2] == T__ && extract_bits(hi, 25, 21)) || (extract_bits(hi, 31, 31) && !has_half_data(row)))
		return false;
	out->flags |= (extract_bits(lo, 12, 12) ? FLAG_UNORM : 0) | (extract_bits(lo, 13, 13) ? FLAG_GLC : 0) |
		(extract_bits(lo, 14, 14) ? FLAG_DA : 0) | (extract_bits(lo, 15, 15) ? FLAG_A16 : 0) |
		(extract_bits(lo, 16, 16) && out->target != ISA_GFX90A ? FLAG_TFE : 0) |
		(extract_bits(lo, 17, 17) ? FLAG_LWE : 0) | (extract_bits(lo, 25, 25) ? FLAG_SLC : 0) |
		(extract_bits(hi, 31, 31) ? FLAG_D16 : 0);
	out->imm = extract_bits(lo, 11, 8);
	if (row->dst2 != T__ && !put_data_operand(&out->data, extract_bits(hi, 15, 8), accumulation, row->dst2))
		return false;
	return put_loaded(d, extract_bits(hi, 15, 8), accumulation) &&
		put_vgpr_operand(&out->src[0], extract_bits(hi, 7, 0), row->src[0]) &&
		put_scalar_operand(&out->src[1], extract_bits(hi, 20, 16) * 4, row->src[1]) &&
		(row->src[2] == T__ || put_scalar_operand(&out->src[2], extract_bits(hi, 25, 21) * 4, row->src[2]));
}

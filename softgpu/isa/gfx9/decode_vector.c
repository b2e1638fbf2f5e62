/* Decodes vector arithmetic: VOP1, VOP2, VOPC with their SDWA and DPP forms, VOP3 and VOP3P. */
#include "softgpu/isa/gfx9/decode.h"
#include "softgpu/isa/isa_text.h"
#include "softgpu/isa/modifier_rules.h"

enum { SRC_SDWA = 249, SRC_DPP = 250 };

/* An SDWA source is a VGPR or, with bit 8, a scalar source other than a literal. */
static bool put_sdwa_source(uint16_t *where, unsigned field, bool scalar, enum isa_type type)
{
	if (!scalar)
		return put_vgpr_operand(where, field, type);
	return field != ISA_LITERAL && put_source_operand(where, field, type);
}

static bool decode_sdwa(struct decoder *d, uint32_t w)
{
	struct isa_inst *out = d->out;

	if (!isa_has_sdwa(d->row))
		return false;
	out->form = FORM_SDWA;
	out->size = 8;
	if (d->row->dst == T_MASK) {
		if (!put_scalar_operand(&out->dst, extract_bits(w, 15, 15) ? extract_bits(w, 14, 8) : ISA_VCC, T_MASK))
			return false;
	} else {
		out->dst_sel = extract_bits(w, 10, 8);
		out->dst_unused = extract_bits(w, 12, 11);
		out->omod = extract_bits(w, 15, 14);
		out->clamp = extract_bits(w, 13, 13);
	}
	out->src_sel[0] = extract_bits(w, 18, 16);
	out->src_sel[1] = extract_bits(w, 26, 24);
	out->sext = extract_bits(w, 19, 19) | extract_bits(w, 27, 27) << 1;
	out->neg = extract_bits(w, 20, 20) | extract_bits(w, 28, 28) << 1;
	out->abs = extract_bits(w, 21, 21) | extract_bits(w, 29, 29) << 1;
	if (!isa_fit_sdwa(d->row, out) || (d->row->src[1] == T__ && extract_bits(w, 31, 31)))
		return false;
	if (d->row->src[1] != T__ &&
		!put_sdwa_source(&out->src[1], out->src[1] - ISA_VGPR0, extract_bits(w, 31, 31), d->row->src[1]))
		return false;
	return put_sdwa_source(&out->src[0], extract_bits(w, 7, 0), extract_bits(w, 23, 23), d->row->src[0]);
}

/* Quad permutations; row shifts and rotations by 1 to 15; wave shifts and rotations, mirrors and broadcasts. */
static bool is_dpp_ctrl(unsigned c)
{
	if (c < 0x130)
		return c < 0x100 || c & 15;
	return c == 0x130 || c == 0x134 || c == 0x138 || c == 0x13c || (c >= 0x140 && c <= 0x143);
}

/* gfx90a: one lane of each row, for all of it. */
static bool is_row_newbcast(unsigned c)
{
	return c >= 0x150 && c <= 0x15f;
}

/* 64-bit operations have no other (LLVM, isLegal64BitDPPControl). */
static bool is_dpp_ctrl_of(const struct isa_inst *in, const struct isa_info *row)
{
	if (in->target == ISA_GFX90A && is_row_newbcast(in->dpp_ctrl))
		return true;
	return is_dpp_ctrl(in->dpp_ctrl) && !isa_has_wide_dpp(row);
}

static bool decode_dpp(struct decoder *d, uint32_t w)
{
	struct isa_inst *out = d->out;

	if (!isa_has_dpp(d->row, out->target))
		return false;
	out->form = FORM_DPP;
	out->size = 8;
	out->dpp_ctrl = extract_bits(w, 16, 8);
	out->bound_ctrl = extract_bits(w, 19, 19);
	out->neg = extract_bits(w, 20, 20) | extract_bits(w, 22, 22) << 1;
	out->abs = extract_bits(w, 21, 21) | extract_bits(w, 23, 23) << 1;
	out->bank_mask = extract_bits(w, 27, 24);
	out->row_mask = extract_bits(w, 31, 28);
	return is_dpp_ctrl_of(out, d->row) && isa_fit_dpp(d->row, out) &&
		put_vgpr_operand(&out->src[0], extract_bits(w, 7, 0), d->row->src[0]);
}

/* src0 of the short forms. Its SDWA and DPP markers are checked before it is decoded as a source. */
static bool decode_src0(struct decoder *d)
{
	unsigned field = extract_bits(d->word[0], 8, 0);

	if (d->row->src[0] == T__) /* SDWA and DPP need a source */
		return field != SRC_SDWA && field != SRC_DPP;
	if (field == SRC_SDWA)
		return decode_sdwa(d, d->word[1]);
	if (field == SRC_DPP)
		return decode_dpp(d, d->word[1]);
	return put_source_operand(&d->out->src[0], field, d->row->src[0]);
}

static bool put_vector_dst(struct decoder *d, unsigned field)
{
	switch (d->row->dst) {
	case T__: return field == 0;
	case T_S32:
	case T_MASK: return put_scalar_operand(&d->out->dst, field, d->row->dst);
	case T_ACC: d->out->dst = ISA_AGPR0 + field; return true;
	default: return put_vgpr_operand(&d->out->dst, field, d->row->dst);
	}
}

bool decode_vop2(struct decoder *d)
{
	struct isa_inst *out = d->out;
	uint32_t w = d->word[0];
	unsigned literal = isa_literal_source(out->op), vsrc1 = extract_bits(w, 16, 9);

	if (d->row->dst2 == T_CARRY)
		out->dst2 = ISA_VCC;
	if (d->row->src[2] == T_CARRY)
		out->src[2] = ISA_VCC;
	if (literal)
		out->src[literal] = ISA_LITERAL;
	return put_vector_dst(d, extract_bits(w, 24, 17)) &&
		put_vgpr_operand(&out->src[literal == 1 ? 2 : 1], vsrc1, d->row->src[1]) && decode_src0(d);
}

bool decode_vop1(struct decoder *d)
{
	unsigned src0 = extract_bits(d->word[0], 8, 0);

	if ((d->out->op == OP_v_swap_b32 && src0 < ISA_VGPR0) || (d->row->dst == T_S32 && is_constant_operand(src0, 1)))
		return false;
	if (d->row->src[0] == T_ACC) { /* LLVM's disassembler ignores the highest bit */
		d->out->src[0] = ISA_AGPR0 + src0 % 256;
		return put_vector_dst(d, extract_bits(d->word[0], 24, 17));
	}
	return put_vector_dst(d, extract_bits(d->word[0], 24, 17)) && decode_src0(d);
}

bool decode_vopc(struct decoder *d)
{
	d->out->dst = ISA_VCC;
	if (d->row->dst2 == T_EXEC)
		d->out->dst2 = ISA_EXEC;
	return put_vgpr_operand(&d->out->src[1], extract_bits(d->word[0], 16, 9), d->row->src[1]) && decode_src0(d);
}

/* Sources of the 64-bit encodings. They have no literals, SDWA or DPP; unused fields are 0. */
static bool decode_long_sources(struct decoder *d)
{
	static const uint8_t low[3] = {0, 9, 18};

	for (int i = 0; i < 3; i++) {
		unsigned field = extract_bits(d->word[1], low[i] + 8, low[i]);
		enum isa_type type = d->row->src[i];

		if (type == T_B128 && field < ISA_VGPR0)
			return false;
		if (i == 0 && d->row->dst == T_S32 && is_constant_operand(field, 1))
			return false;
		if (type == T_CARRY ? !put_scalar_operand(&d->out->src[i], field, type)
				: type == T__
				? field != 0
				: field == ISA_LITERAL || !put_source_operand(&d->out->src[i], field, type))
			return false;
	}
	return true;
}

bool decode_vop3(struct decoder *d)
{
	struct isa_inst *out = d->out;
	uint32_t lo = d->word[0], hi = d->word[1];

	out->clamp = extract_bits(lo, 15, 15);
	out->omod = extract_bits(hi, 28, 27);
	out->neg = extract_bits(hi, 31, 29);
	if (d->row->dst2 == T_CARRY) {
		if (!put_scalar_operand(&out->dst2, extract_bits(lo, 14, 8), T_CARRY))
			return false;
	} else {
		out->abs = extract_bits(lo, 10, 8);
		out->op_sel = extract_bits(lo, 14, 11);
	}
	if (d->row->dst2 == T_EXEC)
		out->dst2 = ISA_EXEC;
	return isa_fit_long(d->row, out) && put_vector_dst(d, extract_bits(lo, 7, 0)) && decode_long_sources(d);
}

/* Moves between the register files; the opcode implies the accumulation side. */
static bool decode_accvgpr(struct decoder *d)
{
	struct isa_inst *out = d->out;
	uint32_t dst = extract_bits(d->word[0], 7, 0), src = extract_bits(d->word[1], 8, 0);

	if (d->word[0] & 0x3f00 || d->word[1] & 0xe7fffe00)
		return false;
	if (d->row->dst == T_ACC) {
		out->dst = ISA_AGPR0 + dst;
		return (src >= ISA_VGPR0 || is_constant_operand(src, 1)) && src != ISA_LITERAL &&
			put_source_operand(&out->src[0], src, T_B32);
	}
	out->src[0] = ISA_AGPR0 + (src & 255);
	return put_vgpr_operand(&out->dst, dst, T_B32);
}

/* A factor is in VGPRs or, with the bit, in accumulation registers. */
static bool put_matrix_factor(uint16_t *where, unsigned field, bool accumulation, enum isa_type type)
{
	if (field < ISA_VGPR0 || !put_vgpr_operand(where, field - ISA_VGPR0, type))
		return false;
	*where += accumulation ? ISA_AGPR0 - ISA_VGPR0 : 0;
	return true;
}

/* D and C are in accumulation registers, on gfx90a both there or both in VGPRs; C may be a constant. LLVM's assembler
 * rejects constants for gfx908, which has a bug with them (FeatureMFMAInlineLiteralBug), but its disassembler accepts
 * them, and ignores bit 15, which gfx90a uses (VOP3Pe_MAI). */
static bool decode_mfma(struct decoder *d)
{
	struct isa_inst *out = d->out;
	uint32_t lo = d->word[0], hi = d->word[1];
	unsigned addend = extract_bits(hi, 26, 18);
	const bool accumulates = out->target != ISA_GFX90A || extract_bits(lo, 15, 15);

	out->cbsz = extract_bits(lo, 10, 8);
	out->abid = extract_bits(lo, 14, 11);
	out->blgp = extract_bits(hi, 31, 29);
	out->src[2] = addend;
	if (addend >= ISA_VGPR0 ? !put_matrix_factor(&out->src[2], addend, accumulates, d->row->src[2])
				: !isa_is_inline_constant(addend))
		return false;
	return put_matrix_factor(&out->dst, ISA_VGPR0 + extract_bits(lo, 7, 0), accumulates, d->row->dst) &&
		put_matrix_factor(&out->src[0], extract_bits(hi, 8, 0), extract_bits(hi, 27, 27), d->row->src[0]) &&
		put_matrix_factor(&out->src[1], extract_bits(hi, 17, 9), extract_bits(hi, 28, 28), d->row->src[1]);
}

bool decode_vop3p(struct decoder *d)
{
	struct isa_inst *out = d->out;
	uint32_t lo = d->word[0], hi = d->word[1];

	if (d->row->rate == RATE_MFMA)
		return decode_mfma(d);
	if (d->row->dst == T_ACC || d->row->src[0] == T_ACC)
		return decode_accvgpr(d);
	out->clamp = extract_bits(lo, 15, 15);
	out->op_sel = extract_bits(lo, 13, 11);
	out->op_sel_hi = extract_bits(hi, 28, 27) | extract_bits(lo, 14, 14) << 2;
	out->neg = extract_bits(hi, 31, 29);
	out->neg_hi = extract_bits(lo, 10, 8);
	return isa_fit_packed(d->row, out) && put_vgpr_operand(&out->dst, extract_bits(lo, 7, 0), d->row->dst) &&
		decode_long_sources(d);
}

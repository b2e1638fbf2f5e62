/* Decodes vector arithmetic of gfx11: VOP1, VOP2, VOPC, VOP3 and VOP3P, each with its DPP forms. */
#include "softgpu/isa/gfx11/gfx11_decode.h"

/* --- 16-bit operands of the short encodings --- */
/* They address 128 VGPRs; the top bit of the field selects the high half (RDNA3 ISA guide, 16-bit operands). op_sel
 * keeps that bit, as in VOP3. */
static unsigned gfx11_take_half(struct gfx11_decoder *d, unsigned field, enum isa_type type, unsigned op_sel_bit)
{
	if (!isa_is_half(type))
		return field;
	d->out->op_sel |= (field >> 7 & 1) << op_sel_bit;
	return field & ~128u;
}

static bool gfx11_put_short_vgpr(
	struct gfx11_decoder *d, uint16_t *where, unsigned field, enum isa_type type, unsigned bit)
{
	return gfx11_put_vgpr(where, gfx11_take_half(d, field, type, bit), isa_operand_dwords(d->target, type));
}

/* --- DPP: the fields of the additional dword --- */
/* Quad permutations; row shifts and rotations by 1 to 15, mirrors, a lane of the row to all, row_xmask. */
static bool gfx11_is_dpp16(unsigned ctrl)
{
	if (ctrl < 0x130)
		return ctrl < 0x100 || ctrl & 15;
	return ctrl == 0x140 || ctrl == 0x141 || (ctrl >= 0x150 && ctrl <= 0x16f);
}

static bool gfx11_decode_dpp8(struct gfx11_decoder *d, unsigned marker, uint32_t w)
{
	d->out->form = FORM_DPP8;
	d->out->fetch_inactive = marker == GFX11_SRC_DPP8_FI;
	d->out->dpp8 = extract_bits(w, 31, 8);
	return true;
}

static bool gfx11_decode_dpp16(struct gfx11_decoder *d, uint32_t w)
{
	struct isa_inst *out = d->out;

	out->form = FORM_DPP;
	out->dpp_ctrl = extract_bits(w, 16, 8);
	out->fetch_inactive = extract_bits(w, 18, 18);
	out->bound_ctrl = extract_bits(w, 19, 19);
	out->bank_mask = extract_bits(w, 27, 24);
	out->row_mask = extract_bits(w, 31, 28);
	if (out->enc != ENC_VOP3 && out->enc != ENC_VOP3P) {
		out->neg = extract_bits(w, 20, 20) | extract_bits(w, 22, 22) << 1;
		out->abs = extract_bits(w, 21, 21) | extract_bits(w, 23, 23) << 1;
	}
	return gfx11_is_dpp16(out->dpp_ctrl);
}

static bool gfx11_is_dpp_marker(unsigned field)
{
	return field == GFX11_SRC_DPP16 || field == GFX11_SRC_DPP8 || field == GFX11_SRC_DPP8_FI;
}

/* The form with a DPP dword, which contains the number of the first source. */
static bool gfx11_decode_dpp(struct gfx11_decoder *d, unsigned marker)
{
	struct isa_inst *out = d->out;
	uint32_t w = d->word[out->size / 4];
	bool longer = out->enc == ENC_VOP3 || out->enc == ENC_VOP3P;

	if (!gfx11_has_dpp(d->encoding))
		return false;
	out->size += 4;
	if (marker == GFX11_SRC_DPP16 ? !gfx11_decode_dpp16(d, w) : !gfx11_decode_dpp8(d, marker, w))
		return false;
	if (longer)
		return gfx11_put_vgpr(&out->src[0], extract_bits(w, 7, 0), isa_type_dwords(d->row->src[0]));
	return gfx11_fit_dpp(d->row, out) &&
		gfx11_put_short_vgpr(d, &out->src[0], extract_bits(w, 7, 0), d->row->src[0], 0);
}

/* Operations that exchange, index or permute the registers of the first source. */
static bool gfx11_needs_vgpr(const struct isa_info *row)
{
	switch (isa_number(row)) {
	case OP_v_movrels_b32:
	case OP_v_movrelsd_b32:
	case OP_v_movrelsd_2_b32:
	case OP_v_permlane64_b32:
	case OP_v_permlane16_b32:
	case OP_v_permlanex16_b32: return true;
	}
	return row->traits & WRITES_S0;
}

/* --- short encodings --- */
static bool gfx11_decode_src0(struct gfx11_decoder *d)
{
	unsigned field = extract_bits(d->word[0], 8, 0);

	if (d->row->src[0] == T__)
		return !gfx11_is_dpp_marker(field);
	if (gfx11_is_dpp_marker(field))
		return gfx11_decode_dpp(d, field);
	if (field >= ISA_VGPR0)
		return gfx11_put_short_vgpr(d, &d->out->src[0], field - ISA_VGPR0, d->row->src[0], 0);
	return gfx11_put_source(d, &d->out->src[0], field, d->row->src[0]);
}

static bool gfx11_put_short_dst(struct gfx11_decoder *d, unsigned field)
{
	enum isa_type type = d->row->dst;

	if (type == T__)
		return field == 0;
	if (type == T_S32)
		return gfx11_put_scalar(d, &d->out->dst, field, type);
	return gfx11_put_short_vgpr(d, &d->out->dst, field, type, 3);
}

bool gfx11_decode_vop2(struct gfx11_decoder *d)
{
	struct isa_inst *out = d->out;
	uint32_t w = d->word[0];
	unsigned literal = gfx11_literal_source(out->op), second = literal == 1 ? 2 : 1;

	if (d->row->dst2 == T_CARRY)
		out->dst2 = ISA_VCC;
	if (d->row->src[2] == T_CARRY)
		out->src[2] = ISA_VCC;
	if (literal)
		out->src[literal] = ISA_LITERAL;
	return gfx11_put_short_dst(d, extract_bits(w, 24, 17)) &&
		gfx11_put_short_vgpr(d, &out->src[second], extract_bits(w, 16, 9), d->row->src[second], second) &&
		gfx11_decode_src0(d);
}

bool gfx11_decode_vop1(struct gfx11_decoder *d)
{
	unsigned src0 = extract_bits(d->word[0], 8, 0);

	if (gfx11_needs_vgpr(d->row) && src0 < ISA_VGPR0 && !gfx11_is_dpp_marker(src0))
		return false;
	if (d->row->dst == T_S32 && src0 >= ISA_INT0 && src0 < ISA_VGPR0)
		return false;
	return gfx11_put_short_dst(d, extract_bits(d->word[0], 24, 17)) && gfx11_decode_src0(d);
}

/* v_cmpx writes EXEC alone. */
static void gfx11_set_compare_dst(struct gfx11_decoder *d)
{
	if (d->row->dst2 == T_EXEC)
		d->out->dst = d->out->dst2 = ISA_EXEC;
	else
		d->out->dst = ISA_VCC;
}

bool gfx11_decode_vopc(struct gfx11_decoder *d)
{
	gfx11_set_compare_dst(d);
	return gfx11_put_short_vgpr(d, &d->out->src[1], extract_bits(d->word[0], 16, 9), d->row->src[1], 1) &&
		gfx11_decode_src0(d);
}

/* --- long encodings --- */
static bool gfx11_put_long_source(struct gfx11_decoder *d, int i, unsigned field)
{
	enum isa_type type = d->row->src[i];

	if (type == T__)
		return field == 0;
	if (type == T_CARRY)
		return gfx11_put_scalar(d, &d->out->src[i], field, type);
	if (i == 0 && gfx11_is_dpp_marker(field))
		return gfx11_decode_dpp(d, field);
	if (d->out->form != FORM_PLAIN && (i == 1 ? field < ISA_VGPR0 : field == GFX11_SRC_LITERAL)) /* DPP */
		return false;
	if (i == 0 && field < ISA_VGPR0 && gfx11_needs_vgpr(d->row))
		return false;
	if (i == 0 && field >= ISA_INT0 && field < ISA_VGPR0 && d->row->dst == T_S32)
		return false;
	if (field < ISA_VGPR0 && (type == T_B128 || (i < 2 && d->row->dst == T_MATRIX))) /* VGPRs */
		return false;
	return gfx11_put_source(d, &d->out->src[i], field, type) && (type != T_MATRIX || d->out->src[i] >= ISA_INT0);
}

static bool gfx11_decode_long_sources(struct gfx11_decoder *d)
{
	static const uint8_t low[3] = {0, 9, 18};

	for (int i = 0; i < 3; i++)
		if (!gfx11_put_long_source(d, i, extract_bits(d->word[1], low[i] + 8, low[i])))
			return false;
	return true;
}

static bool gfx11_put_long_dst(struct gfx11_decoder *d, unsigned field)
{
	switch (d->row->dst) {
	case T__: return field == 0;
	case T_S32: return gfx11_put_scalar(d, &d->out->dst, field, T_S32);
	case T_MASK:
		gfx11_set_compare_dst(d);
		return d->row->dst2 == T_EXEC || gfx11_put_scalar(d, &d->out->dst, field, T_MASK);
	default: return gfx11_put_vgpr(&d->out->dst, field, isa_operand_dwords(d->target, d->row->dst));
	}
}

bool gfx11_decode_vop3(struct gfx11_decoder *d)
{
	struct isa_inst *out = d->out;
	uint32_t lo = d->word[0], hi = d->word[1];

	out->clamp = extract_bits(lo, 15, 15);
	out->omod = extract_bits(hi, 28, 27);
	out->neg = extract_bits(hi, 31, 29);
	if (d->row->dst2 == T_CARRY) {
		if (!gfx11_put_scalar(d, &out->dst2, extract_bits(lo, 14, 8), T_CARRY))
			return false;
	} else {
		out->abs = extract_bits(lo, 10, 8);
		out->op_sel = extract_bits(lo, 14, 11);
	}
	return gfx11_fit_long(d->row, out) && gfx11_put_long_dst(d, extract_bits(lo, 7, 0)) &&
		gfx11_decode_long_sources(d);
}

bool gfx11_decode_vop3p(struct gfx11_decoder *d)
{
	struct isa_inst *out = d->out;
	uint32_t lo = d->word[0], hi = d->word[1];

	out->clamp = extract_bits(lo, 15, 15);
	out->op_sel = extract_bits(lo, 13, 11);
	out->op_sel_hi = extract_bits(hi, 28, 27) | extract_bits(lo, 14, 14) << 2;
	out->neg = extract_bits(hi, 31, 29);
	out->neg_hi = extract_bits(lo, 10, 8);
	return gfx11_fit_packed(d->row, out) && gfx11_put_long_dst(d, extract_bits(lo, 7, 0)) &&
		gfx11_decode_long_sources(d);
}

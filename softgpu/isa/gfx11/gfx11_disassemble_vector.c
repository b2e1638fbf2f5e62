/* Prints vector instructions as llvm-objdump-15 does for gfx11. */
#include "softgpu/isa/gfx11/gfx11_disassemble.h"

static int gfx11_source_count(const struct isa_info *row)
{
	return row->src[2] != T__ ? 3 : row->src[1] != T__ ? 2 : row->src[0] != T__ ? 1 : 0;
}

static bool gfx11_is_short(const struct isa_inst *in)
{
	return in->enc == ENC_VOP1 || in->enc == ENC_VOP2 || in->enc == ENC_VOPC;
}

/* An operand whose half op_sel bit `bit` selects, if it has 16 bits. The short encodings have no other text for it. */
static void gfx11_print_half(struct isa_text *t, const struct isa_inst *in, unsigned no, enum isa_type type, int bit)
{
	bool high = gfx11_is_short(in) && in->op_sel >> bit & 1;

	gfx11_print_operand(t, in, no, type);
	isa_text_append(t, "%s", high ? ".h" : "");
}

/* The type as which LLVM 15 prints a constant. Literals of more than 16 bits for two halves, and one next to that of
 * v_fmamk_f16, are floats; a literal of mixed precision is a half; bits to test for are 32, and a constant that is
 * added to a matrix of integers is 64. */
static enum isa_type gfx11_text_type(const struct isa_inst *in, const struct isa_info *row, int i)
{
	bool literal = in->src[i] == ISA_LITERAL, wide = literal && in->literal > 0xffff;

	if (wide && row->src[i] == T_P16)
		return T_F32;
	if (literal && (gfx11_literal_source(in->op) == 1 || in->enc == ENC_VOPD))
		return T_F32;
	if (row->traits & CLASS_TEST && i == 1)
		return T_F32;
	if ((in->op == OP_v_dot2_f32_bf16 || in->op == OP_v_dot2_bf16_bf16) && i < 2)
		return T_U16;
	return row->src[i] == T_MIX ? T_F16 : isa_text_type(row, i);
}

static void gfx11_print_source(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row, int i)
{
	isa_text_open_source(t, in, row, i);
	if (i > 0 && (int)gfx11_literal_source(in->op) == i)
		isa_text_append(t, "0x%x", in->literal);
	else
		gfx11_print_half(t, in, in->src[i], gfx11_text_type(in, row, i), i);
	isa_text_close_source(t, in, row, i);
}

/* --- modifiers after the operands --- */
static void gfx11_print_dpp_ctrl(struct isa_text *t, unsigned c)
{
	static const char *const rows[] = {
		"row_shl",
		"row_shr",
		"row_ror",
		[5] = "row_share",
		"row_xmask",
	};

	if (c < 0x100)
		isa_text_append(t, " quad_perm:[%u,%u,%u,%u]", c & 3, c >> 2 & 3, c >> 4 & 3, c >> 6);
	else if (c >> 4 == 0x14)
		isa_text_append(t, c & 1 ? " row_half_mirror" : " row_mirror");
	else
		isa_text_append(t, " %s:%u", rows[c >> 4 & 15], c & 15);
}

static void gfx11_print_dpp(struct isa_text *t, const struct isa_inst *in)
{
	if (in->form == FORM_DPP) {
		gfx11_print_dpp_ctrl(t, in->dpp_ctrl);
		isa_text_append(t, " row_mask:0x%x bank_mask:0x%x%s", in->row_mask, in->bank_mask,
			in->bound_ctrl ? " bound_ctrl:1" : "");
	} else if (in->form == FORM_DPP8) {
		for (unsigned lane = 0; lane < 8; lane++)
			isa_text_append(t, "%s%u", lane ? "," : " dpp8:[", in->dpp8 >> 3 * lane & 7);
		isa_text_append(t, "]");
	}
	isa_text_append(t, "%s", in->form != FORM_PLAIN && in->fetch_inactive ? " fi:1" : "");
}

static void gfx11_print_packed(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row)
{
	int n = gfx11_source_count(row);
	unsigned all = (1u << n) - 1;
	bool mix = row->src[0] == T_MIX, clear = mix || in->form != FORM_PLAIN; /* the op_sel_hi that is not printed */

	if (in->op_sel & all)
		isa_text_bits(t, "op_sel", in->op_sel, n);
	if ((in->op_sel_hi & all) != (clear ? 0 : all))
		isa_text_bits(t, "op_sel_hi", in->op_sel_hi, n);
	if (!mix && in->neg & all)
		isa_text_bits(t, "neg_lo", in->neg, n);
	if (!mix && in->neg_hi & all)
		isa_text_bits(t, "neg_hi", in->neg_hi, n);
	isa_text_append(t, "%s", in->clamp ? " clamp" : "");
}

void gfx11_print_vector(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row)
{
	bool first = true;
	int n = gfx11_source_count(row);

	if (row->dst != T__ && row->dst2 != T_EXEC) {
		gfx11_begin_operand(t, &first);
		gfx11_print_half(t, in, in->dst, row->dst, 3);
	}
	if (row->dst2 == T_CARRY) {
		gfx11_begin_operand(t, &first);
		gfx11_print_operand(t, in, in->dst2, T_CARRY);
	}
	for (int i = 0; i < n; i++) {
		gfx11_begin_operand(t, &first);
		gfx11_print_source(t, in, row, i);
	}
	if (in->enc == ENC_VOP3P) {
		gfx11_print_packed(t, in, row);
	} else if (in->enc == ENC_VOP3) {
		if (in->op_sel)
			isa_text_bits(t, "op_sel", (in->op_sel & ((1u << n) - 1)) | in->op_sel >> 3 << n, n + 1);
		isa_text_clamp_omod(t, in);
	}
	gfx11_print_dpp(t, in);
}

/* --- VOPD --- */
static void gfx11_print_dual_operation(struct isa_text *t, const struct isa_inst *in, const char *mnemonic)
{
	const struct isa_info *row = isa_info(in->op);
	int n = row->src[2] == T_CARRY ? 2 : gfx11_source_count(row);
	bool first = true;

	isa_text_append(t, "%s", mnemonic);
	gfx11_begin_operand(t, &first);
	gfx11_print_operand(t, in, in->dst, row->dst);
	for (int i = 0; i < n; i++) {
		gfx11_begin_operand(t, &first);
		gfx11_print_source(t, in, row, i);
	}
}

void gfx11_print_dual(struct isa_text *t, const struct isa_inst *in)
{
	const struct isa_inst second = isa_second_operation(in);

	gfx11_print_dual_operation(t, in, gfx11_encoding_at(in->row)->mnemonic);
	isa_text_append(t, " :: ");
	gfx11_print_dual_operation(t, &second, gfx11_encoding_at(second.row)->mnemonic);
}

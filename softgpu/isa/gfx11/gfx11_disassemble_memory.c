/* Prints memory instructions as llvm-objdump-15 does for gfx11. */
#include "softgpu/isa/gfx11/gfx11_disassemble.h"

static void gfx11_print_cache_bits(struct isa_text *t, const struct isa_inst *in)
{
	isa_text_append(t, "%s%s%s", in->flags & FLAG_GLC ? " glc" : "", in->flags & FLAG_SLC ? " slc" : "",
		in->flags & FLAG_DLC ? " dlc" : "");
}

static void gfx11_print_signed_hex(struct isa_text *t, const char *before, int32_t v)
{
	isa_text_append(t, "%s%s0x%x", before, v < 0 ? "-" : "", v < 0 ? -(unsigned)v : (unsigned)v);
}

void gfx11_print_smem(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row)
{
	if (row->src[0] == T__)
		return;
	isa_text_append(t, " ");
	if (row->src[2] == T_SIMM16)
		isa_text_append(t, in->offset1 <= 64 ? "%u" : "0x%x", in->offset1);
	else
		gfx11_print_operand(t, in, in->dst, row->dst);
	isa_text_append(t, ", ");
	gfx11_print_operand(t, in, in->src[0], row->src[0]);
	if (in->flags & FLAG_SADDR) {
		isa_text_append(t, ", ");
		gfx11_print_operand(t, in, in->src[1], T_B32);
		if (in->imm)
			gfx11_print_signed_hex(t, " offset:", in->imm);
	} else if (in->imm) {
		gfx11_print_signed_hex(t, ", ", in->imm);
	} else {
		isa_text_append(t, ", null");
	}
	gfx11_print_cache_bits(t, in);
}

void gfx11_print_ds(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row)
{
	bool first = true;

	if (row->dst != T__) {
		gfx11_begin_operand(t, &first);
		gfx11_print_operand(t, in, in->dst, row->dst);
	}
	for (int i = 0; i < 3; i++)
		if (row->src[i] != T__) {
			gfx11_begin_operand(t, &first);
			gfx11_print_operand(t, in, in->src[i], row->src[i]);
		}
	if (in->op == OP_ds_swizzle_b32) {
		isa_text_swizzle(t, in->imm);
	} else if (row->dst2 == T_OFF2) {
		if (in->imm)
			isa_text_append(t, " offset0:%d", in->imm);
		if (in->offset1)
			isa_text_append(t, " offset1:%u", in->offset1);
	} else if (in->imm) {
		isa_text_append(t, " offset:%d", in->imm);
	}
	isa_text_append(t, "%s", in->flags & FLAG_GDS ? " gds" : "");
}

void gfx11_print_flat(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row)
{
	bool wide = in->enc == ENC_FLAT || (in->enc == ENC_GLOBAL && !(in->flags & FLAG_SADDR)), first = true;

	if (in->dst != ISA_NONE) {
		gfx11_begin_operand(t, &first);
		gfx11_print_operand(t, in, in->dst, row->dst);
	}
	if (row->src[0] != T__) {
		gfx11_begin_operand(t, &first);
		if (in->src[0] == ISA_NONE)
			isa_text_append(t, "off");
		else
			gfx11_print_operand(t, in, in->src[0], wide ? T_B64 : T_B32);
	}
	if (row->src[1] != T__) {
		gfx11_begin_operand(t, &first);
		gfx11_print_operand(t, in, in->src[1], row->src[1]);
	}
	if (in->enc != ENC_FLAT) {
		gfx11_begin_operand(t, &first);
		if (in->flags & FLAG_SADDR)
			gfx11_print_operand(t, in, in->src[2], row->src[2]);
		else
			isa_text_append(t, "off");
	}
	if (in->imm)
		isa_text_append(t, " offset:%d", in->imm);
	gfx11_print_cache_bits(t, in);
}

/* MUBUF and MTBUF. */
void gfx11_print_buffer(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row)
{
	bool both = in->flags & FLAG_OFFEN && in->flags & FLAG_IDXEN, first = true;

	if (row->src[0] == T__)
		return;
	if (!(in->flags & FLAG_LDS)) {
		gfx11_begin_operand(t, &first);
		if (row->dst2 != T__)
			gfx11_print_operand(t, in, in->data, row->dst2);
		else
			gfx11_print_operand(t, in, in->dst, row->dst);
	}
	gfx11_begin_operand(t, &first);
	if (in->src[0] == ISA_NONE)
		isa_text_append(t, "off");
	else
		gfx11_print_operand(t, in, in->src[0], both ? T_B64 : T_B32);
	isa_text_append(t, ", ");
	gfx11_print_operand(t, in, in->src[1], T_SRSRC);
	isa_text_append(t, ", ");
	gfx11_print_operand(t, in, in->src[2], T_B32);
	if (in->enc == ENC_MTBUF)
		gfx11_print_buffer_format(t, in->format);
	isa_text_append(t, "%s%s", in->flags & FLAG_IDXEN ? " idxen" : "", in->flags & FLAG_OFFEN ? " offen" : "");
	if (in->imm)
		isa_text_append(t, " offset:%d", in->imm);
	gfx11_print_cache_bits(t, in);
	isa_text_append(t, "%s", in->flags & FLAG_TFE ? " tfe" : "");
}

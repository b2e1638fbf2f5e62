/* Prints instructions as llvm-objdump-15 does for gfx9. */
#include "softgpu/isa/gfx9/disassemble.h"

#include <string.h>

#include "softgpu/isa/gfx9/opcode_table.h"

/* --- the mnemonic --- */
static const char *encoding_suffix(const struct isa_inst *in, const struct isa_info *row)
{
	if (row->enc != ENC_VOP1 && row->enc != ENC_VOP2 && row->enc != ENC_VOPC)
		return "";
	if (in->form == FORM_SDWA)
		return "_sdwa";
	if (in->form == FORM_DPP)
		return "_dpp";
	if (row->src[0] == T__ || !isa_has_e32_suffix(row))
		return "";
	return in->enc == ENC_VOP3 ? "_e64" : "_e32";
}

/* A space before the first operand, a comma before the others. */
static void begin_operand(struct isa_text *t, bool *first)
{
	isa_text_append(t, *first ? " " : ", ");
	*first = false;
}

/* v_madmk_f16 prints its literal in full, v_dot2c_i32_i16 a dword. */
static enum isa_type constant_type(const struct isa_inst *in, const struct isa_info *row, int i)
{
	if (in->op == OP_v_madmk_f16 && in->src[i] == ISA_LITERAL)
		return T_F32;
	return in->op == OP_v_dot2c_i32_i16 ? T_B32 : isa_text_type(row, i);
}

/* --- sources with modifiers --- */
static void print_modified_source(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row, int i)
{
	isa_text_open_source(t, in, row, i);
	if ((int)isa_literal_source(in->op) == i && i > 0)
		isa_text_append(t, "0x%x", in->literal);
	else
		print_operand(t, in->src[i], constant_type(in, row, i), in->literal);
	isa_text_close_source(t, in, row, i);
}

static int source_count(const struct isa_info *row)
{
	return row->src[2] != T__ ? 3 : row->src[1] != T__ ? 2 : row->src[0] != T__ ? 1 : 0;
}

/* --- modifiers after the operands --- */
static void print_sdwa(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row)
{
	static const char *const sel[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD", ""};
	static const char *const unused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", ""};

	isa_text_clamp_omod(t, in);
	if (row->dst != T_MASK)
		isa_text_append(t, " dst_sel:%s dst_unused:%s", sel[in->dst_sel], unused[in->dst_unused]);
	isa_text_append(t, " src0_sel:%s", sel[in->src_sel[0]]);
	if (row->src[1] != T__)
		isa_text_append(t, " src1_sel:%s", sel[in->src_sel[1]]);
}

static void print_dpp_ctrl(struct isa_text *t, unsigned c)
{
	static const struct {
		uint16_t ctrl;
		const char *text;
	} fixed[] = {
		{0x130, " wave_shl:1"},
		{0x134, " wave_rol:1"},
		{0x138, " wave_shr:1"},
		{0x13c, " wave_ror:1"},
		{0x140, " row_mirror"},
		{0x141, " row_half_mirror"},
		{0x142, " row_bcast:15"},
		{0x143, " row_bcast:31"},
	};
	static const char *const shifts[] = {"row_shl", "row_shr", "row_ror"};

	if (c < 0x100) {
		isa_text_append(t, " quad_perm:[%u,%u,%u,%u]", c & 3, c >> 2 & 3, c >> 4 & 3, c >> 6);
		return;
	}
	if (c >= 0x150 && c <= 0x15f) {
		isa_text_append(t, " row_newbcast:%u", c & 15);
		return;
	}
	if (c < 0x130 && c & 15) {
		isa_text_append(t, " %s:%u", shifts[(c >> 4) - 16], c & 15);
		return;
	}
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		if (fixed[i].ctrl == c)
			isa_text_append(t, "%s", fixed[i].text);
}

static void print_dpp(struct isa_text *t, const struct isa_inst *in)
{
	print_dpp_ctrl(t, in->dpp_ctrl);
	isa_text_append(t, " row_mask:0x%x bank_mask:0x%x%s", in->row_mask, in->bank_mask,
		in->bound_ctrl ? " bound_ctrl:1" : "");
}

static void print_packed(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row)
{
	int n = source_count(row);
	unsigned all = (1u << n) - 1;
	bool mix = row->src[0] == T_MIX;

	if (in->op_sel & all)
		isa_text_bits(t, "op_sel", in->op_sel, n);
	if ((in->op_sel_hi & all) != (mix ? 0 : all))
		isa_text_bits(t, "op_sel_hi", in->op_sel_hi, n);
	if (!mix && in->neg & all)
		isa_text_bits(t, "neg_lo", in->neg, n);
	if (!mix && in->neg_hi & all)
		isa_text_bits(t, "neg_hi", in->neg_hi, n);
	isa_text_append(t, "%s", in->clamp ? " clamp" : "");
}

static void print_mfma(struct isa_text *t, const struct isa_inst *in)
{
	if (in->cbsz)
		isa_text_append(t, " cbsz:%u", in->cbsz);
	if (in->abid)
		isa_text_append(t, " abid:%u", in->abid);
	if (in->blgp)
		isa_text_append(t, " blgp:%u", in->blgp);
}

/* --- instructions by encoding --- */
static void print_vector(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row)
{
	bool first = true;
	int n = source_count(row);

	if (row->dst != T__) {
		begin_operand(t, &first);
		print_operand(t, in->dst, row->dst, 0);
	}
	if (row->dst2 == T_CARRY) {
		begin_operand(t, &first);
		print_operand(t, in->dst2, T_CARRY, 0);
	}
	for (int i = 0; i < n; i++) {
		begin_operand(t, &first);
		print_modified_source(t, in, row, i);
	}
	if (in->form == FORM_SDWA) {
		print_sdwa(t, in, row);
	} else if (in->form == FORM_DPP) {
		print_dpp(t, in);
	} else if (row->rate == RATE_MFMA) {
		print_mfma(t, in);
	} else if (row->dst == T_ACC || row->src[0] == T_ACC) {
		return;
	} else if (in->enc == ENC_VOP3P) {
		print_packed(t, in, row);
	} else {
		if (in->op_sel)
			isa_text_bits(t, "op_sel", (in->op_sel & ((1u << n) - 1)) | in->op_sel >> 3 << n, n + 1);
		isa_text_clamp_omod(t, in);
	}
}

static void print_simm(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row)
{
	unsigned imm = (uint16_t)in->imm;

	switch (in->op) {
	case OP_s_waitcnt: isa_text_wait_counts(t, in, imm); return;
	case OP_s_getreg_b32:
	case OP_s_setreg_b32:
	case OP_s_setreg_imm32_b32: print_hwreg(t, imm); return;
	case OP_s_sendmsg:
	case OP_s_sendmsghalt: print_sendmsg(t, imm); return;
	case OP_s_set_gpr_idx_on:
	case OP_s_set_gpr_idx_mode: print_gpr_idx(t, imm); return;
	case OP_s_call_b64:
	case OP_s_cbranch_i_fork: isa_text_append(t, "%u", imm); return;
	}
	if (row->enc == ENC_SOPK)
		isa_text_append(t, "0x%x", imm);
	else
		isa_text_append(t, row->unit == UNIT_BRANCH || imm <= 64 ? "%u" : "0x%x", imm);
}

static void print_scalar(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row)
{
	bool first = true;

	if (in->op == OP_s_endpgm && in->imm)
		isa_text_append(t, " %u", (uint16_t)in->imm);
	if (row->dst != T__) {
		begin_operand(t, &first);
		print_operand(t, in->dst, row->dst, 0);
	}
	for (int i = 0; i < source_count(row); i++) {
		if (in->op != OP_s_waitcnt)
			begin_operand(t, &first);
		if (row->src[i] == T_SIMM16)
			print_simm(t, in, row);
		else
			print_operand(t, in->src[i], row->src[i], in->literal);
	}
}

static void print_smem(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row)
{
	const char *comma = row->dst == T__ && row->src[2] == T__ ? " " : ", ";

	if (row->src[2] == T_SIMM16) {
		isa_text_append(t, in->offset1 <= 64 ? " %u" : " 0x%x", in->offset1);
	} else if (row->src[2] != T__) { /* the data and the result of an atomic are in the same registers */
		isa_text_append(t, " ");
		print_operand(t, in->src[2], row->src[2], 0);
	} else if (row->dst != T__) {
		isa_text_append(t, " ");
		print_operand(t, in->dst, row->dst, 0);
	}
	if (row->src[0] == T__)
		return;
	isa_text_append(t, "%s", comma);
	print_operand(t, in->src[0], row->src[0], 0);
	if (in->src[1] != ISA_NONE) {
		isa_text_append(t, ", ");
		print_operand(t, in->src[1], T_B32, 0);
		if (in->flags & FLAG_IMM)
			isa_text_append(
				t, in->imm < 0 ? " offset:-0x%x" : " offset:0x%x", in->imm < 0 ? -in->imm : in->imm);
	} else {
		isa_text_append(t, in->imm < 0 ? ", -0x%x" : ", 0x%x", in->imm < 0 ? -in->imm : in->imm);
	}
	isa_text_append(t, "%s", in->flags & FLAG_GLC ? " glc" : "");
}

static void print_ds(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row)
{
	bool first = true;

	if (row->dst != T__) {
		begin_operand(t, &first);
		print_operand(t, in->dst, row->dst, 0);
	}
	for (int i = 0; i < 3; i++)
		if (row->src[i] != T__) {
			begin_operand(t, &first);
			print_operand(t, in->src[i], row->src[i], 0);
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

static void print_cache_bits(struct isa_text *t, const struct isa_inst *in)
{
	isa_text_append(t, "%s%s", in->flags & FLAG_GLC ? " glc" : "", in->flags & FLAG_SLC ? " slc" : "");
}

static void print_flat(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row)
{
	enum isa_type address =
		row->enc == ENC_FLAT || (row->enc == ENC_GLOBAL && !(in->flags & FLAG_SADDR)) ? T_B64 : T_B32;
	bool first = true;

	if (in->dst != ISA_NONE) {
		begin_operand(t, &first);
		print_operand(t, in->dst, row->dst, 0);
	}
	begin_operand(t, &first);
	if (in->src[0] == ISA_NONE)
		isa_text_append(t, "off");
	else
		print_operand(t, in->src[0], address, 0);
	if (row->src[1] != T__) {
		begin_operand(t, &first);
		print_operand(t, in->src[1], row->src[1], 0);
	}
	if (row->enc != ENC_FLAT) {
		begin_operand(t, &first);
		if (in->flags & FLAG_SADDR)
			print_operand(t, in->src[2], row->src[2], 0);
		else
			isa_text_append(t, "off");
	}
	if (in->imm)
		isa_text_append(t, " offset:%d", in->imm);
	print_cache_bits(t, in);
}

/* MUBUF and MTBUF. */
static void print_buffer(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row)
{
	bool both = in->flags & FLAG_OFFEN && in->flags & FLAG_IDXEN;

	if (row->src[0] == T__)
		return;
	isa_text_append(t, " ");
	if (row->dst2 != T__)
		print_operand(t, in->data, row->dst2, 0);
	else if (!(in->flags & FLAG_LDS))
		print_operand(t, in->dst, row->dst, 0);
	if (!(in->flags & FLAG_LDS))
		isa_text_append(t, ", ");
	if (in->src[0] == ISA_NONE)
		isa_text_append(t, "off");
	else
		print_operand(t, in->src[0], both ? T_B64 : T_B32, 0);
	isa_text_append(t, ", ");
	print_operand(t, in->src[1], T_SRSRC, 0);
	isa_text_append(t, ", ");
	print_operand(t, in->src[2], T_B32, 0);
	if (row->enc == ENC_MTBUF)
		print_buffer_format(t, in->format);
	isa_text_append(t, "%s%s", in->flags & FLAG_IDXEN ? " idxen" : "", in->flags & FLAG_OFFEN ? " offen" : "");
	if (in->imm)
		isa_text_append(t, " offset:%d", in->imm);
	print_cache_bits(t, in);
	isa_text_append(t, "%s%s", in->flags & FLAG_LDS ? " lds" : "", in->flags & FLAG_TFE ? " tfe" : "");
}

/* As LLVM prints them: it has no form of gather4 with three registers, and of atomics those with one or two cells. */
static unsigned printed_image_dwords(const struct isa_inst *in)
{
	const struct isa_info *row = isa_info(in->op);
	const unsigned n = isa_image_data_dwords(in), tfe = in->flags & FLAG_TFE ? 1 : 0;

	if (row->traits & VMEM_ATOMIC) {
		const unsigned least = isa_type_dwords(row->dst2),
			       components = (unsigned)__builtin_popcount(in->imm & 15),
			       listed = (components ? components : 1) + tfe;
		return listed == 2 * least && in->data % 256 + listed <= 256 ? listed : least;
	}
	return row->traits & GATHERS && n == 3 ? 4 : n;
}

static void print_image_data(struct isa_text *t, const struct isa_inst *in)
{
	const unsigned first = in->data != ISA_NONE ? in->data : in->dst;

	isa_text_registers(t, first >= ISA_AGPR0 ? " a" : " v", first % 256, printed_image_dwords(in));
}

static void print_mimg(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row)
{
	print_image_data(t, in);
	for (int i = 0; i < 3; i++)
		if (row->src[i] != T__) {
			isa_text_append(t, ", ");
			print_operand(t, in->src[i], row->src[i], 0);
		}
	if (in->imm)
		isa_text_append(t, " dmask:0x%x", in->imm);
	isa_text_append(t, "%s", in->flags & FLAG_UNORM ? " unorm" : "");
	print_cache_bits(t, in);
	isa_text_append(t, "%s%s%s%s%s", in->flags & FLAG_A16 ? " a16" : "", in->flags & FLAG_TFE ? " tfe" : "",
		in->flags & FLAG_LWE ? " lwe" : "", in->flags & FLAG_DA ? " da" : "",
		in->flags & FLAG_D16 ? " d16" : "");
}

size_t gfx9_print(const struct isa_inst *in, char *out, size_t size)
{
	const struct isa_info *row = isa_info(in->op);
	struct isa_text t = {out, size, 0};

	if (size)
		*out = '\0';
	isa_text_append(&t, "%s%s", row->name, encoding_suffix(in, row));
	switch (row->enc) {
	case ENC_SMEM: print_smem(&t, in, row); break;
	case ENC_DS: print_ds(&t, in, row); break;
	case ENC_FLAT:
	case ENC_GLOBAL:
	case ENC_SCRATCH: print_flat(&t, in, row); break;
	case ENC_MTBUF:
	case ENC_MUBUF: print_buffer(&t, in, row); break;
	case ENC_MIMG: print_mimg(&t, in, row); break;
	case ENC_VOP1:
	case ENC_VOP2:
	case ENC_VOPC:
	case ENC_VOP3:
	case ENC_VOP3P: print_vector(&t, in, row); break;
	default: print_scalar(&t, in, row); break;
	}
	return t.length;
}

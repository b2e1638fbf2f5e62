/* Prints instructions as llvm-objdump-15 does for gfx11: mnemonics, operands, scalar instructions. */
#include "softgpu/isa/gfx11/gfx11_disassemble.h"

#include <string.h>

/* --- the mnemonic --- */
const char *gfx11_mnemonic(const struct isa_inst *in)
{
	return in->row ? gfx11_encoding_at(in->row)->mnemonic : isa_info(in->op)->name;
}

static bool gfx11_has_short_form(const struct gfx11_encoding *e)
{
	return e->enc == ENC_VOP1 || e->enc == ENC_VOP2 || e->enc == ENC_VOPC;
}

static const char *gfx11_suffix(const struct isa_inst *in, const struct gfx11_encoding *e)
{
	bool dpp = in->form != FORM_PLAIN;

	if (in->enc == ENC_VOP3 || in->enc == ENC_VOP3P)
		return dpp ? "_e64_dpp" : gfx11_has_short_form(e) && isa_info(in->op)->src[0] != T__ ? "_e64" : "";
	if (!gfx11_has_short_form(e))
		return "";
	if (dpp)
		return e->enc == ENC_VOPC ? "" : "_dpp";
	return isa_info(in->op)->src[0] != T__ && gfx11_has_long(e) ? "_e32" : "";
}

void gfx11_begin_operand(struct isa_text *t, bool *first)
{
	isa_text_append(t, *first ? " " : ", ");
	*first = false;
}

/* --- operands --- */
static const char *gfx11_special_name(unsigned no, unsigned dwords)
{
	static const char *const low[] = {
		[106] = "vcc_lo",
		"vcc_hi",
		[124] = "m0",
		"null",
		"exec_lo",
		"exec_hi",
		[235] = "src_shared_base",
		"src_shared_limit",
		"src_private_base",
		"src_private_limit",
		"src_pops_exiting_wave_id",
		[251] = "src_vccz",
		"src_execz",
		"src_scc",
		"src_lds_direct",
	};
	static const char *const pairs[] = {
		[106] = "vcc",
		[126] = "exec",
	};

	if (dwords == 2 && no < sizeof pairs / sizeof *pairs && pairs[no])
		return pairs[no];
	return no < sizeof low / sizeof *low ? low[no] : NULL;
}

void gfx11_print_operand(struct isa_text *t, const struct isa_inst *in, unsigned no, enum isa_type type)
{
	unsigned dwords = isa_operand_dwords(in->target, type);
	const char *name = gfx11_special_name(no, dwords);

	if (no >= ISA_VGPR0)
		isa_text_registers(t, "v", no - ISA_VGPR0, dwords);
	else if (no == ISA_LITERAL)
		isa_text_number(t, in->literal, type);
	else if (isa_is_inline_constant(no))
		isa_text_constant(t, no, type == T_MATRIX && dwords == 8 ? T_B64 : type); /* as LLVM does */
	else if (name)
		isa_text_append(t, "%s", name);
	else if (no >= ISA_TTMP0 && no < ISA_M0)
		isa_text_registers(t, "ttmp", no - ISA_TTMP0, dwords);
	else
		isa_text_registers(t, "s", no, dwords);
}

/* --- scalar instructions --- */
static void gfx11_print_simm(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row)
{
	unsigned imm = (uint16_t)in->imm;

	switch (in->op) {
	case OP_s_waitcnt: isa_text_wait_counts(t, in, imm); return;
	case OP_s_waitcnt_depctr: gfx11_print_depctr(t, imm); return;
	case OP_s_delay_alu: gfx11_print_delay_alu(t, imm); return;
	case OP_s_getreg_b32:
	case OP_s_setreg_b32:
	case OP_s_setreg_imm32_b32: gfx11_print_hwreg(t, imm); return;
	case OP_s_sendmsg:
	case OP_s_sendmsghalt:
	case OP_s_sendmsg_rtn_b32:
	case OP_s_sendmsg_rtn_b64: gfx11_print_sendmsg(t, imm); return;
	case OP_s_call_b64:
	case OP_s_subvector_loop_begin:
	case OP_s_subvector_loop_end: isa_text_append(t, "%u", imm); return;
	case OP_s_clause:
	case OP_s_set_inst_prefetch_distance:
	case OP_s_wait_event:
	case OP_s_round_mode:
	case OP_s_ttracedata_imm: isa_text_append(t, "0x%x", imm); return;
	}
	if (in->enc == ENC_SOPK)
		isa_text_append(t, "0x%x", imm);
	else
		isa_text_append(t, row->unit == UNIT_BRANCH || imm <= 64 ? "%u" : "0x%x", imm);
}

static void gfx11_print_scalar(struct isa_text *t, const struct isa_inst *in, const struct isa_info *row)
{
	bool first = true;

	if (in->op == OP_s_endpgm && in->imm)
		isa_text_append(t, " %u", (uint16_t)in->imm);
	if (row->dst != T__) {
		gfx11_begin_operand(t, &first);
		gfx11_print_operand(t, in, in->dst, row->dst);
	}
	for (int i = 0; i < 3 && row->src[i] != T__; i++) {
		if (in->op != OP_s_waitcnt && in->op != OP_s_waitcnt_depctr)
			gfx11_begin_operand(t, &first);
		if (row->src[i] == T_SIMM16)
			gfx11_print_simm(t, in, row);
		else
			gfx11_print_operand(t, in, in->src[i], row->src[i]);
	}
}

/* --- all --- */
size_t gfx11_print(const struct isa_inst *in, char *out, size_t size)
{
	const struct isa_info *row = isa_info(in->op);
	const struct gfx11_encoding *e = gfx11_encoding_at(in->row);
	struct isa_text t = {out, size, 0};

	if (size)
		*out = '\0';
	if (in->enc == ENC_VOPD) {
		gfx11_print_dual(&t, in);
		return t.length;
	}
	isa_text_append(&t, "%s%s", e->mnemonic, gfx11_suffix(in, e));
	switch (in->enc) {
	case ENC_SMEM: gfx11_print_smem(&t, in, row); break;
	case ENC_DS: gfx11_print_ds(&t, in, row); break;
	case ENC_FLAT:
	case ENC_GLOBAL:
	case ENC_SCRATCH: gfx11_print_flat(&t, in, row); break;
	case ENC_MTBUF:
	case ENC_MUBUF: gfx11_print_buffer(&t, in, row); break;
	case ENC_VOP1:
	case ENC_VOP2:
	case ENC_VOPC:
	case ENC_VOP3:
	case ENC_VOP3P: gfx11_print_vector(&t, in, row); break;
	default: gfx11_print_scalar(&t, in, row); break;
	}
	return t.length;
}

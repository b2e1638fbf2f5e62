/* Prints operands and symbolic immediates as llvm-objdump does. */
#include "softgpu/isa/gfx9/disassemble.h"

#include "softgpu/isa/gfx9/opcode_table.h"

/* --- registers --- */
static const char *special_name(unsigned no, unsigned dwords)
{
	static const char *const low[] = {
		[102] = "flat_scratch_lo",
		"flat_scratch_hi",
		"xnack_mask_lo",
		"xnack_mask_hi",
		"vcc_lo",
		"vcc_hi",
		[124] = "m0",
		[126] = "exec_lo",
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
		[102] = "flat_scratch",
		[104] = "xnack_mask",
		[106] = "vcc",
		[126] = "exec",
	};

	if (dwords == 2 && no < sizeof pairs / sizeof *pairs)
		return pairs[no];
	return no < sizeof low / sizeof *low ? low[no] : NULL;
}

void print_operand(struct isa_text *t, unsigned no, enum isa_type type, uint32_t literal)
{
	unsigned dwords = isa_type_dwords(type);
	const char *name = special_name(no, dwords);

	if (no >= ISA_AGPR0 && no != ISA_NONE)
		isa_text_registers(t, "a", no - ISA_AGPR0, dwords);
	else if (no >= ISA_VGPR0)
		isa_text_registers(t, "v", no - ISA_VGPR0, dwords);
	else if (no == ISA_LITERAL)
		isa_text_number(t, literal, type);
	else if (isa_is_inline_constant(no))
		isa_text_constant(t, no, type);
	else if (name)
		isa_text_append(t, "%s", name);
	else if (no >= ISA_TTMP0 && no < ISA_M0)
		isa_text_registers(t, "ttmp", no - ISA_TTMP0, dwords);
	else
		isa_text_registers(t, "s", no, dwords);
}

/* --- symbolic immediates --- */
void print_hwreg(struct isa_text *t, unsigned imm)
{
	static const char *const names[] = {
		[1] = "HW_REG_MODE",
		"HW_REG_STATUS",
		"HW_REG_TRAPSTS",
		"HW_REG_HW_ID",
		"HW_REG_GPR_ALLOC",
		"HW_REG_LDS_ALLOC",
		"HW_REG_IB_STS",
		[15] = "HW_REG_SH_MEM_BASES",
		"HW_REG_TBA_LO",
		"HW_REG_TBA_HI",
		"HW_REG_TMA_LO",
		"HW_REG_TMA_HI",
	};
	unsigned id = imm & 63, offset = imm >> 6 & 31, width = (imm >> 11 & 31) + 1;

	if (id < sizeof names / sizeof *names && names[id])
		isa_text_append(t, "hwreg(%s", names[id]);
	else
		isa_text_append(t, "hwreg(%u", id);
	if (offset || width != 32)
		isa_text_append(t, ", %u, %u", offset, width);
	isa_text_append(t, ")");
}

void print_sendmsg(struct isa_text *t, unsigned imm)
{
	static const char *const messages[16] = {
		[1] = "MSG_INTERRUPT",
		"MSG_GS",
		"MSG_GS_DONE",
		"MSG_SAVEWAVE",
		"MSG_STALL_WAVE_GEN",
		"MSG_HALT_WAVES",
		"MSG_ORDERED_PS_DONE",
		"MSG_EARLY_PRIM_DEALLOC",
		"MSG_GS_ALLOC_REQ",
		"MSG_GET_DOORBELL",
		[15] = "MSG_SYSMSG",
	};
	static const char *const gs[] = {"GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT"};
	static const char *const sys[] = {"", "SYSMSG_OP_ECC_ERR_INTERRUPT", "SYSMSG_OP_REG_RD",
		"SYSMSG_OP_HOST_TRAP_ACK", "SYSMSG_OP_TTRACE_PC"};
	unsigned id = imm & 15, op = imm >> 4 & 7, stream = imm >> 8 & 3;
	bool is_gs = id == 2 || id == 3, known = messages[id] != NULL;

	if (is_gs && known && op < 4 && (op ? true : id == 3 && !stream))
		isa_text_append(t, op ? "sendmsg(%s, %s, %u)" : "sendmsg(%s, %s)", messages[id], gs[op], stream);
	else if (id == 15 && known && op >= 1 && op <= 4 && !stream)
		isa_text_append(t, "sendmsg(%s, %s)", messages[id], sys[op]);
	else if (!is_gs && id != 15 && known && !op && !stream)
		isa_text_append(t, "sendmsg(%s)", messages[id]);
	else if ((imm & ~0x37fu) == 0)
		isa_text_append(t, "sendmsg(%u, %u, %u)", id, op, stream);
	else
		isa_text_append(t, "%u", imm);
}

void print_gpr_idx(struct isa_text *t, unsigned imm)
{
	static const char *const names[] = {"SRC0", "SRC1", "SRC2", "DST"};
	const char *comma = "";

	if (imm & ~15u) {
		isa_text_append(t, "0x%x", imm);
		return;
	}
	isa_text_append(t, "gpr_idx(");
	for (int i = 0; i < 4; i++)
		if (imm >> i & 1) {
			isa_text_append(t, "%s%s", comma, names[i]);
			comma = ",";
		}
	isa_text_append(t, ")");
}

/* Default formats are left out. */
void print_buffer_format(struct isa_text *t, unsigned format)
{
	enum { DATA_8 = 1, UNORM = 0 };
	static const char *const numbers[8] = {
		"UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "RESERVED_6", "FLOAT"};
	const unsigned data = format & 15, number = format >> 4 & 7;

	if (data == DATA_8 && number == UNORM)
		return;
	isa_text_append(t, " format:[");
	if (data != DATA_8)
		isa_text_append(t, "BUF_DATA_FORMAT_%s", isa_data_format_name(data));
	if (number != UNORM)
		isa_text_append(t, "%sBUF_NUM_FORMAT_%s", data != DATA_8 ? "," : "", numbers[number]);
	isa_text_append(t, "]");
}

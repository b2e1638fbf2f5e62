/* Prints operands and symbolic immediates as llvm-objdump does. */
#include <stdarg.h>
#include <stdio.h>

#include "softgpu/isa/gfx9/disassemble.h"
#include "softgpu/isa/gfx9/opcode_table.h"

void isa_text_append(struct isa_text *t, const char *format, ...)
{
	bool room = t->length < t->size;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(room ? t->out + t->length : NULL, room ? t->size - t->length : 0, format, args);
	va_end(args);
	t->length += n < 0 ? 0 : n;
}

/* --- constants --- */
struct inline_float {
	const char *text;
	uint16_t f16;
	uint32_t f32;
	uint64_t f64;
};

/* In the order of operand numbers from ISA_F_HALF. */
static const struct inline_float inline_floats[] = {
	{"0.5", 0x3800, 0x3f000000, UINT64_C(0x3fe0000000000000)},
	{"-0.5", 0xb800, 0xbf000000, UINT64_C(0xbfe0000000000000)},
	{"1.0", 0x3c00, 0x3f800000, UINT64_C(0x3ff0000000000000)},
	{"-1.0", 0xbc00, 0xbf800000, UINT64_C(0xbff0000000000000)},
	{"2.0", 0x4000, 0x40000000, UINT64_C(0x4000000000000000)},
	{"-2.0", 0xc000, 0xc0000000, UINT64_C(0xc000000000000000)},
	{"4.0", 0x4400, 0x40800000, UINT64_C(0x4010000000000000)},
	{"-4.0", 0xc400, 0xc0800000, UINT64_C(0xc010000000000000)},
	{"0.15915494", 0x3118, 0x3e22f983, UINT64_C(0x3fc45f306dc9c882)},
};

static unsigned constant_bits(enum isa_type type)
{
	switch (type) {
	case T_F16:
	case T_F16K:
	case T_I16:
	case T_U16:
	case T_B16:
	case T_P16: return 16;
	default: return isa_type_dwords(type) == 2 ? 64 : 32;
	}
}

static uint64_t float_bits(const struct inline_float *f, unsigned width)
{
	return width == 16 ? f->f16 : width == 32 ? f->f32 : f->f64;
}

static bool is_int16(enum isa_type type)
{
	return type == T_I16 || type == T_U16 || type == T_B16;
}

/* Prints by value: a literal that equals an inline constant prints like one. */
static void print_immediate(struct isa_text *t, uint64_t value, enum isa_type type)
{
	unsigned width = constant_bits(type);
	int64_t number = width == 16 ? (int16_t)value : width == 32 ? (int32_t)value : (int64_t)value;

	if (number >= -16 && number <= 64) {
		isa_text_append(t, "%d", (int)number);
		return;
	}
	for (size_t i = 0; i < sizeof inline_floats / sizeof *inline_floats && !is_int16(type); i++)
		if (value == float_bits(&inline_floats[i], width)) {
			isa_text_append(t, "%s%s", inline_floats[i].text, width == 64 && i == 8 ? "309189532" : "");
			return;
		}
	isa_text_append(t, "0x%llx", (unsigned long long)(width == 16 ? value & 0xffff : value));
}

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

static void print_range(struct isa_text *t, const char *file, unsigned first, unsigned dwords)
{
	if (dwords > 1)
		isa_text_append(t, "%s[%u:%u]", file, first, first + dwords - 1);
	else
		isa_text_append(t, "%s%u", file, first);
}

void print_operand(struct isa_text *t, unsigned no, enum isa_type type, uint32_t literal)
{
	unsigned dwords = isa_type_dwords(type);
	const char *name = special_name(no, dwords);

	if (no >= ISA_AGPR0 && no != ISA_NONE)
		print_range(t, "a", no - ISA_AGPR0, dwords);
	else if (no >= ISA_VGPR0)
		print_range(t, "v", no - ISA_VGPR0, dwords);
	else if (no == ISA_LITERAL)
		print_immediate(t, literal, type);
	else if (no >= ISA_F_HALF && no <= 248)
		print_immediate(t, float_bits(&inline_floats[no - ISA_F_HALF], constant_bits(type)), type);
	else if (no >= ISA_INT0 && no <= 208)
		isa_text_append(t, "%d", no <= 192 ? (int)no - ISA_INT0 : 192 - (int)no);
	else if (name)
		isa_text_append(t, "%s", name);
	else if (no >= ISA_TTMP0 && no < ISA_M0)
		print_range(t, "ttmp", no - ISA_TTMP0, dwords);
	else
		print_range(t, "s", no, dwords);
}

/* --- symbolic immediates --- */
void print_waitcnt(struct isa_text *t, unsigned imm)
{
	unsigned vm = (imm & 15) | (imm >> 14 & 3) << 4, exp = imm >> 4 & 7, lgkm = imm >> 8 & 15;
	bool all = vm == 63 && exp == 7 && lgkm == 15;
	const char *space = " ";

	if (vm != 63 || all)
		isa_text_append(t, "%svmcnt(%u)", space, vm);
	if (exp != 7 || all)
		isa_text_append(t, "%sexpcnt(%u)", space, exp);
	if (lgkm != 15 || all)
		isa_text_append(t, "%slgkmcnt(%u)", space, lgkm);
}

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

static bool is_single_bit(unsigned n)
{
	return n && !(n & (n - 1));
}

static void print_bitmask_swizzle(struct isa_text *t, unsigned and, unsigned or, unsigned xor)
{
	unsigned zero = or ^xor, ones = (and | or) ^ xor; /* source bits of a lane number of all zeros, of all ones */

	isa_text_append(t, "BITMASK_PERM,\"");
	for (unsigned bit = 16; bit; bit >>= 1)
		isa_text_append(t, "%c",
			(zero & bit) == (ones & bit) ? zero & bit ? '1' : '0'
				: zero & bit         ? 'i'
						     : 'p');
	isa_text_append(t, "\"");
}

void print_swizzle(struct isa_text *t, unsigned imm)
{
	unsigned and = imm & 31, or = imm >> 5 & 31, xor = imm >> 10 & 31, group = 32 - and;

	if (!imm)
		return;
	if ((imm & 0xff00) != 0x8000 && imm & 0x8000) {
		isa_text_append(t, " offset:%u", imm);
		return;
	}
	isa_text_append(t, " offset:swizzle(");
	if (imm & 0x8000)
		isa_text_append(t, "QUAD_PERM,%u,%u,%u,%u", imm & 3, imm >> 2 & 3, imm >> 4 & 3, imm >> 6 & 3);
	else if (and == 31 && ! or &&is_single_bit(xor))
		isa_text_append(t, "SWAP,%u", xor);
	else if (and == 31 && ! or &&xor&&is_single_bit(xor+1))
		isa_text_append(t, "REVERSE,%u", xor+1);
	else if (group > 1 && is_single_bit(group) && or < group && !xor)
		isa_text_append(t, "BROADCAST,%u,%u", group, or);
	else
		print_bitmask_swizzle(t, and, or, xor);
	isa_text_append(t, ")");
}

/* Prints symbolic immediates as llvm-objdump-15 does for gfx11. */
#include "softgpu/isa/gfx11/gfx11_disassemble.h"

#include <string.h>

/* Fields that are all ones wait for nothing. */
void gfx11_print_depctr(struct isa_text *t, unsigned imm)
{
	static const struct {
		const char *name;
		uint8_t low, bits;
	} fields[] = {
		{"hold_cnt", 7, 1},
		{"sa_sdst", 0, 1},
		{"va_vdst", 12, 4},
		{"va_sdst", 9, 3},
		{"va_ssrc", 8, 1},
		{"va_vcc", 1, 1},
		{"vm_vsrc", 2, 3},
	};
	enum { USED = 0xff9f };

	if (imm & ~USED) {
		isa_text_append(t, " 0x%x", imm);
		return;
	}
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		unsigned all = (1u << fields[i].bits) - 1, value = imm >> fields[i].low & all;

		if (value != all || imm == USED)
			isa_text_append(t, " depctr_%s(%u)", fields[i].name, value);
	}
}

static void gfx11_print_delay_part(struct isa_text *t, const char **separator, const char *part,
	const char *const *names, unsigned count, unsigned v)
{
	if (!v)
		return;
	if (v < count)
		isa_text_append(t, "%s%s(%s)", *separator, part, names[v]);
	else
		isa_text_append(t, "%s%s(/* invalid %.*s value */)", *separator, part, (int)strcspn(part, "01"), part);
	*separator = " | ";
}

void gfx11_print_delay_alu(struct isa_text *t, unsigned imm)
{
	static const char *const ids[] = {"NO_DEP", "VALU_DEP_1", "VALU_DEP_2", "VALU_DEP_3", "VALU_DEP_4",
		"TRANS32_DEP_1", "TRANS32_DEP_2", "TRANS32_DEP_3", "FMA_ACCUM_CYCLE_1", "SALU_CYCLE_1", "SALU_CYCLE_2",
		"SALU_CYCLE_3"};
	static const char *const skips[] = {"SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"};
	const char *separator = "";

	gfx11_print_delay_part(t, &separator, "instid0", ids, 12, imm & 15);
	gfx11_print_delay_part(t, &separator, "instskip", skips, 6, imm >> 4 & 7);
	gfx11_print_delay_part(t, &separator, "instid1", ids, 12, imm >> 7 & 15);
	if (!*separator)
		isa_text_append(t, "0");
}

void gfx11_print_hwreg(struct isa_text *t, unsigned imm)
{
	static const char *const names[64] = {
		[1] = "MODE",
		"STATUS",
		"TRAPSTS",
		[5] = "GPR_ALLOC",
		"LDS_ALLOC",
		"IB_STS",
		[15] = "SH_MEM_BASES",
		[20] = "FLAT_SCR_LO",
		"FLAT_SCR_HI",
		[23] = "HW_ID1",
		"HW_ID2",
		[29] = "SHADER_CYCLES",
	};
	unsigned id = imm & 63, offset = imm >> 6 & 31, width = (imm >> 11 & 31) + 1;

	if (names[id])
		isa_text_append(t, "hwreg(HW_REG_%s", names[id]);
	else
		isa_text_append(t, "hwreg(%u", id);
	if (offset || width != 32)
		isa_text_append(t, ", %u, %u", offset, width);
	isa_text_append(t, ")");
}

void gfx11_print_sendmsg(struct isa_text *t, unsigned imm)
{
	static const char *const names[256] = {
		[1] = "INTERRUPT",
		"HS_TESSFACTOR",
		"DEALLOC_VGPRS",
		[5] = "STALL_WAVE_GEN",
		"HALT_WAVES",
		"ORDERED_PS_DONE",
		[9] = "GS_ALLOC_REQ",
		[128] = "RTN_GET_DOORBELL",
		"RTN_GET_DDID",
		"RTN_GET_TMA",
		"RTN_GET_REALTIME",
		"RTN_SAVE_WAVE",
		"RTN_GET_TBA",
	};
	const char *name = names[imm & 255];

	if (name)
		isa_text_append(t, "sendmsg(MSG_%s)", name);
	else
		isa_text_append(t, imm < 256 ? "sendmsg(%u, 0, 0)" : "%u", imm);
}

/* The default format is left out; what has no name is a number. */
void gfx11_print_buffer_format(struct isa_text *t, unsigned format)
{
	enum { UNORM_8 = 1 };
	static const struct {
		uint8_t data;
		const char *number;
	} formats[64] = {
#define GFX11_BUFFER_FORMAT(code, data, number) [code] = {data, "_" #number},
#include "softgpu/isa/gfx11/gfx11_buffer_formats.def"
#undef GFX11_BUFFER_FORMAT
		[0] = {0, ""},
	};

	if (format >= sizeof formats / sizeof *formats)
		isa_text_append(t, " format:%u", format);
	else if (format != UNORM_8)
		isa_text_append(t, " format:[BUF_FMT_%s%s]", isa_data_format_name(formats[format].data),
			formats[format].number);
}

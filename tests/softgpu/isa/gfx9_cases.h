/* Words for each operation of gfx9 in each form, and what llvm-objdump prints although gfx9 does not support it. */
#ifndef TESTS_SOFTGPU_ISA_GFX9_CASES_H
#define TESTS_SOFTGPU_ISA_GFX9_CASES_H

#include "softgpu/isa/gfx9/opcode_table.h"
#include "tests/softgpu/isa/case_words.h"
#include "tests/softgpu/isa/llvm_differences.h"

/* v_accvgpr_mov_b32 of what is no register: newer versions decode it in several ways. */
static inline bool is_accvgpr_mov_of_scalar(uint32_t w0)
{
	return llvm_version() >= 16 && (w0 & 0xfe01ff00) == (0x7e000000 | 82 << 9);
}

/* objdump crashes on undefined SDWA selections; newer versions also on literals in VOP3 and on 0xff in the highest
 * byte. */
static inline bool gfx9_confuses_objdump(uint32_t w0, uint32_t w1)
{
	bool is_compare = w0 >> 25 == 0x3e;

	if (is_accvgpr_mov_of_scalar(w0))
		return true;
	if (llvm_version() >= 20 && w0 >> 24 == 0xff)
		return true;
	if (llvm_version() >= 20 && is_vop3(w0))
		return vop3_source(w1, 0) == 255 || vop3_source(w1, 1) == 255 || vop3_source(w1, 2) == 255;
	if (w0 >> 31 || (w0 & 0x1ff) != 249)
		return false;
	return (!is_compare && ((w1 >> 8 & 7) == 7 || (w1 >> 11 & 3) == 3)) || (w1 >> 16 & 7) == 7 ||
		(w1 >> 24 & 7) == 7;
}

static inline void gfx9_make_smem(const struct isa_info *r)
{
	uint32_t sbase = random_scalar(r->src[0] == T_SRSRC ? 4 : 2) / 2;
	uint32_t data = random_scalar(isa_type_dwords(r->dst ? r->dst : r->src[2]));
	uint32_t lo = 0xc0000000 | (uint32_t)r->code << 18 | (r->dst || r->src[2] ? data << 6 : 0);

	if (r->src[0] == T__)
		add_case(lo, 0, S_NOP);
	else if (random_below(3))
		add_case(lo | 1 << 17 | random_below(2) << 16 | sbase, random_u32() & 0x1fffff, S_NOP);
	else
		add_case(lo | random_below(2) << 16 | sbase, random_scalar(1), S_NOP);
}

static inline void gfx9_make_long(const struct isa_info *r, unsigned code)
{
	uint32_t lo = (r->enc == ENC_VOP3P ? 0xd3800000 : 0xd0000000) | code << 16, hi = 0;

	lo |= r->dst == T_MASK || r->dst == T_S32 ? random_scalar(r->dst == T_MASK ? 2 : 1)
		: r->dst                          ? random_vgpr(r->dst)
						  : 0;
	if (r->dst2 == T_CARRY)
		lo |= random_scalar(2) << 8;
	for (int i = 0; i < 3; i++)
		if (r->src[i] == T_CARRY)
			hi |= random_scalar(2) << 9 * i;
		else if (r->src[i])
			hi |= random_source(r->src[i], true, false) << 9 * i;
	add_case(lo, hi, S_NOP);
	add_case(lo | (random_u32() & 0xff00), hi | (random_u32() & 0xf8000000), S_NOP);
	if (r->enc == ENC_VOP3P)
		add_case(lo | 0x4000, hi | 0x18000000, S_NOP);
}

static inline void gfx9_make_vop(const struct isa_info *r)
{
	const struct case_row row = {r, r->enc, r->code};

	add_case(vop_word(&row, r->src[0] ? random_source(r->src[0], true, true) : 0), random_literal(), S_NOP);
	bool mods = random_below(2), binary = r->src[1] != T__;

	add_case(vop_word(&row, 249),
		(r->enc == ENC_VOPC ? random_below(2) ? 0x8000 | random_scalar(2) << 8 : 0
				    : random_below(7) << 8 | random_below(3) << 11) |
			random_below(7) << 16 | (binary ? random_below(7) << 24 : 0) | random_vgpr(r->src[0]) |
			(mods ? random_u32() & 0x38382000 : 0),
		S_NOP); /* SDWA */
	add_case(vop_word(&row, 249), random_u32(), S_NOP);
	add_case(vop_word(&row, 250), (random_u32() & 0xff08ffff) | (mods ? random_u32() & 0x00f00000 : 0),
		S_NOP); /* DPP */
	add_case(vop_word(&row, 250), random_u32(), S_NOP);
	if (current->target == ISA_GFX90A)
		add_case(vop_word(&row, 250),
			(random_u32() & 0xff080000) | 0x15000 | random_below(16) << 8 | random_vgpr(r->src[0]) |
				(mods && isa_is_float(r->src[0]) ? random_u32() & 0x00300000 : 0),
			S_NOP); /* row_newbcast */
	gfx9_make_long(r, r->code + (r->enc == ENC_VOP1 ? 0x140 : r->enc == ENC_VOP2 ? 0x100 : 0));
}

/* Global wave sync has the gds bit always, other rows rarely. */
static inline bool is_gws(const struct isa_info *r)
{
	return !strncmp(r->name, "ds_gws_", 7);
}

static inline void gfx9_make_ds(const struct isa_info *r)
{
	uint32_t hi = 0;

	for (int i = 0; i < 3; i++)
		hi |= (r->src[i] ? random_vgpr(r->src[i]) : 0) << 8 * i;
	hi |= (r->dst ? random_vgpr(r->dst) : 0) << 24;
	add_case(0xd8000000 | (uint32_t)r->code << 17 | (random_below(2) ? random_u32() & 0xffff : 0) |
			(!random_below(8) == !is_gws(r) ? 1 << 16 : 0),
		hi, S_NOP);
}

static inline void gfx9_make_flat(const struct isa_info *r)
{
	uint32_t segment = r->enc == ENC_FLAT ? 0 : r->enc == ENC_SCRATCH ? 1 : 2;
	uint32_t lo =
		0xdc000000 | (uint32_t)r->code << 18 | random_below(4) << 16 | segment << 14 | (random_u32() & 0x1fff);
	uint32_t saddr = segment == 0 ? 0 : random_below(2) ? 0x7f : random_scalar(segment == 2 ? 2 : 1);

	add_case(segment ? lo : lo & ~0x1000u,
		align_vgpr(random_below(255), 2) | random_vgpr(r->src[1]) << 8 | saddr << 16 |
			random_vgpr(r->dst) << 24,
		S_NOP);
}

static inline void gfx9_make_mubuf(const struct isa_info *r)
{
	uint32_t lo = 0xe0000000 | (uint32_t)r->code << 18 | (random_u32() & 0x27fff);
	uint32_t hi = align_vgpr(random_below(255), 2) | align_vgpr(random_below(250), 2) << 8 |
		random_below(25) << 16 | (random_source(T_B32, false, false) & 255) << 24;

	if (r->src[0] == T__ && random_below(2)) /* flags that it does not have */
		lo &= ~0x1f000u;
	add_case(lo, hi, S_NOP);
}

static inline void gfx9_make_mtbuf(const struct isa_info *r)
{
	add_case(0xe8000000 | (uint32_t)r->code << 15 | (random_u32() & 0x3f87fff),
		random_below(255) | random_below(250) << 8 | random_below(25) << 16 | random_below(4) << 22 |
			(random_source(T_B32, false, false) & 255) << 24,
		S_NOP);
}

/* Most words have a dmask that the row's data fits. */
static inline void gfx9_make_mimg(const struct isa_info *r)
{
	uint32_t lo = 0xf0000000 | (uint32_t)r->code << 18 | (random_u32() & (random_below(2) ? 0x203ff00 : 0x0003f00));
	uint32_t hi = align_vgpr(random_vgpr(r->src[0]), 2) | align_vgpr(random_below(250), 2) << 8 |
		random_below(25) << 16 | (r->src[2] ? random_below(25) << 21 : 0) |
		(r->traits & VMEM_ATOMIC ? 0 : random_below(2) << 31);

	add_case(lo, hi, S_NOP);
}

/* Operands that v_mfma has; random fields seldom fit all of them. */
static inline void gfx9_make_mfma(const struct isa_info *r)
{
	const uint32_t a = 256 + random_vgpr(r->src[0]), b = 256 + random_vgpr(r->src[1]),
		       c = random_below(4) ? 256 + random_vgpr(r->src[2]) : 128 + random_below(81);

	add_case(0xd3800000 | (uint32_t)r->code << 16 | random_vgpr(r->dst) | (random_u32() & 0x7f00),
		a | b << 9 | c << 18 | (random_u32() & 0xf8000000), S_NOP);
	gfx9_make_long(r, r->code);
}

static inline void gfx9_make_case(unsigned op)
{
	const struct isa_info *r = isa_info(op);
	const struct case_row row = {r, r->enc, r->code};

	switch (r->enc) {
	case ENC_SMEM: gfx9_make_smem(r); break;
	case ENC_VOP1:
	case ENC_VOP2:
	case ENC_VOPC: gfx9_make_vop(r); break;
	case ENC_VOP3:
	case ENC_VOP3P: r->rate == RATE_MFMA ? gfx9_make_mfma(r) : gfx9_make_long(r, r->code); break;
	case ENC_DS: gfx9_make_ds(r); break;
	case ENC_FLAT:
	case ENC_GLOBAL:
	case ENC_SCRATCH: gfx9_make_flat(r); break;
	case ENC_MTBUF: gfx9_make_mtbuf(r); break;
	case ENC_MUBUF: gfx9_make_mubuf(r); break;
	case ENC_MIMG: gfx9_make_mimg(r); break;
	default: make_scalar(&row); break;
	}
}

/* Factors of v_mfma that are not in vector registers, and a C that is neither in registers nor an inline constant. */
static inline bool is_mfma_of_scalars(const char *text, const uint32_t *word)
{
	const uint32_t c = vop3_source(word[1], 2);

	return !strncmp(text, "v_mfma_", 7) &&
		(vop3_source(word[1], 0) < 256 || vop3_source(word[1], 1) < 256 || c < 128 || (c > 208 && c < 240) ||
			(c > 248 && c < 256));
}

/* gfx90a moves 64 bits across lanes only by row_newbcast; the assembler rejects the other controls. */
static inline bool is_other_wide_dpp(const char *text)
{
	return strstr(text, "_dpp ") && strstr(text, "_f64") && !strstr(text, "row_newbcast");
}

/* What objdump prints although gfx9 hardware does not support it: constants as destination, jump target or lane source,
 * the null register of gfx10, reserved DPP controls, SGPR tuples across the special registers, v_swap of a scalar, the
 * 13th bit of a flat offset, a VGPR or a constant as carry, four SGPRs as accumulator, the LDS bit on instructions
 * without LDS data, SDWA and DPP of v_nop. */
static inline bool gfx9_is_excused(const char *text, const uint32_t *word)
{
	static const char *const parts[] = {"/*", "null", "_lds_", " lds", "s_swappc_b64", "s_movrels", "v_swap_b32"};
	static const char *const tuples[] = {
		"xnack_mask", "flat_scratch", "vcc", "exec", "s[88:103]", "s[96:103]", "s[100:"};
	const char *operand = strchr(text, ' ');
	bool memory = (word[0] & 0xfc000000) == 0xc0000000 || (word[0] & 0xfc000000) == 0xe0000000 ||
		(word[0] & 0xfc000000) == 0xe8000000 || (word[0] & 0xfc000000) == 0xf0000000;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strstr(text, parts[i]))
			return true;
	if ((strstr(text, "v_readfirstlane") || strstr(text, "v_readlane")) && strstr(text, ", src_"))
		return true;
	for (size_t i = 0; i < sizeof tuples / sizeof *tuples; i++)
		if (memory && strstr(text, tuples[i]))
			return true;
	if ((word[0] & 0xfc000000) == 0xd0000000 && word[1] >> 26 & 1 && strstr(text, "_e64"))
		return true;
	if ((!strncmp(text, "v_nop", 5) || !strncmp(text, "v_clrexcp", 9)) && word[0] & 0xff)
		return true;
	const char *last = strrchr(text, ',');
	if ((word[0] & 0xfc000000) == 0xd0000000 && (word[1] >> 18 & 0x1ff) >= 235 && strstr(text, "_e64") && last &&
		!strncmp(last + 2, "src_", 4))
		return true;
	if (is_mfma_of_scalars(text, word) || is_other_wide_dpp(text))
		return true;
	if (strstr(text, "v_accvgpr_write") && (word[1] & 0x1ff) < 128)
		return true; /* the assembler rejects it */
	if (strstr(text, "v_mqsad_u32_u8") && !(word[1] >> 26 & 1))
		return true;
	if (!strncmp(text, "flat_", 5) && word[0] & 0x1000)
		return true;
	return operand &&
		(strchr("-0123456789", operand[1]) || !strncmp(operand + 1, "src_", 4) ||
			!strncmp(operand + 1, "lds_direct", 10));
}

/* Texts that llvm-mc assembles to other words: branch targets, which are relative; a float as the immediate of
 * s_setreg_imm32, where it uses the lower half of the double; small negative literals of v_madmk and v_madak; and
 * swizzle masks, which have several texts. */
static inline bool gfx9_has_ambiguous_text(const struct isa_inst *in)
{
	return isa_info(in->op)->unit == UNIT_BRANCH || (isa_literal_source(in->op) && in->literal >= 0xfffffff0) ||
		(in->op == OP_ds_swizzle_b32 && !(in->imm & 0x8000)) ||
		(in->op == OP_s_setreg_imm32_b32 && in->literal > 64 && in->literal < 0xfffffff0);
}

static inline unsigned gfx9_row_of(const struct isa_inst *in)
{
	return in->op;
}

static inline const char *gfx9_row_name(unsigned row)
{
	return row < OP_COUNT ? isa_info(row)->name : NULL;
}

static inline enum isa_enc gfx9_row_encoding(unsigned row)
{
	return isa_info(row)->enc;
}

static inline bool gfx9_has_row(unsigned row, enum isa_target target)
{
	return isa_info(row)->targets & target;
}

static inline unsigned gfx9_forms(unsigned row)
{
	const struct isa_info *r = isa_info(row);
	bool vop = r->enc == ENC_VOP1 || r->enc == ENC_VOP2 || r->enc == ENC_VOPC;

	return 1u << FORM_PLAIN | (vop && isa_has_sdwa(r)) << FORM_SDWA |
		(vop && isa_has_dpp(r, current->target)) << FORM_DPP | (vop && isa_has_long(r)) << LONG_FORM;
}

static inline bool gfx9_mc_refuses(unsigned row, unsigned form)
{
	(void)form;
	return isa_info(row)->unit == UNIT_BRANCH;
}

static const struct round_trip_family gfx9_family = {
	.row_of = gfx9_row_of,
	.row_name = gfx9_row_name,
	.row_encoding = gfx9_row_encoding,
	.has_row = gfx9_has_row,
	.find_row = isa_lookup,
	.forms = gfx9_forms,
	.make_case = gfx9_make_case,
	.confuses_objdump = gfx9_confuses_objdump,
	.is_excused = gfx9_is_excused,
	.is_decoded_by_one_side = is_decoded_by_one_side,
	.is_printed_differently = is_printed_differently,
	.has_ambiguous_text = gfx9_has_ambiguous_text,
	.mc_refuses = gfx9_mc_refuses,
};

#endif

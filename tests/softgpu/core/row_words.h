/* Machine words of gfx11 for a row with random modifiers; llvm-mc 15 has no text for some of them. The destination is
 * v20, VCC or EXEC, the sources are v10, v12 and v14, and carries are in VCC. RDNA3 ISA guide, chapter 15. */
#ifndef TESTS_SOFTGPU_CORE_ROW_WORDS_H
#define TESTS_SOFTGPU_CORE_ROW_WORDS_H

#include "tests/softgpu/core/row_modifiers.h"

#include "softgpu/isa/gfx11/gfx11_decode.h"

enum words_form { WORDS_LONG, WORDS_DPP, WORDS_DPP8, WORDS_LONG_DPP, WORDS_LONG_DPP8, WORDS_PACKED, WORDS_FORMS };

struct row_words {
	uint32_t word[3];
};

static inline unsigned row_code(const struct gfx11_encoding *e)
{
	return e->enc == ENC_VOP1 ? 0x180 + e->code : e->enc == ENC_VOP2 ? 0x100 + e->code : e->code;
}

/* A short operand of 16 bits is the high half of the register if bit 7 is set. */
static inline uint32_t short_register(unsigned number, enum isa_type type)
{
	return number | (isa_is_half(type) ? random_below(2) << 7 : 0);
}

static inline uint32_t random_dpp_word(const struct isa_info *row, bool is_long)
{
	static const uint16_t row_controls[] = {0x1b, 0xb1, 0x4e, 0x93, 0x101, 0x107, 0x10f, 0x111, 0x118, 0x11f, 0x121,
		0x12c, 0x12f, 0x140, 0x141, 0x150, 0x159, 0x15f, 0x161, 0x16a, 0x16f};
	uint32_t control = row_controls[random_below(sizeof row_controls / sizeof *row_controls)];
	uint32_t signs = is_long ? 0 : random_below(16) << 20, masks = random_below(2) ? 0xff : random_below(256);

	return (is_long ? 10 : short_register(10, row->src[0])) | control << 8 | random_below(4) << 18 | signs |
		masks << 24;
}

/* The dword after the instruction, and the marker in the place of the first source. */
static inline uint32_t put_dpp(const struct isa_info *row, struct row_words *w, unsigned at, bool is_long, bool dpp8)
{
	if (!dpp8) {
		w->word[at] = random_dpp_word(row, is_long);
		return GFX11_SRC_DPP16;
	}
	w->word[at] = (is_long ? 10 : short_register(10, row->src[0])) | (uint32_t)random_u64() << 8;
	return GFX11_SRC_DPP8 + random_below(2);
}

static inline struct row_words draw_short(const struct gfx11_encoding *e, bool dpp8)
{
	const struct isa_info *row = isa_info(e->op);
	struct row_words w = {{0}};
	uint32_t source = put_dpp(row, &w, 1, false, dpp8), dst = short_register(20, row->dst),
		 second = short_register(12, row->src[1]);

	w.word[0] = e->enc == ENC_VOP1 ? 0x7e000000 | dst << 17 | e->code << 9
		: e->enc == ENC_VOPC   ? 0x7c000000 | (uint32_t)e->code << 17 | second << 9
				       : (uint32_t)e->code << 25 | dst << 17 | second << 9;
	w.word[0] |= source;
	return w;
}

/* VOP3P rows whose sources are neither pairs nor mixed: op_sel has its default, and neg says which are signed. */
static inline bool has_plain_dwords(const struct gfx11_encoding *e)
{
	uint8_t type = isa_info(e->op)->src[0];

	return e->enc == ENC_VOP3P && type != T_P16 && type != T_MIX;
}

static inline struct row_words draw_long_words(const struct gfx11_encoding *e, bool dpp, bool dpp8)
{
	const struct isa_info *row = isa_info(e->op);
	uint32_t dst = row->dst == T_MASK ? row->dst2 == T_EXEC ? ISA_EXEC : ISA_VCC : 20, modifiers = 0;
	struct row_words w = {{0}};

	for (int k = 0; k < 3; k++)
		if (row->src[k] != T__)
			w.word[1] |= (row->src[k] == T_CARRY ? (uint32_t)ISA_VCC : 256u + 10 + 2 * (uint32_t)k)
				<< 9 * k;
	if (row->dst2 == T_CARRY)
		modifiers = (uint32_t)ISA_VCC << 8 | random_below(2) << 15;
	else if (has_plain_dwords(e))
		modifiers = 0x4000 | random_below(2) << 15;
	else
		modifiers = random_below(256) << 8 & (random_below(2) ? 0xff00 : 0x8700);
	w.word[0] = (e->enc == ENC_VOP3P ? 0xcc000000 : 0xd4000000) | row_code(e) << 16 | modifiers | dst;
	if (has_plain_dwords(e))
		w.word[1] |= 3u << 27 | (row->src[0] == T_U32 ? random_below(4) << 29 : 0);
	else
		w.word[1] |=
			random_below(8) << 29 | (random_below(2) || e->enc == ENC_VOP3P ? random_below(4) << 27 : 0);
	if (dpp)
		w.word[1] = (w.word[1] & ~0x1ffu) | put_dpp(row, &w, 2, true, dpp8);
	return w;
}

static inline struct row_words draw_words(const struct gfx11_encoding *e, enum words_form form)
{
	switch (form) {
	case WORDS_DPP:
	case WORDS_DPP8: return draw_short(e, form == WORDS_DPP8);
	case WORDS_LONG_DPP:
	case WORDS_LONG_DPP8: return draw_long_words(e, true, form == WORDS_LONG_DPP8);
	default: return draw_long_words(e, false, false);
	}
}

#endif

/* Words for each row of gfx11_encodings.def in each form. */
#ifndef TESTS_SOFTGPU_ISA_GFX11_CASES_H
#define TESTS_SOFTGPU_ISA_GFX11_CASES_H

#include "softgpu/isa/gfx11/gfx11_decode.h"
#include "tests/softgpu/isa/case_words.h"
#include "tests/softgpu/isa/gfx11_differences.h"

/* --- rows --- */
static inline unsigned gfx11_row_of(const struct isa_inst *in)
{
	return in->row;
}

static inline struct case_row gfx11_case_row(unsigned row)
{
	const struct gfx11_encoding *e = gfx11_encoding_at(row);

	return (struct case_row){isa_info(e->op), e->enc, e->code};
}

static inline const char *gfx11_row_name(unsigned row)
{
	return gfx11_encoding_at(row)->op == OP_INVALID ? NULL : gfx11_encoding_at(row)->mnemonic;
}

static inline enum isa_enc gfx11_row_encoding(unsigned row)
{
	return gfx11_encoding_at(row)->enc;
}

static inline bool gfx11_has_row(unsigned row, enum isa_target target)
{
	return gfx11_encoding_at(row)->op != OP_INVALID &&
		(gfx11_encoding_at(row)->enc != ENC_VOPD || isa_is_wave32(target));
}

static inline unsigned gfx11_find_row_on(enum isa_enc enc, unsigned code, enum isa_target target)
{
	unsigned row = gfx11_find_encoding(enc, code);

	return gfx11_has_row(row, target) ? row : 0;
}

static inline bool gfx11_has_short(enum isa_enc enc)
{
	return enc == ENC_VOP1 || enc == ENC_VOP2 || enc == ENC_VOPC;
}

static inline unsigned gfx11_forms(unsigned row)
{
	const struct gfx11_encoding *e = gfx11_encoding_at(row);
	bool is_short = gfx11_has_short(e->enc), vector = is_short || e->enc == ENC_VOP3 || e->enc == ENC_VOP3P;
	bool dpp = vector && isa_info(e->op)->src[0] != T__ && gfx11_has_dpp(e) && !llvm_lacks_dpp(e);
	unsigned forms = 1u << FORM_PLAIN | dpp << FORM_DPP | dpp << FORM_DPP8;

	return llvm_lacks(e) ? 0 : forms | (is_short && gfx11_has_long(e) ? forms << LONG_FORM : 0);
}

/* --- memory --- */
static inline void gfx11_make_smem(const struct case_row *row)
{
	const struct isa_info *r = row->info;
	uint32_t lo = 0xf4000000 | row->code << 18, sbase = random_scalar(r->src[0] == T_SRSRC ? 4 : 2) / 2;
	uint32_t soffset = random_below(2) ? 124 : random_scalar(1);

	if (r->src[0] == T__)
		add_case(lo, 0, S_NOP);
	else
		add_case(lo | (r->dst ? random_below(4) << 13 : 0) |
				(r->dst ? random_scalar(dwords_of(r->dst)) : random_below(128)) << 6 | sbase,
			(random_u32() & 0x1fffff) | soffset << 25, S_NOP);
}

static inline void gfx11_make_ds(const struct case_row *row)
{
	const struct isa_info *r = row->info;
	uint32_t hi = 0;

	for (int i = 0; i < 3; i++)
		hi |= (r->src[i] ? random_vgpr(r->src[i]) : 0) << 8 * i;
	hi |= (r->dst ? random_vgpr(r->dst) : 0) << 24;
	add_case(0xd8000000 | row->code << 18 | (strncmp(r->name, "ds_gws_", 7) ? 0 : 1 << 17) |
			(r->src[0] || r->dst ? (random_below(2) ? random_u32() & 0xffff : 0) | !random_below(8) << 17
					     : 0),
		hi, S_NOP);
}

static inline void gfx11_make_flat(const struct case_row *row)
{
	const struct isa_info *r = row->info;
	uint32_t segment = row->enc == ENC_FLAT ? 0 : row->enc == ENC_SCRATCH ? 1 : 2;
	uint32_t lo = 0xdc000000 | row->code << 18 | segment << 16 | (random_u32() & 0xffff);
	uint32_t saddr = segment == 0 || random_below(2) ? 124 : random_scalar(segment == 2 ? 2 : 1);
	bool scratch_vgpr = segment == 1 && random_below(2);

	add_case(segment ? lo : lo & ~0x1000u,
		random_below(255) | random_vgpr(r->src[1]) << 8 | saddr << 16 | (uint32_t)scratch_vgpr << 23 |
			random_vgpr(r->dst) << 24,
		S_NOP);
}

static inline void gfx11_make_mubuf(const struct case_row *row)
{
	uint32_t lo = 0xe0000000 | row->code << 18 | (random_u32() & 0x7fff);
	uint32_t hi = random_below(255) | random_below(250) << 8 | random_below(25) << 16 | random_below(8) << 21 |
		(random_source(T_B32, false, false) & 255) << 24;

	if (row->info->traits & VMEM_ATOMIC && random_below(4))
		lo = (lo & ~0x2000u) | 0x4000; /* glc without dlc */
	if (row->info->src[0] == T__)
		add_case(0xe0000000 | row->code << 18, 0x80000000, S_NOP);
	else
		add_case(lo, hi, S_NOP);
}

static inline void gfx11_make_mtbuf(const struct case_row *row)
{
	add_case(0xe8000000 | row->code << 15 | (random_u32() & 0x3f87fff),
		random_below(255) | random_below(250) << 8 | random_below(25) << 16 | random_below(8) << 21 |
			(random_source(T_B32, false, false) & 255) << 24,
		S_NOP);
}

/* --- vector arithmetic --- */
/* The fields of the DPP dword other than the source. */
static inline uint32_t random_dpp16(void)
{
	static const uint16_t controls[] = {0, 0x1b, 0xe4, 0xff, 0x101, 0x10f, 0x111, 0x11f, 0x121, 0x12f, 0x140, 0x141,
		0x150, 0x15f, 0x160, 0x16f};

	if (!random_below(3))
		return random_u32() & 0xffffff00;
	return (uint32_t)controls[random_below(sizeof controls / sizeof *controls)] << 8 | 0xff000000 |
		random_below(4) << 18;
}

static inline uint32_t random_dpp8(void)
{
	return random_u32() & 0xffffff00;
}

static inline uint32_t dpp8_marker(void)
{
	return GFX11_SRC_DPP8 + random_below(2);
}

static inline void gfx11_make_long(const struct case_row *row, uint32_t lo)
{
	const struct isa_info *r = row->info;
	uint32_t hi = 0, modifiers = random_u32() & 0xff00, signs = random_u32() & 0xf8000000, source = 0;

	if (r->dst)
		lo |= r->dst == T_MASK || r->dst == T_S32 ? random_scalar(dwords_of(r->dst)) : random_vgpr(r->dst);
	if (r->dst2 == T_CARRY)
		lo |= random_scalar(dwords_of(T_CARRY)) << 8;
	for (int i = 0; i < 3; i++)
		if (r->src[i] == T_CARRY)
			hi |= random_scalar(dwords_of(T_CARRY)) << 9 * i;
		else if (r->src[i])
			hi |= (r->dst == T_MATRIX && i < 2 ? 256 + random_vgpr(r->src[i])
							   : random_source(r->src[i], true, true))
				<< 9 * i;
	add_case(lo, hi, random_literal());
	add_case(lo | modifiers, hi | signs, random_literal());
	if (r->dst2 == T_CARRY)
		modifiers &= 0x8000;
	if (r->src[1] && r->src[1] != T_CARRY)
		hi |= 256 << 9;
	hi &= ~0x1ffu;
	source = random_vgpr(r->src[0]);
	add_case(lo, hi | GFX11_SRC_DPP16, random_dpp16() | source);
	add_case(lo | modifiers, hi | signs | GFX11_SRC_DPP16, random_dpp16() | source);
	add_case(lo, hi | dpp8_marker(), random_dpp8() | source);
	add_case(lo | modifiers, hi | signs | dpp8_marker(), random_dpp8() | source);
	if (row->enc == ENC_VOP3P)
		add_case(lo | 0x4000, hi | 0x18000000 | 256, S_NOP);
}

static inline void gfx11_make_short(const struct case_row *row)
{
	const struct isa_info *r = row->info;
	uint32_t base = row->enc == ENC_VOPC ? 0 : row->enc == ENC_VOP2 ? 0x100 : 0x180;

	add_case(vop_word(row, r->src[0] ? random_source(r->src[0], true, true) : 0), random_literal(), S_NOP);
	add_case(vop_word(row, GFX11_SRC_DPP16), random_dpp16() | random_vgpr(r->src[0]), S_NOP);
	add_case(vop_word(row, dpp8_marker()), random_dpp8() | random_vgpr(r->src[0]), S_NOP);
	gfx11_make_long(row, 0xd4000000 | (base + row->code) << 16);
}

/* The row as the first operation, which has 4 bits of opcode, and as the second one. */
static inline void gfx11_make_dual(const struct case_row *row)
{
	for (unsigned second = 0; second < 2; second++) {
		uint32_t x = second ? random_below(14) : row->code, y = second ? row->code : random_below(14);
		uint32_t lo = 0xc8000000 | y << 17 | random_source(T_B32, true, true);
		uint32_t hi = random_u32() << 17 | random_source(T_B32, true, true);

		if (x > 13)
			continue;
		add_case(lo | x << 22 | (x == 8 ? 0 : random_below(256)) << 9,
			hi | (y == 8 ? 0 : random_below(256)) << 9, random_literal()); /* 8: v_dual_mov_b32 */
	}
}

static inline void gfx11_make_case(unsigned row)
{
	const struct case_row r = gfx11_case_row(row);

	switch (r.enc) {
	case ENC_SMEM: gfx11_make_smem(&r); break;
	case ENC_VOP1:
	case ENC_VOP2:
	case ENC_VOPC: gfx11_make_short(&r); break;
	case ENC_VOP3: gfx11_make_long(&r, 0xd4000000 | r.code << 16); break;
	case ENC_VOP3P: gfx11_make_long(&r, 0xcc000000 | r.code << 16); break;
	case ENC_VOPD: gfx11_make_dual(&r); break;
	case ENC_DS: gfx11_make_ds(&r); break;
	case ENC_FLAT:
	case ENC_GLOBAL:
	case ENC_SCRATCH: gfx11_make_flat(&r); break;
	case ENC_MTBUF: gfx11_make_mtbuf(&r); break;
	case ENC_MUBUF: gfx11_make_mubuf(&r); break;
	default: make_scalar(&r); break;
	}
}

/* LLVM 15 reads v_movrel...'s destination as a source in VOP3 with DPP: 255 is a literal. */
static inline bool gfx11_confuses_objdump(uint32_t w0, uint32_t w1)
{
	unsigned code = w0 >> 16 & 0x3ff;

	return is_gfx11_vop3(w0) && code >= 0x1c2 && code <= 0x1c8 && (w0 & 0xff) == GFX11_SRC_LITERAL &&
		is_dpp_marker(w1 & 0x1ff);
}

/* LLVM 15 expects no destination of these in VOP3 with DPP; LLVM 16 accepts the texts. */
static inline bool lacks_long_dpp(enum isa_op op)
{
	return op == OP_v_fmac_f16 || op == OP_v_fmac_f32 || op == OP_v_movreld_b32 || op == OP_v_movrelsd_b32 ||
		op == OP_v_movrelsd_2_b32;
}

static inline bool gfx11_mc_refuses(unsigned row, unsigned form)
{
	enum isa_op op = gfx11_encoding_at(row)->op;

	return isa_info(op)->unit == UNIT_BRANCH ||
		((form == LONG_FORM + FORM_DPP || form == LONG_FORM + FORM_DPP8) && lacks_long_dpp(op));
}

static const struct round_trip_family gfx11_family = {
	.row_of = gfx11_row_of,
	.row_name = gfx11_row_name,
	.row_encoding = gfx11_row_encoding,
	.has_row = gfx11_has_row,
	.find_row = gfx11_find_row_on,
	.forms = gfx11_forms,
	.make_case = gfx11_make_case,
	.confuses_objdump = gfx11_confuses_objdump,
	.is_excused = gfx11_is_excused,
	.is_decoded_by_one_side = gfx11_is_decoded_by_one_side,
	.is_printed_differently = gfx11_is_printed_differently,
	.has_ambiguous_text = gfx11_has_ambiguous_text,
	.mc_refuses = gfx11_mc_refuses,
};

#endif

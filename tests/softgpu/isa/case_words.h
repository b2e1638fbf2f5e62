/* Generates operand fields and the words of encodings that gfx9 and gfx11 share. */
#ifndef TESTS_SOFTGPU_ISA_CASE_WORDS_H
#define TESTS_SOFTGPU_ISA_CASE_WORDS_H

#include "tests/softgpu/isa/round_trip.h"

/* An encoding of an operation. */
struct case_row {
	const struct isa_info *info;
	unsigned enc, code;
};

static inline unsigned dwords_of(enum isa_type t)
{
	return isa_operand_dwords(current->target, t);
}

static inline uint32_t random_scalar(unsigned dwords)
{
	static const uint8_t pairs[] = {102, 104, 106, 108, 112}, single[] = {102, 104, 106, 108, 112, 124, 126};
	unsigned step = dwords == 1 ? 1 : dwords == 2 ? 2 : 4;

	if (random_below(8))
		return random_below(80 / step) * step;
	return dwords > 1 ? pairs[random_below(sizeof pairs)] : single[random_below(sizeof single)];
}

/* gfx90a needs even registers for wide operands; an odd one is rarely tried, since llvm-mc refuses it. */
static inline uint32_t align_vgpr(uint32_t number, unsigned dwords)
{
	return current->target == ISA_GFX90A && dwords > 1 && random_below(16) ? number & ~1u : number;
}

/* A 9-bit source field that is valid for the type. */
static inline uint32_t random_source(enum isa_type t, bool vector, bool literal)
{
	unsigned dwords = dwords_of(t);

	switch (random_below(vector ? 8 : 5)) {
	case 0: return 128 + random_below(81);
	case 1: return 240 + random_below(9);
	case 2: return literal && dwords < 3 ? 255 : random_scalar(dwords);
	case 3:
	case 4: return random_scalar(dwords);
	default: return 256 + align_vgpr(random_below(256 - dwords), dwords);
	}
}

static inline uint32_t random_vgpr(enum isa_type t)
{
	return align_vgpr(random_below(257 - (dwords_of(t) ? dwords_of(t) : 1)), dwords_of(t));
}

static inline uint32_t random_literal(void)
{
	static const uint32_t values[] = {0, 1, 64, 65, 0xffffffff, 0xfffffff0, 0xffffffef, 0x3f800000, 0xbf000000,
		0x3e22f983, 0x3c00, 0x3118, 0xb800, 0xffff, 0xfff0, 0x12345678, 0x80000000, 0x4000};

	return random_below(3) ? values[random_below(sizeof values / sizeof *values)] : random_u32();
}

static inline void make_scalar(const struct case_row *row)
{
	const struct isa_info *r = row->info;
	uint32_t s0 = random_source(r->src[0], false, true), s1 = random_source(r->src[1], false, s0 != 255) & 255;
	uint32_t d = r->dst ? random_scalar(dwords_of(r->dst)) : 0, lit = random_literal();

	switch (row->enc) {
	case ENC_SOP2: add_case(0x80000000 | row->code << 23 | d << 16 | s1 << 8 | s0, lit, S_NOP); break;
	case ENC_SOP1: add_case(0xbe800000 | d << 16 | row->code << 8 | (r->src[0] ? s0 : 0), lit, S_NOP); break;
	case ENC_SOPC: add_case(0xbf000000 | row->code << 16 | s1 << 8 | s0, lit, S_NOP); break;
	case ENC_SOPP:
		add_case(0xbf800000 | row->code << 16 | (r->src[0] ? random_u32() & 0xffff : 0), S_NOP, S_NOP);
		break;
	default:
		add_case(0xb0000000 | row->code << 23 | random_scalar(1) << 16 | (random_u32() & 0xffff), lit, S_NOP);
		break;
	}
}

static inline uint32_t vop_word(const struct case_row *row, uint32_t src0)
{
	const struct isa_info *r = row->info;
	uint32_t d = r->dst == T_S32 ? random_scalar(1) : r->dst ? random_vgpr(r->dst) : 0;

	switch (row->enc) {
	case ENC_VOP1: return 0x7e000000 | d << 17 | row->code << 9 | src0;
	case ENC_VOP2: return row->code << 25 | d << 17 | random_vgpr(r->src[1]) << 9 | src0;
	default: return 0x7c000000 | row->code << 17 | random_vgpr(r->src[1]) << 9 | src0;
	}
}

#endif

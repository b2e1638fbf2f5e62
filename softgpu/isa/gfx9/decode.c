/* Decodes gfx9 machine words: selects the encoding, checks operand fields, and decodes the scalar encodings. */
#include "softgpu/isa/gfx9/decode.h"

#include <stdio.h>
#include <string.h>

/* --- operands --- */
/* SGPR pairs are aligned to 2, larger tuples to 4. Lower bits are ignored, as in LLVM. */
static unsigned align_sgpr(unsigned n, unsigned dwords)
{
	unsigned mask = dwords == 1 ? 0 : dwords == 2 ? 1 : 3;

	return n < ISA_FLAT_SCRATCH            ? n & ~mask
		: n >= ISA_TTMP0 && n < ISA_M0 ? ISA_TTMP0 + ((n - ISA_TTMP0) & ~mask)
					       : n;
}

/* Whether a scalar register field may contain n for an operand of this many dwords. */
static bool is_scalar_register(unsigned n, unsigned dwords)
{
	if (n < ISA_FLAT_SCRATCH)
		return n + dwords <= ISA_FLAT_SCRATCH;
	if (n >= ISA_TTMP0 && n < ISA_M0)
		return n + dwords <= ISA_M0;
	if (dwords == 1)
		return n < 128 && n != 125;
	return dwords == 2 && n < 128 && n % 2 == 0 && n != ISA_M0;
}

bool is_constant_operand(unsigned n, unsigned dwords)
{
	return dwords <= 2 &&
		((n >= ISA_INT0 && n <= 208) || (n >= ISA_SHARED_BASE && n <= 248) || (n >= ISA_VCCZ && n <= ISA_SCC) ||
			(n == ISA_LDS_DIRECT && dwords == 1) || n == ISA_LITERAL);
}

bool put_vgpr_operand(uint16_t *where, unsigned field, enum isa_type type)
{
	*where = ISA_VGPR0 + field;
	return field + isa_type_dwords(type) <= 256;
}

bool put_scalar_operand(uint16_t *where, unsigned field, enum isa_type type)
{
	unsigned dwords = isa_type_dwords(type);

	*where = align_sgpr(field, dwords);
	return is_scalar_register(*where, dwords);
}

bool put_source_operand(uint16_t *where, unsigned field, enum isa_type type)
{
	if (field >= ISA_VGPR0)
		return put_vgpr_operand(where, field - ISA_VGPR0, type);
	if (is_constant_operand(field, isa_type_dwords(type))) {
		*where = field;
		return true;
	}
	return put_scalar_operand(where, field, type);
}

/* A literal source is the second word. */
static void take_literal(struct decoder *d)
{
	struct isa_inst *out = d->out;

	if (out->src[0] != ISA_LITERAL && out->src[1] != ISA_LITERAL && out->src[2] != ISA_LITERAL)
		return;
	out->literal = d->word[1];
	out->size = 8;
}

/* --- scalar encodings --- */
static bool decode_sop2(struct decoder *d)
{
	uint32_t w = d->word[0];

	return put_source_operand(&d->out->src[0], extract_bits(w, 7, 0), d->row->src[0]) &&
		put_source_operand(&d->out->src[1], extract_bits(w, 15, 8), d->row->src[1]) &&
		(d->row->dst == T__ || put_scalar_operand(&d->out->dst, extract_bits(w, 22, 16), d->row->dst));
}

/* Addresses and register indices must be in registers. */
static bool needs_register(unsigned op)
{
	return op == OP_s_setpc_b64 || op == OP_s_swappc_b64 || op == OP_s_movrels_b32 || op == OP_s_movrels_b64 ||
		op == OP_s_rfe_b64 || op == OP_s_cbranch_join;
}

static bool decode_sop1(struct decoder *d)
{
	uint32_t w = d->word[0];

	if (needs_register(d->out->op) && extract_bits(w, 7, 0) >= ISA_INT0)
		return false;
	if (d->row->src[0] != T__ && !put_source_operand(&d->out->src[0], extract_bits(w, 7, 0), d->row->src[0]))
		return false;
	if (d->row->dst != T__ && !put_scalar_operand(&d->out->dst, extract_bits(w, 22, 16), d->row->dst))
		return false;
	return true;
}

static bool decode_sopc(struct decoder *d)
{
	uint32_t w = d->word[0];

	if (!put_source_operand(&d->out->src[0], extract_bits(w, 7, 0), d->row->src[0]))
		return false;
	d->out->imm = extract_bits(w, 15, 8);
	if (d->row->src[1] != T_SIMM16 && !put_source_operand(&d->out->src[1], extract_bits(w, 15, 8), d->row->src[1]))
		return false;
	return true;
}

static bool decode_sopk(struct decoder *d)
{
	const struct isa_info *row = d->row;
	unsigned sdst = extract_bits(d->word[0], 22, 16);

	d->out->imm = sign_extend(d->word[0], 16);
	if (row->dst != T__)
		return put_scalar_operand(&d->out->dst, sdst, row->dst);
	if (row->src[0] != T_SIMM16)
		return put_scalar_operand(&d->out->src[0], sdst, row->src[0]);
	if (d->out->op != OP_s_setreg_imm32_b32)
		return put_scalar_operand(&d->out->src[1], sdst, row->src[1]);
	d->out->src[1] = ISA_LITERAL;
	return true;
}

static bool decode_sopp(struct decoder *d)
{
	d->out->imm = sign_extend(d->word[0], 16);
	return d->row->src[0] == T_SIMM16 || d->out->op == OP_s_endpgm || d->out->imm == 0;
}

/* --- encodings --- */
static const struct encoding {
	uint32_t mask, value; /* of the first word; the first match wins */
	uint8_t enc, size, code_high, code_low;
	bool (*decode)(struct decoder *d);
} encodings[] = {
	{0xff800000, 0xbe800000, ENC_SOP1, 4, 15, 8, decode_sop1},
	{0xff800000, 0xbf000000, ENC_SOPC, 4, 22, 16, decode_sopc},
	{0xff800000, 0xbf800000, ENC_SOPP, 4, 22, 16, decode_sopp},
	{0xf0000000, 0xb0000000, ENC_SOPK, 4, 27, 23, decode_sopk},
	{0xc0000000, 0x80000000, ENC_SOP2, 4, 29, 23, decode_sop2},
	{0xfe000000, 0x7e000000, ENC_VOP1, 4, 16, 9, decode_vop1},
	{0xfe000000, 0x7c000000, ENC_VOPC, 4, 24, 17, decode_vopc},
	{0x80000000, 0x00000000, ENC_VOP2, 4, 30, 25, decode_vop2},
	{0xfc000000, 0xc0000000, ENC_SMEM, 8, 25, 18, decode_smem},
	{0xff800000, 0xd3800000, ENC_VOP3P, 8, 22, 16, decode_vop3p},
	{0xfc000000, 0xd0000000, ENC_VOP3, 8, 25, 16, decode_vop3},
	{0xfc000000, 0xd8000000, ENC_DS, 8, 24, 17, decode_ds},
	{0xfc00c000, 0xdc000000, ENC_FLAT, 8, 24, 18, decode_flat},
	{0xfc00c000, 0xdc004000, ENC_SCRATCH, 8, 24, 18, decode_flat},
	{0xfc00c000, 0xdc008000, ENC_GLOBAL, 8, 24, 18, decode_flat},
	{0xfc000000, 0xe0000000, ENC_MUBUF, 8, 24, 18, decode_mubuf},
	{0xfc000000, 0xe8000000, ENC_MTBUF, 8, 18, 15, decode_mtbuf},
	{0xfc000000, 0xf0000000, ENC_MIMG, 8, 24, 18, decode_mimg},
};

static const struct encoding *find_encoding(uint32_t word)
{
	for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++)
		if ((word & encodings[i].mask) == encodings[i].value)
			return &encodings[i];
	return NULL;
}

unsigned gfx9_decode(const void *code, size_t avail, enum isa_target target, struct isa_inst *out)
{
	struct decoder d = {.out = out};
	size_t available = avail < 8 ? avail : 8;
	const struct encoding *e;

	*out = (struct isa_inst){
		.dst = ISA_NONE,
		.dst2 = ISA_NONE,
		.src = {ISA_NONE, ISA_NONE, ISA_NONE},
		.data = ISA_NONE,
		.target = target,
	};
	memcpy(d.word, code, available);
	e = available >= 4 ? find_encoding(d.word[0]) : NULL;
	if (!e)
		return 0;
	out->op = isa_lookup(e->enc, extract_bits(d.word[0], e->code_high, e->code_low), target);
	out->enc = e->enc;
	out->size = e->size;
	d.row = isa_info(out->op);
	if (out->op != OP_INVALID && e->decode(&d)) {
		if (e->size == 4 && out->form == FORM_PLAIN)
			take_literal(&d);
		if (out->size <= available)
			return out->size;
	}
	out->op = OP_INVALID;
	return 0;
}

/* A note about a graphics instruction, which this GPU does not support (Vega ISA, microcode formats).
 * Empty for other words. */
static const char *graphics_instruction(uint32_t word)
{
	static const struct {
		uint32_t mask, value;
		const char *what;
	} known[] = {
		{0xfdfc0000, 0xf1800000, ", image_get_lod, an image instruction of graphics, which is not supported"},
		{0xfc000000, 0xc4000000, ", an export: graphics is not supported"},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if ((word & known[i].mask) == known[i].value)
			return known[i].what;
	return "";
}

size_t gfx9_print_unknown(const void *code, size_t avail, char *out, size_t size)
{
	static const char *const names[ENC_COUNT] = {"SOP1", "SOP2", "SOPK", "SOPC", "SOPP", "SMEM", "VOP1", "VOP2",
		"VOPC", "VOP3", "VOP3P", "DS", "FLAT", "GLOBAL", "SCRATCH", "MTBUF", "MUBUF", "MIMG"};
	const struct encoding *e;
	uint32_t word = 0;
	int n;

	if (avail < 4)
		return snprintf(out, size, "code ends after %zu bytes", avail);
	memcpy(&word, code, 4);
	e = find_encoding(word);
	n = e ? snprintf(out, size, "%s opcode 0x%x%s", names[e->enc], extract_bits(word, e->code_high, e->code_low),
			graphics_instruction(word))
	      : snprintf(out, size, "word 0x%08x%s", word, graphics_instruction(word));
	return n < 0 ? 0 : n;
}

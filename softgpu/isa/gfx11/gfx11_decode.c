/* Decodes gfx11 machine words: selects the encoding, checks operand fields, and decodes the scalar encodings. */
#include "softgpu/isa/gfx11/gfx11_decode.h"

#include <string.h>

#include "softgpu/isa/isa_text.h"

/* --- operands --- */
enum { SGPRS = 106, FIELD_NULL = 124, FIELD_M0 = 125 };

bool gfx11_put_vgpr(uint16_t *where, unsigned field, unsigned dwords)
{
	*where = ISA_VGPR0 + field;
	return field + dwords <= 256;
}

/* A register tuple of scalars. Pairs are aligned to 2, larger tuples to 4; lower bits are ignored, as in LLVM. */
static bool gfx11_put_tuple(uint16_t *where, unsigned field, unsigned dwords)
{
	unsigned mask = dwords == 1 ? 0 : dwords == 2 ? 1 : 3;

	if (field == FIELD_NULL || field == FIELD_M0) {
		*where = field == FIELD_NULL ? ISA_NULL : ISA_M0;
		return field == FIELD_NULL ? dwords <= 4 : dwords == 1;
	}
	if (field >= ISA_TTMP0 && field < FIELD_NULL) {
		*where = ISA_TTMP0 + ((field - ISA_TTMP0) & ~mask);
		return *where + dwords <= FIELD_NULL;
	}
	*where = field < SGPRS ? field & ~mask : field;
	if (field < SGPRS)
		return *where + dwords <= SGPRS;
	return field < 128 && (dwords == 1 || (dwords == 2 && field % 2 == 0));
}

bool gfx11_put_scalar(const struct gfx11_decoder *d, uint16_t *where, unsigned field, enum isa_type type)
{
	return gfx11_put_tuple(where, field, isa_operand_dwords(d->target, type));
}

static bool gfx11_is_constant(unsigned n, unsigned dwords)
{
	return (n >= ISA_INT0 && n <= 208) || (n >= ISA_SHARED_BASE && n <= 248) || (n >= ISA_VCCZ && n <= ISA_SCC) ||
		(n == ISA_LDS_DIRECT && dwords == 1) || (n == ISA_LITERAL && dwords <= 2);
}

bool gfx11_put_source(const struct gfx11_decoder *d, uint16_t *where, unsigned field, enum isa_type type)
{
	unsigned dwords = isa_operand_dwords(d->target, type);

	*where = field;
	if (field >= ISA_VGPR0)
		return gfx11_put_vgpr(where, field - ISA_VGPR0, dwords);
	return gfx11_is_constant(field, dwords) || gfx11_put_tuple(where, field, dwords);
}

/* --- scalar encodings --- */
static bool gfx11_decode_sop2(struct gfx11_decoder *d)
{
	uint32_t w = d->word[0];

	return gfx11_put_source(d, &d->out->src[0], extract_bits(w, 7, 0), d->row->src[0]) &&
		gfx11_put_source(d, &d->out->src[1], extract_bits(w, 15, 8), d->row->src[1]) &&
		gfx11_put_scalar(d, &d->out->dst, extract_bits(w, 22, 16), d->row->dst);
}

/* Addresses and register indices must be in registers. */
static bool gfx11_needs_register(unsigned op)
{
	return op == OP_s_setpc_b64 || op == OP_s_swappc_b64 || op == OP_s_movrels_b32 || op == OP_s_movrels_b64 ||
		op == OP_s_rfe_b64;
}

static bool gfx11_decode_sop1(struct gfx11_decoder *d)
{
	uint32_t w = d->word[0];
	unsigned field = extract_bits(w, 7, 0);

	if (gfx11_needs_register(d->out->op) && field >= ISA_INT0)
		return false;
	if (d->row->src[0] == T_SIMM16)
		d->out->imm = (int32_t)field;
	else if (d->row->src[0] != T__ && !gfx11_put_source(d, &d->out->src[0], field, d->row->src[0]))
		return false;
	return d->row->dst == T__ || gfx11_put_scalar(d, &d->out->dst, extract_bits(w, 22, 16), d->row->dst);
}

static bool gfx11_decode_sopc(struct gfx11_decoder *d)
{
	uint32_t w = d->word[0];

	return gfx11_put_source(d, &d->out->src[0], extract_bits(w, 7, 0), d->row->src[0]) &&
		gfx11_put_source(d, &d->out->src[1], extract_bits(w, 15, 8), d->row->src[1]);
}

static bool gfx11_decode_sopk(struct gfx11_decoder *d)
{
	const struct isa_info *row = d->row;
	unsigned sdst = extract_bits(d->word[0], 22, 16);

	d->out->imm = sign_extend(d->word[0], 16);
	if (row->dst != T__)
		return gfx11_put_scalar(d, &d->out->dst, sdst, row->dst);
	if (row->src[0] != T_SIMM16)
		return gfx11_put_scalar(d, &d->out->src[0], sdst, row->src[0]);
	if (row->src[1] == T__)
		return true;
	if (d->out->op != OP_s_setreg_imm32_b32)
		return gfx11_put_scalar(d, &d->out->src[1], sdst, row->src[1]);
	d->out->src[1] = ISA_LITERAL;
	return true;
}

static bool gfx11_decode_sopp(struct gfx11_decoder *d)
{
	d->out->imm = sign_extend(d->word[0], 16);
	return d->row->src[0] == T_SIMM16 || d->out->op == OP_s_endpgm || d->out->imm == 0;
}

/* --- encodings --- */
static const struct gfx11_layout {
	uint32_t mask, value; /* of the first word; the first match wins */
	uint8_t enc, size, code_high, code_low;
	bool (*decode)(struct gfx11_decoder *d);
} layouts[] = {
	{0xff800000, 0xbe800000, ENC_SOP1, 4, 15, 8, gfx11_decode_sop1},
	{0xff800000, 0xbf000000, ENC_SOPC, 4, 22, 16, gfx11_decode_sopc},
	{0xff800000, 0xbf800000, ENC_SOPP, 4, 22, 16, gfx11_decode_sopp},
	{0xf0000000, 0xb0000000, ENC_SOPK, 4, 27, 23, gfx11_decode_sopk},
	{0xc0000000, 0x80000000, ENC_SOP2, 4, 29, 23, gfx11_decode_sop2},
	{0xfe000000, 0x7e000000, ENC_VOP1, 4, 16, 9, gfx11_decode_vop1},
	{0xfe000000, 0x7c000000, ENC_VOPC, 4, 24, 17, gfx11_decode_vopc},
	{0x80000000, 0x00000000, ENC_VOP2, 4, 30, 25, gfx11_decode_vop2},
	{0xfc000000, 0xf4000000, ENC_SMEM, 8, 25, 18, gfx11_decode_smem},
	{0xff800000, 0xcc000000, ENC_VOP3P, 8, 22, 16, gfx11_decode_vop3p},
	{0xfc000000, 0xc8000000, ENC_VOPD, 8, 25, 22, gfx11_decode_vopd},
	{0xfc000000, 0xd4000000, ENC_VOP3, 8, 25, 16, gfx11_decode_vop3},
	{0xfc000000, 0xd8000000, ENC_DS, 8, 25, 18, gfx11_decode_ds},
	{0xfc030000, 0xdc000000, ENC_FLAT, 8, 24, 18, gfx11_decode_flat},
	{0xfc030000, 0xdc010000, ENC_SCRATCH, 8, 24, 18, gfx11_decode_flat},
	{0xfc030000, 0xdc020000, ENC_GLOBAL, 8, 24, 18, gfx11_decode_flat},
	{0xfc000000, 0xe0000000, ENC_MUBUF, 8, 25, 18, gfx11_decode_mubuf},
	{0xfc000000, 0xe8000000, ENC_MTBUF, 8, 18, 15, gfx11_decode_mtbuf},
};

static const struct gfx11_layout *gfx11_find_layout(uint32_t word)
{
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
		if ((word & layouts[i].mask) == layouts[i].value)
			return &layouts[i];
	return NULL;
}

static bool gfx11_has_literal(const uint16_t src[3])
{
	return src[0] == ISA_LITERAL || src[1] == ISA_LITERAL || src[2] == ISA_LITERAL;
}

/* A literal is the dword after the instruction. All sources that name it read the same one. */
static void gfx11_take_literal(struct gfx11_decoder *d)
{
	struct isa_inst *out = d->out;

	if (!gfx11_has_literal(out->src) && !(out->enc == ENC_VOPD && gfx11_has_literal(out->dual.src)))
		return;
	out->literal = d->word[out->size / 4];
	out->size += 4;
}

unsigned gfx11_decode(const void *code, size_t avail, enum isa_target target, struct isa_inst *out)
{
	struct gfx11_decoder d = {.out = out, .target = target};
	size_t available = avail < sizeof d.word ? avail : sizeof d.word;
	const struct gfx11_layout *layout;

	*out = (struct isa_inst){
		.dst = ISA_NONE,
		.dst2 = ISA_NONE,
		.src = {ISA_NONE, ISA_NONE, ISA_NONE},
		.data = ISA_NONE,
	};
	memcpy(d.word, code, available);
	layout = available >= 4 ? gfx11_find_layout(d.word[0]) : NULL;
	if (!layout)
		return 0;
	out->row = gfx11_find_encoding(layout->enc, extract_bits(d.word[0], layout->code_high, layout->code_low));
	d.encoding = gfx11_encoding_at(out->row);
	d.row = isa_info(d.encoding->op);
	out->op = d.encoding->op;
	out->enc = layout->enc;
	out->size = layout->size;
	if (out->op != OP_INVALID && layout->decode(&d)) {
		if (out->form == FORM_PLAIN)
			gfx11_take_literal(&d);
		if (out->size <= available)
			return out->size;
	}
	out->op = OP_INVALID;
	return 0;
}

/* The opcode and the mnemonic of an image instruction. */
static void gfx11_print_image(struct isa_text *t, uint32_t word)
{
	static const char *const names[256] = {
#define IMAGE(code, mnemonic) [code] = #mnemonic,
#include "softgpu/isa/gfx11/gfx11_images.def"
#undef IMAGE
	};
	const unsigned code = extract_bits(word, 25, 18);

	isa_text_append(t, "MIMG opcode 0x%x", code);
	if (names[code])
		isa_text_append(t, ", %s", names[code]);
	isa_text_append(t, ": images are not supported on this GPU");
}

/* Instructions for graphics, and those that only privileged or tool code uses, which this GPU does not have: their
 * encoding, and why. */
static const struct {
	uint32_t mask, value;
	const char *encoding, *reason;
} unsupported[] = {
	{0xfc000000, 0xf8000000, "EXP", "export"}, {0xff000000, 0xcd000000, "VINTERP", "interpolation"},
	{0xff800000, 0xce000000, "LDSDIR", "LDS parameter"},
	{0xffe00000, 0xd8600000, "DS", "global wave sync"}, /* 24 to 31: of these, 30 and 31 are in the table */
	{0xfffc0000, 0xd8fc0000, "DS", "ordered count"},    /* 63 */
	{0xfff80000, 0xd9e80000, "DS", "GS register"},      /* 122, 123 */
	{0xfffc0000, 0xdab40000, "DS", "ray tracing"},      /* 173 */
};

size_t gfx11_print_unknown(const void *code, size_t avail, char *out, size_t size)
{
	static const char *const names[ENC_COUNT] = {"SOP1", "SOP2", "SOPK", "SOPC", "SOPP", "SMEM", "VOP1", "VOP2",
		"VOPC", "VOP3", "VOP3P", "DS", "FLAT", "GLOBAL", "SCRATCH", "MTBUF", "MUBUF", [ENC_VOPD] = "VOPD"};
	enum { MIMG_PREFIX = 0x3c };
	const struct gfx11_layout *layout;
	struct isa_text t = {out, size, 0};
	uint32_t word = 0;

	if (avail < 4) {
		isa_text_append(&t, "code ends after %zu bytes", avail);
		return t.length;
	}
	memcpy(&word, code, 4);
	if (word >> 26 == MIMG_PREFIX) {
		gfx11_print_image(&t, word);
		return t.length;
	}
	layout = gfx11_find_layout(word);
	if (layout)
		isa_text_append(&t, "%s opcode 0x%x", names[layout->enc],
			extract_bits(word, layout->code_high, layout->code_low));
	for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
		if ((word & unsupported[i].mask) == unsupported[i].value) {
			isa_text_append(&t, "%s, %s instruction: graphics is not supported",
				layout ? "" : unsupported[i].encoding, unsupported[i].reason);
			return t.length;
		}
	if (!layout)
		isa_text_append(&t, "word 0x%08x", word);
	return t.length;
}

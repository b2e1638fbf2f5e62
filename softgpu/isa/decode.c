/* Machine words to struct isa_inst. Field positions: AMD "Vega" ISA Reference Guide, chapter 13. */
#include <stdio.h>
#include <string.h>

#include "softgpu/isa/table.h"

enum { SRC_SDWA = 249, SRC_DPP = 250, SADDR_OFF = 0x7f };

struct decoder {
	uint32_t word[3];      /* zero where there are no bytes */
	unsigned available;    /* bytes */
	enum isa_target target;
	struct isa_inst *out;
	const struct isa_info *row;
};

static uint32_t bits(uint32_t word, unsigned high, unsigned low)
{
	return word >> low & (UINT32_MAX >> (31 - high + low));
}

static int32_t sign_extend(uint32_t v, unsigned width)
{
	return (int32_t)(v << (32 - width)) >> (32 - width);
}

/* --- operands ------------------------------------------------------------------------------------------------------ */
/* SGPR tuples are aligned: pairs to two, larger ones to four. As in LLVM the bits below are dropped. */
static unsigned align_sgpr(unsigned n, unsigned dwords)
{
	unsigned mask = dwords == 1 ? 0 : dwords == 2 ? 1 : 3;

	return n < ISA_FLAT_SCRATCH ? n & ~mask : n >= ISA_TTMP0 && n < ISA_M0 ? ISA_TTMP0 + ((n - ISA_TTMP0) & ~mask) : n;
}

/* What may stand in a scalar register field for an operand of that many dwords. */
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

static bool is_constant(unsigned n, unsigned dwords)
{
	return dwords <= 2 && ((n >= ISA_INT0 && n <= 208) || (n >= ISA_SHARED_BASE && n <= 248) ||
	                       (n >= ISA_VCCZ && n <= ISA_SCC) || (n == ISA_LDS_DIRECT && dwords == 1) || n == ISA_LITERAL);
}

static bool put_vgpr(uint16_t *where, unsigned field, enum isa_type type)
{
	*where = ISA_VGPR0 + field;
	return field + isa_type_dwords(type) <= 256;
}

static bool put_scalar(uint16_t *where, unsigned field, enum isa_type type)
{
	unsigned dwords = isa_type_dwords(type);

	*where = align_sgpr(field, dwords);
	return is_scalar_register(*where, dwords);
}

/* A source field of 8 or 9 bits. */
static bool put_source(uint16_t *where, unsigned field, enum isa_type type)
{
	if (field >= ISA_VGPR0)
		return put_vgpr(where, field - ISA_VGPR0, type);
	if (is_constant(field, isa_type_dwords(type))) {
		*where = field;
		return true;
	}
	return put_scalar(where, field, type);
}

/* The literal follows the instruction; true unless it is cut off. */
static bool take_literal(struct decoder *d)
{
	struct isa_inst *out = d->out;

	if (out->src[0] != ISA_LITERAL && out->src[1] != ISA_LITERAL && out->src[2] != ISA_LITERAL)
		return true;
	out->literal = d->word[1];
	out->size = 8;
	return true;
}

/* --- scalar encodings ---------------------------------------------------------------------------------------------- */
static bool decode_sop2(struct decoder *d)
{
	uint32_t w = d->word[0];

	return put_source(&d->out->src[0], bits(w, 7, 0), d->row->src[0]) &&
	       put_source(&d->out->src[1], bits(w, 15, 8), d->row->src[1]) &&
	       put_scalar(&d->out->dst, bits(w, 22, 16), d->row->dst) && take_literal(d);
}

/* An address or a register number cannot be a constant. */
static bool needs_register(unsigned op)
{
	return op == OP_s_setpc_b64 || op == OP_s_swappc_b64 || op == OP_s_movrels_b32 || op == OP_s_movrels_b64;
}

static bool decode_sop1(struct decoder *d)
{
	uint32_t w = d->word[0];

	if (needs_register(d->out->op) && bits(w, 7, 0) >= ISA_INT0)
		return false;
	if (d->row->src[0] != T__ && !put_source(&d->out->src[0], bits(w, 7, 0), d->row->src[0]))
		return false;
	if (d->row->dst != T__ && !put_scalar(&d->out->dst, bits(w, 22, 16), d->row->dst))
		return false;
	return take_literal(d);
}

static bool decode_sopc(struct decoder *d)
{
	uint32_t w = d->word[0];

	if (!put_source(&d->out->src[0], bits(w, 7, 0), d->row->src[0]))
		return false;
	d->out->imm = bits(w, 15, 8);
	if (d->row->src[1] != T_SIMM16 && !put_source(&d->out->src[1], bits(w, 15, 8), d->row->src[1]))
		return false;
	return take_literal(d);
}

static bool decode_sopk(struct decoder *d)
{
	const struct isa_info *row = d->row;
	unsigned sdst = bits(d->word[0], 22, 16);

	d->out->imm = sign_extend(d->word[0], 16);
	if (row->dst != T__)
		return put_scalar(&d->out->dst, sdst, row->dst);
	if (row->src[0] != T_SIMM16)
		return put_scalar(&d->out->src[0], sdst, row->src[0]);
	if (d->out->op != OP_s_setreg_imm32_b32)
		return put_scalar(&d->out->src[1], sdst, row->src[1]);
	d->out->src[1] = ISA_LITERAL;
	return take_literal(d);
}

static bool decode_sopp(struct decoder *d)
{
	d->out->imm = sign_extend(d->word[0], 16);
	return d->row->src[0] == T_SIMM16 || d->out->op == OP_s_endpgm || d->out->imm == 0;
}

static bool decode_smem_address(struct decoder *d)
{
	struct isa_inst *out = d->out;
	uint32_t lo = d->word[0], hi = d->word[1];

	if (!put_scalar(&out->src[0], bits(lo, 5, 0) * 2, d->row->src[0]))
		return false;
	if (bits(lo, 17, 17)) {
		out->flags |= FLAG_IMM;
		out->imm = sign_extend(bits(hi, 20, 0), 21);
	}
	if (!bits(lo, 14, 14))
		return out->flags & FLAG_IMM || put_scalar(&out->src[1], bits(hi, 6, 0), T_B32);
	out->flags |= FLAG_SADDR;
	return put_scalar(&out->src[1], bits(hi, 31, 25), T_B32);
}

static bool decode_smem(struct decoder *d)
{
	struct isa_inst *out = d->out;
	uint32_t lo = d->word[0];

	if (bits(lo, 16, 16))
		out->flags |= FLAG_GLC;
	if (d->row->dst != T__ && !put_scalar(&out->dst, bits(lo, 12, 6), d->row->dst))
		return false;
	if (d->row->src[2] != T__ && !put_scalar(&out->src[2], bits(lo, 12, 6), d->row->src[2]))
		return false;
	return d->row->src[0] == T__ || decode_smem_address(d);
}

/* --- vector arithmetic --------------------------------------------------------------------------------------------- */
/* SDWA sources: a VGPR, or with bit 8 a scalar source without literals. */
static bool put_sdwa_source(uint16_t *where, unsigned field, bool scalar, enum isa_type type)
{
	if (!scalar)
		return put_vgpr(where, field, type);
	return field != ISA_LITERAL && put_source(where, field, type);
}

static bool decode_sdwa(struct decoder *d, uint32_t w)
{
	struct isa_inst *out = d->out;

	if (!isa_has_sdwa(d->row))
		return false;
	out->form = FORM_SDWA;
	out->size = 8;
	if (d->row->dst == T_MASK) {
		if (!put_scalar(&out->dst, bits(w, 15, 15) ? bits(w, 14, 8) : ISA_VCC, T_MASK))
			return false;
	} else {
		out->dst_sel = bits(w, 10, 8);
		out->dst_unused = bits(w, 12, 11);
		out->omod = bits(w, 15, 14);
		out->clamp = bits(w, 13, 13);
	}
	out->src_sel[0] = bits(w, 18, 16);
	out->src_sel[1] = bits(w, 26, 24);
	out->sext = bits(w, 19, 19) | bits(w, 27, 27) << 1;
	out->neg = bits(w, 20, 20) | bits(w, 28, 28) << 1;
	out->abs = bits(w, 21, 21) | bits(w, 29, 29) << 1;
	if (!isa_fit_sdwa(d->row, out) || (d->row->src[1] == T__ && bits(w, 31, 31)))
		return false;
	if (d->row->src[1] != T__ &&
	    !put_sdwa_source(&out->src[1], out->src[1] - ISA_VGPR0, bits(w, 31, 31), d->row->src[1]))
		return false;
	return put_sdwa_source(&out->src[0], bits(w, 7, 0), bits(w, 23, 23), d->row->src[0]);
}

static bool decode_dpp(struct decoder *d, uint32_t w)
{
	struct isa_inst *out = d->out;

	if (!isa_has_dpp(d->row))
		return false;
	out->form = FORM_DPP;
	out->size = 8;
	out->dpp_ctrl = bits(w, 16, 8);
	out->bound_ctrl = bits(w, 19, 19);
	out->neg = bits(w, 20, 20) | bits(w, 22, 22) << 1;
	out->abs = bits(w, 21, 21) | bits(w, 23, 23) << 1;
	out->bank_mask = bits(w, 27, 24);
	out->row_mask = bits(w, 31, 28);
	return isa_fit_dpp(d->row, out) && put_vgpr(&out->src[0], bits(w, 7, 0), d->row->src[0]);
}

/* src0 of the short forms: the markers of SDWA and DPP come before source decoding. */
static bool decode_src0(struct decoder *d)
{
	unsigned field = bits(d->word[0], 8, 0);

	if (field == SRC_SDWA)
		return decode_sdwa(d, d->word[1]);
	if (field == SRC_DPP)
		return decode_dpp(d, d->word[1]);
	return d->row->src[0] == T__ || (put_source(&d->out->src[0], field, d->row->src[0]) && take_literal(d));
}

static bool put_vector_dst(struct decoder *d, unsigned field)
{
	switch (d->row->dst) {
	case T__: return field == 0;
	case T_S32: case T_MASK: return put_scalar(&d->out->dst, field, d->row->dst);
	default: return put_vgpr(&d->out->dst, field, d->row->dst);
	}
}

static bool decode_vop2(struct decoder *d)
{
	struct isa_inst *out = d->out;
	uint32_t w = d->word[0];
	unsigned literal = isa_fixed_literal(out->op), vsrc1 = bits(w, 16, 9);

	if (d->row->dst2 == T_CARRY)
		out->dst2 = ISA_VCC;
	if (d->row->src[2] == T_CARRY)
		out->src[2] = ISA_VCC;
	if (literal)
		out->src[literal] = ISA_LITERAL;
	return put_vector_dst(d, bits(w, 24, 17)) &&
	       put_vgpr(&out->src[literal == 1 ? 2 : 1], vsrc1, d->row->src[1]) && decode_src0(d) && take_literal(d);
}

static bool decode_vop1(struct decoder *d)
{
	return put_vector_dst(d, bits(d->word[0], 24, 17)) && decode_src0(d);
}

static bool decode_vopc(struct decoder *d)
{
	d->out->dst = ISA_VCC;
	if (d->row->dst2 == T_EXEC)
		d->out->dst2 = ISA_EXEC;
	return put_vgpr(&d->out->src[1], bits(d->word[0], 16, 9), d->row->src[1]) && decode_src0(d);
}

/* Sources of the 64-bit encodings. Literals, SDWA and DPP do not exist there, and fields that are not used are 0. */
static bool decode_long_sources(struct decoder *d)
{
	static const uint8_t low[3] = { 0, 9, 18 };

	for (int i = 0; i < 3; i++) {
		unsigned field = bits(d->word[1], low[i] + 8, low[i]);
		enum isa_type type = d->row->src[i];

		if (type == T_CARRY ? !put_scalar(&d->out->src[i], field, type) :
		    type == T__ ? field != 0 : field == ISA_LITERAL || !put_source(&d->out->src[i], field, type))
			return false;
	}
	return true;
}

static bool decode_vop3(struct decoder *d)
{
	struct isa_inst *out = d->out;
	uint32_t lo = d->word[0], hi = d->word[1];

	out->clamp = bits(lo, 15, 15);
	out->omod = bits(hi, 28, 27);
	out->neg = bits(hi, 31, 29);
	if (d->row->dst2 == T_CARRY) {
		if (!put_scalar(&out->dst2, bits(lo, 14, 8), T_CARRY))
			return false;
	} else {
		out->abs = bits(lo, 10, 8);
		out->op_sel = bits(lo, 14, 11);
	}
	if (d->row->dst2 == T_EXEC)
		out->dst2 = ISA_EXEC;
	return isa_fit_long(d->row, out) && put_vector_dst(d, bits(lo, 7, 0)) && decode_long_sources(d);
}

static bool decode_vop3p(struct decoder *d)
{
	struct isa_inst *out = d->out;
	uint32_t lo = d->word[0], hi = d->word[1];

	out->clamp = bits(lo, 15, 15);
	out->op_sel = bits(lo, 13, 11);
	out->op_sel_hi = bits(hi, 28, 27) | bits(lo, 14, 14) << 2;
	out->neg = bits(hi, 31, 29);
	out->neg_hi = bits(lo, 10, 8);
	return isa_fit_packed(d->row, out) && put_vgpr(&out->dst, bits(lo, 7, 0), d->row->dst) && decode_long_sources(d);
}

/* --- memory -------------------------------------------------------------------------------------------------------- */
static bool decode_ds(struct decoder *d)
{
	struct isa_inst *out = d->out;
	const struct isa_info *row = d->row;
	uint32_t lo = d->word[0], hi = d->word[1];

	out->imm = row->dst2 == T_OFF2 ? bits(lo, 7, 0) : bits(lo, 15, 0);
	out->offset1 = row->dst2 == T_OFF2 ? bits(lo, 15, 8) : 0;
	if (bits(lo, 16, 16))
		out->flags |= FLAG_GDS;
	if (out->op == OP_ds_nop && (out->imm || out->flags))
		return false;
	if ((out->op == OP_ds_permute_b32 || out->op == OP_ds_bpermute_b32) && out->flags)
		return false;
	for (int i = 0; i < 3; i++) {
		unsigned field = bits(hi, 8 * i + 7, 8 * i);

		if (row->src[i] == T__ ? field != 0 : !put_vgpr(&out->src[i], field, row->src[i]))
			return false;
	}
	return row->dst == T__ ? bits(hi, 31, 24) == 0 : put_vgpr(&out->dst, bits(hi, 31, 24), row->dst);
}

static bool is_atomic(const struct isa_info *row)
{
	return row->code >= 64;
}

/* The returned value of an atomic exists with glc only. */
static bool put_loaded(struct decoder *d, unsigned field)
{
	if (d->row->dst == T__ || (is_atomic(d->row) && !(d->out->flags & FLAG_GLC)))
		return true;
	return put_vgpr(&d->out->dst, field, d->row->dst);
}

static bool put_flat_address(struct decoder *d)
{
	struct isa_inst *out = d->out;
	unsigned field = bits(d->word[1], 22, 16);
	if (d->row->enc == ENC_FLAT && field)
		return false;
	bool saddr = d->row->enc != ENC_FLAT && field != SADDR_OFF;
	enum isa_type wide = d->row->enc == ENC_SCRATCH || saddr ? T_B32 : T_B64;

	if (saddr) {
		out->flags |= FLAG_SADDR;
		if (!put_scalar(&out->src[2], field, d->row->src[2]))
			return false;
		if (d->row->enc == ENC_SCRATCH)
			return true; /* gfx9 scratch has either of the two */
	}
	return put_vgpr(&out->src[0], bits(d->word[1], 7, 0), wide);
}

static bool decode_flat(struct decoder *d)
{
	struct isa_inst *out = d->out;
	uint32_t lo = d->word[0], hi = d->word[1];

	out->flags |= (bits(lo, 16, 16) ? FLAG_GLC : 0) | (bits(lo, 17, 17) ? FLAG_SLC : 0) |
	              (bits(lo, 13, 13) ? FLAG_LDS : 0) | (bits(hi, 23, 23) ? FLAG_NV : 0);
	out->imm = out->enc == ENC_FLAT ? (int32_t)bits(lo, 11, 0) : sign_extend(lo, 13);
	if (out->flags & FLAG_LDS) /* LDS loads are instructions of their own, which the table does not hold */
		return false;
	if (d->row->src[1] != T__ && !put_vgpr(&out->src[1], bits(hi, 15, 8), d->row->src[1]))
		return false;
	return put_loaded(d, bits(hi, 31, 24)) && put_flat_address(d);
}

static bool decode_mubuf(struct decoder *d)
{
	struct isa_inst *out = d->out;
	const struct isa_info *row = d->row;
	uint32_t lo = d->word[0], hi = d->word[1];
	unsigned both = bits(lo, 13, 12);

	out->flags |= (bits(lo, 14, 14) ? FLAG_GLC : 0) | (bits(lo, 17, 17) ? FLAG_SLC : 0) |
	              (bits(lo, 16, 16) ? FLAG_LDS : 0) | (bits(hi, 23, 23) ? FLAG_TFE : 0) |
	              (both & 1 ? FLAG_OFFEN : 0) | (both & 2 ? FLAG_IDXEN : 0);
	out->imm = bits(lo, 11, 0);
	if (row->src[0] == T__)
		return !(both || out->flags & (FLAG_GLC | FLAG_LDS));
	if (out->flags & FLAG_LDS)
		return false;
	if (is_atomic(row))
		out->flags &= ~FLAG_TFE;
	if (both && !put_vgpr(&out->src[0], bits(hi, 7, 0), both == 3 ? T_B64 : T_B32))
		return false;
	if (row->dst2 != T__ && !put_vgpr(&out->data, bits(hi, 15, 8), row->dst2))
		return false;
	return put_loaded(d, bits(hi, 15, 8)) && put_scalar(&out->src[1], bits(hi, 20, 16) * 4, T_SRSRC) &&
	       bits(hi, 31, 24) != ISA_LITERAL && put_source(&out->src[2], bits(hi, 31, 24), T_B32);
}

/* --- encodings ----------------------------------------------------------------------------------------------------- */
static const struct encoding {
	uint32_t mask, value; /* of the first word; the first match counts */
	uint8_t enc, size, code_high, code_low;
	bool (*decode)(struct decoder *d);
} encodings[] = {
	{ 0xff800000, 0xbe800000, ENC_SOP1, 4, 15, 8, decode_sop1 },
	{ 0xff800000, 0xbf000000, ENC_SOPC, 4, 22, 16, decode_sopc },
	{ 0xff800000, 0xbf800000, ENC_SOPP, 4, 22, 16, decode_sopp },
	{ 0xf0000000, 0xb0000000, ENC_SOPK, 4, 27, 23, decode_sopk },
	{ 0xc0000000, 0x80000000, ENC_SOP2, 4, 29, 23, decode_sop2 },
	{ 0xfe000000, 0x7e000000, ENC_VOP1, 4, 16, 9, decode_vop1 },
	{ 0xfe000000, 0x7c000000, ENC_VOPC, 4, 24, 17, decode_vopc },
	{ 0x80000000, 0x00000000, ENC_VOP2, 4, 30, 25, decode_vop2 },
	{ 0xfc000000, 0xc0000000, ENC_SMEM, 8, 25, 18, decode_smem },
	{ 0xff800000, 0xd3800000, ENC_VOP3P, 8, 22, 16, decode_vop3p },
	{ 0xfc000000, 0xd0000000, ENC_VOP3, 8, 25, 16, decode_vop3 },
	{ 0xfc000000, 0xd8000000, ENC_DS, 8, 24, 17, decode_ds },
	{ 0xfc00c000, 0xdc000000, ENC_FLAT, 8, 24, 18, decode_flat },
	{ 0xfc00c000, 0xdc004000, ENC_SCRATCH, 8, 24, 18, decode_flat },
	{ 0xfc00c000, 0xdc008000, ENC_GLOBAL, 8, 24, 18, decode_flat },
	{ 0xfc000000, 0xe0000000, ENC_MUBUF, 8, 24, 18, decode_mubuf },
};

static const struct encoding *find_encoding(uint32_t word)
{
	for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++)
		if ((word & encodings[i].mask) == encodings[i].value)
			return &encodings[i];
	return NULL;
}

unsigned isa_decode(const void *code, size_t avail, enum isa_target target, struct isa_inst *out)
{
	struct decoder d = { .available = avail < 8 ? avail : 8, .target = target, .out = out };
	const struct encoding *e;

	*out = (struct isa_inst){
		.dst = ISA_NONE, .dst2 = ISA_NONE, .src = { ISA_NONE, ISA_NONE, ISA_NONE }, .data = ISA_NONE,
	};
	memcpy(d.word, code, d.available);
	e = d.available >= 4 ? find_encoding(d.word[0]) : NULL;
	if (!e)
		return 0;
	out->op = isa_lookup(e->enc, bits(d.word[0], e->code_high, e->code_low), target);
	out->enc = e->enc;
	out->size = e->size;
	d.row = isa_info(out->op);
	if (out->op == OP_INVALID || !e->decode(&d) || out->size > d.available) {
		out->op = OP_INVALID;
		return 0;
	}
	return out->size;
}

size_t isa_print_unknown(const void *code, size_t avail, char *out, size_t size)
{
	static const char *const names[ENC_COUNT] = { "SOP1", "SOP2", "SOPK", "SOPC", "SOPP", "SMEM", "VOP1", "VOP2", "VOPC", "VOP3",
	                                              "VOP3P", "DS", "FLAT", "GLOBAL", "SCRATCH", "MUBUF" };
	const struct encoding *e;
	uint32_t word = 0;
	int n;

	if (avail < 4)
		return snprintf(out, size, "code cut off after %zu bytes", avail);
	memcpy(&word, code, 4);
	e = find_encoding(word);
	n = e ? snprintf(out, size, "%s opcode 0x%x", names[e->enc], bits(word, e->code_high, e->code_low)) :
	        snprintf(out, size, "word 0x%08x", word);
	return n < 0 ? 0 : n;
}

/* Vector instructions with source modifiers, clamp, omod, SDWA or DPP. The sources are copied and modified, the
 * operation runs on the copies, and its result is modified before it is written to the destination. */
#ifndef SOFTGPU_CORE_OPS_OPS_MODIFIERS_H
#define SOFTGPU_CORE_OPS_OPS_MODIFIERS_H

#include "softgpu/core/ops/ops_vector.h"

enum { SDWA_BYTE_0, SDWA_BYTE_1, SDWA_BYTE_2, SDWA_BYTE_3, SDWA_WORD_0, SDWA_WORD_1, SDWA_DWORD };
enum { UNUSED_PAD, UNUSED_SEXT, UNUSED_PRESERVE };

static bool is_half(unsigned t)
{
	return t == T_B16 || t == T_I16 || t == T_U16 || t == T_F16;
}

static bool is_half_kept(unsigned t)
{
	return t == T_F16K || t == T_I16K || t == T_U16K || t == T_B16K;
}

/* --- sources --- */
static uint32_t sdwa_select(uint32_t v, unsigned sel, bool sext)
{
	if (sel == SDWA_DWORD)
		return v;
	if (sel >= SDWA_WORD_0)
		v = sel == SDWA_WORD_1 ? v >> 16 : v & 0xffff;
	else
		v = v >> 8 * sel & 255;
	if (!sext)
		return v;
	return sel >= SDWA_WORD_0 ? (uint32_t)(int16_t)v : (uint32_t)(int8_t)v;
}

/* The lane that lane l reads; -1: none. Vega ISA 13.3.9, RDNA3 ISA 15.9.2. */
static int dpp_lane(unsigned ctrl, unsigned l)
{
	unsigned row = l & ~15u, in = l & 15, n = ctrl & 15;

	if (ctrl < 0x100)
		return (l & ~3u) | (ctrl >> 2 * (l & 3) & 3);
	switch (ctrl & 0x1f0) {
	case 0x100: return in + n < 16 ? (int)(row + in + n) : -1; /* row_shl */
	case 0x110: return in >= n ? (int)(row + in - n) : -1;     /* row_shr */
	case 0x120: return row + ((in - n) & 15);                  /* row_ror */
	case 0x150: return row + n;                                /* row_share; row_newbcast of gfx90a */
#if GFX11
	case 0x160: return row + (in ^ n); /* row_xmask */
#endif
	}
	switch (ctrl) {
	case 0x130: return l < 63 ? (int)l + 1 : -1;     /* wave_shl */
	case 0x134: return (l + 1) & 63;                 /* wave_rol */
	case 0x138: return (int)l - 1;                   /* wave_shr */
	case 0x13c: return (l - 1) & 63;                 /* wave_ror */
	case 0x140: return row + 15 - in;                /* row_mirror */
	case 0x141: return (l & ~7u) + 7 - (l & 7);      /* row_half_mirror */
	case 0x142: return l < 16 ? -1 : (int)(row - 1); /* row_bcast:15 */
	case 0x143: return l < 32 ? -1 : 31;             /* row_bcast:31 */
	}
	return -1;
}

/* Moves source 0 across lanes. Removes from *e lanes that read no lane, unless bound_ctrl makes them read 0. */
static void dpp_source(const struct isa_inst *d, const uint32_t *in, unsigned dwords, uint32_t *out, uint64_t *e)
{
	uint64_t active = d->fetch_inactive ? ALL_LANES : *e;

	for (unsigned l = 0; l < LANES; l++) {
		int from = dpp_lane(d->dpp_ctrl, l);
		bool written = d->row_mask >> l / 16 & 1 && d->bank_mask >> l / 4 % 4 & 1;
		bool valid = from >= 0 && active >> from & 1;
		out[l] = valid ? in[from] : 0;
		if (dwords > 1)
			out[LANES + l] = valid ? in[LANES + from] : 0;
		if (!written || (!valid && !d->bound_ctrl))
			*e &= ~(UINT64_C(1) << l);
	}
}

/* DPP8 selects from the group of 8 lanes; inactive lanes read as 0. */
static void dpp8_source(const struct isa_inst *d, const uint32_t *in, uint32_t *out, uint64_t e)
{
	uint64_t active = d->fetch_inactive ? ALL_LANES : e;

	for (unsigned l = 0; l < LANES; l++) {
		unsigned from = (l & ~7u) + (d->dpp8 >> 3 * (l & 7) & 7);
		out[l] = active >> from & 1 ? in[from] : 0;
	}
}

static void packed_source(const struct isa_inst *d, unsigned k, bool flips, uint32_t *v)
{
	uint32_t low = d->op_sel >> k & 1 ? 16 : 0, high = d->op_sel_hi >> k & 1 ? 16 : 0;
	uint32_t sign = flips ? (uint32_t)(d->neg >> k & 1) << 15 | (uint32_t)(d->neg_hi >> k & 1) << 31 : 0;

	for (unsigned l = 0; l < LANES; l++)
		v[l] = ((v[l] >> low & 0xffff) | (v[l] >> high & 0xffff) << 16) ^ sign;
}

/* A pair of f32. */
static void packed_f32_source(const struct isa_inst *d, unsigned k, uint32_t *v)
{
	const unsigned low = d->op_sel >> k & 1 ? LANES : 0, high = d->op_sel_hi >> k & 1 ? LANES : 0;
	const uint32_t flip = (uint32_t)(d->neg >> k & 1) << 31, flip_high = (uint32_t)(d->neg_hi >> k & 1) << 31;

	for (unsigned l = 0; l < LANES; l++) {
		const uint32_t x = v[low + l] ^ flip, y = v[high + l] ^ flip_high;
		v[l] = x;
		v[LANES + l] = y;
	}
}

static void mix_source(const struct isa_inst *d, unsigned k, uint32_t *v)
{
	uint32_t clear = d->neg_hi >> k & 1 ? 0x80000000 : 0, flip = (uint32_t)(d->neg >> k & 1) << 31;

	for (unsigned l = 0; l < LANES; l++) {
		uint32_t x = v[l];
		if (d->op_sel_hi >> k & 1)
			x = f32_bits(f16_in(d->op_sel >> k & 1 ? x >> 16 : x));
		v[l] = (x & ~clear) ^ flip;
	}
}

/* An integer source next to a float one (v_ldexp, v_cvt_pk_u8) also has the bits, but ignores them. */
static void sign_source(const struct isa_inst *d, unsigned k, unsigned type, uint32_t *v)
{
	if (type != T_F16 && type != T_F32 && type != T_F64 && type != T_B32 && type != T_B16 && type != T_P16)
		return;
	uint32_t top = is_half(type) ? 0x8000 : 0x80000000;
	uint32_t clear = d->abs >> k & 1 ? top : 0, flip = d->neg >> k & 1 ? top : 0;
	uint32_t *word = type == T_F64 ? v + LANES : v;

	if (clear | flip)
		for (unsigned l = 0; l < LANES; l++)
			word[l] = (word[l] & ~clear) ^ flip;
}

/* Copies source k with all modifiers applied to v. */
static void modified_source(struct wave *w, const struct uop *i, unsigned k, uint32_t *v, uint64_t *e)
{
	const struct isa_inst *d = &i->d;
	unsigned type = isa_info(d->op)->src[k], dwords = isa_type_dwords(type);
	const uint32_t *in = vector_source(w, i, k);

	if (d->form == FORM_DPP && k == 0)
		dpp_source(d, in, dwords, v, e);
	else if (d->form == FORM_DPP8 && k == 0)
		dpp8_source(d, in, v, *e);
	else
		memcpy(v, in, (dwords > 1 ? 2 : 1) * LANES * sizeof *v);
	if (d->form == FORM_SDWA && k < 2)
		for (unsigned l = 0; l < LANES; l++)
			v[l] = sdwa_select(v[l], d->src_sel[k], d->sext >> k & 1);
	if (type == T_MIX) {
		mix_source(d, k, v);
		return;
	}
	if (type == T_P32) {
		packed_f32_source(d, k, v);
		return;
	}
	if (type == T_P16 && d->enc == ENC_VOP3P) {
		packed_source(d, k, isa_info(d->op)->traits & PACKED_F16, v);
		return;
	}
	if (is_half(type) && d->op_sel >> k & 1)
		for (unsigned l = 0; l < LANES; l++)
			v[l] >>= 16;
	sign_source(d, k, type, v);
}

/* --- destination --- */
/* omod has an effect only if MODE clears IEEE and flushes the output denormals of the type. It turns -0 into +0
 * (reviews.llvm.org/D30209, from AMD). */
static double apply_omod(const struct isa_inst *d, double v)
{
	static const double factor[] = {1, 2, 4, 0.5};

	return v == 0 ? 0 : v * factor[d->omod & 3];
}

static bool applies_omod(const struct isa_inst *d, uint32_t keeps)
{
	return d->omod && !(SEMANTICS_MODE & (MODE_IEEE | keeps));
}

/* clamp operates on bits, because the host may treat a denormal result as 0. */
#define CLAMP_BITS(name, type, infinity, one)                               \
	static type name(type u)                                            \
	{                                                                   \
		if (u << 1 > (type)(infinity) << 1)                         \
			return SEMANTICS_MODE & MODE_DX10_CLAMP ? 0 : u;    \
		return u >> (8 * sizeof u - 1) ? 0 : u > (one) ? (one) : u; \
	}
CLAMP_BITS(clamp_b32, uint32_t, 0x7f800000, 0x3f800000)
CLAMP_BITS(clamp_b64, uint64_t, UINT64_C(0x7ff) << 52, UINT64_C(0x3ff) << 52)
#undef CLAMP_BITS

/* Applies omod and clamp to lane l of the result. */
static void apply_output_modifiers(const struct isa_inst *d, unsigned type, unsigned half, uint32_t *v, unsigned l)
{
	if (type == T_F32) {
		if (applies_omod(d, MODE_OUT_32))
			v[l] = f32_bits(ftz_f32(apply_omod(d, bits_f32(v[l]))));
		if (d->clamp)
			v[l] = clamp_b32(v[l]);
	} else if (type == T_P32 && d->clamp) {
		v[l] = clamp_b32(v[l]);
		v[LANES + l] = clamp_b32(v[LANES + l]);
	} else if (type == T_F64) {
		uint64_t x = RD_B64(v, l);
		if (applies_omod(d, MODE_OUT_16_64))
			x = f64_bits(apply_omod(d, bits_f64(x)));
		if (d->clamp)
			x = clamp_b64(x);
		v[l] = x;
		v[LANES + l] = x >> 32;
	} else if (type == T_F16 || type == T_F16K) {
		float x = f16_to_f32(v[l] >> half);
		if (applies_omod(d, MODE_OUT_16_64))
			x = apply_omod(d, x);
		v[l] = MERGE_HALF(v[l], f32_to_f16(d->clamp ? clamp_float(x) : x));
	}
}

static uint32_t sdwa_merge(const struct isa_inst *d, uint32_t old, uint32_t v)
{
	unsigned sel = d->dst_sel, bits = sel >= SDWA_WORD_0 ? 16 : 8;
	unsigned shift = sel >= SDWA_WORD_0 ? 16 * (sel - SDWA_WORD_0) : 8 * sel;

	if (sel == SDWA_DWORD)
		return v;
	uint32_t field = ((1u << bits) - 1) << shift, placed = v << shift & field;
	if (d->dst_unused == UNUSED_PRESERVE)
		return (old & ~field) | placed;
	if (d->dst_unused == UNUSED_SEXT && v >> (bits - 1) & 1)
		placed |= ~((1u << shift) - 1) & ~field;
	return placed;
}

/* The half of the destination that op_sel selects, as a shift. v_mad_mixhi always writes the high half. */
static unsigned destination_half(const struct isa_inst *d)
{
	if (d->op == OP_v_mad_mixhi_f16 || d->op == OP_v_fma_mixhi_f16)
		return 16;
	return d->op_sel & 8 ? 16 : 0;
}

/* Whether more is done with the result than to write it. */
static bool modifies_result(const struct isa_inst *d, unsigned type)
{
	return d->clamp || d->omod || d->form == FORM_SDWA || (is_half(type) && d->op_sel & 8);
}

static void write_modified_result(struct wave *w, const struct uop *i, uint64_t e, uint32_t *v)
{
	const struct isa_inst *d = &i->d;
	unsigned type = isa_info(d->op)->dst, dwords = isa_type_dwords(type), l;
	uint32_t *out = (uint32_t *)((char *)w->v + i->dst);
	bool high_half = is_half(type) && d->op_sel & 8;

	EACH_LANE(l, e)
	{
		if (d->clamp || d->omod)
			apply_output_modifiers(d, type, is_half_kept(type) ? destination_half(d) : 0, v, l);
		if (d->form == FORM_SDWA)
			out[l] = sdwa_merge(d, out[l], v[l]);
		else if (high_half)
			out[l] = (out[l] & 0xffff) | v[l] << 16;
		else
			out[l] = v[l];
		if (dwords > 1)
			out[LANES + l] = v[LANES + l];
	}
}

/* Whether a source of packed halves is read as it is. */
static bool is_plain_source(const struct isa_inst *d, unsigned k, unsigned type)
{
	return type == T_P16 && d->enc == ENC_VOP3P && d->form == FORM_PLAIN &&
		(d->op_sel_hi & ~d->op_sel & ~d->neg & ~d->neg_hi) >> k & 1;
}

/* By vectors: for an assignment the compiler takes a string instruction, which begins slowly. */
static void copy_uop(struct uop *to, const struct uop *from)
{
	_Static_assert(sizeof *to % sizeof(host_vector) == 0, "whole vectors");
	for (unsigned n = 0; n < sizeof *to / sizeof(host_vector); n++)
		((host_vector *)to)[n] = ((const host_vector *)from)[n];
}

static void op_modified(struct wave *w, const struct uop *i)
{
	ENTER_MODE(w, isa_info(i->d.op)->rate);
	uint32_t v[3][2 * LANES], result[2 * LANES];
	const struct isa_info *info = isa_info(i->d.op);
	uint64_t exec = active_lanes(w), e = exec;
	struct uop plain;
	bool writes =
		info->dst != T_MASK && info->dst != T__ && info->dst != T_S32 && modifies_result(&i->d, info->dst);

	copy_uop(&plain, i);
	if (i->broadcast)
		fill_broadcast(w, i);
	for (unsigned k = 0; k < i->sources; k++) {
		if (info->src[k] == T_CARRY || is_plain_source(&i->d, k, info->src[k]))
			continue;
		modified_source(w, i, k, v[k], &e);
		plain.src[k] = (uintptr_t)v[k];
		plain.rel[k] = 0;
	}
	plain.broadcast = 0;
	if (writes) {
		memcpy(result, (char *)w->v + i->dst,
			(isa_type_dwords(info->dst) > 1 ? 2 : 1) * LANES * sizeof *result);
		plain.dst = (char *)result - (char *)w->v;
		if (is_half(info->dst) && i->d.op_sel & 8) /* the operation reads and writes the low half */
			for (unsigned l = 0; l < LANES; l++)
				result[l] >>= 16;
	}
	if (e != exec)
		EXEC = e;
	OPERATION(i)(w, &plain);
	if (e != exec && info->dst2 != T_EXEC) /* v_cmpx has written EXEC */
		EXEC = exec;
	if (writes)
		write_modified_result(w, i, e, result);
}

#endif

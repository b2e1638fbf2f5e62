/* Shared by the tests of modifiers: what an instruction with modifiers computes. Chapters 6.2 and 13.3 of the Vega ISA
 * guide, 7 and 15 of the RDNA3 ISA guide. */
#ifndef TESTS_SOFTGPU_CORE_ROW_MODIFIERS_H
#define TESTS_SOFTGPU_CORE_ROW_MODIFIERS_H

#include "tests/softgpu/core/row_bench.h"

#include "softgpu/isa/modifier_rules.h"

static inline unsigned random_below(unsigned n)
{
	return random_u64() % n;
}

static inline uint64_t select_sdwa_field(uint64_t v, unsigned sel, bool sext)
{
	switch (sel) {
	case 0:
	case 1:
	case 2:
	case 3: v = (uint8_t)(v >> 8 * sel); return sext ? (uint32_t)(int8_t)v : v;
	case 4:
	case 5: v = (uint16_t)(v >> (sel == 5 ? 16 : 0)); return sext ? (uint32_t)(int16_t)v : v;
	}
	return v;
}

static inline uint64_t apply_sign(uint64_t v, enum isa_type t, bool abs, bool neg)
{
	uint64_t top = t == T_F64 ? UINT64_C(1) << 63 : t == T_F16 || t == T_B16 ? 0x8000 : UINT64_C(1) << 31;

	if (!is_float_type(t) && t != T_B32 && t != T_B16) /* an integer source next to floats ignores the bits */
		return v;
	v = abs ? v & ~top : v;
	return neg ? v ^ top : v;
}

/* The lane that lane l reads; -1: none. */
static inline int dpp_source_lane(unsigned ctrl, int l)
{
	int row = l / 16, in = l % 16, n = ctrl % 16, to;

	if (ctrl < 256)
		return l / 4 * 4 + (ctrl >> l % 4 * 2) % 4;
	switch (ctrl >> 4) {
	case 0x10: to = in + n; return to > 15 ? -1 : row * 16 + to;
	case 0x11: to = in - n; return to < 0 ? -1 : row * 16 + to;
	case 0x12: return row * 16 + (in + 16 - n) % 16;
	case 0x15: return row * 16 + n;
	case 0x16: return l ^ n;
	}
	switch (ctrl) {
	case 0x130: return l == 63 ? -1 : l + 1;
	case 0x134: return (l + 1) % 64;
	case 0x138: return l - 1;
	case 0x13c: return (l + 63) % 64;
	case 0x140: return row * 16 + 15 - in;
	case 0x141: return l / 8 * 8 + 7 - l % 8;
	case 0x142: return row ? row * 16 - 1 : -1;
	}
	return l >= 32 ? 31 : -1;
}

/* The value of the first source in the lane that DPP selects. Sets *no_lane if it selects none. */
static inline uint64_t dpp_value(const struct isa_inst *in, int k, uint64_t mask, bool *no_lane)
{
	int l = bench_lane(k),
	    from = in->form == FORM_DPP ? dpp_source_lane(in->dpp_ctrl, l)
					: l / 8 * 8 + (int)(in->dpp8 >> 3 * (l % 8) & 7);

	*no_lane = from < 0 || !(in->fetch_inactive || mask >> from & 1);
	return *no_lane ? 0 : item[k - l + from].s[0];
}

/* Source n of item k. */
static inline uint64_t modified_source(
	const struct isa_inst *in, int k, int n, const struct values *v, uint64_t mask, bool *no_lane)
{
	enum isa_type t = isa_info(in->op)->src[n];
	uint64_t x = item[k].s[n];

	if ((in->form == FORM_DPP || in->form == FORM_DPP8) && n == 0)
		x = dpp_value(in, k, mask, no_lane);
	if (in->form == FORM_SDWA && n < 2)
		x = select_sdwa_field(x, in->src_sel[n], in->sext >> n & 1);
	bool low = in->op_sel >> n & 1, high = in->op_sel_hi >> n & 1, neg = in->neg >> n & 1;
	if (t == T_MIX) {
		uint32_t word = x;
		x = high ? m_b32((float)m_hin(v, low ? word >> 16 : word)) : word;
		return apply_sign(x, T_F32, in->neg_hi >> n & 1, neg);
	}
	if (in->enc == ENC_VOP3P && t == T_P16) {
		uint32_t word = x, l = low ? word >> 16 : word & 0xffff, h = high ? word >> 16 : word & 0xffff;
		return (l ^ (neg ? 0x8000 : 0)) | (uint64_t)(h ^ (in->neg_hi >> n & 1 ? 0x8000 : 0)) << 16;
	}
	if (t == T_P32) {
		uint64_t l = low ? x >> 32 : (uint32_t)x, h = high ? x >> 32 : (uint32_t)x;
		return apply_sign(l, T_F32, false, neg) | apply_sign(h, T_F32, false, in->neg_hi >> n & 1) << 32;
	}
	if (in->enc != ENC_VOP3P && low && isa_is_half(t))
		x = (uint32_t)x >> 16;
	return apply_sign(x, t, in->abs >> n & 1, neg);
}

static inline uint64_t merge_sdwa_result(const struct isa_inst *in, uint32_t old, uint32_t x)
{
	unsigned bits = in->dst_sel < 4 ? 8
		: in->dst_sel < 6       ? 16
					: 32,
		 at = in->dst_sel < 4 ? in->dst_sel * 8
		: in->dst_sel == 5    ? 16
				      : 0;
	uint32_t r = 0;

	for (unsigned b = 0; b < 32; b++) {
		bool selected = b >= at && b < at + bits,
		     bit = selected                             ? x >> (b - at) & 1
			: in->dst_unused == 2                   ? old >> b & 1
			: in->dst_unused == 1 && b >= at + bits ? x >> (bits - 1) & 1
								: 0;
		r |= (uint32_t)bit << b;
	}
	return r;
}

static inline void modify_float_pair(const struct isa_inst *in, const struct values *v, struct answer *a)
{
	struct answer low = {.d = (uint32_t)a->d}, high = {.d = a->d >> 32};

	apply_omod_and_clamp(v, &low, T_F32, in->omod, in->clamp);
	apply_omod_and_clamp(v, &high, T_F32, in->omod, in->clamp);
	a->d = (uint32_t)low.d | high.d << 32;
}

/* omod and clamp of a float. v_fma_mixhi has its result in the upper half. */
static inline void modify_float(const struct isa_inst *in, const struct values *v, struct answer *a)
{
	bool high_mix = in->op == OP_v_mad_mixhi_f16 || in->op == OP_v_fma_mixhi_f16;

	if (isa_info(in->op)->dst == T_P32) {
		modify_float_pair(in, v, a);
		return;
	}
	if (high_mix)
		a->d = a->d >> 16 | (a->d & 0xffff) << 16;
	apply_omod_and_clamp(v, a, isa_info(in->op)->dst, in->omod, in->clamp);
	if (high_mix)
		a->d = (uint32_t)a->d >> 16 | (a->d & 0xffff) << 16;
}

static inline bool is_written(const struct isa_inst *in, int k, bool no_lane)
{
	int l = bench_lane(k);

	return in->form != FORM_DPP ||
		(in->row_mask >> l / 16 & 1 && in->bank_mask >> l % 16 / 4 & 1 && (!no_lane || in->bound_ctrl));
}

/* Compares the result of item k with the model. */
static inline bool check_modified_item(const struct isa_inst *in, int k, uint64_t mask, uint32_t mode)
{
	const struct isa_info *row = isa_info(in->op);
	struct values v = {.old = item[k].old, .in = item[k].flag, .lane = bench_lane(k), .mode = mode};
	bool active = mask >> bench_lane(k) & 1, no_lane = false, floats = is_float_type(row->dst) || row->dst == T_P32,
	     part = in->form == FORM_SDWA && in->dst_sel != 6;
	bool to_high = in->enc != ENC_VOP3P && keeps_half(row->dst) && in->op_sel & 8;
	struct answer a;
	char text[160];

	for (int n = 0; n < isa_source_count(row); n++)
		v.s[n] = modified_source(in, k, n, &v, mask, &no_lane);
	v.clamp = in->clamp && !floats;
	v.neg = row->src[0] == T_U32 ? in->neg : 0;
	if (to_high)
		v.old = item[k].old >> 16 | (item[k].old & 0xffff) << 16;
	if (!m_vector(in->op, &v, &a))
		fail_msg("%s has no model", row->name);
	if ((is_nan_of(a.d, row->dst) && part && !a.known_nans) || ((a.ulps || a.near > 0) && (part || to_high)))
		return true; /* part of a NaN whose payload is not known, or of an approximate result */
	if (floats && (in->clamp || in->omod))
		modify_float(in, &v, &a);
	if (to_high)
		a.d = (item[k].old & 0xffff) | (a.d & 0xffff) << 16, a.known_nans <<= 16;
	else if (bench_target & ISA_GFX11)
		keep_upper_half(&item[k], row, &a);
	if (in->form == FORM_SDWA && row->dst != T_MASK) {
		a.d = merge_sdwa_result(in, item[k].old, a.d);
		a.known_nans = a.known_nans ? UINT32_MAX : 0;
	}
	bool writes = active && is_written(in, k, no_lane);
	if (is_expected_result(&item[k], &result[k], row, &a, active, writes))
		return true;
	isa_print(in, 0, text, sizeof text);
	report_difference(text, k, mode, &v, &a);
	return false;
}

#endif

/* Resolves a decoded instruction: function, operands, destinations. */
#include "softgpu/core/exec/uop_build.h"

#include <stdlib.h>
#include <string.h>

#include "softgpu/core/exec/uop_kind.h"
#include "softgpu/core/memory/icache_fetch.h"
#include "softgpu/core/memory/lds_timing.h"
#include "softgpu/core/memory/access_memo.h"

/* A constant, repeated for all lanes. */
struct uop_constant {
	struct uop_constant *next;
	uint64_t value;
	bool wide;
	uint32_t lane[2 * MAX_LANES] __attribute__((aligned(64)));
};

/* --- operands --- */
static bool is_f64(unsigned type)
{
	return type == T_F64;
}

/* Vega ISA 5.2.1: inline constants. */
static uint64_t inline_float(unsigned n, unsigned type)
{
	static const float value[] = {0.5f, -0.5f, 1, -1, 2, -2, 4, -4};
	static const uint16_t half[] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118};
	unsigned k = n - ISA_F_HALF;
	uint64_t wide;
	uint32_t bits = 0x3e22f983; /* 1/(2*pi) */

	if (type == T_F16 || type == T_B16 || type == T_I16 || type == T_U16 || type == T_P16)
		return half[k];
	if (isa_type_dwords(type) > 1 && type != T_P32) {
		double v = k < 8 ? value[k] : 0;
		memcpy(&wide, &v, sizeof wide);
		return k < 8 ? wide : UINT64_C(0x3fc45f306dc9c882);
	}
	if (k < 8)
		memcpy(&bits, &value[k], sizeof bits);
	return bits;
}

static uint64_t literal_value(uint32_t v, unsigned type)
{
	if (is_f64(type))
		return (uint64_t)v << 32;
	return type == T_I64 ? (uint64_t)(int64_t)(int32_t)v : v;
}

/* The value of an operand that is not a register. */
static bool constant_value(const struct executor *x, const struct isa_inst *d, unsigned n, unsigned type, uint64_t *out)
{
	if (n >= ISA_INT0 && n <= ISA_INT0 + 64)
		*out = n - ISA_INT0;
	else if (n > ISA_INT0 + 64 && n <= ISA_INT0 + 80)
		*out = -(uint64_t)(n - ISA_INT0 - 64);
	else if (n >= ISA_F_HALF && n <= ISA_F_HALF + 8)
		*out = inline_float(n, type);
	else if (n == ISA_LITERAL)
		*out = literal_value(d->literal, type);
	else if (n == ISA_SHARED_BASE || n == ISA_SHARED_LIMIT)
		*out = x->m->shared_aperture | (n == ISA_SHARED_LIMIT ? UINT32_MAX : 0);
	else if (n == ISA_NULL)
		*out = 0;
	else if (n == ISA_PRIVATE_BASE || n == ISA_PRIVATE_LIMIT)
		*out = x->m->private_aperture | (n == ISA_PRIVATE_LIMIT ? UINT32_MAX : 0);
	else
		return false;
	if (isa_type_dwords(type) <= 1 || type == T_P32)
		*out = (uint32_t)*out;
	return true;
}

static const uint32_t *constant_column(struct uop_constant **constants, unsigned lanes, uint64_t value, bool wide)
{
	struct uop_constant *k;

	for (k = *constants; k; k = k->next)
		if (k->value == value && k->wide == wide)
			return k->lane;
	k = aligned_alloc(64, sizeof *k);
	if (!k)
		return NULL;
	*k = (struct uop_constant){.next = *constants, .value = value, .wide = wide};
	for (unsigned l = 0; l < lanes; l++) {
		k->lane[l] = value;
		k->lane[lanes + l] = wide ? value >> 32 : (uint32_t)value;
	}
	*constants = k;
	return k->lane;
}

void uop_constants_free(struct uop_constant **constants)
{
	for (struct uop_constant *k = *constants, *next; k; k = next) {
		next = k->next;
		free(k);
	}
	*constants = NULL;
}

/* The type of a constant as an operand: all elements of a constant matrix are the same. */
static unsigned type_of_constant(unsigned op, unsigned type)
{
	switch (type) {
	case T_MATRIX: return op == OP_v_wmma_f16_16x16x16_f16 ? T_F16 : T_F32;
	case T_ACC2:
	case T_ACC8: return T_F64;
	case T_ACC4:
	case T_ACC16:
	case T_ACC32: return T_F32;
	default: return type;
	}
}

static bool vector_operand(
	struct executor *x, struct uop_constant **constants, struct uop *i, unsigned k, unsigned type)
{
	unsigned n = i->d.src[k];
	uint64_t value;

	type = type_of_constant(i->d.op, type);
	if (n == ISA_NONE || type == T_CARRY) {
		i->src[k] = (uintptr_t)x->m->thread.broadcast[k];
	} else if (n >= ISA_AGPR0) {
		i->src[k] = (n - ISA_AGPR0) * x->lanes * 4 + x->m->agprs * 4;
		i->rel[k] = UINTPTR_MAX;
	} else if (n >= ISA_VGPR0) {
		i->src[k] = (n - ISA_VGPR0) * x->lanes * 4;
		i->rel[k] = UINTPTR_MAX;
	} else if (constant_value(x, &i->d, n, type, &value)) {
		i->src[k] = (uintptr_t)constant_column(constants, x->lanes, value, isa_type_dwords(type) > 1);
		return i->src[k];
	} else if (n < 128 || (n >= ISA_VCCZ && n <= ISA_SCC)) {
		i->src[k] = (uintptr_t)x->m->thread.broadcast[k];
		i->broadcast |= (isa_type_dwords(type) > 1 ? 9 : 1) << k;
	} else {
		return false;
	}
	return true;
}

/* SCC, VCCZ and EXECZ as operands: their value is copied to where the operation reads its operand. */
static void op_status_operand(struct wave *w, const struct uop *i)
{
	struct uop copy = *i;

	for (unsigned k = 0; k < 3; k++) {
		unsigned n = i->d.src[k];
		if (n < ISA_VCCZ || n > ISA_SCC)
			continue;
		copy.constant[k] = n == ISA_SCC ? w->scc : n == ISA_EXECZ ? !wave_exec_mask(w) : !wave_vcc_mask(w);
		copy.src[k] = (uintptr_t)&copy.constant[k];
		copy.rel[k] = 0;
	}
	launch_executor(w)->ops[i->d.op](
		w, &copy); /* base_fn may be this function, below a wrapper of memory instructions */
}

static bool scalar_operand(struct executor *x, struct uop *i, unsigned k, unsigned type)
{
	unsigned n = i->d.src[k];

	i->src[k] = (uintptr_t)&i->constant[k];
	if (n == ISA_NONE || type == T_SIMM16)
		return true;
	if (n < 128) {
		i->src[k] = n * 4;
		i->rel[k] = UINTPTR_MAX;
		return true;
	}
	if (n >= ISA_VCCZ && n <= ISA_SCC) {
		i->fn = op_status_operand;
		return true;
	}
	return constant_value(x, &i->d, n, type, &i->constant[k]);
}

/* --- modifiers --- */
static bool is_relative_move(unsigned op)
{
	return op == OP_v_movreld_b32 || op == OP_v_movrels_b32 || op == OP_v_movrelsd_b32 || op == OP_v_movrelsd_2_b32;
}

static bool is_modified(const struct isa_inst *d, const struct isa_info *info, unsigned sources)
{
	unsigned all = (1u << sources) - 1;

	if (info->rate == RATE_MATRIX || info->traits & WRITES_S0 ||
		is_relative_move(d->op)) /* they apply them themselves */
		return false;
	if (d->form != FORM_PLAIN)
		return true;
	if (d->enc == ENC_VOP3P) {
		if (has_operand_type(info, T_MIX))
			return d->neg || d->neg_hi || (d->op_sel_hi & all) || d->clamp;
		if (has_operand_type(info, T_P32))
			return d->neg || d->neg_hi || (d->op_sel & all) || (d->op_sel_hi & all) != all || d->clamp;
		return d->neg || d->neg_hi ||
			(has_operand_type(info, T_P16) && ((d->op_sel & all) || (d->op_sel_hi & all) != all));
	}
	bool floats = info->dst == T_F32 || info->dst == T_F64 || info->dst == T_F16 || info->dst == T_F16K;
	bool half_high = d->op_sel & 8 && info->dst >= T_B16 && info->dst <= T_F16;
	return d->neg || d->abs || d->omod || (d->clamp && floats) || d->op_sel & 7 || half_high;
}

/* --- memory instructions with GDS, TFE or LDS bits --- */
/* GDS: M0 contains base and size of the allocation (Vega ISA 10.3); append and consume add the base themselves. */
static void op_gds(struct wave *w, const struct uop *i)
{
	bool appends = i->d.op == OP_ds_append || i->d.op == OP_ds_consume;
	uint32_t m0 = w->s[ISA_M0], base = appends ? 0 : m0 >> 16, size = appends ? GDS_BYTES : m0 & 0xffff,
		 bytes = w->lds_bytes;
	uint8_t *lds = w->lds;

	w->lds = w->m->gds + base;
	w->lds_bytes = size < GDS_BYTES - base ? size : GDS_BYTES - base;
	i->base_fn(w, i);
	w->lds = lds;
	w->lds_bytes = bytes;
}

/* TFE: writes one more dword, which is 0 because all memory is resident. */
static void op_tfe(struct wave *w, const struct uop *i)
{
	unsigned next = i->d.dst - ISA_VGPR0 + isa_type_dwords(isa_info(i->d.op)->dst);

	i->base_fn(w, i);
	for (unsigned l = 0; l < w->launch->lanes && next < MAX_VGPRS; l++)
		if (wave_exec_mask(w) >> l & 1)
			w->v[next * w->launch->lanes + l] = 0;
}

static void put_exec_mask(struct wave *w, uint64_t mask)
{
	w->s[ISA_EXEC] = (uint32_t)mask;
	if (w->launch->lanes > 32)
		w->s[ISA_EXEC + 1] = (uint32_t)(mask >> 32);
}

/* A load to LDS, one dword per lane from M0[15:0] + offset on (Vega ISA 8.1.7). It loads to v0, which is then restored.
 * "Set the active-mask to limit buffer reads to those threads that return data to a legal LDS location." */
static void op_load_lds(struct wave *w, const struct uop *i)
{
	uint32_t keep[MAX_LANES], at = (w->s[ISA_M0] & 0xffff) + (uint32_t)i->d.imm;
	const uint64_t exec = wave_exec_mask(w);
	const unsigned room = w->lds_bytes > at ? (w->lds_bytes - at) / 4 : 0;
	struct uop load = *i;

	memcpy(keep, w->v, sizeof keep);
	load.d.dst = ISA_VGPR0;
	put_exec_mask(w, room < MAX_LANES ? exec & ((UINT64_C(1) << room) - 1) : exec);
	i->base_fn(w, &load);
	for (uint64_t e = wave_exec_mask(w); e; e &= e - 1) {
		const unsigned l = __builtin_ctzll(e);
		memcpy(w->lds + at + 4 * l, &w->v[l], 4);
	}
	put_exec_mask(w, exec);
	memcpy(w->v, keep, sizeof keep);
}

static void wrap_memory(struct uop *i)
{
	op_fn *wrapper = i->kind == UOP_GLOBAL_SYNC             ? NULL
		: i->d.flags & FLAG_GDS && i->d.enc == ENC_DS   ? op_gds
		: !isa_is_buffer(i->d.enc)                      ? NULL
		: i->d.flags & FLAG_LDS                         ? op_load_lds
		: i->d.flags & FLAG_TFE && i->d.dst != ISA_NONE ? op_tfe
								: NULL;

	if (!wrapper)
		return;
	i->base_fn = i->fn;
	i->fn = wrapper;
}

static bool is_vector(unsigned enc)
{
	return enc == ENC_VOP1 || enc == ENC_VOP2 || enc == ENC_VOPC || enc == ENC_VOP3 || enc == ENC_VOP3P ||
		enc == ENC_VOPD;
}

static bool resolve_operands(
	struct executor *x, struct uop_constant **constants, struct uop *i, const struct isa_info *info)
{
	bool vector = is_vector(i->d.enc),
	     data = i->d.enc == ENC_DS || i->d.enc == ENC_FLAT || i->d.enc == ENC_GLOBAL || i->d.enc == ENC_SCRATCH ||
		isa_is_buffer(i->d.enc) || i->d.enc == ENC_MIMG;

	for (unsigned k = 0; k < 3; k++) {
		unsigned type = info->src[k];
		i->sources += type != T__;
		if (vector || (data && i->d.src[k] != ISA_NONE && i->d.src[k] >= ISA_VGPR0)) {
			if (!vector_operand(x, constants, i, k, type))
				return false;
		} else if (!scalar_operand(x, i, k, type)) {
			return false;
		}
	}
	return true;
}

static void resolve_destinations(const struct executor *x, struct uop *i, const struct isa_info *info)
{
	if (i->d.dst == ISA_NULL)
		i->d.dst = SGPR_DISCARD;
	i->dst2 = i->d.dst2 == ISA_NONE ? ISA_VCC : i->d.dst2 == ISA_NULL ? SGPR_DISCARD : i->d.dst2 & 127;
	i->mask_src = info->src[2] == T_CARRY && i->d.src[2] != ISA_NONE ? i->d.src[2] & 127 : ISA_VCC;
	if (info->dst == T_MASK && i->d.dst == ISA_NONE)
		i->d.dst = ISA_VCC;
	if (info->dst == T_MASK && info->dst2 != T_EXEC) /* one mask is written, but operations write both */
		i->dst2 = i->d.dst;
	if (i->d.dst == ISA_NONE)
		i->dst = 0;
	else if (i->d.dst >= ISA_AGPR0)
		i->dst = (i->d.dst - ISA_AGPR0) * x->lanes * 4 + x->m->agprs * 4;
	else if (i->d.dst >= ISA_VGPR0)
		i->dst = (i->d.dst - ISA_VGPR0) * x->lanes * 4;
	else
		i->dst = i->d.dst * 4;
}

/* Allocates the memo of an LDS instruction, or the list of those of a memory instruction. */
static bool allocate_memo(const struct executor *x, struct uop *i, const struct isa_info *info)
{
	bool plain = (i->d.enc == ENC_FLAT || i->d.enc == ENC_GLOBAL) && !(info->traits & VMEM_ATOMIC);

	if (info->unit == UNIT_LDS)
		i->memo = aligned_alloc(64, sizeof *i->lds);
	else if (plain)
		i->memo = memory_memos_create(x->m->clusters);
	else
		return true;
	if (info->unit == UNIT_LDS && i->memo)
		memset(i->memo, 0, sizeof *i->lds);
	return i->memo;
}

/* --- all together --- */
/* The data of compare and swap is two cells, twice as wide as the result. */
static bool is_compare_swap(const struct isa_info *info)
{
	unsigned data = info->enc == ENC_SMEM ? info->src[2] : info->dst2 ? info->dst2 : info->src[1];

	return is_memory(info->unit) && info->unit != UNIT_LDS && info->dst != T__ &&
		isa_type_dwords(data) == 2 * isa_type_dwords(info->dst);
}

/* Adds the second operation to the uop of the first one. */
static bool build_dual(struct executor *x, struct uop_constant **constants, struct uop *i)
{
	const struct isa_inst d = isa_second_operation(&i->d);
	const struct isa_info *info = isa_info(d.op);
	struct uop *second = i->dual = aligned_alloc(64, sizeof *second);

	if (!second)
		return false;
	*second = (struct uop){.fn = x->ops[d.op], .base_fn = x->ops[d.op], .pc = i->pc, .d = d, .unit = info->unit};
	if (!second->fn || !resolve_operands(x, constants, second, info))
		return false;
	resolve_destinations(x, second, info);
	i->base_fn = i->fn;
	i->fn = x->ops[OPS_DUAL];
	if (i->fp == FP_NONE)
		i->fp = uop_fp_class(d.op, info);
	return true;
}

bool uop_build(
	struct executor *x, struct uop_constant **constants, struct uop *i, uint64_t pc, const struct isa_inst *d)
{
	const struct isa_info *info = isa_info(d->op);

	*i = (struct uop){.fn = x->ops[d->op], .pc = pc, .d = *d, .unit = info->unit, .words = d->size / 4};
	if (!i->fn || !resolve_operands(x, constants, i, info))
		return false;
	wrap_memory(i);
	resolve_destinations(x, i, info);
	uop_set_kind(x, i, info);
	i->fp = uop_fp_class(d->op, info);
	if (d->enc == ENC_VOPD)
		return build_dual(x, constants, i);
	if (is_vector(d->enc) && is_modified(d, info, i->sources)) {
		i->base_fn = i->fn;
		i->fn = x->ops[OPS_MODIFIED];
	}
	if (is_compare_swap(info))
		i->sources |= 0x80;
	uint64_t window = ~(uint64_t)(x->m->model.fetch_bytes - 1);
	if ((pc & window) != ((pc + d->size - 1) & window))
		i->fetch_stall = x->m->model.fetch_stall_cycles ? 4 + x->m->model.fetch_stall_cycles : 0;
	i->is_fetch_entry = (pc - 1) >> FETCH_LINE_BITS != (pc + d->size - 1) >> FETCH_LINE_BITS;
	return allocate_memo(x, i, info);
}

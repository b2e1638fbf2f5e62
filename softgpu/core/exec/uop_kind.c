#include "softgpu/core/exec/uop_kind.h"

#include "softgpu/core/exec/wave_hwreg.h"
#include "softgpu/core/timing/line_dependencies.h"
#include "softgpu/isa/semantics_mfma.h"

enum fp_class uop_fp_class(unsigned op, const struct isa_info *info)
{
	if (is_memory(info->unit))
		return info->traits & LDS_F32_ATOMIC ? FP_LDS : info->traits & FLOAT_ATOMIC ? FP_MEMORY : FP_NONE;
	switch (op) {
	case OP_v_mad_f32:
	case OP_v_mac_f32:
	case OP_v_madmk_f32:
	case OP_v_madak_f32: return FP_FLUSH;
	case OP_v_cvt_f64_f32: /* MODE's f32 bits apply to its source */ return FP_32;
	case OP_v_cvt_f32_f64: return FP_NARROW;
	}
	bool trans = info->rate == RATE_QUARTER || info->rate == RATE_F64_TRANS;
	if (has_operand_type(info, T_MIX) || op == OP_v_cvt_pkrtz_f16_f32)
		return FP_MIX;
	if (has_operand_type(info, T_F16) || has_operand_type(info, T_F16K) || info->traits & PACKED_F16)
		return trans ? FP_TRANS_16 : FP_16;
	if (has_operand_type(info, T_P32))
		return FP_32;
	if (has_operand_type(info, T_F64))
		return trans ? FP_TRANS_64 : FP_64;
	return !has_operand_type(info, T_F32) ? FP_NONE : trans ? FP_TRANS_32 : FP_32;
}

static unsigned rate_cycles(const struct model *m, unsigned rate)
{
	const int64_t cycles[RATE_COUNT] = {[RATE_FULL] = m->valu_cycles,
		[RATE_QUARTER] = m->valu_quarter_cycles,
		[RATE_INT_MUL] = m->valu_int_mul_cycles,
		[RATE_CVT] = m->valu_cvt_cycles,
		[RATE_SHIFT64] = m->valu_shift64_cycles,
		[RATE_F64_FMA] = m->valu_f64_fma_cycles,
		[RATE_F64_ADD] = m->valu_f64_add_cycles,
		[RATE_F64_CVT] = m->valu_f64_cvt_cycles,
		[RATE_F64_TRANS] = m->valu_f64_trans_cycles,
		[RATE_MATRIX] = m->valu_matrix_cycles,
		[RATE_MFMA] = m->mfma_issue_cycles,
		[RATE_SCALAR] = m->salu_cycles,
		[RATE_MEM] = m->salu_cycles};

	return cycles[rate];
}

/* A wave of 64 lanes takes two passes through the 32 lanes of a SIMD, as its addresses do, but one where both of its
 * ALUs have the operation. */
static unsigned valu_passes(const struct executor *x, unsigned op)
{
	return isa_has_dual_form(op) ? 1 : x->lanes / x->m->model.gpu->target->family->wave_lanes;
}

/* v_mfma: the matrix core takes longer than the issue, after which the vector ALU may work next to it. */
static void set_matrix_core(const struct model *m, struct uop *i)
{
	const struct mfma_shape *s = isa_mfma_shape(i->d.op);

	i->matrix_cycles = mfma_passes(s) * m->mfma_pass_cycles;
	i->dependency |= USES_MATRIX_CORE;
	if (!mfma_coexecutes(s))
		i->cost = i->matrix_cycles;
}

/* A load of whole registers that other waves do not observe. */
static bool is_cached_load(const struct uop *i, const struct isa_info *info)
{
	return i->d.enc == ENC_GLOBAL && info->dst != T__ && !(info->traits & VMEM_ATOMIC) &&
		!(info->traits & READS_D) && !(i->d.flags & (FLAG_GLC | FLAG_SLC));
}

/* Whether it may execute before its issue cycle, run_ahead.h. */
static bool may_run_ahead(const struct uop *i, const struct isa_info *info)
{
	switch (i->kind) {
	case UOP_PLAIN: return i->unit == UNIT_VALU || i->unit == UNIT_SALU || i->d.op == OP_s_nop;
	case UOP_MEMORY: return (i->cu_local && info->traits & LDS_MOVE && info->dst != T__) || is_cached_load(i, info);
	case UOP_BRANCH:
		return i->d.op == OP_s_branch || (i->d.op >= OP_s_cbranch_scc0 && i->d.op <= OP_s_cbranch_execnz);
	default: return i->kind == UOP_WAITCNT || i->kind == UOP_BARRIER;
	}
}

/* The counts that a wait permits. */
static void set_wait(struct uop *i)
{
	const unsigned imm = (uint16_t)i->d.imm, count = imm < WAITCNT_MAX ? imm : WAITCNT_MAX;

	i->kind = UOP_WAITCNT;
	i->wait_vm = i->wait_vs = i->wait_lgkm = WAITCNT_MAX;
	switch (i->d.op) {
	case OP_s_waitcnt_vmcnt: i->wait_vm = count; break;
	case OP_s_waitcnt_vscnt: i->wait_vs = count; break;
	case OP_s_waitcnt_lgkmcnt: i->wait_lgkm = count; break;
	case OP_s_waitcnt:
		i->wait_vm = isa_wait_count(isa_family_of(i->d.target)->vmcnt, imm);
		i->wait_lgkm = isa_wait_count(isa_family_of(i->d.target)->lgkmcnt, imm);
	}
}

void uop_set_kind(const struct executor *x, struct uop *i, const struct isa_info *info)
{
	i->cost = rate_cycles(&x->m->model, info->rate);
	i->kind = is_memory(info->unit) ? UOP_MEMORY : UOP_PLAIN;
	i->cu_local = i->d.op == OP_s_barrier || (info->unit == UNIT_LDS && !(i->d.flags & FLAG_GDS));
	if (info->unit == UNIT_BRANCH) {
		i->kind = UOP_BRANCH;
		i->cost = x->m->model.branch_cycles;
	}
	switch (i->d.op) {
	case OP_s_getpc_b64: i->cost = x->m->model.salu_cycles; break;
	case OP_s_sleep: i->kind = UOP_BRANCH; break; /* it changes the time of the next instruction */
	case OP_s_waitcnt:
	case OP_s_waitcnt_vmcnt:
	case OP_s_waitcnt_vscnt:
	case OP_s_waitcnt_lgkmcnt:
	case OP_s_waitcnt_expcnt: set_wait(i); break;
	case OP_s_barrier: i->kind = UOP_BARRIER; break;
	case OP_s_endpgm:
	case OP_s_endpgm_saved:
	case OP_s_endpgm_ordered_ps_done: i->kind = UOP_ENDPGM; break;
	case OP_s_setkill: i->kind = i->d.imm & 1 ? UOP_ENDPGM : UOP_PLAIN; break;
	case OP_s_trap:
	case OP_s_sethalt:
	case OP_s_sendmsghalt: i->kind = UOP_SHARED; break;
	case OP_s_nop: i->cost = x->m->model.salu_cycles * ((i->d.imm & 15) + 1); break;
	}
	if (isa_is_global_wave_sync(i->d.op))
		i->kind = UOP_GLOBAL_SYNC;
	if (wave_register_is_clock(i)) {
		i->kind = UOP_SHARED; /* it depends on its issue cycle */
		i->cu_local = true;
	}
	if (info->unit == UNIT_VALU)
		i->cost *= valu_passes(x, i->d.op);
	if (info->rate == RATE_MFMA)
		set_matrix_core(&x->m->model, i);
	i->busy = info->unit == UNIT_INTERNAL || model_is_ideal(&x->m->model, IDEAL_issue) ? 0 : i->cost;
	i->may_run_ahead = may_run_ahead(i, info);
}

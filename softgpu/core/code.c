#include "softgpu/core/code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/core/fetch.h"
#include "softgpu/core/lds.h"
#include "softgpu/core/ops.h"
#include "softgpu/core/simd.h"

enum { PAGE_BYTES = 4096, PAGE_DWORDS = PAGE_BYTES / 4, BUCKETS = 256, WIDEST = 8 };

/* Decoded instructions of one page, by dword. The two behind the last lead to the next page. */
struct page {
	uint64_t va;
	struct page *next;               /* in the bucket */
	uint32_t decoded;
	uint16_t list[PAGE_DWORDS];      /* dwords that hold a decoded instruction */
	uint32_t bytes[PAGE_DWORDS];     /* the memory as it was decoded */
	struct inst inst[PAGE_DWORDS + 3]; /* and one that issue looks at but never reaches */
};

/* A constant in all lanes. */
struct column {
	struct column *next;
	uint64_t value;
	bool wide;
	uint32_t lane[2 * LANES] __attribute__((aligned(64)));
};

struct code {
	struct page *bucket[BUCKETS];
	struct page *last;
	struct column *columns;
	struct lds_memo *memos;
	struct inst indexed;
	struct inst lost[2];             /* where nothing could be fetched, or kept */
};

struct code *code_open(void)
{
	struct code *c = aligned_alloc(64, (sizeof(struct code) + 63) / 64 * 64);

	if (c)
		memset(c, 0, sizeof *c);
	return c;
}

static void forget(struct code *c)
{
	for (unsigned b = 0; b < BUCKETS; b++)
		for (struct page *p = c->bucket[b], *next; p; p = next) {
			next = p->next;
			for (uint32_t k = 0; k < p->decoded; k++)
				free(p->inst[p->list[k]].memo);
			free(p);
		}
	for (struct column *k = c->columns, *next; k; k = next) {
		next = k->next;
		free(k);
	}
	memset(c->bucket, 0, sizeof c->bucket);
	c->columns = NULL;
	c->last = NULL;
}

void code_close(struct code *c)
{
	if (c)
		forget(c);
	free(c);
}

/* --- operands ------------------------------------------------------------------------------------------------------ */
static bool is_f64(unsigned type)
{
	return type == T_F64;
}

/* Vega ISA 5.2.1: inline constants. */
static uint64_t inline_float(unsigned n, unsigned type)
{
	static const float value[] = { 0.5f, -0.5f, 1, -1, 2, -2, 4, -4 };
	static const uint16_t half[] = { 0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118 };
	unsigned k = n - ISA_F_HALF;
	uint64_t wide;
	uint32_t bits = 0x3e22f983; /* 1/(2*pi) */

	if (type == T_F16 || type == T_B16 || type == T_I16 || type == T_U16 || type == T_P16)
		return half[k];
	if (isa_type_dwords(type) > 1) {
		double v = k < 8 ? value[k] : 0;
		memcpy(&wide, &v, sizeof wide);
		return k < 8 ? wide : UINT64_C(0x3fc45f306dc9c882);
	}
	if (k < 8)
		memcpy(&bits, &value[k], sizeof bits);
	return bits;
}

static uint64_t literal(uint32_t v, unsigned type)
{
	if (is_f64(type))
		return (uint64_t)v << 32;
	return type == T_I64 ? (uint64_t)(int64_t)(int32_t)v : v;
}

/* The value of an operand that is no register. */
static bool constant(const struct machine *m, const struct isa_inst *d, unsigned n, unsigned type, uint64_t *out)
{
	const struct dispatch *launch = m->launch.d;

	if (n >= ISA_INT0 && n <= ISA_INT0 + 64)
		*out = n - ISA_INT0;
	else if (n > ISA_INT0 + 64 && n <= ISA_INT0 + 80)
		*out = -(uint64_t)(n - ISA_INT0 - 64);
	else if (n >= ISA_F_HALF && n <= ISA_F_HALF + 8)
		*out = inline_float(n, type);
	else if (n == ISA_LITERAL)
		*out = literal(d->literal, type);
	else if (n == ISA_SHARED_BASE || n == ISA_SHARED_LIMIT)
		*out = launch->shared_aperture | (n == ISA_SHARED_LIMIT ? UINT32_MAX : 0);
	else if (n == ISA_PRIVATE_BASE || n == ISA_PRIVATE_LIMIT)
		*out = launch->private_aperture | (n == ISA_PRIVATE_LIMIT ? UINT32_MAX : 0);
	else
		return false;
	if (isa_type_dwords(type) <= 1)
		*out = (uint32_t)*out;
	return true;
}

static const uint32_t *column(struct code *c, uint64_t value, bool wide)
{
	struct column *k;

	for (k = c->columns; k; k = k->next)
		if (k->value == value && k->wide == wide)
			return k->lane;
	k = aligned_alloc(64, sizeof *k);
	if (!k)
		return NULL;
	*k = (struct column){ .next = c->columns, .value = value, .wide = wide };
	for (unsigned l = 0; l < LANES; l++) {
		k->lane[l] = value;
		k->lane[LANES + l] = wide ? value >> 32 : (uint32_t)value;
	}
	c->columns = k;
	return k->lane;
}

static bool vector_operand(struct machine *m, struct inst *i, unsigned k, unsigned type)
{
	unsigned n = i->d.src[k];
	uint64_t value;

	if (n == ISA_NONE || type == T_CARRY) {
		i->src[k] = (uintptr_t)m->broadcast[k];
	} else if (n >= ISA_AGPR0) {
		i->src[k] = (n - ISA_AGPR0) * LANES * 4 + m->agprs * 4;
		i->rel[k] = UINTPTR_MAX;
	} else if (n >= ISA_VGPR0) {
		i->src[k] = (n - ISA_VGPR0) * LANES * 4;
		i->rel[k] = UINTPTR_MAX;
	} else if (constant(m, &i->d, n, type, &value)) {
		i->src[k] = (uintptr_t)column(m->code, value, isa_type_dwords(type) > 1);
		return i->src[k];
	} else if (n < 128 || (n >= ISA_VCCZ && n <= ISA_SCC)) {
		i->src[k] = (uintptr_t)m->broadcast[k];
		i->broadcast |= (isa_type_dwords(type) > 1 ? 9 : 1) << k;
	} else {
		return false;
	}
	return true;
}

/* SCC, VCCZ and EXECZ as operands: their value is put where the operation looks for it. */
static void op_status_operand(struct wave *w, const struct inst *i)
{
	struct inst copy = *i;

	for (unsigned k = 0; k < 2; k++) {
		unsigned n = i->d.src[k];
		if (n < ISA_VCCZ || n > ISA_SCC)
			continue;
		copy.constant[k] = n == ISA_SCC ? w->scc : n == ISA_EXECZ ? !exec_of(w) : !(w->s[ISA_VCC] | w->s[ISA_VCC + 1]);
		copy.src[k] = (uintptr_t)&copy.constant[k];
		copy.rel[k] = 0;
	}
	i->plain(w, &copy);
}

static bool scalar_operand(struct machine *m, struct inst *i, unsigned k, unsigned type)
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
		i->plain = i->fn;
		i->fn = op_status_operand;
		return true;
	}
	return constant(m, &i->d, n, type, &i->constant[k]);
}

/* --- what an instruction needs ------------------------------------------------------------------------------------- */
static bool has(const char *name, const char *part)
{
	return strstr(name, part) != NULL;
}

static bool is_vector(unsigned enc)
{
	return enc == ENC_VOP1 || enc == ENC_VOP2 || enc == ENC_VOPC || enc == ENC_VOP3 || enc == ENC_VOP3P;
}

static bool is_memory(unsigned unit)
{
	return unit == UNIT_SMEM || unit == UNIT_VMEM || unit == UNIT_FLAT || unit == UNIT_LDS;
}

static bool uses(const struct isa_info *info, unsigned type)
{
	return info->dst == type || info->src[0] == type || info->src[1] == type || info->src[2] == type;
}

static enum fp_class fp_of(unsigned op, const struct isa_info *info)
{
	if (is_memory(info->unit))
		return has(info->name, "_f64") || has(info->name, "_f16") ? FP_MEMORY :
		       !has(info->name, "_f32") ? FP_NONE : info->unit == UNIT_LDS ? FP_LDS : FP_MEMORY;
	switch (op) {
	case OP_v_mad_f32: case OP_v_mac_f32: case OP_v_madmk_f32: case OP_v_madak_f32:
		return FP_FLUSH;
	case OP_v_cvt_f64_f32: /* it is the f32 that MODE's f32 bits are about */
		return FP_32;
	case OP_v_cvt_f32_f64:
		return FP_NARROW;
	}
	bool trans = info->rate == RATE_QUARTER || info->rate == RATE_F64_TRANS;
	if (uses(info, T_MIX) || op == OP_v_cvt_pkrtz_f16_f32)
		return FP_MIX;
	if (uses(info, T_F16) || uses(info, T_F16K) || (uses(info, T_P16) && has(info->name, "f16")))
		return trans ? FP_TRANS_16 : FP_16;
	if (uses(info, T_F64))
		return trans ? FP_TRANS_64 : FP_64;
	return !uses(info, T_F32) ? FP_NONE : trans ? FP_TRANS_32 : FP_32;
}

static unsigned rate_cycles(const struct model *m, unsigned rate)
{
	const int64_t cycles[RATE_COUNT] = { [RATE_FULL] = m->valu_cycles, [RATE_QUARTER] = m->valu_quarter_cycles,
		[RATE_CVT] = m->valu_quarter_cycles,
		[RATE_SHIFT64] = m->valu_shift64_cycles, [RATE_F64_FMA] = m->valu_f64_fma_cycles,
		[RATE_F64_ADD] = m->valu_f64_add_cycles, [RATE_F64_CVT] = m->valu_f64_cvt_cycles,
		[RATE_F64_TRANS] = m->valu_f64_trans_cycles, [RATE_SCALAR] = m->salu_cycles, [RATE_MEM] = m->salu_cycles };

	return cycles[rate];
}

/* What the instruction does concerns the wave alone, or loads from or stores to LDS. */
static bool may_run_ahead(const struct inst *i, const struct isa_info *info)
{
	if (i->kind == KIND_MEMORY)
		return i->local && (has(info->name, "ds_read") || has(info->name, "ds_write"));
	return i->kind == KIND_WAIT || (i->kind == KIND_PLAIN && (i->unit == UNIT_VALU || i->unit == UNIT_SALU));
}

static void set_kind(const struct machine *m, struct inst *i, const struct isa_info *info)
{
	i->cost = rate_cycles(&m->model, info->rate);
	i->kind = is_memory(info->unit) ? KIND_MEMORY : KIND_PLAIN;
	i->local = i->d.op == OP_s_barrier || (info->unit == UNIT_LDS && !(i->d.flags & FLAG_GDS));
	if (info->unit == UNIT_BRANCH) {
		i->kind = KIND_BRANCH;
		i->cost = m->model.branch_cycles;
	}
	switch (i->d.op) {
	case OP_s_getpc_b64:
		i->cost = m->model.salu_cycles;
		break;
	case OP_s_sleep: i->kind = KIND_BRANCH; break; /* it sets the time of the next instruction */
	case OP_s_waitcnt: i->kind = KIND_WAIT; break;
	case OP_s_barrier: i->kind = KIND_BARRIER; break;
	case OP_s_endpgm: case OP_s_endpgm_saved: case OP_s_endpgm_ordered_ps_done: i->kind = KIND_END; break;
	case OP_s_setkill: i->kind = i->d.imm & 1 ? KIND_END : KIND_PLAIN; break;
	case OP_s_trap: case OP_s_sethalt: case OP_s_sendmsghalt: i->kind = KIND_SHARED; break;
	case OP_s_nop: i->cost = m->model.salu_cycles * ((i->d.imm & 15) + 1); break;
	}
	i->ahead = may_run_ahead(i, info);
}

static bool is_modified(const struct isa_inst *d, const struct isa_info *info, unsigned sources)
{
	unsigned all = (1u << sources) - 1;

	if (d->form != FORM_PLAIN)
		return true;
	if (d->enc == ENC_VOP3P) {
		if (uses(info, T_MIX))
			return d->neg || d->neg_hi || (d->op_sel_hi & all) || d->clamp;
		return d->neg || d->neg_hi || (uses(info, T_P16) && ((d->op_sel & all) || (d->op_sel_hi & all) != all));
	}
	bool floats = info->dst == T_F32 || info->dst == T_F64 || info->dst == T_F16 || info->dst == T_F16K;
	bool half_high = d->op_sel & 8 && info->dst >= T_B16 && info->dst <= T_F16;
	return d->neg || d->abs || d->omod || (d->clamp && floats) || d->op_sel & 7 || half_high;
}

/* --- one instruction ----------------------------------------------------------------------------------------------- */
static void op_illegal(struct wave *w, const struct inst *i)
{
	char name[96];
	const struct region *r = vm_find(&w->m->vm, i->pc, 4, VM_READ);
	size_t avail = r ? r->size - (i->pc - r->va) : 0;

	snprintf(name, sizeof name, "not mapped");
	if (r)
		isa_print_unknown(r->host + (i->pc - r->va), avail < WIDEST ? avail : WIDEST, name, sizeof name);
	machine_halt(w, i, LAUNCH_ILLEGAL, "illegal instruction: %s", name);
}

static void op_fetch_fault(struct wave *w, const struct inst *i)
{
	w->m->launch.out->fault_va = i->pc;
	machine_halt(w, i, LAUNCH_MEMORY_FAULT, "no executable code is mapped at 0x%llx", (unsigned long long)i->pc);
}

static void op_next_page(struct wave *w, const struct inst *i)
{
	w->next = w->last;
	fetch_go(w, code_at(w->m, i->pc));
}

static void make_stop(struct inst *i, uint64_t pc, op_fn *fn)
{
	*i = (struct inst){ .fn = fn, .pc = pc, .kind = KIND_SHARED, .unit = UNIT_INTERNAL, .cost = 4, .words = 1 };
}

/* --- memory instructions with a bit that changes where data is or goes ---------------------------------------------- */
/* GDS: M0 has its part's base and size (Vega ISA 10.3); append and consume add the base themselves. */
static void op_gds(struct wave *w, const struct inst *i)
{
	bool appends = i->d.op == OP_ds_append || i->d.op == OP_ds_consume;
	uint32_t m0 = w->s[ISA_M0], base = appends ? 0 : m0 >> 16, size = appends ? GDS_BYTES : m0 & 0xffff, bytes = w->lds_bytes;
	uint8_t *lds = w->lds;

	w->lds = w->m->gds + base;
	w->lds_bytes = size < GDS_BYTES - base ? size : GDS_BYTES - base;
	i->plain(w, i);
	w->lds = lds;
	w->lds_bytes = bytes;
}

/* TFE: a dword more, 0 because all of memory is resident. */
static void op_tfe(struct wave *w, const struct inst *i)
{
	unsigned next = i->d.dst - ISA_VGPR0 + isa_type_dwords(isa_info(i->d.op)->dst);

	i->plain(w, i);
	for (unsigned l = 0; l < LANES && next < MAX_VGPRS; l++)
		if (exec_of(w) >> l & 1)
			w->v[next * LANES + l] = 0;
}

/* A load that ends in LDS, a dword a lane from M0[15:0] + offset on (Vega ISA 8.1.7), by way of v0. */
static void op_load_lds(struct wave *w, const struct inst *i)
{
	uint32_t keep[LANES], at = (w->s[ISA_M0] & 0xffff) + (uint32_t)i->d.imm;
	struct inst load = *i;

	memcpy(keep, w->v, sizeof keep);
	load.d.dst = ISA_VGPR0;
	i->plain(w, &load);
	for (unsigned l = 0; l < LANES; l++)
		if (exec_of(w) >> l & 1 && at + 4 * l + 4 <= w->lds_bytes)
			memcpy(w->lds + at + 4 * l, &w->v[l], 4);
	memcpy(w->v, keep, sizeof keep);
}

static void wrap_memory(struct inst *i)
{
	op_fn *wrapper = i->d.flags & FLAG_GDS && i->d.enc == ENC_DS ? op_gds :
	                 i->d.enc != ENC_MUBUF ? NULL :
	                 i->d.flags & FLAG_LDS ? op_load_lds :
	                 i->d.flags & FLAG_TFE && i->d.dst != ISA_NONE ? op_tfe : NULL;

	if (!wrapper)
		return;
	i->plain = i->fn;
	i->fn = wrapper;
}

static bool operands(struct machine *m, struct inst *i, const struct isa_info *info)
{
	bool vector = is_vector(i->d.enc), data = i->d.enc == ENC_DS || i->d.enc == ENC_FLAT || i->d.enc == ENC_GLOBAL ||
		i->d.enc == ENC_SCRATCH || i->d.enc == ENC_MUBUF;

	for (unsigned k = 0; k < 3; k++) {
		unsigned type = info->src[k];
		i->sources += type != T__;
		if (vector || (data && i->d.src[k] != ISA_NONE && i->d.src[k] >= ISA_VGPR0)) {
			if (!vector_operand(m, i, k, type))
				return false;
		} else if (!scalar_operand(m, i, k, type)) {
			return false;
		}
	}
	return true;
}

static void destinations(const struct machine *m, struct inst *i, const struct isa_info *info)
{
	i->dst2 = i->d.dst2 == ISA_NONE ? ISA_VCC : i->d.dst2 & 127;
	i->mask_src = info->src[2] == T_CARRY && i->d.src[2] != ISA_NONE ? i->d.src[2] & 127 : ISA_VCC;
	if (info->dst == T_MASK && i->d.dst == ISA_NONE)
		i->d.dst = ISA_VCC;
	if (i->d.dst == ISA_NONE)
		i->dst = 0;
	else if (i->d.dst >= ISA_AGPR0)
		i->dst = (i->d.dst - ISA_AGPR0) * LANES * 4 + m->agprs * 4;
	else if (i->d.dst >= ISA_VGPR0)
		i->dst = (i->d.dst - ISA_VGPR0) * LANES * 4;
	else
		i->dst = i->d.dst * 4;
}

static bool make(struct machine *m, struct inst *i, uint64_t pc, const struct isa_inst *d)
{
	const struct isa_info *info = isa_info(d->op);

	*i = (struct inst){ .fn = m->ops[d->op], .pc = pc, .d = *d, .unit = info->unit, .words = d->size / 4 };
	if (!i->fn || !operands(m, i, info))
		return false;
	wrap_memory(i);
	destinations(m, i, info);
	set_kind(m, i, info);
	i->fp = fp_of(d->op, info);
	if (is_vector(d->enc) && is_modified(d, info, i->sources)) {
		i->plain = i->fn;
		i->fn = m->ops[OP_COUNT];
	}
	if (has(info->name, "atomic_cmpswap"))
		i->sources |= 0x80;
	if (info->unit == UNIT_LDS)
		i->memo = calloc(1, sizeof *i->memo);
	uint64_t window = ~(uint64_t)(m->model.fetch_bytes - 1);
	if ((pc & window) != ((pc + d->size - 1) & window))
		i->late = m->model.fetch_stall_cycles ? 4 + m->model.fetch_stall_cycles : 0;
	i->enters = (pc - 1) >> FETCH_LINE_BITS != (pc + d->size - 1) >> FETCH_LINE_BITS;
	return info->unit != UNIT_LDS || i->memo;
}

/* Nothing in line follows these. */
static bool ends_line(const struct inst *i)
{
	return i->kind == KIND_END || i->fn == op_illegal || i->d.op == OP_s_branch || i->d.op == OP_s_setpc_b64;
}

static void count_streaks(struct page *p, uint32_t first)
{
	for (uint32_t n = p->decoded; n-- > first;) {
		struct inst *i = &p->inst[p->list[n]];
		uint8_t behind = i[i->words].streak;
		i->streak = i->kind != KIND_PLAIN || i->unit != UNIT_VALU ? 0 : behind < UINT8_MAX ? behind + 1 : behind;
	}
}

/* Decodes from dword k on as far as control can run on in line, so that issue finds every next instruction ready. */
static void decode_line(struct machine *m, struct page *p, unsigned k)
{
	uint32_t first = p->decoded;

	while (k < PAGE_DWORDS && !p->inst[k].fn) {
		struct inst *i = &p->inst[k];
		uint64_t pc = p->va + k * 4;
		const struct region *r = vm_find(&m->vm, pc, 4, VM_READ | VM_EXEC);
		size_t avail = r ? r->size - (pc - r->va) : 0;
		struct isa_inst d;
		if (!r)
			make_stop(i, pc, op_fetch_fault);
		else if (!isa_decode(r->host + (pc - r->va), avail < WIDEST ? avail : WIDEST, isa_target_by_name(m->model.arch), &d) ||
			!make(m, i, pc, &d))
			make_stop(i, pc, op_illegal);
		p->list[p->decoded++] = k;
		if (!r || ends_line(i))
			break;
		k += i->words;
	}
	count_streaks(p, first);
}

/* --- pages --------------------------------------------------------------------------------------------------------- */
static void snapshot(struct machine *m, uint64_t va, void *out)
{
	const struct region *r = vm_find(&m->vm, va, PAGE_BYTES, VM_READ | VM_EXEC);

	if (r)
		memcpy(out, r->host + (va - r->va), PAGE_BYTES);
	else
		memset(out, 0, PAGE_BYTES);
}

static struct page *page_new(struct machine *m, uint64_t va)
{
	struct page *p = aligned_alloc(64, (sizeof *p + 63) / 64 * 64);

	if (!p)
		return NULL;
	memset(p, 0, sizeof *p);
	p->va = va;
	snapshot(m, va, p->bytes);
	for (unsigned k = PAGE_DWORDS; k < PAGE_DWORDS + 2; k++)
		p->inst[k] = (struct inst){ .fn = op_next_page, .pc = va + k * 4, .kind = KIND_BRANCH, .unit = UNIT_INTERNAL, .words = 1 };
	struct page **bucket = &m->code->bucket[va / PAGE_BYTES % BUCKETS];
	p->next = *bucket;
	return *bucket = p;
}

/* The page where it has been met before. */
static struct page *page_met(const struct code *c, uint64_t va)
{
	struct page *p = c->last;

	va &= ~(uint64_t)(PAGE_BYTES - 1);
	if (p && p->va == va)
		return p;
	for (p = c->bucket[va / PAGE_BYTES % BUCKETS]; p && p->va != va; p = p->next)
		;
	return p;
}

static struct page *page_of(struct machine *m, uint64_t va)
{
	struct code *c = m->code;
	struct page *p = page_met(c, va);

	va &= ~(uint64_t)(PAGE_BYTES - 1);
	if (!p && vm_find(&m->vm, va, 4, VM_READ | VM_EXEC))
		p = page_new(m, va);
	if (p)
		c->last = p;
	return p;
}

struct inst *code_at(struct machine *m, uint64_t va)
{
	struct page *p = va & 3 ? NULL : page_of(m, va);

	if (!p) {
		make_stop(&m->code->lost[0], va, op_fetch_fault);
		return m->code->lost;
	}
	unsigned k = (va - p->va) / 4;
	if (!p->inst[k].fn)
		decode_line(m, p, k);
	return &p->inst[k];
}

/* --- the instruction cache's lines ---------------------------------------------------------------------------------- */
void code_line_gone(struct machine *m, uint64_t va, uint64_t bit)
{
	for (int k = -1; k < 1 << FETCH_LINE_BITS >> 2; k++) { /* one of 8 bytes may begin before the line */
		uint64_t at = va + 4 * (int64_t)k;
		struct page *p = page_met(m->code, at);
		if (p)
			p->inst[(at - p->va) / 4].held &= ~bit;
	}
}

void code_all_gone(struct machine *m, uint64_t bit)
{
	for (unsigned b = 0; b < BUCKETS; b++)
		for (struct page *p = m->code->bucket[b]; p; p = p->next)
			for (uint32_t k = 0; k < p->decoded; k++)
				p->inst[p->list[k]].held &= ~bit;
}

static bool stale(struct machine *m, const struct page *p)
{
	const struct region *r = vm_find(&m->vm, p->va, PAGE_BYTES, VM_READ | VM_EXEC);

	return !r || memcmp(p->bytes, r->host + (p->va - r->va), PAGE_BYTES) != 0;
}

void code_begin(struct machine *m)
{
	struct code *c = m->code;

	for (unsigned b = 0; b < BUCKETS; b++)
		for (struct page *p = c->bucket[b]; p; p = p->next) {
			if (stale(m, p)) { /* others may lead into it */
				forget(c);
				fetch_begin(m, true);
				return;
			}
			for (uint32_t k = 0; k < p->decoded; k++)
				p->inst[p->list[k]].hits = 0;
		}
}

void code_visit(const struct code *c, void (*visit)(const struct inst *i, void *data), void *data)
{
	for (unsigned b = 0; b < BUCKETS; b++)
		for (const struct page *p = c->bucket[b]; p; p = p->next)
			for (uint32_t k = 0; k < p->decoded; k++)
				if (p->inst[p->list[k]].hits)
					visit(&p->inst[p->list[k]], data);
}

/* --- relative addressing ------------------------------------------------------------------------------------------- */
static void op_skipped(struct wave *w, const struct inst *i)
{
	(void)w, (void)i;
}

const struct inst *code_indexed(struct wave *w, const struct inst *i)
{
	struct inst *x = &w->m->code->indexed;
	unsigned mode = w->gpr_idx >> 12, index = w->s[ISA_M0] & 255;

	*x = *i;
	if (w->gpr_idx & GPR_IDX_SKIP) {
		x->fn = op_skipped;
		return x;
	}
	for (unsigned k = 0; k < 3; k++)
		if (mode >> k & 1 && x->rel[k])
			x->src[k] += index * LANES * 4;
	if (mode & 8 && i->d.dst >= ISA_VGPR0 && i->d.dst != ISA_NONE)
		x->dst += index * LANES * 4;
	return x;
}

/* Addresses of vector memory instructions: each lane's address and its translation to a host pointer, all at once where
 * the lanes are in one mapping or repeat the pattern of the access before. */
#ifndef SOFTGPU_CORE_OPS_OPS_VMEM_ADDRESS_H
#define SOFTGPU_CORE_OPS_OPS_VMEM_ADDRESS_H

#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/memory/window/deferred_access.h"
#include "softgpu/core/memory/lds_timing.h"
#include "softgpu/core/ops/ops_buffer.h"
#include "softgpu/core/ops/ops_check_access.h"
#include "softgpu/core/ops/ops_lane_data.h"
#include "softgpu/core/ops/ops_vector.h"

static uint64_t scalar_pair(const struct wave *w, unsigned number)
{
	return (uint64_t)w->s[(number + 1) & 127] << 32 | w->s[number & 127];
}

/* Scratch is interleaved: dword n of all lanes of a wave is contiguous. */
static uint64_t swizzle_scratch_address(uint64_t base, uint32_t offset, unsigned lane)
{
	return base + (uint64_t)(offset >> 2) * (4 * LANES) + lane * 4 + (offset & 3);
}

/* Where the wave's scratch begins: on gfx9 the kernel computes it. */
static uint64_t scratch_base(const struct wave *w)
{
#if GFX11
	return w->flat_scratch;
#else
	return scalar_pair(w, ISA_FLAT_SCRATCH);
#endif
}

/* --- addresses --- */
static void address_64(struct wave *w, const struct uop *i, struct memory_access *x)
{
	const uint32_t *low = vector_source(w, i, 0), *high = low + LANES;
	uint64_t base = (int64_t)i->d.imm;

	if (i->d.flags & FLAG_SADDR) {
		base += scalar_pair(w, i->d.src[2]);
		for (unsigned l = 0; l < LANES; l++)
			x->at[l] = base + low[l];
		return;
	}
	if (!(x->memory & (x->memory - 1)) && x->memory) {
		unsigned l = __builtin_ctzll(x->memory);
		x->at[l] = ((uint64_t)high[l] << 32 | low[l]) + base;
		return;
	}
	for (unsigned l = 0; l < LANES; l++)
		x->at[l] = ((uint64_t)high[l] << 32 | low[l]) + base;
}

static void address_scratch(struct wave *w, const struct uop *i, struct memory_access *x)
{
	uint64_t base = scratch_base(w);
	const uint32_t *v = i->d.src[0] == ISA_NONE ? NULL : vector_source(w, i, 0);
	uint32_t offset = (uint32_t)i->d.imm + (i->d.flags & FLAG_SADDR ? w->s[i->d.src[2] & 127] : 0), any = 0;

	x->step = x->apart = 4 * LANES;
	for (unsigned l = 0; l < LANES; l++) {
		uint32_t at = offset + (v ? v[l] : 0);
		x->at[l] = swizzle_scratch_address(base, at, l);
		any |= at;
	}
	for (unsigned l = 0; any & 3 && l < LANES; l++)
		x->odd |= (uint64_t)scratch_straddles_dword(x, offset + (v ? v[l] : 0)) << l;
}

/* A flat access of a lane goes to LDS or to the wave's scratch if its address is in their aperture. "The aperture check
 * ... is based only on the base address", without the instruction's offset (RDNA3 ISA 11.3; for all targets: LLVM pull
 * request 153001). */
static void address_flat(struct wave *w, const struct uop *i, struct memory_access *x)
{
	const struct dispatch *d = w->launch->d;
	uint32_t shared = d->shared_aperture >> 32, private = d->private_aperture >> 32;
	uint64_t scratch = 0;

	address_64(w, i, x);
	for (uint64_t e = x->memory; e; e &= e - 1) {
		unsigned l = __builtin_ctzll(e);
		const uint64_t base = x->at[l] - (int64_t)i->d.imm, offset = (uint32_t)base + (int64_t)i->d.imm;
		const uint32_t high = base >> 32;
		if (shared && high == shared) {
			x->memory &= ~(UINT64_C(1) << l);
			if (offset >= w->lds_bytes || x->elements * x->bytes > w->lds_bytes - offset)
				continue;
			x->lds |= UINT64_C(1) << l;
			x->host[l] = w->lds + offset;
		} else if (private && high == private) {
			scratch |= UINT64_C(1) << l;
			x->odd |= (uint64_t)scratch_straddles_dword(x, offset) << l;
			x->at[l] = swizzle_scratch_address(scratch_base(w), offset, l);
		}
	}
	if (!scratch)
		return;
	x->apart = 4 * LANES;
	if (scratch == x->memory)
		x->step = 4 * LANES;
	else if (x->elements > 1)
		x->odd = scratch;
}

/* --- translation --- */
/* The number of bytes from the start to the end of lane l's access. */
static uint64_t access_span_bytes(const struct memory_access *x, unsigned l)
{
	uint32_t into = x->at[l] & 3, last = into + access_bytes_inside(x, l) - 1;

	if (x->odd >> l & 1)
		return (uint64_t)(last >> 2) * x->apart + (last & 3) + 1 - into;
	return (x->elements - 1) * (uint64_t)x->step + x->bytes;
}

/* Translates each lane separately. */
static bool translate_each_lane(struct wave *w, const struct uop *i, struct memory_access *x, unsigned access)
{
	for (uint64_t e = x->memory; e; e &= e - 1) {
		unsigned l = __builtin_ctzll(e);
		uint64_t span = access_span_bytes(x, l);
		const struct vm_region *r = vm_find(&w->m->vm, x->at[l], span, access);
		if (!r) {
			if (machine_is_checked(w->m))
				checker_report_unmapped(w, i, l, x->at[l], span, access);
			if (!machine_fault(w, i, l, x->at[l], span, access))
				return false;
			x->memory &= ~(UINT64_C(1) << l);
			x->heads &= ~(UINT64_C(1) << l);
			x->odd &= ~(UINT64_C(1) << l);
			continue;
		}
		x->host[l] = r->host + (x->at[l] - r->va);
		x->at[l] += r->phys - r->va;
	}
	return true;
}

static bool window_contains(const struct vm_region *r, uint64_t low, uint64_t high, uint64_t span, unsigned access)
{
	uint64_t offset = low - r->va;

	return offset < r->size && span <= r->size && high - r->va <= r->size - span && (r->access & access) == access;
}

/* Whether all lanes are in the mapping that the instruction used last, or in the mapping of the lowest address, which
 * then becomes the last one. */
static bool find_window(
	struct machine *m, struct vm_region *window, uint64_t low, uint64_t high, uint64_t span, unsigned access)
{
	if (window_contains(window, low, high, span, access))
		return true;
	const struct vm_region *r = vm_find(&m->vm, low, span, access);
	if (!r)
		return false;
	*window = *r;
	return window_contains(r, low, high, span, access);
}

/* The same for all 64 lanes. The OR of all offsets is at least the largest offset; usually this test is sufficient. */
static bool find_window_all_lanes(
	struct machine *m, struct vm_region *window, const uint64_t *at, uint64_t span, unsigned access)
{
	uint64_t any = 0, va = window->va, low = at[0], high = at[0];

	for (unsigned l = 0; l < LANES; l++)
		any |= at[l] - va;
	if (window_contains(window, va, va + any, span, access))
		return true;
	for (unsigned l = 1; l < LANES; l++) {
		low = at[l] < low ? at[l] : low;
		high = at[l] > high ? at[l] : high;
	}
	return find_window(m, window, low, high, span, access);
}

static bool find_window_masked(
	struct machine *m, struct vm_region *window, const uint64_t *at, uint64_t e, uint64_t span, unsigned access)
{
	uint64_t low = at[__builtin_ctzll(e)], high = low;

	for (; e; e &= e - 1) {
		uint64_t here = at[__builtin_ctzll(e)];
		low = here < low ? here : low;
		high = here > high ? here : high;
	}
	return find_window(m, window, low, high, span, access);
}

static bool is_linear(const struct memory_access *x)
{
	uint64_t first = x->at[0], size = x->elements * x->bytes, off = 0;

	for (unsigned l = 0; l < LANES; l++)
		off |= x->at[l] ^ (first + l * size);
	return !off && x->step == x->bytes;
}

/* The lanes that begin in another cache line than the previous lane ends in, or that cross a line. Mappings are whole
 * pages, so lines are the same in GPU and physical addresses. */
static uint64_t find_line_heads(const struct memory_access *x)
{
	enum { LINE = 64 };
	uint64_t span = x->elements * x->bytes, before[LANES];
	uint32_t head[LANES];

	if (x->step != x->bytes)
		return ALL_LANES;
	memcpy(before + 1, x->at, sizeof before - sizeof *before);
	before[0] = ~x->at[0];
	for (unsigned l = 0; l < LANES; l++) {
		uint64_t end = x->at[l] + span - 1;
		head[l] = -(uint32_t)((((before[l] + span - 1) ^ x->at[l]) | (end ^ x->at[l])) >= LINE);
	}
	return pack_lane_mask(head);
}

static bool translate_access(struct wave *w, const struct uop *i, struct memory_access *x, unsigned access)
{
	struct machine *m = w->m;
	struct vm_region *window = &m->thread.vm_window[i->pc / 4 % VM_WINDOWS];
	uint64_t span = (x->elements - 1) * (uint64_t)x->step + x->bytes, e = x->memory;

	x->linear = false;
	x->window = false;
	x->to_phys = 0;
	x->heads = e;
	if (!e)
		return true;
	if (x->odd)
		return translate_each_lane(w, i, x, access);
	if (e == ALL_LANES) {
		x->linear = is_linear(x);
		x->window = x->linear ? find_window(m, window, x->at[0], x->at[LANES - 1], span, access)
				      : find_window_all_lanes(m, window, x->at, span, access);
		x->linear = x->linear && x->window;
		if (x->window && !x->linear)
			x->heads = find_line_heads(x);
	} else {
		x->window = find_window_masked(m, window, x->at, e, span, access);
	}
	if (!x->window)
		return translate_each_lane(w, i, x, access);
	x->to_host = (uintptr_t)window->host - window->va;
	x->to_phys = window->phys - window->va;
	return true;
}

/* Part of a flat access may go to LDS, so it increments both counters. */
static void push_flat_lgkm(struct wave *w, const struct uop *i, enum memory_kind memory)
{
	const enum waitcnt_kind kind = memory_counter_of(w, i, memory);

	waitcnt_push(w, WAITCNT_LGKM, waitcnt_completion(w, kind, w->waitcnt[kind].count - 1));
}

/* Lanes of a flat access to LDS use its banks like a DS instruction: "FLAT instructions are executed as both an
 * LDS and a Buffer instruction" (LLVM, FLATInstructions.td). */
static void schedule_flat_lds(
	struct wave *w, const struct uop *i, const struct memory_access *x, bool atomic, bool returns)
{
	unsigned l, dwords = (x->elements * x->bytes + 3) / 4;
	uint32_t at[LANES] = {0}, conflict;

	EACH_LANE(l, x->lds)
	at[l] = x->host[l] - w->lds;
	if (machine_is_profiled(w->m))
		profiler_record_banks(w, at, x->lds, dwords, atomic);
	uint32_t cycles = lds_bank_cycles(&w->m->model, at, x->lds, dwords, atomic, &conflict);
	lds_schedule_access(w, i, cycles, conflict, x->lds, returns);
}

static void schedule_flat_access(struct wave *w, const struct uop *i, const struct memory_access *x, unsigned access)
{
	if (x->lds)
		schedule_flat_lds(w, i, x, access == (VM_READ | VM_WRITE), access == VM_READ || i->d.flags & FLAG_GLC);
	else
		push_flat_lgkm(w, i, access == VM_READ ? MEMORY_LOAD : MEMORY_STORE);
}

static void compute_addresses(
	struct wave *w, const struct uop *i, struct memory_access *x, unsigned elements, unsigned bytes)
{
	x->memory = active_lanes(w);
	x->lds = x->odd = x->cut = 0;
	x->apart = 4;
	x->elements = elements;
	x->bytes = x->step = bytes;
	switch (i->d.enc) {
	case ENC_MTBUF:
	case ENC_MUBUF: address_buffer(w, i, x); break;
	case ENC_SCRATCH: address_scratch(w, i, x); break;
	case ENC_FLAT: address_flat(w, i, x); break;
	default: address_64(w, i, x);
	}
	x->odd &= x->memory;
}

/* Computes the addresses of an access, checks and times it. False if it stopped the kernel, or is deferred. */
static __attribute__((noinline)) bool access_begin(struct wave *w, const struct uop *i, struct memory_access *x,
	unsigned elements, unsigned bytes, unsigned access)
{
	const struct deferred_access *applied = access_applied(w);

	if (applied) {
		access_copy(x, &applied->x);
		return true;
	}
	compute_addresses(w, i, x, elements, bytes);
	if (machine_is_checked(w->m))
		check_access(w, i, x, access);
	if (!translate_access(w, i, x, access))
		return false;
	memory_schedule_access(w, i, x,
		access == VM_READ            ? MEMORY_LOAD
			: access == VM_WRITE ? MEMORY_STORE
					     : MEMORY_ATOMIC);
	if (i->d.enc == ENC_FLAT && w->m->model.timing)
		schedule_flat_access(w, i, x, access);
	return !w->m->windowed || !access_defer(w, i, x, access, access == VM_READ ? ISA_NONE : store_data(i));
}

/* --- repeated address patterns --- */
static __attribute__((noinline)) void memory_memo_record(const struct machine *m, struct memory_memo *memo,
	const uint32_t *low, uint64_t e, uint64_t at, uint32_t bytes, enum memory_kind kind)
{
	if (!lane_pattern_count_miss(&memo->misses))
		return;
	lane_pattern_record(&memo->lanes, LANES, low, e, bytes);
	if (m->model.timing)
		memory_memo_find_lines(m, memo, at % 64, bytes, kind);
}

/* Whether the access touches few enough lines that the memo contains them all. */
static inline bool memory_memo_has_lines(
	const struct machine *m, struct memory_memo *memo, uint32_t align, uint32_t bytes, enum memory_kind kind)
{
	if (align - memo->from > (uint32_t)(memo->to - memo->from))
		memory_memo_find_lines(m, memo, align, bytes, kind);
	return memo->count;
}

static inline bool in_aperture(const struct wave *w, uint64_t at)
{
	const struct dispatch *d = w->launch->d;

	return at >> 32 == d->shared_aperture >> 32 || at >> 32 == d->private_aperture >> 32;
}

/* The address of the first lane's element if two or more lanes access memory in the recorded pattern, all in one
 * mapping, and times the access; otherwise NULL. Only the lower halves of addresses are compared, so they must not
 * wrap. */
static inline uint8_t *memory_fast_address(
	struct wave *w, const struct uop *i, unsigned elements, unsigned size, enum memory_kind kind)
{
	struct memory_memo *memo = memory_memo_of(w, i);
	struct machine *m = w->m;
	const uint64_t e = active_lanes(w);

	if (!memo || !(e & (e - 1)) || machine_is_observed(m))
		return NULL;
	const uint32_t *low = vector_source(w, i, 0), bytes = elements * size, l = __builtin_ctzll(e);
	const bool scalar = i->d.flags & FLAG_SADDR;
	uint64_t first = low[l] + (uint64_t)(int64_t)i->d.imm +
		(scalar ? scalar_pair(w, i->d.src[2]) : (uint64_t)low[LANES + l] << 32);
	if (!(scalar ? lane_pattern_matches(m, &memo->lanes, low, e)
		     : lane_pattern_matches_64(m, &memo->lanes, low, e))) {
		memory_memo_record(m, memo, low, e, first, bytes, kind);
		return NULL;
	}
	int64_t least = (int64_t)low[l] + (int32_t)memo->lanes.low;
	if (least < 0 || least + memo->lanes.reach > UINT32_MAX)
		return NULL;
	memo->misses = 0;
	if (m->model.timing && !memory_memo_has_lines(m, memo, first % 64, bytes, kind))
		return NULL;
	struct vm_region *window = &m->thread.vm_window[i->pc / 4 % VM_WINDOWS];
	const uint64_t lowest = first + (int32_t)memo->lanes.low, highest = lowest + memo->lanes.reach;
	const unsigned access = kind == MEMORY_LOAD ? VM_READ : VM_WRITE;
	if (!window_contains(window, lowest, highest, bytes, access) &&
		!find_window(m, window, lowest, highest, bytes, access))
		return NULL;
	if (i->d.enc == ENC_FLAT && (in_aperture(w, lowest - i->d.imm) || in_aperture(w, highest - i->d.imm)))
		return NULL;
	if (w->in_run_ahead) {
		if (!memory_defer_load(w, memo, first - window->va + window->phys, elements > 1))
			return NULL;
	} else if (m->model.timing) {
		memory_schedule_known(w, i, memo, first - window->va + window->phys, elements > 1, kind);
		if (i->d.enc == ENC_FLAT)
			push_flat_lgkm(w, i, kind);
	}
	return window->host + (first - window->va);
}

#endif

#include "softgpu/core/memory/scalar_memory.h"

#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/check/checker.h"
#include "softgpu/core/memory/l2.h"
#include "softgpu/core/memory/l1.h"
#include "softgpu/core/memory/window/deferred_access.h"
#include "softgpu/core/memory/window/store_overlay.h"
#include "softgpu/core/timing/window_log.h"
#include "softgpu/core/timing/core_clock.h"
#include "softgpu/core/profile/wave_trace.h"

PROFILED_VARIANT cycle_t load_scalar_line(
	struct machine *m, struct sqc *c, uint64_t line, cycle_t t, struct access_path *p)
{
	uint64_t set = line & (c->data.sets - 1), tag = l2_host_epoch_tag(m, line),
		 *ready = cache_find(&c->data, set, tag);

	if (p)
		profiler_record_cache(m, CACHE_SCALAR, c - m->sqc, set, ready);
	if (ready) {
		m->thread.sums.scalar_hit++;
		access_path_add(p, STALL_SCALAR, t + m->model.scalar_latency);
		access_path_add(p, STALL_FILL, *ready);
		return max_u64(t + m->model.scalar_latency, *ready);
	}
	m->thread.sums.scalar_miss++;
	if (model_is_ideal(&m->model, IDEAL_scalar_cache)) {
		access_path_add(p, STALL_SCALAR, t + m->model.scalar_latency);
		return t + m->model.scalar_latency;
	}
	uint64_t back = !p && m->apart
		? l2_ask_load_by(m, c->cluster, line, t, m->model.scalar_l2_latency)
		: l2_arrival_by(m, l2_load(m, line, t, p), (cycle_t)m->model.scalar_l2_latency, t);
	access_path_truncate(p, back);
	uint64_t out = cache_insert(&c->data, set, tag, 0, back);
	if (!p && cycle_is_unknown(back))
		fill_newest_later(c->cluster, &c->data, set, back);
	if (p)
		profiler_record_eviction(m, CACHE_SCALAR, c - m->sqc, set, out);
	return back;
}

/* Their SGPR offset counts 64 bytes, "consistent with other scratch operations" (Vega ISA 12.6). */
static bool is_scalar_scratch(unsigned op)
{
	return (op >= OP_s_scratch_load_dword && op <= OP_s_scratch_load_dwordx4) ||
		(op >= OP_s_scratch_store_dword && op <= OP_s_scratch_store_dwordx4);
}

static uint64_t scalar_register_offset(const struct wave *w, const struct uop *i)
{
	if ((i->d.flags & FLAG_IMM && !(i->d.flags & FLAG_SADDR)) || i->d.src[1] == ISA_NONE)
		return 0;
	const uint64_t offset = *(const uint32_t *)(i->src[1] + ((uintptr_t)w->s & i->rel[1]));
	return is_scalar_scratch(i->d.op) ? offset * 64 : offset;
}

/* The dwords inside of a buffer. Each is checked alone (RDNA3 ISA 8.4.1, Vega ISA), by where it begins. */
static unsigned scalar_dwords_inside(const uint32_t *descriptor, uint64_t offset, unsigned dwords)
{
	const uint64_t stride = descriptor[1] >> 16 & 0x3fff, size = (stride ? stride : 1) * descriptor[2];

	return offset >= size ? 0 : (unsigned)min_u64(dwords, (size - offset + 3) / 4);
}

/* Computes the address of a scalar access; returns how many of its dwords are inside of the buffer, from the first on.
 * The two low bits of the base and of the offsets are ignored (Vega ISA, RDNA3 ISA 8.1.1 and 8.1.2). */
static unsigned scalar_address_of(const struct wave *w, const struct uop *i, unsigned dwords, bool buffer, uint64_t *at)
{
	const uint64_t dword = ~UINT64_C(3), moved = scalar_register_offset(w, i),
		       immediate = i->d.flags & FLAG_IMM ? (uint64_t)(int64_t)i->d.imm : 0;
	const uint32_t *base = &w->s[i->d.src[0] & 127];

	if (!buffer) {
		*at = (((uint64_t)base[1] << 32 | base[0]) & dword) + (moved & dword) + (immediate & dword);
		return dwords;
	}
	*at = (((uint64_t)(base[1] & 0xffff) << 32 | base[0]) & dword) + ((moved + immediate) & dword);
	return scalar_dwords_inside(base, moved + immediate, dwords);
}

/* The cache takes a request in a cycle, and returns a dword to a CU in scalar_dword_cycles. */
static cycle_t reserve_scalar_cache(struct wave *w, const struct uop *i, unsigned dwords)
{
	struct cu *cu = w->simd->cu;
	struct sqc *c = cu->sqc;
	const uint64_t taken = max_u64(w->last + i->cost, c->data_free), t = max_u64(taken, cu->scalar_free);

	if (machine_is_profiled(w->m)) {
		access_path_begin(profiler_new_access_path(w), w->last + i->cost);
		access_path_add(profiler_new_access_path(w), STALL_SCALAR, t);
	}
	c->data_free = taken + 1;
	cu->scalar_free = t + dwords * w->m->model.scalar_dword_cycles;
	return t;
}

PROFILED_VARIANT cycle_t load_scalar_lines(
	struct wave *w, uint64_t phys, unsigned dwords, cycle_t t, struct access_path *p)
{
	uint64_t back = t;
	struct access_path all, line, *l = p ? &line : NULL;

	if (p)
		all = *p;
	for (uint64_t k = phys >> LINE_BITS; k <= (phys + 4 * dwords - 1) >> LINE_BITS; k++) {
		if (p)
			line = all;
		uint64_t done = load_scalar_line(w->m, w->simd->cu->sqc, k, t, l);
		if (p && done > back)
			*p = line;
		back = max_u64(back, done);
	}
	return back;
}

static cycle_t load_scalar_lines_in_window(struct wave *w, uint64_t phys, unsigned dwords, cycle_t t)
{
	struct cluster *c = w->simd->cu->cluster;
	struct due all = due_begin(c, t + w->m->model.scalar_latency);

	for (uint64_t k = phys >> LINE_BITS; k <= (phys + 4 * dwords - 1) >> LINE_BITS; k++)
		due_add(c, &all, load_scalar_line(w->m, w->simd->cu->sqc, k, t, NULL));
	return due_end(c, &all);
}

static __attribute__((noinline)) cycle_t load_scalar_lines_profiled(
	struct wave *w, uint64_t phys, unsigned dwords, cycle_t t)
{
	trace_scalar_access(w, phys, dwords);
	return load_scalar_lines(w, phys, dwords, t, profiler_new_access_path(w));
}

/* The mapping of an access; NULL: it stopped the kernel, or it is outside of a bounded buffer. Compilers read a byte or
 * a short with a scalar load of its dword, so a read may go on to the end of the last dword. */
static const struct vm_region *find_scalar_memory(
	struct wave *w, const struct uop *i, uint64_t at, unsigned bytes, unsigned access)
{
	if (machine_is_checked(w->m) && !checker_access_scalar(w, i, at, bytes, access))
		return NULL;
	const struct vm_region *r = vm_find(&w->m->vm, at, 1, access);
	uint64_t lanes = wave_exec_mask(w), room = r ? r->size - (at - r->va) : 0;

	if (bytes <= (access == VM_READ ? (room + 3) & ~UINT64_C(3) : room))
		return r;
	if (machine_is_checked(w->m))
		checker_report_unmapped(w, i, lanes ? __builtin_ctzll(lanes) : 0, at, bytes, access);
	machine_fault(w, i, lanes ? __builtin_ctzll(lanes) : 0, at, bytes, access);
	return NULL;
}

void scalar_load(struct wave *w, const struct uop *i, unsigned dwords, bool buffer)
{
	uint64_t at, t = reserve_scalar_cache(w, i, dwords);
	uint32_t *out = &w->s[i->d.dst];
	const unsigned inside = scalar_address_of(w, i, dwords, buffer, &at);

	const struct vm_region *r = inside ? find_scalar_memory(w, i, at, 4 * inside, VM_READ) : NULL;
	if (!r) {
		memset(out, 0, 4 * dwords);
		if (machine_is_profiled(w->m))
			access_path_add(profiler_new_access_path(w), STALL_SCALAR, t + w->m->model.scalar_latency);
		waitcnt_push(w, WAITCNT_LGKM, t + w->m->model.scalar_latency);
		return;
	}
	const struct store_overlay *o = overlay_to_ask(w);
	if (o)
		overlay_read(o, r->host + (at - r->va), out, 4 * inside);
	else
		memcpy(out, r->host + (at - r->va), 4 * inside);
	if (inside < dwords)
		memset(out + inside, 0, 4 * (dwords - inside));
	if (!w->m->model.timing)
		return;
	uint64_t phys = r->phys + (at - r->va);
	waitcnt_push(w, WAITCNT_LGKM,
		machine_is_profiled(w->m) ? load_scalar_lines_profiled(w, phys, inside, t)
			: w->m->apart     ? load_scalar_lines_in_window(w, phys, inside, t)
					  : load_scalar_lines(w, phys, inside, t, NULL));
}

/* When the last of the stored lines is acknowledged; *p receives its path. */
static cycle_t store_scalar_lines(struct wave *w, uint64_t phys, unsigned dwords, cycle_t t, struct access_path *p)
{
	const struct model *c = &w->m->model;
	struct cluster *cluster = w->simd->cu->cluster;
	struct due in_window = due_begin(cluster, t);
	uint64_t back = t;
	struct access_path all, line, *l = p ? &line : NULL;

	if (p)
		all = *p;
	for (uint64_t k = phys >> LINE_BITS; k <= (phys + 4 * dwords - 1) >> LINE_BITS; k++) {
		if (w->m->apart) {
			due_add(cluster, &in_window, l2_ask_store(w->m, cluster, NULL, k, t));
			continue;
		}
		if (p)
			line = all;
		uint64_t done = l2_store(w->m, k, t, c->l2_line_cycles, l) + c->store_latency;
		if (p && done > back)
			*p = line;
		back = max_u64(back, done);
	}
	if (p)
		profiler_record_drain(w, p);
	return w->m->apart ? due_end(cluster, &in_window) : back;
}

/* The launch lasts until a store or an atomic is done; in a window, that is found out later. */
static void extend_launch(struct wave *w, cycle_t done)
{
	if (!cycle_is_unknown(done))
		cu_extend_launch(w->simd->cu, w->launch, done);
}

static cycle_t atomic_scalar_line(struct wave *w, uint64_t line, cycle_t t)
{
	struct cluster *c = w->simd->cu->cluster;
	struct due all = due_begin(c, t);

	if (!w->m->apart)
		return l2_atomic(w->m, line, t, 1, machine_is_profiled(w->m) ? profiler_new_access_path(w) : NULL);
	due_add(c, &all, l2_ask_atomic(c, line, t, 1));
	return due_end(c, &all);
}

void scalar_store(struct wave *w, const struct uop *i, unsigned dwords, bool buffer)
{
	uint64_t at, t = reserve_scalar_cache(w, i, dwords);
	const unsigned inside = scalar_address_of(w, i, dwords, buffer, &at);

	const struct vm_region *r = inside ? find_scalar_memory(w, i, at, 4 * inside, VM_WRITE) : NULL;
	if (!r) {
		waitcnt_push(w, WAITCNT_LGKM, t);
		return;
	}
	struct store_overlay *o = overlay_to_write(w);
	if (o)
		overlay_write(o, r->host + (at - r->va), &w->s[i->d.src[2] & 127], 4 * inside);
	else
		memcpy(r->host + (at - r->va), &w->s[i->d.src[2] & 127], 4 * inside);
	if (!w->m->model.timing)
		return;
	uint64_t done = store_scalar_lines(
		w, r->phys + (at - r->va), inside, t, machine_is_profiled(w->m) ? profiler_new_access_path(w) : NULL);
	extend_launch(w, done);
	waitcnt_push(w, WAITCNT_LGKM, done);
}

/* Atomics are all in or all out, and "naturally aligned" (Vega ISA). */
static uint8_t *schedule_scalar_atomic(struct wave *w, const struct uop *i, unsigned bytes, bool buffer)
{
	uint64_t at, t = reserve_scalar_cache(w, i, bytes / 4);
	const bool inside = scalar_address_of(w, i, bytes / 4, buffer, &at) == bytes / 4;

	at &= ~(uint64_t)(bytes - 1);
	const struct vm_region *r = inside ? find_scalar_memory(w, i, at, bytes, VM_READ | VM_WRITE) : NULL;
	if (!r) {
		if (i->d.flags & FLAG_GLC)
			memset(&w->s[i->d.dst], 0, bytes);
		waitcnt_push(w, WAITCNT_LGKM, t + w->m->model.scalar_latency);
		return NULL;
	}
	if (!w->m->model.timing)
		return r->host + (at - r->va);
	uint64_t done = atomic_scalar_line(w, (r->phys + (at - r->va)) >> LINE_BITS, t);
	extend_launch(w, done);
	waitcnt_push(w, WAITCNT_LGKM, done);
	return r->host + (at - r->va);
}

uint8_t *scalar_atomic(struct wave *w, const struct uop *i, unsigned bytes, bool buffer, const uint32_t **data)
{
	const struct deferred_access *applied = access_applied(w);

	if (applied) {
		*data = applied->registers;
		return applied->x.host[0];
	}
	*data = &w->s[i->d.src[2] & 127];
	uint8_t *cell = schedule_scalar_atomic(w, i, bytes, buffer);
	if (!cell || !w->m->windowed)
		return cell;
	access_defer_scalar(w, i, cell, bytes, *data);
	return NULL;
}

/* How much the launch itself slows the core clock is known only at its end, so the idle clock is assumed. */
static uint64_t reference_clock_ticks(const struct wave *w, cycle_t cycle)
{
	const struct machine *m = w->m;
	const uint64_t ps = sclk_cycles_to_ps(&m->model, cycle - w->launch->begin, 0),
		       mhz = m->model.gpu->target->reference_mhz;

	return (uint64_t)(((unsigned __int128)w->launch->d->start_ns * 1000 + ps) * mhz / 1000000);
}

/* Reports when a value that is not loaded arrives. */
static void push_reply(struct wave *w, cycle_t due)
{
	if (machine_is_profiled(w->m)) {
		access_path_begin(profiler_new_access_path(w), w->last);
		access_path_add(profiler_new_access_path(w), STALL_SCALAR, due);
	}
	waitcnt_push(w, WAITCNT_LGKM, due);
}

void scalar_read_clock(struct wave *w, const struct uop *i, bool real)
{
	const struct machine *m = w->m;
	uint64_t due = w->last + m->model.memtime_cycles, now = w->launch->d->start_cycle + due - w->launch->begin;

	if (real)
		now = reference_clock_ticks(w, due);
	memcpy(&w->s[i->d.dst], &now, sizeof now);
	push_reply(w, due);
}

uint64_t scalar_message_reply(struct wave *w, uint32_t number)
{
	enum { MSG_RTN_GET_REALTIME = 131 }; /* doorbell, trap handler and draw have no answer here */
	const uint64_t due = w->last + w->m->model.memtime_cycles;

	push_reply(w, due);
	return number == MSG_RTN_GET_REALTIME ? reference_clock_ticks(w, due) : 0;
}

void scalar_invalidate(struct wave *w)
{
	cache_clear(&w->simd->cu->sqc->data);
}

void scalar_flush(struct wave *w)
{
	if (machine_is_profiled(w->m))
		access_path_begin(profiler_new_access_path(w), w->next);
	waitcnt_push(w, WAITCNT_LGKM, w->next);
}

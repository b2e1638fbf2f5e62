#include "softgpu/core/memory/icache_fetch.h"

#include "base/min_max.h"
#include "softgpu/core/exec/decode_cache.h"
#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/memory/l1.h"
#include "softgpu/core/timing/window_log.h"
#include "softgpu/core/timing/scheduler.h"

/* Requests a line at cycle t; false if no code is mapped there. */
static bool request_code_line(struct machine *m, struct sqc *c, uint64_t line, cycle_t t, cycle_t *back)
{
	uint64_t va = line << FETCH_LINE_BITS;
	const struct vm_region *r = vm_find(&m->vm, va, 1, VM_READ | VM_EXEC);

	if (!r)
		return false;
	*back = memory_fetch_code_line(m, c->cluster, r->phys + (va - r->va), t);
	uint64_t out = cache_insert(&c->code, line & (c->code.sets - 1), line, 0, *back), number = c - m->sqc;
	if (cycle_is_unknown(*back))
		fill_newest_later(c->cluster, &c->code, line & (c->code.sets - 1), *back);
	c->evictions += out != 0;
	if (out && number < 64)
		decode_cache_drop_line(m, (out - 1) << FETCH_LINE_BITS, UINT64_C(1) << number);
	return true;
}

/* When the line needed at cycle t is available. A miss also fetches the lines after it. */
static cycle_t find_code_line(struct machine *m, struct sqc *c, uint64_t line, cycle_t t, bool *missed)
{
	cycle_t back = t, ahead, *ready = cache_peek(&c->code, line & (c->code.sets - 1), line);

	if (model_is_ideal(&m->model, IDEAL_fetch))
		return t;
	if (ready)
		return max_u64(t, *ready);
	*missed = true;
	if (!request_code_line(m, c, line, t, &back))
		return t;
	for (uint64_t k = line + 1; k <= line + (uint64_t)m->model.icache_ahead_lines; k++)
		if (!cache_peek(&c->code, k & (c->code.sets - 1), k) && !request_code_line(m, c, k, t, &ahead))
			break;
	return back;
}

static uint64_t first_code_line(const struct uop *i)
{
	return i->pc >> FETCH_LINE_BITS;
}

static uint64_t last_code_line(const struct uop *i)
{
	return (i->pc + 4 * i->words - 1) >> FETCH_LINE_BITS;
}

/* No wave can do anything before. */
static cycle_t first_cycle_left(const struct wave *w)
{
	const struct event_queue *q = w->simd->cu->events;

	if (w->m->windowed)
		return w->simd->cu->cluster->begin;
	return q->count ? event_queue_first_time(q) : 0;
}

bool fetch_is_resident(struct wave *w, const struct uop *i, cycle_t t)
{
	struct sqc *c = w->sqc;
	uint64_t latest = 0;

	if (!w->m->model.timing || model_is_ideal(&w->m->model, IDEAL_fetch))
		return true;

	for (uint64_t k = first_code_line(i); k <= last_code_line(i); k++) {
		const uint64_t *ready = cache_peek(&c->code, k & (c->code.sets - 1), k);
		if (!ready || *ready > t)
			return false;
		latest = max_u64(latest, *ready);
	}
	if (latest <= first_cycle_left(w))
		((struct uop *)i)->resident_in |= w->sqc_bit;
	return true;
}

static void op_fetch(struct wave *w, const struct uop *i)
{
	const struct uop *target = w->fetch_target;
	struct sqc *c = w->sqc;
	uint64_t first = first_code_line(target), last = last_code_line(target);
	bool missed = false;
	struct due all = due_begin(c->cluster, w->last);

	(void)i;
	due_add(c->cluster, &all, find_code_line(w->m, c, first, w->last, &missed));
	if (last != first)
		due_add(c->cluster, &all, find_code_line(w->m, c, last, w->last, &missed));
	const cycle_t back = due_end(c->cluster, &all);
	c->code_misses += missed;
	if (cycle_is_unknown(back))
		cluster_wait(w, w->last, 0, back, false);
	if (machine_is_profiled(w->m))
		profiler_record_fetch(w, target, w->last, back);
	w->ip = target;
	w->next = back;
}

void fetch_open(struct machine *m)
{
	m->fetch = (struct uop){.fn = op_fetch, .kind = UOP_SHARED, .unit = UNIT_FETCH};
}

void fetch_begin_launch(struct machine *m, bool all)
{
	for (uint32_t k = 0; k < m->sqcs; k++) {
		struct sqc *c = &m->sqc[k];
		if (all)
			cache_clear(&c->code);
		if (c->code_misses) /* everything outstanding has arrived long ago */
			cache_complete_fills(&c->code);
		c->code_misses = 0;
	}
}

void fetch_invalidate_icache(struct wave *w)
{
	cache_clear(&w->sqc->code);
	w->sqc->evictions++;
	decode_cache_drop_all(w->m, w->sqc_bit);
}

#include "softgpu/core/resident/launch_resources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/check/checker.h"
#include "softgpu/core/profile/launch_requests.h"
#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/resident/freed_room.h"

struct launch *launch_of_result(const struct machine *m, const struct launch_result *out)
{
	for (uint32_t k = 0; k < m->residents; k++)
		if (m->resident[k]->out == out)
			return m->resident[k];
	return NULL;
}

bool launch_reject(struct launch *n, const char *why)
{
	n->out->status = LAUNCH_BAD_PACKET;
	n->done = n->total = 0;
	if (n->m->residents == 1)
		n->m->halt = LAUNCH_BAD_PACKET;
	snprintf(n->out->message, sizeof n->out->message, "bad dispatch: %s", why);
	return false;
}

/* --- the grid, and what fits into a CU that has nothing else --- */
static bool compute_grid(struct launch *n)
{
	const struct dispatch *d = n->d;
	uint64_t items = 1;

	n->total = 1;
	for (unsigned k = 0; k < 3; k++) {
		if (!d->workgroup[k] || !d->grid[k])
			return launch_reject(n, "a grid or workgroup dimension is 0");
		items *= d->workgroup[k];
		n->grid[k] = (d->grid[k] + (uint64_t)d->workgroup[k] - 1) / d->workgroup[k];
		n->total *= n->grid[k];
	}
	if (items > 1024)
		return launch_reject(n, "a workgroup has more than 1024 work-items");
	n->group_items = items;
	n->waves_per_group = (items + n->lanes - 1) / n->lanes;
	return true;
}

/* In CU mode, each half of a WGP has workgroups of its own. */
static uint32_t halves_of_cu(const struct launch *n)
{
	return n->cu_mode ? 2 : 1;
}

/* What an ideal SIMD has room for beyond its limits: waves, and in all of them, workgroups. */
static uint32_t extra_waves(const struct launch *n)
{
	return model_is_ideal(&n->m->model, IDEAL_occupancy);
}

static uint32_t extra_groups(const struct launch *n, uint32_t simds)
{
	return extra_waves(n) ? max_u64(simds / n->waves_per_group, 1) : 0;
}

static bool compute_occupancy(struct launch *n)
{
	const struct model *c = &n->m->model;
	const uint32_t halves = halves_of_cu(n), simds = SIMDS / halves, extra = extra_groups(n, simds);
	uint32_t lds = n->group_bytes,
		 by_lds = lds ? c->lds_bytes * model_cus_per_processor(c) / halves / lds + extra
			      : SIMDS * MAX_WAVES_PER_SIMD;
	uint32_t by_vgprs = n->vgprs_per_simd / n->vgprs;

	n->waves_per_simd = min_u64(min_u64(c->waves_per_simd, MAX_WAVES_PER_SIMD), by_vgprs);
	if (c->sgprs_per_simd) /* on gfx11 each wave slot has its own */
		n->waves_per_simd = min_u64(n->waves_per_simd, c->sgprs_per_simd / n->sgprs);
	n->waves_per_simd = min_u64(n->waves_per_simd + extra_waves(n), MAX_WAVES_PER_SIMD);
	if (lds > c->lds_bytes)
		return launch_reject(n, "a workgroup needs more LDS than a CU has");
	uint32_t by_slots = n->waves_per_simd * simds / n->waves_per_group;
	if (c->waves_per_simd * simds < n->waves_per_group)
		return launch_reject(
			n, "a workgroup does not fit into a CU: it has more waves than there are wave slots");
	if (!by_slots)
		return launch_reject(n, "a workgroup does not fit into a CU: too many registers for its waves");
	n->groups_per_cu = min_u64(by_slots, by_lds);
	if (n->waves_per_group > 1)
		n->groups_per_cu = min_u64(n->groups_per_cu, c->workgroups_per_cu + extra);
	n->groups_per_cu *= halves;
	return true;
}

/* --- scratch --- */
/* If the runtime provides scratch for fewer waves than fit, workgroups wait for scratch. */
static bool reserve_scratch(struct launch *n)
{
	uint32_t waves = n->d->scratch_waves;

	n->scratch_groups = n->scratch_busy = 0;
	n->scratch_used = NULL;
	if (!(n->rsrc2 & 1) || !waves || waves >= n->m->cus * SIMDS * n->m->wave_slots)
		return true;
	n->scratch_groups = waves / n->waves_per_group;
	if (!n->scratch_groups)
		return launch_reject(n, "the queue has less scratch than a workgroup needs");
	n->scratch_used = calloc((n->scratch_groups + 63) / 64, sizeof *n->scratch_used);
	return n->scratch_used || launch_reject(n, "out of host memory");
}

static uint32_t take_scratch(struct launch *n)
{
	uint32_t word = 0;

	if (!n->scratch_groups)
		return 0;
	while (!~n->scratch_used[word])
		word++;
	uint32_t bit = __builtin_ctzll(~n->scratch_used[word]);
	n->scratch_used[word] |= UINT64_C(1) << bit;
	n->scratch_busy++;
	return word * 64 + bit;
}

static void free_scratch(struct launch *n, uint32_t slot_number)
{
	if (!n->scratch_groups)
		return;
	n->scratch_used[slot_number / 64] &= ~(UINT64_C(1) << slot_number % 64);
	n->scratch_busy--;
}

bool launch_has_scratch(const struct launch *n)
{
	return !n->scratch_groups || n->scratch_busy < n->scratch_groups;
}

/* --- room on a CU --- */
static uint64_t slots_used(const struct launch *n, const struct cu *cu)
{
	return cu->touched ? cu->share[n->number].used : 0;
}

uint32_t launch_count_free_waves(const struct launch *n, const struct simd *s)
{
	const struct machine *m = n->m;
	const struct model *c = &m->model;
	uint64_t vgprs = 0, sgprs = 0, free = m->wave_slots - __builtin_popcount(s->used_slots);

	for (uint32_t k = 0; k < m->residents; k++) {
		const struct launch *r = m->resident[k];
		const uint64_t waves = __builtin_popcount(s->used_rows[r->number]);
		vgprs += waves * r->vgprs * r->lanes;
		sgprs += waves * r->sgprs;
	}
	const uint64_t extra = extra_waves(n), all = ((uint64_t)n->vgprs_per_simd + extra * n->vgprs) * n->lanes;
	free = min_u64(free, (all - min_u64(vgprs, all)) / ((uint64_t)n->vgprs * n->lanes));
	free = min_u64(free, n->waves_per_simd - __builtin_popcount(s->used_rows[n->number]));
	const uint64_t scalars = c->sgprs_per_simd + extra * n->sgprs;
	return c->sgprs_per_simd ? min_u64(free, (scalars - min_u64(sgprs, scalars)) / n->sgprs) : free;
}

/* The LDS in use in one of the halves of the CU; gfx9: in all of it. */
static uint64_t lds_used_in_half(const struct cu *cu, unsigned half, unsigned halves)
{
	uint64_t bytes = 0;

	for (uint32_t k = 0; k < cu->m->residents; k++) {
		const struct launch *r = cu->m->resident[k];
		const uint64_t used = slots_used(r, cu), of_half = UINT64_C(0x5555555555555555) << half;
		bytes += r->cu_mode ? (uint64_t)__builtin_popcountll(used & of_half) * r->group_bytes
				    : (uint64_t)__builtin_popcountll(used) * r->group_bytes / halves;
	}
	return bytes;
}

static bool has_free_lds(const struct launch *n, const struct cu *cu, unsigned slot)
{
	const struct model *c = &cu->m->model;
	const unsigned halves = model_cus_per_processor(c), extra = extra_groups(n, SIMDS / halves_of_cu(n));

	for (unsigned half = 0; half < halves; half++) {
		if (n->cu_mode && half != slot % 2)
			continue;
		const uint64_t more = n->cu_mode ? n->group_bytes : n->group_bytes / halves;
		if (lds_used_in_half(cu, half, halves) + more > (uint64_t)c->lds_bytes + extra * more)
			return false;
	}
	return true;
}

/* Workgroups of several waves, of all launches: a CU has so many barriers. */
static bool has_free_barrier(const struct launch *n, const struct cu *cu)
{
	const struct model *c = &cu->m->model;
	uint64_t groups = 0;

	if (n->waves_per_group == 1)
		return true;
	for (uint32_t k = 0; k < cu->m->residents; k++)
		if (cu->m->resident[k]->waves_per_group > 1)
			groups += __builtin_popcountll(slots_used(cu->m->resident[k], cu));
	return groups < (uint64_t)c->workgroups_per_cu * model_cus_per_processor(c) + extra_groups(n, SIMDS);
}

static bool fits_beside_others(const struct launch *n, const struct cu *cu)
{
	const unsigned slot = __builtin_ctzll(~slots_used(n, cu));
	uint32_t waves = 0;

	if (!cu->touched)
		return true;
	for (unsigned k = 0; k < SIMDS; k++)
		if (launch_may_use_simd(n, k, slot))
			waves += launch_count_free_waves(n, &cu->simd[k]);
	return waves >= n->waves_per_group && has_free_lds(n, cu, slot) && has_free_barrier(n, cu);
}

static bool is_cu_enabled(const struct launch *n, const struct cu *cu)
{
	const struct cu_mask *mask = &n->d->cus;

	return !mask->limited || mask->engine[cu->engine] >> cu->index & 1;
}

static void set_cu_bit(uint64_t *engines, const struct cu *cu, bool value)
{
	const uint64_t bit = UINT64_C(1) << cu->index;

	engines[cu->engine] = value ? engines[cu->engine] | bit : engines[cu->engine] & ~bit;
}

/* Alone, a launch has what compute_occupancy says. */
static bool has_room(const struct launch *n, const struct cu *cu)
{
	if (cu->touched && cu->share[n->number].count >= n->groups_per_cu)
		return false;
	return is_cu_enabled(n, cu) && (n->m->residents == 1 || fits_beside_others(n, cu));
}

void launches_find_room(const struct cu *cu)
{
	struct machine *m = cu->m;
	bool any = false;

	for (struct launch **n = m->resident, **end = n + m->residents; n < end; n++) {
		const bool room = has_room(*n, cu);
		set_cu_bit((*n)->free_cus, cu, room);
		any |= room;
	}
	set_cu_bit(m->free_cus, cu, any);
}

/* When a launch begins or ends. */
static void update_totals(struct machine *m)
{
	m->unstarted = 0;
	m->short_of_scratch = false;
	for (uint32_t k = 0; k < m->residents; k++) {
		m->unstarted += m->resident[k]->total - m->resident[k]->issued;
		m->short_of_scratch |= m->resident[k]->scratch_groups != 0;
	}
	for (uint32_t k = 0; k < m->cus; k++)
		launches_find_room(&m->cu[k]);
}

/* A CU outside of the mask never gets workgroups. */
static bool has_enabled_cu(const struct launch *n)
{
	for (uint32_t k = 0; k < n->m->cus; k++)
		if (is_cu_enabled(n, &n->m->cu[k]))
			return true;
	return false;
}

bool launch_reserve(struct launch *n)
{
	if (!compute_grid(n) || !compute_occupancy(n) || !reserve_scratch(n))
		return false;
	if (!has_enabled_cu(n))
		return launch_reject(n, "its CU mask disables all CUs");
	update_totals(n->m);
	return true;
}

void launch_release(struct launch *n)
{
	struct machine *m = n->m;
	uint32_t at = 0;

	free(n->scratch_used);
	n->scratch_used = NULL;
	while (m->resident[at] != n)
		at++;
	m->residents--;
	memmove(m->resident + at, m->resident + at + 1, (m->residents - at) * sizeof *m->resident);
	if (m->residents) {
		update_totals(m);
		launch_schedule_dispatcher(m);
	}
}

struct workgroup *launch_take_workgroup(struct launch *n, struct cu *cu)
{
	struct cu_share *share = &cu->share[n->number];
	const uint32_t slot = __builtin_ctzll(~share->used);
	struct workgroup *g = &share->group[slot];

	share->used |= UINT64_C(1) << slot;
	share->count++;
	memcpy(g->id, n->next, sizeof g->id);
	g->waves = n->waves_per_group;
	g->alive = g->arrived = 0;
	g->slot = slot;
	g->cu = cu;
	g->launch = n;
	g->latest = 0;
	g->scratch_slot = take_scratch(n);
	return g;
}

/* --- the next workgroup --- */
void launch_skip_workgroups(struct launch *n, uint64_t groups)
{
	uint64_t at;

	at = n->issued += groups;
	for (unsigned k = 0; k < 3; k++, at /= n->grid[k - 1])
		n->next[k] = at % n->grid[k];
	n->done += groups;
	n->m->unstarted -= groups;
	atomic_fetch_add_explicit(&n->m->done, groups, memory_order_relaxed);
}

void launch_schedule_dispatcher(struct machine *m)
{
	cycle_t first = CYCLE_NEVER;

	for (uint32_t k = 0; k < m->residents; k++) {
		first = min_u64(first, m->resident[k]->dispatch_event);
		if (m->resident[k]->dispatch_blocked)
			first = min_u64(first, freed_room_next(m));
	}
	if (first == CYCLE_NEVER)
		event_queue_remove(&m->events, DISPATCHER);
	else
		event_queue_set(&m->events, DISPATCHER, first);
}

static void wake_dispatcher(struct launch *n, cycle_t t)
{
	if (!n->dispatch_blocked)
		return;
	n->dispatch_blocked = false;
	if (machine_is_profiled(n->m) && t > n->dispatch_at)
		profiler_record_freed_slot(n->m, t);
	n->dispatch_event = max_u64(t, n->dispatch_at);
	launch_schedule_dispatcher(n->m);
}

void launches_wake_dispatcher(struct machine *m, cycle_t t)
{
	for (uint32_t k = 0; k < m->residents; k++)
		wake_dispatcher(m->resident[k], t);
}

void launch_free_slot(struct wave *w)
{
	struct simd *s = w->simd;

	s->used_slots &= ~(1u << w->slot);
	s->used_rows[w->launch->number] &= ~(1u << w->row);
}

void launch_free_workgroup(struct workgroup *g, cycle_t t)
{
	struct launch *n = g->launch;

	g->cu->share[n->number].used &= ~(UINT64_C(1) << g->slot);
	g->cu->share[n->number].count--;
	launches_find_room(g->cu);
	free_scratch(n, g->scratch_slot);
	launches_wake_dispatcher(n->m, t);
}

void launch_retire_workgroup(struct workgroup *g, cycle_t t)
{
	struct launch *n = g->launch;
	struct machine *m = n->m;

	if (machine_is_checked(m))
		checker_end_group(g);
	n->done++;
	atomic_store_explicit(&m->done, atomic_load_explicit(&m->done, memory_order_relaxed) + 1, memory_order_relaxed);
	if (n->done == n->total && m->residents > 1)
		m->pause = min_u64(m->pause, n->end);
	if (machine_poll_stop(m, t) && !m->halt) {
		m->halt = n->out->status = LAUNCH_STOPPED;
		snprintf(n->out->message, sizeof n->out->message, "stopped on request");
	}
}

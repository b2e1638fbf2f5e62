/* Places workgroups on CUs and initializes their waves. */
#include "softgpu/core/launch/workgroup_dispatch.h"

#include <emmintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/exec/decode_cache.h"
#include "softgpu/core/fast/run_ahead.h"
#include "softgpu/core/launch/host_variant.h"
#include "softgpu/core/launch/kernel_descriptor.h"
#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/memory/lds_timing.h"
#include "softgpu/core/memory/l1.h"
#include "softgpu/core/fast/sampled_launch.h"
#include "softgpu/core/fast/steady_state.h"
#include "softgpu/core/jit/jit.h"
#include "softgpu/core/issue/wave_control.h"
#include "softgpu/core/timing/scheduler.h"
#include "softgpu/core/exec/wave_hwreg.h"
#include "softgpu/isa/mode_register.h"

static bool reject_dispatch(struct machine *m, const char *why)
{
	m->halt = m->launch.out->status = LAUNCH_BAD_PACKET;
	snprintf(m->launch.out->message, sizeof m->launch.out->message, "bad dispatch: %s", why);
	return false;
}

/* --- resources --- */
static bool compute_grid(struct machine *m)
{
	struct launch *n = &m->launch;
	const struct dispatch *d = n->d;
	uint64_t items = 1;

	n->total = 1;
	for (unsigned k = 0; k < 3; k++) {
		if (!d->workgroup[k] || !d->grid[k])
			return reject_dispatch(m, "a grid or workgroup dimension is 0");
		items *= d->workgroup[k];
		n->grid[k] = (d->grid[k] + (uint64_t)d->workgroup[k] - 1) / d->workgroup[k];
		n->total *= n->grid[k];
	}
	if (items > 1024)
		return reject_dispatch(m, "a workgroup has more than 1024 work-items");
	n->group_items = items;
	n->waves_per_group = (items + n->lanes - 1) / n->lanes;
	return true;
}

static bool compute_occupancy(struct machine *m)
{
	struct launch *n = &m->launch;
	const struct model *c = &m->model;
	/* In CU mode, each half of a WGP has workgroups of its own. */
	const uint32_t halves = n->cu_mode ? 2 : 1, simds = SIMDS / halves;
	uint32_t lds = n->group_bytes,
		 by_lds = lds ? c->lds_bytes * model_cus_per_processor(c) / halves / lds : SIMDS * MAX_WAVES_PER_SIMD;
	uint32_t by_vgprs = n->vgprs_per_simd / n->vgprs;

	n->waves_per_simd = min_u64(min_u64(c->waves_per_simd, MAX_WAVES_PER_SIMD), by_vgprs);
	if (c->sgprs_per_simd) /* on gfx11 each wave slot has its own */
		n->waves_per_simd = min_u64(n->waves_per_simd, c->sgprs_per_simd / n->sgprs);
	if (lds > c->lds_bytes)
		return reject_dispatch(m, "a workgroup needs more LDS than a CU has");
	uint32_t by_slots = n->waves_per_simd * simds / n->waves_per_group;
	if (c->waves_per_simd * simds < n->waves_per_group)
		return reject_dispatch(
			m, "a workgroup does not fit into a CU: it has more waves than there are wave slots");
	if (!by_slots)
		return reject_dispatch(m, "a workgroup does not fit into a CU: too many registers for its waves");
	n->groups_per_cu = min_u64(by_slots, by_lds);
	if (n->waves_per_group > 1)
		n->groups_per_cu = min_u64(n->groups_per_cu, c->workgroups_per_cu);
	n->groups_per_cu *= halves;
	return true;
}

/* If the runtime provides scratch for fewer waves than fit, workgroups wait for scratch. */
static bool reserve_scratch(struct machine *m)
{
	struct launch *n = &m->launch;
	uint32_t waves = n->d->scratch_waves;

	n->scratch_groups = n->scratch_busy = 0;
	n->scratch_used = NULL;
	if (!(n->rsrc2 & 1) || !waves || waves >= m->cus * SIMDS * m->wave_slots)
		return true;
	n->scratch_groups = waves / n->waves_per_group;
	if (!n->scratch_groups)
		return reject_dispatch(m, "the queue has less scratch than a workgroup needs");
	n->scratch_used = calloc((n->scratch_groups + 63) / 64, sizeof *n->scratch_used);
	return n->scratch_used || reject_dispatch(m, "out of host memory");
}

static uint32_t allocate_scratch(struct launch *n)
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

/* --- initial VGPRs, equal for all workgroups --- */
static bool create_work_item_ids(struct machine *m)
{
	struct launch *n = &m->launch;
	const uint16_t *size = n->d->workgroup;

	n->ids = calloc(n->waves_per_group, sizeof *n->ids);
	if (!n->ids)
		return reject_dispatch(m, "out of host memory");
	for (uint32_t item = 0; item < n->waves_per_group * n->lanes; item++) {
		uint32_t(*v)[MAX_LANES] = n->ids[item / n->lanes], lane = item % n->lanes;
		v[0][lane] = item % size[0];
		v[1][lane] = item / size[0] % size[1];
		v[2][lane] = item / size[0] / size[1];
	}
	return true;
}

/* The active lanes of a wave in a workgroup of `size`, which may be cut off by the edge of the grid. */
static uint64_t initial_exec(const struct machine *m, uint32_t wave, const uint32_t *size)
{
	const struct launch *n = &m->launch;
	const uint16_t *full = n->d->workgroup;
	uint32_t first = wave * n->lanes;
	uint64_t exec = 0;

	if (size[0] == full[0] && size[1] == full[1] && size[2] == full[2]) {
		uint32_t left = n->group_items - first;
		return (UINT64_C(1) << (left >= n->lanes ? n->lanes - 1 : left - 1) << 1) - 1;
	}
	for (unsigned l = 0; l < n->lanes; l++) {
		const uint32_t(*v)[MAX_LANES] = (const uint32_t(*)[MAX_LANES])n->ids[wave];
		bool in = first + l < n->group_items && v[0][l] < size[0] && v[1][l] < size[1] && v[2][l] < size[2];
		exec |= (uint64_t)in << l;
	}
	return exec;
}

/* --- waves --- */
/* In CU mode, workgroups of even and odd slots use different halves of the SIMDs. */
static struct simd *simd_with_room(struct machine *m, struct cu *cu, const struct workgroup *g)
{
	uint32_t full = (1u << m->launch.waves_per_simd) - 1;

	for (;;) { /* terminates: place_on_cu() has found room */
		const uint32_t k = cu->next_simd;
		struct simd *s = &cu->simd[k];
		cu->next_simd = (k + 1) % SIMDS;
		if (m->launch.cu_mode && k / (SIMDS / 2) != g->slot % 2)
			continue;
		if ((s->used_slots & full) != full)
			return s;
	}
}

static void initial_vgprs(struct machine *m, struct simd *s, struct wave *w)
{
	const struct launch *n = &m->launch;

	w->v = s->vgprs + (size_t)w->slot * n->vgprs * n->lanes;
	if (!(s->cleared_slots >> w->slot & 1)) { /* registers of earlier launches must not be visible */
		s->cleared_slots |= 1u << w->slot;
		memset(w->v, 0, (size_t)n->vgprs * n->lanes * sizeof *w->v);
		if (m->agprs)
			memset(w->v + m->agprs, 0, (size_t)n->vgprs * n->lanes * sizeof *w->v);
	}
	const uint32_t(*ids)[MAX_LANES] = (const uint32_t(*)[MAX_LANES])n->ids[w->index];
	for (unsigned k = 0; k <= n->more_ids; k++)
		if (!n->packed_ids || !k)
			memcpy(w->v + k * n->lanes, ids[k], n->lanes * sizeof *w->v);
		else
			for (unsigned l = 0; l < n->lanes; l++)
				w->v[l] |= ids[k][l] << 10 * k;
}

/* The wave's part of scratch: by its slot on the chip, or by its workgroup's scratch slot if scratch is short. */
static uint64_t scratch_offset(const struct machine *m, const struct wave *w)
{
	const struct launch *n = &m->launch;
	uint64_t slot_number = w->simd->number * m->wave_slots + w->slot;

	if (n->scratch_groups)
		slot_number = w->group->scratch_slot * n->waves_per_group + w->index;
	return slot_number * n->d->scratch_wave_bytes;
}

static void initial_sgprs(struct machine *m, struct wave *w)
{
	const struct launch *n = &m->launch;
	const struct workgroup *g = w->group;
	uint32_t k = n->user_count;

	for (__m128i *r = (__m128i *)w->s; r < (__m128i *)(w->s + SGPR_FILE_SIZE); r += 4) {
		r[0] = r[1] = r[2] = r[3] = _mm_setzero_si128();
		__asm__ volatile(""); /* prevents a string instruction, which is slow for so few bytes */
	}
	memcpy(w->s, n->user, sizeof *w->s * n->user_count);
	for (unsigned axis = 0; axis < 3; axis++)
		if (n->rsrc2 >> (RSRC2_GROUP_ID_X + axis) & 1)
			w->s[k++] = g->id[axis];
	if (n->rsrc2 >> RSRC2_GROUP_INFO & 1)
		w->s[k++] = (uint32_t)(w->index == 0) << 31 | n->waves_per_group;
	if (n->rsrc2 & 1 && !(m->target & ISA_GFX11))
		w->s[k++] = scratch_offset(m, w);
}

/* COMPUTE_PGM_RSRC1 contains the floating-point modes, DX10_CLAMP, IEEE_MODE and FP16_OVFL (LLVM AMDGPU usage). */
static uint32_t initial_mode(uint32_t rsrc1)
{
	return (rsrc1 >> 12 & 0xff) | (rsrc1 & 1u << 21 ? MODE_DX10_CLAMP : 0) | (rsrc1 & 1u << 23 ? MODE_IEEE : 0) |
		(rsrc1 & 1u << 26 ? MODE_FP16_OVFL : 0);
}

static void start_wave(struct machine *m, struct cu *cu, struct workgroup *g, uint32_t index, uint64_t exec, uint64_t t)
{
	struct simd *s = simd_with_room(m, cu, g);
	uint32_t slot = __builtin_ctz(~s->used_slots);
	struct wave *w = &s->slot[slot];

	s->used_slots |= 1u << slot;
	w->slot = slot;
	w->index = index;
	w->group = g;
	w->lds = cu->lds + (size_t)g->slot * m->launch.group_bytes;
	w->lds_bytes = m->launch.group_bytes;
	w->lds_memory = &cu->memory[g->slot % model_cus_per_processor(&m->model)];
	w->ip = m->launch.entry;
	w->gpr_idx = 0;
	w->scc = 0;
	waitcnt_reset(w);
	initial_vgprs(m, s, w);
	initial_sgprs(m, w);
	w->flat_scratch = m->launch.d->scratch_base + scratch_offset(m, w);
	w->s[ISA_EXEC] = exec;
	w->s[ISA_EXEC + 1] = exec >> 32;
	wave_set_mode(w, initial_mode(m->launch.rsrc1));
	g->wave[index] = w;
	cu->waves++;
	m->sums.waves++;
	simd_add_wave(s, w, t);
	if (machine_is_profiled(m))
		profiler_record_start(w, t);
}

/* --- workgroups --- */
/* Round-robin over the shader engines, and in each engine over its CUs. */
static struct cu *place_on_cu(struct machine *m)
{
	struct launch *n = &m->launch;
	uint32_t engines = m->model.shader_engines, per = m->cus / engines;

	for (uint32_t k = 0; k < engines; k++) {
		uint32_t e = (n->next_engine + k) % engines, from = n->next_cu[e];
		uint64_t room = n->free_cus[e];
		if (!room)
			continue;
		uint64_t ahead = room >> from << from;
		uint32_t cu = __builtin_ctzll(ahead ? ahead : room);
		n->next_engine = (e + 1) % engines;
		n->next_cu[e] = (cu + 1) % per;
		return &m->cu[e * per + cu];
	}
	return NULL;
}

/* Resets the caches and clocks of a CU when a launch first uses it. */
static void reset_cu(struct cu *cu)
{
	struct machine *m = cu->m;
	const struct launch *n = &m->launch;

	cu->touched = true;
	for (unsigned k = 0; k < model_cus_per_processor(&m->model); k++) {
		struct cu_memory *memory = &cu->memory[k];
		cache_clear(&memory->l1);
		memory->l1_free = memory->lds_free = memory->lds_path_free = 0;
	}
	cu->groups_used = cu->groups_cleared = 0;
	cu->next_simd = 0;
	scheduler_clear(&cu->scheduler);
	for (unsigned k = 0; k < SIMDS; k++) {
		struct simd *s = &cu->simd[k];
		simd_clear(s);
		s->vgprs = m->vgprs +
			(size_t)s->number * n->waves_per_simd * n->vgprs *
				n->lanes; /* contiguous, so that less host memory is used */
	}
}

static struct workgroup *allocate_workgroup(struct machine *m, struct cu *cu)
{
	struct launch *n = &m->launch;
	uint32_t slot = __builtin_ctzll(~cu->groups_used);
	struct workgroup *g = &cu->group[slot];

	cu->groups_used |= UINT64_C(1) << slot;
	if (!(cu->groups_cleared >> slot & 1)) {
		cu->groups_cleared |= UINT64_C(1) << slot;
		memset(cu->lds + (size_t)slot * n->group_bytes, 0, n->group_bytes);
	}
	if ((uint32_t)__builtin_popcountll(cu->groups_used) == n->groups_per_cu)
		n->free_cus[cu->engine] &= ~(UINT64_C(1) << cu->index);
	memcpy(g->id, n->next, sizeof g->id);
	g->waves = n->waves_per_group;
	g->alive = g->arrived = 0;
	g->slot = slot;
	g->cu = cu;
	g->latest = 0;
	g->scratch_slot = allocate_scratch(n);
	return g;
}

static void advance_workgroup_id(struct launch *n)
{
	n->issued++;
	for (unsigned k = 0; k < 3; k++) {
		if (++n->next[k] < n->grid[k])
			return;
		n->next[k] = 0;
	}
}

void dispatch_skip_workgroups(struct machine *m, uint64_t groups)
{
	struct launch *n = &m->launch;
	uint64_t at;

	at = n->issued += groups;
	for (unsigned k = 0; k < 3; k++, at /= n->grid[k - 1])
		n->next[k] = at % n->grid[k];
	atomic_fetch_add_explicit(&m->done, groups, memory_order_relaxed);
}

/* The size of the part of the workgroup that is inside the grid. */
static void workgroup_extent(const struct launch *n, const uint32_t *id, uint32_t *size)
{
	for (unsigned k = 0; k < 3; k++)
		size[k] = min_u64(n->d->workgroup[k], n->d->grid[k] - id[k] * n->d->workgroup[k]);
}

static void start_workgroup(struct machine *m, struct cu *cu, uint64_t t)
{
	struct launch *n = &m->launch;
	uint32_t size[3], started = 0;
	uint64_t exec[MAX_GROUP_WAVES];

	if (!cu->touched)
		reset_cu(cu);
	struct workgroup *g = allocate_workgroup(m, cu);
	workgroup_extent(n, g->id, size);
	for (uint32_t k = 0; k < n->waves_per_group; k++) {
		exec[k] = initial_exec(m, k, size);
		g->alive += exec[k] != 0;
	}
	for (uint32_t k = 0; k < n->waves_per_group; k++)
		if (!exec[k])
			g->wave[k] = NULL;
		else
			start_wave(m, cu, g, k, exec[k],
				t + started++ * m->model.dispatch_wave_cycles + m->model.wave_start_cycles);
	uint64_t creation = started * m->model.dispatch_wave_cycles, least = m->model.dispatch_cycles;
	n->dispatch_at = t + (creation > least ? creation : least);
	advance_workgroup_id(n);
}

void dispatch_next_workgroup(struct machine *m, uint64_t t)
{
	struct launch *n = &m->launch;

	if (n->out_of_bounds_until != CYCLE_NEVER) {
		event_queue_remove(&m->events, DISPATCHER);
		return;
	}
	if (n->repeat)
		t = repeat_skip_periods(m, t);
	if (n->sample)
		sample_take(m, t);
	struct cu *cu = n->scratch_groups && n->scratch_busy == n->scratch_groups ? NULL : place_on_cu(m);

	if (!cu) {
		n->dispatch_blocked = true;
		event_queue_remove(&m->events, DISPATCHER);
		return;
	}
	if (machine_is_profiled(m))
		profiler_record_dispatch(m, t);
	start_workgroup(m, cu, t);
	if (n->issued < n->total)
		event_queue_set(&m->events, DISPATCHER, n->dispatch_at);
	else
		event_queue_remove(&m->events, DISPATCHER);
	if (n->dispatch_at > n->end) /* the launch lasts at least until the last workgroup is created */
		n->end = n->dispatch_at;
}

void dispatch_retire_workgroup(struct machine *m, struct workgroup *g, uint64_t t)
{
	struct launch *n = &m->launch;

	g->cu->groups_used &= ~(UINT64_C(1) << g->slot);
	n->free_cus[g->cu->engine] |= UINT64_C(1) << g->cu->index;
	free_scratch(n, g->scratch_slot);
	atomic_store_explicit(&m->done, atomic_load_explicit(&m->done, memory_order_relaxed) + 1, memory_order_relaxed);
	if (n->dispatch_blocked) {
		n->dispatch_blocked = false;
		if (machine_is_profiled(m) && t > n->dispatch_at)
			profiler_record_freed_slot(m, t);
		event_queue_set(&m->events, DISPATCHER, t > n->dispatch_at ? t : n->dispatch_at);
	}
	if (machine_poll_stop(m, t) && !m->halt) {
		m->halt = n->out->status = LAUNCH_STOPPED;
		snprintf(n->out->message, sizeof n->out->message, "stopped on request");
	}
}

/* --- CU masks --- */
static bool is_cu_enabled(const struct cu_mask *mask, const struct cu *cu)
{
	return !mask->limited || mask->engine[cu->engine] >> cu->index & 1;
}

/* Marks all CUs in the mask as free. Other CUs never get workgroups, so they never become free. */
static bool enable_cus(struct machine *m)
{
	struct launch *n = &m->launch;
	bool any = false;

	for (uint32_t k = 0; k < m->cus; k++) {
		struct cu *cu = &m->cu[k];
		cu->touched = false;
		if (!is_cu_enabled(&n->d->cus, cu))
			continue;
		n->free_cus[cu->engine] |= UINT64_C(1) << cu->index;
		any = true;
	}
	return any || reject_dispatch(m, "its CU mask disables all CUs");
}

/* --- begin and end --- */
/* Prepares for waves of launch.lanes lanes. Decoded instructions depend on their number. */
static void select_executor(struct machine *m)
{
	const struct launch *n = &m->launch;
	const enum executor e = !(m->target & ISA_GFX11) ? EXECUTOR_GFX9
		: n->lanes == 32                         ? EXECUTOR_GFX11_WAVE32
							 : EXECUTOR_GFX11_WAVE64;

	if (m->executor == e)
		return;
	m->executor = e;
	m->target = isa_target_of_wave_size(m->target, n->lanes);
	m->ops = m->variant->ops[e];
	m->ops_any_mode = ops_for_any_mode(e);
	m->lane_mask_exec = 0;
	memset(m->lane_mask, 0, sizeof m->lane_mask);
	decode_cache_clear(m);
	jit_set_lanes(m->jit, n->lanes);
}

bool dispatch_begin(struct machine *m)
{
	struct launch *n = &m->launch;
	const char *why = descriptor_read(m);

	if (why)
		return reject_dispatch(m, why);
	select_executor(m);
	if (!compute_grid(m) || !compute_occupancy(m) || !enable_cus(m) || !reserve_scratch(m) ||
		!create_work_item_ids(m))
		return false;
	atomic_store_explicit(&m->total, n->total, memory_order_relaxed);
	n->entry = decode_cache_lookup(m, n->entry_pc);
	run_ahead_begin_launch(m);
	n->lds_latency_all_lanes = m->model.lds_latency + lds_return_cycles(&m->model, n->lanes);
	event_queue_set(&m->events, DISPATCHER, m->model.launch_cycles);
	repeat_begin(m);
	sample_begin(m);
	return true;
}

void dispatch_end(struct machine *m)
{
	repeat_end(m);
	sample_end(m);
	free(m->launch.ids);
	free(m->launch.scratch_used);
	m->launch.ids = NULL;
	m->launch.scratch_used = NULL;
}

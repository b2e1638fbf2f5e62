/* Starts the waves of a workgroup: their registers, their LDS, and where they begin. */
#include "softgpu/core/dispatch/wave_start.h"
#include "softgpu/core/exec/decode_cache.h"

#include <emmintrin.h>
#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/check/checker.h"
#include "softgpu/core/exec/wave_hwreg.h"
#include "softgpu/core/issue/wave_control.h"
#include "softgpu/core/dispatch/kernel_descriptor.h"
#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/resident/launch_resources.h"
#include "softgpu/core/timing/waitcnt.h"
#include "softgpu/core/timing/window_log.h"
#include "softgpu/isa/mode_register.h"

static uint32_t count_initial_sgprs(const struct launch *n)
{
	const uint32_t ids = __builtin_popcount(n->rsrc2 >> RSRC2_GROUP_ID_X & 7),
		       info = n->rsrc2 >> RSRC2_GROUP_INFO & 1,
		       scratch = n->rsrc2 & 1 && !n->m->model.gpu->target->architected_scratch;

	return n->user_count + ids + info + scratch;
}

/* --- initial VGPRs, equal for all workgroups --- */
bool launch_create_ids(struct launch *n)
{
	const uint16_t *size = n->d->workgroup;

	n->initial_sgprs = count_initial_sgprs(n);
	n->ids = calloc(n->waves_per_group, sizeof *n->ids);
	if (!n->ids)
		return launch_reject(n, "out of host memory");
	for (uint32_t item = 0; item < n->waves_per_group * n->lanes; item++) {
		uint32_t(*v)[MAX_LANES] = n->ids[item / n->lanes], lane = item % n->lanes;
		v[0][lane] = item % size[0];
		v[1][lane] = item / size[0] % size[1];
		v[2][lane] = item / size[0] / size[1];
	}
	return true;
}

void launch_free_ids(struct launch *n)
{
	free(n->ids);
	n->ids = NULL;
}

/* The active lanes of a wave in a workgroup of `size`, which may be cut off by the edge of the grid. */
static uint64_t initial_exec(const struct launch *n, uint32_t wave, const uint32_t *size)
{
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
/* The rows of a launch are contiguous, so that less host memory is used. */
static void initial_vgprs(struct simd *s, struct wave *w)
{
	const struct launch *n = w->launch;
	const size_t row = (size_t)n->vgprs * n->lanes;

	w->v = n->storage.vgprs + ((size_t)s->number * n->waves_per_simd + w->row) * row;
	if (!(s->cleared_rows[n->number] >> w->row & 1)) { /* registers of earlier launches must not be visible */
		s->cleared_rows[n->number] |= 1u << w->row;
		memset(w->v, 0, row * sizeof *w->v);
		if (n->m->agprs)
			memset(w->v + n->m->agprs, 0, row * sizeof *w->v);
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
static uint64_t scratch_offset(const struct wave *w)
{
	const struct launch *n = w->launch;
	uint64_t slot_number = w->simd->number * w->m->wave_slots + w->slot;

	if (n->scratch_groups)
		slot_number = w->group->scratch_slot * n->waves_per_group + w->index;
	return slot_number * n->d->scratch_wave_bytes;
}

static void initial_sgprs(struct wave *w)
{
	const struct launch *n = w->launch;
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
	if (n->rsrc2 & 1 && !w->m->model.gpu->target->architected_scratch)
		w->s[k++] = scratch_offset(w);
}

/* COMPUTE_PGM_RSRC1 contains the floating-point modes, DX10_CLAMP, IEEE_MODE and FP16_OVFL (LLVM AMDGPU usage). */
static uint32_t initial_mode(uint32_t rsrc1)
{
	return (rsrc1 >> 12 & 0xff) | (rsrc1 & 1u << 21 ? MODE_DX10_CLAMP : 0) | (rsrc1 & 1u << 23 ? MODE_IEEE : 0) |
		(rsrc1 & 1u << 26 ? MODE_FP16_OVFL : 0);
}

/* The workgroup's LDS, zeroed when a slot is first used: contents of earlier launches must not be visible. */
static uint8_t *initial_lds(const struct workgroup *g)
{
	const struct launch *n = g->launch;
	struct cu_share *share = &g->cu->share[n->number];
	uint8_t *cu_lds = n->storage.lds + (size_t)(g->cu - n->m->cu) * lds_storage_of_cu(&n->m->model),
		*lds = cu_lds + (size_t)g->slot * n->group_bytes;

	if (!(share->cleared >> g->slot & 1)) {
		share->cleared |= UINT64_C(1) << g->slot;
		memset(lds, 0, n->group_bytes);
	}
	return lds;
}

/* What the dispatcher has to know of a wave: its slot, and its place in the registers. */
static struct wave *take_slot(struct workgroup *g, uint32_t index)
{
	struct launch *n = g->launch;
	struct cu *cu = g->cu;
	struct simd *s = launch_find_simd(n, cu, g);
	uint32_t slot = __builtin_ctz(~s->used_slots), row = __builtin_ctz(~s->used_rows[n->number]);
	struct wave *w = &s->slot[slot];

	s->used_slots |= 1u << slot;
	s->used_rows[n->number] |= 1u << row;
	w->slot = slot;
	w->row = row;
	w->index = index;
	w->group = g;
	w->launch = n;
	g->wave[index] = w;
	n->m->thread.sums.waves++;
	return w;
}

void wave_begin(struct wave *w, uint64_t exec, cycle_t t)
{
	const struct launch *n = w->launch;
	const struct workgroup *g = w->group;
	struct cu *cu = g->cu;

	w->lds = initial_lds(g);
	w->lds_bytes = n->group_bytes;
	w->lds_memory = &cu->memory[g->slot % model_cus_per_processor(&n->m->model)];
	w->ip = w->m == n->m ? n->entry : decode_cache_lookup(launch_executor(w), n->entry_pc);
	w->gpr_idx = 0;
	w->deferred_in = w->held_in = 0;
	w->scc = 0;
	waitcnt_reset(w);
	w->vgprs_released = false;
	initial_vgprs(w->simd, w);
	initial_sgprs(w);
	w->flat_scratch = n->d->scratch_base + scratch_offset(w);
	w->s[ISA_EXEC] = exec;
	w->s[ISA_EXEC + 1] = exec >> 32;
	wave_set_mode(w, initial_mode(n->rsrc1));
	cu->waves++;
	simd_add_wave(w->simd, w, t);
	if (machine_is_profiled(w->m))
		profiler_record_start(w, t);
}

static void start_wave(struct workgroup *g, uint32_t index, uint64_t exec, cycle_t t)
{
	struct wave *w = take_slot(g, index);

	if (g->launch->m->windowed)
		*CLUSTER_APPEND(g->cu->cluster->started) = (struct started_wave){w, exec, t};
	else
		wave_begin(w, exec, t);
}

/* The size of the part of the workgroup that is inside the grid. */
static void workgroup_extent(const struct launch *n, const uint32_t *id, uint32_t *size)
{
	for (unsigned k = 0; k < 3; k++)
		size[k] = min_u64(n->d->workgroup[k], n->d->grid[k] - id[k] * n->d->workgroup[k]);
}

uint32_t workgroup_start_waves(struct workgroup *g, cycle_t t)
{
	const struct launch *n = g->launch;
	const struct model *c = &n->m->model;
	uint32_t size[3], started = 0;
	uint64_t exec[MAX_GROUP_WAVES];

	workgroup_extent(n, g->id, size);
	for (uint32_t k = 0; k < n->waves_per_group; k++) {
		exec[k] = initial_exec(n, k, size);
		g->alive += exec[k] != 0;
	}
	for (uint32_t k = 0; k < n->waves_per_group; k++)
		if (!exec[k])
			g->wave[k] = NULL;
		else
			start_wave(g, k, exec[k], t + started++ * c->dispatch_wave_cycles + c->wave_start_cycles);
	if (machine_is_checked(n->m))
		checker_start_group(g);
	return started;
}

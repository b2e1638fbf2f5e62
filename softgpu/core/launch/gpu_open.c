/* Opens and closes a device: its compute units, caches and registers, from the constants of its model. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/min_max.h"
#include "softgpu/core/check/checker.h"
#include "softgpu/core/exec/code_copies.h"
#include "softgpu/core/exec/decode_cache.h"
#include "softgpu/core/state/gpu.h"
#include "softgpu/core/windows/thread_views.h"
#include "softgpu/core/windows/windows.h"
#include "softgpu/core/launch/host_variant.h"
#include "softgpu/core/jit/jit.h"
#include "softgpu/core/memory/fabric.h"
#include "softgpu/core/memory/icache_fetch.h"
#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/resident/freed_room.h"
#include "softgpu/core/resident/launch_resources.h"
#include "softgpu/core/profile/wave_trace.h"

enum {
	VGPR_SLACK =
		2 * MAX_VGPRS + 32 /* registers after those of the last SIMD, which wrong register numbers may reach */
};

/* A WGP has its own caches of code and scalars. */
static uint32_t cus_of_sqc(const struct model *c)
{
	return c->scalar_cus ? c->scalar_cus : 1;
}

static bool open_cu(struct machine *m, uint32_t number)
{
	struct cu *cu = &m->cu[number];
	uint32_t cus_per_engine = m->cus / (uint32_t)m->model.shader_engines, cus_per_sqc = cus_of_sqc(&m->model);
	uint32_t engine = number / cus_per_engine, group = number % cus_per_engine / cus_per_sqc,
		 groups = (cus_per_engine + cus_per_sqc - 1) / cus_per_sqc;
	uint32_t shared_number = engine * groups + group;

	cu->m = m;
	cu->engine = engine;
	cu->index = number % cus_per_engine;
	cu->sqc = &m->sqc[shared_number];
	for (unsigned k = 0; k < SIMDS; k++) {
		struct simd *s = &cu->simd[k];
		s->cu = cu;
		s->memory = &cu->memory[k / (SIMDS / model_cus_per_processor(&m->model))];
		s->number = number * SIMDS + k;
		s->by_age = cu->scheduler.wave + k * SCHED_SLOTS_PER_SIMD;
		for (unsigned w = 0; w < MAX_WAVES_PER_SIMD; w++) {
			s->slot[w].m = m;
			s->slot[w].simd = s;
			s->slot[w].sqc = cu->sqc;
			s->slot[w].sqc_bit = shared_number < 64 ? UINT64_C(1) << shared_number : 0;
		}
	}
	if (m->arrays)
		cu->array = &m->array[number / (m->cus / m->arrays)];
	for (unsigned k = 0; k < model_cus_per_processor(&m->model); k++)
		if (!cache_open(&cu->memory[k].l1, (m->model.l1_bytes / 64 / m->model.l1_ways) >> m->l1_shift,
			    m->model.l1_ways) ||
			(m->model.utcl1_entries && !cache_open(&cu->memory[k].utcl1, 1, m->model.utcl1_entries)))
			return false;
	return true;
}

/* L1 caches of the shader arrays, and the Infinity Cache, which not all families have. */
static bool open_array_caches(struct machine *m)
{
	const struct model *c = &m->model;

	if (!c->gl1_bytes)
		return true;
	m->arrays = c->shader_engines * c->gpu->target->family->arrays_per_engine;
	m->array = allocate_host_lines(m->arrays, sizeof *m->array);
	for (uint32_t k = 0; m->array && k < m->arrays; k++)
		if (!cache_open(&m->array[k].l1, c->gl1_bytes / c->l2_line_bytes / c->gl1_ways, c->gl1_ways))
			return false;
	return m->array;
}

static bool open_infinity_cache(struct machine *m)
{
	const struct model *c = &m->model;

	for (uint32_t k = 0; c->l3_bytes && k < m->channels; k++)
		if (!cache_open(&m->channel[k].l3, c->l3_bytes / c->l2_line_bytes / c->l3_ways / c->l2_channels,
			    c->l3_ways))
			return false;
	return fabric_open(m);
}

static bool open_caches(struct machine *m)
{
	const struct model *c = &m->model;
	uint32_t cus_per_engine = m->cus / (uint32_t)c->shader_engines, cus_per_sqc = cus_of_sqc(c);

	m->sqcs = c->shader_engines * ((cus_per_engine + cus_per_sqc - 1) / cus_per_sqc);
	m->sqc = allocate_host_lines(m->sqcs, sizeof *m->sqc);
	m->channel = allocate_host_lines(m->channels, sizeof *m->channel);
	if (!m->sqc || !m->channel)
		return false;
	for (uint32_t k = 0; k < m->sqcs; k++)
		if (!cache_open(&m->sqc[k].data, c->scalar_bytes / 64 / c->scalar_ways, c->scalar_ways) ||
			!cache_open(&m->sqc[k].code, c->icache_bytes / 64 / c->icache_ways, c->icache_ways))
			return false;
	for (uint32_t k = 0; k < m->channels; k++)
		if (!cache_open(&m->channel[k].l2, c->l2_bytes / c->l2_line_bytes / c->l2_ways / c->l2_channels,
			    c->l2_ways))
			return false;
	return open_array_caches(m) && open_infinity_cache(m);
}

static size_t round_up_to_pages(size_t bytes)
{
	return (bytes + 4095) / 4096 * 4096;
}

static size_t size_of_cus(const struct machine *m)
{
	return round_up_to_pages(m->cus * sizeof *m->cu);
}

static size_t size_of_lds(const struct machine *m)
{
	return round_up_to_pages((size_t)m->cus * lds_storage_of_cu(&m->model));
}

/* No less than a wave can name. One more wave than fits at most doubles the room. */
static uint64_t vgpr_dwords_of_simd(const struct model *c)
{
	const uint64_t registers = max_u64(c->vgprs_per_lane, MAX_VGPRS) * (model_is_ideal(c, IDEAL_occupancy) ? 2 : 1);

	return registers * c->gpu->target->family->wave_lanes;
}

/* Allocates zeroed memory that the system provides on first use, with huge pages if possible, because the registers of
 * a whole chip need too many small pages. NULL: out of memory. */
enum { LARGE_PAGE = 2 << 20 };
static void *allocate_lazy(size_t bytes)
{
	uint8_t *p = mmap(
		NULL, bytes + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	size_t before = -(uintptr_t)p & (LARGE_PAGE - 1);
	munmap(p, before);
	munmap(p + before + bytes, LARGE_PAGE - before);
	madvise(p + before, bytes, MADV_HUGEPAGE);
	return p + before;
}

static void free_lazy(void *p, size_t bytes)
{
	if (p)
		munmap(p, bytes);
}

bool machine_open_storage(struct machine *m, unsigned number)
{
	struct launch_storage *s = &m->storage[number];

	if (!s->vgprs)
		s->vgprs = allocate_lazy(m->vgpr_bytes);
	if (!s->lds)
		s->lds = allocate_lazy(size_of_lds(m));
	return s->vgprs && s->lds;
}

static bool open_machine(struct machine *m, const struct model *model)
{
	m->model = m->as_opened = *model;
	model_idealize(&m->model);
	m->target = isa_target_by_name(model->arch);
	m->isa = isa_family_of(m->target);
	m->wave_slots =
		min_u64(model->gpu->target->wave_slots + model_is_ideal(model, IDEAL_occupancy), MAX_WAVES_PER_SIMD);
	for (unsigned k = 0; k < WAITCNT_KINDS; k++)
		m->waitcnt_max[k] = isa_wait_most(k == WAITCNT_LGKM ? m->isa->lgkmcnt : m->isa->vmcnt);
	m->store_counter = m->isa->counts_stores ? WAITCNT_VS : WAITCNT_VM;
	m->cus = model->compute_units / model_cus_per_processor(model);
	m->channels = model->l2_channels;
	m->channel_reciprocal = m->channels & (m->channels - 1) ? UINT64_MAX / m->channels + 1 : 0;
	m->interleave_shift = __builtin_ctzll(model->l2_interleave_bytes);
	m->l2_shift = __builtin_ctzll(model->l2_line_bytes / 64);
	m->l1_shift = model->l0_line_bytes ? __builtin_ctzll(model->l0_line_bytes / 64) : 0;
	m->variant = host_variant_best();
	m->issue = m->variant->issue;
	fetch_open(m);
	m->cu = allocate_lazy(size_of_cus(m));
	uint64_t vgprs = (uint64_t)m->cus * SIMDS * vgpr_dwords_of_simd(model) + VGPR_SLACK * MAX_LANES;
	m->agprs = model->gpu->target->accumulation_vgprs ? vgprs : 0;
	m->vgpr_bytes = round_up_to_pages((vgprs + m->agprs) * sizeof(uint32_t));
	m->code_copies = code_copies_open();
	if (!m->cu || !m->code_copies || !machine_open_storage(m, 0) || !machine_open_executors(m) || !open_caches(m) ||
		!freed_room_open(m))
		return false;
	for (uint32_t k = 0; k < m->cus; k++)
		if (!open_cu(m, k))
			return false;
	return windows_open(m) && views_open(m);
}

struct gpu *gpu_open(const struct model *model)
{
	struct gpu *g = gpu_is_built(model) ? aligned_alloc(64, (sizeof *g + 63) / 64 * 64) : NULL;

	if (!g)
		return NULL;
	memset(g, 0, sizeof *g);
	if (open_machine(&g->m, model))
		return g;
	gpu_close(g);
	return NULL;
}

void gpu_close(struct gpu *g)
{
	struct machine *m = &g->m;

	checker_close(m);
	for (uint32_t k = 0; m->cu && k < m->cus; k++)
		for (unsigned n = 0; n < CUS_OF_WGP; n++) {
			cache_close(&m->cu[k].memory[n].l1);
			cache_close(&m->cu[k].memory[n].utcl1);
		}
	for (uint32_t k = 0; m->sqc && k < m->sqcs; k++) {
		cache_close(&m->sqc[k].data);
		cache_close(&m->sqc[k].code);
	}
	for (uint32_t k = 0; m->channel && k < m->channels; k++) {
		cache_close(&m->channel[k].l2);
		cache_close(&m->channel[k].l3);
	}
	for (uint32_t k = 0; m->array && k < m->arrays; k++)
		cache_close(&m->array[k].l1);
	fabric_close(m);
	profiler_free(m);
	trace_free(m);
	windows_close(m);
	machine_close_executors(m);
	views_close(m);
	code_copies_close(m->code_copies);
	vm_close(&m->vm);
	freed_room_close(m);
	free(m->sqc);
	free(m->channel);
	free(m->array);
	free_lazy(m->cu, size_of_cus(m));
	for (unsigned k = 0; k < LAUNCHES_MAX; k++) {
		free_lazy(m->storage[k].vgprs, m->vgpr_bytes);
		free_lazy(m->storage[k].lds, size_of_lds(m));
	}
	free(g);
}

struct gpu *gpu_clone(const struct gpu *g)
{
	struct gpu *clone = gpu_open(&g->m.as_opened);

	if (!clone || (vm_copy(&clone->m.vm, &g->m.vm) && checker_clone(&clone->m, &g->m)))
		return clone;
	gpu_close(clone);
	return NULL;
}

const struct model *gpu_model(const struct gpu *g)
{
	return &g->m.as_opened;
}

/* Implements softgpu.h: opens a device, maps memory, launches kernels. */
#include "softgpu/core/softgpu.h"

#include <immintrin.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/min_max.h"
#include "softgpu/core/exec/decode_cache.h"
#include "softgpu/core/profile/perf_counters.h"
#include "softgpu/core/exec/workgroup_dispatch.h"
#include "softgpu/core/memory/cold_caches.h"
#include "softgpu/core/memory/dram.h"
#include "softgpu/core/memory/fabric.h"
#include "softgpu/core/memory/icache_fetch.h"
#include "softgpu/core/memory/launch_addresses.h"
#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/profile/profile_events.h"
#include "softgpu/core/exec/host_fault.h"
#include "softgpu/core/exec/host_variant.h"
#include "softgpu/core/timing/core_clock.h"
#include "softgpu/core/issue/wave_control.h"
#include "softgpu/core/jit/jit.h"
#include "softgpu/core/profile/wave_trace.h"

struct gpu {
	struct machine m;
};

enum {
	VGPR_SLACK =
		2 * MAX_VGPRS + 32 /* registers after those of the last SIMD, which wrong register numbers may reach */
};

/* --- open and close --- */
/* A WGP has its own caches of code and scalars. */
static uint32_t cus_of_sqc(const struct model *c)
{
	return c->scalar_cus ? c->scalar_cus : 1;
}

static uint32_t lds_of_cu(const struct model *c)
{
	return c->lds_bytes * model_cus_per_processor(c);
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
	cu->lds = m->lds + (size_t)number * lds_of_cu(&m->model);
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
			    m->model.l1_ways))
			return false;
	return true;
}

/* The caches that only gfx11 has. */
static bool open_array_caches(struct machine *m)
{
	const struct model *c = &m->model;

	if (!c->gl1_bytes)
		return true;
	m->arrays = c->shader_engines * c->gpu->family->arrays_per_engine;
	m->array = calloc(m->arrays, sizeof *m->array);
	for (uint32_t k = 0; m->array && k < m->arrays; k++)
		if (!cache_open(&m->array[k].l1, c->gl1_bytes / c->l2_line_bytes / c->gl1_ways, c->gl1_ways))
			return false;
	for (uint32_t k = 0; k < m->channels; k++)
		if (!cache_open(&m->channel[k].l3, c->l3_bytes / c->l2_line_bytes / c->l3_ways / c->l2_channels,
			    c->l3_ways))
			return false;
	return m->array && fabric_open(m);
}

static bool open_caches(struct machine *m)
{
	const struct model *c = &m->model;
	uint32_t cus_per_engine = m->cus / (uint32_t)c->shader_engines, cus_per_sqc = cus_of_sqc(c);

	m->sqcs = c->shader_engines * ((cus_per_engine + cus_per_sqc - 1) / cus_per_sqc);
	m->sqc = calloc(m->sqcs, sizeof *m->sqc);
	m->channel = calloc(m->channels, sizeof *m->channel);
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
	return open_array_caches(m);
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
	return round_up_to_pages((size_t)m->cus * lds_of_cu(&m->model));
}

/* Of gfx9 no less than a wave can name. */
static uint64_t vgpr_dwords_of_simd(const struct model *c)
{
	return max_u64(c->vgprs_per_lane, MAX_VGPRS) * c->gpu->family->wave_lanes;
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

static bool open_machine(struct machine *m, const struct model *model)
{
	m->model = *model;
	m->target = isa_target_by_name(model->arch);
	m->wave_slots = m->target & ISA_GFX11 ? MAX_WAVES_PER_SIMD : GFX9_WAVES_PER_SIMD;
	for (unsigned k = 0; k < WAITCNT_KINDS; k++)
		m->waitcnt_max[k] = k == WAITCNT_LGKM && !(m->target & ISA_GFX11) ? GFX9_LGKM_MAX : WAITCNT_MAX;
	m->cus = model->compute_units / model_cus_per_processor(model);
	m->channels = model->l2_channels;
	m->channel_reciprocal = m->channels & (m->channels - 1) ? UINT64_MAX / m->channels + 1 : 0;
	m->interleave_shift = __builtin_ctzll(model->l2_interleave_bytes);
	m->l2_shift = __builtin_ctzll(model->l2_line_bytes / 64);
	m->l1_shift = model->l0_line_bytes ? __builtin_ctzll(model->l0_line_bytes / 64) : 0;
	m->variant = host_variant_best();
	m->issue = m->variant->issue;
	m->executor = EXECUTOR_COUNT; /* none yet */
	m->decode_cache = decode_cache_open();
	m->jit = jit_open(m->variant->avx2);
	fetch_open(m);
	m->cu = allocate_lazy(size_of_cus(m));
	uint64_t vgprs = (uint64_t)m->cus * SIMDS * vgpr_dwords_of_simd(model) + VGPR_SLACK * MAX_LANES;
	m->agprs = m->target == ISA_GFX908 ? vgprs : 0; /* the same number again */
	m->vgpr_bytes = round_up_to_pages((vgprs + m->agprs) * sizeof *m->vgprs);
	m->vgprs = allocate_lazy(m->vgpr_bytes);
	m->lds = allocate_lazy(size_of_lds(m));
	if (!m->decode_cache || !m->jit || !m->cu || !m->vgprs || !m->lds)
		return false;
	if (!open_caches(m))
		return false;
	for (uint32_t k = 0; k < m->cus; k++)
		if (!open_cu(m, k))
			return false;
	return true;
}

struct gpu *gpu_open(const struct model *model)
{
	struct gpu *g = aligned_alloc(64, (sizeof *g + 63) / 64 * 64);

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

	for (uint32_t k = 0; m->cu && k < m->cus; k++)
		for (unsigned n = 0; n < CUS_OF_WGP; n++)
			cache_close(&m->cu[k].memory[n].l1);
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
	jit_close(m->jit);
	decode_cache_close(m->decode_cache);
	vm_close(&m->vm);
	free(m->sqc);
	free(m->channel);
	free(m->array);
	free_lazy(m->cu, size_of_cus(m));
	free_lazy(m->vgprs, m->vgpr_bytes);
	free_lazy(m->lds, size_of_lds(m));
	free(g);
}

struct gpu *gpu_clone(const struct gpu *g)
{
	struct gpu *clone = gpu_open(&g->m.model);

	if (!clone || vm_copy(&clone->m.vm, &g->m.vm))
		return clone;
	gpu_close(clone);
	return NULL;
}

const struct model *gpu_model(const struct gpu *g)
{
	return &g->m.model;
}

/* --- address space --- */
bool gpu_map(struct gpu *g, uint64_t va, uint64_t size, void *host, uint64_t phys, unsigned access)
{
	return vm_map(&g->m.vm, &(struct vm_region){va, size, host, phys, access});
}

void gpu_unmap(struct gpu *g, uint64_t va, uint64_t size)
{
	vm_unmap(&g->m.vm, va, size);
}

void gpu_set_unmapped_hook(struct gpu *g, void (*hook)(void))
{
	g->m.vm.unmapped_hook = hook;
}

void *gpu_host_pointer(struct gpu *g, uint64_t va, uint64_t size, unsigned access)
{
	const struct vm_region *r = vm_find(&g->m.vm, va, size, access);

	return r ? r->host + (va - r->va) : NULL;
}

/* --- bounded buffers --- */
/* Addresses that neither the program nor the runtime uses: from 32 TiB on, below Linux's mappings. A slot is large
 * enough for the distance of any 32-bit index of the largest elements, in both directions. */
#define BOUNDED_BASE (UINT64_C(1) << 45)
#define BOUNDED_ROOM (UINT64_C(1) << 38)

uint64_t gpu_bounded_address(unsigned slot, uint64_t va)
{
	return BOUNDED_BASE + slot * BOUNDED_ROOM + BOUNDED_ROOM / 2 + (va & UINT32_MAX);
}

bool gpu_bounded_slot_contains(unsigned slot, uint64_t address)
{
	return address - (BOUNDED_BASE + slot * BOUNDED_ROOM) < BOUNDED_ROOM;
}

bool gpu_map_bounded(struct gpu *g, unsigned slot, uint64_t va, uint64_t bytes)
{
	uint64_t start = BOUNDED_BASE + slot * BOUNDED_ROOM;

	return slot < GPU_BOUNDED_SLOTS && bytes <= BOUNDED_ROOM / 4 && !vm_overlaps(&g->m.vm, start, BOUNDED_ROOM) &&
		vm_map_alias(&g->m.vm, gpu_bounded_address(slot, va), va, bytes);
}

/* Whether the address is in a slot that is in use. */
static bool is_bounded(const struct machine *m, uint64_t va)
{
	uint64_t offset = va - BOUNDED_BASE;

	return offset < GPU_BOUNDED_SLOTS * BOUNDED_ROOM &&
		vm_overlaps(&m->vm, BOUNDED_BASE + offset / BOUNDED_ROOM * BOUNDED_ROOM, BOUNDED_ROOM);
}

/* --- stopping a launch --- */
/* Where the launch stopped, and why. */
static void describe_stop(struct launch *n, const struct uop *i, const char *what)
{
	struct launch_result *out = n->out;
	int64_t away = (int64_t)(i->pc - n->entry_pc);
	bool before = away < 0; /* a function may be placed before the kernel */

	out->pc = i->pc;
	out->pc_offset = away;
	snprintf(out->message, sizeof out->message, "%s at 0x%llx (kernel%c0x%llx)", what, (unsigned long long)i->pc,
		before ? '-' : '+', (unsigned long long)(before ? -away : away));
}

/* After an out-of-bounds access, that is the reason; what follows may be its effect. */
void machine_halt(struct wave *w, const struct uop *i, enum launch_status status, const char *fmt, ...)
{
	struct machine *m = w->m;
	bool out_of_bounds = m->launch.out_of_bounds_until != CYCLE_NEVER;
	char what[200];
	va_list ap;

	if (m->halt)
		return;
	m->halt = m->launch.out->status = out_of_bounds ? LAUNCH_OUT_OF_BOUNDS : status;
	if (w->last > m->launch.end)
		m->launch.end = w->last;
	if (out_of_bounds)
		return;
	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	describe_stop(&m->launch, i, what);
}

/* Lanes are work-items in the order of their x, y and z. */
static void locate_work_item(const struct wave *w, uint32_t number, uint32_t out[3])
{
	const uint16_t *size = w->m->launch.d->workgroup;

	out[0] = number % size[0];
	out[1] = number / size[0] % size[1];
	out[2] = number / size[0] / size[1];
}

struct bad_access {
	const struct wave *w;
	const struct uop *i;
	uint32_t work_item; /* number in the workgroup */
	uint64_t va, bytes;
	unsigned access;
};

static void record_bad_access(struct launch_result *out, const struct bad_access *b)
{
	out->fault_va = b->va;
	out->fault_bytes = b->bytes;
	out->fault_access = b->access;
	memcpy(out->fault_group, b->w->group->id, sizeof out->fault_group);
	locate_work_item(b->w, b->work_item, out->fault_item);
}

static const char *describe_bad_access(const struct bad_access *b, const char *kind, char *out, size_t size)
{
	char text[96];

	isa_print(&b->i->d, b->i->pc, text, sizeof text);
	snprintf(out, size, "%s: %s of %llu bytes at 0x%llx by %s", kind, b->access & VM_WRITE ? "write" : "read",
		(unsigned long long)b->bytes, (unsigned long long)b->va, text);
	return out;
}

/* The launch ends soon: no workgroup starts any more. Waves before this one may still make an out-of-bounds access,
 * which then is the one to report; they get limited time, since they may loop on what they failed to read. */
static void record_out_of_bounds(struct machine *m, const struct bad_access *b)
{
	enum { OUT_OF_BOUNDS_CYCLES = 1 << 18 };
	struct launch *n = &m->launch;
	const uint32_t *id = b->w->group->id;
	uint64_t group = ((uint64_t)id[2] * n->grid[1] + id[1]) * n->grid[0] + id[0];
	uint64_t wave = group * n->waves_per_group + b->w->index;
	bool first = n->out_of_bounds_until == CYCLE_NEVER;
	char what[200];

	if (!first && wave >= n->out_of_bounds_wave)
		return;
	if (first)
		n->out_of_bounds_until = b->w->last + OUT_OF_BOUNDS_CYCLES;
	if (n->out_of_bounds_until < m->pause)
		m->pause = n->out_of_bounds_until;
	n->out_of_bounds_wave = wave;
	record_bad_access(n->out, b);
	describe_stop(n, b->i, describe_bad_access(b, "access outside of a buffer", what, sizeof what));
}

bool machine_fault(struct wave *w, const struct uop *i, unsigned lane, uint64_t va, uint64_t bytes, unsigned access)
{
	struct bad_access b = {w, i, w->index * w->m->launch.lanes + lane, va, bytes, access};
	char what[200];

	if (w->m->halt)
		return false;
	if (is_bounded(w->m, va)) {
		record_out_of_bounds(w->m, &b);
		return true;
	}
	if (w->m->launch.out_of_bounds_until == CYCLE_NEVER)
		record_bad_access(w->m->launch.out, &b);
	machine_halt(w, i, LAUNCH_MEMORY_FAULT, "%s", describe_bad_access(&b, "memory fault", what, sizeof what));
	return false;
}

void machine_halt_misaligned(struct wave *w, const struct uop *i, unsigned lane, uint64_t at, uint64_t bytes)
{
	struct bad_access b = {w, i, w->index * w->m->launch.lanes + lane, at, bytes, VM_READ | VM_WRITE};
	char what[200];

	if (w->m->halt)
		return;
	record_bad_access(w->m->launch.out, &b);
	machine_halt(w, i, LAUNCH_MEMORY_FAULT, "%s",
		describe_bad_access(&b, "atomic not aligned to its size", what, sizeof what));
}

/* --- launches --- */
static void reset_launch(struct machine *m, const struct dispatch *d, struct launch_result *out)
{
	memset(out, 0, sizeof *out);
	memset(&m->launch, 0, sizeof m->launch);
	memset(&m->sums, 0, sizeof m->sums);
	m->launch.d = d;
	m->launch.out = out;
	m->launch.out_of_bounds_until = CYCLE_NEVER;
	m->halt = LAUNCH_OK;
	memset(m->vm_window, 0, sizeof m->vm_window);
	m->lane_mask_exec = 0;
	memset(m->lane_mask, 0, sizeof m->lane_mask);
	m->launch.host_epoch = ++m->launches & 0x3ffff;
	dram_begin_launch(m);
	fabric_begin_launch(m);
	event_queue_clear(&m->events);
	for (uint32_t k = 0; k < m->channels; k++) {
		m->channel[k].free = m->channel[k].l3_free = 0;
		cache_complete_fills(&m->channel[k].l2);
	}
	for (uint32_t k = 0; k < m->sqcs; k++) {
		m->sqc[k].data_free = 0;
		cache_clear(&m->sqc[k].data);
	}
	for (uint32_t k = 0; k < m->arrays; k++) {
		cache_clear(&m->array[k].l1);
		memset(m->array[k].bank_free, 0, sizeof m->array[k].bank_free);
	}
	atomic_store_explicit(&m->done, 0, memory_order_relaxed);
	atomic_store_explicit(&m->requests, 0, memory_order_relaxed);
	atomic_store_explicit(&m->published_cycles, 0, memory_order_relaxed);
	atomic_store_explicit(&m->published_instructions, 0, memory_order_relaxed);
}

static void run_events(struct machine *m)
{
	while (m->events.count && !m->halt && event_queue_first_time(&m->events) < m->pause) {
		uint32_t id = event_queue_first_id(&m->events);
		if (id == DISPATCHER)
			dispatch_next_workgroup(m, event_queue_first_time(&m->events));
		else if (!m->model.timing)
			simd_run_functional(&m->cu[id]);
		else
			m->issue[m->profiler != NULL](&m->cu[id]);
	}
}

/* A stopped launch may have issued work after its end, because CUs advance independently. */
static void fill_result(const struct machine *m, struct launch_result *out)
{
	struct work_totals work = counters_sum_work(m);
	uint64_t limit = sclk_valu_limit(&m->model, m->launch.end);

	out->cycles = m->launch.end;
	out->waves = m->sums.waves;
	out->instructions = work.instructions;
	out->valu_cycles = work.valu_cycles < limit ? work.valu_cycles : limit;
	out->ps = sclk_cycles_to_ps(&m->model, out->cycles, out->valu_cycles);
}

void gpu_begin_launch(struct gpu *g, const struct dispatch *d, struct launch_result *out)
{
	struct machine *m = &g->m;

	reset_launch(m, d, out);
	m->mxcsr = _MM_MASK_MASK;
	launch_addresses_begin(m, d);
	fetch_begin_launch(m, false);
	decode_cache_begin_launch(m);
	profiler_begin(m, m->model.timing ? atomic_load_explicit(&m->profile_request, memory_order_relaxed) : 0);
	dispatch_begin(m);
}

/* The launch that this thread runs, and the way out of it when the host denies an access. */
static _Thread_local struct machine *running;
static _Thread_local sigjmp_buf way_out;

static void end_with_host_fault(struct machine *m, uint64_t va, bool write)
{
	struct launch_result *out = m->launch.out;

	m->halt = out->status = LAUNCH_MEMORY_FAULT;
	out->fault_va = va;
	out->fault_access = write ? VM_WRITE : VM_READ;
	snprintf(out->message, sizeof out->message,
		"memory fault: %s at 0x%llx: the program has protected this memory of the host (mprotect)",
		write ? "write" : "read", (unsigned long long)va);
}

void gpu_take_host_fault(const void *host, bool write)
{
	struct machine *m = running;
	const uint8_t *at = host;

	for (uint32_t i = 0; m && i < m->vm.count; i++) {
		const struct vm_region *r = &m->vm.region[i];
		if (at < r->host || (uint64_t)(at - r->host) >= r->size)
			continue;
		end_with_host_fault(m, r->va + (uint64_t)(at - r->host), write);
		siglongjmp(way_out, 1);
	}
}

static void end_after_out_of_bounds(struct machine *m)
{
	if (m->launch.out_of_bounds_until == CYCLE_NEVER || m->halt)
		return;
	if (!m->events.count || event_queue_first_time(&m->events) >= m->launch.out_of_bounds_until)
		m->halt = LAUNCH_OUT_OF_BOUNDS;
}

bool gpu_run_until(struct gpu *g, uint64_t until)
{
	struct machine *m = &g->m;
	uint32_t host = _mm_getcsr();

	_mm_setcsr(m->mxcsr);
	m->pause = until < m->launch.out_of_bounds_until ? until : m->launch.out_of_bounds_until;
	memset(m->vm_window, 0, sizeof m->vm_window); /* mappings may have changed */
	if (!sigsetjmp(way_out, 0)) {
		running = m;
		run_events(m);
	}
	running = NULL;
	end_after_out_of_bounds(m);
	_mm_setcsr(host);
	return m->halt || !m->events.count;
}

/* All waves left wait for global wave sync. */
static void describe_deadlock(const struct machine *m)
{
	const struct launch *n = &m->launch;
	char *out = n->out->message;

	if (n->issued < n->total)
		snprintf(out, sizeof n->out->message,
			"deadlock: %u waves wait for the whole grid, but %llu of its %llu workgroups fit on the GPU; launch no more than fit",
			n->gws_waiting, (unsigned long long)n->issued, (unsigned long long)n->total);
	else
		snprintf(out, sizeof n->out->message,
			"deadlock: %u waves wait for global wave sync and none is left to release them; let each workgroup reach it",
			n->gws_waiting);
}

/* If a bug left waves unfinished, the launch must not count as successful. */
static void check_all_ended(struct machine *m)
{
	uint64_t done = atomic_load_explicit(&m->done, memory_order_relaxed), total = m->launch.total;

	if (m->halt || done == total)
		return;
	m->halt = LAUNCH_TRAP;
	if (m->launch.gws_waiting)
		describe_deadlock(m);
	else
		snprintf(m->launch.out->message, sizeof m->launch.out->message, "%llu of %llu workgroups did not end",
			(unsigned long long)(total - done), (unsigned long long)total);
}

enum launch_status gpu_end_launch(struct gpu *g)
{
	struct machine *m = &g->m;
	struct launch_result *out = m->launch.out;

	check_all_ended(m);
	profiler_end(m);
	dispatch_end(m);
	m->launch.end += m->launch.skipped_cycles;
	if (!m->model.timing)
		m->launch.end = 0;
	fill_result(m, out);
	launch_addresses_end(m);
	m->launch.d = NULL;
	m->launch.out = NULL;
	return out->status = m->halt;
}

enum launch_status gpu_launch(struct gpu *g, const struct dispatch *d, struct launch_result *out)
{
	gpu_begin_launch(g, d, out);
	while (!gpu_run_until(g, UINT64_MAX))
		;
	return gpu_end_launch(g);
}

void gpu_stop_launch(struct gpu *g)
{
	atomic_fetch_or_explicit(&g->m.requests, REQUEST_STOP, memory_order_relaxed);
}

/* Counting instructions visits all code, so it happens only on request, at most ten times per second. */
void machine_publish_progress(struct machine *m, uint64_t t)
{
	if (!(atomic_load_explicit(&m->requests, memory_order_relaxed) & REQUEST_PROGRESS))
		return;
	atomic_store_explicit(&m->published_cycles, t, memory_order_relaxed);
	atomic_store_explicit(&m->published_instructions, counters_sum_work(m).instructions, memory_order_relaxed);
	atomic_fetch_and_explicit(&m->requests, ~(unsigned)REQUEST_PROGRESS, memory_order_release);
}

void gpu_read_progress(struct gpu *g, struct gpu_progress *out)
{
	struct machine *m = &g->m;
	unsigned before = atomic_fetch_or_explicit(&m->requests, REQUEST_PROGRESS, memory_order_acquire);

	out->answered = !(before & REQUEST_PROGRESS);
	out->done = atomic_load_explicit(&m->done, memory_order_relaxed);
	out->total = atomic_load_explicit(&m->total, memory_order_relaxed);
	out->cycles = atomic_load_explicit(&m->published_cycles, memory_order_relaxed);
	out->instructions = atomic_load_explicit(&m->published_instructions, memory_order_relaxed);
}

size_t gpu_read_counters(const struct gpu *g, struct gpu_counter *out, size_t max)
{
	return counters_read(&g->m, out, max);
}

size_t gpu_list_counters(struct gpu_counter *out, size_t max)
{
	return counters_list(out, max);
}

void gpu_clear_caches(struct gpu *g)
{
	memory_clear_caches(&g->m);
}

/* --- profiling --- */
void gpu_set_profiling(struct gpu *g, unsigned what)
{
	atomic_store_explicit(&g->m.profile_request, what, memory_order_relaxed);
}

size_t gpu_read_breakdown(const struct gpu *g, struct softgpu_cycles *out, size_t max)
{
	return profiler_read_breakdown(&g->m, out, max);
}

size_t gpu_read_profile(const struct gpu *g, struct softgpu_instruction *out, size_t max)
{
	return profiler_read_profile(&g->m, out, max);
}

size_t gpu_read_timeline(const struct gpu *g, struct softgpu_span *out, size_t max, uint64_t *dropped)
{
	return profile_events_read_timeline(profiler_get_events(&g->m), out, max, dropped);
}

size_t gpu_read_cache_sets(const struct gpu *g, struct softgpu_set *out, size_t max)
{
	return profile_events_read_sets(profiler_get_events(&g->m), out, max);
}

bool gpu_trace_wave(struct gpu *g, const struct softgpu_follow *what)
{
	return trace_select_wave(&g->m, what);
}

void gpu_set_timeline_window(struct gpu *g, const struct softgpu_window *what)
{
	g->m.span_window.on = what && what->size;
	if (!g->m.span_window.on)
		return;
	g->m.span_window.cu = what->cu;
	g->m.span_window.from = what->from;
	g->m.span_window.to = what->to;
}

const struct softgpu_trace *gpu_read_trace(const struct gpu *g)
{
	return trace_get_last(&g->m);
}

size_t gpu_read_waves_per_cu(const struct gpu *g, uint32_t *out, size_t max)
{
	return profile_events_read_waves(profiler_get_events(&g->m), out, max);
}

uint64_t gpu_read_timeline_bucket(const struct gpu *g)
{
	return profile_events_read_bucket(profiler_get_events(&g->m));
}

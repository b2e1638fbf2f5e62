#include "softgpu/driver/queues/launch_slots.h"

#include <stdatomic.h>

#include "softgpu/driver/capture/launch_capture.h"
#include "softgpu/driver/check/launch_checks.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/code/kernel_symbol.h"
#include "softgpu/driver/probe/program_report.h"
#include "softgpu/driver/probe/program_watch.h"
#include "softgpu/driver/queues/blit_kernels.h"
#include "softgpu/driver/queues/resident_kernels.h"
#include "softgpu/driver/time/host_monotonic.h"
#include "softgpu/probe.h"

#define SLICE_CYCLES UINT64_C(65536) /* cycles between checks of the other queues */

static uint64_t launch_count; /* of the process, on all its GPUs */

/* The device's own GPU first: profiling and counters read it. */
static struct gpu *take_slot(struct softgpu_device *d)
{
	d->slots[0].gpu = d->gpu;
	for (unsigned i = 0; i < LAUNCH_SLOTS; i++) {
		if (d->slots[i].taken)
			continue;
		if (!d->slots[i].gpu)
			d->slots[i].gpu = gpu_clone(d->gpu);
		d->slots[i].taken = d->slots[i].gpu != NULL;
		return d->slots[i].gpu;
	}
	return NULL;
}

static void release_slot(struct softgpu_device *d, const struct gpu *g)
{
	for (unsigned i = 0; i < LAUNCH_SLOTS; i++)
		if (d->slots[i].gpu == g)
			d->slots[i].taken = false;
}

bool launch_slot_start(struct softgpu_device *d, struct active_launch *r)
{
	const bool together = resident_kernels_are_used();

	r->device = d;
	if (together && !resident_kernels_have_room(d))
		return false;
	r->gpu = together ? d->gpu : take_slot(d);
	if (!r->gpu)
		return false;
	r->number = launch_count++;
	r->cycles_run = 0;
	r->host_ns = 0;
	kernel_symbol_find(d, r->dispatch.kernel_object, r->kernel, sizeof r->kernel);
	r->dispatch.move = blit_kernel_describe(d, &r->dispatch, r->kernel);
	if (program_report_has_profile())
		gpu_set_profiling(r->gpu, SOFTGPU_PROFILE_CYCLES);
	if (!d->kernels.count) /* otherwise memory changes meanwhile */
		launch_capture_begin(r);
	launch_checks_begin(r);
	if (together)
		resident_kernels_begin(r);
	else
		gpu_begin_launch(r->gpu, &r->dispatch, &r->result);
	program_watch_begin_launch(r);
	return true;
}

bool launch_slot_run(struct active_launch *r)
{
	ns_t start = host_monotonic_ns();
	bool ended;

	r->cycles_run += SLICE_CYCLES;
	ended = gpu_run_until(r->gpu, r->cycles_run);
	r->host_ns += host_monotonic_ns() - start;
	if (!ended)
		launch_checks_note(r);
	return ended;
}

void launch_slot_finish(struct active_launch *r)
{
	if (resident_kernels_are_used())
		resident_kernels_finish(r);
	else
		gpu_end_launch(r->gpu, &r->result);
	launch_capture_end(r);
	launch_checks_end(r);
	program_watch_end_launch(r);
	release_slot(r->device, r->gpu);
	r->gpu = NULL;
}

bool launch_slots_map(struct softgpu_device *d, uint64_t va, uint64_t size, void *host, uint64_t phys, unsigned access)
{
	bool ok = gpu_map(d->gpu, va, size, host, phys, access);

	for (unsigned i = 1; i < LAUNCH_SLOTS; i++)
		if (d->slots[i].gpu && !gpu_map(d->slots[i].gpu, va, size, host, phys, access))
			ok = false;
	return ok;
}

bool launch_slots_map_bounded(struct softgpu_device *d, unsigned slot, uint64_t va, uint64_t bytes)
{
	bool ok = true;

	if (!gpu_map_bounded(d->gpu, slot, va, bytes))
		return false;
	for (unsigned i = 1; ok && i < LAUNCH_SLOTS; i++)
		ok = !d->slots[i].gpu || gpu_map_bounded(d->slots[i].gpu, slot, va, bytes);
	if (!ok)
		launch_slots_unmap(d, gpu_bounded_address(slot, va), bytes);
	return ok;
}

void launch_slots_unmap(struct softgpu_device *d, uint64_t va, uint64_t size)
{
	gpu_unmap(d->gpu, va, size);
	for (unsigned i = 1; i < LAUNCH_SLOTS; i++)
		if (d->slots[i].gpu)
			gpu_unmap(d->slots[i].gpu, va, size);
}

void launch_slots_clear_caches(struct softgpu_device *d)
{
	gpu_clear_caches(d->gpu);
	for (unsigned i = 1; i < LAUNCH_SLOTS; i++)
		if (d->slots[i].gpu)
			gpu_clear_caches(d->slots[i].gpu);
}

void launch_slots_clear_l2(struct softgpu_device *d)
{
	gpu_clear_l2(d->gpu);
	for (unsigned i = 1; i < LAUNCH_SLOTS; i++)
		if (d->slots[i].gpu)
			gpu_clear_l2(d->slots[i].gpu);
}

void launch_slots_stop(struct softgpu_device *d)
{
	gpu_stop_launch(d->gpu);
	for (unsigned i = 1; i < LAUNCH_SLOTS; i++)
		if (d->slots[i].gpu)
			gpu_stop_launch(d->slots[i].gpu);
}

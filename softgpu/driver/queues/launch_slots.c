#include "softgpu/driver/queues/launch_slots.h"

#include <stdatomic.h>

#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/probe/kernel_symbol.h"
#include "softgpu/driver/probe/program_report.h"
#include "softgpu/driver/probe/program_watch.h"
#include "softgpu/driver/time/host_monotonic.h"
#include "softgpu/probe.h"

#define SLOT_COUNT   8               /* concurrent launches; one per pipe of Vega's compute microengine */
#define SLICE_CYCLES UINT64_C(65536) /* cycles between checks of the other queues */

static struct {
	struct gpu *_Atomic gpu;
	bool taken;
} slots[SLOT_COUNT];

/* The device's own GPU first: profiling and counters read it. */
static struct gpu *take_slot(struct softgpu_device *d)
{
	slots[0].gpu = d->gpu;
	for (unsigned i = 0; i < SLOT_COUNT; i++) {
		if (slots[i].taken)
			continue;
		if (!slots[i].gpu)
			slots[i].gpu = gpu_clone(d->gpu);
		slots[i].taken = slots[i].gpu != NULL;
		return slots[i].gpu;
	}
	return NULL;
}

static void release_slot(const struct gpu *g)
{
	for (unsigned i = 0; i < SLOT_COUNT; i++)
		if (slots[i].gpu == g)
			slots[i].taken = false;
}

bool launch_slot_start(struct softgpu_device *d, struct active_launch *r)
{
	r->gpu = take_slot(d);
	if (!r->gpu)
		return false;
	r->cycles_run = 0;
	r->host_ns = 0;
	kernel_symbol_find(d, r->dispatch.kernel_object, r->kernel, sizeof r->kernel);
	if (program_report_has_profile())
		gpu_set_profiling(r->gpu, SOFTGPU_PROFILE_CYCLES);
	program_watch_begin_launch(r, r->gpu);
	gpu_begin_launch(r->gpu, &r->dispatch, &r->result);
	return true;
}

bool launch_slot_run(struct active_launch *r)
{
	ns_t start = host_monotonic_ns();
	bool ended;

	r->cycles_run += SLICE_CYCLES;
	ended = gpu_run_until(r->gpu, r->cycles_run);
	r->host_ns += host_monotonic_ns() - start;
	return ended;
}

enum launch_status launch_slot_finish(struct active_launch *r)
{
	enum launch_status status = gpu_end_launch(r->gpu);

	program_watch_end_launch(r->gpu);
	release_slot(r->gpu);
	r->gpu = NULL;
	return status;
}

bool launch_slots_map(struct softgpu_device *d, uint64_t va, uint64_t size, void *host, uint64_t phys, unsigned access)
{
	bool ok = gpu_map(d->gpu, va, size, host, phys, access);

	for (unsigned i = 1; i < SLOT_COUNT; i++)
		if (slots[i].gpu && !gpu_map(slots[i].gpu, va, size, host, phys, access))
			ok = false;
	return ok;
}

bool launch_slots_map_bounded(struct softgpu_device *d, unsigned slot, uint64_t va, uint64_t bytes)
{
	bool ok = true;

	if (!gpu_map_bounded(d->gpu, slot, va, bytes))
		return false;
	for (unsigned i = 1; ok && i < SLOT_COUNT; i++)
		ok = !slots[i].gpu || gpu_map_bounded(slots[i].gpu, slot, va, bytes);
	if (!ok)
		launch_slots_unmap(d, gpu_bounded_address(slot, va), bytes);
	return ok;
}

void launch_slots_unmap(struct softgpu_device *d, uint64_t va, uint64_t size)
{
	gpu_unmap(d->gpu, va, size);
	for (unsigned i = 1; i < SLOT_COUNT; i++)
		if (slots[i].gpu)
			gpu_unmap(slots[i].gpu, va, size);
}

void launch_slots_stop(struct softgpu_device *d)
{
	gpu_stop_launch(d->gpu);
	for (unsigned i = 1; i < SLOT_COUNT; i++)
		if (slots[i].gpu)
			gpu_stop_launch(slots[i].gpu);
}

void launch_slots_reset_in_child(void)
{
	for (unsigned i = 0; i < SLOT_COUNT; i++) {
		slots[i].gpu = NULL; /* leaked, as the device's memory is */
		slots[i].taken = false;
	}
}

#include "softgpu/driver/queues/launch_slots.h"

#include <stdatomic.h>

#include "softgpu/driver/kfd/softgpu_device.h"

#define MACHINES 8               /* launches under way at a time; a pipe of Vega's compute microengine each */
#define SLICE    UINT64_C(65536) /* cycles between two looks at the other queues */

static struct {
	struct gpu *_Atomic gpu;
	bool taken;
} machines[MACHINES];

/* The device's own one first: what looks inside and counts looks there. */
static struct gpu *take(struct softgpu_device *d)
{
	machines[0].gpu = d->gpu;
	for (unsigned i = 0; i < MACHINES; i++) {
		if (machines[i].taken)
			continue;
		if (!machines[i].gpu)
			machines[i].gpu = gpu_clone(d->gpu);
		machines[i].taken = machines[i].gpu != NULL;
		return machines[i].gpu;
	}
	return NULL;
}

static void give(const struct gpu *g)
{
	for (unsigned i = 0; i < MACHINES; i++)
		if (machines[i].gpu == g)
			machines[i].taken = false;
}

bool launch_slot_start(struct softgpu_device *d, struct active_launch *r)
{
	r->gpu = take(d);
	if (!r->gpu)
		return false;
	r->reached = 0;
	gpu_begin_launch(r->gpu, &r->what, &r->result);
	return true;
}

bool launch_slot_run(struct active_launch *r)
{
	r->reached += SLICE;
	return gpu_run_until(r->gpu, r->reached);
}

enum launch_status launch_slot_finish(struct active_launch *r)
{
	enum launch_status status = gpu_end_launch(r->gpu);

	give(r->gpu);
	r->gpu = NULL;
	return status;
}

bool launch_slots_map(struct softgpu_device *d, uint64_t va, uint64_t size, void *host, uint64_t phys, unsigned access)
{
	bool good = gpu_map(d->gpu, va, size, host, phys, access);

	for (unsigned i = 1; i < MACHINES; i++)
		if (machines[i].gpu && !gpu_map(machines[i].gpu, va, size, host, phys, access))
			good = false;
	return good;
}

void launch_slots_unmap(struct softgpu_device *d, uint64_t va, uint64_t size)
{
	gpu_unmap(d->gpu, va, size);
	for (unsigned i = 1; i < MACHINES; i++)
		if (machines[i].gpu)
			gpu_unmap(machines[i].gpu, va, size);
}

void launch_slots_stop(struct softgpu_device *d)
{
	gpu_stop_launch(d->gpu);
	for (unsigned i = 1; i < MACHINES; i++)
		if (machines[i].gpu)
			gpu_stop_launch(machines[i].gpu);
}

void launch_slots_reset_in_child(void)
{
	for (unsigned i = 0; i < MACHINES; i++) {
		machines[i].gpu = NULL; /* its memory stays, as the device's does */
		machines[i].taken = false;
	}
}

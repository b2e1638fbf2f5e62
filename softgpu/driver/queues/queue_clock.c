#include "softgpu/driver/queues/queue_clock.h"

#include "base/min_max.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/queues/hsa_queue.h"
#include "softgpu/driver/time/host_timeline.h"
#include "softgpu/driver/time/virtual_clock.h"

static bool has_several_gpus(void)
{
	return machine_gpu_count() > 1;
}

void queue_clock_open(struct hsa_queue *q)
{
	q->local_ns = host_timeline_to_device(q->device->index, 0);
}

void queue_clock_enter(struct hsa_queue *q)
{
	struct softgpu_device *d = q->device;

	if (!has_several_gpus())
		return;
	d->latest_ns = max_u64(d->latest_ns, vclock_now(&d->clock));
	vclock_restart(&d->clock, q->local_ns);
}

void queue_clock_leave(struct hsa_queue *q, ns_t running_until)
{
	struct softgpu_device *d = q->device;

	if (!has_several_gpus())
		return;
	q->local_ns = vclock_now(&d->clock);
	d->compute_free_ns = max_u64(d->compute_free_ns, running_until);
	vclock_restart(&d->clock, max_u64(d->latest_ns, max_u64(q->local_ns, running_until)));
}

bool queue_clock_pass_to(struct hsa_queue *q, ns_t until)
{
	if (has_several_gpus()) {
		vclock_advance_to(&q->device->clock, until);
		return true;
	}
	q->local_ns = max_u64(q->local_ns, until);
	return queue_clock_is_due(q);
}

bool queue_clock_is_due(struct hsa_queue *q)
{
	q->is_early = !has_several_gpus() && q->local_ns > vclock_now(&q->device->clock);
	return !q->is_early;
}

void queue_clock_begin_kernel(struct softgpu_device *d)
{
	if (has_several_gpus() && vclock_now(&d->clock) < d->compute_free_ns)
		vclock_restart(&d->clock, d->compute_free_ns);
}

void queue_clock_end_kernel(struct softgpu_device *d)
{
	d->compute_free_ns = max_u64(d->compute_free_ns, vclock_now(&d->clock));
}

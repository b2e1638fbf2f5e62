#include "softgpu/driver/queues/resident_kernels.h"

#include "base/min_max.h"
#include "softgpu/core/timing/core_clock.h"
#include "softgpu/driver/capture/kept_launches.h"
#include "softgpu/driver/check/check_mode.h"
#include "softgpu/driver/check/launch_checks.h"
#include "softgpu/driver/check/requested_checks.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/queues/hsa_queue.h"
#include "softgpu/driver/time/host_monotonic.h"
#include "softgpu/driver/time/host_timeline.h"
#include "softgpu/driver/time/virtual_clock.h"

#define SLICE_CYCLES UINT64_C(65536)    /* between looks at the queues */
#define ALONE_NS     UINT64_C(20000000) /* host time that a captured or checked kernel has for itself */
#define PS_PER_NS    1000

bool resident_kernels_are_used(void)
{
	return machine_gpu_count() == 1;
}

/* --- the clock --- */
static ns_t round_to_ns(uint64_t ps)
{
	return (ps + PS_PER_NS / 2) / PS_PER_NS;
}

static void note_clock(struct softgpu_device *d, ns_t now)
{
	d->kernels.clock_at = gpu_reached_cycle(d->gpu);
	vclock_follow_launches(&d->clock, now, d->kernels.begin_cycle + d->kernels.clock_at);
}

void resident_kernels_update_clock(struct softgpu_device *d)
{
	if (d->kernels.count && d->kernels.clock_at != gpu_reached_cycle(d->gpu))
		note_clock(d, d->kernels.begin_ns + round_to_ns(gpu_reached_ps(d->gpu)));
}

/* --- kernels --- */
static bool runs_alone(void)
{
	return check_mode() || requested_checks() || kept_launches_folder();
}

bool resident_kernels_have_room(const struct softgpu_device *d)
{
	if (d->kernels.count == LAUNCH_SLOTS)
		return false;
	return !d->kernels.count || !runs_alone() || d->kernels.host_ns >= ALONE_NS;
}

void resident_kernels_begin(struct active_launch *r)
{
	struct softgpu_device *d = r->device;

	gpu_begin_launch(d->gpu, &r->dispatch, &r->result);
	if (!d->kernels.count++) {
		d->kernels.begin_ns = r->start_ns;
		d->kernels.begin_cycle = vclock_core_cycles(&d->clock);
		d->kernels.clock_at = d->kernels.host_ns = 0;
		d->kernels.overlapped = false;
	} else {
		d->kernels.overlapped = true;
	}
}

bool resident_kernels_have_ended(const struct active_launch *r)
{
	return gpu_launch_has_ended(r->device->gpu, &r->result);
}

void resident_kernels_finish(struct active_launch *r)
{
	struct softgpu_device *d = r->device;
	const cycle_t reached = gpu_reached_cycle(d->gpu);

	if (d->kernels.overlapped)
		resident_kernels_update_clock(d);
	gpu_end_launch(d->gpu, &r->result);
	d->kernels.count--;
	r->end_ns = d->kernels.overlapped ? vclock_now(&d->clock) : r->start_ns + round_to_ns(r->result.ps);
	if (!d->kernels.overlapped)
		vclock_follow_launches(&d->clock, r->end_ns, d->kernels.begin_cycle + r->result.cycles);
	d->kernels.clock_at = reached;
}

void resident_kernels_abandon(struct active_launch *r)
{
	gpu_abandon_launch(r->device->gpu, &r->result);
}

/* --- time goes on --- */
/* When the next packet can begin that waits for nothing but its time; 0: none does. */
static ns_t next_start(const struct softgpu_device *d)
{
	ns_t first = 0;

	for (unsigned i = 0; i < hsa_queue_count(); i++) {
		const struct hsa_queue *q = hsa_queue_at(i);
		if (q->kind != HSA_QUEUE_NONE && q->device == d && q->is_early && (!first || q->local_ns < first))
			first = q->local_ns;
	}
	return first;
}

static void note_host_time(struct softgpu_device *d, ns_t spent)
{
	d->kernels.host_ns += spent;
	for (unsigned i = 0; i < hsa_queue_count(); i++) {
		struct hsa_queue *q = hsa_queue_at(i);
		if (q->kind == HSA_QUEUE_NONE || q->device != d || !q->running.gpu)
			continue;
		q->running.host_ns += spent / d->kernels.count;
		launch_checks_note(&q->running);
	}
}

/* Device time so far, if the vector ALUs were idle. */
static ns_t estimate_time(const struct softgpu_device *d)
{
	return d->kernels.begin_ns + sclk_cycles_to_ps(&d->model, gpu_reached_cycle(d->gpu), 0) / PS_PER_NS;
}

static void run_kernels(struct softgpu_device *d, cycle_t cycles)
{
	const ns_t start = host_monotonic_ns();

	gpu_run_on(d->gpu, cycles);
	note_host_time(d, host_monotonic_ns() - start);
	if (d->model.timing)
		host_timeline_reach(d->index, estimate_time(d));
}

/* Cycles that pass before the next packet can begin, at most a slice. */
static cycle_t cycles_until(struct softgpu_device *d, ns_t start)
{
	gpu_end_shortcuts(d->gpu);
	resident_kernels_update_clock(d);
	const ns_t now = vclock_now(&d->clock);
	return start > now ? min_u64(SLICE_CYCLES, sclk_cycles_within(&d->model, (start - now) * PS_PER_NS)) : 0;
}

/* Without timing, kernels take no time: one that has run for long waits for what comes next. */
static bool advance_untimed(struct softgpu_device *d, ns_t start)
{
	const bool waits = d->kernels.host_ns >= ALONE_NS;

	if (start && waits) {
		vclock_advance_to(&d->clock, start);
		d->kernels.host_ns = 0;
	} else {
		run_kernels(d, SLICE_CYCLES);
	}
	return true;
}

bool resident_kernels_advance(struct softgpu_device *d)
{
	const ns_t start = next_start(d);

	if (!d->kernels.count) {
		vclock_advance_to(&d->clock, start);
		return start != 0;
	}
	if (!d->model.timing)
		return advance_untimed(d, start);
	const cycle_t cycles = start ? cycles_until(d, start) : SLICE_CYCLES;
	if (cycles)
		run_kernels(d, cycles);
	else
		vclock_follow_launches(&d->clock, start, d->kernels.begin_cycle + gpu_reached_cycle(d->gpu));
	return true;
}

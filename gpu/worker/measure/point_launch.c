#include "gpu/worker/measure/point_launch.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "base/host_clock.h"
#include "gpu/softgpu-link/softprobe.h"
#include "gpu/worker/buffers/out_of_bounds.h"
#include "gpu/worker/samples/l2_flush.h"

enum { SLEEP_FIRST_US = 50, SLEEP_MOST_US = 2000 };

bool point_is_canceled(struct point_run *r)
{
	r->cancelled |= r->m->cancelled(r->m->ctx);
	return r->cancelled;
}

/* --- one launch --- */
/* *us is the next time to sleep: from the software GPU's next signal on, the runtime needs a moment to see it. */
static void sleep_until_change(uint32_t *seen, double *us)
{
	uint32_t before = *seen;
	struct timespec t = {0, (long)(*us * 1e3)};
	if (!softprobe_wait(seen, *us))
		nanosleep(&t, NULL);
	*us = *seen == before ? fmin(*us * 4, SLEEP_MOST_US) : SLEEP_FIRST_US;
}

/* Polls with growing sleeps: the wait functions of ROCm keep up to two cores busy, even with blocking events. */
static bool wait_launch(struct point_run *r, double *seconds, struct err *e)
{
	uint32_t seen = 0;
	double us = SLEEP_FIRST_US;
	softprobe_wait(&seen, 0);
	for (;;) {
		enum poll_state s = r->d->rt->poll(r->d->handle, seconds, e);
		if (s != POLL_BUSY)
			return s == POLL_DONE;
		sleep_until_change(&seen, &us);
	}
}

bool point_start_launch(struct point_run *r, unsigned count, struct err *e)
{
	const struct gpu_runtime *rt = r->d->rt;
	void *vector[KERNEL_ARGS_MAX + 1], *room[KERNEL_ARGS_MAX + 1], *device = r->d->handle;
	if (r->j->steps)
		return stream_sequence_start(&r->sequence, e);
	buffers_build_args(&r->buffers, false, vector, room);
	bool ok = rt->begin(device, 1, e);
	for (unsigned i = 0; ok && i < count; i++)
		ok = rt->launch(device, 0, r->kernel.handle, &r->j->shape, r->j->lds_bytes, vector, e);
	return ok && rt->end(device, e);
}

/* False if the software GPU reports that the launch was stopped. */
static bool check_launch_status(struct point_run *r, struct err *e)
{
	struct softgpu_out_of_bounds access;
	if (softprobe_take_out_of_bounds(&access))
		return out_of_bounds_set_error(&access, &r->buffers, &r->kernel, e);
	r->launch_known = softprobe_last_launch(&r->launch);
	if (!r->launch_known || !r->launch.status)
		return true;
	if (point_is_canceled(r))
		return err_set(e, ST_INTERRUPTED, "cancelled");
	return err_set(e, ST_FAILED, "kernel %s stopped: %s", r->launch.kernel, r->launch.message);
}

bool point_finish_launch(struct point_run *r, double *seconds, struct err *e)
{
	r->m->phase(r->m->ctx, JOB_PHASE_DEVICE);
	bool ok = wait_launch(r, seconds, e);
	r->m->phase(r->m->ctx, JOB_PHASE_HOST);
	r->lost |= !ok; /* after a fault the runtime returns the same error for every call */
	return ok && check_launch_status(r, e);
}

bool point_fill_buffers(struct point_run *r, struct err *e)
{
	return r->j->steps ? stream_sequence_fill(&r->sequence, e) : buffers_fill(&r->buffers, e);
}

/* --- a captured launch --- */
static bool run_captured_launch(struct point_run *r, bool warmup, double *seconds, struct err *e)
{
	r->m->phase(r->m->ctx, JOB_PHASE_DEVICE);
	bool ok = captured_run_launch(&r->captured, warmup, e);
	r->m->phase(r->m->ctx, JOB_PHASE_HOST);
	ok = ok && check_launch_status(r, e);
	*seconds = (double)r->launch.ps * 1e-12;
	return ok;
}

bool point_open_captured(struct point_run *r, struct err *e)
{
	double unused;
	softprobe_reset_state();
	if (!captured_run_open(r->j, &r->captured, e))
		return false;
	return !captured_run_needs_warmup(&r->captured) || run_captured_launch(r, true, &unused, e);
}

static bool sample_captured(struct point_run *r, double *seconds, struct err *e)
{
	bool ok = run_captured_launch(r, false, seconds, e);
	r->verification.verdict = r->captured.verdict;
	snprintf(r->verification.text, sizeof r->verification.text, "%s", r->captured.text);
	return ok;
}

/* --- samples of a launch --- */
/* On a software GPU, what is measured must not depend on how fast it is. */
double point_work_clock(const struct point_run *r)
{
	return device_has_host_time(r->d) ? now_seconds() : r->worked;
}

/* It counts for limits of time, as all that the device does. */
static bool flush_l2(struct point_run *r, struct err *e)
{
	double seconds = 0;
	if (!r->j->flush_l2)
		return true;
	if (!l2_flush_start(r->d, e) || (l2_flush_is_launched(r->d) && !point_finish_launch(r, &seconds, e)))
		return false;
	r->worked += seconds;
	return true;
}

/* *seconds is the time per launch. */
bool point_run_launches(struct point_run *r, unsigned count, double *seconds, struct err *e)
{
	if (r->j->reset && !point_fill_buffers(r, e))
		return false;
	if (point_is_canceled(r))
		return err_set(e, ST_INTERRUPTED, "cancelled");
	if (!flush_l2(r, e))
		return false;
	r->started = now_seconds();
	if (r->j->kind == JOB_CAPTURED)
		return sample_captured(r, seconds, e);
	if (!point_start_launch(r, count, e) || !point_finish_launch(r, seconds, e))
		return false;
	r->worked += *seconds;
	*seconds /= count;
	return true;
}

#include "gpu/worker/measure/point_samples.h"

#include <math.h>
#include <string.h>

#include "base/host_clock.h"
#include "base/stats.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/worker_protocol.h"
#include "gpu/softgpu-link/exact_time.h"
#include "gpu/softgpu-link/softprobe.h"
#include "gpu/worker/inside/checked_launches.h"
#include "gpu/worker/inside/launch_profile.h"
#include "gpu/worker/measure/point_launch.h"
#include "gpu/worker/samples/sample_rule.h"
#include "gpu/worker/samples/telemetry_sampler.h"

enum { TIMER_PAIRS = 16, WARMUP_TIMES = 64, TRIES = 2 /* of a point whose clock moved */ };
#define IDLE_SECONDS 0.1 /* after which clocks may have fallen */

/* --- samples --- */
static double last_work; /* when the last point ended */

static bool take_sample(struct point_run *r, struct err *e)
{
	if (!point_run_launches(r, r->launches, &r->seconds[r->count], e))
		return false;
	r->wall[r->count] = now_seconds() - r->started;
	r->count++;
	return true;
}

static bool enough_samples(const struct point_run *r, struct entropy_rule *entropy, double elapsed)
{
	const struct sample_rule *rule = &r->j->samples;
	if (!rule->entropy)
		return samples_suffice(r->seconds, r->count, rule, elapsed);
	entropy_rule_add(entropy, r->seconds[r->count - 1]);
	return samples_suffice_by_entropy(entropy, r->count, rule, elapsed);
}

static bool take_samples(struct point_run *r, struct err *e)
{
	struct entropy_rule *entropy = r->j->samples.entropy ? entropy_rule_new() : NULL;
	double start = point_work_clock(r);
	bool ok = true, enough = false;
	while (ok && !enough) {
		ok = take_sample(r, e);
		if (!ok || r->d->deterministic)
			break;
		telemetry_end_sample();
		r->m->sampled(r->m->ctx, r->count, entropy ? SAMPLES_MAX : r->j->samples.max);
		enough = enough_samples(r, entropy, point_work_clock(r) - start);
	}
	entropy_rule_free(entropy);
	return ok;
}

/* Once more if the clock moved or was limited: what is true the second time, too, is marked. So are other processes,
 * which stay. */
static bool take_steady_samples(struct point_run *r, struct err *e)
{
	bool ok;
	do {
		r->count = 0;
		telemetry_begin_point();
		ok = take_samples(r, e);
		r->clocks = telemetry_end_point(&r->clocks_moved);
		r->clocks_moved |= r->clocks.limits != 0;
	} while (ok && ++r->tries < TRIES && r->clocks_moved && !r->d->deterministic);
	r->clocks_moved |= r->clocks.others != 0;
	last_work = point_work_clock(r);
	return ok;
}

/* --- warm-up --- */
/* The smallest difference between the times of two events with nothing between them, measured once, and, on hardware,
 * between times of launches: events with nothing between them may all be equally far apart. Sorts the times. */
static bool measure_timer_step(struct point_run *r, double *launch_times, int count, double *step, struct err *e)
{
	static double known = -1;
	double times[TIMER_PAIRS];
	for (int i = 0; i < TIMER_PAIRS && known < 0; i++)
		if (!r->d->rt->begin(r->d->handle, 1, e) || !r->d->rt->end(r->d->handle, e) ||
			!point_finish_launch(r, &times[i], e))
			return false;
	known = known < 0 ? smallest_difference(times, TIMER_PAIRS) : known;
	if (device_has_host_time(r->d) && isfinite(known))
		known = fmin(known, smallest_difference(launch_times, count));
	*step = known;
	return true;
}

/* A point that says how many launches a sample has, changes its input or its caches, or is a sequence keeps to that. */
static bool may_batch(const struct job *j)
{
	return j->launches == 1 && !j->reset && !j->flush_l2 && !j->steps && j->kind != JOB_CAPTURED;
}

/* Reading the results back may have evicted lines from real caches, and the clocks of an idle GPU are low. Copies of
 * the software GPU bypass its caches, and its clocks are constant. */
static bool warm_up(struct point_run *r, struct err *e)
{
	double start = point_work_clock(r), step = 0, times[WARMUP_TIMES];
	bool was_idle = device_has_host_time(r->d) ? start - last_work > IDLE_SECONDS : r->d->starts_idle;
	int count = 0;
	do {
		if (count == WARMUP_TIMES) { /* keep the later half */
			count /= 2;
			memcpy(times, times + count, (size_t)count * sizeof *times);
		}
		if (!point_run_launches(r, r->j->launches, &times[count++], e))
			return false;
	} while (!warmup_suffices(times, count, point_work_clock(r) - start, was_idle));
	if (!may_batch(r->j))
		return true;
	if (!measure_timer_step(r, times, count, &step, e))
		return false;
	r->timer_step = isfinite(step) ? step : 0;
	r->launches = samples_choose_batch(stats_compute(times, count).median, step, r->j->samples.target);
	return true;
}

/* Event times are floats in ms; the software GPU reports its time in ps. */
static void use_exact_time(struct point_run *r)
{
	bool agree;
	if (!r->d->deterministic || !r->launch_known || r->count != 1 || r->j->launches != 1 || r->j->steps)
		return;
	if (!r->launch.cycles) {
		r->seconds[0] = 0;
		protocol_log("warning",
			"this device has no timing (timing=0): results are verified, but nothing is measured");
		return;
	}
	double event = r->seconds[0], exact = (double)r->launch.ps * 1e-12;
	r->seconds[0] = launch_exact_seconds(event, exact, &agree);
	if (!agree)
		protocol_log("warning", "event time is %.9g s, the software GPU reports %.9g s; using the event time",
			event, exact);
}

/* Some counters are available only for a profiled launch. */
static unsigned needed_profiling(const struct job *j, const struct buffers *b)
{
	unsigned what =
		launch_profile_begin(record_get_inside(j->record), b) | (j->profile ? SOFTGPU_PROFILE_CYCLES : 0);
	for (int i = 0; i < j->counter_count; i++)
		what |= strncmp(j->counters[i], "CYCLES_", 7) ? 0 : SOFTGPU_PROFILE_CYCLES;
	return what;
}

bool point_take_samples(struct point_run *r, struct err *e)
{
	if (!checked_launches_begin(r->j, e)) /* it reports the launch that the point describes */
		return false;
	r->launches = r->j->launches;
	if (!r->d->deterministic && !warm_up(r, e))
		return false;
	unsigned what = needed_profiling(r->j, &r->buffers);
	if (what)
		softprobe_enable_profiling(what);
	bool ok = take_steady_samples(r, e);
	if (what)
		softprobe_enable_profiling(0);
	if (r->j->kind == JOB_CAPTURED)
		r->clocks = (struct clocks){0}; /* the sensors are those of another device */
	if (ok)
		use_exact_time(r);
	return ok;
}

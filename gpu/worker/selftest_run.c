/* Runs the checks of the self-test on an open device. */
#include "gpu/worker/selftest_run.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/host_clock.h"
#include "base/stats.h"
#include "gpu/worker/buffers/job_buffers.h"
#include "gpu/worker/loaded_kernel.h"
#include "gpu/worker/samples/sample_rule.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/selftests.h"

enum { TIMER_SAMPLES = 64, LAUNCH_SAMPLES = 21, TRAIN = 17, COPY_SAMPLES = 5, WALL_LAUNCHES_MOST = 1 << 16 };

struct run {
	const struct opened_device *d;
	const struct job *j;
	const struct measure_callbacks *m;
	struct loaded_kernel kernel;
	struct buffers buffers;
	void *host; /* pinned, for copies */
	bool lost;
};

/* Polls without sleeping at first, because the work is short and the caller reads the host clock right after it. */
static bool wait_end(struct run *r, double *seconds, struct err *e)
{
	double start = now_seconds();
	r->m->phase(r->m->ctx, JOB_PHASE_DEVICE);
	enum poll_state s;
	while ((s = r->d->rt->poll(r->d->handle, seconds, e)) == POLL_BUSY)
		if (now_seconds() - start > 0.05)
			nanosleep(&(struct timespec){0, 200000}, NULL);
	r->m->phase(r->m->ctx, JOB_PHASE_HOST);
	r->lost |= s != POLL_DONE;
	return s == POLL_DONE && (!r->m->cancelled(r->m->ctx) || err_set(e, ST_INTERRUPTED, "cancelled"));
}

/* The time of `count` launches between two events. */
static bool time_launches(struct run *r, int count, double *seconds, struct err *e)
{
	void *vector[KERNEL_ARGS_MAX + 1], *room[KERNEL_ARGS_MAX + 1];
	const struct gpu_runtime *rt = r->d->rt;
	buffers_build_args(&r->buffers, false, vector, room);
	bool ok = rt->begin(r->d->handle, 1, e);
	for (int i = 0; ok && i < count; i++)
		ok = rt->launch(r->d->handle, 0, r->kernel.handle, &r->j->shape, r->j->lds_bytes, vector, e);
	return ok && rt->end(r->d->handle, e) && wait_end(r, seconds, e);
}

static bool time_copy(struct run *r, bool to_device, double *seconds, struct err *e)
{
	const struct gpu_runtime *rt = r->d->rt;
	return rt->begin(r->d->handle, 1, e) &&
		rt->copy(r->d->handle, 0, to_device, r->buffers.on_device[0], r->host, r->j->buffers[0].bytes, e) &&
		rt->end(r->d->handle, e) && wait_end(r, seconds, e);
}

static bool run_TIMER(struct run *r, double *value, struct err *e)
{
	double times[TIMER_SAMPLES];
	for (int i = 0; i < TIMER_SAMPLES; i++) {
		if (!time_launches(r, i % 4, &times[i], e))
			return false;
		r->m->sampled(r->m->ctx, i + 1, TIMER_SAMPLES);
	}
	*value = smallest_difference(times, TIMER_SAMPLES);
	return isfinite(*value) || err_set(e, ST_FAILED, "all event times are 0; this device has no timing");
}

/* The median time of `count` launches between two events. */
static bool median_of_launches(struct run *r, int count, double *value, struct err *e)
{
	double times[LAUNCH_SAMPLES];
	int samples = r->d->deterministic ? 1 : LAUNCH_SAMPLES;
	for (int i = -1; i < samples; i++) { /* the first one is the warm-up */
		if (!time_launches(r, count, &times[i < 0 ? 0 : i], e))
			return false;
		r->m->sampled(r->m->ctx, i + 2, samples + 1);
	}
	*value = stats_compute(times, samples).median;
	return true;
}

static bool run_LAUNCH(struct run *r, double *value, struct err *e)
{
	return median_of_launches(r, 1, value, e);
}

static bool run_NEXT(struct run *r, double *value, struct err *e)
{
	double one, train;
	if (!median_of_launches(r, 1, &one, e) || !median_of_launches(r, TRAIN, &train, e))
		return false;
	*value = (train - one) / (TRAIN - 1);
	return true;
}

/* Enough launches for 50 ms of host time, so that the overhead of the first and the last does not matter. A
 * deterministic device always gets the same number: otherwise the speed of the host would change the virtual time of
 * the following checks. */
static bool run_WALL(struct run *r, double *value, struct err *e)
{
	double seconds = 0, wall = 0;
	int count = 64;
	for (;; count *= 4) {
		double start = now_seconds();
		if (!time_launches(r, count, &seconds, e))
			return false;
		wall = now_seconds() - start;
		if (r->d->deterministic || wall > 0.05 || count >= WALL_LAUNCHES_MOST)
			break;
	}
	*value = seconds / wall;
	return true;
}

static bool run_copy(struct run *r, bool to_device, double *value, struct err *e)
{
	double times[COPY_SAMPLES];
	r->host = r->d->rt->alloc_host(r->d->handle, r->j->buffers[0].bytes, e);
	if (!r->host)
		return false;
	memset(r->host, 1, r->j->buffers[0].bytes);
	for (int i = -1; i < COPY_SAMPLES; i++) {
		if (!time_copy(r, to_device, &times[i < 0 ? 0 : i], e))
			return false;
		r->m->sampled(r->m->ctx, i + 2, COPY_SAMPLES + 1);
	}
	struct stats s = stats_compute(times, COPY_SAMPLES);
	*value = (double)r->j->buffers[0].bytes / s.median;
	return s.min > 0 || err_set(e, ST_FAILED, "the copy took no time; this device has no timing");
}

static bool run_TO_DEVICE(struct run *r, double *value, struct err *e)
{
	return run_copy(r, true, value, e);
}
static bool run_TO_HOST(struct run *r, double *value, struct err *e)
{
	return run_copy(r, false, value, e);
}

static bool run_ON_DEVICE(struct run *r, double *value, struct err *e)
{
	double seconds;
	if (!median_of_launches(r, 1, &seconds, e))
		return false;
	*value = 2 * (double)r->j->buffers[0].bytes / seconds;
	return seconds > 0 || err_set(e, ST_FAILED, "the copy took no time; this device has no timing");
}

/* One function per check of the table. */
static const struct {
	const char *id;
	bool (*run)(struct run *r, double *value, struct err *e);
} runs[SELFTEST_COUNT] = {
#define SELFTEST_RUN(id, ...) [SELFTEST_##id] = {#id, run_##id},
	SELFTESTS(SELFTEST_RUN)
#undef SELFTEST_RUN
};

bool selftest_is_requested(const json_t *job)
{
	return *record_get_text(job, "self_test");
}

static bool prepare_selftest(struct run *r, struct err *e)
{
	r->m->state(r->m->ctx, "compiling");
	if (!kernel_load(r->d->rt, r->d->handle, r->d->info.arch, r->j, &r->kernel, e))
		return false;
	r->m->state(r->m->ctx, "running");
	return buffers_alloc(&r->buffers, r->d->rt, r->d->handle, r->j, e) && buffers_fill(&r->buffers, e);
}

static bool run_requested_check(struct run *r, double *value, struct err *e)
{
	const char *id = record_get_text(r->j->record, "self_test");
	for (int i = 0; i < SELFTEST_COUNT; i++)
		if (!strcmp(runs[i].id, id))
			return prepare_selftest(r, e) && runs[i].run(r, value, e);
	return err_set(e, ST_REQUEST, "unknown self-test '%.40s'", id);
}

json_t *selftest_run(const struct opened_device *d, const struct job *j, const struct measure_callbacks *m, bool *lost)
{
	struct run r = {.d = d, .j = j, .m = m};
	struct err e = {0};
	double value;
	bool ok = run_requested_check(&r, &value, &e);
	json_t *point = point_make_unmeasured(j,
		ok                                   ? "ok"
			: e.status == ST_INTERRUPTED ? "cancelled"
						     : "failed",
		ok ? NULL : &e);
	json_object_set(point, "self_test", json_object_get(j->record, "self_test"));
	if (ok)
		json_object_set_new(point, "value", json_real(value));
	if (!r.lost && r.host)
		d->rt->release_host(d->handle, r.host);
	if (!r.lost)
		buffers_free(&r.buffers);
	*lost |= r.lost; /* freeing might block forever; the process ends instead */
	return point;
}

#include "gpu/worker/selftest_run.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/host_clock.h"
#include "base/stats.h"
#include "gpu/worker/job_buffers.h"
#include "gpu/worker/loaded_kernel.h"
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

/* Polled without sleeping at first: what is timed here is short, and the wall clock is read behind it. */
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

/* So many launches between two events. */
static bool launches(struct run *r, int count, double *seconds, struct err *e)
{
	void *vector[KERNEL_ARGS_MAX + 1], *room[KERNEL_ARGS_MAX + 1];
	const struct gpu_runtime *rt = r->d->rt;
	buffers_build_args(&r->buffers, false, vector, room);
	bool ok = rt->begin(r->d->handle, 1, e);
	for (int i = 0; ok && i < count; i++)
		ok = rt->launch(r->d->handle, 0, r->kernel.handle, &r->j->shape, r->j->lds_bytes, vector, e);
	return ok && rt->end(r->d->handle, e) && wait_end(r, seconds, e);
}

static bool copy(struct run *r, bool to_device, double *seconds, struct err *e)
{
	const struct gpu_runtime *rt = r->d->rt;
	return rt->begin(r->d->handle, 1, e) &&
		rt->copy(r->d->handle, 0, to_device, r->buffers.on_device[0], r->host, r->j->buffers[0].bytes, e) &&
		rt->end(r->d->handle, e) && wait_end(r, seconds, e);
}

/* The smallest difference between two of the times, 0 among them; what a float of milliseconds cannot hold is none. */
static double smallest_step(double *times, int count)
{
	double least = INFINITY, before = 0;
	sort_doubles(times, count);
	for (int i = 0; i < count; before = times[i++]) {
		double step = times[i] - before;
		if (step > times[i] * 1e-6 && step < least)
			least = step;
	}
	return least;
}

static bool run_TIMER(struct run *r, double *value, struct err *e)
{
	double times[TIMER_SAMPLES];
	for (int i = 0; i < TIMER_SAMPLES; i++) {
		if (!launches(r, i % 4, &times[i], e))
			return false;
		r->m->sampled(r->m->ctx, i + 1, TIMER_SAMPLES);
	}
	*value = smallest_step(times, TIMER_SAMPLES);
	return isfinite(*value) || err_set(e, ST_FAILED, "all event times are 0: this device keeps no time");
}

/* The median of `count` launches between two events. */
static bool median(struct run *r, int count, double *value, struct err *e)
{
	double times[LAUNCH_SAMPLES];
	int samples = r->d->deterministic ? 1 : LAUNCH_SAMPLES;
	for (int i = -1; i < samples; i++) { /* the first one warms up */
		if (!launches(r, count, &times[i < 0 ? 0 : i], e))
			return false;
		r->m->sampled(r->m->ctx, i + 2, samples + 1);
	}
	*value = stats_compute(times, samples).median;
	return true;
}

static bool run_LAUNCH(struct run *r, double *value, struct err *e)
{
	return median(r, 1, value, e);
}

static bool run_NEXT(struct run *r, double *value, struct err *e)
{
	double one, train;
	if (!median(r, 1, &one, e) || !median(r, TRAIN, &train, e))
		return false;
	*value = (train - one) / (TRAIN - 1);
	return true;
}

/* As many launches as take 50 ms of the wall clock, so that issuing the first and seeing the end of the last do not
 * count. On a device with a time line of its own always as many: the host's pace must not decide at which time the
 * tests behind it run. */
static bool run_WALL(struct run *r, double *value, struct err *e)
{
	double seconds = 0, wall = 0;
	int count = 64;
	for (;; count *= 4) {
		double start = now_seconds();
		if (!launches(r, count, &seconds, e))
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
		if (!copy(r, to_device, &times[i < 0 ? 0 : i], e))
			return false;
		r->m->sampled(r->m->ctx, i + 2, COPY_SAMPLES + 1);
	}
	struct stats s = stats_compute(times, COPY_SAMPLES);
	*value = (double)r->j->buffers[0].bytes / s.median;
	return s.min > 0 || err_set(e, ST_FAILED, "the copy took no time: this device keeps none");
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
	if (!median(r, 1, &seconds, e))
		return false;
	*value = 2 * (double)r->j->buffers[0].bytes / seconds;
	return seconds > 0 || err_set(e, ST_FAILED, "the copy took no time: this device keeps none");
}

/* Each row of the table is run by the function of its name. */
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

static bool prepare(struct run *r, struct err *e)
{
	r->m->state(r->m->ctx, "compiling");
	if (!kernel_load(r->d->rt, r->d->handle, r->d->info.arch, r->j, &r->kernel, e))
		return false;
	r->m->state(r->m->ctx, "running");
	return buffers_alloc(&r->buffers, r->d->rt, r->d->handle, r->j, e) && buffers_fill(&r->buffers, e);
}

static bool run_named(struct run *r, double *value, struct err *e)
{
	const char *id = record_get_text(r->j->record, "self_test");
	for (int i = 0; i < SELFTEST_COUNT; i++)
		if (!strcmp(runs[i].id, id))
			return prepare(r, e) && runs[i].run(r, value, e);
	return err_set(e, ST_REQUEST, "there is no self-test '%.40s'", id);
}

json_t *selftest_run(const struct opened_device *d, const struct job *j, const struct measure_callbacks *m, bool *lost)
{
	struct run r = {.d = d, .j = j, .m = m};
	struct err e = {0};
	double value;
	bool ok = run_named(&r, &value, &e);
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
	*lost |= r.lost; /* freeing could wait for ever then; the process ends */
	return point;
}

/* Measures a point: builds the kernel, fills the buffers, verifies the first launch, samples. */
#include "gpu/worker/measure_point.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/host_clock.h"
#include "base/stats.h"
#include "base/units.h"
#include "gpu/worker/buffers/out_of_bounds.h"
#include "gpu/worker/buffers/job_buffers.h"
#include "gpu/worker/captured_run.h"
#include "gpu/worker/inside/checked_launches.h"
#include "gpu/worker/code_metrics.h"
#include "gpu/worker/inside/launch_profile.h"
#include "gpu/worker/loaded_kernel.h"
#include "gpu/worker/program_point.h"
#include "gpu/worker/received_content.h"
#include "gpu/worker/reference/verification.h"
#include "gpu/protocol/record.h"
#include "gpu/softgpu-link/exact_time.h"
#include "gpu/softgpu-link/softprobe.h"
#include "gpu/worker/samples/median_interval.h"
#include "gpu/worker/samples/sample_rule.h"
#include "gpu/worker/stream_sequence.h"
#include "gpu/worker/samples/telemetry_sampler.h"
#include "gpu/worker/unlaunched_points.h"
#include "gpu/protocol/worker_protocol.h"
#include "gpu/protocol/point_record.h"

enum {
	SLEEP_FIRST_US = 50,
	SLEEP_MOST_US = 2000,
	TIMER_PAIRS = 16,
	WARMUP_TIMES = 64,
	TRIES = 2 /* of a point whose clock moved */
};
#define IDLE_SECONDS 0.1 /* after which clocks may have fallen */

/* The current point. */
struct run {
	const struct opened_device *d;
	const struct job *j;
	const struct measure_callbacks *m;
	struct loaded_kernel kernel;
	struct buffers buffers;
	struct stream_sequence sequence; /* used if the job has steps */
	struct captured_run captured;    /* used if the job has a captured launch */
	double *seconds, *wall;          /* by device events, by the host clock */
	double worked;                   /* seconds of all launches so far, by device events */
	int count, tries;                /* tries: how often the samples were taken */
	unsigned launches;               /* of a sample */
	struct softgpu_launch launch;    /* the launch of the sample, on a software GPU */
	bool launch_known;
	struct buffers expected; /* the results of a reference that is a kernel: only host copies */
	struct verification verification;
	char contract_text[256];
	const char *contract;
	struct clocks clocks;
	bool clocks_moved, cancelled, lost;
};

static bool is_run_canceled(struct run *r)
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
static bool wait_launch(struct run *r, double *seconds, struct err *e)
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

static bool start_launch(struct run *r, unsigned count, struct err *e)
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
static bool check_launch_status(struct run *r, struct err *e)
{
	struct softgpu_out_of_bounds access;
	if (softprobe_take_out_of_bounds(&access))
		return out_of_bounds_set_error(&access, &r->buffers, &r->kernel, e);
	r->launch_known = softprobe_last_launch(&r->launch);
	if (!r->launch_known || !r->launch.status)
		return true;
	if (is_run_canceled(r))
		return err_set(e, ST_INTERRUPTED, "cancelled");
	return err_set(e, ST_FAILED, "kernel %s stopped: %s", r->launch.kernel, r->launch.message);
}

static bool finish_launch(struct run *r, double *seconds, struct err *e)
{
	r->m->phase(r->m->ctx, JOB_PHASE_DEVICE);
	bool ok = wait_launch(r, seconds, e);
	r->m->phase(r->m->ctx, JOB_PHASE_HOST);
	r->lost |= !ok; /* after a fault the runtime returns the same error for every call */
	return ok && check_launch_status(r, e);
}

static bool fill_buffers(struct run *r, struct err *e)
{
	return r->j->steps ? stream_sequence_fill(&r->sequence, e) : buffers_fill(&r->buffers, e);
}

/* --- a captured launch --- */
static bool run_captured(struct run *r, bool warmup, double *seconds, struct err *e)
{
	r->m->phase(r->m->ctx, JOB_PHASE_DEVICE);
	bool ok = captured_run_launch(&r->captured, warmup, e);
	r->m->phase(r->m->ctx, JOB_PHASE_HOST);
	ok = ok && check_launch_status(r, e);
	*seconds = (double)r->launch.ps * 1e-12;
	return ok;
}

static bool open_captured(struct run *r, struct err *e)
{
	double unused;
	softprobe_reset_state();
	if (!captured_run_open(r->j, &r->captured, e))
		return false;
	return !captured_run_needs_warmup(&r->captured) || run_captured(r, true, &unused, e);
}

static bool sample_captured(struct run *r, double *seconds, struct err *e)
{
	bool ok = run_captured(r, false, seconds, e);
	r->verification.verdict = r->captured.verdict;
	snprintf(r->verification.text, sizeof r->verification.text, "%s", r->captured.text);
	return ok;
}

/* --- samples of a launch --- */
/* On a software GPU, what is measured must not depend on how fast it is. */
static double clock_of_work(const struct run *r)
{
	return device_has_host_time(r->d) ? now_seconds() : r->worked;
}

/* *seconds is the time per launch. */
static bool run_launches(struct run *r, unsigned count, double *seconds, struct err *e)
{
	if (r->j->reset && !fill_buffers(r, e))
		return false;
	if (is_run_canceled(r))
		return err_set(e, ST_INTERRUPTED, "cancelled");
	if (r->j->kind == JOB_CAPTURED)
		return sample_captured(r, seconds, e);
	if (!start_launch(r, count, e) || !finish_launch(r, seconds, e))
		return false;
	r->worked += *seconds;
	*seconds /= count;
	return true;
}

/* --- verification --- */
static bool launch_and_compare(struct run *r, struct err *e)
{
	double seconds;
	if (!start_launch(r, 1, e))
		return false;
	verification_compute(&r->verification);
	return finish_launch(r, &seconds, e) && verification_compare(&r->verification, e);
}

/* Copies need no reference: both sides must be equal. */
static bool check_copies(struct run *r, struct err *e)
{
	bool same, computes = r->j->launches_any || r->j->calls_any;
	char text[200];
	if (!r->j->steps || !r->j->verify)
		return true;
	if (!stream_sequence_check(&r->sequence, &same, text, sizeof text, e))
		return false;
	if (!same)
		snprintf(r->verification.text, sizeof r->verification.text, "%s", text);
	else if (!computes)
		*r->verification.text = 0;
	r->verification.verdict = !same ? "failed" : computes ? r->verification.verdict : "ok";
	return true;
}

/* The first launch of the point, on fresh buffers. */
static bool first_launch(struct run *r, struct err *e)
{
	bool verified;
	double seconds;
	r->verification = (struct verification){.j = r->j, .b = &r->buffers, .verdict = "none"};
	if (r->j->kind == JOB_CAPTURED)
		return open_captured(r, e);
	softprobe_reset_state(); /* what earlier points left must not change this one */
	if (!verification_begin(&r->verification, &verified, e))
		return false;
	return verified ? launch_and_compare(r, e) : run_launches(r, 1, &seconds, e);
}

static bool verify_first_launch(struct run *r, struct err *e)
{
	return checked_launches_begin(r->j, e) && first_launch(r, e) && check_copies(r, e);
}

/* --- samples --- */
static double last_work; /* when the last point ended */

static bool take_samples(struct run *r, struct err *e)
{
	double start = clock_of_work(r);
	do {
		double before = now_seconds();
		if (!run_launches(r, r->launches, &r->seconds[r->count], e))
			return false;
		r->wall[r->count] = now_seconds() - before;
		r->count++;
		if (r->d->deterministic)
			break;
		telemetry_end_sample();
		r->m->sampled(r->m->ctx, r->count, r->j->samples.max);
	} while (!samples_suffice(r->seconds, r->count, &r->j->samples, clock_of_work(r) - start));
	return true;
}

/* Once more if the clock moved or was limited: what is true the second time, too, is marked. */
static bool take_steady_samples(struct run *r, struct err *e)
{
	bool ok;
	do {
		r->count = 0;
		telemetry_begin_point();
		ok = take_samples(r, e);
		r->clocks = telemetry_end_point(&r->clocks_moved);
		r->clocks_moved |= r->clocks.limits != 0;
	} while (ok && ++r->tries < TRIES && r->clocks_moved && !r->d->deterministic);
	last_work = clock_of_work(r);
	return ok;
}

/* --- warm-up --- */
/* The smallest difference between the times of two events with nothing between them; measured once. */
static bool measure_timer_step(struct run *r, double *step, struct err *e)
{
	static double known = -1;
	double times[TIMER_PAIRS];
	for (int i = 0; i < TIMER_PAIRS && known < 0; i++)
		if (!r->d->rt->begin(r->d->handle, 1, e) || !r->d->rt->end(r->d->handle, e) ||
			!finish_launch(r, &times[i], e))
			return false;
	*step = known = known < 0 ? smallest_difference(times, TIMER_PAIRS) : known;
	return true;
}

/* A point that says how many launches a sample has, changes its input or is a sequence keeps to that. */
static bool may_batch(const struct job *j)
{
	return j->launches == 1 && !j->reset && !j->steps && j->kind != JOB_CAPTURED;
}

/* Reading the results back may have evicted lines from real caches, and the clocks of an idle GPU are low. Copies of
 * the software GPU bypass its caches, and its clocks are constant. */
static bool warm_up(struct run *r, struct err *e)
{
	double start = clock_of_work(r), step = 0, times[WARMUP_TIMES];
	bool was_idle = start - last_work > IDLE_SECONDS;
	int count = 0;
	do {
		if (count == WARMUP_TIMES) { /* keep the later half */
			count /= 2;
			memcpy(times, times + count, (size_t)count * sizeof *times);
		}
		if (!run_launches(r, r->j->launches, &times[count++], e))
			return false;
	} while (!warmup_suffices(times, count, clock_of_work(r) - start, was_idle));
	if (!may_batch(r->j))
		return true;
	if (!measure_timer_step(r, &step, e))
		return false;
	r->launches = samples_choose_batch(stats_compute(times, count).median, step, r->j->samples.target);
	return true;
}

/* Event times are floats in ms; the software GPU reports its time in ps. */
static void use_exact_time(struct run *r)
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

static bool sample_point(struct run *r, struct err *e)
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

/* --- the point --- */
bool job_fits_memory(const struct job *j, uint64_t budget, struct err *e)
{
	char needed[40], allowed[40];
	double bytes = 0;
	bool copies = verification_copies_buffers(j);
	for (int i = 0; i < j->buffer_count; i++)
		bytes += (double)j->buffers[i].bytes * (copies ? 2 : 1);
	if (!budget || bytes <= (double)budget)
		return true;
	units_format(needed, sizeof needed, bytes, "B", 3);
	units_format(allowed, sizeof allowed, (double)budget, "B", 3);
	return err_set(e, ST_FAILED,
		"the buffers%s need %s of host memory, but the software GPU may use only %s; choose a smaller size%s or raise host_memory_percent",
		copies ? " and their copies for the reference" : "", needed, allowed, copies ? ", --no-verify" : "");
}

/* A captured launch has its code in its own memory; the code object only describes it. */
static bool load_kernel(struct run *r, struct err *e)
{
	bool refused;
	return r->j->kind == JOB_CAPTURED ? kernel_compile(r->d->info.arch, r->j, &r->kernel, &refused, e)
					  : kernel_load(r->d->rt, r->d->handle, r->d->info.arch, r->j, &r->kernel, e);
}

static bool prepare_point(struct run *r, struct err *e)
{
	r->m->state(r->m->ctx, "compiling");
	if (r->j->launches_any && !load_kernel(r, e))
		return false;
	r->contract = r->j->launches_any
		? kernel_check_contract(&r->kernel, r->j, r->contract_text, sizeof r->contract_text)
		: "none";
	if (is_run_canceled(r))
		return err_set(e, ST_INTERRUPTED, "cancelled");
	r->m->state(r->m->ctx, "running");
	if (!job_fits_memory(r->j, softprobe_memory_budget(), e))
		return false;
	if (!buffers_alloc(&r->buffers, r->d->rt, r->d->handle, r->j, e) ||
		(r->j->steps && !stream_sequence_open(&r->sequence, r->d->rt, r->d->handle, r->j, &r->buffers, e)))
		return false;
	buffers_take_host(&r->buffers, &r->expected);
	r->sequence.kernel = r->kernel.handle;
	return fill_buffers(r, e);
}

/* --- a reference that is a kernel --- */
static bool launch_reference(struct run *of, struct run *r, struct err *e)
{
	double seconds;
	bool ok = content_await(of->j, of->d->info.arch, of->m, e) && prepare_point(of, e) && start_launch(of, 1, e) &&
		finish_launch(of, &seconds, e) &&
		(buffers_copy_to_host(&of->buffers) ||
			err_set(e, ST_FAILED, "not enough host memory for the results of the reference")) &&
		buffers_read_to_host(&of->buffers, e);
	r->cancelled |= of->cancelled;
	r->lost |= of->lost;
	return ok;
}

/* It runs before the point, like an earlier one: the addresses of the point's buffers do not depend on it. */
static bool run_reference_kernel(struct run *r, struct err *e)
{
	struct job j;
	if (!r->j->verify || r->j->reference.kind != REFERENCE_KERNEL || r->j->reference.error)
		return true;
	struct run of = {.d = r->d, .j = &j, .m = r->m};
	bool ok = job_reference_make_job(r->j, &j, e) && launch_reference(&of, r, e);
	if (!of.lost) {
		buffers_release_device(&of.buffers);
		of.buffers.job = r->j;
		r->expected = of.buffers;
	}
	job_free(&j);
	return ok;
}

json_t *point_make_unmeasured(const struct job *j, const char *status, const struct err *error)
{
	json_t *params = record_get_params(j->record);
	json_t *o = json_pack("{s:s,s:I,s:I,s:s,s:O*,s:O*,s:s}", "type", "point", "job", j->job, "point", j->point,
		"experiment", j->experiment, "params", params, "measures", point_get_measured(j->record), "status",
		status);
	if (error) {
		json_object_set_new(o, "error", json_utf8_string(error->text));
		json_object_set_new(
			o, "error_status", json_integer(error->status == ST_REQUEST ? ST_REQUEST : ST_FAILED));
	}
	return o;
}

static json_t *counters_record(const struct job *j)
{
	json_t *o = json_object();
	for (int i = 0; i < j->counter_count; i++) {
		struct reading v = {0};
		v.valid = softprobe_counter(j->counters[i], &v.value);
		json_object_set_new(o, j->counters[i], v.valid ? json_exact_number(v.value) : json_null());
	}
	return o;
}

static json_t *profile_record(const struct run *r)
{
	json_t *o = r->j->profile ? softprobe_profile() : NULL;
	if (o)
		json_object_set_new(o, "cycles", json_integer((json_int_t)r->launch.cycles));
	return o;
}

static void set_text(json_t *o, const char *key, const char *text)
{
	if (*text)
		json_object_set_new(o, key, json_utf8_string(text));
}

static json_t *samples_json(const double *seconds, int count)
{
	json_t *list = json_array();
	for (int i = 0; i < count; i++)
		json_array_append_new(list, json_real(seconds[i]));
	return list;
}

/* Differences of each buffer from the reference. */
static json_t *difference_json(const struct buffers *b)
{
	json_t *all = json_object();
	for (int i = 0; i < b->job->buffer_count; i++)
		json_object_set_new(all, b->job->buffers[i].name,
			json_pack("{s:I, s:f}", "unequal", (json_int_t)b->difference[i].unequal, "ulp",
				b->difference[i].ulp));
	return all;
}

/* Call it while the last launch is still the profiled one; ends the profiling. */
static json_t *take_inspection(const struct run *r)
{
	json_t *o = launch_profile_record(record_get_inside(r->j->record), r->launch.cycles, &r->buffers);
	launch_profile_end();
	return o;
}

/* What was called, and the kernel that it launched last: known on a software GPU. */
static json_t *called_library(const struct run *r)
{
	const struct job_step *s = r->j->steps;
	while (s->kind != JOB_STEP_CALL)
		s++;
	json_t *o = json_pack("{s:s}", "name", r->d->rt->library_description(s->call));
	if (r->launch_known)
		json_object_set_new(o, "kernel", json_utf8_string(r->launch.kernel));
	return o;
}

/* How noisy samples came about. */
static void add_sampling(const struct run *r, json_t *o)
{
	double low, high;
	if (r->d->deterministic)
		return;
	if (samples_median_interval(r->seconds, r->count, &low, &high))
		json_object_set_new(o, "median_interval", json_pack("[f, f]", low, high));
	json_object_set_new(o, "outliers", json_integer(samples_count_outliers(r->seconds, r->count)));
	double drift = samples_find_drift(r->seconds, r->count) * (r->count - 1);
	if (drift != 0)
		json_object_set_new(o, "drift", json_real(drift / stats_compute(r->seconds, r->count).median));
	json_object_set_new(o, "batch", json_integer(r->launches));
	json_object_set_new(o, "tries", json_integer(r->tries));
}

static json_t *point_record(const struct run *r, json_t *values, json_t *breakdown)
{
	json_t *o = point_make_unmeasured(r->j, "ok", NULL);
	json_object_set_new(o, "seconds", samples_json(r->seconds, r->count));
	record_set_clocks(o, r->clocks);
	json_object_set_new(o, "clocks_moved", json_boolean(r->clocks_moved));
	add_sampling(r, o);
	json_object_set_new(o, "verify", json_string(r->verification.verdict));
	set_text(o, "verify_text", r->verification.text);
	if (r->buffers.compared)
		json_object_set_new(o, "difference", difference_json(&r->buffers));
	json_object_set_new(o, "contract", json_string(r->contract));
	set_text(o, "contract_text", r->contract_text);
	if (r->j->steps && device_has_host_time(r->d))
		json_object_set_new(o, "wall_seconds", samples_json(r->wall, r->count));
	if (r->j->calls_any)
		json_object_set_new(o, "library", called_library(r));
	if (r->j->launches_any) {
		json_object_set_new(o, "kernel", kernel_record(&r->kernel));
		json_object_set_new(o, "code", code_metrics_record(&r->kernel));
	}
	if (values)
		json_object_set_new(o, "counters", values);
	if (breakdown)
		json_object_set_new(o, "profile", breakdown);
	json_t *inside = take_inspection(r);
	if (inside)
		json_object_set_new(o, "inside", inside);
	return o;
}

/* Of a captured launch: whether it left what the captured one did. */
static void add_digest(struct run *r, json_t *record)
{
	struct err e;
	uint64_t digest;
	char text[20];
	if (!r->j->digest)
		return;
	if (r->j->kind == JOB_CAPTURED)
		snprintf(text, sizeof text, "%s", r->captured.same_memory ? "as captured" : "not as captured");
	else if (buffers_digest(&r->buffers, &digest, &e))
		snprintf(text, sizeof text, "%016" PRIx64, digest);
	else
		return;
	json_object_set_new(record, "digest", json_string(text));
}

/* --- one point --- */
static void free_point_run(struct run *r)
{
	stream_sequence_free(&r->sequence);
	buffers_free(&r->buffers);
	buffers_free(&r->expected);
	if (r->j->kind == JOB_CAPTURED)
		kernel_release(&r->kernel);
}

/* A point has its own noise, so that it does not matter which worker measures it, and after which others. */
static void begin_noise(const struct opened_device *d, const struct job *j)
{
	char *params = json_dumps(record_get_params(j->record), JSON_SORT_KEYS | JSON_ENCODE_ANY);
	uint64_t key = hash_text(hash_text(HASH_START, j->experiment), params ? params : "");
	if (d->begin_noisy_point)
		d->begin_noisy_point(hash_bytes(key, &j->point, sizeof j->point));
	free(params);
}

static json_t *launch_point(
	const struct opened_device *d, const struct job *j, const struct measure_callbacks *m, bool *lost)
{
	struct run r = {.d = d, .j = j, .m = m};
	struct err e = {0};
	size_t samples = d->deterministic ? 1 : SAMPLES_MAX;
	begin_noise(d, j);
	r.seconds = xcalloc(samples, sizeof *r.seconds);
	r.wall = xcalloc(samples, sizeof *r.wall);
	bool ok = run_reference_kernel(&r, &e) && prepare_point(&r, &e) && verify_first_launch(&r, &e) &&
		sample_point(&r, &e);
	json_t *values = ok && j->counter_count ? counters_record(j) : NULL;
	json_t *record = ok ? point_record(&r, values, profile_record(&r))
			    : point_make_unmeasured(j, r.cancelled ? "cancelled" : "failed", r.cancelled ? NULL : &e);
	if (ok)
		add_digest(&r, record);
	json_t *found = checked_launches_record(j, &r.buffers, &r.kernel); /* also of a launch that failed */
	if (found)
		json_object_set_new(record, "found", found);
	checked_launches_end(j);
	*lost = r.lost;
	if (!r.lost)
		free_point_run(&r);
	free(r.seconds);
	free(r.wall);
	return record;
}

static bool supports_arch(const struct job *j, const char *arch)
{
	const json_t *needs = json_object_get(j->record, "needs");
	for (size_t i = 0; i < json_array_size(needs); i++) {
		const char *begins = json_string_value(json_array_get(needs, i));
		if (begins && !strncmp(arch, begins, strlen(begins)))
			return true;
	}
	return !json_array_size(needs);
}

json_t *measure_job_point(
	const struct opened_device *d, const struct job *j, const struct measure_callbacks *m, bool *lost)
{
	struct err e;
	json_t *record;
	*lost = false;
	m->phase(m->ctx, JOB_PHASE_HOST);
	const char *need = json_string_value(json_array_get(json_object_get(j->record, "needs"), 0));
	err_set(&e, ST_REQUEST, "the experiment needs a %s device; this device is %s", need ? need : "different",
		d->info.arch);
	if (j->kind == JOB_FORMULA)
		record = evaluate_formula_point(j);
	else if (j->kind == JOB_PROGRAM)
		record = measure_program_point(j, m);
	else if (!supports_arch(j, d->info.arch))
		record = point_make_unmeasured(j, "failed", &e);
	else
		record = j->kind == JOB_COMPILE ? evaluate_compile_point(d, j, m) : launch_point(d, j, m, lost);
	m->phase(m->ctx, JOB_PHASE_IDLE);
	return record;
}

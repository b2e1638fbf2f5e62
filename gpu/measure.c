#include "gpu/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/units.h"
#include "gpu/buffers.h"
#include "gpu/kernel.h"
#include "gpu/record.h"
#include "gpu/softprobe.h"
#include "gpu/telemetry.h"
#include "gpu/wire.h"

enum { SAMPLES_MAX = 10000, SLEEP_FIRST_US = 50, SLEEP_MOST_US = 2000 };

/* One point under way. */
struct run {
	const struct open_device *d;
	const struct job *j;
	const struct monitor *m;
	struct kernel kernel;
	struct buffers buffers;
	double *seconds;
	int count;
	struct softgpu_launch launch;     /* of the sample, on a software GPU */
	bool launch_known;
	const char *verdict;              /* of the verification */
	char verify_text[256], contract_text[256];
	const char *contract;
	struct clocks clocks;
	bool clocks_moved, cancelled, lost;
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool cancelled(struct run *r)
{
	r->cancelled |= r->m->cancelled(r->m->ctx);
	return r->cancelled;
}

/* --- one launch --- */
/* Polls with sleeps that grow: ROCm's own waits burn up to two cores, and blocking events change nothing. */
static bool wait_launch(struct run *r, double *seconds, struct err *e)
{
	double us = SLEEP_FIRST_US;
	for (;;) {
		enum poll_state s = r->d->rt->poll(r->d->handle, seconds, e);
		if (s != POLL_BUSY)
			return s == POLL_DONE;
		struct timespec t = { 0, (long)(us * 1e3) };
		nanosleep(&t, NULL);
		us = fmin(us * 1.25, SLEEP_MOST_US);
	}
}

static bool start_launch(struct run *r, struct err *e)
{
	void *vector[ARGS_MAX + 1], *room[ARGS_MAX + 1];
	buffers_args(&r->buffers, false, vector, room);
	return r->d->rt->launch(r->d->handle, r->kernel.handle, &r->j->shape, r->j->lds_bytes, vector, e);
}

/* Whether the software GPU says that the launch went through. */
static bool check_launch(struct run *r, struct err *e)
{
	r->launch_known = softprobe_last_launch(&r->launch);
	if (!r->launch_known || !r->launch.status)
		return true;
	if (cancelled(r))
		return err_set(e, ST_INTERRUPTED, "cancelled");
	return err_set(e, ST_FAILED, "the kernel %s was stopped: %s", r->launch.kernel, r->launch.message);
}

static bool finish_launch(struct run *r, double *seconds, struct err *e)
{
	r->m->phase(r->m->ctx, PHASE_DEVICE);
	bool ok = wait_launch(r, seconds, e);
	r->m->phase(r->m->ctx, PHASE_HOST);
	r->lost |= !ok; /* after a fault the runtime answers every call with the same error */
	return ok && check_launch(r, e);
}

static bool launch(struct run *r, double *seconds, struct err *e)
{
	if (r->j->reset && !buffers_fill(&r->buffers, e))
		return false;
	if (cancelled(r))
		return err_set(e, ST_INTERRUPTED, "cancelled");
	return start_launch(r, e) && finish_launch(r, seconds, e);
}

/* --- verification --- */
static bool call_reference(struct run *r, const struct reference *ref, struct err *e)
{
	void *vector[ARGS_MAX + 1], *room[ARGS_MAX + 1];
	struct arg_type types[ARGS_MAX + 1];
	buffers_args(&r->buffers, true, vector, room);
	for (int i = 0; i < r->j->arg_count; i++)
		types[i] = r->j->args[i].type;
	return reference_call(ref, &r->j->shape, types, vector, (size_t)r->j->arg_count, e);
}

static bool compare(struct run *r, struct err *e)
{
	size_t differences;
	if (!buffers_compare(&r->buffers, &differences, r->verify_text, sizeof r->verify_text, e))
		return false;
	r->verdict = differences ? "failed" : "ok";
	return true;
}

/* The reference runs while the kernel does. */
static bool launch_and_compare(struct run *r, const struct reference *ref, struct err *e)
{
	struct err why;
	double seconds;
	if (!start_launch(r, e))
		return false;
	bool called = call_reference(r, ref, &why);
	if (!finish_launch(r, &seconds, e))
		return false;
	if (called)
		return compare(r, e);
	snprintf(r->verify_text, sizeof r->verify_text, "not verified: %.200s", why.text);
	return true;
}

/* Why there is nothing to verify; NULL when there is. */
static const char *not_verified(struct run *r, const struct reference **ref)
{
	if (!r->j->verify)
		return "";
	if (!r->j->reference)
		return "not verified: the experiment names no reference";
	*ref = reference_find(r->j->reference);
	if (!*ref)
		return "not verified: the program has no reference of that name";
	return buffers_host_copies(&r->buffers) ? NULL : "not verified: not enough memory for host copies";
}

/* The first launch of the point, on fresh buffers. */
static bool verify(struct run *r, struct err *e)
{
	const struct reference *ref = NULL;
	const char *without = not_verified(r, &ref);
	r->verdict = "none";
	if (!without)
		return launch_and_compare(r, ref, e);
	double seconds;
	snprintf(r->verify_text, sizeof r->verify_text, "%s", without);
	return launch(r, &seconds, e);
}

/* --- samples --- */
bool samples_suffice(const double *seconds, int count, const struct sample_rule *rule, double elapsed)
{
	double sum = 0, squares = 0;
	if (count < 1)
		return false;
	if (elapsed >= rule->seconds || count >= rule->max || count >= SAMPLES_MAX)
		return true;
	if (count < rule->min || count < 2)
		return false;
	for (int i = 0; i < count; i++)
		sum += seconds[i];
	double mean = sum / count;
	for (int i = 0; i < count; i++)
		squares += (seconds[i] - mean) * (seconds[i] - mean);
	return sqrt(squares / (count - 1) / count) <= rule->target * mean;
}

static bool take_samples(struct run *r, struct err *e)
{
	double start = now();
	do {
		if (!launch(r, &r->seconds[r->count], e))
			return false;
		r->count++;
		if (!r->d->deterministic)
			r->m->sampled(r->m->ctx, r->count, r->j->samples.max);
	} while (!r->d->deterministic && !samples_suffice(r->seconds, r->count, &r->j->samples, now() - start));
	return true;
}

double launch_seconds(double event, double start_ns, double end_ns, double cycles, double sclk_mhz, bool *agree)
{
	double exact = sclk_mhz > 0 ? cycles / (sclk_mhz * 1e6) : (end_ns - start_ns) * 1e-9;
	*agree = fabs(exact - event) <= 1e-6 + 1e-3 * event;
	return *agree ? exact : event;
}

/* Event times are floats in ms; the software GPU knows its cycles. */
static void sharpen(struct run *r)
{
	bool agree;
	if (!r->launch_known || r->count != 1)
		return;
	double sclk = r->clocks.sclk_mhz.valid ? r->clocks.sclk_mhz.value : 0;
	double event = r->seconds[0];
	r->seconds[0] = launch_seconds(event, (double)r->launch.start_ns, (double)r->launch.end_ns, (double)r->launch.cycles, sclk, &agree);
	if (!r->launch.cycles) {
		r->seconds[0] = 0;
		wire_log("warning", "this device keeps no time (timing=0): results are checked, nothing is measured");
		return;
	}
	if (!agree)
		wire_log("warning", "the events say %.9g s, the software GPU %llu cycles; the events' time is used", event,
		         (unsigned long long)r->launch.cycles);
}

/* Counters that only a launch under observation has. */
static bool wants_look(const struct job *j)
{
	bool any = j->profile;
	for (int i = 0; i < j->counter_count; i++)
		any |= !strncmp(j->counters[i], "CYCLES_", 7);
	return any;
}

static bool sample(struct run *r, struct err *e)
{
	double unused;
	/* Reading results back may have cooled real caches: warm up again. The software GPU's copies go round its caches. */
	if (!r->d->deterministic && !launch(r, &unused, e))
		return false;
	bool look = wants_look(r->j) && softprobe_look(true);
	telemetry_begin();
	bool ok = take_samples(r, e);
	if (look)
		softprobe_look(false);
	r->clocks = telemetry_end(&r->clocks_moved);
	if (ok)
		sharpen(r);
	return ok;
}

/* --- the point --- */
bool memory_suffices(const struct job *j, uint64_t budget, struct err *e)
{
	char want[40], have[40];
	double bytes = 0;
	bool copies = j->verify && j->reference && reference_find(j->reference);
	for (int i = 0; i < j->buffer_count; i++)
		bytes += (double)j->buffers[i].bytes * (copies ? 2 : 1);
	if (!budget || bytes <= (double)budget)
		return true;
	units_format(want, sizeof want, bytes, "B", 3);
	units_format(have, sizeof have, (double)budget, "B", 3);
	return err_set(e, ST_FAILED, "the buffers%s take %s of the host's memory and the software GPU may take %s; choose a smaller size%s or raise host_memory_percent",
	               copies ? " and their copies for the reference" : "", want, have, copies ? ", --no-verify" : "");
}

static bool prepare(struct run *r, struct err *e)
{
	r->m->state(r->m->ctx, "compiling");
	if (!kernel_get(r->d->rt, r->d->handle, r->d->info.arch, r->j, &r->kernel, e))
		return false;
	r->contract = kernel_contract(&r->kernel, r->j, r->contract_text, sizeof r->contract_text);
	if (cancelled(r))
		return err_set(e, ST_INTERRUPTED, "cancelled");
	r->m->state(r->m->ctx, "running");
	if (!memory_suffices(r->j, softprobe_memory_budget(), e))
		return false;
	return buffers_alloc(&r->buffers, r->d->rt, r->d->handle, r->j, e) && buffers_fill(&r->buffers, e);
}

json_t *point_not_measured(const struct job *j, const char *status, const char *error)
{
	json_t *params = json_object_get(j->record, "params");
	return json_pack("{s:s,s:I,s:I,s:s,s:O*,s:s,s:s*}", "type", "point", "job", j->job, "point", j->point, "experiment", j->experiment, "params", params,
	                 "status", status, "error", error);
}

static json_t *counters(const struct job *j)
{
	json_t *o = json_object();
	for (int i = 0; i < j->counter_count; i++) {
		struct reading v = {0};
		v.valid = softprobe_counter(j->counters[i], &v.value);
		json_object_set_new(o, j->counters[i], !v.valid ? json_null() : v.value < 0x1p53 ? json_integer((json_int_t)v.value) : json_real(v.value));
	}
	return o;
}

static json_t *profile(const struct run *r)
{
	json_t *o = r->j->profile ? softprobe_profile() : NULL;
	if (o)
		json_object_set_new(o, "cycles", json_integer((json_int_t)r->launch.cycles));
	return o;
}

static void set_text(json_t *o, const char *key, const char *text)
{
	if (*text)
		json_object_set_new(o, key, json_string(text));
}

static json_t *point_record(const struct run *r, json_t *values, json_t *seen)
{
	json_t *o = point_not_measured(r->j, "ok", NULL), *seconds = json_array();
	for (int i = 0; i < r->count; i++)
		json_array_append_new(seconds, json_real(r->seconds[i]));
	json_object_set_new(o, "seconds", seconds);
	record_set_clocks(o, r->clocks);
	json_object_set_new(o, "clocks_moved", json_boolean(r->clocks_moved));
	json_object_set_new(o, "verify", json_string(r->verdict));
	set_text(o, "verify_text", r->verify_text);
	json_object_set_new(o, "contract", json_string(r->contract));
	set_text(o, "contract_text", r->contract_text);
	json_object_set_new(o, "kernel", kernel_record(&r->kernel));
	if (values)
		json_object_set_new(o, "counters", values);
	if (seen)
		json_object_set_new(o, "profile", seen);
	return o;
}

json_t *measure(const struct open_device *d, const struct job *j, const struct monitor *m, bool *lost)
{
	struct run r = { .d = d, .j = j, .m = m };
	struct err e = {0};
	r.seconds = xcalloc(SAMPLES_MAX, sizeof *r.seconds);
	m->phase(m->ctx, PHASE_HOST);
	bool ok = prepare(&r, &e) && verify(&r, &e) && sample(&r, &e);
	json_t *values = ok && j->counter_count ? counters(j) : NULL;
	json_t *record = ok ? point_record(&r, values, profile(&r)) : point_not_measured(j, r.cancelled ? "cancelled" : "failed", r.cancelled ? NULL : e.text);
	*lost = r.lost;
	if (!r.lost)
		buffers_free(&r.buffers);
	free(r.seconds);
	m->phase(m->ctx, PHASE_IDLE);
	return record;
}

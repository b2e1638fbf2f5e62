#include "gpu/worker/measure/measured_record.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/stats.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/record.h"
#include "gpu/softgpu-link/softprobe.h"
#include "gpu/worker/code_metrics.h"
#include "gpu/worker/inside/launch_profile.h"
#include "gpu/worker/samples/median_interval.h"
#include "gpu/worker/samples/sample_rule.h"

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

static json_t *profile_record(const struct point_run *r)
{
	json_t *o = r->j->profile ? softprobe_profile() : NULL;
	if (o)
		json_object_set_new(o, "cycles", json_integer((json_int_t)r->launch.cycles));
	return o;
}

static void set_record_text(json_t *o, const char *key, const char *text)
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
static json_t *take_inspection(const struct point_run *r)
{
	json_t *o = launch_profile_record(record_get_inside(r->j->record), r->launch.cycles, &r->buffers);
	launch_profile_end();
	return o;
}

/* What was called, and the kernel that it launched last: known on a software GPU. */
static json_t *called_library(const struct point_run *r)
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
static void add_sampling(const struct point_run *r, json_t *o)
{
	double low, high;
	if (r->d->deterministic)
		return;
	double rounding = r->timer_step / 2 / r->launches; /* of each sample */
	if (samples_median_interval(r->seconds, r->count, &low, &high))
		json_object_set_new(o, "median_interval", json_pack("[f, f]", low - rounding, high + rounding));
	json_object_set_new(o, "outliers", json_integer(samples_count_outliers(r->seconds, r->count)));
	double drift = samples_find_drift(r->seconds, r->count) * (r->count - 1);
	if (drift != 0)
		json_object_set_new(o, "drift", json_real(drift / stats_compute(r->seconds, r->count).median));
	json_object_set_new(o, "batch", json_integer(r->launches));
	json_object_set_new(o, "tries", json_integer(r->tries));
}

json_t *point_make_measured(const struct point_run *r)
{
	json_t *values = r->j->counter_count ? counters_record(r->j) : NULL, *breakdown = profile_record(r);
	json_t *o = point_make_unmeasured(r->j, "ok", NULL);
	json_object_set_new(o, "seconds", samples_json(r->seconds, r->count));
	record_set_clocks(o, r->clocks);
	if (r->d->locked_mhz)
		json_object_set_new(o, "locked_sclk_mhz", json_integer(r->d->locked_mhz));
	json_object_set_new(o, "clocks_moved", json_boolean(r->clocks_moved));
	add_sampling(r, o);
	json_object_set_new(o, "verify", json_string(r->verification.verdict));
	set_record_text(o, "verify_text", r->verification.text);
	if (r->buffers.compared)
		json_object_set_new(o, "difference", difference_json(&r->buffers));
	json_object_set_new(o, "contract", json_string(r->contract));
	set_record_text(o, "contract_text", r->contract_text);
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
void point_add_digest(struct point_run *r, json_t *record)
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

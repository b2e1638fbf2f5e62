#include "experiments/sweep/sweep_point.h"

#include <stdio.h>
#include <string.h>

#include "experiments/definition/definition.h"
#include "gpu/protocol/point_record.h"

/* Quartiles of the metrics over the samples, for readers without the definition; not for a single sample. */
static void add_quartiles(json_t *record, const struct experiment *x, const struct point *p)
{
	if (p->status != POINT_OK || p->seconds.count < 2)
		return;
	json_t *all = json_object();
	for (int k = 0; k < x->metric_count; k++)
		if (p->metrics_low[k].valid && p->metrics_high[k].valid)
			json_object_set_new(all, x->metrics[k].id,
				json_pack("[f, f]", p->metrics_low[k].value, p->metrics_high[k].value));
	json_object_set_new(record, "quartiles", all);
}

static void complete_point_record(struct point *p, const struct experiment *x, int index)
{
	json_t *metrics = json_object();
	for (int k = 0; k < x->metric_count; k++)
		record_set_reading(metrics, x->metrics[k].id, p->metrics[k]);
	json_object_set_new(p->record, "metrics", metrics);
	json_object_set_new(p->record, "params", values_to_json(x, p->values));
	add_quartiles(p->record, x, p);
	json_object_set_new(p->record, "experiment", json_string(x->id));
	json_object_set_new(p->record, "point", json_integer(index));
	json_object_set_new(p->record, "job", json_integer(index + 1)); /* does not depend on when it was sent */
}

void point_fail(struct point *p, const struct experiment *x, int index, int job, const struct err *why)
{
	p->status = why->status == ST_INTERRUPTED ? POINT_CANCELLED : POINT_FAILED;
	snprintf(p->text, sizeof p->text, "%.511s", why->text);
	snprintf(p->verify, sizeof p->verify, "none");
	snprintf(p->contract, sizeof p->contract, "none");
	p->record = record_build_failed_point(job, index, why);
	complete_point_record(p, x, index);
}

static void sort_ends(struct reading *low, struct reading *high)
{
	if (low->valid && high->valid && low->value > high->value) {
		struct reading swap = *low; /* rates decrease as the time increases */
		*low = *high;
		*high = swap;
	}
}

static bool any_metric_is_valid(const struct point *p, const struct experiment *x)
{
	for (int k = 0; k < x->metric_count; k++)
		if (p->metrics[k].valid)
			return true;
	return false;
}

/* The metrics at the ends of the interval of the median, of points that have one. */
static void add_intervals(json_t *record, const struct experiment *x, struct reading low[], struct reading high[])
{
	json_t *all = json_object();
	for (int k = 0; k < x->metric_count; k++) {
		sort_ends(&low[k], &high[k]);
		if (low[k].valid && high[k].valid)
			json_object_set_new(all, x->metrics[k].id, json_pack("[f, f]", low[k].value, high[k].value));
	}
	json_object_set_new(record, "intervals", all);
}

/* At the median, the quartiles and the interval of the median of its times; equal times have equal metrics. */
static bool eval_metrics_of_times(struct point *p, struct experiment *x, struct err *e)
{
	const json_t *interval = json_object_get(p->record, "median_interval");
	const double times[] = {p->seconds.median, p->seconds.q1, p->seconds.q3,
		json_number_value(json_array_get(interval, 0)), json_number_value(json_array_get(interval, 1))};
	struct reading all[5][METRICS_MAX];
	bool has_interval = times[3] > 0, equal = times[1] == times[2] && !has_interval;
	bool ok = experiment_eval_metrics_at(x, p->values, p->record, times, equal ? 1 : has_interval ? 5 : 3, all, e);
	memcpy(p->metrics, all[0], sizeof p->metrics);
	memcpy(p->metrics_low, all[equal ? 0 : 1], sizeof p->metrics_low);
	memcpy(p->metrics_high, all[equal ? 0 : 2], sizeof p->metrics_high);
	for (int k = 0; k < x->metric_count; k++)
		sort_ends(&p->metrics_low[k], &p->metrics_high[k]);
	json_object_del(p->record, "intervals"); /* left from a recording that is replayed */
	if (has_interval)
		add_intervals(p->record, x, all[3], all[4]);
	return ok;
}

static void eval_point_metrics(struct point *p, struct experiment *x)
{
	struct err e = {.text = ""};
	bool ok = eval_metrics_of_times(p, x, &e) &&
		experiment_eval_verdict(x, p->values, p->record, p->verdict, sizeof p->verdict, &e);
	json_object_del(p->record, "metric_error"); /* left from a recording that is replayed */
	json_object_del(p->record, "verdict");
	if (*p->verdict)
		json_object_set_new(p->record, "verdict", json_utf8_string(p->verdict));
	if (ok)
		return;
	if (e.status == ST_INTERRUPTED)
		p->status = POINT_CANCELLED; /* it has no metrics, but a later run can compute them */
	else if (!any_metric_is_valid(p, x))
		p->status = POINT_FAILED; /* its record stays measured: a replay computes the metrics again */
	json_object_set_new(p->record, "metric_error", json_utf8_string(e.text));
	snprintf(p->text, sizeof p->text, "%.511s", e.text);
}

/* Sets the reason why a measured point is suspect, the worst first; a failed metric has already set its message. */
static void explain_suspect_point(struct point *p)
{
	const char *refused = point_get_compiler_text(p->record);
	const char *wrong = point_get_verify_text(p->record), *broken = point_get_contract_text(p->record);
	if (*p->text)
		return;
	if (!strcmp(p->verify, "failed"))
		snprintf(
			p->text, sizeof p->text, "wrong result: %.200s", *wrong ? wrong : "differs from the reference");
	else if (!strcmp(p->contract, "broken"))
		snprintf(p->text, sizeof p->text, "unexpected instructions: %.200s",
			*broken ? broken : "the hot loop differs");
	else if (*refused) /* this is the result */
		snprintf(p->text, sizeof p->text, "rejected by the compiler: %.200s", refused);
	else if (p->clocks_moved)
		snprintf(p->text, sizeof p->text, "the clock changed by more than 2 %% during the measurement");
}

static enum point_status read_point_status(const json_t *r)
{
	const char *status = point_get_status(r);
	return !strcmp(status, "ok") ? POINT_OK : !strcmp(status, "cancelled") ? POINT_CANCELLED : POINT_FAILED;
}

/* The measured time is not valid: the point fails, so that it is not drawn. */
static void fail_without_time(struct point *p)
{
	p->status = POINT_FAILED;
	if (p->seconds.count)
		snprintf(p->text, sizeof p->text, "invalid time of %g s between the device's events; measure again",
			p->seconds.min);
	else
		snprintf(p->text, sizeof p->text, "the worker sent no samples");
	json_object_set_new(p->record, "status", json_string("failed"));
	json_object_set_new(p->record, "error", json_string(p->text));
}

/* Most points of a sweep have the same kernel and the same code: half of a record's memory. */
static void share_members(json_t *record, const json_t *before)
{
	static const char *const shared[] = {"kernel", "code"};
	for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
		json_t *earlier = json_object_get(before, shared[i]);
		if (earlier && json_equal(earlier, json_object_get(record, shared[i])))
			json_object_set(record, shared[i], earlier);
	}
}

void point_finish(struct point *p, struct experiment *x, int index, const json_t *r, const json_t *before)
{
	p->record = json_copy((json_t *)r); /* its members are set, and not changed */
	share_members(p->record, before);
	p->status = read_point_status(r);
	p->seconds = point_sample_stats(r);
	p->clocks = record_get_clocks(r);
	p->clocks_moved = point_has_moved_clocks(r);
	snprintf(p->verify, sizeof p->verify, "%.7s", *point_get_verify(r) ? point_get_verify(r) : "none");
	snprintf(p->contract, sizeof p->contract, "%.7s", *point_get_contract(r) ? point_get_contract(r) : "none");
	snprintf(p->text, sizeof p->text, "%.511s", p->status == POINT_OK ? "" : point_get_error(r));
	if (p->status == POINT_OK && experiment_has_times(x) && (!p->seconds.count || p->seconds.min < 0))
		fail_without_time(p);
	if (p->status == POINT_OK) {
		eval_point_metrics(p, x);
		explain_suspect_point(p);
	}
	complete_point_record(p, x, index);
}

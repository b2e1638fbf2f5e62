#include "experiments/analysis/validation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/definition/definition.h"

/* --- points of rows --- */
static bool set_row_error(const struct published_row *row, const char *why, struct err *e)
{
	return err_set(e, ST_REQUEST, "%s.csv:%d: %s", row->experiment, row->line, why);
}

/* NAME=VALUE... into the plan. */
static bool apply_row_settings(struct plan *p, const struct published_row *row, const char *settings, struct err *e)
{
	struct err why;
	char *text = xstrdup(settings);
	bool ok = true;
	for (char *save = NULL, *w = strtok_r(text, " ", &save); ok && w; w = strtok_r(NULL, " ", &save))
		ok = plan_apply_argument(p, w, &why) || set_row_error(row, why.text, e);
	free(text);
	return ok;
}

bool published_eval_work(
	struct experiment *x, const struct published_row *row, const double *values, double *out, struct err *e)
{
	static const struct metric_input nothing;
	struct reading r = {0};
	int metric = experiment_find_metric(x, row->work), param = experiment_find_param(x, row->work);
	if (metric >= 0 && !definition_eval_metric(x, values, metric, &nothing, &r, e))
		return false;
	*out = metric >= 0 ? r.value : param >= 0 ? values[param] : 0;
	return *out > 0 || set_row_error(row, "'work' must name a parameter or metric with a value above 0", e);
}

static bool read_row_point(
	const struct published_row *row, bool soft, struct validation_row *to, double *values, struct err *e)
{
	struct plan p;
	double whole, part;
	size_t bytes = (size_t)to->x->param_count * sizeof *values;
	plan_init_values(&p, to->x, false, row->arch);
	bool ok = apply_row_settings(&p, row, row->params, e);
	memcpy(to->published_at, p.fixed, bytes);
	ok = ok && (!soft || apply_row_settings(&p, row, row->at, e));
	memcpy(values, p.fixed, bytes);
	plan_free(&p);
	to->scale = 1;
	if (!ok || !soft || !*row->at)
		return ok;
	if (!published_eval_work(to->x, row, to->published_at, &whole, e) ||
		!published_eval_work(to->x, row, values, &part, e))
		return false;
	to->scale = whole / part;
	return true;
}

/* --- rows and points --- */
static int find_or_add_point(struct validation *v, struct experiment *x, const double *values)
{
	size_t bytes = (size_t)x->param_count * sizeof *values;
	for (int i = 0; i < v->point_count; i++)
		if (v->points[i].x == x && !memcmp(v->points[i].values, values, bytes))
			return i;
	v->points = xrealloc(v->points, (size_t)(v->point_count + 1) * sizeof *v->points);
	v->points[v->point_count] = (struct validation_point){.x = x};
	memcpy(v->points[v->point_count].values, values, bytes);
	return v->point_count++;
}

static bool add_validation_row(
	struct validation *v, const struct published_row *row, struct experiment *x, struct err *e)
{
	double values[PARAMS_MAX];
	struct validation_row to = {.row = row, .x = x, .metric = experiment_find_metric(x, row->metric)};
	if (to.metric < 0)
		return set_row_error(row, "unknown metric; `wavedeck show` lists the metrics of the experiment", e);
	if (strcmp(x->metrics[to.metric].unit, row->unit))
		return set_row_error(row, "the unit differs from that of the experiment's metric", e);
	if (!read_row_point(row, v->soft, &to, values, e))
		return false;
	to.point = find_or_add_point(v, x, values);
	snprintf(to.text, sizeof to.text, "not measured");
	v->rows = xrealloc(v->rows, (size_t)(v->row_count + 1) * sizeof *v->rows);
	v->rows[v->row_count++] = to;
	return true;
}

static bool add_experiment(struct validation *v, const struct published *set, struct experiment *x, struct err *e)
{
	for (int i = 0; i < set->count; i++)
		if (!strcmp(set->rows[i].experiment, x->id) && published_row_fits_arch(&set->rows[i], v->arch) &&
			!add_validation_row(v, &set->rows[i], x, e))
			return false;
	return true;
}

/* Explains why there are no rows to compare. */
static bool set_no_rows_error(
	const struct validation *v, const struct published *set, const struct experiment *x, struct err *e)
{
	for (int i = 0; i < set->count; i++)
		if (!strcmp(set->rows[i].experiment, x->id))
			return err_set(e, ST_REQUEST,
				"the published values for %s are for a %s (%s), but the device is %s; `wavedeck show %s` lists them",
				x->id, set->rows[i].device, set->rows[i].arch, v->arch, x->id);
	return err_set(e, ST_REQUEST,
		"no published values for %s; run `wavedeck validate` without names to compare everything", x->id);
}

static bool add_named_experiment(
	struct validation *v, const struct published *set, struct catalog *c, const char *name, struct err *e)
{
	int before = v->row_count;
	struct experiment *x = catalog_find(c, name, e);
	for (int i = 0; x && i < v->row_count; i++)
		if (v->rows[i].x == x)
			return true; /* named twice */
	if (!x || !add_experiment(v, set, x, e))
		return false;
	return v->row_count > before || set_no_rows_error(v, set, x, e);
}

bool validation_make(const struct published *set, struct catalog *c, const char *const *only, int only_count,
	const char *arch, bool soft, struct validation *out, struct err *e)
{
	bool ok = true;
	*out = (struct validation){.soft = soft, .arch = arch};
	for (int i = 0; ok && i < only_count; i++)
		ok = add_named_experiment(out, set, c, only[i], e);
	for (int i = 0; ok && !only_count && i < c->count; i++)
		ok = add_experiment(out, set, c->list[i], e);
	if (ok && !out->row_count && set->count)
		ok = err_set(e, ST_REQUEST,
			"no published values for a %s device; `wavedeck show EXP` lists the devices with published values",
			arch ? arch : "known");
	if (!ok)
		validation_free(out);
	return ok;
}

bool validation_make_for(
	const struct published *set, struct experiment *x, bool soft, struct validation *out, struct err *e)
{
	*out = (struct validation){.soft = soft};
	if (add_experiment(out, set, x, e))
		return true;
	validation_free(out);
	return false;
}

void validation_free(struct validation *v)
{
	free(v->rows);
	free(v->points);
	*v = (struct validation){0};
}

void validation_make_plan(const struct validation *v, int point, struct plan *out)
{
	const struct validation_point *p = &v->points[point];
	plan_init_default(out, p->x, v->soft, v->arch ? v->arch : "");
	plan_free(out); /* a single point: no sweep */
	memcpy(out->fixed, p->values, (size_t)p->x->param_count * sizeof *p->values);
}

/* --- comparing --- */
/* The metrics of the row's published point, with the clock that the source uses. */
static bool eval_published_metrics(
	const struct validation_row *r, const struct point *ended, struct reading out[1][METRICS_MAX], struct err *e)
{
	const double seconds = ended->seconds.median * r->scale;
	json_t *record = json_copy(ended->record);
	struct clocks clocks = record_get_clocks(record);
	if (r->row->clock_mhz > 0)
		clocks.sclk_mhz = (struct reading){true, r->row->clock_mhz};
	record_set_clocks(record, clocks);
	bool ok = experiment_eval_metrics_at(r->x, r->published_at, record, &seconds, 1, out, e);
	json_decref(record);
	return ok;
}

static void compare_published_row(struct validation_row *r, const struct point *ended)
{
	struct err e = {.text = ""};
	struct reading all[1][METRICS_MAX];
	bool ok = eval_published_metrics(r, ended, all, &e);
	if (!ok || !all[0][r->metric].valid) {
		snprintf(r->text, sizeof r->text, "%.255s",
			ok ? "a reading that the metric needs is not available" : e.text);
		return;
	}
	r->compared = true;
	r->unrounded = all[0][r->metric].value;
	r->measured = published_round_like_source(r->row, r->unrounded);
	r->signed_error = published_relative_error(r->row, r->unrounded);
	r->error = fabs(r->signed_error);
	*r->text = 0;
}

void validation_compare_point(struct validation *v, int point, const struct point *ended)
{
	v->points[point].seconds = ended->host_seconds;
	bool trusted =
		ended->status == POINT_OK && strcmp(ended->verify, "failed") && strcmp(ended->contract, "broken");
	if (!trusted)
		validation_skip_point(v, point, *ended->text ? ended->text : "the point failed");
	for (int i = 0; trusted && i < v->row_count; i++)
		if (v->rows[i].point == point)
			compare_published_row(&v->rows[i], ended);
}

void validation_skip_point(struct validation *v, int point, const char *why)
{
	for (int i = 0; i < v->row_count; i++)
		if (v->rows[i].point == point)
			snprintf(v->rows[i].text, sizeof v->rows[i].text, "%.255s", why);
}

/* --- summary --- */
/* The largest error among an experiment's rows that were not used for calibration; negative if there are none. */
static double worst_uncalibrated_error(const struct validation *v, const struct experiment *x)
{
	double worst = -1;
	for (int i = 0; i < v->row_count; i++) {
		const struct validation_row *r = &v->rows[i];
		if (r->x == x && r->compared && r->row->state != ROW_CALIBRATED && r->error > worst)
			worst = r->error;
	}
	return worst;
}

static double median_of_worst_errors(const struct validation *v, int *experiments)
{
	double *list = xcalloc((size_t)v->row_count + 1, sizeof *list);
	int count = 0;
	for (int i = 0; i < v->row_count; i++) {
		double worst = i && v->rows[i].x == v->rows[i - 1].x ? -1 : worst_uncalibrated_error(v, v->rows[i].x);
		if (worst >= 0)
			list[count++] = worst;
	}
	double median = stats_compute(list, count).median;
	*experiments = count;
	free(list);
	return median;
}

struct validation_summary validation_summarize(const struct validation *v)
{
	struct validation_summary s = {.rows = v->row_count, .worst_row = -1};
	double *errors = xcalloc((size_t)v->row_count + 1, sizeof *errors);
	int within = 0;
	for (int i = 0; i < v->row_count; i++) {
		const struct validation_row *r = &v->rows[i];
		if (!r->compared)
			continue;
		errors[s.count++] = r->error;
		within += r->error <= 0.05;
		if (s.worst_row < 0 || r->error > s.worst) {
			s.worst_row = i;
			s.worst = r->error;
		}
	}
	s.median = stats_compute(errors, s.count).median;
	s.within_5 = s.count ? (double)within / s.count : 0;
	s.worst_uncalibrated_median = median_of_worst_errors(v, &s.uncalibrated);
	free(errors);
	return s;
}

/* --- JSON --- */
/* The parameters that the row sets: numbers in the base unit, or names of choices. */
static json_t *params_json(const struct validation_row *r)
{
	json_t *o = json_object();
	char *text = xstrdup(r->row->params);
	for (char *save = NULL, *w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		w[strcspn(w, "=")] = 0;
		int i = experiment_find_param(r->x, w);
		json_object_set_new(o, w, param_to_json(&r->x->params[i], r->published_at[i]));
	}
	free(text);
	return o;
}

static json_t *json_real_or_null(bool there, double v)
{
	return there ? json_real(v) : json_null();
}
static json_t *json_text_or_null(const char *text)
{
	return text && *text ? json_string(text) : json_null();
}

static json_t *row_json(const struct validation *v, const struct validation_row *r)
{
	static const char *const roundings[] = {"none", "truncate", "round"};
	const struct published_row *p = r->row;
	const double seconds = v->points[r->point].seconds;
	return json_pack("{s:s, s:o, s:s, s:s, s:f, s:o, s:o, s:o, s:s, s:s, s:s, s:o, s:s, s:f, s:o, s:o, s:o, s:o}",
		"experiment", p->experiment, "params", params_json(r), "metric", p->metric, "unit", p->unit,
		"published", p->value, "other", json_real_or_null(published_is_interval(p), p->other), "measured",
		json_real_or_null(r->compared, r->measured), "error", json_real_or_null(r->compared, r->error), "kind",
		p->kind, "state", published_state_name(p->state), "rounding", roundings[p->rounding], "unrounded",
		json_real_or_null(r->compared, r->unrounded), "source", p->source, "scale", r->scale, "at",
		json_text_or_null(r->scale != 1 ? p->at : NULL), "unexplained", json_text_or_null(p->unexplained),
		"seconds", json_real_or_null(seconds > 0, seconds), "failure", json_text_or_null(r->text));
}

json_t *validation_json(const struct validation *v)
{
	struct validation_summary s = validation_summarize(v);
	json_t *rows = json_array();
	for (int i = 0; i < v->row_count; i++)
		json_array_append_new(rows, row_json(v, &v->rows[i]));
	return json_pack("{s:o, s:{s:i, s:o, s:o, s:o, s:o}}", "rows", rows, "summary", "count", s.count, "median",
		json_real_or_null(s.count, s.median), "within_5", json_real_or_null(s.count, s.within_5), "worst",
		json_real_or_null(s.count, s.worst), "worst_uncalibrated_median",
		json_real_or_null(s.uncalibrated, s.worst_uncalibrated_median));
}

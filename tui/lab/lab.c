#include "tui/lab/lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "experiments/definition/words/experiment_words.h"
#include "experiments/definition/default_values.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"
#include "tui/lab/plot/curve_digest.h"
#include "tui/toolkit/grid.h"

enum { AXIS_POINTS = 64 }; /* at most, in a default range of equal steps */

void lab_init(struct lab *b, struct experiment *x, bool soft, const char *arch)
{
	memset(b, 0, sizeof *b);
	b->x = x;
	b->axis = x->x;
	b->preset = soft ? PRESET_SMALL : PRESET_PUBLISHED;
	snprintf(b->arch, sizeof b->arch, "%s", arch);
	experiment_use_words(x, arch);
	experiment_default_values(x, soft, arch, b->values);
	/* The first parameter that is not on the x axis, so that the arrow keys have a visible effect at once. */
	b->selected = x->x == 0 && x->param_count > 1 ? 1 : 0;
}

void lab_free(struct lab *b)
{
	measured_curve_free(&b->curve);
	measured_curve_free(&b->previous);
	for (int i = 0; i < b->pin_count; i++)
		measured_curve_free(&b->pins[i].curve);
	b->pin_count = 0;
	lab_forget_earlier_curves(b);
	validation_free(&b->published);
	point_costs_clear(&b->costs);
}

/* --- a definition that was saved --- */
static bool has_same_columns(const struct experiment *a, const struct experiment *b)
{
	bool same = a->param_count == b->param_count && a->metric_count == b->metric_count;
	for (int i = 0; same && i < a->param_count; i++)
		same = !strcmp(a->params[i].id, b->params[i].id) && a->params[i].kind == b->params[i].kind &&
			a->params[i].choice_count == b->params[i].choice_count;
	for (int i = 0; same && i < a->metric_count; i++)
		same = !strcmp(a->metrics[i].id, b->metrics[i].id);
	return same;
}

static double keep_in_range(const struct param *p, double value, double otherwise)
{
	return value >= p->low && value <= p->high ? value : otherwise;
}

static void start_over(struct lab *b, struct experiment *x, bool soft)
{
	struct lab old = *b;
	lab_init(b, x, soft, old.arch);
	for (int i = 0; i < x->param_count; i++) {
		int before = experiment_find_param(old.x, x->params[i].id);
		if (before >= 0 && x->params[i].kind != PARAM_STEP_CHOICE)
			b->values[i] = keep_in_range(&x->params[i], old.values[before], b->values[i]);
	}
	lab_free(&old);
}

bool lab_take_definition(struct lab *b, struct experiment *x, bool soft)
{
	bool same = has_same_columns(b->x, x);
	if (same)
		b->x = x;
	else
		start_over(b, x, soft);
	return same;
}

/* --- the plan --- */
static void append_value_list(const double *values, int count, struct buf *out)
{
	char text[40];
	for (int i = 0; i < count; i++)
		buf_printf(out, "%s%s", i ? "," : "", number_format_exact(text, sizeof text, values[i]));
}

/* "id=A..B" over the whole range of a parameter, with at most AXIS_POINTS points. */
static void append_default_range(const struct experiment *x, int param, struct buf *out)
{
	const struct param *p = &x->params[param];
	char low[40], high[40], step[40];
	buf_printf(out, "%s=", p->id);
	if (p->kind == PARAM_STEP_CHOICE) {
		for (int i = 0; i < p->choice_count; i++)
			buf_printf(out, "%s%s", i ? "," : "", p->choices[i]);
		return;
	}
	if (p->sweep_list_count) {
		append_value_list(p->sweep_list, p->sweep_list_count, out);
		return;
	}
	number_format_exact(low, sizeof low, p->sweep_low);
	number_format_exact(high, sizeof high, p->sweep_high);
	buf_printf(out, "%s..%s", low, high);
	if (p->kind == PARAM_STEP_ADD && p->step > 0) {
		double points = floor((p->sweep_high - p->sweep_low) / p->step) + 1;
		buf_printf(out, ":+%s", number_format_exact(step, sizeof step, p->step * ceil(points / AXIS_POINTS)));
	}
}

bool lab_add_plan_axis(const struct lab *b, int param, struct plan *p, struct err *e)
{
	struct buf argument = {0};
	if (b->ranges[param][0])
		buf_printf(&argument, "%s=%s", b->x->params[param].id, b->ranges[param]);
	else
		append_default_range(b->x, param, &argument);
	bool ok = plan_apply_argument(p, argument.data, e);
	buf_free(&argument);
	return ok;
}

bool lab_build_plan(const struct lab *b, bool soft, struct plan *p, struct err *e)
{
	plan_init_default(p, b->x, soft, b->arch);
	p->sampling = b->sampling;
	memcpy(p->fixed, b->values, sizeof p->fixed);
	if (b->axis < 0 || (b->axis == b->x->x && !b->ranges[b->axis][0]))
		return true;
	bool ok = lab_add_plan_axis(b, b->axis, p, e);
	if (ok && p->axis_count == 0)
		ok = err_set(e, ST_REQUEST, "the x axis needs a range; write for example 1..16 or 1,2,4");
	if (!ok)
		plan_free(p);
	return ok;
}

void lab_set_x_axis(struct lab *b, int param)
{
	b->axis = param;
}

bool lab_set_range(struct lab *b, int param, const char *text, bool soft, struct err *e)
{
	struct lab trial = *b;
	struct plan p;
	if (strlen(text) >= sizeof trial.ranges[0])
		return err_set(e, ST_REQUEST, "the range is too long; write A..B or A..B:x2");
	trial.axis = param;
	snprintf(trial.ranges[param], sizeof trial.ranges[param], "%s", text);
	if (!lab_build_plan(&trial, soft, &p, e))
		return false;
	plan_free(&p);
	b->axis = param;
	memcpy(b->ranges[param], trial.ranges[param], sizeof b->ranges[param]);
	return true;
}

/* The value one step after the end of the range; the end itself at the parameter's limit. */
static double next_range_end(const struct param *p, const char *suffix, const double *v, int n)
{
	double last = v[n - 1], before = n > 1 ? v[n - 2] : 0;
	double next = !strncmp(suffix, ":x", 2) && before > 0 ? last * last / before
		: !strncmp(suffix, ":+", 2) && n > 1          ? 2 * last - before
							      : param_step_value(p, last, 1);
	return next <= p->high ? next : last;
}

/* Writes the range with its end moved; false when it cannot be moved. */
static bool format_moved_range(const struct lab *b, const struct plan_axis *a, int by, struct buf *out)
{
	const struct param *p = &b->x->params[b->axis];
	const char *text = b->ranges[b->axis], *suffix = strchr(text, ':') ? strchr(text, ':') : "";
	bool list = *text ? strchr(text, ',') != NULL : p->sweep_list_count > 0;
	int n = a->count + by;
	char low[40], high[40];
	if (n < 2)
		return false;
	if (list && by > 0) { /* can only grow back to the experiment's own list */
		if (n > p->sweep_list_count || memcmp(a->values, p->sweep_list, (size_t)a->count * sizeof *a->values))
			return false;
		append_value_list(p->sweep_list, n, out);
		return true;
	}
	if (list) {
		append_value_list(a->values, n, out);
		return true;
	}
	double end = by < 0 ? a->values[n - 1] : next_range_end(p, suffix, a->values, a->count);
	if (end == a->values[a->count - 1])
		return false;
	buf_printf(out, "%s..%s%s", number_format_exact(low, sizeof low, a->values[0]),
		number_format_exact(high, sizeof high, end), suffix);
	return true;
}

bool lab_step_range_end(struct lab *b, int by, bool soft)
{
	struct plan p;
	struct buf text = {0};
	if (b->axis < 0 || b->x->params[b->axis].kind == PARAM_STEP_CHOICE || !lab_build_plan(b, soft, &p, NULL))
		return false;
	bool ok = p.axis_count && format_moved_range(b, &p.axes[p.axis_count - 1], by, &text) &&
		lab_set_range(b, b->axis, text.data, soft, NULL);
	plan_free(&p);
	buf_free(&text);
	return ok;
}

bool lab_is_scaled(const struct lab *b)
{
	for (int i = 0; i < b->x->param_count; i++)
		if (param_is_reduced_to(&b->x->params[i], b->arch, b->values[i]))
			return true;
	return false;
}

/* Reads the ends of "A..B[:step]". */
static bool parse_range_ends(const char *text, const char *dots, const struct param *p, double *from, double *to)
{
	char low[80], high[80];
	snprintf(low, sizeof low, "%.*s", (int)(dots - text), text);
	snprintf(high, sizeof high, "%.*s", (int)strcspn(dots + 2, ":"), dots + 2);
	return param_parse(p, low, from, NULL) && param_parse(p, high, to, NULL);
}

bool lab_get_range_ends(const struct lab *b, double *from, double *to)
{
	const struct param *p = &b->x->params[b->axis];
	const char *text = b->ranges[b->axis], *dots = strstr(text, "..");
	*from = p->sweep_list_count ? p->sweep_list[0] : p->sweep_low;
	*to = p->sweep_list_count ? p->sweep_list[p->sweep_list_count - 1] : p->sweep_high;
	return !*text || (dots && parse_range_ends(text, dots, p, from, to));
}

/* From long to short: "16777216 threads", "16 Mi threads", "16 Mi". */
enum value_form { FORM_FULL, FORM_SHORT, FORM_NO_UNIT, FORM_COUNT };

static char *format_value_as(const struct param *p, double v, enum value_form form, char *out, size_t size)
{
	bool bytes = !strcmp(p->unit, "B");
	if (form == FORM_FULL || p->kind == PARAM_STEP_CHOICE)
		return param_format(p, v, out, size);
	units_format_short(out, size, v, form == FORM_NO_UNIT && !bytes ? "" : param_unit(p));
	size_t n = strlen(out);
	if (form == FORM_NO_UNIT && bytes && n > 2) /* "64 Ki", "512" */
		out[out[n - 2] == ' ' ? n - 2 : n - 1] = 0;
	return out;
}

/* "1 words..64 words", "1..64 words", "1..64"; bytes keep both units, because their prefixes may differ. */
static void format_range_as(const struct param *p, double from, double to, enum value_form form, char *out, size_t size)
{
	char low[48], high[48];
	bool once = form == FORM_SHORT && strcmp(p->unit, "B");
	snprintf(out, size, "%s..%s", format_value_as(p, from, once ? FORM_NO_UNIT : form, low, sizeof low),
		format_value_as(p, to, form, high, sizeof high));
}

/* Count, first and last value of a typed list of numbers; false for other ranges. */
static bool parse_list_ends(const struct param *p, const char *text, int *count, double *from, double *to)
{
	char first[80];
	const char *last = strrchr(text, ',');
	if (!last || strstr(text, "..") || p->kind == PARAM_STEP_CHOICE)
		return false;
	snprintf(first, sizeof first, "%.*s", (int)strcspn(text, ","), text);
	*count = 1;
	for (const char *c = text; *c; c++)
		*count += *c == ',';
	return param_parse(p, first, from, NULL) && param_parse(p, last + 1, to, NULL);
}

char *lab_format_value(const struct lab *b, int param, int room, char *out, size_t size)
{
	const struct param *p = &b->x->params[param];
	double from, to;
	int count;
	bool swept = param == b->axis, ends = swept && lab_get_range_ends(b, &from, &to);
	if (swept && !ends && parse_list_ends(p, b->ranges[param], &count, &from, &to)) {
		int n = snprintf(out, size, "%d of ", count);
		format_range_as(p, from, to, FORM_SHORT, out + n, size - (size_t)n);
		if (text_width(out) > room)
			format_range_as(p, from, to, FORM_NO_UNIT, out, size);
		return out;
	}
	if (swept && (!ends || p->kind == PARAM_STEP_CHOICE)) {
		int chosen = *b->ranges[param] || !p->sweep_list_count ? p->choice_count : p->sweep_list_count;
		if (ends)
			snprintf(out, size, chosen < p->choice_count ? "%d of %d" : "all %d", chosen, p->choice_count);
		else
			snprintf(out, size, "%s", b->ranges[param]);
		return out;
	}
	for (int form = FORM_FULL; form < FORM_COUNT; form++) {
		if (swept)
			format_range_as(p, from, to, (enum value_form)form, out, size);
		else
			format_value_as(p, b->values[param], (enum value_form)form, out, size);
		if (text_width(out) <= room)
			break;
	}
	return out;
}

/* --- settings of a recording or a plan --- */
static int param_index_by_id(const struct experiment *x, const char *id)
{
	for (int i = 0; i < x->param_count; i++)
		if (!strcmp(x->params[i].id, id))
			return i;
	return -1;
}

static void apply_fixed_params(struct lab *b, const json_t *fixed)
{
	for (int i = 0; i < b->x->param_count; i++)
		param_from_json(&b->x->params[i], json_object_get(fixed, b->x->params[i].id), &b->values[i], NULL);
}

static bool range_has_values(const struct lab *b, const double *v, size_t n)
{
	struct plan p;
	if (!lab_build_plan(b, false, &p, NULL))
		return false;
	const struct plan_axis *a = p.axis_count ? &p.axes[p.axis_count - 1] : NULL;
	bool same = a && a->param == b->axis && (size_t)a->count == n && !memcmp(a->values, v, n * sizeof *v);
	plan_free(&p);
	return same;
}

/* Sets a range with a step that has these values: "1024..2134336:+64", "1..4096:x4"; false when there is none. */
static bool set_range_with_step(struct lab *b, const double *v, size_t n)
{
	char *range = b->ranges[b->axis], low[40], high[40], step[40];
	size_t size = sizeof b->ranges[b->axis];
	if (n < 2)
		return false;
	number_format_exact(low, sizeof low, v[0]);
	number_format_exact(high, sizeof high, v[n - 1]);
	snprintf(range, size, "%s..%s:+%s", low, high, number_format_exact(step, sizeof step, v[1] - v[0]));
	if (v[1] > v[0] && range_has_values(b, v, n))
		return true;
	snprintf(range, size, "%s..%s:x%s", low, high,
		number_format_exact(step, sizeof step, v[0] > 0 ? v[1] / v[0] : 0));
	return v[0] > 0 && v[1] > v[0] && range_has_values(b, v, n);
}

/* Sets the shortest range that has these values: the default, its ends, its ends with a step, or a list. */
static void set_range_of_values(struct lab *b, int param, const double *v, size_t n)
{
	struct buf list = {0};
	char low[40], high[40];
	char *range = b->ranges[param];
	size_t size = sizeof b->ranges[param];
	b->axis = param;
	range[0] = 0;
	if (range_has_values(b, v, n))
		return;
	snprintf(range, size, "%s..%s", number_format_exact(low, sizeof low, v[0]),
		number_format_exact(high, sizeof high, v[n - 1]));
	if (range_has_values(b, v, n))
		return;
	if (set_range_with_step(b, v, n))
		return;
	range[0] = 0;
	for (size_t i = 0; i < n; i++)
		if (b->x->params[param].kind == PARAM_STEP_CHOICE)
			buf_printf(
				&list, "%s%s", i ? "," : "", param_format(&b->x->params[param], v[i], low, sizeof low));
		else
			buf_printf(&list, "%s%s", i ? "," : "", number_format_exact(low, sizeof low, v[i]));
	if (list.len < size)
		snprintf(range, size, "%s", list.data);
	buf_free(&list);
}

static void apply_recorded_axis(struct lab *b, const json_t *axis)
{
	const json_t *values = json_object_get(axis, "values");
	int param = param_index_by_id(b->x, record_get_text(axis, "param"));
	size_t n = json_array_size(values);
	double *v = xcalloc(n + 1, sizeof *v);
	bool ok = param >= 0 && n > 0;
	for (size_t i = 0; ok && i < n; i++)
		ok = param_from_json(&b->x->params[param], json_array_get(values, i), &v[i], NULL);
	if (ok)
		b->values[param] = v[0];
	if (ok && n > 1)
		set_range_of_values(b, param, v, n);
	free(v);
}

bool lab_apply_recording(struct lab *b, const json_t *header)
{
	const json_t *sweep = header_get_sweep(header);
	size_t axes = json_is_array(sweep) ? json_array_size(sweep) : 0;
	if (strcmp(record_get_experiment(header), b->x->id))
		return false;
	apply_fixed_params(b, record_get_params(header));
	b->axis = -1;
	if (json_is_object(sweep))
		apply_recorded_axis(b, sweep);
	for (size_t i = 0; i < axes; i++)
		apply_recorded_axis(b, json_array_get(sweep, i)); /* the last one changes fastest: it is the x axis */
	return true;
}

void lab_apply_plan(struct lab *b, const struct plan *p)
{
	const struct plan_axis *a = p->axis_count ? &p->axes[p->axis_count - 1]
						  : NULL; /* the last axis changes fastest: it is the x axis */
	memcpy(b->values, p->fixed, sizeof b->values);
	memcpy(b->remark, p->remark, sizeof b->remark);
	b->axis = -1;
	for (int i = 0; i < p->axis_count; i++)
		b->values[p->axes[i].param] = p->axes[i].values[0];
	if (a)
		set_range_of_values(b, a->param, a->values, (size_t)a->count);
}

bool lab_apply_preset(struct lab *b, const char *name, bool soft, struct err *e)
{
	struct plan p;
	plan_init_default(&p, b->x, soft, b->arch);
	bool ok = plan_apply_preset(&p, name, e);
	if (ok)
		lab_apply_plan(b, &p);
	plan_free(&p);
	return ok;
}

bool lab_matches_preset(const struct lab *b, const char *name, bool soft)
{
	struct lab trial = *b;
	if (!lab_apply_preset(&trial, name, soft, NULL) || trial.axis != b->axis)
		return false;
	for (int i = 0; i < b->x->param_count; i++)
		if (i != b->axis && trial.values[i] != b->values[i])
			return false;
	return b->axis < 0 || !strcmp(trial.ranges[b->axis], b->ranges[b->axis]);
}

static bool curve_has_plan_points(const struct lab *b, const struct measured_curve *c, bool soft)
{
	struct plan p;
	double values[PARAMS_MAX];
	if (!lab_build_plan(b, soft, &p, NULL))
		return false;
	bool same = plan_point_count(&p) == c->count && c->axis == (p.axis_count ? p.axes[p.axis_count - 1].param : -1);
	for (int i = 0; same && i < c->count; i++) {
		plan_point_values(&p, i, values);
		same = c->points[i].status != POINT_CANCELLED &&
			!memcmp(values, c->points[i].values, (size_t)b->x->param_count * sizeof *values);
	}
	plan_free(&p);
	return same;
}

static bool is_known_completeness(const struct completeness *k, const struct completeness *now)
{
	return k->known && k->x == now->x && k->soft == now->soft && k->axis == now->axis && k->noted == now->noted &&
		!memcmp(k->values, now->values, sizeof k->values) && !strcmp(k->range, now->range);
}

/* Each frame asks, and the answer needs all points: that of a long curve is kept for the current settings. */
bool lab_curve_is_complete(const struct lab *b, const struct measured_curve *c, bool soft)
{
	if (!c->count || c->ended < c->count)
		return false;
	if (!c->digest)
		return curve_has_plan_points(b, c, soft);
	struct completeness *k = &c->digest->completeness;
	struct completeness now = {.known = true, .soft = soft, .x = b->x, .axis = b->axis, .noted = c->digest->noted};
	memcpy(now.values, b->values, sizeof now.values);
	snprintf(now.range, sizeof now.range, "%s", b->axis < 0 ? "" : b->ranges[b->axis]);
	if (!is_known_completeness(k, &now)) {
		now.complete = curve_has_plan_points(b, c, soft);
		*k = now;
	}
	return k->complete;
}

/* --- cursor --- */
void lab_move_cursor(struct lab *b, int by)
{
	int to = b->cursor + by;
	b->cursor = to >= b->curve.count ? b->curve.count - 1 : to;
	if (b->cursor < 0)
		b->cursor = 0;
}

const struct point *lab_cursor_point(const struct lab *b)
{
	return b->cursor < b->curve.count ? &b->curve.points[b->cursor] : NULL;
}

/* --- estimate --- */
bool lab_format_estimate(const struct lab *b, bool soft, double *seconds, char *out, size_t size)
{
	struct plan p;
	*out = 0;
	if (!lab_build_plan(b, soft, &p, NULL))
		return false;
	bool known = point_costs_estimate(&b->costs, &b->published, &p, seconds, out, size);
	plan_free(&p);
	return known;
}

/* --- published rows --- */
const struct validation_row *lab_published_row(const struct lab *b, int row)
{
	const struct validation_row *r = row < b->published.row_count ? &b->published.rows[row] : NULL;
	const struct measured_curve *c = &b->curve;
	return r && c->count && published_row_fits_arch(r->row, b->arch) &&
			overlay_row_fits(r, c->points[0].values, c->axis)
		? r
		: NULL;
}

const struct validation_row *lab_published_at_cursor(const struct lab *b, int metric)
{
	for (int i = 0; i < b->published.row_count && lab_cursor_point(b); i++) {
		const struct validation_row *r = lab_published_row(b, i);
		if (r && r->metric == metric &&
			overlay_row_x(r, b->curve.axis) == measured_curve_x(&b->curve, b->cursor))
			return r;
	}
	return NULL;
}

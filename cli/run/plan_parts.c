#include "cli/run/plan_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"

static struct plan_part *append_part(struct plan_parts *out, const struct plan *plan, int points)
{
	out->list = xrealloc(out->list, (size_t)(out->count + 1) * sizeof *out->list);
	struct plan_part *p = &out->list[out->count++];
	p->plan = *plan;
	p->point = xmalloc((size_t)points * sizeof *p->point);
	return p;
}

static void append_whole_plan(const struct plan *whole, struct plan_parts *out)
{
	int n = plan_point_count(whole);
	struct plan_part *p = append_part(out, whole, n);
	plan_copy(&p->plan, whole);
	for (int i = 0; i < n; i++)
		p->point[i] = i;
}

/* One part per combination of the slower axes, with the missing values of the fastest one. */
static void append_missing_of_row(
	const struct plan *whole, const bool *have, int first, int count, struct plan_parts *out)
{
	int missing = 0, used = 0;
	for (int i = 0; i < count; i++)
		missing += !have[first + i];
	if (!missing)
		return;
	struct plan_part *p = append_part(out, whole, missing);
	plan_point_values(whole, first, p->plan.fixed);
	p->plan.axis_count = whole->axis_count ? 1 : 0;
	for (int i = 0; i < count; i++)
		if (!have[first + i])
			p->point[used++] = first + i;
	if (!whole->axis_count)
		return;
	const struct plan_axis *fast = &whole->axes[whole->axis_count - 1];
	p->plan.axes[0] = (struct plan_axis){fast->param, xmalloc((size_t)missing * sizeof(double)), missing};
	for (int i = 0; i < missing; i++)
		p->plan.axes[0].values[i] = fast->values[p->point[i] - first];
}

void plan_parts_make(const struct plan *whole, const bool *have, struct plan_parts *out)
{
	int n = plan_point_count(whole), row = whole->axis_count ? whole->axes[whole->axis_count - 1].count : 1;
	bool any = false;
	*out = (struct plan_parts){0};
	for (int i = 0; i < n; i++)
		any = any || have[i];
	if (!any)
		append_whole_plan(whole, out);
	for (int first = 0; any && first < n; first += row)
		append_missing_of_row(whole, have, first, row, out);
}

void plan_parts_free(struct plan_parts *p)
{
	for (int i = 0; i < p->count; i++) {
		plan_free(&p->list[i].plan);
		free(p->list[i].point);
	}
	free(p->list);
	*p = (struct plan_parts){0};
}

/* --- sessions to resume --- */

static char *make_values_key(const double *values, int count)
{
	struct buf b = {0};
	char number[40];
	buf_puts(&b, "");
	for (int i = 0; i < count; i++)
		buf_printf(&b, "%s ", number_format_exact(number, sizeof number, values[i]));
	return b.data;
}

/* False if the value is missing or not one of the parameter's. */
static bool read_recorded_value(const struct param *p, const json_t *v, double *out)
{
	const char *name = json_string_value(v);
	*out = json_number_value(v);
	for (int i = 0; name && p->kind == PARAM_STEP_CHOICE && i < p->choice_count; i++)
		if (!strcmp(name, p->choices[i])) {
			*out = i;
			return true;
		}
	return json_is_number(v);
}

static bool read_recorded_values(const struct experiment *x, const json_t *point, double *values)
{
	const json_t *params = record_get_params(point);
	for (int i = 0; i < x->param_count; i++)
		if (!read_recorded_value(&x->params[i], json_object_get(params, x->params[i].id), &values[i]))
			return false;
	return true;
}

void measured_points_make(struct measured_points *m, const struct session *s, const struct experiment *x)
{
	double values[PARAMS_MAX];
	*m = (struct measured_points){.session = s, .params = x->param_count};
	for (size_t i = 0; i < s->points.count; i++) {
		const json_t *point = point_list_get(&s->points, i);
		if (point_is_ok(point) && read_recorded_values(x, point, values))
			point_index_add(&m->points, make_values_key(values, m->params), i);
	}
	point_index_sort(&m->points);
}

bool measured_points_find(const struct measured_points *m, const double *values, size_t *at)
{
	char *key = make_values_key(values, m->params);
	const struct point_key *found = point_index_find(&m->points, key);
	free(key);
	if (found)
		*at = found->at;
	return found != NULL;
}

void measured_points_free(struct measured_points *m)
{
	point_index_free(&m->points);
}

bool session_check_experiment(const struct session *s, const struct experiment *x, const char *path, struct err *e)
{
	const char *id = record_get_experiment(s->header);
	return !strcmp(id, x->id) ||
		err_set(e, ST_REQUEST,
			"%s is a session of '%s', not of %s; resume it with `wavedeck run %s --resume %s`", path, id,
			x->id, id, path);
}

/* --- recordings to replay --- */

static void append_recorded_axis(struct plan *p, const json_t *sweep)
{
	const json_t *list = json_object_get(sweep, "values");
	struct plan_axis a = {.param = -1};
	for (int i = 0; i < p->x->param_count; i++)
		if (!strcmp(p->x->params[i].id, record_get_text(sweep, "param")))
			a.param = i;
	for (int i = 0; i < p->axis_count; i++)
		if (p->axes[i].param == a.param)
			return;
	if (a.param < 0 || !json_array_size(list) || p->axis_count == PARAMS_MAX)
		return;
	a.values = xmalloc(json_array_size(list) * sizeof *a.values);
	for (size_t i = 0; i < json_array_size(list); i++)
		a.count += param_from_json(&p->x->params[a.param], json_array_get(list, i), &a.values[a.count], NULL);
	if (a.count && (double)a.count * plan_point_count(p) <= PLAN_POINTS_MAX)
		p->axes[p->axis_count++] = a;
	else
		free(a.values);
}

void plan_from_header(struct plan *p, const json_t *header)
{
	struct experiment *x = p->x;
	const json_t *sweep = header_get_sweep(header), *fixed = record_get_params(header);
	size_t i;
	json_t *v;
	plan_free(p);
	plan_init_default(p, x, json_is_true(json_object_get(header, "soft_defaults")),
		device_get_arch(header_get_device(header)));
	for (int k = 0; k < x->param_count; k++)
		p->given[k] =
			param_from_json(&x->params[k], json_object_get(fixed, x->params[k].id), &p->fixed[k], NULL);
	plan_free(p); /* removes the default sweep */
	p->sampling = sampling_from_header(header);
	if (json_is_object(sweep))
		append_recorded_axis(p, sweep);
	json_array_foreach(sweep, i, v) append_recorded_axis(p, v);
}

bool plan_apply_words(struct plan *p, const struct argument_list *words, struct err *e)
{
	for (int i = 1; i < words->count; i++) {
		const char *word = words->list[i];
		if (*word != '@' && !strchr(word, '='))
			return err_set(e, ST_REQUEST, "'%s' is not NAME=VALUE; write, for example, %s=...", word,
				p->x->param_count ? p->x->params[0].id : "size");
		if (!(*word == '@' ? plan_apply_preset(p, word, e) : plan_apply_argument(p, word, e)))
			return false;
	}
	return true;
}

/* The recording has times; the metrics are computed from them here. */
static void note_other_definition(const struct plan *p, const json_t *header, const char *path)
{
	json_t *now = plan_to_json(p);
	const json_t *was = header_get_definition(header);
	if (was && !record_values_equal(was, header_get_definition(now)))
		command_printf_error(
			"%s was recorded with another definition of %s; its metrics are computed with that here", path,
			p->x->id);
	json_decref(now);
}

bool plan_from_recording(struct plan *p, const char *path, struct err *e)
{
	struct session *s = session_load(path, e);
	const char *id = s ? record_get_experiment(s->header) : "";
	bool ok = s &&
		(!strcmp(id, p->x->id) ||
			err_set(e, ST_REQUEST,
				"%s is a session of '%s', not of %s; replay it with `wavedeck run %s --device replay:%s`",
				path, id, p->x->id, id, path));
	if (ok) {
		plan_from_header(p, s->header);
		note_other_definition(p, s->header, path);
	}
	session_free(s);
	return ok;
}

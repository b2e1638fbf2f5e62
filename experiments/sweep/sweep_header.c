/* Builds the session header of a sweep: provenance, what is measured, and the meaning of its columns. */
#include <stdio.h>
#include <string.h>

#include "base/host_clock.h"
#include "experiments/definition/definition.h"
#include "experiments/sweep/sweep.h"
#include "gpu/backends/backend.h"
#include "gpu/remote/build_identity.h"
#include "sessions/session.h"

/* File name and hash identify the definition without revealing the user's folders. That of a program has no file: a
 * session keeps its text, and so opens anywhere. */
static json_t *definition_json(const struct experiment *x)
{
	char hash[20], name[80];
	snprintf(hash, sizeof hash, "%016llx", (unsigned long long)x->lua->hash);
	snprintf(name, sizeof name, "%.63s.lua", x->id);
	return json_pack("{s:s, s:s, s:o*, s:s*}", "file", name, "hash", hash, "captured",
		x->lua->captured ? json_true() : NULL, "lua", x->lua->program ? x->lua->program->text : NULL);
}

static bool is_swept_param(const struct plan *p, int param)
{
	for (int i = 0; i < p->axis_count; i++)
		if (p->axes[i].param == param)
			return true;
	return false;
}

static json_t *fixed_json(const struct plan *p)
{
	json_t *o = json_object();
	for (int i = 0; i < p->x->param_count; i++)
		if (!is_swept_param(p, i))
			json_object_set_new(o, p->x->params[i].id, param_to_json(&p->x->params[i], p->fixed[i]));
	return o;
}

static json_t *axis_json(const struct plan *p, int axis)
{
	const struct plan_axis *a = &p->axes[axis];
	const struct param *of = &p->x->params[a->param];
	json_t *values = json_array();
	for (int i = 0; i < a->count; i++)
		json_array_append_new(values, param_to_json(of, a->values[i]));
	return json_pack("{s:s, s:o}", "param", of->id, "values", values);
}

/* A single axis as an object, several as a list with the fastest last. */
static void add_sweep(json_t *header, const struct plan *p)
{
	json_t *list = json_array();
	for (int i = 0; i < p->axis_count; i++)
		json_array_append_new(list, axis_json(p, i));
	if (p->axis_count == 1)
		json_object_set(header, "sweep", json_array_get(list, 0));
	else if (p->axis_count)
		json_object_set(header, "sweep", list);
	json_decref(list);
}

static json_t *units_json(const struct experiment *x)
{
	json_t *o = json_object();
	for (int i = 0; i < x->param_count; i++)
		json_object_set_new(o, x->params[i].id, json_string(x->params[i].unit));
	for (int i = 0; i < x->metric_count; i++)
		json_object_set_new(o, x->metrics[i].id, json_string(x->metrics[i].unit));
	return o;
}

static json_t *param_column(const struct param *p)
{
	json_t *o = json_pack("{s:s, s:s}", "id", p->id, "unit", p->unit);
	if (p->kind == PARAM_STEP_MULTIPLY)
		json_object_set_new(o, "log", json_true());
	if (p->means != PARAM_MEANS_NOTHING)
		json_object_set_new(o, "means", json_string(param_meaning_name(p->means)));
	if (p->kind == PARAM_STEP_CHOICE) {
		json_t *choices = json_array();
		for (int i = 0; i < p->choice_count; i++)
			json_array_append_new(choices, json_string(p->choices[i]));
		json_object_set_new(o, "choices", choices);
	}
	return o;
}

static json_t *metric_column(const struct metric *m)
{
	json_t *o = json_pack("{s:s, s:s, s:i}", "id", m->id, "unit", m->unit, "axis", m->axis);
	if (m->line)
		json_object_set_new(o, "line", json_true());
	if (m->log)
		json_object_set_new(o, "log", json_true());
	return o;
}

static json_t *columns_json(const struct plan *p)
{
	const struct experiment *x = p->x;
	json_t *params = json_array(), *metrics = json_array(), *counters = json_array();
	for (int i = 0; i < x->param_count; i++)
		json_array_append_new(params, param_column(&x->params[i]));
	for (int i = 0; i < x->metric_count; i++)
		json_array_append_new(metrics, metric_column(&x->metrics[i]));
	for (const char *const *name = p->counters; name && *name; name++)
		json_array_append_new(counters, json_string(*name));
	return json_pack("{s:o, s:o, s:o}", "params", params, "metrics", metrics, "counters", counters);
}

json_t *plan_to_json(const struct plan *p)
{
	json_t *h = json_pack("{s:o, s:o}", "definition", definition_json(p->x), "params", fixed_json(p));
	add_sweep(h, p);
	sampling_add_to_header(&p->sampling, h);
	return h;
}

json_t *sweep_build_header(const struct sweep *s, const json_t *device)
{
	return plan_build_header(sweep_plan(s), device);
}

json_t *plan_build_header(const struct plan *p, const json_t *device)
{
	const struct experiment *x = p->x;
	char when[UTC_TEXT];
	json_t *h = json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o}", "type", "session", "schema",
		SESSION_SCHEMA, "program", "wavedeck " WAVEDECK_VERSION, "time", now_utc(when), "experiment", x->id,
		"chapter", x->chapter, "title", x->title, "question", x->question, "source", x->source, "definition",
		definition_json(x));
	if (device) /* with versions and, on the software GPU, the constants of its model */
		json_object_set_new(h, "device", device_copy_for_session(device));
	if (device_record_can(device, DEVICE_SIMULATED)) /* another build may have other rules for times */
		json_object_set_new(h, "software_gpu", json_string(build_identity_of_softgpu()));
	json_object_set_new(h, "params", fixed_json(p));
	add_sweep(h, p);
	sampling_add_to_header(&p->sampling, h);
	json_object_set_new(h, "units", units_json(x));
	json_object_set_new(h, "columns", columns_json(p));
	json_object_set_new(h, "soft_defaults", json_boolean(p->soft_defaults));
	json_object_set_new(h, "verify", json_boolean(p->verify && x->verified));
	return h;
}

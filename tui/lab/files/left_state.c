#include "tui/lab/files/left_state.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/buf.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/record.h"
#include "sessions/session.h"
#include "tui/lab/lab.h"
#include "tui/lab/session_curve.h"

enum { STATE_SCHEMA = 1, STATE_BYTES_MAX = 64 << 20 /* pinned curves with profiles */ };

/* --- read --- */
static char *state_path(void)
{
	return path_user_data("workbench.json");
}

static bool is_current_schema(const json_t *state)
{
	return json_integer_value(json_object_get(state, "version")) == STATE_SCHEMA;
}

static json_t *parse_state(const char *path, const struct buf *text, struct err *e)
{
	json_error_t why;
	json_t *state = json_loadb(text->data, text->len, JSON_REJECT_DUPLICATES, &why);
	if (json_is_object(state) && is_current_schema(state))
		return state;
	err_set(e, ST_FAILED, "%s is %s; it is ignored, and written again on quit", path,
		!state ? "damaged" : "of another version of wavedeck");
	json_decref(state);
	return NULL;
}

json_t *left_state_read(struct err *e)
{
	char *path = state_path();
	const char *why;
	struct buf text = {0};
	json_t *state = NULL;
	e->text[0] = 0;
	errno = 0;
	if (input_file_read(path, STATE_BYTES_MAX, &text, &why))
		state = parse_state(path, &text, e);
	else if (errno != ENOENT)
		err_set(e, ST_FAILED, "cannot read %s: %s; it is ignored", path, why);
	buf_free(&text);
	free(path);
	return state;
}

const char *left_state_experiment(const json_t *state)
{
	return record_get_text(state, "shown");
}

const struct view *left_state_view(const json_t *state)
{
	for (int i = 1; views[i]; i++)
		if (!views[i]->is_page && !strcmp(views[i]->name, record_get_text(state, "view")))
			return views[i];
	return NULL;
}

/* --- restore --- */
/* What no longer fits the experiment keeps its default. */
static void restore_params(struct lab *b, const json_t *settings, bool soft)
{
	const json_t *values = json_object_get(settings, "values"), *ranges = json_object_get(settings, "ranges");
	int axis = experiment_find_param(b->x, record_get_text(settings, "axis"));
	for (int i = 0; i < b->x->param_count; i++) {
		const char *id = b->x->params[i].id, *range = record_get_text(ranges, id);
		param_from_json(&b->x->params[i], json_object_get(values, id), &b->values[i], NULL);
		if (*range)
			lab_set_range(b, i, range, soft, NULL);
	}
	b->axis = axis >= 0 ? axis : b->x->x;
}

static void restore_pin(struct lab *b, const json_t *pin)
{
	struct session s = {.header = json_object_get(pin, "header")};
	struct session_curve_reader reader;
	const json_t *points = json_object_get(pin, "points");
	if (!json_is_object(s.header) || strcmp(record_get_experiment(s.header), b->x->id))
		return;
	for (size_t i = 0; i < json_array_size(points); i++)
		point_list_add_record(&s.points, json_array_get(points, i));
	session_curve_start(&reader, b->x, &s);
	while (session_curve_continue(&reader, INT_MAX))
		;
	reader.curve.saved = json_is_true(json_object_get(pin, "saved"));
	lab_pin_curve(b, &reader.curve, record_get_text(pin, "label"));
	measured_curve_free(&reader.curve);
	point_list_free(&s.points);
}

static void restore_pins_of(struct lab *b, const json_t *state)
{
	const json_t *pins = json_object_get(json_object_get(state, "pins"), b->x->id);
	for (size_t i = 0; i < json_array_size(pins); i++)
		restore_pin(b, json_array_get(pins, i));
}

void left_state_restore_current(struct app *a, const json_t *state)
{
	struct lab *b = app_current_lab(a);
	if (!b)
		return;
	restore_params(b, json_object_get(state, "settings"), a->soft);
	restore_pins_of(b, state);
}

void left_state_restore_others(struct app *a, const json_t *state)
{
	for (int i = 0; i < a->lab_count; i++)
		if (i != a->current && !a->labs[i].pin_count)
			restore_pins_of(&a->labs[i], state);
}

/* --- write --- */
static json_t *params_json(const struct lab *b)
{
	json_t *values = json_object(), *ranges = json_object();
	for (int i = 0; i < b->x->param_count; i++) {
		const struct param *p = &b->x->params[i];
		json_object_set_new(values, p->id,
			p->kind == PARAM_STEP_CHOICE ? json_string(p->choices[(int)b->values[i]])
						     : json_real(b->values[i]));
		if (b->ranges[i][0])
			json_object_set_new(ranges, p->id, json_string(b->ranges[i]));
	}
	return json_pack("{s:o, s:o, s:s}", "values", values, "ranges", ranges, "axis",
		b->axis >= 0 ? b->x->params[b->axis].id : "");
}

static json_t *pins_json(const struct lab *b)
{
	json_t *list = json_array();
	for (int i = 0; i < b->pin_count; i++) {
		const struct measured_curve *c = &b->pins[i].curve;
		json_t *points = json_array();
		for (int k = 0; k < c->count; k++)
			if (c->points[k].record)
				json_array_append(points, c->points[k].record);
		if (c->header)
			json_array_append_new(list,
				json_pack("{s:s, s:O, s:o, s:b}", "label", b->pins[i].label, "header", c->header,
					"points", points, "saved", c->saved));
		else
			json_decref(points);
	}
	return list;
}

/* The user's own experiment by its path, which does not depend on the folder of the next start. */
static json_t *experiment_json(const struct lab *b)
{
	const struct experiment *x = b->original ? b->original : b->x;
	char *catalog = path_catalog(),
	     *path = strncmp(x->path, catalog, strlen(catalog)) ? realpath(x->path, NULL) : NULL;
	json_t *name = json_string(path ? path : x->id);
	free(path);
	free(catalog);
	return name;
}

static void print_state(FILE *out, const void *ctx)
{
	json_dumpf(ctx, out, JSON_COMPACT);
	fputs("\n", out);
}

bool left_state_write(const struct app *a, struct err *e)
{
	const struct lab *b = app_current_lab(a);
	if (!b)
		return true;
	const struct view *v = a->view->is_page ? a->below : a->view;
	json_t *pins = json_object();
	for (int i = 0; i < a->lab_count; i++)
		if (a->labs[i].pin_count)
			json_object_set_new(pins, a->labs[i].x->id, pins_json(&a->labs[i]));
	json_t *state = json_pack("{s:i, s:o, s:s, s:o, s:o}", "version", STATE_SCHEMA, "shown", experiment_json(b),
		"view", v ? v->name : "", "settings", params_json(b), "pins", pins);
	char *folder = path_user_data(""), *path = state_path();
	bool ok = path_make_directories(folder, e) && file_write_atomic(path, print_state, state, "", e);
	free(path);
	free(folder);
	json_decref(state);
	return ok;
}

/* Parameter values: parsing, range checks, stepping and formatting. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "experiments/definition/definition.h"

int experiment_find_param(const struct experiment *x, const char *id)
{
	for (int i = 0; i < x->param_count; i++)
		if (!strcmp(x->params[i].id, id))
			return i;
	return -1;
}

int experiment_find_metric(const struct experiment *x, const char *id)
{
	for (int i = 0; i < x->metric_count; i++)
		if (!strcmp(x->metrics[i].id, id))
			return i;
	return -1;
}

static bool set_unknown_choice(const struct param *p, const char *text, struct err *e)
{
	const char *names[CHOICES_MAX];
	char all[256] = "";
	size_t used = 0;
	for (int i = 0; i < p->choice_count; i++) {
		names[i] = p->choices[i];
		int n = snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", p->choices[i]);
		used = n < 0 || used + (size_t)n >= sizeof all ? sizeof all - 1 : used + (size_t)n;
	}
	const char *near = find_nearest_name(text, names, p->choice_count);
	return err_set(e, ST_REQUEST, "%s: unknown choice '%.60s'; %s%s%s %s", p->id, text,
		near ? "did you mean '" : "choose one of", near ? near : "", near ? "'? Choices:" : "", all);
}

static bool parse_choice(const struct param *p, const char *text, double *out, struct err *e)
{
	for (int i = 0; i < p->choice_count; i++)
		if (!strcmp(p->choices[i], text)) {
			*out = i;
			return true;
		}
	return set_unknown_choice(p, text, e);
}

bool param_parse_number(const struct param *p, const char *text, double *out, struct err *e)
{
	return units_parse(text, p->unit, out, NULL) || units_parse(text, param_unit(p), out, e);
}

bool param_parse(const struct param *p, const char *text, double *out, struct err *e)
{
	struct err why;
	double v;
	if (p->kind == PARAM_STEP_CHOICE)
		return parse_choice(p, text, out, e);
	if (strstr(text, "..") || strchr(text, ','))
		return err_set(
			e, ST_REQUEST, "%s: expected a single value, not the range or list '%.60s'", p->id, text);
	if (!param_parse_number(p, text, &v, &why))
		return err_set(e, ST_REQUEST, "%s: %s", p->id, why.text);
	if (v < p->low || v > p->high) {
		char low[40], high[40];
		return err_set(e, ST_REQUEST, "%s = %.60s is out of range; choose from %s to %s", p->id, text,
			param_format(p, p->low, low, sizeof low), param_format(p, p->high, high, sizeof high));
	}
	if (p->whole && v != floor(v))
		return err_set(e, ST_REQUEST, "%s = %.60s is not a whole number; write for example %.0f", p->id, text,
			floor(v));
	*out = v;
	return true;
}

bool param_from_json(const struct param *p, const json_t *v, double *out, struct err *e)
{
	char number[40];
	double n = json_number_value(v);
	if (json_is_string(v))
		return param_parse(p, json_string_value(v), out, e);
	if (!json_is_number(v))
		return err_set(
			e, ST_REQUEST, "%s: expected a %s", p->id, p->kind == PARAM_STEP_CHOICE ? "name" : "number");
	if (p->kind != PARAM_STEP_CHOICE)
		return param_parse(p, number_format_exact(number, sizeof number, n), out, e);
	if (!(n >= 0 && n < p->choice_count) || n != floor(n))
		return err_set(e, ST_REQUEST, "%s: the index is out of range; it has %d choices, counted from 0", p->id,
			p->choice_count);
	*out = n;
	return true;
}

bool params_from_json(const struct experiment *x, const json_t *params, double *values)
{
	for (int i = 0; i < x->param_count; i++)
		if (!param_from_json(&x->params[i], json_object_get(params, x->params[i].id), &values[i], NULL))
			return false;
	return true;
}

static double clamp_to_param(const struct param *p, double v)
{
	return v < p->low ? p->low : v > p->high ? p->high : v;
}

/* Doubling goes from 0 to 1, and halving from 1 to 0, so that a range like 0, 1, 2, 4 ... works in both directions. */
static double scale_by_step(const struct param *p, double v, bool up)
{
	double next = up ? (v <= 0 ? 1 : v * p->step) : v / p->step;
	if (p->whole && next != floor(next))
		next = up ? ceil(next) : floor(next);
	return next;
}

double param_step_value(const struct param *p, double value, int steps)
{
	if (p->kind != PARAM_STEP_MULTIPLY)
		return clamp_to_param(p, value + steps * p->step);
	for (int left = steps < 0 ? -steps : steps; left; left--)
		value = clamp_to_param(p, scale_by_step(p, value, steps > 0));
	return clamp_to_param(p, value);
}

char *param_format(const struct param *p, double value, char *out, size_t size)
{
	if (p->kind == PARAM_STEP_CHOICE) {
		int i = value >= 0 && value < p->choice_count ? (int)value : 0;
		snprintf(out, size, "%s", p->choices[i]);
		return out;
	}
	return units_format(out, size, value, param_unit(p), 6);
}

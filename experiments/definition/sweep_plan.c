#include "experiments/definition/words/experiment_words.h"
#include "experiments/definition/sweep_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "experiments/definition/default_values.h"

/* --- values of an axis --- */
static bool append_axis_value(struct plan_axis *a, double v)
{
	if (a->count == PLAN_POINTS_MAX)
		return false;
	if ((a->count & (a->count - 1)) == 0)
		a->values = xrealloc(a->values, (size_t)(a->count ? 2 * a->count : 1) * sizeof *a->values);
	a->values[a->count++] = v;
	return true;
}

static bool fill_axis_adding(struct plan_axis *a, double low, double high, double step)
{
	double last = floor((high - low) / step + 1e-9);
	for (double i = 0; i <= last; i++)
		if (!append_axis_value(a, low + i * step))
			return false;
	return true;
}

static bool fill_axis_multiplying(struct plan_axis *a, double low, double high, double factor, bool whole)
{
	for (double exact = low; exact <= high * (1 + 1e-12);) {
		double v = whole ? floor(exact + 0.5) : exact;
		if ((!a->count || a->values[a->count - 1] != v) && !append_axis_value(a, v))
			return false;
		exact = exact <= 0 ? 1 : exact * factor;
	}
	return true;
}

static bool fill_axis(
	struct plan_axis *a, const struct param *p, double low, double high, enum param_step_kind kind, double step)
{
	return kind == PARAM_STEP_MULTIPLY ? fill_axis_multiplying(a, low, high, step, p->whole)
					   : fill_axis_adding(a, low, high, step);
}

/* --- the default --- */
static void add_axis(struct plan *p, struct plan_axis axis)
{
	p->axes[p->axis_count++] = axis;
}

struct plan_axis plan_make_default_axis(const struct experiment *x)
{
	const struct param *p = &x->params[x->x];
	struct plan_axis a = {.param = x->x};
	for (int i = 0; i < p->sweep_list_count; i++)
		append_axis_value(&a, p->sweep_list[i]);
	if (!p->sweep_list_count)
		fill_axis(&a, p, p->sweep_low, p->sweep_high, p->kind, p->step);
	return a;
}

void plan_init_default(struct plan *p, struct experiment *x, bool soft, const char *arch)
{
	experiment_use_words(x, arch);
	plan_init_values(p, x, soft, arch);
}

void plan_init_values(struct plan *p, struct experiment *x, bool soft, const char *arch)
{
	*p = (struct plan){.x = x, .soft_defaults = soft, .verify = true};
	snprintf(p->arch, sizeof p->arch, "%s", arch);
	experiment_default_values(x, soft, arch, p->fixed);
	if (x->x < 0)
		return;
	experiment_update_sweep(x, p->fixed, NULL);
	add_axis(p, plan_make_default_axis(x));
	p->default_axis = true;
}

void plan_copy(struct plan *to, const struct plan *from)
{
	*to = *from;
	for (int i = 0; i < from->axis_count; i++) {
		size_t bytes = (size_t)from->axes[i].count * sizeof(double);
		to->axes[i].values = xmalloc(bytes);
		memcpy(to->axes[i].values, from->axes[i].values, bytes);
	}
}

void plan_free(struct plan *p)
{
	for (int i = 0; i < p->axis_count; i++)
		free(p->axes[i].values);
	p->axis_count = 0;
	p->default_axis = false;
}

/* --- arguments --- */
void plan_drop_axis(struct plan *p, int at)
{
	free(p->axes[at].values);
	p->default_axis = p->default_axis && at > 0;
	p->axis_count--;
	memmove(&p->axes[at], &p->axes[at + 1], (size_t)(p->axis_count - at) * sizeof *p->axes);
}

char *plan_format_point(const struct plan *p, int point, char *out, size_t size)
{
	double values[PARAMS_MAX];
	size_t n = 0;
	*out = 0;
	plan_point_values(p, point, values);
	for (int i = 0; i < p->axis_count && n < size; i++) {
		char text[80];
		const struct param *param = &p->x->params[p->axes[i].param];
		n += (size_t)snprintf(out + n, size - n, "%s%s=%s", i ? ", " : "", param->id,
			param_format(param, values[p->axes[i].param], text, sizeof text));
	}
	return out;
}

int plan_find_axis(const struct plan *p, int param)
{
	for (int i = 0; i < p->axis_count; i++)
		if (p->axes[i].param == param)
			return i;
	return -1;
}

static void replace_axis(struct plan *p, struct plan_axis axis)
{
	if (!p->own_axes && p->axis_count)
		plan_drop_axis(p, 0);
	p->own_axes = true;
	int at = plan_find_axis(p, axis.param);
	if (at >= 0)
		plan_drop_axis(p, at);
	add_axis(p, axis);
}

static void set_fixed_param(struct plan *p, int param, double value)
{
	int at = plan_find_axis(p, param);
	if (at >= 0)
		plan_drop_axis(p, at);
	p->fixed[param] = value;
	p->given[param] = true;
}

static char *copy_trimmed(const char *text, size_t len)
{
	while (len && (*text == ' ' || *text == '\t'))
		text++, len--;
	while (len && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		len--;
	char *s = xmalloc(len + 1);
	memcpy(s, text, len);
	s[len] = 0;
	return s;
}

static bool parse_trimmed_value(const struct param *p, const char *text, size_t len, double *out, struct err *e)
{
	char *part = copy_trimmed(text, len);
	bool ok = *part ? param_parse(p, part, out, e)
			: err_set(e, ST_REQUEST, "%s: missing value; write for example %s=%s", p->id, p->id,
				  p->kind == PARAM_STEP_CHOICE ? p->choices[0] : "64");
	free(part);
	return ok;
}

/* ":x2" or ":+16" after a range; the step may have the parameter's unit. */
static bool parse_range_step(
	const struct param *p, const char *text, enum param_step_kind *kind, double *step, struct err *e)
{
	struct err why;
	*kind = *text == 'x' ? PARAM_STEP_MULTIPLY : PARAM_STEP_ADD;
	if (*text != 'x' && *text != '+')
		return err_set(
			e, ST_REQUEST, "%s: invalid step '%.40s'; write :x2 to double or :+16 to add", p->id, text);
	if (!(*kind == PARAM_STEP_MULTIPLY ? units_parse(text + 1, "", step, &why)
					   : param_parse_number(p, text + 1, step, &why)))
		return err_set(e, ST_REQUEST, "%s: invalid step: %s", p->id, why.text);
	if (*kind == PARAM_STEP_MULTIPLY && *step < 1.001)
		return err_set(e, ST_REQUEST,
			"%s: the factor %.40s is too small to reach the end; write for example :x2", p->id, text + 1);
	if (*kind == PARAM_STEP_ADD && *step <= 0)
		return err_set(e, ST_REQUEST, "%s: the step %.40s never reaches the end; write for example :+16", p->id,
			text + 1);
	if (*kind == PARAM_STEP_ADD && p->whole && *step != floor(*step))
		return err_set(e, ST_REQUEST, "%s takes whole numbers, so the step cannot be %.40s", p->id, text + 1);
	return true;
}

static bool parse_range_values(
	const struct param *p, const char *text, const char *dots, struct plan_axis *a, struct err *e)
{
	enum param_step_kind kind = p->kind;
	double low, high, step = p->step;
	const char *colon = strchr(dots, ':');
	const char *end = colon ? colon : dots + strlen(dots);
	if (p->kind == PARAM_STEP_CHOICE)
		return err_set(e, ST_REQUEST, "%s takes names, not a range; write for example %s=%s,%s", p->id, p->id,
			p->choices[0], p->choices[p->choice_count - 1]);
	if (!parse_trimmed_value(p, text, (size_t)(dots - text), &low, e) ||
		!parse_trimmed_value(p, dots + 2, (size_t)(end - dots - 2), &high, e))
		return false;
	if (low > high)
		return err_set(
			e, ST_REQUEST, "%s: the range %.80s is reversed; write the lower end first", p->id, text);
	if (colon && !parse_range_step(p, colon + 1, &kind, &step, e))
		return false;
	return fill_axis(a, p, low, high, kind, step) ||
		err_set(e, ST_REQUEST, "%s: %.80s has more than %d points; use a larger step", p->id, text,
			PLAN_POINTS_MAX);
}

static bool parse_list_values(const struct param *p, const char *text, struct plan_axis *a, struct err *e)
{
	for (const char *from = text;; from++) {
		size_t len = strcspn(from, ",");
		double v;
		if (!parse_trimmed_value(p, from, len, &v, e))
			return false;
		if (!append_axis_value(a, v))
			return err_set(e, ST_REQUEST, "%s: the list has more than %d values", p->id, PLAN_POINTS_MAX);
		from += len;
		if (!*from)
			return true;
	}
}

static int find_named_param(const struct plan *p, const char *argument, size_t len, struct err *e)
{
	const char *names[PARAMS_MAX];
	char *name = copy_trimmed(argument, len);
	int at = experiment_find_param(p->x, name);
	for (int i = 0; i < p->x->param_count; i++)
		names[i] = p->x->params[i].id;
	if (at < 0) {
		const char *near = find_nearest_name(name, names, p->x->param_count);
		err_set(e, ST_REQUEST, "%s: unknown parameter '%.60s'; %s%s%s`wavedeck show %s` lists them", p->x->id,
			name, near ? "did you mean '" : "", near ? near : "", near ? "'? " : "", p->x->id);
	}
	free(name);
	return at;
}

/* The product of all axes must stay within PLAN_POINTS_MAX, too. */
static bool check_point_limit(const struct plan *p, const struct plan_axis *a, struct err *e)
{
	double points = a->count;
	for (int i = p->own_axes ? 0 : p->axis_count; i < p->axis_count; i++)
		if (p->axes[i].param != a->param)
			points *= p->axes[i].count;
	if (points <= PLAN_POINTS_MAX)
		return true;
	return err_set(
		e, ST_REQUEST, "the sweep has %.0f points, more than %d; sweep fewer values", points, PLAN_POINTS_MAX);
}

static bool set_swept_param(struct plan *p, int param, const char *text, const char *dots, struct err *e)
{
	const struct param *of = &p->x->params[param];
	struct plan_axis a = {.param = param};
	if ((dots ? parse_range_values(of, text, dots, &a, e) : parse_list_values(of, text, &a, e)) &&
		check_point_limit(p, &a, e)) {
		replace_axis(p, a);
		return true;
	}
	free(a.values);
	return false;
}

bool plan_apply_argument(struct plan *p, const char *argument, struct err *e)
{
	const char *equals = strchr(argument, '=');
	if (!equals || equals == argument)
		return err_set(e, ST_REQUEST,
			"not a parameter setting: '%.80s'; write NAME=VALUE, NAME=A..B or NAME=a,b,c", argument);
	int param = find_named_param(p, argument, (size_t)(equals - argument), e);
	if (param < 0)
		return false;
	const char *text = equals + 1, *dots = strstr(text, "..");
	if (dots || strchr(text, ','))
		return set_swept_param(p, param, text, dots, e);
	double value;
	if (!parse_trimmed_value(&p->x->params[param], text, strlen(text), &value, e))
		return false;
	set_fixed_param(p, param, value);
	return true;
}

/* --- points --- */
void plan_limit_points(struct plan *p, int values)
{
	for (int k = 0; k < p->axis_count; k++) {
		struct plan_axis *a = &p->axes[k];
		int from = a->count, to = from < values ? from : values;
		for (int i = 1; i < to; i++)
			a->values[i] = a->values[i * (from - 1) / (to - 1)];
		a->count = to;
	}
}

int plan_point_count(const struct plan *p)
{
	int points = 1;
	for (int i = 0; i < p->axis_count; i++)
		points *= p->axes[i].count;
	return points;
}

void plan_point_values(const struct plan *p, int point, double *values)
{
	memcpy(values, p->fixed, (size_t)p->x->param_count * sizeof *values);
	for (int i = p->axis_count - 1; i >= 0; i--) {
		const struct plan_axis *a = &p->axes[i];
		values[a->param] = a->values[point % a->count];
		point /= a->count;
	}
}

#include "experiments/course/lesson_axes.h"
#include "experiments/course/lesson_fact.h"
#include "gpu/protocol/header_record.h"

#include <math.h>
#include <string.h>

const char *lesson_command_x(const struct lesson_command *c)
{
	int metric = experiment_find_x_metric(c->x);
	const struct plan *p = &c->plan;
	if (!p->axis_count || p->axes[p->axis_count - 1].count < 2)
		return NULL;
	return metric >= 0 ? c->x->metrics[metric].id : c->x->params[p->axes[p->axis_count - 1].param].id;
}

static bool check_step_axes(const struct lesson_step *s, const struct lesson_command *c, struct err *e)
{
	const char *x = lesson_command_x(c);
	int metric = experiment_find_metric(c->x, s->metric);
	if (c->verb != LESSON_RUN_EXPERIMENT || !x)
		return err_set(e, ST_REQUEST, "'%s' measures a single point; sweep a parameter", s->command);
	if (strcmp(x, s->x))
		return err_set(e, ST_REQUEST, "the question is about '%s', but '%s' sweeps '%s'", s->x, s->command, x);
	if (metric < 0)
		return err_set(e, ST_REQUEST, "%s: unknown metric '%s'", c->x->id, s->metric);
	return !c->x->metrics[metric].line ||
		err_set(e, ST_REQUEST, "'%s' of %s is a limit, not a measurement", s->metric, c->x->id);
}

bool lesson_step_check(const struct lesson *l, int step, struct catalog *c, struct err *e)
{
	const struct lesson_step *s = lesson_find_step(l, step);
	struct lesson_command command;
	if (!s)
		return err_set(e, ST_REQUEST, "unknown step %d", step);
	if (!lesson_command_read(s->command, c, true, "", &command, e))
		return false;
	bool ok = check_step_axes(s, &command, e);
	lesson_command_free(&command);
	return ok;
}

double lesson_find_largest_value(const struct lesson *l, int step)
{
	const struct lesson_step *s = lesson_find_step(l, step);
	double largest = 0;
	for (int i = 0; s && i < l->fact_count; i++) {
		const struct lesson_fact *f = &l->facts[i];
		if (f->step == step && !f->says && !f->over && !strcmp(f->quantity, s->metric))
			largest = fmax(largest, f->high);
	}
	return largest;
}

void header_keep_metric(json_t *header, const char *metric)
{
	json_t *m;
	size_t i;
	json_array_foreach(json_object_get(header_get_columns(header), "metrics"), i, m)
	{
		const char *id = json_string_value(json_object_get(m, "id"));
		bool asked = id && !strcmp(id, metric),
		     stays = json_is_true(json_object_get(m, "line")) ||
			json_integer_value(json_object_get(m, "axis")) == METRIC_X;
		if (!stays || asked)
			json_object_set_new(m, "axis", json_integer(asked ? 0 : -1));
	}
}

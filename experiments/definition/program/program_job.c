#include "experiments/definition/program/program_job.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "experiments/definition/point/point_job.h"
#include "experiments/definition/program/argument_words.h"

struct point_values {
	const struct experiment *x;
	const double *values;
	char text[40];
};

static const char *format_value(void *ctx, const char *name)
{
	struct point_values *p = ctx;
	int i = experiment_find_param(p->x, name);
	if (i < 0)
		return NULL;
	const struct param *param = &p->x->params[i];
	if (param->kind == PARAM_STEP_CHOICE)
		return param->choices[(int)p->values[i]];
	return number_format_exact(p->text, sizeof p->text, p->values[i]);
}

static json_t *words_json(const struct argument_words *w, const struct experiment *x, const double *values)
{
	struct point_values p = {.x = x, .values = values};
	json_t *list = json_array();
	json_array_append_new(list, json_string(x->lua->program->file));
	for (int i = 0; i < w->count; i++) {
		char *word = placeholders_fill(w->list[i], format_value, &p);
		json_array_append_new(list, json_string(word));
		free(word);
	}
	return list;
}

bool definition_add_program(json_t *job, const struct experiment *x, const double *values, struct err *e)
{
	struct argument_words w;
	struct err why;
	if (!argument_words_split(x->lua->program->args, &w, &why))
		return definition_set_field_error(x, "program.args", e, "%s", why.text);
	json_object_set_new(job, "program",
		json_pack("{s:o, s:s}", "words", words_json(&w, x, values), "kernel", x->lua->program->kernel));
	argument_words_free(&w);
	return true;
}

#include "experiments/analysis/code_variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/paths.h"

struct experiment *variant_load_edited(struct experiment *x, struct err *e)
{
	char *name = xasprintf("edited/%s/%s.lua", x->id, x->id), *path = path_user_data(name);
	struct experiment *copy = x->catalog && !access(path, R_OK) ? catalog_find(x->catalog, path, e) : NULL;
	free(name);
	free(path);
	return copy;
}

/* Sets the first parameter that has this choice; false if none has. */
static bool set_choice(const struct experiment *x, const char *word, double *values)
{
	for (int i = 0; i < x->param_count; i++)
		for (int c = 0; c < x->params[i].choice_count; c++)
			if (!strcmp(x->params[i].choices[c], word)) {
				values[i] = c;
				return true;
			}
	return false;
}

bool variant_apply_word(const struct experiment *x, const char *word, double *values, struct err *e)
{
	const char *equals = strchr(word, '=');
	char name[sizeof x->params[0].id];
	if (!equals && set_choice(x, word, values))
		return true;
	snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - word) : 0, word);
	int i = equals ? experiment_find_param(x, name) : -1;
	if (i < 0)
		return err_set(e, ST_REQUEST, "%s: unknown %s '%s'; `wavedeck show %s` lists its parameters", x->id,
			equals ? "parameter setting" : "choice", word, x->id);
	return param_parse(&x->params[i], equals + 1, &values[i], e);
}

#include "experiments/definition/words/experiment_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/vendor/vendor_words.h"

/* As the definition has them. */
struct experiment_texts {
	char title[sizeof((struct experiment *)0)->title], question[sizeof((struct experiment *)0)->question];
	char params[PARAMS_MAX][sizeof((struct param *)0)->help];
	char metrics[METRICS_MAX][sizeof((struct metric *)0)->help];
	char presets[PRESETS_MAX][sizeof((struct preset *)0)->help];
};

static struct experiment_texts *copy_texts(const struct experiment *x)
{
	struct experiment_texts *t = xcalloc(1, sizeof *t);
	memcpy(t->title, x->title, sizeof t->title);
	memcpy(t->question, x->question, sizeof t->question);
	for (int i = 0; i < x->param_count; i++)
		memcpy(t->params[i], x->params[i].help, sizeof t->params[i]);
	for (int i = 0; i < x->metric_count; i++)
		memcpy(t->metrics[i], x->metrics[i].help, sizeof t->metrics[i]);
	for (int i = 0; i < x->preset_count; i++)
		memcpy(t->presets[i], x->presets[i].help, sizeof t->presets[i]);
	return t;
}

static void restore_texts(struct experiment *x, const struct experiment_texts *t)
{
	memcpy(x->title, t->title, sizeof t->title);
	memcpy(x->question, t->question, sizeof t->question);
	for (int i = 0; i < x->param_count; i++)
		memcpy(x->params[i].help, t->params[i], sizeof t->params[i]);
	for (int i = 0; i < x->metric_count; i++)
		memcpy(x->metrics[i].help, t->metrics[i], sizeof t->metrics[i]);
	for (int i = 0; i < x->preset_count; i++)
		memcpy(x->presets[i].help, t->presets[i], sizeof t->presets[i]);
}

static void mark_units(struct experiment *x, bool nvidia)
{
	for (int i = 0; i < x->param_count; i++)
		x->params[i].for_nvidia = nvidia;
	for (int i = 0; i < x->metric_count; i++)
		x->metrics[i].for_nvidia = nvidia;
}

const char *param_unit(const struct param *p)
{
	return vendor_unit(p->for_nvidia ? "sm" : "", p->unit);
}

const char *metric_unit(const struct metric *m)
{
	return vendor_unit(m->for_nvidia ? "sm" : "", m->unit);
}

static void replace_words(struct experiment *x, const char *arch)
{
	vendor_words_apply(arch, x->title, sizeof x->title);
	vendor_words_apply(arch, x->question, sizeof x->question);
	for (int i = 0; i < x->param_count; i++)
		vendor_words_apply(arch, x->params[i].help, sizeof x->params[i].help);
	for (int i = 0; i < x->metric_count; i++)
		vendor_words_apply(arch, x->metrics[i].help, sizeof x->metrics[i].help);
	for (int i = 0; i < x->preset_count; i++)
		vendor_words_apply(arch, x->presets[i].help, sizeof x->presets[i].help);
}

void experiment_use_words(struct experiment *x, const char *arch)
{
	bool nvidia = vendor_is_nvidia(arch);
	if (nvidia == (x->own_texts != NULL))
		return;
	mark_units(x, nvidia);
	if (nvidia) {
		x->own_texts = copy_texts(x);
		replace_words(x, arch);
		return;
	}
	restore_texts(x, x->own_texts);
	free(x->own_texts);
	x->own_texts = NULL;
}

/* List the models, and describe a model's constants as the files in softgpu/models do. */
#include <stdio.h>
#include <stdlib.h>

#include "softgpu/core/model_config.h"
#include "softgpu/driver/interpose/strbuf.h"
#include "softgpu/probe.h"

static void append_constants(const struct model *m, struct strbuf *t)
{
	size_t count = model_constants(m, NULL, 0);
	struct model_constant *list = calloc(count, sizeof *list);

	if (!list)
		return;
	model_constants(m, list, count);
	for (size_t i = 0; i < count; i++)
		strbuf_printf(t, "%s\t%lld\t%s\t%lld\t%lld\t%s%s%s%s\t%s\n", list[i].name, (long long)list[i].value,
			list[i].unit, (long long)list[i].low, (long long)list[i].high, list[i].borrowed ? "as " : "",
			list[i].borrowed ? list[i].borrowed : "", list[i].borrowed ? ": " : "", list[i].source,
			list[i].help);
	free(list);
}

static size_t copy_text_out(struct strbuf *t, char *out, size_t size)
{
	size_t length = t->length;

	if (size)
		snprintf(out, size, "%s", t->data ? t->data : "");
	strbuf_free(t);
	return length;
}

__attribute__((visibility("default"))) size_t softgpu_describe(const char *model, char *out, size_t size)
{
	struct model m;
	struct strbuf t = {0};
	char why[256];

	if (!model_parse(&m, model, why, sizeof why))
		return 0;
	append_constants(&m, &t);
	return copy_text_out(&t, out, size);
}

__attribute__((visibility("default"))) size_t softgpu_models(char *out, size_t size)
{
	struct strbuf t = {0};

	const struct gpu_model *model;
	for (size_t i = 0; (model = model_at(i)); i++)
		strbuf_printf(&t, "%s\t%s\t%s\n", model->name, model->target->name, model->marketing);
	return copy_text_out(&t, out, size);
}

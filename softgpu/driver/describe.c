/* A model's constants with what model.def says about them, for a person who wants to know what can be changed. */
#include <stdio.h>
#include <stdlib.h>

#include "softgpu/core/model.h"
#include "softgpu/driver/text.h"
#include "softgpu/probe.h"

static void describe(const struct model *m, struct text *t)
{
	size_t count = model_constants(m, NULL, 0);
	struct model_constant *list = calloc(count, sizeof *list);

	if (!list)
		return;
	model_constants(m, list, count);
	for (size_t i = 0; i < count; i++)
		text_printf(t, "%s\t%lld\t%s\t%lld\t%lld\t%s%s\t%s\n", list[i].name, (long long)list[i].value, list[i].unit, (long long)list[i].low,
		            (long long)list[i].high, list[i].borrowed ? "as mi25: " : "", list[i].source, list[i].help);
	free(list);
}

__attribute__((visibility("default"))) size_t softgpu_describe(const char *model, char *out, size_t size)
{
	struct model m;
	struct text t = { 0 };
	char why[256];

	if (!model_parse(&m, model, why, sizeof why))
		return 0;
	describe(&m, &t);
	size_t length = t.length;
	if (size)
		snprintf(out, size, "%s", t.data ? t.data : "");
	text_free(&t);
	return length;
}

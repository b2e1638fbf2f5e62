#include "captures/captured_constants.h"

#include <stdlib.h>
#include <string.h>

#include "captures/lua_text.h"
#include "gpu/softgpu-link/model_table.h"

static const char *const turned[] = {
#define CONSTANT(name) #name,
#include "captures/turned_constants.def"
#undef CONSTANT
};
enum { TURNED = sizeof turned / sizeof *turned };

struct constant {
	const char *name, *unit, *help;
	long long value, low, high;
};

/* In the order of the table; those that the model lacks have no name. The caller frees the text that it returns. */
static char *read_constants(const char *model, struct constant out[TURNED], long long *engines)
{
	char *text = softgpu_read_model_table(model, NULL), *save = NULL;
	memset(out, 0, TURNED * sizeof *out);
	*engines = 1;
	for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line; line = strtok_r(NULL, "\n", &save)) {
		char *f[CONSTANT_FIELDS];
		softgpu_split_constant(line, f);
		if (!strcmp(f[CONSTANT_NAME], "shader_engines") && atoll(f[CONSTANT_VALUE]) > 0)
			*engines = atoll(f[CONSTANT_VALUE]);
		for (int i = 0; i < TURNED; i++)
			if (!strcmp(f[CONSTANT_NAME], turned[i]))
				out[i] = (struct constant){turned[i], f[CONSTANT_UNIT], f[CONSTANT_HELP],
					atoll(f[CONSTANT_VALUE]), atoll(f[CONSTANT_LOW]), atoll(f[CONSTANT_HIGH])};
	}
	return text;
}

void captured_constants_put_params(struct buf *b, const char *model)
{
	struct constant list[TURNED];
	long long engines;
	char *text = read_constants(model, list, &engines);
	for (int i = 0; i < TURNED; i++) {
		const struct constant *c = &list[i];
		if (!c->name)
			continue;
		bool units = !strcmp(c->name, "compute_units");
		long long low = units ? engines : c->low;
		buf_printf(b, "    { \"%s\", unit = \"%s\", min = %lld, max = %lld, step = \"x2\", default = %lld, ",
			c->name, units ? "CUs" : c->unit, low, c->high, c->value);
		buf_puts(b, "help = ");
		lua_text_put(b, c->help, 110);
		buf_puts(b, " },\n");
	}
	free(text);
}

void captured_constants_put_changes(struct buf *b, const char *model)
{
	struct constant list[TURNED];
	long long engines;
	char *text = read_constants(model, list, &engines);
	for (int i = 0; i < TURNED; i++)
		if (list[i].name)
			buf_printf(b, "    if p.%s ~= %lld then changed.%s = p.%s end\n", list[i].name, list[i].value,
				list[i].name, list[i].name);
	free(text);
}

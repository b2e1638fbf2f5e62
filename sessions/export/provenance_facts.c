#include "sessions/export/provenance_facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "sessions/session.h"

static void append_fact(struct provenance_facts *f, char *name, char *value)
{
	f->list = xrealloc(f->list, (size_t)(f->count + 1) * sizeof *f->list);
	f->list[f->count++] = (struct provenance_fact){name, value};
}

/* "# name: value\n" */
static void append_fact_line(void *ctx, const char *line)
{
	const char *colon = strstr(line, ": ");
	if (colon && !strncmp(line, "# ", 2))
		append_fact(ctx, xasprintf("%.*s", (int)(colon - line - 2), line + 2),
			xasprintf("%.*s", (int)strcspn(colon + 2, "\n"), colon + 2));
}

void provenance_facts_make(const struct session_output *o, struct provenance_facts *out)
{
	*out = (struct provenance_facts){0};
	csv_write_provenance(o->header, append_fact_line, out);
	if (o->extras && *o->extras->sources)
		append_fact(out, xstrdup("published"), xstrdup(o->extras->sources));
}

void provenance_facts_free(struct provenance_facts *f)
{
	for (int i = 0; i < f->count; i++) {
		free(f->list[i].name);
		free(f->list[i].value);
	}
	free(f->list);
	*f = (struct provenance_facts){0};
}

const char *provenance_facts_find(const struct provenance_facts *f, const char *name)
{
	for (int i = 0; i < f->count; i++)
		if (!strcmp(f->list[i].name, name))
			return f->list[i].value;
	return "";
}

#include "sessions/load/fault_causes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "sessions/load/session_columns.h"

struct fault_cause *fault_causes_find(const struct fault_causes *f, const char *text)
{
	for (int i = 0; i < f->count; i++)
		if (!strcmp(f->list[i].text, text))
			return &f->list[i];
	return NULL;
}

static void add_cause(struct fault_causes *f, const char *text)
{
	struct fault_cause *known = fault_causes_find(f, text);
	f->points++;
	if (known) {
		known->points++;
		return;
	}
	if (f->count == FAULT_CAUSES_MAX)
		return;
	if (!f->list)
		f->list = xcalloc(FAULT_CAUSES_MAX, sizeof *f->list);
	snprintf(f->list[f->count].text, sizeof f->list->text, "%s", text);
	f->list[f->count++].points = 1;
}

void fault_causes_add(struct fault_causes *f, const json_t *point)
{
	char why[FAULT_TEXT];
	if (point_describe_fault(point, why, sizeof why))
		add_cause(f, why);
}

static bool is_fault_member(const struct record_member *m)
{
	static const struct {
		const char *name, *bad; /* NULL: the member itself is a fault */
	} faults[] = {{"verify", "\"failed\""}, {"contract", "\"broken\""}, {"metric_error", NULL}};
	for (size_t k = 0; k < sizeof faults / sizeof *faults; k++)
		if (text_span_is(m->name, faults[k].name))
			return !faults[k].bad || text_span_is(m->value, faults[k].bad);
	return false;
}

/* Whether the line shows that the point has no fault. A long session is not parsed for that. With an escape, names and
 * values may have other spellings. */
static bool is_sound_line(struct text_span line)
{
	bool ok = false;
	struct record_member m;
	if (!line.from || memchr(line.from, '\\', (size_t)(line.to - line.from)))
		return false;
	for (const char *at = line.from; record_next_member(&at, line.to, &m);) {
		if (is_fault_member(&m))
			return false;
		ok = ok || (text_span_is(m.name, "status") && text_span_is(m.value, "\"ok\""));
	}
	return ok;
}

void fault_causes_count(const struct point_list *points, struct fault_causes *out)
{
	*out = (struct fault_causes){0};
	for (size_t i = 0; i < points->count; i++) {
		const json_t *point = is_sound_line(point_list_get_line(points, i)) ? NULL : point_list_get(points, i);
		if (point)
			fault_causes_add(out, point);
	}
}

void fault_causes_free(struct fault_causes *f)
{
	free(f->list);
	*f = (struct fault_causes){0};
}

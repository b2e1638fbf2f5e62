#include "sessions/export/chart_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"

enum { VALUE_TEXT = 64 };
#define BETWEEN "\n" /* values, in their text */

static const char *format_param_text(const struct column *c, const json_t *point, char number[VALUE_TEXT])
{
	const char *name;
	struct reading r = column_param(c, point, &name);
	number[0] = 0;
	if (name)
		return name;
	if (r.valid && !strcmp(c->unit, "B"))
		units_format(number, VALUE_TEXT, r.value, "B", 6);
	else if (r.valid)
		number_format_exact(number, VALUE_TEXT, r.value);
	return number;
}

char *param_copy_text(const struct column *c, const json_t *point)
{
	char number[VALUE_TEXT];
	return xstrdup(format_param_text(c, point, number));
}

/* One line for each parameter; that of x is empty. */
static char *make_group_values(const struct session_columns *c, int x, const json_t *point)
{
	char number[VALUE_TEXT];
	struct buf b = {0};
	buf_puts(&b, "");
	for (int i = 0; i < c->param_count; i++) {
		buf_puts(&b, i == x ? "" : format_param_text(&c->params[i], point, number));
		buf_puts(&b, BETWEEN);
	}
	return b.data;
}

/* Notes which values differ from those of the first group. */
static void note_varying_values(struct chart_groups *g, const char *values)
{
	const char *first = g->list[0].values;
	for (int i = 0; *first && *values && i < COLUMNS_MAX; i++) {
		size_t n = strcspn(first, BETWEEN), m = strcspn(values, BETWEEN);
		g->varying[i] |= n != m || memcmp(first, values, n);
		first += n + 1;
		values += m + 1;
	}
}

size_t groups_place_point(struct chart_groups *g, const struct session_columns *c, int x, const json_t *point)
{
	char *values = make_group_values(c, x, point);
	size_t i = g->last;
	if (i >= g->count || strcmp(g->list[i].values, values))
		for (i = 0; i < g->count && strcmp(g->list[i].values, values);)
			i++;
	if (i == g->count) {
		if (g->count)
			note_varying_values(g, values);
		if (g->count < GROUPS_MAX) {
			g->list[g->count++] = (struct chart_group){values, NULL};
			values = NULL;
		}
	}
	free(values);
	return g->last = i;
}

static char *make_group_name(const struct chart_groups *g, const struct session_columns *c, int x, const char *values)
{
	struct buf b = {0};
	buf_puts(&b, "");
	for (int i = 0; i < c->param_count; i++) {
		int n = (int)strcspn(values, BETWEEN);
		if (i != x && g->varying[i])
			buf_printf(&b, "%s%s=%.*s", b.len ? " " : "", c->params[i].id, n, values);
		values += n + 1;
	}
	return b.data;
}

void groups_make_names(struct chart_groups *g, const struct session_columns *c, int x)
{
	for (size_t i = 0; i < g->count; i++)
		g->list[i].name = make_group_name(g, c, x, g->list[i].values);
}

size_t groups_add_named(struct chart_groups *g, const char *name)
{
	size_t i = 0;
	while (i < g->count && strcmp(g->list[i].name, name))
		i++;
	if (i == g->count && i < GROUPS_MAX)
		g->list[g->count++] = (struct chart_group){NULL, xstrdup(name)};
	return i;
}

void groups_free(struct chart_groups *g)
{
	for (size_t i = 0; i < g->count; i++) {
		free(g->list[i].values);
		free(g->list[i].name);
	}
	*g = (struct chart_groups){0};
}

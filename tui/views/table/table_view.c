#include "tui/views/table/table_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tui/lab/files/curve_files.h"
#include "tui/lab/lab.h"
#include "tui/shell/general_actions.h"
#include "tui/shell/shell.h"

void table_view_make(const struct app *a, struct point_table *out)
{
	const struct table_view *v = table_view_of(a);
	point_table_make(app_current_lab(a), v->sort, v->descending, out);
}

/* --- the view --- */
static void open_table(struct app *a)
{
	struct table_view *v = table_view_of(a);
	if (!v) {
		v = xcalloc(1, sizeof *v);
		app_set_view_state(a, &view_table, v);
		v->sort = -1;
	}
}

static void close_table(struct app *a)
{
	free(table_view_of(a));
	app_set_view_state(a, &view_table, NULL);
}

static char *copy_table(const struct app *a)
{
	struct point_table t;
	table_view_make(a, &t);
	char *text = point_table_copy_text(&t, app_current_lab(a));
	point_table_free(&t);
	return text;
}

static void export_table(struct app *a, const char *path)
{
	struct lab *b = app_current_lab(a);
	const char *dot = strrchr(path, '.');
	struct err e = {0};
	bool ok;
	if (dot && !strcmp(dot, ".csv") && b->curve.header) {
		struct point_table t;
		table_view_make(a, &t);
		ok = point_table_write_csv(&t, b, path, &e);
		point_table_free(&t);
	} else
		ok = curve_export(b, &b->curve, a->pin_view, path, &e);
	export_report(a, path, ok, &e);
}

static char *suggest_table_name(const struct app *a)
{
	const struct lab *b = app_current_lab(a);
	char *base = session_base_name(b->curve.header), *name = xasprintf("%s.csv", base);
	free(base);
	return name;
}

/* --- actions --- */
void act_table(struct app *a)
{
	app_show_view(a, &view_table);
}

void act_table_select_row(struct app *a, int by)
{
	struct lab *b = app_current_lab(a);
	struct point_table t;
	table_view_make(a, &t);
	int row = point_table_find_row(&t, b->cursor) + by;
	row = row >= t.rows ? t.rows - 1 : row;
	if (t.rows)
		b->cursor = t.order[row < 0 ? 0 : row];
	point_table_free(&t);
}

void act_table_page_down(struct app *a)
{
	act_table_select_row(a, a->height / 2);
}
void act_table_page_up(struct app *a)
{
	act_table_select_row(a, -a->height / 2);
}

void act_table_select_column(struct app *a, int by, const char *name)
{
	struct table_view *v = table_view_of(a);
	struct point_table t;
	table_view_make(a, &t);
	v->column += name ? 0 : by;
	for (int i = 0; name && i < t.column_count; i++)
		if (!strcmp(t.columns[i].head, name))
			v->column = i;
	v->column = v->column >= t.column_count ? t.column_count - 1 : v->column;
	v->column = v->column < 0 ? 0 : v->column;
	point_table_free(&t);
}

/* The argument names a column. */
void act_table_sort(struct app *a, const char *argument)
{
	struct table_view *v = table_view_of(a);
	if (argument)
		act_table_select_column(a, 0, argument);
	if (v->sort != v->column) {
		v->sort = v->column;
		v->descending = false;
	} else if (!v->descending)
		v->descending = true;
	else
		v->sort = -1;
}

static const struct action actions[] = {
#define ACTION ACTION_ROW
#include "tui/views/table/table_keys.def"
#undef ACTION
};

const struct view view_table = {
	.name = "table",
	.title = "Table of points",
	.actions = actions,
	.action_count = sizeof actions / sizeof *actions,
	.is_detail = true,
	.draw = table_view_draw,
	.open = open_table,
	.close = close_table,
	.export = export_table,
	.export_name = suggest_table_name,
	.copy = copy_table,
	.legend = table_view_add_legend,
};

/* Export format "table": the points in aligned columns. */
#include "base/buf.h"
#include "base/text_width.h"
#include "sessions/export/exporters.h"
#include "sessions/export/session_table.h"
#include "sessions/load/session_columns.h"
#include "sessions/session.h"

static void print_table_head(const struct session_output *o, const struct session_table *t, bool units)
{
	struct buf b = {0};
	for (int k = 0; k < t->count; k++) {
		const char *text = units ? t->list[k].unit : t->list[k].head;
		buf_printf(&b, "%s%*s%s", k ? "  " : "", t->list[k].width - text_width(text), "", text);
	}
	while (b.len && b.data[b.len - 1] == ' ')
		b.data[--b.len] = 0;
	fprintf(o->file, "%s\n", b.data);
	buf_free(&b);
}

/* "kernel=fma, formulas=printed": the parameters that differ between points. */
static void format_point_name(const struct session_table *t, const json_t *point, struct buf *out)
{
	char text[TABLE_CELL_WIDTH];
	buf_clear(out);
	for (int k = 0; k < t->count && t->list[k].param; k++) {
		session_table_format_cell(text, sizeof text, &t->list[k], point);
		buf_printf(out, "%s%s=%s", out->len ? ", " : "", t->list[k].param->id, text);
	}
}

static void print_point_verdicts(const struct session_output *o, const struct session_table *t)
{
	struct buf name = {0};
	for (size_t i = 0; i < o->count; i++) {
		const char *verdict = o->points[i] ? record_get_text(o->points[i], "verdict") : "";
		if (!*verdict || point_has_wrong_result(o->points[i]))
			continue;
		format_point_name(t, o->points[i], &name);
		fprintf(o->file, "%s%s%s\n", name.len ? name.data : "", name.len ? ": " : "", verdict);
	}
	buf_free(&name);
}

void table_export(const struct session_output *o)
{
	struct session_table t;
	char text[TABLE_CELL_WIDTH], note[400];
	session_table_make(o, o->ascii, &t);
	const char *title = record_get_text(o->header, "title"),
		   *device = record_get_text(json_object_get(o->header, "device"), "name");
	fprintf(o->file, "%s%s%s\n", *title ? title : record_get_text(o->header, "experiment"), *device ? "  -  " : "",
		device);
	if (*t.fixed)
		fprintf(o->file, "%s\n", t.fixed);
	print_table_head(o, &t, false);
	print_table_head(o, &t, true);
	for (size_t i = 0; i < o->count; i++) {
		if (!o->points[i])
			continue;
		for (int k = 0; k < t.count; k++) {
			session_table_format_cell(text, sizeof text, &t.list[k], o->points[i]);
			fprintf(o->file, "%s%*s", k ? "  " : "", t.list[k].width, text);
		}
		session_table_format_note(o->points[i], note, sizeof note);
		fprintf(o->file, "%s%s\n", *note ? "  " : "", note);
	}
	print_point_verdicts(o, &t);
	session_table_free(&t);
}

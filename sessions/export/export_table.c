/* Export format "table": the points in aligned columns. */
#include "base/buf.h"
#include "base/printable_text.h"
#include "base/text_width.h"
#include "sessions/export/exporters.h"
#include "sessions/export/session_table.h"
#include "sessions/load/session_columns.h"
#include "sessions/session.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"

static void print_table_head(const struct session_output *o, const struct session_table *t, bool units)
{
	struct buf b = {0};
	for (int k = 0; k < t->count; k++) {
		const char *text = units ? t->list[k].unit : t->list[k].head;
		buf_printf(&b, "%s%*s%s", k ? "  " : "", t->list[k].width - text_width(text), "", text);
	}
	while (b.len && b.data[b.len - 1] == ' ')
		b.data[--b.len] = 0;
	text_print_line(o->file, &b);
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
	struct buf name = {0}, line = {0};
	for (size_t i = 0; i < o->points->count; i++) {
		const json_t *point = point_list_get(o->points, i);
		const char *verdict = point_get_verdict(point);
		if (!*verdict || point_has_wrong_result(point))
			continue;
		format_point_name(t, point, &name);
		buf_printf(&line, "%s%s%s", name.len ? name.data : "", name.len ? ": " : "", verdict);
		text_print_line(o->file, &line);
	}
	buf_free(&name);
}

static void print_notes(const struct session_output *o)
{
	struct buf line = {0};
	for (size_t i = 0; session_output_note(o, i); i++) {
		buf_printf(&line, "note: %s", session_output_note(o, i));
		text_print_line(o->file, &line);
	}
	buf_free(&line);
}

void table_export(const struct session_output *o)
{
	struct session_table t;
	struct buf line = {0};
	char text[TABLE_CELL_WIDTH], note[FAULT_TEXT + 20];
	bool verdicts = false;
	session_table_make(o, o->ascii, &t);
	session_table_measure_widths(o, &t);
	const char *title = header_get_title(o->header), *device = device_get_name(header_get_device(o->header));
	buf_printf(&line, "%s%s%s", *title ? title : record_get_experiment(o->header), *device ? "  -  " : "", device);
	text_print_line(o->file, &line);
	buf_puts(&line, t.fixed);
	if (line.len)
		text_print_line(o->file, &line);
	print_notes(o);
	print_table_head(o, &t, false);
	print_table_head(o, &t, true);
	for (size_t i = 0; i < o->points->count; i++) {
		const json_t *point = point_list_get(o->points, i);
		if (!point)
			continue;
		for (int k = 0; k < t.count; k++) {
			session_table_format_cell(text, sizeof text, &t.list[k], point);
			buf_printf(&line, "%s%*s%s", k ? "  " : "", t.list[k].width - text_width(text), "", text);
		}
		verdicts = verdicts || *point_get_verdict(point);
		session_table_format_note(&t, point, note, sizeof note);
		buf_printf(&line, "%s%s", *note ? "  " : "", note);
		text_print_line(o->file, &line);
	}
	if (verdicts)
		print_point_verdicts(o, &t);
	session_table_free(&t);
	buf_free(&line);
}

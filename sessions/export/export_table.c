/* Export format "table": the points in aligned columns. */
#include <string.h>

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

/* The rows as text: each record is parsed once, and its cells wait until all widths are known. */
struct rows {
	struct buf text; /* of each point: a cell for each column, then the note, each with a NUL behind it */
	size_t count;
	bool verdicts; /* some point has one */
};

static void add_row_text(struct rows *r, const char *text)
{
	buf_add(&r->text, text, strlen(text) + 1);
}

static void format_row(struct session_table *t, const json_t *point, struct rows *r)
{
	char text[TABLE_CELL_WIDTH], note[FAULT_TEXT + 20];
	for (int k = 0; k < t->count; k++) {
		session_table_format_cell(text, sizeof text, &t->list[k], point);
		session_table_note_width(&t->list[k], text_width(text));
		add_row_text(r, text);
	}
	session_table_format_note(t, point, note, sizeof note);
	add_row_text(r, note);
	r->verdicts = r->verdicts || *point_get_verdict(point);
	r->count++;
}

static struct rows format_rows(const struct session_output *o, struct session_table *t)
{
	struct rows r = {0};
	session_table_count_faults(o, t);
	for (int k = 0; k < t->count; k++) {
		session_table_note_width(&t->list[k], text_width(t->list[k].head));
		session_table_note_width(&t->list[k], text_width(t->list[k].unit));
	}
	for (size_t i = 0; i < o->points->count; i++) {
		const json_t *point = point_list_get(o->points, i);
		if (point)
			format_row(t, point, &r);
	}
	return r;
}

static void print_rows(const struct session_output *o, const struct session_table *t, const struct rows *r)
{
	struct buf line = {0};
	const char *at = r->text.data;
	for (size_t i = 0; i < r->count; i++) {
		for (int k = 0; k < t->count; k++, at += strlen(at) + 1)
			buf_printf(&line, "%s%*s%s", k ? "  " : "", t->list[k].width - text_width(at), "", at);
		buf_printf(&line, "%s%s", *at ? "  " : "", at);
		at += strlen(at) + 1;
		text_print_line(o->file, &line);
	}
	buf_free(&line);
}

static void print_table_title(const struct session_output *o, const struct session_table *t)
{
	struct buf line = {0};
	const char *title = header_get_title(o->header), *device = device_get_name(header_get_device(o->header));
	buf_printf(&line, "%s%s%s", *title ? title : record_get_experiment(o->header), *device ? "  -  " : "", device);
	text_print_line(o->file, &line);
	buf_puts(&line, t->fixed);
	if (line.len)
		text_print_line(o->file, &line);
	buf_free(&line);
}

void table_export(const struct session_output *o)
{
	struct session_table t;
	session_table_make(o, o->ascii, &t);
	struct rows rows = format_rows(o, &t);
	print_table_title(o, &t);
	print_notes(o);
	print_table_head(o, &t, false);
	print_table_head(o, &t, true);
	print_rows(o, &t, &rows);
	if (rows.verdicts)
		print_point_verdicts(o, &t);
	buf_free(&rows.text);
	session_table_free(&t);
}

/* Export format "html": a report in one file, with its style and script inside. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "base/input_file.h"
#include "base/log.h"
#include "base/paths.h"
#include "plot/chart_svg.h"
#include "sessions/load/session_columns.h"
#include "sessions/export/exporters.h"
#include "sessions/export/html/what_if_bars.h"
#include "sessions/export/provenance_facts.h"
#include "sessions/export/session_table.h"
#include "sessions/export/svg_picture.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"

enum { SHARED_FILE_MAX = 1 << 20 };

/* Appends a file of share/. A report without its style or script is still useful, so a missing file is a warning. */
static void append_shared_file(
	struct buf *out, const char *what, const char *before, const char *name, const char *after)
{
	char *path = path_share(name);
	struct buf text = {0};
	const char *why;
	if (input_file_read(path, SHARED_FILE_MAX, &text, &why)) {
		buf_puts(out, before);
		buf_add(out, text.data, text.len);
		buf_puts(out, after);
	} else {
		log_printf(
			LOG_WARNING, "the report has no %s: cannot read %s: %s; reinstall wavedeck", what, path, why);
	}
	buf_free(&text);
	free(path);
}

static void append_element(struct buf *out, const char *open, const char *text, const char *close)
{
	if (!text || !*text)
		return;
	buf_puts(out, open);
	svg_append_escaped(out, text);
	buf_puts(out, close);
}

static void append_head(struct buf *out, const struct session_output *o)
{
	const char *title = header_get_title(o->header);
	buf_puts(out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"generator\" content=\"wavedeck " WAVEDECK_VERSION "\">\n");
	append_element(out, "<title>", *title ? title : "session", "</title>\n");
	append_shared_file(out, "style", "<style>\n", "report.css", "</style>\n");
	buf_puts(out, "</head>\n<body>\n");
}

static void append_device_line(struct buf *out, const json_t *device, const char *time)
{
	char when[UTC_TEXT];
	const char *parts[] = {device_get_name(device), device_get_arch(device), utc_format_for_people(when, time)};
	struct buf line = {0};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (*parts[i])
			buf_printf(&line, "%s%s", line.len ? ", " : "", parts[i]);
	append_element(out, "<p class=\"device\">", line.data, "</p>\n");
	buf_free(&line);
}

static void append_header(struct buf *out, const struct session_output *o, const struct session_table *t)
{
	const json_t *device = header_get_device(o->header);
	const char *title = header_get_title(o->header);
	buf_puts(out, "<header>\n");
	append_element(out, "<h1>", *title ? title : "session", "</h1>\n");
	append_device_line(out, device, record_get_text(o->header, "time"));
	append_element(out, "<p class=\"question\">", record_get_text(o->header, "question"), "</p>\n");
	append_element(out, "<p class=\"fixed\">", t->fixed, "</p>\n");
	buf_puts(out, "</header>\n");
}

static void append_figure(struct buf *out, const struct session_output *o, const struct provenance_facts *f)
{
	struct buf picture = {0};
	if (!svg_append_picture(&picture, o, false)) {
		buf_puts(out, "<p>This session has no points to draw.</p>\n");
		return;
	}
	buf_puts(out, "<figure>\n<div class=\"wide\">\n");
	buf_add(out, picture.data, picture.len);
	buf_puts(out,
		"</div>\n<figcaption>Marks are medians; bars are quartiles of the samples. A ring with an exclamation mark: not trusted; a cross on the axis: not measured.");
	append_element(out, " Published values: ", provenance_facts_find(f, "published"), ".");
	buf_puts(out, "</figcaption>\n</figure>\n");
	buf_free(&picture);
}

static void append_heatmap_figure(struct buf *out, const struct session_output *o)
{
	struct buf pictures = {0};
	if (svg_append_heatmaps(&pictures, o)) {
		buf_puts(out, "<section class=\"heatmaps\">\n<h2>Both parameters</h2>\n<div class=\"wide\">\n");
		buf_add(out, pictures.data, pictures.len);
		buf_puts(out, "</div>\n</section>\n");
	}
	buf_free(&pictures);
}

static void append_report_notes(struct buf *out, const struct session_output *o)
{
	if (!session_output_note(o, 0))
		return;
	buf_puts(out, "<section class=\"notes\">\n<h2>Notes</h2>\n<ul>\n");
	for (size_t i = 0; session_output_note(o, i); i++) {
		append_element(out, "<li>", session_output_note(o, i), "");
		char when[UTC_TEXT];
		utc_format_for_people(when, record_get_text(json_array_get(o->notes, i), "time"));
		append_element(out, " <small>", when, "</small>");
		buf_puts(out, "</li>\n");
	}
	buf_puts(out, "</ul>\n</section>\n");
}

static void append_point_row(struct buf *out, struct session_table *t, const json_t *point)
{
	char text[TABLE_CELL_WIDTH], note[FAULT_TEXT + 20];
	session_table_format_note(t, point, note, sizeof note);
	buf_puts(out, *note ? "<tr class=\"noted\">" : "<tr>");
	for (int k = 0; k < t->count; k++) {
		session_table_format_cell(text, sizeof text, &t->list[k], point);
		buf_puts(out, "<td>");
		svg_append_escaped(out, text);
		buf_puts(out, "</td>");
	}
	buf_puts(out, "<td class=\"note\">");
	svg_append_escaped(out, note);
	buf_puts(out, "</td></tr>\n");
}

static void append_verdict(struct buf *out, const char *text)
{
	buf_puts(out, out->len ? "" : "<section>\n<h2>Verdicts</h2>\n<ul>\n");
	append_element(out, "<li>", text, "</li>\n");
}

static void append_table_head(struct buf *out, const struct session_table *t)
{
	buf_puts(out, "<section>\n<h2>Points</h2>\n<div class=\"wide\"><table class=\"points\">\n<thead><tr>");
	for (int k = 0; k < t->count; k++) {
		append_element(out, "<th scope=\"col\">", t->list[k].head, "");
		append_element(out, "<br><small>", t->list[k].unit, "</small>");
		buf_puts(out, "</th>");
	}
	buf_puts(out, "<th scope=\"col\">note</th></tr></thead>\n<tbody>\n");
}

/* Verdicts come before the table; each record is read once. */
static void append_points(struct buf *out, const struct session_output *o, struct session_table *t)
{
	struct buf verdicts = {0}, table = {0};
	append_table_head(&table, t);
	for (size_t i = 0; i < o->points->count; i++) {
		const json_t *point = point_list_get(o->points, i);
		if (*point_get_verdict(point))
			append_verdict(&verdicts, point_get_verdict(point));
		if (point)
			append_point_row(&table, t, point);
	}
	if (verdicts.len) {
		buf_puts(&verdicts, "</ul>\n</section>\n");
		buf_add(out, verdicts.data, verdicts.len);
	}
	buf_add(out, table.data, table.len);
	buf_puts(out, "</tbody>\n</table></div>\n</section>\n");
	buf_free(&verdicts);
	buf_free(&table);
}

/* Long values, such as all constants of a model, are folded. */
static void append_provenance(struct buf *out, const struct provenance_facts *f)
{
	buf_puts(out, "<section>\n<h2>Provenance</h2>\n<table class=\"facts\">\n<tbody>\n");
	for (int i = 0; i < f->count; i++) {
		bool fold = strlen(f->list[i].value) > 400;
		append_element(out, "<tr><th scope=\"row\">", f->list[i].name, "</th><td>");
		buf_puts(out, fold ? "<details><summary>show</summary>" : "");
		svg_append_escaped(out, f->list[i].value);
		buf_puts(out, fold ? "</details></td></tr>\n" : "</td></tr>\n");
	}
	buf_puts(out, "</tbody>\n</table>\n</section>\n");
}

void html_export(const struct session_output *o)
{
	struct buf b = {0};
	struct session_table t;
	struct provenance_facts f;
	session_table_make(o, false, &t);
	provenance_facts_make(o, &f);
	append_head(&b, o);
	append_header(&b, o, &t);
	buf_puts(&b, "<main>\n");
	append_report_notes(&b, o);
	append_figure(&b, o, &f);
	append_heatmap_figure(&b, o);
	html_append_what_if(&b, o->what_if);
	append_points(&b, o, &t);
	append_provenance(&b, &f);
	buf_puts(&b, "</main>\n");
	append_shared_file(&b, "interactive curves", "<script>\n", "report.js", "</script>\n");
	buf_puts(&b, "</body>\n</html>\n");
	fwrite(b.data, 1, b.len, o->file);
	buf_free(&b);
	provenance_facts_free(&f);
	session_table_free(&t);
}

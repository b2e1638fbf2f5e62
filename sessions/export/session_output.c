#include "sessions/export/session_output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/atomic_file.h"
#include "plot/chart.h"
#include "sessions/load/session_columns.h"
#include "sessions/session.h"
#include "cli/cli_support.h"
#include "sessions/export/session_chart.h"
#include "sessions/export/export_gnuplot.h"
#include "sessions/export/export_html.h"
#include "sessions/export/export_svg.h"
#include "sessions/export/export_table.h"

static const char *const names[FORMAT_COUNT] = {"table", "csv", "json", "plot", "gnuplot", "svg", "html"};

bool output_format_parse(const char *text, unsigned allowed, enum output_format *out, struct err *e)
{
	struct buf list = {0};
	for (int i = 0; i < FORMAT_COUNT; i++) {
		if (!(allowed & 1u << i))
			continue;
		if (!strcmp(text, names[i])) {
			*out = (enum output_format)i;
			buf_free(&list);
			return true;
		}
		buf_printf(&list, "%s%s", list.len ? ", " : "", names[i]);
	}
	err_set(e, ST_REQUEST, "there is no format '%s' here; choose one of %s", text, list.data);
	buf_free(&list);
	return false;
}

/* --- CSV and JSON --- */

static void put_file(void *file, const char *text)
{
	fputs(text, file);
}

void csv_print_header(FILE *file, const json_t *header)
{
	csv_write_provenance(header, put_file, file);
	csv_write_header(header, put_file, file);
	fflush(file);
}

void csv_print_point(FILE *file, const json_t *header, size_t row, const json_t *point)
{
	csv_write_fault(point, row, put_file, file);
	csv_write_row(header, point, put_file, file);
	fflush(file);
}

static void print_csv(const struct session_output *o)
{
	csv_print_header(o->file, o->header);
	size_t row = 0;
	for (size_t i = 0; i < o->count; i++)
		if (o->points[i])
			csv_print_point(o->file, o->header, ++row, o->points[i]);
}

/* One object; a record a line inside it, so that people and diff can read it. */
static void print_json(const struct session_output *o)
{
	const char *comma = "";
	char *line = record_format_line(o->header);
	fprintf(o->file, "{\"header\":%.*s,\n\"points\":[", (int)strcspn(line, "\n"), line);
	free(line);
	for (size_t i = 0; i < o->count; i++) {
		if (!o->points[i])
			continue;
		line = record_format_line(o->points[i]);
		fprintf(o->file, "%s\n%.*s", comma, (int)strcspn(line, "\n"), line);
		free(line);
		comma = ",";
	}
	fprintf(o->file, "\n]}\n");
}

/* --- the table --- */

static void print_line(const struct session_output *o, const struct session_table *t, bool units)
{
	struct buf b = {0};
	for (int k = 0; k < t->count; k++)
		buf_printf(&b, "%s%*s", k ? "  " : "", t->list[k].width, units ? t->list[k].unit : t->list[k].head);
	while (b.len && b.data[b.len - 1] == ' ')
		b.data[--b.len] = 0;
	fprintf(o->file, "%s\n", b.data);
	buf_free(&b);
}

/* "kernel=fma, formulas=printed": what tells a point from the others. */
static void point_name(const struct session_table *t, const json_t *point, struct buf *out)
{
	char text[TABLE_CELL_WIDTH];
	buf_clear(out);
	for (int k = 0; k < t->count && t->list[k].param; k++) {
		session_table_format_cell(text, sizeof text, &t->list[k], point);
		buf_printf(out, "%s%s=%s", out->len ? ", " : "", t->list[k].param->id, text);
	}
}

static void print_verdicts(const struct session_output *o, const struct session_table *t)
{
	struct buf name = {0};
	for (size_t i = 0; i < o->count; i++) {
		const char *verdict = o->points[i] ? record_get_text(o->points[i], "verdict") : "";
		if (!*verdict || point_has_wrong_result(o->points[i]))
			continue;
		point_name(t, o->points[i], &name);
		fprintf(o->file, "%s%s%s\n", name.len ? name.data : "", name.len ? ": " : "", verdict);
	}
	buf_free(&name);
}

static void print_table(const struct session_output *o)
{
	struct session_table t;
	char text[TABLE_CELL_WIDTH], note[400];
	session_table_make(o, &t);
	const char *title = record_get_text(o->header, "title"),
		   *device = record_get_text(json_object_get(o->header, "device"), "name");
	fprintf(o->file, "%s%s%s\n", *title ? title : record_get_text(o->header, "experiment"), *device ? "  -  " : "",
		device);
	if (*t.fixed)
		fprintf(o->file, "%s\n", t.fixed);
	print_line(o, &t, false);
	print_line(o, &t, true);
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
	print_verdicts(o, &t);
	session_table_free(&t);
}

/* --- the plot --- */

static void print_plot(const struct session_output *o)
{
	struct session_chart *s = session_chart_new(o->header, o->points, o->count);
	if (!s) {
		print_table(o);
		return;
	}
	char sources[600];
	int rows = o->published ? session_chart_add_published(s, o->published, o->points, o->count) : 0;
	int width = isatty(fileno(o->file)) ? terminal_width(80) : 80;
	char *text = chart_render_text(session_chart_of(s), width > 160 ? 160 : width, 24, terminal_is_ascii());
	fputs(text, o->file);
	if (rows)
		fprintf(o->file, "  published: %d of %d rows, from %s\n", rows, o->published->row_count,
			overlay_format_sources(o->published, sources, sizeof sources));
	free(text);
	session_chart_free(s);
}

/* Exports are written over, as programs with -o do: another one is soon made. A recording is not. */
static bool holds_session(const char *path)
{
	struct stat st;
	json_t *header = !stat(path, &st) && S_ISREG(st.st_mode) ? session_read_header(path)
								 : NULL; /* looking into a pipe would wait */
	json_decref(header);
	return header;
}

static void print_into(FILE *file, const void *ctx)
{
	struct session_output to = *(const struct session_output *)ctx;
	to.file = file;
	session_output_print(&to);
}

bool session_output_write(const struct session_output *o, const char *path, struct err *e)
{
	if (holds_session(path))
		return err_set(
			e, ST_REQUEST, "%s holds a recorded session and is not written over; name another file", path);
	return file_write_atomic(path, print_into, o, "; name another file", e);
}

void session_output_print(const struct session_output *o)
{
	switch (o->format) {
	case FORMAT_TABLE: print_table(o); break;
	case FORMAT_CSV: print_csv(o); break;
	case FORMAT_JSON: print_json(o); break;
	case FORMAT_PLOT: print_plot(o); break;
	case FORMAT_GNUPLOT: gnuplot_export(o); break;
	case FORMAT_SVG: svg_export(o); break;
	case FORMAT_HTML: html_export(o); break;
	case FORMAT_COUNT: break;
	}
}

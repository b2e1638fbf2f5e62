#include "tui/command_output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/units.h"
#include "plot/chart.h"
#include "sessions/columns.h"
#include "sessions/session.h"
#include "tui/command.h"
#include "tui/command_chart.h"
#include "tui/command_gnuplot.h"

static const char *const names[FORMAT_COUNT] = { "table", "csv", "json", "plot", "gnuplot" };

bool format_parse(const char *text, unsigned allowed, enum format *out, struct err *e)
{
	struct buf list = {0};
	for (int i = 0; i < FORMAT_COUNT; i++) {
		if (!(allowed & 1u << i))
			continue;
		if (!strcmp(text, names[i])) {
			*out = (enum format)i;
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

static void put_file(void *file, const char *text) { fputs(text, file); }

void output_csv_start(FILE *file, const json_t *header)
{
	csv_provenance(header, put_file, file);
	csv_header(header, put_file, file);
	fflush(file);
}

void output_csv_row(FILE *file, const json_t *header, size_t row, const json_t *point)
{
	csv_fault(point, row, put_file, file);
	csv_row(header, point, put_file, file);
	fflush(file);
}

static void print_csv(const struct output *o)
{
	output_csv_start(o->file, o->header);
	size_t row = 0;
	for (size_t i = 0; i < o->count; i++)
		if (o->points[i])
			output_csv_row(o->file, o->header, ++row, o->points[i]);
}

/* One object; a record a line inside it, so that people and diff can read it. */
static void print_json(const struct output *o)
{
	const char *comma = "";
	char *line = record_line(o->header);
	fprintf(o->file, "{\"header\":%.*s,\n\"points\":[", (int)strcspn(line, "\n"), line);
	free(line);
	for (size_t i = 0; i < o->count; i++) {
		if (!o->points[i])
			continue;
		line = record_line(o->points[i]);
		fprintf(o->file, "%s\n%.*s", comma, (int)strcspn(line, "\n"), line);
		free(line);
		comma = ",";
	}
	fprintf(o->file, "\n]}\n");
}

/* --- the table --- */

enum { TEXT_MAX = 40 };

struct table_column { char head[48], unit[32]; const struct column *param, *metric; const char *clock; bool samples; int width; };
struct table { struct table_column list[3 * COLUMNS_MAX]; int count; };

static void metric_text(char *out, size_t size, double v)
{
	double a = fabs(v);
	if (v == floor(v) && a < 1e9)
		snprintf(out, size, "%.0f", v);
	else if (a >= 1e9 || (a > 0 && a < 0.001))
		snprintf(out, size, "%.4g", v);
	else
		snprintf(out, size, "%.*f", a >= 1000 ? 1 : a >= 100 ? 2 : a >= 1 ? 3 : 4, v);
}

static void reading_text(char *out, size_t size, struct reading r)
{
	if (r.valid)
		metric_text(out, size, r.value);
	else
		snprintf(out, size, "-");
}

static void param_text(char *out, size_t size, const struct column *c, const json_t *point)
{
	const char *name;
	struct reading r = column_param(c, point, &name);
	if (name)
		snprintf(out, size, "%s", name);
	else if (r.valid && !strcmp(c->unit, "B"))
		units_format(out, size, r.value, "B", 6);
	else if (r.valid)
		number_plain(out, size, r.value);
	else
		snprintf(out, size, "-");
}

static void cell_text(char *out, size_t size, const struct table_column *c, const json_t *point)
{
	if (c->param)
		param_text(out, size, c->param, point);
	else if (c->metric)
		reading_text(out, size, c->samples ? column_counter(c->metric, point) : column_metric(c->metric, point));
	else if (c->clock)
		reading_text(out, size, record_reading(point, c->clock));
	else
		snprintf(out, size, "%zu", json_array_size(json_object_get(point, "seconds")));
}

static void add_column(struct table *t, struct table_column c)
{
	if (t->count < (int)(sizeof t->list / sizeof *t->list))
		t->list[t->count++] = c;
}

static struct table_column titled(const char *head, const char *unit)
{
	struct table_column c = {0};
	snprintf(c.head, sizeof c.head, "%s", head);
	snprintf(c.unit, sizeof c.unit, "%s", unit);
	return c;
}

static bool is_constant(const struct output *o, const struct column *c)
{
	char first[TEXT_MAX] = "", text[TEXT_MAX];
	size_t seen = 0;
	for (size_t i = 0; i < o->count; i++) {
		if (!o->points[i])
			continue;
		param_text(text, sizeof text, c, o->points[i]);
		if (!seen++)
			memcpy(first, text, sizeof first);
		else if (strcmp(first, text))
			return false;
	}
	return true;
}

static bool is_swept(const struct columns *c, const char *id)
{
	for (int i = 0; i < c->swept_count; i++)
		if (!strcmp(c->swept[i], id))
			return true;
	return c->param_count == 1;
}

static const json_t *first_point(const struct output *o)
{
	for (size_t i = 0; i < o->count; i++)
		if (o->points[i])
			return o->points[i];
	return NULL;
}

/* Columns for what varies; what does not is said once, above the table. */
static void table_columns(const struct output *o, const struct columns *c, struct table *t, struct buf *fixed)
{
	static const struct { const char *id, *head, *unit; } clocks[] = {
		{ "sclk_mhz", "sclk", "MHz" }, { "mclk_mhz", "mclk", "MHz" }, { "temp_c", "temp", "C" }, { "power_w", "power", "W" },
	};
	const json_t *first = first_point(o);
	for (int i = 0; i < c->param_count; i++) {
		const struct column *p = &c->params[i];
		char text[TEXT_MAX];
		if (is_swept(c, p->id) || !is_constant(o, p)) {
			add_column(t, titled(p->id, strcmp(p->unit, "B") ? p->unit : ""));
			t->list[t->count - 1].param = p;
		} else if (first) {
			param_text(text, sizeof text, p, first);
			buf_printf(fixed, "%s%s = %s%s%s", fixed->len ? ", " : "", p->id, text, *p->unit && strcmp(p->unit, "B") ? " " : "",
			           strcmp(p->unit, "B") ? p->unit : "");
		}
	}
	for (int i = 0; i < c->metric_count; i++) {
		add_column(t, titled(c->metrics[i].id, c->metrics[i].unit));
		t->list[t->count - 1].metric = &c->metrics[i];
	}
	for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
		add_column(t, titled(clocks[i].head, clocks[i].unit));
		t->list[t->count - 1].clock = clocks[i].id;
	}
	add_column(t, titled("n", ""));
	for (int i = 0; i < c->counter_count; i++) {
		add_column(t, titled(c->counters[i].id, ""));
		t->list[t->count - 1].metric = &c->counters[i];
		t->list[t->count - 1].samples = true;
	}
}

static void widths(const struct output *o, struct table *t)
{
	char text[TEXT_MAX];
	for (int k = 0; k < t->count; k++) {
		struct table_column *c = &t->list[k];
		size_t widest = strlen(c->head) > strlen(c->unit) ? strlen(c->head) : strlen(c->unit);
		for (size_t i = 0; i < o->count; i++) {
			if (!o->points[i])
				continue;
			cell_text(text, sizeof text, c, o->points[i]);
			widest = strlen(text) > widest ? strlen(text) : widest;
		}
		c->width = (int)widest;
	}
}

/* Why a point is not to be trusted, or what a compiler said; "" when there is nothing to say. */
static void point_note(const json_t *p, char *out, size_t size)
{
	if (point_fault(p, out, size))
		return;
	if (json_is_true(json_object_get(p, "clocks_moved")))
		snprintf(out, size, "clock moved more than 2 %%");
	else if (*record_text(p, "compiler_text"))
		snprintf(out, size, "%s", record_text(p, "compiler_text"));
	else if (!strcmp(record_text(p, "verify"), "none") && json_array_size(json_object_get(p, "seconds")))
		snprintf(out, size, "not verified");
}

static void print_line(const struct output *o, const struct table *t, bool units)
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
static void point_name(const struct table *t, const json_t *point, struct buf *out)
{
	char text[TEXT_MAX];
	buf_clear(out);
	for (int k = 0; k < t->count && t->list[k].param; k++) {
		param_text(text, sizeof text, t->list[k].param, point);
		buf_printf(out, "%s%s=%s", out->len ? ", " : "", t->list[k].param->id, text);
	}
}

static void print_verdicts(const struct output *o, const struct table *t)
{
	struct buf name = {0};
	for (size_t i = 0; i < o->count; i++) {
		const char *verdict = o->points[i] ? record_text(o->points[i], "verdict") : "";
		if (!*verdict || point_wrong(o->points[i]))
			continue;
		point_name(t, o->points[i], &name);
		fprintf(o->file, "%s%s%s\n", name.len ? name.data : "", name.len ? ": " : "", verdict);
	}
	buf_free(&name);
}

static void print_table(const struct output *o)
{
	struct columns c;
	struct table t = {0};
	struct buf fixed = {0};
	char text[TEXT_MAX], note[400];
	columns_read(o->header, &c);
	table_columns(o, &c, &t, &fixed);
	widths(o, &t);
	const char *title = record_text(o->header, "title"), *device = record_text(json_object_get(o->header, "device"), "name");
	fprintf(o->file, "%s%s%s\n", *title ? title : record_text(o->header, "experiment"), *device ? "  -  " : "", device);
	if (fixed.len)
		fprintf(o->file, "%s\n", fixed.data);
	buf_free(&fixed);
	print_line(o, &t, false);
	print_line(o, &t, true);
	for (size_t i = 0; i < o->count; i++) {
		if (!o->points[i])
			continue;
		for (int k = 0; k < t.count; k++) {
			cell_text(text, sizeof text, &t.list[k], o->points[i]);
			fprintf(o->file, "%s%*s", k ? "  " : "", t.list[k].width, text);
		}
		point_note(o->points[i], note, sizeof note);
		fprintf(o->file, "%s%s\n", *note ? "  " : "", note);
	}
	print_verdicts(o, &t);
}

/* --- the plot --- */

static void print_plot(const struct output *o)
{
	struct session_chart *s = session_chart_new(o->header, o->points, o->count);
	if (!s) {
		print_table(o);
		return;
	}
	char sources[600];
	int rows = o->published ? session_chart_publish(s, o->published, o->points, o->count) : 0;
	int width = isatty(fileno(o->file)) ? terminal_width(80) : 80;
	char *text = chart_text(session_chart_get(s), width > 160 ? 160 : width, 24, output_is_ascii());
	fputs(text, o->file);
	if (rows)
		fprintf(o->file, "  published: %d of %d rows, from %s\n", rows, o->published->row_count, overlay_sources(o->published, sources, sizeof sources));
	free(text);
	session_chart_free(s);
}

void output_print(const struct output *o)
{
	switch (o->format) {
	case FORMAT_TABLE: print_table(o); break;
	case FORMAT_CSV: print_csv(o); break;
	case FORMAT_JSON: print_json(o); break;
	case FORMAT_PLOT: print_plot(o); break;
	case FORMAT_GNUPLOT: gnuplot_print(o->file, o->header, o->points, o->count); break;
	case FORMAT_COUNT: break;
	}
}

/* Export format "gnuplot": a script that contains its own data. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "plot/chart_columns.h"
#include "plot/plot_frame.h"
#include "sessions/export/csv_line.h"
#include "sessions/export/exporters.h"
#include "sessions/export/session_chart.h"
#include "sessions/session.h"

enum bar { BAR_QUARTILES, BAR_INTERVAL, BAR_COUNT };

static void put_script_line(void *file, const char *text)
{
	fputs(text, file);
}

/* In single quotes only the quote itself is special. */
static void write_quoted(FILE *file, const char *text)
{
	fputc('\'', file);
	for (; text && *text; text++)
		fputs(*text == '\'' ? "''" : (char[]){(unsigned char)*text < ' ' ? ' ' : *text, 0}, file);
	fputc('\'', file);
}

static bool series_has_bars(const struct series *s, enum bar bar)
{
	for (size_t k = 0; k < s->count; k++) {
		const struct chart_point *p = &s->points[k];
		if (p->valid && (bar == BAR_QUARTILES ? p->low < p->high : p->sure_low < p->sure_high))
			return true;
	}
	return false;
}

/* x, y, its quartiles, and the interval of the median in series that have any; an empty line for a missing point
 * interrupts the curve, as on the screen. */
static void write_data_block(FILE *file, size_t index, const struct series *s)
{
	bool sure = series_has_bars(s, BAR_INTERVAL);
	fprintf(file, "$series%zu << END\n", index);
	for (size_t i = 0; i < s->count; i++) {
		const struct chart_point *p = &s->points[i];
		const double columns[] = {p->x, p->y, p->low, p->high, p->sure_low, p->sure_high};
		char number[40];
		for (int k = 0; p->valid && k < (sure ? 6 : 4); k++)
			fprintf(file, "%s%s", k ? " " : "",
				k >= 4 && p->sure_low == p->sure_high
					? "NaN"
					: number_format_exact(number, sizeof number, columns[k]));
		fputc('\n', file);
	}
	fprintf(file, "END\n");
}

/* What else is known of each point's samples, as comments. */
static void write_marks(FILE *file, const struct session_chart *s, size_t points)
{
	char name[32];
	for (size_t i = 0; i < points; i++) {
		snprintf(name, sizeof name, "point %zu", i + 1);
		csv_put_comment(name, session_chart_marks(s, i), put_script_line, file);
	}
}

/* Untrusted points of one axis, drawn as rings around their marks; returns how many. */
static size_t write_suspect_block(FILE *file, const struct chart *c, enum axis axis)
{
	char x[40], y[40];
	size_t n = 0;
	for (size_t i = 0; i < c->series_count; i++)
		for (size_t k = 0; c->series[i].axis == axis && k < c->series[i].count; k++) {
			const struct chart_point *p = &c->series[i].points[k];
			if (!p->valid || !p->suspect)
				continue;
			if (!n++)
				fprintf(file, "$suspect%d << END\n", axis);
			fprintf(file, "%s %s\n", number_format_exact(x, sizeof x, p->x),
				number_format_exact(y, sizeof y, p->y));
		}
	if (n)
		fprintf(file, "END\n");
	return n;
}

static void write_label(FILE *file, const char *what, const char *text, const char *unit)
{
	char joined[256];
	snprintf(joined, sizeof joined, "%s%s%s", text, *text && *unit ? ", " : "", unit_display(unit, false));
	fprintf(file, "set %s ", what);
	write_quoted(file, joined);
	fputc('\n', file);
}

static bool series_has_points(const struct series *s)
{
	for (size_t k = 0; k < s->count; k++)
		if (s->points[k].valid)
			return true;
	return false;
}

/* gnuplot's point type for an ASCII mark. */
static int gnuplot_point_type(char mark)
{
	static const char marks[] = "+x*o#@%&";
	static const int types[] = {1, 2, 7, 6, 5, 13, 9, 11};
	const char *at = mark ? strchr(marks, mark) : NULL;
	return at ? types[at - marks] : 7;
}

/* "($1-0.2):2:(0.4) axes x1y1 with boxes": the bars of several series stand side by side. */
static void write_column_style(
	FILE *file, const struct chart *c, const struct series *s, const char *axis, size_t color)
{
	double left, right;
	column_find_span(c, s, 0, &left, &right);
	fprintf(file, "($1%+.3f):2:(%.3f) axes x1%s with boxes fill solid lc %zu", (left + right) / 2, right - left,
		axis, color);
}

#define JOIN ", \\\n     "

/* Drawn first: below the marks. */
static const char *write_bars(
	FILE *file, const char *before, const struct series *s, size_t index, const char *axis, bool *named)
{
	static const char *const columns[] = {"3:4", "5:6"}, *const looks[] = {"", " lw 3"},
				 *const names[] = {"quartiles", "95 % interval of the median"};
	for (int bar = 0; bar < BAR_COUNT; bar++) {
		if (s->style == STYLE_COLUMN || !series_has_bars(s, (enum bar)bar))
			continue;
		fprintf(file, "%s$series%zu using 1:2:%s axes x1%s with yerrorbars lc %zu pt 7 ps 0%s ", before, index,
			columns[bar], axis, index + 1, looks[bar]);
		fprintf(file, named[bar] ? "notitle" : "title '%s'", names[bar]);
		named[bar] = true;
		before = JOIN;
	}
	return before;
}

static void write_plot_command(FILE *file, const struct chart *c, const size_t suspects[AXIS_COUNT])
{
	static const char *const with[] = {
		[STYLE_CURVE] = "linespoints", [STYLE_POINTS] = "points", [STYLE_LINE] = "lines"};
	const char *before = "plot ";
	bool named[BAR_COUNT] = {false}; /* in the key */
	for (size_t i = 0; i < c->series_count; i++) {
		const struct series *s = &c->series[i];
		const char *axis = s->axis == AXIS_RIGHT ? "y2" : "y1";
		if (!series_has_points(s))
			continue; /* gnuplot stops at an empty block */
		before = write_bars(file, before, s, i, axis, named);
		fprintf(file, "%s$series%zu using ", before, i);
		if (s->style == STYLE_COLUMN)
			write_column_style(file, c, s, axis, i + 1);
		else
			fprintf(file, "1:2 axes x1%s with %s lc %zu pt %d%s", axis, with[s->style], i + 1,
				gnuplot_point_type(s->mark), s->axis == AXIS_RIGHT ? " dt 2" : "");
		fputs(" title ", file);
		char *title = xasprintf("%s%s%s%s", s->role == SERIES_PUBLISHED ? "published " : "", s->label,
			*s->unit ? ", " : "", unit_display(s->unit, false));
		write_quoted(file, title);
		free(title);
		before = JOIN;
	}
	for (int a = 0; a < AXIS_COUNT; a++)
		if (suspects[a])
			fprintf(file, "%s$suspect%d using 1:2 axes x1%s with points lc 'red' pt 6 ps 2.5 %s", before, a,
				a == AXIS_RIGHT ? "y2" : "y1",
				a == AXIS_RIGHT && suspects[AXIS_LEFT] ? "notitle" : "title 'not trusted'");
	fputc('\n', file);
}

/* The same ticks as on the screen. */
static void write_ticks(FILE *file, const char *axis, const struct axis_ticks *t)
{
	char value[40];
	fprintf(file, "set %stics%s (", axis, *axis == 'y' ? " nomirror" : "");
	for (size_t i = 0; i < t->count; i++) {
		fputs(i ? ", " : "", file);
		write_quoted(file, t->list[i].text);
		fprintf(file, " %s", number_format_exact(value, sizeof value, t->list[i].value));
	}
	fputs(")\n", file);
}

static void write_scale(FILE *file, const char *axis, const struct scale *s)
{
	char low[40], high[40];
	if (s->log2)
		fprintf(file, "set logscale %s 2\n", axis);
	fprintf(file, "set %srange [%s:%s]\n", axis, number_format_exact(low, sizeof low, s->low),
		number_format_exact(high, sizeof high, s->high));
}

static void write_axes(FILE *file, const struct chart *c)
{
	static const char *const names[AXIS_COUNT] = {"y", "y2"};
	struct plot_frame f = frame_layout(c, 900, 500, 12);
	write_scale(file, "x", &c->x);
	write_ticks(file, "x", &f.x);
	for (int a = 0; a < AXIS_COUNT; a++) {
		char what[16];
		if (!c->has_axis[a])
			continue;
		write_scale(file, names[a], &c->y[a]);
		write_ticks(file, names[a], &f.y[a]);
		snprintf(what, sizeof what, "%slabel", names[a]);
		write_label(file, what, "", chart_axis_unit(c, (enum axis)a));
	}
}

void gnuplot_export(const struct session_output *o)
{
	struct session_chart *s = session_chart_new(o->header, o->points, o->extras);
	csv_write_provenance(o->header, put_script_line, o->file);
	csv_put_notes(o, put_script_line, o->file);
	fputs("# show it: gnuplot -p FILE; write a picture: gnuplot -e \"set terminal pngcairo size 900,600; set output 'curve.png'\" FILE\n",
		o->file);
	if (!s) {
		fprintf(o->file, "print 'this session has no points to plot'\n");
		return;
	}
	const struct chart *c = session_chart_of(s);
	write_marks(o->file, s, o->points->count);
	size_t suspects[AXIS_COUNT];
	for (size_t i = 0; i < c->series_count; i++)
		write_data_block(o->file, i, &c->series[i]);
	for (int a = 0; a < AXIS_COUNT; a++)
		suspects[a] = write_suspect_block(o->file, c, (enum axis)a);
	fputs("set encoding utf8\nset termoption noenhanced\nset grid\nset key below\n", o->file);
	write_label(o->file, "title", c->title, "");
	write_label(o->file, "xlabel", c->x_label, strcmp(c->x_unit, "B") ? c->x_unit : "");
	write_axes(o->file, c);
	write_plot_command(o->file, c, suspects);
	session_chart_free(s);
}

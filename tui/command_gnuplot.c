#include "tui/command_gnuplot.h"

#include "base/units.h"
#include "sessions/session.h"
#include "tui/command_chart.h"

static void put_file(void *file, const char *text) { fputs(text, file); }

/* 'text' in gnuplot's single quotes: only the quote itself is special. */
static void quoted(FILE *file, const char *text)
{
	fputc('\'', file);
	for (; text && *text; text++)
		fputs(*text == '\'' ? "''" : (char[]){ (unsigned char)*text < ' ' ? ' ' : *text, 0 }, file);
	fputc('\'', file);
}

static void data_block(FILE *file, size_t index, const struct series *s)
{
	char x[40], y[40];
	fprintf(file, "$series%zu << END\n", index);
	for (size_t i = 0; i < s->count; i++)
		if (s->points[i].valid)
			fprintf(file, "%s %s\n", number_plain(x, sizeof x, s->points[i].x), number_plain(y, sizeof y, s->points[i].y));
	fprintf(file, "END\n");
}

static const char *unit_of(const struct chart *c, enum axis axis)
{
	for (size_t i = 0; i < c->series_count; i++)
		if (c->series[i].axis == axis)
			return c->series[i].unit;
	return "";
}

static void label(FILE *file, const char *what, const char *text, const char *unit)
{
	char joined[256];
	snprintf(joined, sizeof joined, "%s%s%s", text, *text && *unit ? ", " : "", unit);
	fprintf(file, "set %s ", what);
	quoted(file, joined);
	fputc('\n', file);
}

static bool has_valid(const struct series *s)
{
	for (size_t k = 0; k < s->count; k++)
		if (s->points[k].valid)
			return true;
	return false;
}

static void plot_series(FILE *file, const struct chart *c)
{
	const char *before = "plot ";
	for (size_t i = 0; i < c->series_count; i++) {
		const struct series *s = &c->series[i];
		if (!has_valid(s))
			continue; /* gnuplot stops at an empty block */
		fprintf(file, "%s$series%zu using 1:2 axes x1%s with linespoints title ", before, i, s->axis == AXIS_RIGHT ? "y2" : "y1");
		quoted(file, s->label);
		before = ", \\\n     ";
	}
	fputc('\n', file);
}

void gnuplot_print(FILE *file, const json_t *header, json_t *const *points, size_t count)
{
	struct session_chart *s = session_chart_new(header, points, count);
	csv_provenance(header, put_file, file);
	if (!s) {
		fprintf(file, "print 'this session has no points to plot'\n");
		return;
	}
	const struct chart *c = session_chart_get(s);
	for (size_t i = 0; i < c->series_count; i++)
		data_block(file, i, &c->series[i]);
	label(file, "title", c->title, "");
	label(file, "xlabel", c->x_label, c->x_unit);
	if (c->x.log2)
		fprintf(file, "set logscale x 2\n");
	if (c->y[AXIS_LEFT].log2 || c->y[AXIS_RIGHT].log2)
		fprintf(file, "set logscale y 2\nset logscale y2 2\n");
	if (c->has_axis[AXIS_LEFT])
		label(file, "ylabel", "", unit_of(c, AXIS_LEFT));
	if (c->has_axis[AXIS_RIGHT]) {
		label(file, "y2label", "", unit_of(c, AXIS_RIGHT));
		fprintf(file, "set ytics nomirror\nset y2tics\n");
	}
	plot_series(file, c);
	session_chart_free(s);
}

/* Draws the session view: the list, and below it the selected session's details or points, or the comparison. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "sessions/load/record_parse.h"
#include "tui/views/sessions/sessions_view.h"
#include "tui/shell/screen_draw.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"

enum { DETAIL_ROWS = 7, LIST_LEAST = 4, MARKS = 2, POINTS = 7, CURVES = 7, WIDE = 110 };

/* --- the list --- */
struct fields {
	int when, device, experiment, curves, points, quality;
}; /* columns; 0: hidden */

static struct fields fields_of(int width)
{
	int device = width >= WIDE ? 20 : width >= 70 ? 11 : 0, experiment = width >= WIDE ? 24 : width >= 60 ? 18 : 14;
	struct fields f = {.when = MARKS + 1};
	int x = f.when + (width >= WIDE ? 20 : 15);
	if (device)
		f.device = x;
	x += device;
	f.experiment = x;
	x += experiment;
	if (width >= 60) {
		f.curves = x;
		x += CURVES;
	}
	f.points = x;
	f.quality = x + POINTS + 1;
	return f;
}

/* Without the year on a narrow screen. */
static void when_text(const struct library_entry *e, bool year, char *out, size_t size)
{
	time_t when = e->when ? e->when : e->changed.tv_sec;
	struct tm local;
	if (!localtime_r(&when, &local) || !strftime(out, size, year ? "%Y-%m-%d %H:%M:%S" : "%m-%d %H:%M:%S", &local))
		snprintf(out, size, "?");
}

static void quality_text(const struct library_entry *e, char *out, size_t size)
{
	char text[160];
	if (!e->known)
		snprintf(out, size, "...");
	else
		snprintf(out, size, "%s%s%s%s", session_summary_format(&e->summary, text, sizeof text),
			e->sample ? ", sample" : "", e->summary.notes ? "; " : "",
			e->summary.notes ? e->summary.note : "");
}

static void draw_session_row(
	const struct app *a, struct area in, int y, const struct fields *f, const struct library_entry *e, bool chosen)
{
	const struct sessions_view *v = sessions_view_of(a);
	const json_t *device = header_get_device(e->summary.header);
	const char *id = device_get_id(device);
	char text[400], when[32];
	int role = chosen ? ROLE_SELECTED : ROLE_TEXT, mark = sessions_view_find_mark(v, e->path),
	    clean = e->known && session_summary_is_clean(&e->summary);
	for (int i = 0; chosen && i < in.r.w; i++)
		area_draw_text(in, i, y, role, " ");
	area_printf(in, 0, y, mark >= 0 ? ROLE_PINNED : role, "%c", mark >= 0 ? 'A' + mark : ' ');
	area_draw_text(in, 1, y, role, chosen ? glyph_text(a->ascii, GLYPH_SELECT) : " ");
	when_text(e, in.r.w >= WIDE, when, sizeof when);
	area_draw_fitted(in, f->when, y, 19, chosen ? role : ROLE_DIM, when);
	snprintf(text, sizeof text, "%.*s%s%s", (int)strcspn(id, ","), id, strchr(id, ',') ? "*" : "", *id ? "" : "?");
	if (f->device)
		area_draw_fitted(in, f->device, y, f->experiment - f->device - 1, role, text);
	area_draw_fitted(in, f->experiment, y, (f->curves ? f->curves : f->points) - f->experiment - 1, role,
		e->known && !e->summary.header ? e->name : record_get_experiment(e->summary.header));
	snprintf(text, sizeof text, "%zu", session_curve_count(e->summary.header));
	if (e->known && e->summary.header && f->curves)
		area_draw_right(in, f->curves + CURVES - 1, y, role, text);
	snprintf(text, sizeof text, "%zu", e->summary.points);
	if (e->known)
		area_draw_right(in, f->points + POINTS - 1, y, role, text);
	quality_text(e, text, sizeof text);
	area_draw_fitted(in, f->quality, y, in.r.w - f->quality,
		chosen              ? role
			: !e->known ? ROLE_DIM
			: clean     ? ROLE_OK
				    : ROLE_WARN,
		text);
	/* A click selects; on the selected row it acts as Enter. */
	struct mouse_region hit = {.click = chosen ? "session-open" : "session-down"};
	if (!chosen)
		snprintf(hit.argument, sizeof hit.argument, "%s", e->name);
	if (chosen || strlen(e->name) < sizeof hit.argument)
		area_add_hit(in, 0, y, in.r.w, 1, hit);
}

static void list_head(struct area in, const struct fields *f)
{
	area_draw_text(in, f->when, 0, ROLE_DIM, "when");
	if (f->device)
		area_draw_text(in, f->device, 0, ROLE_DIM, "device");
	area_draw_text(in, f->experiment, 0, ROLE_DIM, "experiment");
	if (f->curves)
		area_draw_right(in, f->curves + CURVES - 1, 0, ROLE_DIM, "curves");
	area_draw_right(in, f->points + POINTS - 1, 0, ROLE_DIM, "points");
	area_draw_text(in, f->quality, 0, ROLE_DIM, "quality");
}

static void view_list_of_sessions(const struct app *a, struct area at)
{
	const struct sessions_view *v = sessions_view_of(a);
	char text[160];
	size_t known = library_known_count(v->library), all = library_count(v->library);
	snprintf(text, sizeof text, "%s%s%sby %s, %d of %zu%s", v->filter[0] ? "/" : "", v->filter,
		v->filter[0] ? "  " : "", session_sort_name(v->sort), v->count ? v->at + 1 : 0, all,
		known < all ? ", reading" : "");
	area_draw_frame(at, v->pane == SHOW_DETAILS, "Sessions", text);
	struct area in = area_inner(at);
	struct fields f = fields_of(in.r.w);
	int rows = in.r.h - 1, first = list_first_visible_row(v->at, rows, v->count);
	list_head(in, &f);
	for (int i = 0; i < rows && first + i < v->count; i++)
		draw_session_row(a, in, 1 + i, &f, sessions_view_entry(v, first + i), first + i == v->at);
	if (!v->count)
		area_draw_text(in, 1, 1, ROLE_DIM,
			v->filter[0] ? "no session matches; press / to change the filter"
				     : "no sessions yet; press R in the workbench to record one");
}

/* --- details --- */
static void draw_fact(struct area in, int *y, const char *name, int role, const char *text)
{
	if (*y >= in.r.h || !*text)
		return;
	area_draw_text(in, 1, *y, ROLE_DIM, name);
	area_draw_fitted(in, 12, (*y)++, in.r.w - 13, role, text);
}

static void size_text(const struct library_entry *e, char *out, size_t size)
{
	char samples[40], bytes[40];
	units_format_short(samples, sizeof samples, (double)e->summary.samples, "");
	units_format(bytes, sizeof bytes, (double)e->bytes, "B", 3);
	snprintf(
		out, size, "%zu of %zu points, %s samples, %s", e->summary.points, e->summary.expected, samples, bytes);
}

static void params_text(const json_t *header, struct buf *out)
{
	struct session_columns c;
	const json_t *params = record_get_params(header);
	columns_read(header, &c);
	buf_puts(out, "");
	for (int i = 0; i < c.swept_count; i++)
		buf_printf(out, "%s%s swept", out->len ? ", " : "", c.swept[i]);
	for (int i = 0; i < c.param_count; i++) {
		const json_t *value = json_object_get(params, c.params[i].id);
		char number[64];
		if (json_is_string(value))
			buf_printf(out, "%s%s = %s", out->len ? ", " : "", c.params[i].id, json_string_value(value));
		else if (json_is_number(value))
			buf_printf(out, "%s%s = %s", out->len ? ", " : "", c.params[i].id,
				units_format(number, sizeof number, json_number_value(value), c.params[i].unit, 6));
	}
}

static void draw_session_details(const struct app *a, struct area at)
{
	const struct library_entry *e = sessions_view_selected(sessions_view_of(a));
	char text[400];
	int y = 0;
	char pace[48] = "playback all at once";
	if (a->replay_speed > 0)
		snprintf(pace, sizeof pace, "playback at %g x speed", a->replay_speed);
	area_draw_frame(at, false, e ? e->name : "Session", pace);
	struct area in = area_inner(at);
	if (!e || !e->known)
		return;
	const json_t *h = e->summary.header, *device = header_get_device(h);
	struct buf params = {0};
	params_text(h, &params);
	draw_fact(in, &y, "title", ROLE_TEXT, header_get_title(h));
	snprintf(text, sizeof text, "%s  %s %s", device_get_id(device), device_get_name(device),
		device_get_arch(device));
	draw_fact(in, &y, "device", ROLE_TEXT, h ? text : "");
	draw_fact(in, &y, "measured", ROLE_TEXT, params.data);
	struct sampling sampling = sampling_from_header(h);
	draw_fact(in, &y, "samples", ROLE_TEXT, sampling_format_words(&sampling, text, sizeof text));
	size_text(e, text, sizeof text);
	draw_fact(in, &y, "size", ROLE_TEXT, text);
	draw_fact(in, &y, "quality", session_summary_is_clean(&e->summary) ? ROLE_OK : ROLE_WARN,
		session_summary_format(&e->summary, text, sizeof text));
	draw_fact(in, &y, "note", ROLE_TEXT, e->summary.note);
	draw_fact(in, &y, "by", ROLE_DIM, record_get_text(h, "program"));
	buf_free(&params);
}

/* --- points --- */
enum { POINT_COLUMN = 12, POINT_SELECT = 2, POINT_HEADS = 2 };

struct point_column {
	const struct column *param, *metric;
	const char *head, *unit;
};
enum { POINT_COLUMNS = 2 * COLUMNS_MAX + 3 };

static bool is_swept(const struct session_columns *c, const char *id)
{
	for (int i = 0; i < c->swept_count; i++)
		if (!strcmp(c->swept[i], id))
			return true;
	return !c->swept_count;
}

/* The varied parameters, the metrics, the core clock, the number of samples and remarks. */
static int point_columns(const struct session_columns *c, struct point_column *out)
{
	int n = 0;
	for (int i = 0; i < c->param_count; i++)
		if (is_swept(c, c->params[i].id))
			out[n++] = (struct point_column){&c->params[i], NULL, c->params[i].id,
				strcmp(c->params[i].unit, "B") ? c->params[i].unit : ""};
	for (int i = 0; i < c->metric_count; i++)
		out[n++] = (struct point_column){NULL, &c->metrics[i], c->metrics[i].id, c->metrics[i].unit};
	out[n++] = (struct point_column){NULL, NULL, "sclk", "MHz"};
	out[n++] = (struct point_column){NULL, NULL, "samples", ""};
	return n;
}

static void point_cell(const struct point_column *c, const json_t *point, char *out, size_t size)
{
	const char *name = NULL;
	struct reading r = c->param ? column_param(c->param, point, &name)
		: c->metric         ? column_metric(c->metric, point)
		: *c->unit          ? record_get_reading(point, "sclk_mhz")
				    : (struct reading){true, (double)record_sample_count(point)};
	if (name)
		snprintf(out, size, "%s", name);
	else if (r.valid)
		units_format(out, size, r.value, c->param && !strcmp(c->param->unit, "B") ? "B" : "", 6);
	else
		snprintf(out, size, "--");
}

static void point_quality(const json_t *point, char *out, size_t size)
{
	const char *verify = point_get_verify(point);
	if (!point_describe_fault(point, out, size))
		snprintf(out, size, "%s",
			point_has_moved_clocks(point)  ? "clock moved"
				: strcmp(verify, "ok") ? "not verified"
						       : "ok");
}

/* Only visible points are parsed. */
static void point_row(const struct app *a, struct area in, int y, int i, const struct point_column *columns, int count)
{
	const struct sessions_view *v = sessions_view_of(a);
	json_t *point = session_scan_read_point(v->scan, (size_t)i);
	int role = i == v->point ? ROLE_SELECTED : ROLE_TEXT, x = POINT_SELECT;
	char text[200];
	area_draw_text(in, 0, y, ROLE_SELECTED, i == v->point ? glyph_text(a->ascii, GLYPH_SELECT) : " ");
	for (int k = 0; k < count; k++, x += POINT_COLUMN) {
		point_cell(&columns[k], point, text, sizeof text);
		area_draw_right(in, x + POINT_COLUMN - 2, y, role, text);
	}
	point_quality(point, text, sizeof text);
	area_draw_fitted(in, x, y, in.r.w - x, strcmp(text, "ok") ? ROLE_WARN : ROLE_OK, text);
	json_decref(point);
}

static void view_points(const struct app *a, struct area at)
{
	const struct sessions_view *v = sessions_view_of(a);
	struct point_column columns[POINT_COLUMNS];
	int count = sessions_view_row_count(v);
	char text[96];
	snprintf(text, sizeof text, "%d of %d%s", count ? v->point + 1 : 0, count, v->scanning ? ", reading" : "");
	area_draw_frame(at, true, "Points", text);
	struct area in = area_inner(at);
	if (!v->scan_header)
		return;
	int n = point_columns(&v->scan_columns, columns), room = (in.r.w - POINT_SELECT - 4) / POINT_COLUMN,
	    rows = in.r.h - POINT_HEADS;
	n = n < room ? n : room < 0 ? 0 : room;
	for (int k = 0; k < n; k++) {
		area_draw_right(in, POINT_SELECT + (k + 1) * POINT_COLUMN - 2, 0, ROLE_DIM, columns[k].head);
		area_draw_right(in, POINT_SELECT + (k + 1) * POINT_COLUMN - 2, 1, ROLE_DIM, columns[k].unit);
	}
	for (int i = 0, first = list_first_visible_row(v->point, rows, count); i < rows && first + i < count; i++)
		point_row(a, in, POINT_HEADS + i, first + i, columns, n);
}

/* --- comparison --- */
enum { NAME = 18, VALUE = 10, SPREAD = 16, RATIO = 16 /* with the verdict */ };

/* With quartiles where all columns have room. */
static int side_width(const struct session_comparison *c, int width)
{
	return NAME + c->count * (VALUE + SPREAD) + (c->count - 1) * RATIO <= width ? VALUE + SPREAD : VALUE;
}

/* For one swept parameter: its name above the column. */
static bool format_single_curve(const struct session_comparison *c)
{
	return c->sides[0].columns.swept_count == 1;
}

static void compare_value(struct area in, int x, int y, const struct compared_value *v, int width)
{
	char value[32], low[32], high[32], text[80];
	area_draw_right(in, x + VALUE - 1, y, ROLE_TEXT, reading_format(v->value, "", value, sizeof value));
	if (width == VALUE || !(v->low < v->high))
		return;
	snprintf(text, sizeof text, "%s..%s", units_format(low, sizeof low, v->low, "", 4),
		units_format(high, sizeof high, v->high, "", 4));
	area_draw_fitted(in, x + VALUE, y, SPREAD - 1, ROLE_DIM, text);
}

static void compare_row(const struct app *a, struct area in, int y, size_t row)
{
	const struct sessions_view *v = sessions_view_of(a);
	const struct session_comparison *c = &v->comparison;
	char *name = comparison_format_point(c, comparison_first_point(c, row));
	int x = NAME, width = side_width(&sessions_view_of(a)->comparison, in.r.w);
	area_draw_fitted(in, 1, y, NAME - 2, ROLE_TEXT, format_single_curve(c) ? strchr(name, '=') + 1 : name);
	free(name);
	for (int i = 0; i < c->count && x < in.r.w; i++) {
		struct compared_value at = comparison_value_at(c, row, v->metric, i);
		compare_value(in, x, y, &at, width);
		x += width;
		if (!i)
			continue;
		int role = at.verdict == COMPARED_SAME     ? ROLE_OK
			: at.verdict == COMPARED_DIFFERENT ? ROLE_TEXT
							   : ROLE_WARN;
		if (at.has_ratio)
			area_printf(in, x + 1, y, role, "%.3f %s", at.ratio, comparison_verdict_text(at.verdict));
		else
			area_draw_text(in, x + 1, y, role, comparison_verdict_text(at.verdict));
		x += RATIO;
	}
}

/* With its unit; bytes have theirs in the rows. */
static void swept_head(struct area in, const struct session_columns *columns)
{
	for (int i = 0; i < columns->param_count; i++) {
		const struct column *p = &columns->params[i];
		if (strcmp(p->id, columns->swept[0]))
			continue;
		char *text = xasprintf("%s%s%s", p->id, *p->unit && strcmp(p->unit, "B") ? ", " : "",
			strcmp(p->unit, "B") ? p->unit : "");
		area_draw_fitted(in, 1, 0, NAME - 2, ROLE_DIM, text);
		free(text);
	}
}

static void compare_head(const struct app *a, struct area in)
{
	const struct sessions_view *v = sessions_view_of(a);
	int x = NAME, width = side_width(&sessions_view_of(a)->comparison, in.r.w);
	if (format_single_curve(&v->comparison))
		swept_head(in, &v->comparison.sides[0].columns);
	for (int i = 0; i < v->comparison.count && x < in.r.w; i++) {
		area_printf(in, x + VALUE - 2, 0, ROLE_PINNED, "%c", 'A' + i);
		x += width;
		if (i)
			area_printf(in, x + 1, 0, ROLE_DIM, "%c / A", 'A' + i);
		x += i ? RATIO : 0;
	}
}

/* The last rows: the ratio, the differences, the points left out. */
static int compare_foot(const struct app *a, struct area in)
{
	const struct sessions_view *v = sessions_view_of(a);
	struct buf other = {0};
	int y = in.r.h - 1;
	buf_puts(&other, "");
	for (int i = 0; i < v->differences.count; i++)
		buf_printf(&other, "%s%s", i ? ", " : "different: ", v->differences.list[i].what);
	if (v->comparison.left_count) {
		char *name = comparison_format_point(&v->comparison, comparison_excluded_point(&v->comparison, 0));
		char *text = xasprintf("%zu skipped, first: %c %s, %s", v->comparison.left_count,
			'A' + v->comparison.left[0].side, name, v->comparison.left[0].why);
		area_draw_fitted(in, 1, y--, in.r.w - 2, ROLE_WARN, text);
		free(text);
		free(name);
	}
	area_draw_fitted(in, 1, y--, in.r.w - 2, ROLE_DIM,
		other.len ? other.data : "same device, constants, versions, kernel and clocks");
	for (int i = v->comparison.count - 1; i > 0; i--) {
		const struct comparison_summary *s = &v->summary[i];
		if (s->compared)
			area_printf(in, 1, y--, ROLE_TEXT, "%c / A  median %.4g, %.4g to %.4g; %zu of %zu same",
				'A' + i, s->median_ratio, s->least, s->most, s->same, s->compared);
		else
			area_printf(in, 1, y--, ROLE_WARN, "%c / A  no points in common", 'A' + i);
	}
	buf_free(&other);
	return y;
}

static void view_comparison(const struct app *a, struct area at)
{
	const struct sessions_view *v = sessions_view_of(a);
	char text[200] = "reading";
	const struct session_comparison *c = &v->comparison;
	if (v->compared && c->sides[0].columns.metric_count) {
		const struct column *m = &c->sides[0].columns.metrics[v->metric];
		snprintf(text, sizeof text, "%s%s%s  row %d of %zu", m->id, *m->unit ? ", " : "", m->unit,
			c->row_count ? v->scroll + 1 : 0, c->row_count);
	}
	area_draw_frame(at, true, "Compare", text);
	struct area in = area_inner(at);
	if (!v->compared || !c->sides[0].columns.metric_count)
		return;
	int rows = compare_foot(a, in);
	compare_head(a, in);
	for (int i = 0; i < rows && v->scroll + i < (int)c->row_count; i++)
		compare_row(a, in, 1 + i, (size_t)(v->scroll + i));
}

/* --- layout --- */
void sessions_view_draw(const struct app *a, struct area at)
{
	const struct sessions_view *v = sessions_view_of(a);
	if (!v)
		return; /* not focused */
	int h = at.r.h, lower = v->pane == SHOW_DETAILS ? DETAIL_ROWS + 2 : h * 2 / 3;
	if (h - lower < LIST_LEAST + 3) /* no room for both: only the focused one */
		lower = v->pane == SHOW_DETAILS ? 0 : h;
	if (h > lower)
		view_list_of_sessions(a, area_sub(at, 0, 0, at.r.w, h - lower));
	struct area below = area_sub(at, 0, h - lower, at.r.w, lower);
	if (!lower)
		return;
	if (v->pane == SHOW_POINTS)
		view_points(a, below);
	else if (v->pane == SHOW_COMPARISON)
		view_comparison(a, below);
	else
		draw_session_details(a, below);
}

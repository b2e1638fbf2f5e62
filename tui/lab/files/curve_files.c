#include "tui/lab/files/curve_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/paths.h"
#include "experiments/analysis/session_extras.h"
#include "tui/lab/pinned_curves.h"
#include "tui/lab/plot/pin_comparison.h"
#include "sessions/export/exporters.h"

static bool point_was_measured(const struct point *p)
{
	return p->record && (p->status == POINT_OK || p->status == POINT_FAILED);
}

static void collect_curve_points(const struct measured_curve *c, struct point_list *out)
{
	for (int i = 0; i < c->count; i++)
		if (point_was_measured(&c->points[i]))
			point_list_add_record(out, c->points[i].record);
}

static bool check_exportable(const struct measured_curve *c, struct err *e)
{
	return (c->header && c->ended) ||
		err_set(e, ST_REQUEST, "no points are measured yet; Space in the workbench measures the sweep");
}

bool curve_save(const struct measured_curve *c, const char *path, struct err *e)
{
	struct recorder *r = check_exportable(c, e) ? recorder_open(path, c->header, e) : NULL;
	bool ok = r != NULL;
	for (int i = 0; r && ok && i < c->count; i++)
		ok = !point_was_measured(&c->points[i]) || recorder_write_record(r, c->points[i].record, e);
	for (size_t i = 0; r && ok && i < json_array_size(c->what_if); i++)
		ok = recorder_write_record(r, json_array_get(c->what_if, i), e);
	return r && recorder_close(r, ok ? e : NULL) && ok;
}

static bool has_session_extension(const char *path)
{
	const char *dot = strrchr(path, '.');
	return dot && !strcmp(dot, session_suffix);
}

char *curve_list_extensions(void)
{
	struct buf b = {0};
	for (int i = 0; exporter_at(i); i++) {
		const struct exporter *x = exporter_at(i);
		if (x->contents & EXPORT_TO_FILE)
			buf_printf(&b, ".%.*s, ", (int)strcspn(x->extensions, "|"), x->extensions);
	}
	b.data[b.len -= 2] = 0;
	buf_printf(&b, " or %s", session_suffix);
	return b.data;
}

static bool find_export_format(const char *path, enum export_format *out, struct err *e)
{
	if (exporter_find_for_file(path, EXPORT_TO_FILE, out, NULL))
		return true;
	char *names = curve_list_extensions();
	err_set(e, ST_REQUEST, "'%.60s' does not select a format; use %s", path_basename(path), names);
	free(names);
	return false;
}

/* The pinned curves that the plot shows with the exported one. */
struct exported_pins {
	struct compared_curve list[PINS_MAX];
	struct point_list points[PINS_MAX];
	char names[PINS_MAX][80];
	size_t count;
};

static void collect_exported_pins(const struct lab *b, const struct measured_curve *c, struct exported_pins *out)
{
	char label[64];
	*out = (struct exported_pins){0};
	for (int i = 0; c == &b->curve && i < b->pin_count; i++) {
		if (!pin_is_shown(b, i))
			continue;
		size_t n = out->count++;
		collect_curve_points(&b->pins[i].curve, &out->points[n]);
		snprintf(out->names[n], sizeof out->names[n], "%d %s", i + 1,
			lab_format_pin_label(b, i, label, sizeof label));
		out->list[n] = (struct compared_curve){out->names[n], &out->points[n]};
	}
}

bool curve_export_is_picture(const char *path)
{
	enum export_format format;
	return exporter_find_for_file(path, EXPORT_TO_FILE, &format, NULL) &&
		(format == FORMAT_SVG || format == FORMAT_HTML);
}

bool curve_export(
	const struct lab *b, const struct measured_curve *c, enum pin_view pins_as, const char *path, struct err *e)
{
	struct point_list points = {0};
	struct session_extras extras;
	struct exported_pins pins;
	struct session_output o = {.header = c->header, .points = &points, .width = 100, .what_if = c->what_if};
	if (!check_exportable(c, e))
		return false;
	if (has_session_extension(path))
		return curve_save(c, path, e);
	if (!find_export_format(path, &o.format, e))
		return false;
	collect_curve_points(c, &points);
	collect_exported_pins(b, c, &pins);
	o.extras = session_extras_make(&extras, c->header, &points, &b->published);
	extras.chart.compared = pins.list;
	extras.chart.compared_count = pins.count;
	extras.chart.differences = pins_as == PINS_AS_DIFFERENCE;
	bool ok = session_output_write(&o, path, e);
	session_extras_free(&extras);
	for (size_t i = 0; i < pins.count; i++)
		point_list_free(&pins.points[i]);
	point_list_free(&points);
	return ok;
}

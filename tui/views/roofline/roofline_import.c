/* Kernels of profilers' files on the roofline, as `wavedeck roofline --import` reads them. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "experiments/analysis/roofline/import/imported_roofline.h"
#include "gpu/backends/backend.h"
#include "tui/lab/files/curve_files.h"
#include "tui/shell/input_line.h"
#include "tui/views/roofline/import_request.h"
#include "tui/views/roofline/roofline_view.h"

/* "results: axpy(float*, int)", so that the same kernel of several files has several names. */
static void name_imported_point(const char *path, const char *kernel, char *out, size_t size)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
	snprintf(out, size, "%.*s: %s", dot ? (int)(dot - base) : (int)strlen(base), base, kernel);
}

static double time_of_launches(const struct profiled_kernel *k)
{
	return k->seconds * k->launches;
}

/* Whether fewer than ROOF_POINTS_MAX kernels of the file come before this one when those that took most time are first.
 */
static bool is_among_longest(const struct profiled_kernels *k, int i)
{
	int before = 0;
	for (int other = 0; other < k->count; other++) {
		double longer = time_of_launches(&k->list[other]) - time_of_launches(&k->list[i]);
		before += longer > 0 || (longer == 0 && other < i);
	}
	return before < ROOF_POINTS_MAX;
}

/* A file that is imported again replaces its points. */
static void remove_points_of_file(struct roofline_view *v, const char *file)
{
	int kept = 0;
	for (int i = 0; i < v->count; i++)
		if (strcmp(v->list[i].file, file) != 0)
			v->list[kept++] = v->list[i];
	v->count = kept;
}

static int place_imported_kernels(struct roofline_view *v, const char *path, const struct imported_roofline *r)
{
	int placed = 0;
	bool flops = false;
	for (int i = 0; i < r->kernels.count; i++) {
		struct placed_point p = {.at = r->points[i]};
		if (!is_among_longest(&r->kernels, i))
			continue;
		name_imported_point(path, r->kernels.list[i].name, p.name, sizeof p.name);
		snprintf(p.device, sizeof p.device, "%s", r->device);
		snprintf(p.file, sizeof p.file, "%s", path);
		roofline_add_point(v, &p);
		flops |= p.at.operations[ROOFLINE_FLOPS] > 0;
		placed++;
	}
	if (v->unit == ROOFLINE_FLOPS && !flops)
		v->unit = ROOFLINE_INSTRUCTIONS;
	return placed;
}

/* --- the files of a request --- */
struct import_results {
	struct imported_roofline list[IMPORT_FILES_MAX];
	int count, kernels; /* count: tables; 1 if the files were joined */
};

/* Files without limits have those of the current device, if that is a model. */
static bool read_import_request(
	const struct app *a, const struct import_request *q, struct import_results *out, struct err *e)
{
	const char *device = device_can(a->device, DEVICE_TUNABLE) ? a->device : NULL;
	const char *const *paths = (const char *const *)q->paths;
	int tables = q->join ? 1 : q->count;
	for (bool ok = true; ok && out->count < tables;) {
		struct imported_roofline *r = &out->list[out->count++];
		ok = q->join ? imported_roofline_join(paths, q->count, device, r, e)
			     : imported_roofline_read(paths[out->count - 1], device, r, e);
		if (!ok)
			return false;
		out->kernels += r->kernels.count;
	}
	return true;
}

static void remove_points_of_request(struct roofline_view *v, const struct import_request *q)
{
	for (int i = 0; i < q->count; i++) {
		char *path = path_from_user(q->paths[i]);
		remove_points_of_file(v, path);
		free(path);
	}
}

/* Those of a join have the name of the first file; points of its passes alone leave. */
static int place_import_results(struct roofline_view *v, const struct import_request *q, const struct import_results *r)
{
	int placed = 0;
	remove_points_of_request(v, q);
	for (int i = 0; i < r->count; i++) {
		char *path = path_from_user(q->paths[i]);
		placed += place_imported_kernels(v, path, &r->list[i]);
		free(path);
	}
	return placed;
}

static void report_import(struct app *a, const struct import_request *q, const struct import_results *r, int placed)
{
	const char *longest = placed < r->kernels ? " longest" : "", *s = plural_s((unsigned)placed);
	const struct imported_roofline *first = &r->list[0];
	if (r->count > 1)
		app_show_message(a, ROLE_OK, "%d%s kernel%s of %d files", placed, longest, s, r->count);
	else
		app_show_message(a, ROLE_OK, "%d%s kernel%s of %s, from %s%s", placed, longest, s, first->device,
			profiler_name(first->kernels.tool), q->count > 1 ? ", joined" : "");
}

/* All of the files, or none if one cannot be read. */
static bool import_roofline(struct app *a, const char *text)
{
	struct err e = {0};
	struct import_request q;
	struct import_results *r = xcalloc(1, sizeof *r);
	if (*text) {
		if (import_request_parse(text, &q, &e) && read_import_request(a, &q, r, &e))
			report_import(a, &q, r, place_import_results(roofline_view_of(a), &q, r));
		else
			app_show_message(a, ROLE_BAD, "%s", e.text);
		import_request_free(&q);
	}
	for (int i = 0; i < r->count; i++)
		imported_roofline_free(&r->list[i]);
	free(r);
	return true;
}

void act_roofline_import(struct app *a, const char *argument)
{
	if (argument)
		import_roofline(a, argument);
	else
		input_line_open(a, import_roofline, "", "CSV files of a profiler [--join]: ");
}

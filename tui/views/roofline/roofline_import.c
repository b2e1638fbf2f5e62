/* Kernels of a profiler's file on the roofline, as `wavedeck roofline --import` reads them. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "experiments/analysis/roofline/import/imported_roofline.h"
#include "gpu/backends/backend.h"
#include "tui/lab/files/curve_files.h"
#include "tui/shell/input_line.h"
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
	remove_points_of_file(v, path);
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

/* Files without limits have those of the current device, if that is a model. */
static bool import_roofline(struct app *a, const char *text)
{
	struct err e = {0};
	struct imported_roofline r;
	if (!*text)
		return true;
	/* Messages have the name as it was typed. */
	char *path = path_from_user(text);
	if (imported_roofline_read(
		    *text == '~' ? path : text, device_can(a->device, DEVICE_TUNABLE) ? a->device : NULL, &r, &e)) {
		int placed = place_imported_kernels(roofline_view_of(a), path, &r);
		app_show_message(a, ROLE_OK, "%d%s kernel%s of %s, from %s", placed,
			placed < r.kernels.count ? " longest" : "", plural_s((unsigned)placed), r.device,
			profiler_name(r.kernels.tool));
	} else
		app_show_message(a, ROLE_BAD, "%s", e.text);
	imported_roofline_free(&r);
	free(path);
	return true;
}

void act_roofline_import(struct app *a, const char *argument)
{
	if (argument)
		import_roofline(a, argument);
	else
		input_line_open(a, import_roofline, "", "CSV file of a profiler: ");
}

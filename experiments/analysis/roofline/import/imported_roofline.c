#include "experiments/analysis/roofline/import/imported_roofline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/analysis/roofline/import/counter_formulas.h"
#include "experiments/analysis/roofline/import/metric_units.h"
#include "gpu/backends/backend.h"
#include "gpu/protocol/header_record.h"
#include "gpu/softgpu-link/model_table.h"

#define SLACK 1.05 /* clocks vary, and times are rounded */

/* --- the device --- */
/* As the worker describes it, from the constants of its model: no device is opened. NULL with an error. */
static json_t *describe_roofline_model(const char *device, struct err *e)
{
	struct soft_model models[SOFT_MODELS_MAX];
	const struct soft_model *m = softgpu_find_model(device_rest(device), models);
	char *table = softgpu_read_model_table(device_rest(device), e), *save = NULL, *field[CONSTANT_FIELDS];
	if (!table || !m) {
		free(table);
		return NULL;
	}
	json_t *constants = json_object();
	for (char *line = strtok_r(table, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		softgpu_split_constant(line, field);
		json_object_set_new(
			constants, field[CONSTANT_NAME], json_integer(strtoll(field[CONSTANT_VALUE], NULL, 10)));
	}
	free(table);
	struct reading cus = record_get_reading(constants, "compute_units"),
		       khz = record_get_reading(constants, "sclk_khz");
	return json_pack("{s:s, s:s, s:s, s:{s:f, s:f}, s:o}", "kind", "soft", "arch", m->arch, "name", m->name,
		"properties", "compute_units", roofline_count_processors(m->arch, cus.value), "sclk_mhz",
		khz.value * 1e-3, "constants", constants);
}

/* --- what no device can do --- */
static bool check_possible(
	const char *path, const char *kernel, const char *device, const struct roofline_point *p, struct err *e)
{
	double most = 0, moved = p->bytes / p->seconds;
	char is[40], can[40];
	for (int k = 0; k < FLOAT_KIND_COUNT; k++)
		most = fmax(most, p->roofs[k]);
	if (moved > SLACK * p->bandwidth) {
		metric_format(is, sizeof is, moved, "B/s");
		metric_format(can, sizeof can, p->bandwidth, "B/s");
		return err_set(e, ST_REQUEST,
			"%s: kernel %.60s would move %s, but the memory of %s %s; is --device the GPU that was profiled, and are the sizes in KB?",
			path, kernel, is, device, can);
	}
	double done = p->operations[ROOFLINE_FLOPS] / p->seconds,
	       issued = p->operations[ROOFLINE_INSTRUCTIONS] / p->seconds;
	bool flops = done > SLACK * most;
	if (!flops && (p->peak[ROOFLINE_INSTRUCTIONS] <= 0 || issued <= SLACK * p->peak[ROOFLINE_INSTRUCTIONS]))
		return true;
	metric_format(is, sizeof is, flops ? done : issued, flops ? "FLOP/s" : "inst/s");
	metric_format(can, sizeof can, flops ? most : p->peak[ROOFLINE_INSTRUCTIONS], flops ? "FLOP/s" : "inst/s");
	return err_set(e, ST_REQUEST,
		"%s: kernel %.60s would do %s, but %s at most %s; is --device the GPU that was profiled, and do the counters count waves, and each instruction once, not for each of four SIMDs?",
		path, kernel, is, device, can);
}

/* --- the points --- */
static bool read_imported_point(
	const struct profiled_kernel *k, const json_t *device, struct roofline_point *out, struct err *e)
{
	if (!device)
		return roofline_count_nvidia(k, out, e);
	if (!roofline_count_amd(k, out, e))
		return false;
	return roofline_read_limits(NULL, device, out) ||
		err_set(e, ST_FAILED, "the limits of %s are not known", device_get_name(device));
}

static bool read_points(const char *path, const json_t *device, struct imported_roofline *out, struct err *e)
{
	const int count = out->kernels.count;
	snprintf(out->device, sizeof out->device, "%s", device ? device_get_name(device) : out->kernels.device);
	out->points = xcalloc((size_t)count, sizeof *out->points);
	for (int i = 0; i < count; i++) {
		const struct profiled_kernel *k = &out->kernels.list[i];
		if (!read_imported_point(k, device, &out->points[i], e) ||
			!check_possible(path, k->name, out->device, &out->points[i], e))
			return false;
	}
	return true;
}

static bool read_passes(const char *const *paths, int count, struct profiled_kernels *out, struct err *e)
{
	bool ok = profiled_kernels_read(paths[0], out, e);
	for (int i = 1; ok && i < count; i++) {
		struct profiled_kernels more;
		ok = profiled_kernels_read(paths[i], &more, e) && profiled_kernels_join(out, &more, paths[i], e);
		profiled_kernels_free(&more);
	}
	return ok &&
		(out->timed ||
			err_set(e, ST_REQUEST,
				"%s has no times of the launches; profile with `rocprof --timestamp on`, or add a file with times and --join",
				paths[0]));
}

bool imported_roofline_read(const char *path, const char *device, struct imported_roofline *out, struct err *e)
{
	return imported_roofline_join(&path, 1, device, out, e);
}

bool imported_roofline_join(
	const char *const *paths, int count, const char *device, struct imported_roofline *out, struct err *e)
{
	const char *path = paths[0];
	*out = (struct imported_roofline){0};
	if (!read_passes(paths, count, &out->kernels, e))
		return false;
	if (out->kernels.tool == PROFILER_NCU)
		return read_points(path, NULL, out, e);
	if (!device || !device_can(device, DEVICE_TUNABLE))
		return err_set(e, ST_REQUEST,
			"%s has no limits of its GPU; name its model, such as --device soft:mi210 (`wavedeck devices` lists them)",
			path);
	json_t *model = describe_roofline_model(device, e);
	bool ok = model && read_points(path, model, out, e);
	json_decref(model);
	return ok;
}

void imported_roofline_free(struct imported_roofline *r)
{
	profiled_kernels_free(&r->kernels);
	free(r->points);
	*r = (struct imported_roofline){0};
}

#include "experiments/analysis/roofline/import/profiled_kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/analysis/roofline/import/counter_formulas.h"
#include "experiments/analysis/roofline/import/metric_units.h"
#include "experiments/analysis/roofline/import/profiler_csv.h"

static const char *const kernel_columns[] = {"KernelName", "Kernel_Name", "Kernel Name", NULL};
#define NCU_TIME "gpu__time_duration.sum"

/* A file while it is read. */
struct reader {
	const char *path;
	struct profiler_csv csv;
	int kernel, name, value;  /* columns; name and value of rocprofv3 */
	int begin, end, duration; /* -1: none */
	struct profiled_kernels *out;
};

const char *profiler_name(enum profiler tool)
{
	static const char *const names[] = {"rocprof", "rocprofv3", "ncu"};
	return names[tool];
}

/* --- kernels and counters --- */
static struct profiled_kernel *find_profiled_kernel(struct profiled_kernels *k, const char *name)
{
	for (int i = 0; i < k->count; i++)
		if (!strcmp(k->list[i].name, name))
			return &k->list[i];
	k->list = xrealloc(k->list, (size_t)(k->count + 1) * sizeof *k->list);
	k->list[k->count] = (struct profiled_kernel){.name = xstrdup(name)};
	return &k->list[k->count++];
}

static struct profiled_counter *find_counter(const struct profiled_kernel *k, const char *name)
{
	for (int i = 0; i < k->count; i++)
		if (!strcmp(k->counters[i].name, name))
			return &k->counters[i];
	return NULL;
}

static void add_value(struct profiled_kernel *k, const char *name, double value)
{
	struct profiled_counter *c = find_counter(k, name);
	if (!c) {
		k->counters = xrealloc(k->counters, (size_t)(k->count + 1) * sizeof *k->counters);
		k->counters[k->count] = (struct profiled_counter){.name = xstrdup(name)};
		c = &k->counters[k->count++];
	}
	c->sum += value;
	c->values++;
}

struct reading profiled_counter_mean(const struct profiled_kernel *k, const char *name)
{
	const struct profiled_counter *c = find_counter(k, name);
	return c ? (struct reading){true, c->sum / c->values} : (struct reading){0};
}

/* --- numbers --- */
static bool read_csv_number(const struct reader *r, const struct csv_row *row, int column, double *out, struct err *e)
{
	char digits[64], *end;
	size_t n = 0;
	const char *text = column < row->count ? row->fields[column] : "";
	for (const char *c = text; *c && n + 1 < sizeof digits; c++)
		if (*c != ',')
			digits[n++] = *c;
	digits[n] = 0;
	*out = strtod(digits, &end);
	return (n && !*end && isfinite(*out) && *out >= 0) ||
		err_set(e, ST_REQUEST, "%s:%d: '%.40s' in column %s is not a number; profile again", r->path, row->line,
			text, r->csv.rows[0].fields[column]);
}

/* The factor of a column of ncu, from the row below the header; 1 without one. */
static bool read_unit(const struct reader *r, int column, double *factor, struct err *e)
{
	const struct csv_row *units = &r->csv.rows[1];
	const char *name = r->csv.rows[0].fields[column], *unit = column < units->count ? units->fields[column] : "";
	*factor = 1;
	return r->out->tool != PROFILER_NCU || metric_unit_factor(name, unit, factor) ||
		err_set(e, ST_REQUEST,
			"%s:%d: unknown unit '%.20s' of %s; export with `ncu --csv --page raw --print-units base`",
			r->path, units->line, unit, name);
}

/* --- rows --- */
/* Seconds of a row of rocprof and rocprofv3. */
static bool read_csv_seconds(const struct reader *r, const struct csv_row *row, double *out, struct err *e)
{
	double begin = 0, end;
	if (r->duration >= 0) {
		bool ok = read_csv_number(r, row, r->duration, out, e);
		*out *= 1e-9;
		return ok;
	}
	if (!read_csv_number(r, row, r->begin, &begin, e) || !read_csv_number(r, row, r->end, &end, e))
		return false;
	*out = (end - begin) * 1e-9;
	return true;
}

/* A launch of rocprof or ncu, with all its counters. */
static bool add_profiled_launch(struct reader *r, const struct csv_row *row, struct err *e)
{
	struct profiled_kernel *k = find_profiled_kernel(r->out, row->fields[r->kernel]);
	double value, factor, seconds = 0;
	if (r->out->tool == PROFILER_ROCPROF && !read_csv_seconds(r, row, &seconds, e))
		return false;
	for (int i = 0; i < row->count && i < r->csv.rows[0].count; i++) {
		const char *name = r->csv.rows[0].fields[i];
		bool time = r->out->tool == PROFILER_NCU && !strcmp(name, NCU_TIME);
		if (!time && !roofline_uses_counter(name))
			continue;
		if (!read_csv_number(r, row, i, &value, e) || !read_unit(r, i, &factor, e))
			return false;
		if (time)
			seconds = value * factor;
		else
			add_value(k, roofline_counter_name(name), value * factor);
	}
	k->seconds += (seconds - k->seconds) / ++k->launches;
	return true;
}

/* One counter of a launch of rocprofv3; the number of launches is that of the values of a counter. */
static bool add_counter(struct reader *r, const struct csv_row *row, struct err *e)
{
	struct profiled_kernel *k = find_profiled_kernel(r->out, row->fields[r->kernel]);
	const char *name = roofline_counter_name(r->name < row->count ? row->fields[r->name] : "");
	double value, seconds;
	if (!roofline_uses_counter(name))
		return true;
	if (!read_csv_number(r, row, r->value, &value, e) || !read_csv_seconds(r, row, &seconds, e))
		return false;
	add_value(k, name, value);
	struct profiled_counter *c = find_counter(k, name);
	if (c->values > k->launches) {
		k->launches = c->values;
		k->seconds += (seconds - k->seconds) / k->launches;
	}
	return true;
}

/* --- the file --- */
static bool find_columns(struct reader *r, struct err *e)
{
	const struct profiler_csv *c = &r->csv;
	for (int i = 0; kernel_columns[i]; i++)
		r->kernel = r->kernel < 0 ? profiler_csv_column(c, kernel_columns[i]) : r->kernel;
	r->name = profiler_csv_column(c, "Counter_Name");
	r->value = profiler_csv_column(c, "Counter_Value");
	r->duration = profiler_csv_column(c, "DurationNs");
	r->begin = profiler_csv_column(c, "Start_Timestamp");
	r->end = profiler_csv_column(c, "End_Timestamp");
	if (r->begin < 0) {
		r->begin = profiler_csv_column(c, "BeginNs");
		r->end = profiler_csv_column(c, "EndNs");
	}
	r->out->tool = profiler_csv_column(c, "Kernel Name") >= 0 ? PROFILER_NCU
		: r->name >= 0 && r->value >= 0                   ? PROFILER_ROCPROFV3
								  : PROFILER_ROCPROF;
	if (r->out->tool == PROFILER_NCU)
		return profiler_csv_column(c, NCU_TIME) >= 0 ||
			err_set(e, ST_REQUEST,
				"%s has no " NCU_TIME
				"; profile with `ncu --set roofline`, or with the metrics that `wavedeck help roofline` lists",
				r->path);
	return r->duration >= 0 || (r->begin >= 0 && r->end >= 0) ||
		err_set(e, ST_REQUEST, "%s has no times of the launches; profile with `rocprof --timestamp on`%s",
			r->path,
			r->out->tool == PROFILER_ROCPROFV3 ? ", or with a rocprofv3 that writes Start_Timestamp" : "");
}

static void read_device(struct reader *r)
{
	int column = profiler_csv_column(&r->csv, "device__attribute_display_name");
	const struct csv_row *first = r->csv.count > 2 ? &r->csv.rows[2] : NULL;
	bool named = column >= 0 && first && column < first->count;
	snprintf(r->out->device, sizeof r->out->device, "%s", named ? first->fields[column] : "the profiled GPU");
}

static bool read_rows(struct reader *r, struct err *e)
{
	int first = r->out->tool == PROFILER_NCU ? 2 : 1; /* below the units */
	read_device(r);
	for (int i = first; i < r->csv.count; i++) {
		const struct csv_row *row = &r->csv.rows[i];
		if (row->count <= r->kernel) /* output of the program */
			continue;
		if (!(r->out->tool == PROFILER_ROCPROFV3 ? add_counter : add_profiled_launch)(r, row, e))
			return false;
	}
	return r->out->count || err_set(e, ST_REQUEST, "%s has no launch of a kernel", r->path);
}

bool profiled_kernels_read(const char *path, struct profiled_kernels *out, struct err *e)
{
	struct reader r = {.path = path, .kernel = -1, .out = out};
	*out = (struct profiled_kernels){.passes = 1};
	bool ok = profiler_csv_read(path, kernel_columns, &r.csv, e) && find_columns(&r, e) && read_rows(&r, e);
	profiler_csv_free(&r.csv);
	return ok;
}

/* --- several passes --- */
static struct profiled_kernel *find_same_kernel(
	struct profiled_kernels *to, const struct profiled_kernel *k, const char *path, struct err *e)
{
	for (int i = 0; i < to->count; i++) {
		struct profiled_kernel *same = &to->list[i];
		if (strcmp(same->name, k->name))
			continue;
		if (same->launches == k->launches)
			return same;
		err_set(e, ST_REQUEST,
			"%s: kernel %.80s has %d launches, in the files before %d; profile the same work in each pass",
			path, k->name, k->launches, same->launches);
		return NULL;
	}
	err_set(e, ST_REQUEST, "%s: kernel %.80s is not in the files before; leave --join out for other programs", path,
		k->name);
	return NULL;
}

static void join_counters(struct profiled_kernel *to, const struct profiled_kernel *from)
{
	for (int i = 0; i < from->count; i++) {
		const struct profiled_counter *c = &from->counters[i];
		add_value(to, c->name, c->sum);
		find_counter(to, c->name)->values += c->values - 1;
	}
}

bool profiled_kernels_join(
	struct profiled_kernels *to, const struct profiled_kernels *from, const char *path, struct err *e)
{
	if (to->tool != from->tool)
		return err_set(e, ST_REQUEST, "%s is of %s, the files before are of %s; leave --join out", path,
			profiler_name(from->tool), profiler_name(to->tool));
	if (from->count < to->count)
		return err_set(e, ST_REQUEST,
			"%s has %d kernels, the files before %d; profile the same work in each pass", path, from->count,
			to->count);
	to->passes++;
	for (int i = 0; i < from->count; i++) {
		struct profiled_kernel *k = find_same_kernel(to, &from->list[i], path, e);
		if (!k)
			return false;
		join_counters(k, &from->list[i]);
		k->seconds += (from->list[i].seconds - k->seconds) / to->passes;
	}
	return true;
}

void profiled_kernels_free(struct profiled_kernels *k)
{
	for (int i = 0; i < k->count; i++) {
		for (int c = 0; c < k->list[i].count; c++)
			free(k->list[i].counters[c].name);
		free(k->list[i].counters);
		free(k->list[i].name);
	}
	free(k->list);
	*k = (struct profiled_kernels){0};
}

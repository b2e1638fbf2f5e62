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
#define NCU_TIME   "gpu__time_duration.sum"
#define NCU_CYCLES "sm__cycles_elapsed.avg"

/* A file while it is read. */
struct reader {
	const char *path;
	struct profiler_csv csv;
	int kernel;            /* columns; -1: none */
	int name, value, unit; /* of rocprofv3 and ncu's details */
	int begin, end, duration;
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
/* Whether each comma is before a group of three digits: "1,024", not "211,94" of another locale. */
static bool commas_group(const char *text)
{
	for (const char *c = strchr(text, ','); c; c = strchr(c + 1, ','))
		if (c == text || strspn(c + 1, "0123456789") != 3)
			return false;
	return true;
}

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
	return (n && !*end && isfinite(*out) && *out >= 0 && commas_group(text)) ||
		err_set(e, ST_REQUEST, "%s:%d: '%.40s' in column %s is not a number; profile again, with LC_ALL=C",
			r->path, row->line, text, r->csv.rows[0].fields[column]);
}

/* The factor of a metric of ncu, whose unit is in this row and column. */
static bool read_unit(const struct reader *r, const char *metric, const struct csv_row *row, int column, double *factor,
	struct err *e)
{
	const char *unit = column >= 0 && column < row->count ? row->fields[column] : "";
	return metric_unit_factor(metric, unit, factor) ||
		err_set(e, ST_REQUEST,
			"%s:%d: unknown unit '%.20s' of %.80s; export with `ncu --csv --print-units base`", r->path,
			row->line, unit, metric);
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

static bool read_rocprof_counter(
	const struct reader *r, const struct csv_row *row, int column, const char *name, double *value, struct err *e)
{
	if (!read_csv_number(r, row, column, value, e))
		return false;
	return roofline_check_size(name, *value) ||
		err_set(e, ST_REQUEST,
			"%s:%d: %.10g KB of %s are not whole requests of 32 bytes; is it in KB, as the profiler writes it?",
			r->path, row->line, *value, name);
}

/* A launch of rocprof, with all its counters. */
static bool add_rocprof_launch(struct reader *r, const struct csv_row *row, struct err *e)
{
	struct profiled_kernel *k = find_profiled_kernel(r->out, row->fields[r->kernel]);
	double value, seconds = 0;
	if (r->out->timed && !read_csv_seconds(r, row, &seconds, e))
		return false;
	for (int i = 0; i < row->count && i < r->csv.rows[0].count; i++) {
		const char *name = roofline_counter_name(r->csv.rows[0].fields[i]);
		if (!roofline_uses_counter(name))
			continue;
		if (!read_rocprof_counter(r, row, i, name, &value, e))
			return false;
		add_value(k, name, value);
	}
	k->seconds += (seconds - k->seconds) / ++k->launches;
	return true;
}

/* One counter of a launch of rocprofv3; the number of launches is that of the values of a counter. */
static bool add_rocprofv3_counter(struct reader *r, const struct csv_row *row, struct err *e)
{
	struct profiled_kernel *k = find_profiled_kernel(r->out, row->fields[r->kernel]);
	const char *name = roofline_counter_name(r->name < row->count ? row->fields[r->name] : "");
	double value, seconds = 0;
	if (!roofline_uses_counter(name))
		return true;
	if (!read_rocprof_counter(r, row, r->value, name, &value, e) ||
		(r->out->timed && !read_csv_seconds(r, row, &seconds, e)))
		return false;
	add_value(k, name, value);
	struct profiled_counter *c = find_counter(k, name);
	if (c->values > k->launches) {
		k->launches = c->values;
		k->seconds += (seconds - k->seconds) / k->launches;
	}
	return true;
}

/* --- ncu --- */
/* The metric in column `value` of a row; its unit is in column `unit` of row `units`. A GPU without the metric has
 * "n/a". */
static bool add_ncu_metric(struct reader *r, const struct csv_row *row, const char *name, int value,
	const struct csv_row *units, int unit, struct err *e)
{
	double number, factor;
	if (!roofline_uses_counter(name) || (value < row->count && !strcmp(row->fields[value], "n/a")))
		return true;
	if (!strstr(name, "__"))
		return err_set(e, ST_REQUEST,
			"%s:%d: %.80s is a counter of AMD in a table of ncu, whose units are not those of rocprof; import the file that rocprof wrote",
			r->path, row->line, name);
	if (!read_csv_number(r, row, value, &number, e) || !read_unit(r, name, units, unit, &factor, e))
		return false;
	add_value(find_profiled_kernel(r->out, row->fields[r->kernel]), name, number * factor);
	return true;
}

/* A launch on the page raw: units are below the header. */
static bool add_ncu_launch(struct reader *r, const struct csv_row *row, struct err *e)
{
	find_profiled_kernel(r->out, row->fields[r->kernel]);
	for (int i = 0; i < row->count && i < r->csv.rows[0].count; i++)
		if (!add_ncu_metric(r, row, r->csv.rows[0].fields[i], i, &r->csv.rows[1], i, e))
			return false;
	return true;
}

/* A metric of a launch on the page of details. */
static bool add_ncu_detail(struct reader *r, const struct csv_row *row, struct err *e)
{
	find_profiled_kernel(r->out, row->fields[r->kernel]);
	return r->name >= row->count || add_ncu_metric(r, row, row->fields[r->name], r->value, row, r->unit, e);
}

/* The number of launches is that of the values of a metric. Without a time, cycles and their rate have it. */
static bool find_ncu_seconds(struct reader *r, struct err *e)
{
	for (int i = 0; i < r->out->count; i++) {
		struct profiled_kernel *k = &r->out->list[i];
		struct reading time = profiled_counter_mean(k, NCU_TIME), cycles = profiled_counter_mean(k, NCU_CYCLES),
			       rate = profiled_counter_mean(k, NCU_CYCLES ".per_second");
		for (int c = 0; c < k->count; c++)
			k->launches = k->counters[c].values > k->launches ? k->counters[c].values : k->launches;
		if (!time.valid && !(cycles.valid && rate.valid && rate.value > 0))
			return err_set(e, ST_REQUEST,
				"%s has no " NCU_TIME
				" of kernel %.80s; profile with `ncu --set roofline --page raw`, or with the metrics that `wavedeck help roofline` lists",
				r->path, k->name);
		k->seconds = time.valid ? time.value : cycles.value / rate.value;
	}
	return true;
}

/* --- the file --- */
static int find_either_column(const struct profiler_csv *c, const char *one, const char *other)
{
	int column = profiler_csv_column(c, one);
	return column >= 0 ? column : profiler_csv_column(c, other);
}

static void find_columns(struct reader *r)
{
	const struct profiler_csv *c = &r->csv;
	r->kernel = -1;
	for (int i = 0; kernel_columns[i]; i++)
		r->kernel = r->kernel < 0 ? profiler_csv_column(c, kernel_columns[i]) : r->kernel;
	r->name = find_either_column(c, "Counter_Name", "Metric Name");
	r->value = find_either_column(c, "Counter_Value", "Metric Value");
	r->unit = profiler_csv_column(c, "Metric Unit");
	r->duration = profiler_csv_column(c, "DurationNs");
	r->begin = find_either_column(c, "Start_Timestamp", "BeginNs");
	r->end = find_either_column(c, "End_Timestamp", "EndNs");
	r->out->tool = profiler_csv_column(c, "Kernel Name") >= 0 ? PROFILER_NCU
		: r->name >= 0 && r->value >= 0                   ? PROFILER_ROCPROFV3
								  : PROFILER_ROCPROF;
	r->out->timed = r->out->tool == PROFILER_NCU || r->duration >= 0 || (r->begin >= 0 && r->end >= 0);
}

static void read_device(struct reader *r)
{
	int column = profiler_csv_column(&r->csv, "device__attribute_display_name");
	const struct csv_row *first = r->csv.count > 2 ? &r->csv.rows[2] : NULL;
	bool named = column >= 0 && first && column < first->count;
	snprintf(r->out->device, sizeof r->out->device, "%s", named ? first->fields[column] : "the profiled GPU");
}

typedef bool row_reader(struct reader *, const struct csv_row *, struct err *);

static row_reader *choose_row_reader(const struct reader *r)
{
	bool details = r->name >= 0 && r->value >= 0;
	static row_reader *const readers[] = {add_rocprof_launch, add_rocprofv3_counter, add_ncu_launch};
	return r->out->tool == PROFILER_NCU && details ? add_ncu_detail : readers[r->out->tool];
}

static bool read_rows(struct reader *r, struct err *e)
{
	row_reader *read = choose_row_reader(r);
	read_device(r);
	for (int i = read == add_ncu_launch ? 2 : 1; i < r->csv.count; i++) { /* below the units */
		const struct csv_row *row = &r->csv.rows[i];
		if (row->count <= r->kernel) /* output of the program */
			continue;
		if (!read(r, row, e))
			return false;
	}
	if (!r->out->count)
		return err_set(e, ST_REQUEST, "%s has no launch of a kernel", r->path);
	return r->out->tool != PROFILER_NCU || find_ncu_seconds(r, e);
}

bool profiled_kernels_read(const char *path, struct profiled_kernels *out, struct err *e)
{
	struct reader r = {.path = path, .out = out};
	*out = (struct profiled_kernels){0};
	bool ok = profiler_csv_read(path, kernel_columns, &r.csv, e);
	if (ok)
		find_columns(&r);
	ok = ok && read_rows(&r, e);
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
	to->timed += from->timed;
	for (int i = 0; i < from->count; i++) {
		struct profiled_kernel *k = find_same_kernel(to, &from->list[i], path, e);
		if (!k)
			return false;
		join_counters(k, &from->list[i]);
		if (from->timed)
			k->seconds += (from->list[i].seconds - k->seconds) / to->timed;
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

/* `roofline --import FILE.csv...`: the kernels of profilers' files, each on the roofline of its GPU. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "cli/cli_support.h"
#include "experiments/analysis/roofline/import/imported_roofline.h"
#include "experiments/analysis/roofline/import/metric_units.h"

static const char *const unit_names[] = {[ROOFLINE_FLOPS] = "FLOP", [ROOFLINE_INSTRUCTIONS] = "inst"};

/* FLOPs if the kernel has some or nothing was counted, otherwise wave instructions. */
static enum roofline_unit unit_of(const struct roofline_point *p)
{
	return p->operations[ROOFLINE_FLOPS] > 0 || p->operations[ROOFLINE_INSTRUCTIONS] <= 0 ? ROOFLINE_FLOPS
											      : ROOFLINE_INSTRUCTIONS;
}

static json_t *limits_json(const struct roofline_point *p, enum roofline_unit unit)
{
	return json_pack("{s:f, s:f, s:f}", "peak", p->peak[unit], "memory_bytes_per_s", p->bandwidth, "at_intensity",
		roofline_limit(p, unit, roofline_intensity(p, unit)));
}

static json_t *point_json(const struct profiled_kernel *k, const struct roofline_point *p)
{
	char verdict[160];
	enum roofline_unit unit = unit_of(p);
	return json_pack("{s:s, s:i, s:f, s:f, s:f, s:f, s:s, s:f, s:f, s:o, s:s}", "kernel", k->name, "launches",
		k->launches, "seconds", p->seconds, "bytes", p->bytes, "flops", p->operations[ROOFLINE_FLOPS],
		"instructions", p->operations[ROOFLINE_INSTRUCTIONS], "unit", unit_names[unit], "intensity",
		roofline_intensity(p, unit), "per_second", roofline_achieved(p, unit), "limits", limits_json(p, unit),
		"verdict", roofline_format_verdict(p, unit, verdict, sizeof verdict));
}

/* The files of a command line, and what is in them. */
struct import_files {
	const char *paths[OPTION_REPEATS + 1]; /* NULL after the last */
	struct imported_roofline *list;
	int count;
};

static json_t *roofline_json(const struct imported_roofline *r)
{
	json_t *list = json_array();
	for (int i = 0; i < r->kernels.count; i++)
		json_array_append_new(list, point_json(&r->kernels.list[i], &r->points[i]));
	return json_pack(
		"{s:s, s:s, s:o}", "tool", profiler_name(r->kernels.tool), "device", r->device, "kernels", list);
}

/* One file is an object; several are a list of them, each with its file. */
static void print_json(const struct import_files *f)
{
	if (f->count == 1) {
		command_print_json(roofline_json(f->list));
		return;
	}
	json_t *all = json_array();
	for (int i = 0; i < f->count; i++) {
		json_t *one = roofline_json(&f->list[i]);
		json_object_set_new(one, "file", json_string(f->paths[i]));
		json_array_append_new(all, one);
	}
	command_print_json(all);
}

static void print_roofline_point(const struct profiled_kernel *k, const struct roofline_point *p, int width)
{
	char time[40], rate[40], intensity[40], bytes[40], unit[16], verdict[160];
	enum roofline_unit u = unit_of(p);
	snprintf(unit, sizeof unit, "%s/s", unit_names[u]);
	metric_format(time, sizeof time, p->seconds, "s");
	metric_format(bytes, sizeof bytes, p->bytes / p->seconds, "B/s");
	metric_format(rate, sizeof rate, roofline_achieved(p, u), unit);
	snprintf(intensity, sizeof intensity, "%.3g %s/B", roofline_intensity(p, u), unit_names[u]);
	printf("%-*.*s  %8d  %10s  %12s  %14s  %14s  %s\n", width, width, k->name, k->launches, time, bytes, rate,
		intensity, roofline_format_verdict(p, u, verdict, sizeof verdict));
}

static int find_name_width(const struct import_files *f)
{
	enum { NAME_LEAST = 6, NAME_MOST = 40 };
	int width = NAME_LEAST;
	for (int k = 0; k < f->count; k++)
		for (int i = 0; i < f->list[k].kernels.count; i++) {
			int n = (int)strlen(f->list[k].kernels.list[i].name);
			width = n > NAME_MOST ? NAME_MOST : n > width ? n : width;
		}
	return width;
}

/* The columns of all files stand below each other. */
static void print_roofline_tables(const struct import_files *f)
{
	int width = find_name_width(f);
	for (int k = 0; k < f->count; k++) {
		const struct imported_roofline *r = &f->list[k];
		printf("%s%s, from %s%s%s\n", k ? "\n" : "", r->device, profiler_name(r->kernels.tool),
			f->count > 1 ? ", " : "", f->count > 1 ? f->paths[k] : "");
		printf("%-*s  %8s  %10s  %12s  %14s  %14s  bound\n", width, "kernel", "launches", "time", "memory",
			"rate", "intensity");
		for (int i = 0; i < r->kernels.count; i++)
			print_roofline_point(&r->kernels.list[i], &r->points[i], width);
	}
}

/* The words behind the options are files, too, as a shell writes `--import *.csv`. */
static bool add_import_files(struct import_files *f, const struct argument_list *words, struct err *e)
{
	while (f->paths[f->count])
		f->count++;
	if (f->count && f->count + words->count > OPTION_REPEATS)
		return err_set(e, ST_REQUEST, "more than %d files; leave some out", OPTION_REPEATS);
	for (int i = 0; f->count && i < words->count; i++)
		f->paths[f->count++] = words->list[i];
	return f->count ||
		err_set(e, ST_REQUEST,
			"file missing; write: wavedeck roofline --import results.csv --device soft:mi210");
}

/* The files as one: the first has the counters of all. */
static bool join_import_files(struct import_files *f, const char *device, struct err *e)
{
	f->list = xcalloc(1, sizeof *f->list);
	bool ok = imported_roofline_join(f->paths, f->count, device, f->list, e);
	f->count = 1;
	return ok;
}

static bool read_import_files(struct import_files *f, const char *device, struct err *e)
{
	bool needed = false;
	f->list = xcalloc((size_t)f->count, sizeof *f->list);
	for (int i = 0; i < f->count; i++) {
		if (!imported_roofline_read(f->paths[i], device, &f->list[i], e))
			return false;
		needed |= f->list[i].kernels.tool != PROFILER_NCU;
	}
	return !device || needed ||
		err_set(e, ST_REQUEST, "%s is of ncu, which writes the limits of its GPU; leave --device out",
			f->paths[0]);
}

int command_roofline(int argc, char **argv)
{
	struct err e = {0};
	struct argument_list words;
	struct import_files f = {0};
	const char *device = NULL;
	bool json = false, imports = false, join = false;
	const struct option options[] = {{"--import", f.paths, &imports}, {"--device", &device, NULL},
		{"--join", NULL, &join}, {"--json", NULL, &json}, {NULL, NULL, NULL}};
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	bool ok = add_import_files(&f, &words, &e) && (join ? join_import_files : read_import_files)(&f, device, &e);
	free(words.list);
	if (ok)
		(json ? print_json : print_roofline_tables)(&f);
	for (int i = 0; f.list && i < f.count; i++)
		imported_roofline_free(&f.list[i]);
	free(f.list);
	return ok ? command_finish_output(ST_OK) : command_report_failure(&e);
}

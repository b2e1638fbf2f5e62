/* `roofline --import FILE.csv`: the kernels of a profiler's file on the roofline of their GPU. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_support.h"
#include "experiments/analysis/roofline/import/imported_roofline.h"
#include "experiments/analysis/roofline/import/metric_units.h"

static const char *const unit_names[] = {[ROOFLINE_FLOPS] = "FLOP", [ROOFLINE_INSTRUCTIONS] = "inst"};

/* FLOPs if the kernel has some, otherwise wave instructions. */
static enum roofline_unit unit_of(const struct roofline_point *p)
{
	return p->operations[ROOFLINE_FLOPS] > 0 ? ROOFLINE_FLOPS : ROOFLINE_INSTRUCTIONS;
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

static void print_json(const struct imported_roofline *r)
{
	json_t *list = json_array();
	for (int i = 0; i < r->kernels.count; i++)
		json_array_append_new(list, point_json(&r->kernels.list[i], &r->points[i]));
	command_print_json(json_pack(
		"{s:s, s:s, s:o}", "tool", profiler_name(r->kernels.tool), "device", r->device, "kernels", list));
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

static void print_roofline_table(const struct imported_roofline *r)
{
	enum { NAME_LEAST = 6, NAME_MOST = 40 };
	int width = NAME_LEAST;
	for (int i = 0; i < r->kernels.count; i++) {
		int n = (int)strlen(r->kernels.list[i].name);
		width = n > NAME_MOST ? NAME_MOST : n > width ? n : width;
	}
	printf("%s, from %s\n%-*s  %8s  %10s  %12s  %14s  %14s  bound\n", r->device, profiler_name(r->kernels.tool),
		width, "kernel", "launches", "time", "memory", "rate", "intensity");
	for (int i = 0; i < r->kernels.count; i++)
		print_roofline_point(&r->kernels.list[i], &r->points[i], width);
}

int command_roofline(int argc, char **argv)
{
	struct err e = {0};
	struct argument_list words;
	struct imported_roofline r;
	const char *file = NULL, *device = NULL;
	bool json = false;
	const struct option options[] = {
		{"--import", &file, NULL}, {"--device", &device, NULL}, {"--json", NULL, &json}, {NULL, NULL, NULL}};
	if (!options_parse(options, argc, argv, &words, &e))
		return command_report_failure(&e);
	const char *extra = words.count ? words.list[0] : NULL;
	free(words.list);
	if (extra)
		return command_report_extra_word("roofline", extra);
	if (!file) {
		err_set(&e, ST_REQUEST,
			"file missing; write: wavedeck roofline --import results.csv --device soft:mi210");
		return command_report_failure(&e);
	}
	bool ok = imported_roofline_read(file, device, &r, &e);
	if (ok)
		(json ? print_json : print_roofline_table)(&r);
	imported_roofline_free(&r);
	return ok ? command_finish_output(ST_OK) : command_report_failure(&e);
}

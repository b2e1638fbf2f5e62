#include "cli/run/run_report.h"

#include <stdio.h>
#include <string.h>

#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "sessions/load/session_columns.h"
#include "cli/cli_support.h"

static bool has_counter_reading(const struct point_list *points, const char *name)
{
	for (size_t i = 0; i < points->count; i++)
		if (record_get_reading(point_get_counters(point_list_get(points, i)), name).valid)
			return true;
	return false;
}

static void report_missing_counter(const char *name, const char *const *asked)
{
	command_printf_error("counter %s is not available on this device; %s", name,
		name_list_index(name, asked) >= 0 ? "its column is empty" : "metrics that need it are missing");
}

void report_missing_counters(const struct point_list *points, const char *const *asked)
{
	const char *name;
	json_t *value, *counters = NULL; /* the first point has all names */
	for (size_t i = 0; i < points->count && !counters; i++)
		counters = json_incref(point_get_counters(point_list_get(points, i)));
	json_object_foreach(counters, name, value)
	{
		if (!has_counter_reading(points, name))
			report_missing_counter(name, asked);
	}
	json_decref(counters);
}

bool report_all_failed_alike(const struct point_list *points)
{
	bool any = false;
	for (size_t i = 0; i < points->count; i++) {
		const json_t *point = point_list_get(points, i);
		if (!point)
			continue;
		if (json_integer_value(json_object_get(point, "error_status")) != ST_REQUEST)
			return false;
		any = true;
	}
	return any;
}

/* Prints the first reason completely; the table and the CSV show all others. */
int report_failures(const struct point_list *points, bool rest_not_tried)
{
	char first[512] = "", why[512], text[800];
	bool others = false;
	int failed = 0;
	for (size_t i = 0; i < points->count; i++) {
		const json_t *point = point_list_get(points, i);
		if (!point || !point_describe_fault(point, why, sizeof why))
			continue;
		if (!failed++)
			snprintf(first, sizeof first, "%s", why);
		others = others || strcmp(first, why);
	}
	if (!failed)
		return 0;
	snprintf(text, sizeof text, "%d of %zu points failed: %s%s%s", failed, points->count,
		first + (strncmp(first, "failed: ", 8) ? 0 : 8), others ? "; the rows show the other reasons" : "",
		rest_not_tried ? "; remaining points skipped" : "");
	command_print_error(text);
	return failed;
}

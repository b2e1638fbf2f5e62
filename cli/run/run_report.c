#include "cli/run/run_report.h"

#include <stdio.h>
#include <string.h>

#include "gpu/protocol/record.h"
#include "sessions/load/session_columns.h"
#include "cli/cli_support.h"

static bool has_counter_reading(json_t *const *points, int count, const char *name)
{
	for (int i = 0; i < count; i++)
		if (record_get_reading(json_object_get(points[i], "counters"), name).valid)
			return true;
	return false;
}

void report_missing_counters(json_t *const *points, int count, const char *const *asked)
{
	const char *name;
	json_t *value;
	char text[200];
	for (int i = 0; i < count; i++) {
		json_object_foreach(json_object_get(points[i], "counters"), name, value)
		{
			snprintf(text, sizeof text, "counter %s is not available on this device; %s", name,
				name_list_index(name, asked) >= 0 ? "its column is empty"
								  : "metrics that need it are missing");
			if (!has_counter_reading(points, count, name))
				command_print_error(text);
		}
		if (json_object_get(points[i], "counters"))
			return; /* the first point has all names */
	}
}

bool report_all_failed_alike(json_t *const *points, int count)
{
	bool any = false;
	for (int i = 0; i < count; i++) {
		if (!points[i])
			continue;
		if (json_integer_value(json_object_get(points[i], "error_status")) != ST_REQUEST)
			return false;
		any = true;
	}
	return any;
}

/* Prints the first reason completely; the table and the CSV show all others. */
int report_failures(json_t *const *points, int count, bool rest_not_tried)
{
	char first[512] = "", why[512], text[800];
	bool others = false;
	int failed = 0;
	for (int i = 0; i < count; i++) {
		if (!points[i] || !point_describe_fault(points[i], why, sizeof why))
			continue;
		if (!failed++)
			snprintf(first, sizeof first, "%s", why);
		others = others || strcmp(first, why);
	}
	if (!failed)
		return 0;
	snprintf(text, sizeof text, "%d of %d points failed: %s%s%s", failed, count,
		first + (strncmp(first, "failed: ", 8) ? 0 : 8),
		others ? "; others failed for other reasons, see their rows" : "",
		rest_not_tried ? "; remaining points skipped" : "");
	command_print_error(text);
	return failed;
}

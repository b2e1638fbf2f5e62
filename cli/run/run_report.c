#include "cli/run/run_report.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "sessions/load/fault_causes.h"
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

/* Those of the first point that has any; a long session without counters is not parsed for that. */
static json_t *copy_first_counters(const struct point_list *points)
{
	struct text_span line, text;
	json_t *counters = NULL;
	for (size_t i = 0; i < points->count && !counters; i++) {
		line = point_list_get_line(points, i);
		if (!line.from || record_find_member(line, "counters", &text))
			counters = json_incref(point_get_counters(point_list_get(points, i)));
	}
	return counters;
}

void report_missing_counters(const struct point_list *points, const char *const *asked)
{
	const char *name;
	json_t *value, *counters = copy_first_counters(points); /* they have all names */
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

/* Each reason once, with the number of its points if there are several reasons. */
static void append_reasons(const struct fault_causes *f, struct buf *out)
{
	enum { REASONS_MAX = 3 };
	int told = 0;
	for (int i = 0; i < f->count && i < REASONS_MAX; i++) {
		const char *text = f->list[i].text;
		buf_printf(out, "%s%s", i ? "; " : "", text + (strncmp(text, "failed: ", 8) ? 0 : 8));
		if (f->count > 1)
			buf_printf(out, " (%d point%s)", f->list[i].points, plural_s((size_t)f->list[i].points));
		told += f->list[i].points;
	}
	if (told < f->points)
		buf_printf(out, "; the rows show the reasons of the other %d", f->points - told);
}

int report_failures(const struct point_list *points, bool rest_not_tried)
{
	struct fault_causes causes;
	struct buf text = {0};
	fault_causes_count(points, &causes);
	int failed = causes.points;
	if (failed) {
		buf_printf(&text, "%d of %zu points failed: ", failed, points->count);
		append_reasons(&causes, &text);
		buf_puts(&text, rest_not_tried ? "; remaining points skipped" : "");
		command_print_error(text.data);
	}
	buf_free(&text);
	fault_causes_free(&causes);
	return failed;
}

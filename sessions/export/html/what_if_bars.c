#include "sessions/export/html/what_if_bars.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/record.h"
#include "sessions/export/svg_picture.h"

static const double LEAST_SHOWN = 0.005; /* as in the workbench */

static void append_point_name(struct buf *out, const json_t *record)
{
	const char *name;
	json_t *value;
	struct buf text = {0};
	json_object_foreach((json_t *)record_get_params(record), name, value)
	{
		buf_printf(&text, "%s%s=", text.len ? " " : "", name);
		if (json_is_string(value))
			buf_puts(&text, json_string_value(value));
		else
			buf_printf(&text, "%.10g", json_number_value(value));
	}
	buf_puts(out, "<h3>");
	svg_append_escaped(out, text.data ? text.data : "");
	buf_puts(out, "</h3>\n");
	buf_free(&text);
}

/* The share of the launch's cycles that it saves; NAN: not measured. */
static double saved_share(const json_t *cost, double all)
{
	const json_t *cycles = json_object_get(cost, "cycles");
	return json_is_number(cycles) && all > 0 ? 1 - json_number_value(cycles) / all : NAN;
}

static void append_cost(struct buf *out, const json_t *cost, double all)
{
	char cycles[40];
	const double saved = saved_share(cost, all);
	buf_puts(out, "<tr><td>");
	svg_append_escaped(out, record_get_text(cost, "cause"));
	if (isnan(saved)) {
		buf_puts(out, "</td><td></td><td>not measured: ");
		svg_append_escaped(out, point_get_error(cost));
		buf_puts(out, "</td><td></td></tr>\n");
		return;
	}
	buf_printf(out,
		"</td><td>%.1f&nbsp;%%</td><td><span class=\"cost\" style=\"width:%.1f%%\"></span>%s</td><td>%s cycles</td></tr>\n",
		100 * saved, 100 * fmin(fmax(saved, 0), 1),
		json_is_true(json_object_get(cost, "changes_results")) ? "changes results" : "",
		number_format_digits(cycles, sizeof cycles, saved * all));
}

static void append_costs(struct buf *out, const json_t *record)
{
	const double all = json_number_value(json_object_get(record, "cycles"));
	const json_t *costs = json_object_get(record, "costs");
	char cycles[40];
	append_point_name(out, record);
	buf_printf(out, "<p>Of %s cycles, without</p>\n<table class=\"costs\">\n<tbody>\n",
		number_format_digits(cycles, sizeof cycles, all));
	for (size_t i = 0; i < json_array_size(costs); i++) {
		const json_t *cost = json_array_get(costs, i);
		if (!(saved_share(cost, all) < LEAST_SHOWN) || !strcmp(record_get_text(cost, "part"), "all"))
			append_cost(out, cost, all);
	}
	buf_puts(out, "</tbody>\n</table>\n");
}

void html_append_what_if(struct buf *out, const json_t *records)
{
	if (!json_array_size(records))
		return;
	buf_puts(out,
		"<section>\n<h2>What causes cost</h2>\n<p>Each line is the same launch on this GPU with one part ideal. The lines do not add up: a wave that no longer waits for one thing may wait for another. Causes below 0.5 % are left out.</p>\n");
	for (size_t i = 0; i < json_array_size(records); i++)
		append_costs(out, json_array_get(records, i));
	buf_puts(out, "</section>\n");
}

#include "experiments/analysis/what_if.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "gpu/backends/backend.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/record.h"

static const char cycles_counter[] = "GRBM_GUI_ACTIVE";

static const char *part_name(int number)
{
	return number == WHAT_IF_ALL ? "all" : ideal_part_at(number - WHAT_IF_FIRST)->name;
}

bool what_if_device(const char *device, int number, char *out, size_t size, struct err *e)
{
	if (!device_can(device, DEVICE_INSPECTOR | DEVICE_DETERMINISTIC) || device_has_ideal_parts(device) ||
		strpbrk(device, "*+"))
		return err_set(e, ST_REQUEST,
			"what-if compares one software GPU with ideal ones; use --device soft:mi25 instead of %s",
			device);
	if (number == WHAT_IF_AS_IT_IS)
		snprintf(out, size, "%s", device);
	else
		snprintf(out, size, "%s,ideal=%s", device, part_name(number));
	return true;
}

const char *what_if_cause(int number)
{
	return number == WHAT_IF_AS_IT_IS ? "as it is"
		: number == WHAT_IF_ALL   ? "all of these"
					  : ideal_part_at(number - WHAT_IF_FIRST)->cause;
}

void what_if_prepare_plan(struct plan *p)
{
	static const char *const counters[] = {cycles_counter, NULL};
	p->counters = counters;
	p->digest = true;
	p->verify = p->profile = false;
	p->checks = NULL;
	p->inside = NULL;
}

void what_if_take(struct what_if *w, int number, const json_t *record)
{
	struct what_if_result *r = &w->result[number];
	const json_t *cycles = json_object_get(point_get_counters(record), cycles_counter);
	*r = (struct what_if_result){.measured = json_is_number(cycles) && json_number_value(cycles) > 0};
	r->cycles = r->measured ? json_number_value(cycles) : 0;
	snprintf(r->digest, sizeof r->digest, "%s", record_get_text(record, "digest"));
	if (!r->measured)
		snprintf(r->why, sizeof r->why, "%s",
			*point_get_error(record) ? point_get_error(record) : "it launches no kernel");
}

double what_if_saved(const struct what_if *w, int number)
{
	const struct what_if_result *base = &w->result[WHAT_IF_AS_IT_IS], *r = &w->result[number];
	return base->measured && r->measured ? 1 - r->cycles / base->cycles : NAN;
}

bool what_if_changes_results(const struct what_if *w, int number)
{
	return !isnan(what_if_saved(w, number)) &&
		strcmp(w->result[WHAT_IF_AS_IT_IS].digest, w->result[number].digest) != 0;
}

char *what_if_format_cost(const struct what_if *w, int number, char *out, size_t size)
{
	char cycles[40];
	const double saved = what_if_saved(w, number);
	*out = 0;
	if (what_if_changes_results(w, number))
		snprintf(out, size, "not known: without %s the launch leaves other results", what_if_cause(number));
	else if (saved < WHAT_IF_LEAST)
		snprintf(out, size, "below %.1f %% of the launch, without %s", 100 * WHAT_IF_LEAST,
			what_if_cause(number));
	else if (!isnan(saved))
		snprintf(out, size, "%.1f %% of the launch, %s cycles, without %s", 100 * saved,
			number_format_digits(cycles, sizeof cycles, saved * w->result[WHAT_IF_AS_IT_IS].cycles),
			what_if_cause(number));
	return out;
}

int what_if_order(const struct what_if *w, double least, int out[IDEAL_PARTS])
{
	int count = 0;
	for (int number = WHAT_IF_FIRST; number < WHAT_IF_ALL; number++) {
		int at = count;
		const double saved = what_if_saved(w, number);
		if (!(saved >= least))
			continue;
		for (; at > 0 && what_if_saved(w, out[at - 1]) < saved; at--)
			out[at] = out[at - 1];
		out[at] = number;
		count++;
	}
	return count;
}

static json_t *describe_cost(const struct what_if *w, int number)
{
	const struct what_if_result *r = &w->result[number];
	json_t *o = json_pack("{s:s,s:s}", "part", part_name(number), "cause", what_if_cause(number));
	if (r->measured)
		json_object_set_new(o, "cycles", json_integer((json_int_t)llround(r->cycles)));
	else
		json_object_set_new(o, "error", json_utf8_string(r->why));
	if (what_if_changes_results(w, number))
		json_object_set_new(o, "changes_results", json_true());
	return o;
}

json_t *what_if_make_record(const struct what_if *w, const json_t *params)
{
	int order[IDEAL_PARTS];
	const int count = what_if_order(w, -INFINITY, order);
	json_t *costs = json_array();
	for (int k = 0; k < count; k++)
		json_array_append_new(costs, describe_cost(w, order[k]));
	json_array_append_new(costs, describe_cost(w, WHAT_IF_ALL));
	for (int number = WHAT_IF_FIRST; number < WHAT_IF_ALL; number++)
		if (isnan(what_if_saved(w, number)))
			json_array_append_new(costs, describe_cost(w, number));
	return json_pack("{s:s,s:O?,s:I,s:o}", "type", "what_if", "params", params, "cycles",
		(json_int_t)llround(w->result[WHAT_IF_AS_IT_IS].cycles), "costs", costs);
}

#include "cli/run/profile_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "experiments/analysis/code_profile.h"
#include "gpu/protocol/stalls/stall_reasons.h"
#include "cli/cli_support.h"

enum { TEXT_WIDTH = 44 };

/* --- measuring --- */
/* The point record; NULL if the worker crashed or the user interrupted. */
static json_t *wait_for_profiled_point(struct worker_pool *w)
{
	json_t *record;
	while (!command_interrupted) {
		while ((record = worker_pool_next_record(w))) {
			if (!strcmp(record_get_type(record), "point"))
				return record;
			json_decref(record);
		}
		if (worker_pool_state(w) == WORKER_DEAD)
			return NULL;
		command_pump_workers(w);
	}
	return NULL;
}

static json_t *extract_profile(const struct worker_pool *w, const json_t *point, const char *device, struct err *e)
{
	json_t *profile = point_get_profile(point);
	if (command_interrupted)
		err_set(e, ST_INTERRUPTED, "interrupted");
	else if (!point)
		err_set(e, ST_FAILED, "%s", worker_pool_crash_text(w));
	else if (!point_is_ok(point))
		err_set(e,
			json_integer_value(json_object_get(point, "error_status")) == ST_REQUEST ? ST_REQUEST
												 : ST_FAILED,
			"%s", point_get_error(point));
	else if (!profile)
		err_set(e, ST_REQUEST, "%s has no cycle breakdown; use --device soft:mi25", device);
	else if (point_get_counters(point))
		json_object_set(profile, "counters", point_get_counters(point));
	return profile ? json_incref(profile) : NULL;
}

json_t *profile_measure(const char *device, const json_t *job, struct err *e)
{
	json_t *ask = json_copy((json_t *)job);
	command_catch_interrupts();
	struct worker_pool *w = command_start_workers(device, 1, e);
	if (!w) {
		json_decref(ask);
		return NULL;
	}
	json_object_set_new(ask, "job", json_integer(1));
	json_object_set_new(ask, "point", json_integer(0));
	json_object_set_new(ask, "profile", json_true());
	json_t *point = worker_pool_send(w, ask) ? wait_for_profiled_point(w) : NULL;
	json_t *profile = extract_profile(w, point, device, e);
	json_decref(point);
	worker_pool_close(w);
	return profile;
}

/* --- printing --- */
void profile_print_breakdown(const json_t *profile)
{
	struct stall_share list[PROFILE_REASONS_MAX];
	json_int_t all = json_integer_value(json_object_get(profile, "cycles"));
	int n = profile_list_stall_shares(json_object_get(profile, "account"), list);
	printf("  cycles         %" JSON_INTEGER_FORMAT " on the critical wave, by stall reason:\n", all);
	for (int i = 0; i < n; i++)
		printf("    %-14s %12lld  %5.1f %%\n", stall_reason_label(list[i].cause), list[i].cycles,
			100.0 * (double)list[i].cycles / (double)all);
}

void profile_print_heading(void)
{
	printf("  %-3s %-6s  %-*s %10s %12s %12s   %s\n", "", "offset", TEXT_WIDTH, "instruction", "count", "issue",
		"stall", "stall cycles per issue, by reason");
}

void profile_print_instruction(const json_t *profile, int64_t offset, const char *text, const char *mark)
{
	char by[256];
	const json_t *line = profile_find_instruction(profile, offset);
	struct issue_counts i = issue_counts_read(line);
	if (!line) {
		printf("  %-3s %06" PRIx64 "  %-*s %10s\n", mark, (uint64_t)offset, TEXT_WIDTH, text, "-");
		return;
	}
	issue_counts_format_stalls(&i, PROFILE_REASONS_MAX, "%.2f", by, sizeof by);
	printf("  %-3s %06" PRIx64 "  %-*s %10lld %12lld %12lld%s%s\n", mark, (uint64_t)offset, TEXT_WIDTH, text,
		i.count, i.issue, i.stall, *by ? "   " : "", by);
}

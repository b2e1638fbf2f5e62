/* Checks what a request asks for, and makes the plan of its points. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/backends/backend.h"
#include "gpu/protocol/header_record.h"
#include "cli/own/native_question.h"
#include "cli/run/clock_options.h"
#include "cli/run/launch_trace.h"
#include "cli/run/run_places.h"
#include "cli/run/run_state.h"

/* --- the request --- */

static bool add_counter_name(struct request *q, int *n, char *name, struct err *e)
{
	for (int i = 0; i < *n; i++)
		if (!strcmp(q->counters[i], name))
			return true;
	if (*n == COUNTERS_MAX)
		return err_set(e, ST_REQUEST, "a run has at most %d counters%s", COUNTERS_MAX,
			q->profile ? ", with those of --profile" : "");
	q->counters[(*n)++] = name;
	return true;
}

/* --profile: the cycles of each stall reason. */
static bool add_profile_counters(struct request *q, int *n, struct err *e)
{
	if (!device_can(q->device, DEVICE_INSPECTOR))
		return err_set(
			e, ST_REQUEST, "--profile needs a software GPU, not %s; use --device soft:mi25", q->device);
	for (int i = 0; i < STALL_OTHER; i++) {
		snprintf(q->profile_names[i], sizeof q->profile_names[i], STALL_COUNTER_PREFIX "%s",
			stall_reason_info(i)->name);
		if (!add_counter_name(q, n, q->profile_names[i], e))
			return false;
	}
	return true;
}

static bool parse_counter_names(struct request *q, struct err *e)
{
	int n = 0;
	if (!q->counters_text)
		return !q->profile || add_profile_counters(q, &n, e);
	q->counter_names = xstrdup(q->counters_text);
	for (char *save = NULL, *w = strtok_r(q->counter_names, ",", &save); w; w = strtok_r(NULL, ",", &save)) {
		if (!add_counter_name(q, &n, w, e))
			return false;
	}
	if (q->profile && !add_profile_counters(q, &n, e))
		return false;
	return n || err_set(e, ST_REQUEST, "--counters needs names such as SQ_WAVES,TCC_HIT_sum");
}

static bool check_sampling_device(const struct request *q, struct err *e)
{
	bool any = q->sampling.flush_l2 || q->sampling.entropy;
	return !any || !device_can(q->device, DEVICE_RECORDING) ||
		err_set(e, ST_REQUEST,
			"a recording has the samples that were taken then; remove --flush-l2 and --stop");
}

bool run_check_request(struct request *q, struct err *e)
{
	if (!exporter_find(q->format_text, EXPORT_TO_TERMINAL | EXPORT_TO_FILE, &q->format, e) ||
		!parse_counter_names(q, e))
		return false;
	if (q->timeline && !timeline_check_device(q->device, e))
		return false;
	if (q->lock_clocks && q->vias[0])
		return err_set(e, ST_REQUEST,
			"--lock-clocks is for GPUs of this machine; log in on the other one and measure there, or remove it");
	if (!command_check_clocks(q->lock_clocks, q->devices.names, q->devices.count, e))
		return false;
	if (!sampling_read_stop(q->stop, &q->sampling, e) || !check_sampling_device(q, e))
		return false;
	if (!run_limit_parse(q->limit_text, &q->limit, e))
		return false;
	if (!run_places_find(&q->places, &q->devices, q->workers_text, q->vias, e))
		return false;
	return !q->counters[0] || device_check_counters(q->device, q->counters, e);
}

/* --- the plan --- */

/* The plan was made on another machine. Its target, if that machine did not know it, is this machine's, and so are the
 * values that it leaves to the device. */
static bool take_chunk_plan(struct run *r, const char *arch, struct err *e)
{
	const json_t *plan = r->ask->chunk->plan;
	plan_from_header(&r->plan, plan);
	snprintf(r->plan.arch, sizeof r->plan.arch, "%s", arch);
	plan_reopen_params(&r->plan, json_object_get(plan, "open"));
	json_t *now = plan_to_json(&r->plan);
	bool same = json_equal(header_get_definition(now), header_get_definition(plan));
	json_decref(now);
	return same ||
		err_set(e, ST_REQUEST, "the definition of %s is not the one that was submitted; submit it again",
			r->x->id);
}

bool run_make_plan(struct run *r, const struct argument_list *words, struct err *e)
{
	char arch[DEVICE_ARCH], own[80];
	if (!command_open_catalog(&r->catalog, e))
		return false;
	if (r->old.session && !words->count && !catalog_contains(&r->catalog, r->ask->experiment))
		return err_set(e, ST_REQUEST,
			"%s was measured with a definition that is not in the catalog; name it: wavedeck run %s --resume %s",
			r->old.path, header_format_own_experiment(r->old.session->header, own, sizeof own),
			r->old.path);
	r->x = catalog_find(&r->catalog, r->ask->experiment, e);
	if (!r->x)
		return false;
	device_read_arch(r->ask->device, arch);
	plan_init_default(&r->plan, r->x, device_can(r->ask->device, DEVICE_REDUCED_SIZES), arch);
	if (device_can(r->ask->device, DEVICE_RECORDING) &&
		!plan_from_recording(&r->plan, device_rest(r->ask->device), e))
		return false;
	if (!plan_apply_words(&r->plan, words, e))
		return false;
	if (r->ask->chunk && !take_chunk_plan(r, arch, e))
		return false;
	if (!r->ask->chunk && !device_can(r->ask->device, DEVICE_RECORDING))
		r->plan.sampling = r->ask->sampling;
	plan_drop_unsupported(&r->plan);
	if (*r->plan.remark)
		command_printf_error("%s: %s", r->x->id, r->plan.remark);
	r->plan.verify = !r->ask->no_verify;
	if (r->plan.verify && !device_can(r->ask->device, DEVICE_RECORDING) &&
		!command_allow_native(r->x, r->ask->trust, e))
		return false;
	r->plan.checks = r->checks.checks;
	r->plan.counters = r->ask->counters[0] ? r->ask->counters : r->old.counters[0] ? r->old.counters : NULL;
	if (r->old.session && !resumed_session_plan(&r->old, &r->plan, words->count > 1, e))
		return false;
	if (r->ask->timeline && plan_point_count(&r->plan) != 1)
		return err_set(e, ST_REQUEST,
			"--timeline records one point, not %d; set the swept parameter to one value: %s=VALUE",
			plan_point_count(&r->plan),
			r->plan.axis_count ? r->x->params[r->plan.axes[0].param].id : "NAME");
	r->plan.inside = r->ask->timeline ? timeline_request(r->ask->cu, e) : NULL;
	if (r->ask->timeline && !r->plan.inside)
		return false;
	r->count = plan_point_count(&r->plan);
	for (int i = 0; i < r->count; i++)
		point_list_add_record(&r->points, NULL);
	r->resumed = xcalloc((size_t)r->count, sizeof *r->resumed);
	for (int i = 0; r->ask->chunk && i < r->count; i++)
		r->elsewhere += r->resumed[i] = !r->ask->chunk->wanted[i];
	return true;
}

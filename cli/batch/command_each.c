/* `run --each`: measures the same points on each of several devices of this machine, and compares the devices. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "cli/batch/batch_plan.h"
#include "cli/batch/batch_report.h"
#include "cli/batch/local_tasks.h"
#include "cli/run/clock_options.h"
#include "cli/run/device_choice.h"
#include "cli/run/run_each.h"

static bool prepare_folder(struct batch *b, const struct run_each *ask, const struct device_choice *c, struct err *e)
{
	struct batch_request q = {.device = c->names[0],
		.counters = ask->counters,
		.folder = ask->folder,
		.metric = ask->metric,
		.lock_clocks = ask->lock_clocks,
		.stop = ask->stop,
		.flush_l2 = ask->flush_l2,
		.no_verify = ask->no_verify,
		.trust = ask->trust,
		.options = json_array(),
		.words = *ask->words};
	json_t *list = json_array(), *fleet = json_pack("{s:o}", "devices", list);
	for (int i = 0; i < c->count; i++)
		json_array_append_new(list, json_utf8_string(c->names[i]));
	bool ok = batch_prepare(b, &q, fleet, e);
	json_decref(fleet);
	json_decref(q.options);
	return ok;
}

static bool measure_each(const struct batch *b, struct err *e)
{
	int count = batch_task_count(b);
	bool *all = xcalloc((size_t)count, sizeof *all);
	for (int i = 0; i < count; i++)
		all[i] = true;
	command_printf_error("%d devices, folder %s", count, b->folder);
	bool ok = local_tasks_run(b, all, e);
	free(all);
	return ok;
}

static bool choose_several_devices(struct device_choice *c, const char *const *named, const char *clock, struct err *e)
{
	if (!device_choice_make(c, named, true, e))
		return false;
	for (int i = 0; i < c->count; i++)
		if (!device_name_check_deep(c->names[i], e))
			return false;
	if (!command_check_clocks(clock, c->names, c->count, e))
		return false;
	return c->count > 1 ||
		err_set(e, ST_REQUEST,
			"--each compares devices, and there is one, %.60s; name several: --device hip:0 --device hip:1",
			c->names[0]);
}

int command_run_each(const struct run_each *ask)
{
	struct err e = {0};
	struct batch b = {0};
	struct device_choice c;
	int status;
	if (choose_several_devices(&c, ask->devices, ask->lock_clocks, &e) && prepare_folder(&b, ask, &c, &e) &&
		measure_each(&b, &e))
		status = batch_report(&b, &(struct gather_request){.format = ask->format});
	else
		status = command_report_failure(&e);
	device_choice_free(&c);
	batch_free(&b);
	return status;
}

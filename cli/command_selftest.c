/* `devices --test [DEVICE]`: tests how precise the device's measurements are. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/backends/backend.h"
#include "gpu/controller/selftest.h"
#include "gpu/protocol/point_record.h"
#include "cli/cli_support.h"
#include "cli/command_devices.h"

static const char *const verdicts[] = {[SELFTEST_GOOD] = "good", [SELFTEST_NOTE] = "note", [SELFTEST_BAD] = "bad"};

/* The point record of the job, owned by the caller; NULL if the worker crashed or the user interrupted. */
static json_t *wait_for_job(struct worker_pool *w, int number, struct err *e)
{
	for (;;) {
		command_pump_workers(w);
		for (json_t *r; (r = worker_pool_next_record(w)); json_decref(r))
			if (!strcmp(record_get_type(r), "point") && record_get_job(r) == number)
				return r;
		if (worker_pool_state(w) == WORKER_DEAD) {
			err_set(e, ST_FAILED, "%s", worker_pool_crash_text(w));
			return NULL;
		}
		if (command_interrupted) {
			worker_pool_cancel(w);
			err_set(e, ST_INTERRUPTED, "interrupted");
			return NULL;
		}
	}
}

static void report_selftest(enum selftest t, const struct selftest_result *r, json_t *all, bool json)
{
	char value[48];
	selftest_format_value(t, r->value, value, sizeof value);
	json_t *o = json_pack("{s:s,s:s,s:s,s:s}", "check", selftest_title(t), "unit", selftest_unit(t), "verdict",
		verdicts[r->verdict], "text", r->text);
	record_set_reading(o, "value", r->value);
	json_array_append_new(all, o);
	if (!json)
		printf("%-5s %-22s %12s  %s\n", verdicts[r->verdict], selftest_title(t), value, r->text);
	fflush(stdout);
}

static int run_selftests(struct worker_pool *w, const char *device, json_t *all, bool json, struct err *e)
{
	bool soft = device_can(device, DEVICE_REDUCED_SIZES), bad = false;
	for (int t = 0; t < SELFTEST_COUNT; t++) {
		progress_show(selftest_title((enum selftest)t));
		worker_pool_send(w, selftest_make_job((enum selftest)t, t + 1, soft));
		json_t *point = wait_for_job(w, t + 1, e);
		progress_clear();
		if (!point)
			return command_report_failure(e);
		struct selftest_result r = selftest_evaluate((enum selftest)t, point, worker_pool_device_record(w));
		json_decref(point);
		report_selftest((enum selftest)t, &r, all, json);
		bad |= r.verdict == SELFTEST_BAD;
	}
	return bad ? ST_FAILED : ST_OK;
}

int command_devices_test(const char *device, bool json)
{
	struct err e = {0};
	json_t *all = json_array();
	command_catch_interrupts();
	int status;
	if (device_can(device, DEVICE_RECORDING))
		err_set(&e, ST_REQUEST, "a recording cannot be tested; name a device such as soft:mi25 or hip:0");
	else
		device_name_check(device, &e);
	struct worker_pool *w = e.text[0] ? NULL : command_start_workers(device, 1, &e);
	if (!w)
		status = command_report_failure(&e);
	else
		status = run_selftests(w, device, all, json, &e);
	if (w && json)
		command_print_json(json_incref(all));
	worker_pool_close(w);
	json_decref(all);
	return status;
}

#include "cli/run/launch_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/backends/backend.h"
#include "base/atomic_file.h"
#include "gpu/protocol/record.h"
#include "cli/cli_support.h"
#include "experiments/analysis/issued_code.h"
#include "experiments/analysis/wave_spans.h"

enum { SPANS_MOST = 100000, SLOTS = 16 /* thread numbers per SIMD */ };

bool timeline_check_device(const char *device, struct err *e)
{
	return device_can(device, DEVICE_INSPECTOR) ||
		err_set(e, ST_REQUEST, "--timeline is not supported by %s; use --device soft:mi25", device);
}

json_t *timeline_request(const char *cu, struct err *e)
{
	char *end = NULL;
	unsigned long n = cu ? strtoul(cu, &end, 10) : 0;
	bool all = cu && !strcmp(cu, "all");
	if (cu && !all && (end == cu || *end || n >= CUS_MAX)) {
		err_set(e, ST_REQUEST, "--cu needs the number of a compute unit or all, not '%s'", cu);
		return NULL;
	}
	json_t *waves = json_pack("{s:i}", "most", SPANS_MOST);
	if (!all)
		json_object_set_new(waves, "cu", json_integer((json_int_t)n));
	return json_pack("{s:o}", "waves", waves);
}

static json_int_t span_field(const json_t *row, size_t i)
{
	return json_integer_value(json_array_get(row, i));
}

static json_t *make_span_event(const struct issued_code *c, const json_t *s, double us)
{
	bool issue = span_field(s, 7);
	const char *cause = issued_code_stall_name(c, (int)span_field(s, 5));
	return json_pack("{s:s,s:s,s:s,s:f,s:f,s:i,s:i,s:{s:i,s:I,s:I,s:s}}", "name", cause, "cat",
		issue ? "issue" : "wait", "ph", "X", "ts", (double)span_field(s, 3) * us, "dur",
		(double)(span_field(s, 4) - span_field(s, 3)) * us, "pid", (int)span_field(s, 8), "tid",
		(int)(span_field(s, 1) * SLOTS + span_field(s, 2)), "args", "wave", (int)span_field(s, 0), "cycle",
		span_field(s, 3), "cycles", span_field(s, 4) - span_field(s, 3), "instruction",
		issued_code_text(c, span_field(s, 6)));
}

static json_t *make_name_event(const char *what, int pid, int tid, const char *name)
{
	return json_pack(
		"{s:s,s:s,s:i,s:i,s:{s:s}}", "name", what, "ph", "M", "pid", pid, "tid", tid, "args", "name", name);
}

/* The last stores of a wave may complete after another wave has taken its slot. Events of a thread must not overlap, so
 * the earlier span ends where the next one begins. */
static void cut_overlap(json_t *last, double ts)
{
	double start = json_real_value(json_object_get(last, "ts"));
	if (last && start + json_real_value(json_object_get(last, "dur")) > ts)
		json_object_set_new(last, "dur", json_real(ts > start ? ts - start : 0));
}

/* Adds an event, and the names of its CU and wave slot when they first occur. Spans arrive wave by wave, so those of a
 * slot are in the order of time. */
static void add_event(json_t *events, json_t *slots, json_t *e, int simd, int slot)
{
	int cu = (int)json_integer_value(json_object_get(e, "pid"));
	char key[48], name[48];
	snprintf(key, sizeof key, "%d", cu);
	snprintf(name, sizeof name, "CU %d", cu);
	if (!json_object_get(slots, key))
		json_array_append_new(events, make_name_event("process_name", cu, 0, name));
	json_object_set_new(slots, key, json_true());
	snprintf(key, sizeof key, "%d.%d.%d", cu, simd, slot);
	snprintf(name, sizeof name, "SIMD %d slot %d", simd, slot);
	if (!json_object_get(slots, key))
		json_array_append_new(events, make_name_event("thread_name", cu, simd * SLOTS + slot, name));
	cut_overlap(json_object_get(slots, key), json_real_value(json_object_get(e, "ts")));
	json_object_set(slots, key, e);
	json_array_append_new(events, e);
}

static json_t *make_trace(const json_t *point, double mhz)
{
	const json_t *inside = json_object_get(point, "inside"), *waves = json_object_get(inside, "waves"),
		     *spans = json_object_get(waves, "spans");
	struct issued_code code = {0};
	json_t *events = json_array(), *slots = json_object();
	issued_code_read(&code, inside);
	for (size_t i = 0; i < json_array_size(spans); i++) {
		const json_t *s = json_array_get(spans, i);
		add_event(events, slots, make_span_event(&code, s, 1 / mhz), (int)span_field(s, 1),
			(int)span_field(s, 2));
	}
	issued_code_free(&code);
	json_decref(slots);
	return json_pack("{s:o,s:s,s:{s:s,s:O,s:f,s:O,s:O}}", "traceEvents", events, "displayTimeUnit", "ns",
		"otherData", "experiment", record_get_text(point, "experiment"), "params",
		json_object_get(point, "params"), "sclk_mhz", mhz, "cycles", json_object_get(inside, "cycles"),
		"cycles_a_span_at_least", json_object_get(waves, "grain"));
}

static void print_trace(FILE *out, const void *trace)
{
	json_dumpf(trace, out, JSON_COMPACT | JSON_REAL_PRECISION(12));
}

bool timeline_write_trace(const char *path, const json_t *point, struct err *e)
{
	struct reading mhz = record_get_clocks(point).sclk_mhz;
	const json_t *waves = json_object_get(json_object_get(point, "inside"), "waves");
	if (!waves)
		return err_set(e, ST_FAILED, "cannot write %s: the launch recorded no waves", path);
	json_int_t grain = json_integer_value(json_object_get(waves, "grain"));
	if (grain)
		command_printf_error(
			"the launch is too long to record every span; %s shows the main activity of each wave in every %lld cycles",
			path, (long long)grain);
	if (!json_array_size(json_object_get(waves, "spans")))
		command_printf_error("%s is empty: no wave ran on that CU; use --cu all", path);
	json_t *trace = make_trace(point, mhz.valid && mhz.value > 0 ? mhz.value : 1000);
	bool ok = file_write_atomic(path, print_trace, trace, "; choose another file", e);
	json_decref(trace);
	return ok;
}

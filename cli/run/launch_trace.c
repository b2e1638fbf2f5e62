#include "cli/run/launch_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/backends/backend.h"
#include "base/atomic_file.h"
#include "base/buf.h"
#include "base/trace/trace_events.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "cli/cli_support.h"
#include "experiments/analysis/issued_code.h"
#include "experiments/analysis/timeline/wave_spans.h"

enum { SPANS_MOST = 100000, SIMDS = 4, SLOTS = 16 /* thread numbers per SIMD */ };

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

/* A launch's spans, with the times at which they end on the screen. */
struct launch_spans {
	const json_t *point, *rows;
	struct issued_code code;
	double mhz;
	json_int_t *end; /* of each row */
	size_t *last;    /* by wave slot: one more than the last row so far, or 0 */
};

static int thread_of(const json_t *row)
{
	return (int)(span_field(row, 1) * SLOTS + span_field(row, 2));
}

static size_t *last_of_slot(const struct launch_spans *l, const json_t *row)
{
	size_t cu = (size_t)span_field(row, 8) % CUS_MAX, slot = (size_t)thread_of(row) % (SIMDS * SLOTS);
	return &l->last[cu * SIMDS * SLOTS + slot];
}

/* The last stores of a wave may complete after another wave has taken its slot. Spans of a thread must not overlap, so
 * the earlier span ends where the next one begins. Spans arrive wave by wave, so those of a slot are in the order of
 * time. */
static void cut_overlaps(struct launch_spans *l)
{
	for (size_t i = 0; i < json_array_size(l->rows); i++) {
		const json_t *row = json_array_get(l->rows, i);
		size_t *last = last_of_slot(l, row);
		json_int_t start = span_field(row, 3);
		l->end[i] = span_field(row, 4);
		if (*last && l->end[*last - 1] > start)
			l->end[*last - 1] = start;
		*last = i + 1;
	}
	memset(l->last, 0, CUS_MAX * SIMDS * SLOTS * sizeof *l->last);
}

static uint64_t to_ps(const struct launch_spans *l, json_int_t cycle)
{
	return (uint64_t)((double)cycle * 1e6 / l->mhz + 0.5);
}

/* Names a CU and a wave slot when they first occur. */
static void name_slot(struct trace_writer *t, const struct launch_spans *l, const json_t *row)
{
	int cu = (int)span_field(row, 8);
	size_t *of_slot = last_of_slot(l, row), *of_cu = of_slot - (of_slot - l->last) % (SIMDS * SLOTS);
	char name[48];
	bool known = false;
	for (int k = 0; k < SIMDS * SLOTS; k++)
		known |= of_cu[k] != 0;
	snprintf(name, sizeof name, "CU %d", cu);
	if (!known)
		trace_events_name_process(t, cu, name);
	snprintf(name, sizeof name, "SIMD %d slot %d", (int)span_field(row, 1), (int)span_field(row, 2));
	if (!*of_slot)
		trace_events_name_thread(t, cu, thread_of(row), name);
	*of_slot = 1;
}

static void write_span(struct trace_writer *t, const struct launch_spans *l, const json_t *row, json_int_t end)
{
	json_int_t start = span_field(row, 3);
	trace_events_begin_span(t,
		&(struct trace_span){issued_code_stall_name(&l->code, (int)span_field(row, 5)),
			span_field(row, 7) ? "issue" : "wait", (int)span_field(row, 8), thread_of(row), to_ps(l, start),
			to_ps(l, end)});
	trace_events_add_number(t, "wave", (uint64_t)span_field(row, 0));
	trace_events_add_number(t, "cycle", (uint64_t)start);
	trace_events_add_number(t, "cycles", (uint64_t)(span_field(row, 4) - start));
	trace_events_add_text(t, "instruction", issued_code_text(&l->code, span_field(row, 6)));
	trace_events_end_span(t);
}

static char *describe_launch(const struct launch_spans *l)
{
	const json_t *inside = record_get_inside(l->point);
	json_t *o = json_pack("{s:s,s:O,s:f,s:O,s:O}", "experiment", record_get_experiment(l->point), "params",
		record_get_params(l->point), "sclk_mhz", l->mhz, "cycles", json_object_get(inside, "cycles"),
		"cycles_a_span_at_least", json_object_get(json_object_get(inside, "waves"), "grain"));
	char *text = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(12));
	json_decref(o);
	return text;
}

static void print_trace(FILE *out, const void *ctx)
{
	const struct launch_spans *l = ctx;
	struct trace_writer t;
	char *other = describe_launch(l);
	trace_events_begin(&t, out);
	for (size_t i = 0; i < json_array_size(l->rows); i++) {
		const json_t *row = json_array_get(l->rows, i);
		name_slot(&t, l, row);
		write_span(&t, l, row, l->end[i]);
	}
	trace_events_end(&t, other);
	free(other);
}

static bool write_spans(const char *path, const json_t *point, double mhz, struct err *e)
{
	const json_t *inside = record_get_inside(point);
	struct launch_spans l = {.point = point, .mhz = mhz};
	l.rows = json_object_get(json_object_get(inside, "waves"), "spans");
	l.end = xcalloc(json_array_size(l.rows) + 1, sizeof *l.end);
	l.last = xcalloc(CUS_MAX * SIMDS * SLOTS, sizeof *l.last);
	issued_code_read(&l.code, inside);
	cut_overlaps(&l);
	bool ok = file_write_atomic(path, print_trace, &l, "; choose another file", e);
	issued_code_free(&l.code);
	free(l.end);
	free(l.last);
	return ok;
}

bool timeline_write_trace(const char *path, const json_t *point, struct err *e)
{
	struct reading mhz = record_get_clocks(point).sclk_mhz;
	const json_t *waves = json_object_get(record_get_inside(point), "waves");
	if (!waves)
		return err_set(e, ST_FAILED, "cannot write %s: the launch recorded no waves", path);
	json_int_t grain = json_integer_value(json_object_get(waves, "grain"));
	if (grain)
		command_printf_error(
			"the launch is too long to record every span; %s shows the main activity of each wave in every %lld cycles",
			path, (long long)grain);
	if (!json_array_size(json_object_get(waves, "spans")))
		command_printf_error("%s is empty: no wave ran on that CU; use --cu all", path);
	return write_spans(path, point, mhz.valid && mhz.value > 0 ? mhz.value : 1000, e);
}

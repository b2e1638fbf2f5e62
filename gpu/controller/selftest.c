/* The jobs of the self-test, and verdicts on their results. */
#include "gpu/controller/selftest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "gpu/backends/backend.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"

static const struct {
	const char *id, *title, *unit;
} tests[SELFTEST_COUNT] = {
#define SELFTEST_ROW(id, title, unit) {#id, title, unit},
	SELFTESTS(SELFTEST_ROW)
#undef SELFTEST_ROW
};

const char *selftest_title(enum selftest t)
{
	return tests[t].title;
}
const char *selftest_unit(enum selftest t)
{
	return tests[t].unit;
}

/* --- jobs --- */
enum { BLOCK = 256, COPY_REDUCED = 1 << 24 /* larger than the caches */, COPY_FULL = 1 << 26 /* bytes */ };

static json_t *float_buffer(const char *name, json_int_t count)
{
	return json_pack("{s:s,s:s,s:I}", "name", name, "type", "float", "count", count);
}

/* The kernel copies one float per work-item. */
static json_t *copy_job(json_int_t bytes)
{
	json_int_t count = bytes / 4;
	return json_pack(
		"{s:{s:s,s:s,s:s}, s:[o,o], s:[{s:s,s:s},{s:s,s:s},{s:s,s:i},{s:s,s:i}], s:[I,i,i], s:[i,i,i]}",
		"kernel", "file", "copy.hip", "defines", "", "entry", "copy_offset", "buffers",
		float_buffer("in", count), float_buffer("out", count), "args", "type", "const float *", "buffer", "in",
		"type", "float *", "buffer", "out", "type", "unsigned", "value", 0, "type", "unsigned", "value", 0,
		"grid", count / BLOCK, 1, 1, "block", BLOCK, 1, 1);
}

static json_t *empty_job(void)
{
	return json_pack("{s:{s:s,s:s,s:s}, s:[{s:s,s:s,s:i}], s:[{s:s,s:s}], s:[i,i,i], s:[i,i,i]}", "kernel", "file",
		"dispatch.hip", "defines", "", "entry", "dispatch", "buffers", "name", "unused", "type", "int", "count",
		1, "args", "type", "int *", "buffer", "unused", "grid", 1, 1, 1, "block", 64, 1, 1);
}

json_t *selftest_make_job(enum selftest t, int number, bool reduced)
{
	json_int_t bytes = reduced ? COPY_REDUCED : COPY_FULL;
	json_t *job = t >= SELFTEST_TO_DEVICE ? copy_job(bytes) : empty_job(), *rest;
	rest = json_pack("{s:s,s:i,s:i,s:s,s:{},s:i,s:n,s:b,s:{s:i,s:i,s:f,s:i},s:s}", "type", "job", "job", number,
		"point", (int)t, "experiment", "self-test", "params", "dynamic_lds", 0, "reference", "verify", false,
		"samples", "min", 5, "max", 30, "target", 0.01, "seconds", 1, "self_test", tests[t].id);
	json_object_update(job, rest);
	json_decref(rest);
	return job;
}

/* --- verdicts --- */
char *selftest_format_value(enum selftest t, struct reading value, char *out, size_t size)
{
	static const struct {
		double least, factor;
		const char *unit;
	} times[] = {{1e-3, 1e3, "ms"}, {1e-6, 1e6, "us"}, {0, 1e9, "ns"}};
	int i = 0;
	snprintf(out, size, "--");
	if (!value.valid)
		return out;
	if (!strcmp(tests[t].unit, "B/s"))
		snprintf(out, size, value.value >= 1e9 ? "%.1f GB/s" : "%.1f MB/s",
			value.value / (value.value >= 1e9 ? 1e9 : 1e6));
	else if (!*tests[t].unit)
		snprintf(out, size, "%.4f", value.value);
	else {
		while (value.value < times[i].least)
			i++;
		snprintf(out, size, "%.4g %s", value.value * times[i].factor, times[i].unit);
	}
	return out;
}

static void set_verdict(struct selftest_result *r, enum selftest_verdict v, const char *text)
{
	r->verdict = v;
	snprintf(r->text, sizeof r->text, "%s", text);
}

static void judge_timer(struct selftest_result *r, const json_t *device)
{
	struct reading khz = record_get_reading(device_get_properties(device), "timer_khz");
	double step = khz.valid && khz.value > 0 ? 1e-3 / khz.value : 0, steps = step > 0 ? r->value.value / step : 0;
	if (!step)
		set_verdict(r, SELFTEST_NOTE,
			device_is_deterministic(device)
				? "the runtime reports no timer frequency to compare with"
				: "the runtime reports no timer frequency; a sample of a short point has several launches");
	else if (fabs(steps - round(steps)) < 0.1 * fmax(round(steps), 1) && steps > 0.5)
		snprintf(r->text, sizeof r->text,
			"%.0f tick%s of the %.4g MHz timer; points should take at least 100 times as long",
			round(steps), round(steps) == 1 ? "" : "s", khz.value / 1e3);
	else
		set_verdict(r, SELFTEST_NOTE,
			steps < 0.5 ? "finer than the timer frequency that the runtime reports"
				    : "not a whole number of ticks of the timer frequency that the runtime reports");
}

static void judge_wall(struct selftest_result *r, bool deterministic)
{
	double off = fabs(r->value.value - 1);
	if (deterministic)
		set_verdict(r, SELFTEST_NOTE,
			"virtual time per second of host time: shows only how fast the host simulates");
	else if (off <= 0.02)
		set_verdict(r, SELFTEST_GOOD, "event time and host time agree");
	else
		set_verdict(r, off > 0.1 ? SELFTEST_BAD : SELFTEST_NOTE,
			"event time and host time differ: other work ran on the device, or its timer has another frequency");
}

static void judge_launch(struct selftest_result *r)
{
	bool good = r->value.value < 1e-3;
	set_verdict(r, good ? SELFTEST_GOOD : SELFTEST_BAD,
		good ? "every measured launch contains this overhead"
		     : "more than 1 ms; other work runs on the device");
}

static void judge_link(struct selftest_result *r)
{
	bool good = r->value.value > 1e9;
	set_verdict(r, good ? SELFTEST_GOOD : SELFTEST_NOTE,
		good ? "PCIe transfer" : "slow for PCIe; does the slot have fewer lanes than the card?");
}

static void judge_on_device(struct selftest_result *r, const json_t *device)
{
	double peak = device_record_bandwidth(device), part = peak > 0 ? r->value.value / peak : 0;
	if (peak <= 0)
		set_verdict(r, SELFTEST_NOTE, "the runtime reports no memory clock or bus width to compare with");
	else
		snprintf(r->text, sizeof r->text, "%.0f %% of %.0f GB/s%s", 100 * part, peak / 1e9,
			part > 1             ? "; a cache contributed"
				: part < 0.5 ? "; the copy is small, or other work runs"
					     : "");
	if (part > 0 && part < 0.3 && !device_is_deterministic(device))
		r->verdict = SELFTEST_BAD;
}

struct selftest_result selftest_evaluate(enum selftest t, const json_t *point, const json_t *device)
{
	bool deterministic = device_is_deterministic(device);
	struct selftest_result r = {.value = record_get_reading(point, "value"), .verdict = SELFTEST_GOOD};
	if (!r.value.valid) {
		set_verdict(&r, SELFTEST_BAD, *point_get_error(point) ? point_get_error(point) : "no result");
		return r;
	}
	if (r.value.value <= 0) {
		set_verdict(&r, SELFTEST_BAD, "took no time; this device has no timing");
		return r;
	}
	switch (t) {
	case SELFTEST_TIMER: judge_timer(&r, device); break;
	case SELFTEST_LAUNCH: judge_launch(&r); break;
	case SELFTEST_NEXT:
		set_verdict(&r, SELFTEST_GOOD, "overhead per launch when launches follow each other");
		break;
	case SELFTEST_WALL: judge_wall(&r, deterministic); break;
	case SELFTEST_TO_DEVICE:
	case SELFTEST_TO_HOST: judge_link(&r); break;
	case SELFTEST_ON_DEVICE: judge_on_device(&r, device); break;
	case SELFTEST_COUNT: break;
	}
	return r;
}

#include "experiments/analysis/roofline/roofline_point.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiments/definition/experiment.h"
#include "gpu/backends/backend.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"

const char *const roofline_counters[] = {
	"SQ_INSTS_VALU", "SQ_INSTS_SALU", "FETCH_SIZE", "WRITE_SIZE", "TCC_HIT_sum", "TCC_MISS_sum", NULL};

enum { WAVE_LANES = 64 /* where the record does not tell */, LEAST_BYTES = 1024 /* the counters count in KiB */ };

/* Wave instructions that a CU of HIP issues in a cycle. On GCN and CDNA each of four SIMDs takes four cycles for a wave
 * of 64 lanes. From RDNA on, HIP counts WGPs: two CUs with two SIMDs of 32 lanes each, which issue every cycle. */
struct issue_rate {
	const char *arch; /* prefix of the target */
	double waves;
	int cus; /* that HIP counts as one */
};
static const struct issue_rate issue_rates[] = {{"gfx9", 1, 1}, {"gfx1", 4, 2}};

static bool text_begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* --- operations --- */
static void count_flops(const json_t *record, double flops[FLOAT_KIND_COUNT])
{
	const json_t *list = json_object_get(point_get_profile(record), "instructions"), *line;
	struct reading wave_size = record_get_reading(point_get_code(record), "wave_size");
	const unsigned lanes = wave_size.valid ? (unsigned)wave_size.value : WAVE_LANES;
	enum float_kind kind = VECTOR_F32;
	size_t i;
	memset(flops, 0, FLOAT_KIND_COUNT * sizeof *flops);
	json_array_foreach(list, i, line)
	{
		double each = instruction_flops(record_get_text(line, "text"), lanes, &kind);
		flops[kind] += each * record_get_reading(line, "count").value;
	}
}

/* The kind that takes most of the time if each runs at its peak. The peak of a kind that the target's row lacks is that
 * of f32. */
static enum float_kind find_main_kind(const char *arch, const double flops[FLOAT_KIND_COUNT])
{
	enum float_kind most = VECTOR_F32;
	double longest = 0;
	for (int k = 0; k < FLOAT_KIND_COUNT; k++) {
		double roof = float_roof(arch, (enum float_kind)k);
		if (roof > 0 && flops[k] / roof > longest) {
			longest = flops[k] / roof;
			most = (enum float_kind)k;
		}
	}
	return most;
}

/* --- the device --- */
static const struct issue_rate *find_issue_rate(const char *arch)
{
	size_t count = sizeof issue_rates / sizeof *issue_rates;
	for (size_t i = 0; i < count; i++)
		if (text_begins(arch, issue_rates[i].arch))
			return &issue_rates[i];
	return &issue_rates[0];
}

double roofline_count_processors(const char *arch, double cus)
{
	return cus / find_issue_rate(arch)->cus;
}

enum { L2_REQUEST_BYTES = 64 /* of the counters TCC_HIT and TCC_MISS */ };

/* A channel of the L2 returns a line in some cycles of the core clock; only software GPUs name these constants. */
static double find_l2_bandwidth(const json_t *device, double clock)
{
	const json_t *constants = json_object_get(device, "constants");
	struct reading channels = record_get_reading(constants, "l2_channels"),
		       bytes = record_get_reading(constants, "l2_line_bytes"),
		       cycles = record_get_reading(constants, "l2_line_cycles");
	return channels.valid && bytes.valid && cycles.valid && cycles.value > 0
		? channels.value * bytes.value / cycles.value * clock
		: 0;
}

bool roofline_read_limits(const json_t *record, const json_t *device, struct roofline_point *out)
{
	const json_t *properties = device_get_properties(device);
	struct reading cus = record_get_reading(properties, "compute_units"),
		       clock = record_get_reading(record, "sclk_mhz");
	if (!clock.valid)
		clock = record_get_reading(properties, "sclk_mhz");
	const struct issue_rate *rate = find_issue_rate(device_get_arch(device));
	double cycles = cus.value * clock.value * 1e6;
	out->peak[ROOFLINE_INSTRUCTIONS] = cycles * rate->waves;
	for (int k = 0; k < FLOAT_KIND_COUNT; k++)
		out->roofs[k] = cycles * float_roof(device_get_arch(device), (enum float_kind)k);
	out->peak[ROOFLINE_FLOPS] = out->roofs[out->kind];
	out->bandwidth = device_record_bandwidth(device);
	out->l2_bandwidth = find_l2_bandwidth(device, clock.value * 1e6);
	return cus.valid && clock.valid && out->bandwidth > 0;
}

/* --- the point --- */
bool roofline_point_read(const json_t *record, const json_t *device, struct roofline_point *out, struct err *e)
{
	const json_t *counters = point_get_counters(record);
	struct reading valu = record_get_reading(counters, "SQ_INSTS_VALU"),
		       salu = record_get_reading(counters, "SQ_INSTS_SALU"),
		       fetched = record_get_reading(counters, "FETCH_SIZE"),
		       written = record_get_reading(counters, "WRITE_SIZE");
	*out = (struct roofline_point){.seconds = point_sample_stats(record).median};
	if (!point_is_ok(record))
		return err_set(e, ST_FAILED, "the point failed: %s", point_get_error(record));
	if (out->seconds <= 0)
		return err_set(e, ST_FAILED, "this experiment launches no kernel, so it has no place on a roofline");
	if (!valu.valid || !salu.valid || !fetched.valid || !written.valid)
		return err_set(e, ST_FAILED,
			"this device does not count instructions and bytes; use a software GPU such as soft:mi25");
	double flops[FLOAT_KIND_COUNT];
	count_flops(record, flops);
	out->kind = find_main_kind(device_get_arch(device), flops);
	for (int k = 0; k < FLOAT_KIND_COUNT; k++)
		out->operations[ROOFLINE_FLOPS] += flops[k];
	if (!roofline_read_limits(record, device, out))
		return err_set(e, ST_FAILED, "the clock, the CUs or the memory of this device are not known");
	out->bytes = fmax(LEAST_BYTES, (fetched.value + written.value) * 1024);
	struct reading hits = record_get_reading(counters, "TCC_HIT_sum"),
		       misses = record_get_reading(counters, "TCC_MISS_sum");
	if (hits.valid && misses.valid)
		out->l2_bytes = (hits.value + misses.value) * L2_REQUEST_BYTES;
	out->operations[ROOFLINE_INSTRUCTIONS] = valu.value + salu.value;
	return true;
}

double roofline_intensity(const struct roofline_point *p, enum roofline_unit unit)
{
	return p->operations[unit] / p->bytes;
}

double roofline_l2_intensity(const struct roofline_point *p, enum roofline_unit unit)
{
	return p->l2_bytes > 0 && p->l2_bandwidth > 0 ? p->operations[unit] / p->l2_bytes : 0;
}

double roofline_achieved(const struct roofline_point *p, enum roofline_unit unit)
{
	return p->operations[unit] / p->seconds;
}

double roofline_limit(const struct roofline_point *p, enum roofline_unit unit, double intensity)
{
	return fmin(p->peak[unit], p->bandwidth * intensity);
}

char *roofline_format_verdict(const struct roofline_point *p, enum roofline_unit unit, char *out, size_t size)
{
	double x = roofline_intensity(p, unit);
	bool flat = p->peak[unit] < p->bandwidth * x;
	double part = x > 0 ? roofline_achieved(p, unit) / roofline_limit(p, unit, x) : 0;
	const char *roof = flat ? "peak" : "memory bandwidth";
	if (x <= 0)
		snprintf(out, size, "no floating-point operations%s",
			p->operations[ROOFLINE_INSTRUCTIONS] > 0 ? "; u counts instructions" : "");
	else if (part < 0.5)
		snprintf(out, size, "latency-bound: %.2g %% of the %s", 100 * part, roof);
	else
		snprintf(out, size, "%s-bound: %.0f %% of the %s", flat ? "compute" : "memory", 100 * part, roof);
	return out;
}

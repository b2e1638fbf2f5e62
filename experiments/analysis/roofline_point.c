#include "experiments/analysis/roofline_point.h"

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

/* What a CU of HIP issues in a cycle. On GCN and CDNA each of four SIMDs takes four cycles for a wave of 64 lanes. From
 * RDNA on, HIP counts WGPs: two CUs with two SIMDs of 32 lanes each, which issue every cycle; RDNA3's dual instructions
 * do two operations per lane (AMD's ISA guides; "RDNA3" in AMD's architecture papers). */
struct issue_rate {
	const char *arch;             /* prefix of the target */
	double waves, lanes, at_once; /* wave instructions, lanes that compute, operations of an instruction */
};
static const struct issue_rate issue_rates[] = {
	{"gfx9", 1, 64, 1}, {"gfx10", 4, 128, 1}, {"gfx11", 4, 128, 2}, {"gfx12", 4, 128, 2}};

enum { FMA_FLOPS = 2 };

/* --- operations --- */
static bool text_begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* The type at the end of the mnemonic: "_f32" in "v_add_f32_e32". */
static bool has_float_type(const char *text)
{
	size_t n = strcspn(text, " ");
	for (size_t i = 0; i + 4 <= n; i++)
		if (text_begins(text + i, "_f16") || text_begins(text + i, "_f32") || text_begins(text + i, "_f64"))
			return true;
	return false;
}

static int operation_flops(const char *text)
{
	static const struct {
		const char *begins;
		int flops;
	} kinds[] = {{"fma", 2}, {"fmac", 2}, {"mad", 2}, {"mac", 2}, {"add_f", 1}, {"sub_f", 1}, {"subrev_f", 1},
		{"mul_f", 1}, {"mul_legacy_f", 1}, {"min_f", 1}, {"max_f", 1}, {"rcp_f", 1}, {"rsq_f", 1},
		{"sqrt_f", 1}, {"exp_f", 1}, {"log_f", 1}, {"sin_f", 1}, {"cos_f", 1}, {"div_fmas", 2}};
	if (!text_begins(text, "v_") || !has_float_type(text))
		return 0;
	text += strlen("v_");
	int values = text_begins(text, "pk_") ? 2 : 1;
	text += values > 1 ? strlen("pk_") : text_begins(text, "dual_") ? strlen("dual_") : 0;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (text_begins(text, kinds[i].begins))
			return values * kinds[i].flops;
	return 0;
}

/* "v_dual_add_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v4, v5" is two operations. */
int instruction_flops(const char *text)
{
	const char *second = strstr(text, ":: ");
	return operation_flops(text) + (second ? operation_flops(second + strlen(":: ")) : 0);
}

static double count_flops(const json_t *record)
{
	const json_t *list = json_object_get(point_get_profile(record), "instructions"), *line;
	struct reading lanes = record_get_reading(point_get_code(record), "wave_size");
	double flops = 0;
	size_t i;
	json_array_foreach(list, i, line) flops +=
		instruction_flops(record_get_text(line, "text")) * record_get_reading(line, "count").value;
	return flops * (lanes.valid ? lanes.value : WAVE_LANES);
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

static bool read_limits(const json_t *record, const json_t *device, struct roofline_point *out)
{
	const json_t *properties = json_object_get(device, "properties");
	struct reading cus = record_get_reading(properties, "compute_units"),
		       clock = record_get_reading(record, "sclk_mhz");
	if (!clock.valid)
		clock = record_get_reading(properties, "sclk_mhz");
	const struct issue_rate *rate = find_issue_rate(device_get_arch(device));
	double cycles = cus.value * clock.value * 1e6;
	out->peak[ROOFLINE_INSTRUCTIONS] = cycles * rate->waves;
	out->peak[ROOFLINE_FLOPS] = cycles * rate->lanes * rate->at_once * FMA_FLOPS;
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
	if (!read_limits(record, device, out))
		return err_set(e, ST_FAILED, "the clock, the CUs or the memory of this device are not known");
	out->bytes = fmax(LEAST_BYTES, (fetched.value + written.value) * 1024);
	struct reading hits = record_get_reading(counters, "TCC_HIT_sum"),
		       misses = record_get_reading(counters, "TCC_MISS_sum");
	if (hits.valid && misses.valid)
		out->l2_bytes = (hits.value + misses.value) * L2_REQUEST_BYTES;
	out->operations[ROOFLINE_INSTRUCTIONS] = valu.value + salu.value;
	out->operations[ROOFLINE_FLOPS] = count_flops(record);
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
		snprintf(out, size, "no floating-point operations; u counts instructions");
	else if (part < 0.5)
		snprintf(out, size, "latency-bound: %.2g %% of the %s", 100 * part, roof);
	else
		snprintf(out, size, "%s-bound: %.0f %% of the %s", flat ? "compute" : "memory", 100 * part, roof);
	return out;
}

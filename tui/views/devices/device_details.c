/* The details of a device, line by line, each with its source. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "gpu/softgpu-link/model_table.h"
#include "gpu/backends/backend.h"
#include "gpu/protocol/header_record.h"
#include "tui/views/devices/devices_view.h"
#include "tui/shell/screen_draw.h"

static struct device_detail *add_detail(
	struct device_row *r, const char *name, const char *value, const char *from, const char *help)
{
	r->details = xrealloc(r->details, (size_t)(r->detail_count + 1) * sizeof *r->details);
	struct device_detail *d = &r->details[r->detail_count++];
	*d = (struct device_detail){
		.name = xstrdup(name), .value = xstrdup(value), .from = xstrdup(from), .help = xstrdup(help)};
	return d;
}

/* The unit is the suffix of the property's name. */
static void property_text(const char *key, const json_t *v, char *out, size_t size)
{
	static const struct {
		const char *end, *unit;
	} units[] = {{"_bytes", "B"}, {"_mhz", "MHz"}, {"_khz", "kHz"}, {"_bits", "bit"}};
	size_t n = strlen(key);
	const char *unit = "";
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		size_t k = strlen(units[i].end);
		if (n > k && !strcmp(key + n - k, units[i].end))
			unit = units[i].unit;
	}
	if (json_is_string(v))
		snprintf(out, size, "%s", json_string_value(v));
	else if (json_is_number(v) && !*unit)
		number_format_exact(out, size, json_number_value(v));
	else if (json_is_number(v))
		units_format(out, size, json_number_value(v), unit, 6);
	else
		snprintf(out, size, "--");
}

static void add_properties(struct device_row *r)
{
	const char *key;
	json_t *v;
	char text[160];
	json_object_foreach(device_get_properties(r->record), key, v)
	{
		property_text(key, v, text, sizeof text);
		add_detail(r, key, text, "runtime", json_is_null(v) ? "not reported by the runtime" : "");
	}
	json_object_foreach(device_get_versions(r->record), key, v)
	{
		property_text(key, v, text, sizeof text);
		const char *remark = json_is_null(v) && !strcmp(key, "rocm_smi")
			? "not found: no clocks and no cycles; `wavedeck doctor` shows how to install it"
			: "";
		char *reason =
			!strcmp(key, "runtime") ? strstr(text, ", ") : NULL; /* "kernel driver, without HIP: why" */
		if (reason) {
			*reason = 0;
			remark = reason + 2;
		}
		add_detail(r, key, text, "version", remark);
	}
}

static void add_clocks(struct device_row *r, bool ascii)
{
	const struct {
		const char *name, *unit;
		struct reading v;
	} readings[] = {
		{"sclk now", "MHz", r->clocks.sclk_mhz},
		{"mclk now", "MHz", r->clocks.mclk_mhz},
		{"temperature now", "C", r->clocks.temp_c},
		{"power now", "W", r->clocks.power_w},
	};
	const json_t *versions = device_get_versions(r->record);
	const char *library = json_object_get(versions, "nvml") ? "nvml"
		: json_object_get(versions, "amd_smi")          ? "amd-smi"
								: "rocm-smi";
	char text[64];
	for (size_t i = 0; i < sizeof readings / sizeof *readings; i++)
		add_detail(r, readings[i].name,
			reading_format(readings[i].v, unit_display(readings[i].unit, ascii), text, sizeof text),
			library,
			readings[i].v.valid      ? ""
				: r->told_clocks ? "not available"
						 : "not read yet");
}

static void add_capabilities(struct device_row *r)
{
	bool shows = device_record_can(r->record, DEVICE_INSPECTOR),
	     tunable = device_record_can(r->record, DEVICE_TUNABLE), fixed = device_is_deterministic(r->record);
	bool replay = device_record_can(r->record, DEVICE_RECORDING);
	add_detail(r, "times",
		replay          ? "as recorded"
			: fixed ? "exact, virtual"
				: "real",
		"wavedeck", fixed ? "measured once: times are exact" : "measured until precise");
	add_detail(r, "profiling", shows ? "yes" : "no", "wavedeck",
		shows ? "counters, cycle breakdown, inspector" : "not available on hardware");
	add_detail(r, "constants", tunable ? "yes" : "no", "wavedeck", tunable ? "Enter changes a constant below" : "");
}

static bool set_in_name(const char *device, const char *constant)
{
	size_t n = strlen(constant);
	for (const char *s = strchr(device, ','); s; s = strchr(s, ','))
		if (!strncmp(++s, constant, n) && s[n] == '=')
			return true;
	return false;
}

static void add_constants(struct device_row *r)
{
	char *table = device_can(r->device, DEVICE_TUNABLE) ? softgpu_read_model_table(device_rest(r->device), NULL)
							    : NULL,
	     *save = NULL, *field[CONSTANT_FIELDS];
	for (char *line = table ? strtok_r(table, "\n", &save) : NULL; line; line = strtok_r(NULL, "\n", &save)) {
		softgpu_split_constant(line, field);
		char *value = xasprintf(
			"%s%s%s", field[CONSTANT_VALUE], *field[CONSTANT_UNIT] ? " " : "", field[CONSTANT_UNIT]);
		struct device_detail *d = add_detail(r, field[CONSTANT_NAME], value,
			set_in_name(r->device, field[CONSTANT_NAME]) ? "set by you" : field[CONSTANT_SOURCE],
			field[CONSTANT_HELP]);
		d->alterable = true;
		d->low = xstrdup(field[CONSTANT_LOW]);
		d->high = xstrdup(field[CONSTANT_HIGH]);
		free(value);
	}
	free(table);
}

const struct device_detail *devices_view_details(struct device_row *r, bool ascii, int *count)
{
	if (!r->details && r->record) {
		add_capabilities(r);
		add_clocks(r, ascii);
		add_properties(r);
		add_constants(r);
	}
	*count = r->detail_count;
	return r->details;
}

bool device_format_altered(const char *device, const char *constant, const char *value, char *out, size_t size)
{
	struct buf b = {0};
	size_t n = strlen(constant);
	const char *s = device + strcspn(device, ",");
	buf_add(&b, device, (size_t)(s - device));
	for (; *s; s += strcspn(s, ",")) {
		s++;
		if (strncmp(s, constant, n) || s[n] != '=')
			buf_printf(&b, ",%.*s", (int)strcspn(s, ","), s);
	}
	buf_printf(&b, ",%s=%s", constant, value);
	bool fits = b.len < size;
	if (fits)
		snprintf(out, size, "%s", b.data);
	buf_free(&b);
	return fits;
}

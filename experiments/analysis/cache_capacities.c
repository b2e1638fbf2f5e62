#include "experiments/analysis/cache_capacities.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"

/* Keys in the device record: constants of a software GPU, properties of any device. Ascending within a meaning on every
 * known device. */
static const struct {
	enum param_meaning means;
	const char *name, *part, *key;
} rows[] = {
	{PARAM_MEANS_FOOTPRINT, "L0", "constants", "l0_bytes"},
	{PARAM_MEANS_FOOTPRINT, "L1", "constants", "l1_bytes"},
	{PARAM_MEANS_FOOTPRINT, "L1", "constants", "gl1_bytes"},
	{PARAM_MEANS_FOOTPRINT, "L2", "properties", "l2_bytes"},
	{PARAM_MEANS_FOOTPRINT, "L3", "constants", "l3_bytes"},
	{PARAM_MEANS_STRIDE, "line", "constants", "l2_line_bytes"},
	{PARAM_MEANS_STRIDE, "channel", "constants", "l2_interleave_bytes"},
};

static const char *const meanings[] = {
	[PARAM_MEANS_NOTHING] = "", [PARAM_MEANS_FOOTPRINT] = "footprint", [PARAM_MEANS_STRIDE] = "stride"};

const char *param_meaning_name(enum param_meaning m)
{
	return meanings[m];
}

enum param_meaning param_meaning_of(const char *name)
{
	for (int i = PARAM_MEANS_FOOTPRINT; i <= PARAM_MEANS_STRIDE; i++)
		if (!strcmp(name, meanings[i]))
			return (enum param_meaning)i;
	return PARAM_MEANS_NOTHING;
}

int capacities_list(const json_t *device, enum param_meaning means, struct capacity out[CAPACITIES_MAX])
{
	int n = 0;
	for (size_t i = 0; i < sizeof rows / sizeof *rows && n < CAPACITIES_MAX; i++) {
		struct reading r = record_get_reading(json_object_get(device, rows[i].part), rows[i].key);
		if (rows[i].means == means && r.valid && r.value > 0)
			out[n++] = (struct capacity){rows[i].name, r.value};
	}
	return n;
}

/* "L1 (16 KiB)" */
static char *format_capacity(const struct capacity *c, char out[48])
{
	char bytes[32];
	snprintf(out, 48, "%s (%s)", c->name, units_format(bytes, sizeof bytes, c->bytes, "B", 6));
	return out;
}

static void explain_footprint(
	const struct capacity *list, int n, double value, const char *text, char *out, size_t size)
{
	char below[48], above[48];
	int fits = 0;
	while (fits < n && value > list[fits].bytes)
		fits++;
	if (fits == 0)
		snprintf(out, size, "%s fits %s", text, format_capacity(&list[0], above));
	else if (fits < n)
		snprintf(out, size, "%s misses %s, fits %s", text, format_capacity(&list[fits - 1], below),
			format_capacity(&list[fits], above));
	else
		snprintf(out, size, "%s misses %s and comes from memory", text, format_capacity(&list[n - 1], below));
}

static void explain_stride(const struct capacity *list, int n, double value, const char *text, char *out, size_t size)
{
	char line[48];
	if (strcmp(list[0].name, "line"))
		return;
	if (value < list[0].bytes)
		snprintf(out, size, "%s: %.0f consecutive accesses share a %s", text, list[0].bytes / value,
			format_capacity(&list[0], line));
	else if (n > 1 && value >= list[1].bytes)
		snprintf(out, size, "%s: every access touches another %s and another %s", text, list[0].name,
			format_capacity(&list[1], line));
	else
		snprintf(out, size, "%s: every access touches another %s", text, format_capacity(&list[0], line));
}

char *capacities_explain(const json_t *device, const struct param *p, double value, char *out, size_t size)
{
	struct capacity list[CAPACITIES_MAX];
	char text[48];
	int n = capacities_list(device, p->means, list);
	*out = 0;
	if (!n || !(value > 0))
		return out;
	param_format(p, value, text, sizeof text);
	if (p->means == PARAM_MEANS_FOOTPRINT)
		explain_footprint(list, n, value, text, out, size);
	else
		explain_stride(list, n, value, text, out, size);
	return out;
}

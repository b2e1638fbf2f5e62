/* Reading and writing JSON records. */
#include "gpu/protocol/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/printable_text.h"
#include "base/units.h"

const char *record_get_type(const json_t *record)
{
	return record_get_text(record, "type");
}

const char *record_get_text(const json_t *record, const char *key)
{
	const char *text = json_string_value(json_object_get(record, key));
	return text ? text : "";
}

json_int_t record_get_integer(const json_t *record, const char *key)
{
	return json_integer_value(json_object_get(record, key));
}

static bool are_objects_equal(const json_t *a, const json_t *b)
{
	const char *key;
	json_t *value;
	bool equal = json_object_size(a) == json_object_size(b);
	json_object_foreach((json_t *)a, key, value) equal =
		equal && record_values_equal(value, json_object_get(b, key));
	return equal;
}

static bool are_arrays_equal(const json_t *a, const json_t *b)
{
	bool equal = json_array_size(a) == json_array_size(b);
	for (size_t i = 0; equal && i < json_array_size(a); i++)
		equal = record_values_equal(json_array_get(a, i), json_array_get(b, i));
	return equal;
}

bool record_values_equal(const json_t *a, const json_t *b)
{
	if (!a || !b)
		return a == b;
	if (json_is_number(a) && json_is_number(b))
		return json_number_value(a) == json_number_value(b);
	if (json_is_object(a) && json_is_object(b))
		return are_objects_equal(a, b);
	if (json_is_array(a) && json_is_array(b))
		return are_arrays_equal(a, b);
	return json_equal(a, b);
}

json_t *json_utf8_string(const char *text)
{
	json_t *whole = json_string(text);
	if (whole)
		return whole;
	struct buf b = {0};
	unsigned code;
	for (int n; *text; text += n > 0 ? n : 1) {
		n = utf8_decode(text, strnlen(text, 4), &code);
		buf_add(&b, n > 0 ? text : "?", n > 0 ? (size_t)n : 1);
	}
	whole = json_stringn(b.data, b.len);
	buf_free(&b);
	return whole;
}

json_t *record_build_failed_point(json_int_t job, json_int_t point, const struct err *why)
{
	json_t *r = json_pack("{s:s, s:I, s:I, s:s, s:o, s:i, s:[], s:b, s:s, s:s}", "type", "point", "job", job,
		"point", point, "status", "failed", "error", json_utf8_string(why->text), "error_status",
		(int)why->status, "seconds", "clocks_moved", 0, "verify", "none", "contract", "none");
	record_set_clocks(r, (struct clocks){0});
	return r;
}

json_t *json_exact_number(double v)
{
	return v == floor(v) && fabs(v) < 0x1p53 ? json_integer((json_int_t)v) : json_real(v);
}

/* --- readings --- */
/* What a sensor can report. The fastest GPUs are at 3 GHz, memory at twice as much; boards use up to 1.4 kW. */
static const struct {
	const char *key;
	double low, high;
} sensors[] = {
	{"sclk_mhz", 1, 10000},
	{"mclk_mhz", 1, 20000},
	{"temp_c", -60, 250},
	{"power_w", 0, 10000},
};

static bool is_possible(const char *key, double value)
{
	for (size_t i = 0; i < sizeof sensors / sizeof *sensors; i++)
		if (!strcmp(key, sensors[i].key))
			return value >= sensors[i].low && value <= sensors[i].high;
	return true;
}

struct reading record_get_reading(const json_t *record, const char *key)
{
	const json_t *v = json_object_get(record, key);
	double value = json_number_value(v);
	return json_is_number(v) && is_possible(key, value) ? (struct reading){true, value}
							    : (struct reading){false, 0};
}

const char *record_clear_impossible(json_t *record)
{
	const char *cleared = NULL;
	for (size_t i = 0; i < sizeof sensors / sizeof *sensors; i++) {
		const json_t *v = json_object_get(record, sensors[i].key);
		if (!v || json_is_null(v) || record_get_reading(record, sensors[i].key).valid)
			continue;
		json_object_set_new(record, sensors[i].key, json_null());
		cleared = sensors[i].key;
	}
	return cleared;
}

void record_set_reading(json_t *record, const char *key, struct reading r)
{
	json_t *v = r.valid ? json_real(r.value) : NULL; /* json_real returns NULL for infinity and NaN */
	json_object_set_new(record, key, v ? v : json_null());
}

static const char *const clock_limits[] = {
#define CLOCK_LIMIT_NAME(id, name) name,
	CLOCK_LIMITS(CLOCK_LIMIT_NAME)
#undef CLOCK_LIMIT_NAME
};

static unsigned get_clock_limits(const json_t *record)
{
	const json_t *names = json_object_get(record, "clock_limits");
	unsigned limits = 0;
	for (size_t i = 0; i < json_array_size(names); i++)
		for (int k = 0; k < CLOCK_LIMIT_COUNT; k++) {
			const char *name = json_string_value(json_array_get(names, i));
			limits |= name && !strcmp(name, clock_limits[k]) ? 1u << k : 0;
		}
	return limits;
}

/* Only where there are some: most devices do not say. */
static void set_clock_limits(json_t *record, unsigned limits)
{
	json_t *names = limits ? json_array() : NULL;
	for (int k = 0; k < CLOCK_LIMIT_COUNT && names; k++)
		if (limits >> k & 1)
			json_array_append_new(names, json_string(clock_limits[k]));
	if (names)
		json_object_set_new(record, "clock_limits", names);
	else
		json_object_del(record, "clock_limits");
}

/* Only where there are some, as the limits. */
static void set_others(json_t *record, unsigned others)
{
	if (others)
		json_object_set_new(record, "other_processes", json_integer(others));
	else
		json_object_del(record, "other_processes");
}

struct clocks record_get_clocks(const json_t *record)
{
	return (struct clocks){
		.sclk_mhz = record_get_reading(record, "sclk_mhz"),
		.mclk_mhz = record_get_reading(record, "mclk_mhz"),
		.temp_c = record_get_reading(record, "temp_c"),
		.power_w = record_get_reading(record, "power_w"),
		.limits = get_clock_limits(record),
		.others = (unsigned)json_integer_value(json_object_get(record, "other_processes")),
	};
}

void record_set_clocks(json_t *record, struct clocks c)
{
	record_set_reading(record, "sclk_mhz", c.sclk_mhz);
	record_set_reading(record, "mclk_mhz", c.mclk_mhz);
	record_set_reading(record, "temp_c", c.temp_c);
	record_set_reading(record, "power_w", c.power_w);
	set_clock_limits(record, c.limits);
	set_others(record, c.others);
}

/* --- one line ---
 * Jansson always writes reals with 17 digits (0.1 becomes 0.10000000000000001). People read these files: write the
 * shortest form that is exact. */
static void format_value(struct buf *b, const json_t *v);

static void append_json_escape(struct buf *b, unsigned code)
{
	if (code < 0x10000)
		buf_printf(b, "\\u%04x", code);
	else
		buf_printf(b, "\\u%04x\\u%04x", 0xd800 + ((code - 0x10000) >> 10), 0xdc00 + (code & 0x3ff));
}

/* Most texts: nothing of them is escaped. */
static bool is_plain_text(const char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~' || *text == '"' || *text == '\\')
			return false;
	return true;
}

/* Jansson escapes C0 only. The other characters that are not printable are escaped too: a record can be shown. */
static void format_string(struct buf *b, const json_t *v)
{
	char *text = json_dumps(v, JSON_ENCODE_ANY);
	unsigned code;
	int n;
	for (const char *at = text ? text : "\"\""; *at; at += n) {
		n = utf8_decode(at, strnlen(at, 4), &code);
		if (n > 0 && !code_point_is_printable(code))
			append_json_escape(b, code);
		else
			buf_add(b, at, (size_t)(n = n > 0 ? n : 1));
	}
	free(text);
}

static void format_text(struct buf *b, const char *text)
{
	if (is_plain_text(text)) {
		buf_puts(b, "\"");
		buf_puts(b, text);
		buf_puts(b, "\"");
		return;
	}
	json_t *v = json_string(text);
	format_string(b, v);
	json_decref(v);
}

static void format_object(struct buf *b, const json_t *v)
{
	const char *key;
	json_t *member;
	const char *comma = "";
	buf_puts(b, "{");
	json_object_foreach((json_t *)v, key, member)
	{
		buf_puts(b, comma);
		format_text(b, key);
		buf_puts(b, ":");
		format_value(b, member);
		comma = ",";
	}
	buf_puts(b, "}");
}

static void format_array(struct buf *b, const json_t *v)
{
	size_t i;
	json_t *element;
	buf_puts(b, "[");
	json_array_foreach(v, i, element)
	{
		if (i)
			buf_puts(b, ",");
		format_value(b, element);
	}
	buf_puts(b, "]");
}

static void format_value(struct buf *b, const json_t *v)
{
	char number[40];
	switch (json_typeof(v)) {
	case JSON_OBJECT: format_object(b, v); break;
	case JSON_ARRAY: format_array(b, v); break;
	case JSON_STRING:
		if (strlen(json_string_value(v)) == json_string_length(v))
			format_text(b, json_string_value(v));
		else /* it has a NUL */
			format_string(b, v);
		break;
	case JSON_INTEGER:
		snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
		buf_puts(b, number);
		break;
	case JSON_REAL: buf_puts(b, number_format_exact(number, sizeof number, json_real_value(v))); break;
	case JSON_TRUE: buf_puts(b, "true"); break;
	case JSON_FALSE: buf_puts(b, "false"); break;
	case JSON_NULL: buf_puts(b, "null"); break;
	}
}

char *record_format_line(const json_t *record)
{
	struct buf b = {0};
	format_value(&b, record);
	buf_puts(&b, "\n");
	return b.data;
}

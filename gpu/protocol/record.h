/* The records that a worker and its front end exchange, one JSON object per line. A recorded session contains the same
 * records. docs/protocol.md describes every record type and field. */
#ifndef GPU_PROTOCOL_RECORD_H
#define GPU_PROTOCOL_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define RECORD_PROTOCOL 1

enum { RECORD_LINE_MAX = 16 << 20 }; /* bytes; a longer line is skipped without parsing */
enum { DEVICE_ARCH = 16 };           /* bytes of a target's name, "gfx1100" */

/* A reading that may be missing; 0 never means unknown. */
struct reading {
	bool valid;
	double value;
};

/* What keeps a clock below its highest, as names in records. CLOCK_LIMITS(X): X(id, name) */
#define CLOCK_LIMITS(X)                  \
	X(POWER, "power")                \
	X(TEMPERATURE, "temperature")    \
	X(HARDWARE, "hardware slowdown") \
	X(OTHER_GPU, "another GPU")
#define CLOCK_LIMIT_BIT(id, name) CLOCK_LIMIT_BIT_##id,
enum { CLOCK_LIMITS(CLOCK_LIMIT_BIT) CLOCK_LIMIT_COUNT };
#undef CLOCK_LIMIT_BIT
#define CLOCK_LIMIT_ID(id, name) CLOCK_LIMIT_##id = 1 << CLOCK_LIMIT_BIT_##id,
enum clock_limit { CLOCK_LIMITS(CLOCK_LIMIT_ID) };
#undef CLOCK_LIMIT_ID

/* Clocks, temperature and power: means over a point, or one reading. */
struct clocks {
	struct reading sclk_mhz, mclk_mhz, temp_c, power_w;
	unsigned limits; /* of enum clock_limit, at any time during the point; 0 also where no sensor says */
	unsigned others; /* most other processes with work on the GPU; 0 also where no sensor says */
};

const char *record_get_type(const json_t *record); /* "" if missing */
/* Not valid either if no sensor can report the value: a clock of -5 MHz, a temperature of 1e38. */
struct reading record_get_reading(const json_t *record, const char *key);
/* Sets such readings of clocks, temperature and power to null. Returns the name of one, or NULL. */
const char *record_clear_impossible(json_t *record);
void record_set_reading(json_t *record, const char *key, struct reading r); /* null if not valid */
struct clocks record_get_clocks(const json_t *record);
void record_set_clocks(json_t *record, struct clocks c);
const char *record_get_text(const json_t *record, const char *key);   /* "" if missing or not a string */
json_int_t record_get_integer(const json_t *record, const char *key); /* 0 if missing or not an integer */
bool record_values_equal(const json_t *a, const json_t *b);           /* 1 equals 1.0; NULL only NULL */
/* An integer if the value is whole and below 2^53, otherwise a real. */
json_t *json_exact_number(double v);
/* A record for a point that no worker reported. Its list of samples is empty. */
json_t *record_build_failed_point(json_int_t job, json_int_t point, const struct err *why);
/* A string from any bytes: invalid UTF-8, such as half a character, becomes '?'. Never NULL. */
json_t *json_utf8_string(const char *text);
/* One compact line with a newline; the caller frees it. Numbers are exact (at most 17 digits), in the C locale. */
char *record_format_line(const json_t *record);

#endif

#include "sessions/load/record_parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "gpu/protocol/point_record.h"

enum { SAMPLES_BYTES_MIN = 128 /* shorter lists are not worth the extra pass */ };

struct span {
	const char *from, *to;
};

/* Finds the text between the brackets of "seconds", which are all numbers. Quotation marks inside strings are escaped,
 * so the match is the name of a member. */
static bool find_sample_text(const char *line, size_t n, struct span *out)
{
	static const char name[] = "\"seconds\":[";
	const char *at = memmem(line, n, name, sizeof name - 1), *end = line + n;
	if (!at)
		return false;
	out->from = at + sizeof name - 1;
	out->to = memchr(out->from, ']', (size_t)(end - out->from));
	return out->to && out->to - out->from >= SAMPLES_BYTES_MIN;
}

/* Up to 15 decimal digits are exact as an integer, and powers of ten up to 1e22 are exact, so that the quotient is
 * rounded once: the result equals strtod's. Returns -1 for other numbers. */
static double parse_short_decimal(const char *text, const char *end, const char **behind)
{
	static const double tens[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
		1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	const char *at = text;
	long long digits = 0;
	int count = 0, decimals = 0;
	bool point = false;
	for (; at < end && ((*at >= '0' && *at <= '9') || (*at == '.' && !point)); at++) {
		if (*at == '.') {
			point = true;
			continue;
		}
		digits = digits * 10 + (*at - '0');
		count += count || *at != '0';
		decimals += point;
		if (count > 15 || decimals > 22)
			break;
	}
	*behind = at;
	bool whole = at > text && at[-1] != '.' && *text != '.' && !(*text == '0' && at > text + 1 && text[1] != '.');
	return !whole || (at < end && *at != ',') ? -1 : (double)digits / tens[decimals];
}

/* Jansson reads numbers that are not short decimals; NULL if it is not a number. */
static json_t *parse_sample(const char **at, const char *end)
{
	const char *behind;
	double v = parse_short_decimal(*at, end, &behind);
	if (v >= 0) {
		*at = behind;
		return json_real(v);
	}
	const char *comma = memchr(*at, ',', (size_t)(end - *at));
	json_t *number = json_loadb(*at, (size_t)((comma ? comma : end) - *at), JSON_DECODE_ANY, NULL);
	*at = comma ? comma : end;
	if (json_is_number(number))
		return number;
	json_decref(number);
	return NULL;
}

static bool parse_samples(struct span s, json_t *list)
{
	for (const char *at = s.from; at < s.to; at++) { /* skips the comma */
		json_t *number = parse_sample(&at, s.to);
		if (!number || json_array_append_new(list, number) || at + 1 == s.to)
			return false;
	}
	return true;
}

static size_t count_samples(struct span s)
{
	size_t n = 1;
	for (const char *at = s.from; (at = memchr(at, ',', (size_t)(s.to - at))); at++)
		n++;
	return n;
}

/* Parses the line with an empty list in place of the samples. */
static json_t *parse_without_samples(const char *line, size_t n, struct span s)
{
	size_t before = (size_t)(s.from - line), behind = (size_t)(line + n - s.to);
	char *rest = xmalloc(before + behind);
	memcpy(rest, line, before);
	memcpy(rest + before, s.to, behind);
	json_t *record = json_loadb(rest, before + behind, JSON_REJECT_DUPLICATES, NULL);
	free(rest);
	return record;
}

json_t *record_parse(const char *line, size_t n, bool samples)
{
	struct span s;
	json_t *record = find_sample_text(line, n, &s) ? parse_without_samples(line, n, s) : NULL,
	       *list = point_get_samples(record);
	if (!record || !json_is_array(list)) { /* a short list, or a nested member of that name */
		json_decref(record);
		return json_loadb(line, n, JSON_REJECT_DUPLICATES, NULL);
	}
	if (!samples) {
		json_object_set_new(record, "samples", json_integer((json_int_t)count_samples(s)));
		return record;
	}
	if (parse_samples(s, list))
		return record;
	json_decref(record);
	return json_loadb(line, n, JSON_REJECT_DUPLICATES, NULL);
}

size_t record_sample_count(const json_t *record)
{
	const json_t *left_out = json_object_get(record, "samples");
	return json_is_integer(left_out) ? (size_t)json_integer_value(left_out)
					 : json_array_size(point_get_samples(record));
}

/* The C types of buffers and kernel arguments: parsing, storing, comparing and filling. */
#include "gpu/protocol/element_type.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "gpu/protocol/chase_cycle.h"

/* The sizes are the same on x86-64 Linux and on the device (LP64). */
static const struct element_type types[] = {
	{"int", 4, 4, ELEMENT_SIGNED},
	{"unsigned", 4, 4, ELEMENT_UNSIGNED},
	{"unsigned int", 4, 4, ELEMENT_UNSIGNED},
	{"uint", 4, 4, ELEMENT_UNSIGNED},
	{"float", 4, 4, ELEMENT_FLOAT},
	{"double", 8, 8, ELEMENT_FLOAT},
	{"long", 8, 8, ELEMENT_SIGNED},
	{"unsigned long", 8, 8, ELEMENT_UNSIGNED},
	{"ulong", 8, 8, ELEMENT_UNSIGNED},
	{"long long", 8, 8, ELEMENT_SIGNED},
	{"unsigned long long", 8, 8, ELEMENT_UNSIGNED},
	{"size_t", 8, 8, ELEMENT_UNSIGNED},
	{"short", 2, 2, ELEMENT_SIGNED},
	{"unsigned short", 2, 2, ELEMENT_UNSIGNED},
	{"ushort", 2, 2, ELEMENT_UNSIGNED},
	{"char", 1, 1, ELEMENT_SIGNED},
	{"signed char", 1, 1, ELEMENT_SIGNED},
	{"unsigned char", 1, 1, ELEMENT_UNSIGNED},
	{"uchar", 1, 1, ELEMENT_UNSIGNED},
	{"bool", 1, 1, ELEMENT_UNSIGNED},
	{"void", 1, 1, ELEMENT_UNSIGNED},
	{"int8_t", 1, 1, ELEMENT_SIGNED},
	{"uint8_t", 1, 1, ELEMENT_UNSIGNED},
	{"int16_t", 2, 2, ELEMENT_SIGNED},
	{"uint16_t", 2, 2, ELEMENT_UNSIGNED},
	{"int32_t", 4, 4, ELEMENT_SIGNED},
	{"uint32_t", 4, 4, ELEMENT_UNSIGNED},
	{"int64_t", 8, 8, ELEMENT_SIGNED},
	{"uint64_t", 8, 8, ELEMENT_UNSIGNED},
	{"int2", 8, 4, ELEMENT_SIGNED},
	{"int4", 16, 4, ELEMENT_SIGNED},
	{"uint2", 8, 4, ELEMENT_UNSIGNED},
	{"uint4", 16, 4, ELEMENT_UNSIGNED},
	{"float2", 8, 4, ELEMENT_FLOAT},
	{"float4", 16, 4, ELEMENT_FLOAT},
	{"double2", 16, 8, ELEMENT_FLOAT},
};
enum { TYPES = sizeof types / sizeof *types };

static bool is_qualifier(const char *word)
{
	static const char *const words[] = {"const", "volatile", "restrict", "__restrict__", "__restrict"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(word, words[i]))
			return true;
	return false;
}

/* "const unsigned  int *" becomes "unsigned int", and *pointer is set. */
static void normalize_type(const char *declared, char *out, size_t size, bool *pointer)
{
	size_t n = 0;
	*pointer = false;
	*out = 0;
	for (const char *s = declared; *s;) {
		char word[40];
		size_t len = 0;
		for (; isalnum((unsigned char)*s) || *s == '_'; s++)
			if (len < sizeof word - 1)
				word[len++] = *s;
		word[len] = 0;
		if (len && !is_qualifier(word))
			n += (size_t)snprintf(out + n, n < size ? size - n : 0, "%s%s", n ? " " : "", word);
		if (n >= size)
			return;
		if (!len) {
			*pointer |= *s == '*';
			s++;
		}
	}
}

const struct element_type *element_type_parse(const char *declared, bool *pointer, struct err *e)
{
	char name[80];
	const char *names[TYPES];
	normalize_type(declared, name, sizeof name, pointer);
	for (int i = 0; i < TYPES; i++) {
		if (!strcmp(types[i].name, name))
			return &types[i];
		names[i] = types[i].name;
	}
	const char *near = find_nearest_name(name, names, TYPES);
	err_set(e, ST_REQUEST,
		"unknown type '%s'; %s%s%suse a C type such as int, unsigned, float, double, long, char, float4; add * for a buffer",
		declared, near ? "did you mean " : "", near ? near : "", near ? "? " : "");
	return NULL;
}

static bool fits_type(const struct element_type *t, double v)
{
	double bits = (double)t->part * 8;
	if (t->kind == ELEMENT_UNSIGNED)
		return v >= 0 && v < exp2(bits);
	return v >= -exp2(bits - 1) && v < exp2(bits - 1);
}

/* Constant sizes, because fills call this for every element. All supported hosts are little endian. */
static void store_scalar(void *to, union scalar s, size_t part)
{
	switch (part) {
	case 1: memcpy(to, s.bytes, 1); break;
	case 2: memcpy(to, s.bytes, 2); break;
	case 4: memcpy(to, s.bytes, 4); break;
	default: memcpy(to, s.bytes, 8); break;
	}
}

void element_type_store_integer(const struct element_type *t, int64_t v, void *to)
{
	store_scalar(to, (union scalar){.i = v}, t->part);
}

void element_type_store_float(const struct element_type *t, double v, void *to)
{
	store_scalar(to, t->part == 4 ? (union scalar){.f = (float)v} : (union scalar){.d = v}, t->part);
}

bool element_type_store(const struct element_type *t, const json_t *v, void *to, struct err *e)
{
	double d = json_number_value(v);
	if (!json_is_number(v))
		return err_set(e, ST_REQUEST, "a %s needs a number", t->name);
	if (t->kind == ELEMENT_FLOAT) {
		element_type_store_float(t, d, to);
		return true;
	}
	char text[40];
	if (d != floor(d) || !fits_type(t, d))
		return err_set(e, ST_REQUEST, "%s does not fit the type %s; choose another value or type",
			number_format_exact(text, sizeof text, d), t->name);
	if (json_is_integer(v))
		element_type_store_integer(t, json_integer_value(v), to);
	else
		element_type_store_integer(t, d < 0 ? (int64_t)d : (int64_t)(uint64_t)d, to);
	return true;
}

static union scalar load_component(const struct element_type *t, const void *component)
{
	union scalar s = {.u = 0};
	memcpy(s.bytes, component, t->part);
	if (t->kind == ELEMENT_SIGNED && t->part < 8) {
		int shift = 64 - 8 * (int)t->part;
		s.i = (int64_t)(s.u << shift) >> shift;
	}
	return s;
}

double element_type_load(const struct element_type *t, const void *component)
{
	union scalar s = load_component(t, component);
	if (t->kind == ELEMENT_FLOAT)
		return t->part == 4 ? (double)s.f : s.d;
	return t->kind == ELEMENT_SIGNED ? (double)s.i : (double)s.u;
}

int64_t element_type_load_integer(const struct element_type *t, const void *component)
{
	return load_component(t, component).i;
}

char *element_type_print(const struct element_type *t, const void *component, char *out, size_t size)
{
	union scalar s = load_component(t, component);
	if (t->kind == ELEMENT_FLOAT)
		number_format_exact(out, size, element_type_load(t, component));
	else if (t->kind == ELEMENT_SIGNED)
		snprintf(out, size, "%" PRId64, s.i);
	else
		snprintf(out, size, "%" PRIu64, s.u);
	return out;
}

/* The position of a component among all values of its type: neighbors differ by 1 (IEEE 754 values are ordered as sign
 * and magnitude). */
static __int128 value_rank(const struct element_type *t, const void *component)
{
	union scalar s = load_component(t, component);
	uint64_t sign = UINT64_C(1) << (8 * t->part - 1), magnitude = s.u & (sign - 1);
	return s.u & sign ? -(__int128)magnitude : (__int128)magnitude;
}

double element_type_ulps(const struct element_type *t, const void *a, const void *b)
{
	return fabs((double)(value_rank(t, a) - value_rank(t, b)));
}

/* The difference divided by the tolerance: at most 1 is within the tolerance. */
static double tolerance_used(
	const struct element_type *t, const void *x, const void *y, const struct compare_tolerance *tolerance)
{
	double a = element_type_load(t, x), b = element_type_load(t, y), part = INFINITY;
	if (a == b || (isnan(a) && isnan(b)))
		return 0;
	if (!isfinite(a) || !isfinite(b))
		return INFINITY;
	if (tolerance->relative > 0 && b != 0)
		part = fmin(part, fabs(a - b) / (tolerance->relative * fabs(b)));
	if (tolerance->absolute > 0)
		part = fmin(part, fabs(a - b) / tolerance->absolute);
	if (tolerance->ulp > 0)
		part = fmin(part, element_type_ulps(t, x, y) / tolerance->ulp);
	return part;
}

static void count_unequal(struct compare_result *c, const struct element_type *t, const void *x, const void *y)
{
	c->unequal++;
	if (t->kind == ELEMENT_FLOAT && isfinite(element_type_load(t, x)) && isfinite(element_type_load(t, y)))
		c->ulps = fmax(c->ulps, element_type_ulps(t, x, y));
}

/* Above 1: outside of the tolerance. */
static double difference_part(
	const struct element_type *t, const void *x, const void *y, const struct compare_tolerance *tolerance)
{
	return t->kind == ELEMENT_FLOAT ? tolerance_used(t, x, y, tolerance) : INFINITY;
}

size_t element_type_find_wrong(const struct element_type *t, const void *a, const void *b, size_t from, size_t count,
	const struct compare_tolerance *tolerance)
{
	for (; from < count; from++) {
		const char *x = (const char *)a + from * t->part, *y = (const char *)b + from * t->part;
		if (memcmp(x, y, t->part) && difference_part(t, x, y, tolerance) > 1)
			break;
	}
	return from;
}

struct compare_result element_type_compare(const struct element_type *t, const void *a, const void *b, size_t count,
	const struct compare_tolerance *tolerance)
{
	struct compare_result c = {0};
	if (!memcmp(a, b, count * t->part))
		return c;
	for (size_t i = 0; i < count; i++) {
		const char *x = (const char *)a + i * t->part, *y = (const char *)b + i * t->part;
		if (!memcmp(x, y, t->part))
			continue;
		double part = difference_part(t, x, y, tolerance);
		if (part > 0)
			count_unequal(&c, t, x, y);
		if (part > c.worst) {
			c.worst = part;
			c.worst_at = i;
		}
		if (part > 1 && !c.wrong++)
			c.first = i;
	}
	return c;
}

enum { ADDRESS_BYTES = 8 };

/* {"chase": bytes of a line} or {"addresses": bytes of a line} */
static bool parse_chase(
	const struct element_type *t, const json_t *v, size_t count, struct fill_rule *out, struct err *e)
{
	const json_t *addresses = json_object_get(v, "addresses");
	double bytes = json_number_value(addresses ? addresses : json_object_get(v, "chase"));
	double all = (double)count * (double)t->part;
	char line[40], size[40];
	number_format_exact(line, sizeof line, bytes);
	number_format_exact(size, sizeof size, all);
	if (t->kind == ELEMENT_FLOAT)
		return err_set(e, ST_REQUEST, "a chase needs offsets, which a %s cannot hold; use unsigned", t->name);
	if (!(bytes >= (double)t->part) || bytes > all || fmod(bytes, (double)t->part) != 0 || fmod(all, bytes) != 0)
		return err_set(e, ST_REQUEST,
			"a buffer of %s bytes cannot be divided into lines of %s bytes; make its size a multiple of the line's",
			size, line);
	if (addresses && bytes < ADDRESS_BYTES)
		return err_set(e, ST_REQUEST, "an address does not fit into a line of %s bytes; give it at least %d",
			line, ADDRESS_BYTES);
	if (!addresses && !fits_type(t, all - bytes))
		return err_set(e, ST_REQUEST, "the offsets within %s bytes do not fit the type %s", size, t->name);
	out->kind = addresses ? FILL_ADDRESSES : FILL_CHASE;
	out->stride = (size_t)bytes / t->part;
	out->lines = count / out->stride;
	return true;
}

bool fill_parse(const struct element_type *t, const json_t *v, size_t count, struct fill_rule *out, struct err *e)
{
	*out = (struct fill_rule){.kind = FILL_NUMBER};
	const char *word = json_string_value(v);
	if (!v || json_is_null(v))
		return true;
	if (json_is_object(v))
		return parse_chase(t, v, count, out, e);
	if (!word)
		return element_type_store(t, v, out->number.bytes, e);
	if (!strcmp(word, "index"))
		out->kind = FILL_INDEX;
	else if (!strcmp(word, "random"))
		out->kind = FILL_RANDOM;
	else
		return err_set(e, ST_REQUEST,
			"unknown fill '%s'; a buffer is filled with a number, \"index\", \"random\" or a chase", word);
	return true;
}

/* SplitMix64 (Steele, Lea, Flood 2014) of the element's index: the values do not depend on the chunk size. */
static uint64_t mix_index(uint64_t index)
{
	uint64_t z = (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static void store_filled(const struct element_type *t, enum fill_kind kind, size_t index, void *to)
{
	uint64_t r = kind == FILL_RANDOM ? mix_index(index) : index;
	if (t->kind == ELEMENT_FLOAT)
		element_type_store_float(t, kind == FILL_RANDOM ? (double)(r >> 11) * 0x1p-53 : (double)index, to);
	else
		element_type_store_integer(t, (int64_t)r, to);
}

enum { REPEAT_BLOCK = 16 << 10 /* bytes; fits the L1 cache of the host */ };

/* Copies the first component to all others. */
static void repeat_first(char *to, size_t part, size_t bytes)
{
	for (size_t done = part, n; done < bytes; done += n) {
		n = done < REPEAT_BLOCK ? done : REPEAT_BLOCK;
		n = n < bytes - done ? n : bytes - done;
		memcpy(to + done, to, n);
	}
}

static void store_chase(const struct element_type *t, const struct fill_rule *f, char *to, size_t from, size_t count)
{
	size_t line = (from + f->stride - 1) / f->stride, at = line * f->stride;
	memset(to, 0, count * t->part);
	for (; at < from + count; line++, at += f->stride)
		element_type_store_integer(t, (int64_t)(chase_cycle_next(f->lines, line) * f->stride * t->part),
			to + (at - from) * t->part);
}

/* The buffer may be stored in parts, and a part may begin or end within an address. */
static void store_addresses(
	const struct element_type *t, const struct fill_rule *f, char *to, size_t from, size_t count)
{
	size_t bytes = f->stride * t->part, begin = from * t->part, end = begin + count * t->part;
	memset(to, 0, end - begin);
	for (size_t line = begin / bytes, at = line * bytes; at < end; line++, at += bytes) {
		uint64_t next = f->base + chase_cycle_next(f->lines, line) * bytes;
		for (size_t k = 0; k < sizeof next; k++)
			if (at + k >= begin && at + k < end)
				to[at + k - begin] = (char)(next >> 8 * k);
	}
}

void fill_store(const struct element_type *t, const struct fill_rule *f, void *to, size_t from, size_t count)
{
	char *at = to;
	if (!count)
		return;
	if (f->kind == FILL_CHASE || f->kind == FILL_ADDRESSES) {
		(f->kind == FILL_CHASE ? store_chase : store_addresses)(t, f, to, from, count);
		return;
	}
	if (f->kind == FILL_NUMBER) {
		memcpy(to, f->number.bytes, t->part);
		repeat_first(to, t->part, count * t->part);
		return;
	}
	for (size_t i = 0; i < count; i++, at += t->part)
		store_filled(t, f->kind, from + i, at);
}

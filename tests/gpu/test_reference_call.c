/* C types, fills, comparison, and calls of references through libffi. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/protocol/chase_cycle.h"
#include "gpu/protocol/element_type.h"
#include "gpu/protocol/job_record.h"
#include "gpu/worker/reference/reference_call.h"

static const struct element_type *type(const char *name)
{
	bool pointer;
	struct err e;
	return element_type_parse(name, &pointer, &e);
}

/* --- types --- */
static void declared_types_are_parsed(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		size_t size;
		enum element_kind kind;
		bool pointer;
	} rows[] = {
		{"int", 4, ELEMENT_SIGNED, false},
		{"const int *", 4, ELEMENT_SIGNED, true},
		{"const float*__restrict__", 4, ELEMENT_FLOAT, true},
		{"unsigned   int", 4, ELEMENT_UNSIGNED, false},
		{"unsigned char *", 1, ELEMENT_UNSIGNED, true},
		{"double", 8, ELEMENT_FLOAT, false},
		{"long", 8, ELEMENT_SIGNED, false},
		{"float4 *", 16, ELEMENT_FLOAT, true},
		{"uint64_t", 8, ELEMENT_UNSIGNED, false},
		{"short", 2, ELEMENT_SIGNED, false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		bool pointer;
		struct err e;
		const struct element_type *t = element_type_parse(rows[i].text, &pointer, &e);
		assert_non_null(t);
		assert_int_equal(t->size, rows[i].size);
		assert_int_equal(t->kind, rows[i].kind);
		assert_int_equal(pointer, rows[i].pointer);
	}
}

static void an_unknown_type_suggests_the_nearest(void **state)
{
	(void)state;
	bool pointer;
	struct err e = {0};
	assert_null(element_type_parse("flaot *", &pointer, &e));
	assert_int_equal(e.status, ST_REQUEST);
	assert_non_null(strstr(e.text, "did you mean float"));
	assert_null(element_type_parse("", &pointer, &e));
	char longest[600];
	memset(longest, 'a', sizeof longest - 1);
	longest[sizeof longest - 1] = 0;
	assert_null(element_type_parse(longest, &pointer, &e));
}

static bool stores(const char *name, double v)
{
	unsigned char room[16];
	struct err e;
	json_t *n = json_real(v);
	bool ok = element_type_store(type(name), n, room, &e);
	json_decref(n);
	return ok;
}

static void values_that_do_not_fit_are_rejected(void **state)
{
	(void)state;
	assert_true(stores("int", -2147483648.0));
	assert_false(stores("int", 2147483648.0));
	assert_false(stores("int", 1.5));
	assert_false(stores("unsigned", -1));
	assert_true(stores("unsigned", 4294967295.0));
	assert_false(stores("unsigned char", 256));
	assert_true(stores("char", -128));
	assert_true(stores("float", 1.5));
	assert_true(stores("unsigned long", 0x1p63));
	assert_false(stores("long", 0x1p63));
}

static void stored_values_read_back(void **state)
{
	(void)state;
	static const char *const names[] = {"int", "short", "char", "long", "float", "double"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		unsigned char room[16];
		char text[40];
		struct err e;
		json_t *n = json_integer(-17);
		memset(room, 0xaa, sizeof room);
		assert_true(element_type_store(type(names[i]), n, room, &e));
		assert_true(element_type_load(type(names[i]), room) == -17);
		assert_string_equal(element_type_print(type(names[i]), room, text, sizeof text), "-17");
		assert_int_equal(room[type(names[i])->size], 0xaa);
		json_decref(n);
	}
}

/* --- fills --- */
static void buffers_are_filled_by_number_index_and_random(void **state)
{
	(void)state;
	struct err e;
	struct fill_rule f;
	int ints[8];
	json_t *number = json_integer(16), *index = json_string("index"), *random = json_string("random"),
	       *wrong = json_string("ones");
	assert_true(fill_parse(type("int"), number, 1000, &f, &e));
	fill_store(type("int"), &f, ints, 5, 8);
	assert_int_equal(ints[7], 16);
	assert_true(fill_parse(type("int"), index, 1000, &f, &e));
	fill_store(type("int"), &f, ints, 5, 8);
	assert_int_equal(ints[0], 5);
	assert_int_equal(ints[7], 12);
	assert_true(fill_parse(type("int"), NULL, 1000, &f, &e));
	fill_store(type("int"), &f, ints, 0, 8);
	assert_int_equal(ints[7], 0);
	assert_true(fill_parse(type("float"), random, 1000, &f, &e));
	float whole[1000], parts[1000];
	fill_store(type("float"), &f, whole, 0, 1000);
	fill_store(type("float"), &f, parts, 0, 300);
	fill_store(type("float"), &f, parts + 300, 300, 700); /* the chunk size must not matter */
	assert_memory_equal(whole, parts, sizeof whole);
	double sum = 0;
	for (int i = 0; i < 1000; i++) {
		assert_true(whole[i] >= 0 && whole[i] <= 1);
		sum += whole[i];
	}
	assert_true(fabs(sum / 1000 - 0.5) < 0.05);
	assert_false(fill_parse(type("int"), wrong, 1000, &f, &e));
	json_decref(number);
	json_decref(index);
	json_decref(random);
	json_decref(wrong);
}

/* Follows the offsets from line 0: the number of lines until it is back there. */
static size_t count_chased(const char *room, size_t lines, size_t stride)
{
	size_t at = 0, seen = 0;
	do {
		uint32_t next;
		memcpy(&next, room + at, sizeof next);
		assert_true(next % stride == 0 && next < lines * stride);
		at = next;
		seen++;
	} while (at && seen <= lines);
	return seen;
}

static void a_chase_visits_every_line_once(void **state)
{
	(void)state;
	static const size_t counts[] = {1, 2, 3, 4, 5, 7, 8, 9, 31, 64, 100, 1023, 1024, 1025, 20000};
	static const size_t strides[] = {4, 64, 128};
	enum { MOST = 20000 * 128 };
	char *room = test_malloc(MOST), *parts = test_malloc(MOST);
	struct err e;
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		for (size_t k = 0; k < sizeof strides / sizeof *strides; k++) {
			struct fill_rule f;
			size_t elements = counts[i] * strides[k] / 4, half = elements / 3;
			json_t *chase = json_pack("{s:i}", "chase", (int)strides[k]);
			assert_true(fill_parse(type("unsigned"), chase, elements, &f, &e));
			fill_store(type("unsigned"), &f, room, 0, elements);
			fill_store(type("unsigned"), &f, parts + half * 4, half, elements - half);
			fill_store(type("unsigned"), &f, parts, 0, half);
			assert_memory_equal(room, parts, elements * 4); /* the chunk size must not matter */
			assert_int_equal(count_chased(room, counts[i], strides[k]), counts[i]);
			json_decref(chase);
		}
	test_free(room);
	test_free(parts);
}

/* No fixed distance: among 1024 lines, few successors are neighbors, and no distance is common. */
static void a_chase_has_no_pattern(void **state)
{
	(void)state;
	enum { LINES = 1024 };
	int distances[LINES] = {0};
	for (uint64_t line = 0; line < LINES; line++)
		distances[(chase_cycle_next(LINES, line) - line) % LINES]++;
	assert_int_equal(distances[0], 0);
	for (int d = 0; d < LINES; d++)
		assert_true(distances[d] <= 10);
}

/* The same cycle as offsets, from the buffer's address on; parts may begin within an address. */
static void a_chase_may_have_addresses(void **state)
{
	(void)state;
	enum { LINES = 100, BYTES = 64, ELEMENTS = LINES * BYTES / 4 };
	const uint64_t base = UINT64_C(0x7fff12345680);
	uint32_t whole[ELEMENTS], parts[ELEMENTS];
	struct fill_rule f;
	struct err e;
	json_t *fill = json_pack("{s:i}", "addresses", BYTES);
	assert_true(fill_parse(type("int"), fill, ELEMENTS, &f, &e));
	f.base = base;
	fill_store(type("int"), &f, whole, 0, ELEMENTS);
	for (size_t line = 0; line < LINES; line++) {
		uint64_t address;
		memcpy(&address, (char *)whole + line * BYTES, sizeof address);
		assert_true(address == base + chase_cycle_next(LINES, line) * BYTES);
		assert_int_equal(whole[line * BYTES / 4 + 2], 0);
	}
	for (size_t at = 0, n = 17; at < ELEMENTS; at += n)
		fill_store(type("int"), &f, parts + at, at, ELEMENTS - at < n ? ELEMENTS - at : n);
	assert_memory_equal(whole, parts, sizeof whole);
	json_decref(fill);
}

static void an_address_needs_eight_bytes(void **state)
{
	(void)state;
	struct fill_rule f;
	struct err e;
	json_t *fill = json_pack("{s:i}", "addresses", 4);
	assert_false(fill_parse(type("int"), fill, 64, &f, &e));
	assert_non_null(strstr(e.text, "an address does not fit into a line of 4 bytes; give it at least 8"));
	json_decref(fill);
}

static void a_chase_needs_whole_lines_and_offsets_that_fit(void **state)
{
	(void)state;
	static const struct {
		const char *type;
		size_t count;
		double stride;
		const char *error;
	} wrong[] = {{"float", 64, 128, "a float cannot hold; use unsigned"},
		{"int", 64, 512, "256 bytes cannot be divided into lines of 512 bytes"},
		{"int", 64, 96, "cannot be divided into lines of 96 bytes"},
		{"int", 64, 6, "cannot be divided into lines of 6 bytes"},
		{"int", 64, 0, "cannot be divided into lines of 0 bytes"},
		{"short", 1 << 16, 64, "do not fit the type short"}};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct err e = {.text = ""};
		struct fill_rule f;
		json_t *chase = json_pack("{s:f}", "chase", wrong[i].stride);
		assert_false(fill_parse(type(wrong[i].type), chase, wrong[i].count, &f, &e));
		assert_non_null(strstr(e.text, wrong[i].error));
		json_decref(chase);
	}
}

/* Longer than the block that is copied at a time, and not a multiple of it. */
static void a_number_fill_sets_every_element(void **state)
{
	(void)state;
	static const char *const names[] = {"char", "short", "float", "double2"};
	enum { BYTES = 70000 };
	char *room = test_malloc(BYTES + 1);
	json_t *n = json_integer(77);
	struct err e;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct element_type *t = type(names[i]);
		struct fill_rule f;
		assert_true(fill_parse(t, n, BYTES / t->part, &f, &e));
		room[BYTES] = 0x55;
		fill_store(t, &f, room, 0, BYTES / t->part);
		for (size_t k = 0; k < BYTES / t->part; k++)
			assert_true(element_type_load(t, room + k * t->part) == 77);
		assert_int_equal(room[BYTES], 0x55);
	}
	test_free(room);
	json_decref(n);
}

/* --- comparison --- */
static void integers_are_compared_exactly(void **state)
{
	(void)state;
	int a[] = {1, 2, 3, 4}, b[] = {1, 2, 5, 6};
	const struct compare_tolerance wide = {100, 100, 100};
	assert_int_equal(element_type_compare(type("int"), a, a, 4, &wide).wrong, 0);
	struct compare_result c = element_type_compare(type("int"), a, b, 4, &wide);
	assert_int_equal(c.wrong, 2);
	assert_int_equal(c.first, 2);
}

static void floats_are_compared_within_the_tolerance(void **state)
{
	(void)state;
	float a[] = {1, 1000, 0, NAN, -0.0f, INFINITY}, b[] = {1.0001f, 1000.5f, 0.0005f, NAN, 0, INFINITY};
	const struct compare_tolerance both = {1e-3, 1e-3, 0}, none = {0}, relative = {1e-3, 0, 0};
	struct compare_result c = element_type_compare(type("float"), a, b, 6, &both);
	assert_int_equal(c.wrong, 0);
	assert_int_equal(c.unequal, 3); /* 0 equals -0, and a NaN equals a NaN */
	assert_true(c.worst > 0.4 && c.worst < 0.6 && (c.worst_at == 1 || c.worst_at == 2)); /* half of the tolerance */
	c = element_type_compare(type("float"), a, b, 6, &none);
	assert_int_equal(c.wrong, 3);
	assert_int_equal(c.first, 0);
	c = element_type_compare(type("float"), a, b, 6, &relative); /* no relative tolerance for an expected 0 */
	assert_int_equal(c.wrong, 1);
	assert_int_equal(c.first, 2);
	b[3] = 1;
	b[5] = -INFINITY;
	c = element_type_compare(type("float"), a, b, 6, &both);
	assert_int_equal(c.wrong, 2);
	assert_int_equal(c.first, 3);
}

static void differences_are_counted_in_units_in_the_last_place(void **state)
{
	(void)state;
	const struct compare_tolerance two = {0, 0, 2};
	float a[] = {1, nextafterf(nextafterf(1, 2), 2), FLT_TRUE_MIN, 4},
	      b[] = {1, 1, -FLT_TRUE_MIN, nextafterf(nextafterf(nextafterf(4, 5), 5), 5)};
	assert_true(element_type_ulps(type("float"), &a[1], &b[1]) == 2);
	assert_true(element_type_ulps(type("float"), &a[2], &b[2]) == 2); /* across zero, where 0 and -0 are equal */
	struct compare_result c = element_type_compare(type("float"), a, b, 4, &two);
	assert_int_equal(c.wrong, 1);
	assert_int_equal(c.first, 3);
	assert_true(c.worst == 1.5 && c.worst_at == 3);
	assert_true(c.unequal == 3 && c.ulps == 3);
	double d[] = {0.1 + 0.2}, wanted[] = {0.3};
	assert_true(element_type_ulps(type("double"), d, wanted) == 1);
}

/* --- references --- */
static struct {
	struct launch_shape shape;
	const int *buf;
	float f;
	double d;
	unsigned char c;
	long l;
	short s;
	unsigned u;
	float *out;
} seen;

static void every_type(const struct launch_shape *shape, const int *buf, float f, double d, unsigned char c, long l,
	short s, unsigned u, float *out)
{
	seen.shape = *shape;
	seen.buf = buf;
	seen.f = f, seen.d = d, seen.c = c, seen.l = l, seen.s = s, seen.u = u;
	seen.out = out;
	out[0] = (float)buf[1] * f;
}

static void a_reference_gets_the_arguments_of_the_kernel(void **state)
{
	(void)state;
	int data[2] = {3, 4};
	float result[1] = {0};
	const int *buf = data;
	float f = 1.5f, *out = result;
	double d = -2.25;
	unsigned char c = 200;
	long l = -(1L << 40);
	short s = -5;
	unsigned u = 4000000000u;
	void *args[] = {&buf, &f, &d, &c, &l, &s, &u, &out};
	static const char *const names[] = {
		"int", "float", "double", "unsigned char", "long", "short", "unsigned", "float"};
	struct arg_type types[8];
	for (int i = 0; i < 8; i++)
		types[i] = (struct arg_type){type(names[i]), i == 0 || i == 7};
	const struct launch_shape shape = {{4, 5, 6}, {64, 2, 1}};
	const struct reference r = {"every_type", (void (*)(void))every_type, false};
	struct err e;
	assert_true(reference_call(&r, &shape, types, args, 8, &e));
	assert_memory_equal(&seen.shape, &shape, sizeof shape);
	assert_ptr_equal(seen.buf, data);
	assert_true(seen.f == 1.5f && seen.d == -2.25 && seen.c == 200 && seen.l == -(1L << 40) && seen.s == -5 &&
		seen.u == 4000000000u);
	assert_true(result[0] == 6);
}

static void arguments_that_libffi_cannot_pass_are_rejected(void **state)
{
	(void)state;
	struct err e = {0};
	float four[4] = {0};
	void *args[] = {four};
	struct arg_type t = {type("float4"), false};
	const struct launch_shape shape = {{1, 1, 1}, {1, 1, 1}};
	const struct reference r = {"every_type", (void (*)(void))every_type, false};
	assert_false(reference_call(&r, &shape, &t, args, 1, &e));
	assert_non_null(strstr(e.text, "float4"));
	assert_false(reference_call(&r, &shape, &t, args, KERNEL_ARGS_MAX + 1, &e));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(declared_types_are_parsed),
		cmocka_unit_test(an_unknown_type_suggests_the_nearest),
		cmocka_unit_test(values_that_do_not_fit_are_rejected),
		cmocka_unit_test(stored_values_read_back),
		cmocka_unit_test(buffers_are_filled_by_number_index_and_random),
		cmocka_unit_test(a_number_fill_sets_every_element),
		cmocka_unit_test(a_chase_visits_every_line_once),
		cmocka_unit_test(a_chase_has_no_pattern),
		cmocka_unit_test(a_chase_may_have_addresses),
		cmocka_unit_test(an_address_needs_eight_bytes),
		cmocka_unit_test(a_chase_needs_whole_lines_and_offsets_that_fit),
		cmocka_unit_test(integers_are_compared_exactly),
		cmocka_unit_test(floats_are_compared_within_the_tolerance),
		cmocka_unit_test(differences_are_counted_in_units_in_the_last_place),
		cmocka_unit_test(a_reference_gets_the_arguments_of_the_kernel),
		cmocka_unit_test(arguments_that_libffi_cannot_pass_are_rejected),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Arguments that a definition declares, compared with the kernel's parameters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "gpu/protocol/argument_check.h"

static struct job j;
static struct kernel_info k;

static int begin_check(void **state)
{
	(void)state;
	j = (struct job){.definition = "./copy.lua", .args_line = 9};
	k = (struct kernel_info){.name = "copy"};
	return 0;
}

static void declare(const char *type, const char *name, int line)
{
	struct job_arg *a = &j.args[j.arg_count++];
	*a = (struct job_arg){.declared = type, .name = name, .line = line};
	a->type.type = element_type_parse(type, &a->type.pointer, NULL);
	assert_non_null(a->type.type);
}

static void take(bool pointer, unsigned size)
{
	k.parameters[k.parameter_count++] = (struct kernel_parameter){.size = size, .pointer = pointer};
}

static void declare_copy(const char *last)
{
	begin_check(NULL);
	declare("const int *", "from", 10);
	declare("int *", "to", 11);
	declare(last, "stride", 12);
	take(true, 8);
	take(true, 8);
	take(false, 4);
}

static void expect_fit(const char *types)
{
	struct err e = {.text = ""};
	if (!arguments_check(&j, &k, types, &e))
		fail_msg("%s", e.text);
}

static void expect_mismatch(const char *types, const char *text)
{
	struct err e = {.text = ""};
	assert_false(arguments_check(&j, &k, types, &e));
	assert_int_equal(e.status, ST_REQUEST);
	assert_string_equal(e.text, text);
}

static void sizes_are_compared_without_types(void **state)
{
	(void)state;
	declare_copy("int");
	expect_fit(NULL);
	expect_fit("");
	declare_copy("float");
	expect_fit(NULL); /* the code object does not tell */
	declare_copy("double");
	expect_mismatch(NULL,
		"./copy.lua:12: kernel copy takes (8-byte pointer, 8-byte pointer, 4-byte value), but args declares "
		"(const int *from, int *to, double stride): argument 3 'stride' has 4 bytes in the kernel and 8 in args; "
		"fix the type");
	declare_copy("char *");
	expect_mismatch(NULL,
		"./copy.lua:12: kernel copy takes (8-byte pointer, 8-byte pointer, 4-byte value), but args declares "
		"(const int *from, int *to, char *stride): argument 3 'stride' is a value in the kernel and a pointer in "
		"args; fix the type");
}

static void the_number_is_compared(void **state)
{
	(void)state;
	declare_copy("int");
	j.arg_count = 1;
	expect_mismatch("const int *, int *, int",
		"./copy.lua:9: kernel copy takes (const int *, int *, int), but args declares (const int *from): "
		"1 argument instead of 3; add the others");
	begin_check(NULL);
	declare("int", "n", 10);
	expect_mismatch(NULL,
		"./copy.lua:10: kernel copy takes (), but args declares (int n): 1 argument instead of 0; remove the "
		"others");
	begin_check(NULL);
	expect_fit("");
}

static void types_tell_numbers_apart(void **state)
{
	(void)state;
	declare_copy("float");
	expect_mismatch("const int *, int *, int",
		"./copy.lua:12: kernel copy takes (const int *, int *, int), but args declares (const int *from, int *to, "
		"float stride): argument 3 'stride' is int in the kernel and float in args; fix the type");
	expect_fit("const int *, int *, float");
	expect_fit("const int *__restrict, int *, struct pair<int, float>"); /* types that definitions do not know */
	expect_fit("const int *, int *, enum mode");
	expect_fit("const int *, int"); /* another number than in the code object: not used */
	declare_copy("unsigned");
	expect_fit("const unsigned int *, void *, int"); /* the sign does not matter, and void may be anything */
	declare_copy("int");
	expect_mismatch("const float *, int *, int",
		"./copy.lua:10: kernel copy takes (const float *, int *, int), but args declares (const int *from, int "
		"*to, int stride): argument 1 'from' points to float in the kernel and int in args; fix the type");
	expect_mismatch("const int *, long *, int",
		"./copy.lua:11: kernel copy takes (const int *, long *, int), but args declares (const int *from, int *to, "
		"int stride): argument 2 'to' points to long in the kernel and int in args; fix the type");
}

/* A long signature shows only the argument that differs; an error is one line of limited length. */
static void a_long_signature_is_shortened(void **state)
{
	struct err e = {.text = ""};
	(void)state;
	begin_check(NULL);
	for (int i = 0; i < KERNEL_ARGS_MAX; i++) {
		declare(i == 20 ? "double" : "unsigned long", "a_long_name_of_an_argument", 10);
		take(false, i == 20 ? 4 : 8);
	}
	assert_false(arguments_check(&j, &k, NULL, &e));
	assert_non_null(strstr(e.text,
		"takes (..., 4-byte value, ...), but args declares (..., double a_long_name_of_an_"
		"argument, ...): argument 21"));
	k.parameter_count = 1000; /* of a damaged object: only the first 64 are known */
	assert_false(arguments_check(&j, &k, NULL, &e));
	assert_non_null(strstr(e.text, "32 arguments instead of 1000"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(sizes_are_compared_without_types, begin_check),
		cmocka_unit_test_setup(the_number_is_compared, begin_check),
		cmocka_unit_test_setup(types_tell_numbers_apart, begin_check),
		cmocka_unit_test_setup(a_long_signature_is_shortened, begin_check),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

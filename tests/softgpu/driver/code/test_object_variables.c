/* Variables of code objects that clang compiles, to the byte, and what lies between them; damaged files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/driver/code/object_variables.h"
#include "tests/scratch.h"
#include "tests/toolchain.h"

enum { FILE_BYTES_MAX = 1 << 20, IMAGE_BYTES = 1 << 16 };
static uint8_t file[FILE_BYTES_MAX];

static const char source[] = "#define DEVICE __attribute__((device))\n"
			     "DEVICE int table[64]; static DEVICE char few[3];\n"
			     "DEVICE const int lut[5] = {1, 2, 3, 4, 5};\n"
			     "__attribute__((constant)) int weights[4] = {1, 2, 3, 4};\n"
			     "extern \"C\" __attribute__((global)) void k(int *p)\n"
			     "{ few[p[9]]++; p[0] = table[p[1]] + few[p[2]] + lut[p[3]] + weights[p[4]]; }\n";

/* Bytes of the compiled source, which then was changed by `after`, a command for the object $1. */
static size_t compile(const char *after)
{
	char hip[SCRATCH_PATH], object[SCRATCH_PATH], command[4096];
	FILE *f = fopen(scratch_path(hip, "variables.hip"), "w");

	scratch_path(object, "variables.co");
	assert_non_null(f);
	assert_true(fputs(source, f) >= 0);
	assert_int_equal(fclose(f), 0);
	snprintf(command, sizeof command,
		IN_SCRATCH "%s -O1 -x hip -nogpuinc -nogpulib --offload-arch=gfx900 --offload-device-only "
			   "--no-gpu-bundle-output -o %s %s && set -- %s && %s",
		toolchain_value("CLANG"), object, hip, object, after);
	assert_int_equal(system(command), 0);
	f = fopen(object, "rb");
	assert_non_null(f);
	const size_t bytes = fread(file, 1, sizeof file, f);
	fclose(f);
	remove(hip);
	remove(object);
	return bytes;
}

static const struct object_item *find_variable(const struct object_variables *v, const char *name)
{
	for (size_t i = 0; i < v->count; i++)
		if (v->list[i].name && !strcmp(v->list[i].name, name))
			return &v->list[i];
	fail_msg("no variable %s", name);
	return NULL;
}

static struct object_extent find(const struct object_variables *v, uint64_t offset)
{
	const struct object_extent e = object_variables_find(v, IMAGE_BYTES, offset);

	assert_true(e.from <= offset && offset < e.to);
	return e;
}

static void expect_variable(const struct object_variables *v, const char *name, uint64_t bytes)
{
	const struct object_item *i = find_variable(v, name);
	const struct object_extent first = find(v, i->from), last = find(v, i->to - 1);

	assert_int_equal(i->to - i->from, bytes);
	assert_true(first.place == PLACE_VARIABLE && last.place == PLACE_VARIABLE);
	assert_true(first.from == i->from && last.to == i->to && first.item == (size_t)(i - v->list));
}

static void variables_are_known_to_the_byte(void **state)
{
	struct object_variables v;

	(void)state;
	object_variables_read(file, compile(":"), &v);
	expect_variable(&v, "table", 256);
	expect_variable(&v, "_ZL3few", 3);
	expect_variable(&v, "_ZL3lut", 20);
	expect_variable(&v, "weights", 16);
	expect_variable(&v, "k.kd", 64);
	const struct object_item *few = find_variable(&v, "_ZL3few"), *table = find_variable(&v, "table");
	const struct object_item *last = few->from > table->from ? few : table;
	const struct object_extent end = find(&v, last->to), weights = find(&v, find_variable(&v, "weights")->from - 1);
	assert_true(end.place == PLACE_FILLING && end.to == IMAGE_BYTES && &v.list[end.item] == last);
	assert_true(weights.place == PLACE_FILLING && v.list[weights.item].name &&
		!strcmp(v.list[weights.item].name, "weights"));
	assert_int_equal(find(&v, 0).place, PLACE_UNKNOWN); /* the ELF header */
	assert_int_equal(object_variables_find(&v, IMAGE_BYTES, IMAGE_BYTES).place, PLACE_UNKNOWN);
	object_variables_free(&v);
}

/* Without all symbols, bytes that none covers may be a variable. */
static void nothing_is_known_without_symbols(void **state)
{
	char strip[512];
	struct object_variables v;

	(void)state;
	snprintf(strip, sizeof strip, "%s --strip-all $1", toolchain_value("LLVM_OBJCOPY"));
	object_variables_read(file, compile(strip), &v);
	assert_int_equal(v.count, 0);
}

/* A symbol without a size leaves its section unknown; the others stay known. */
static void symbols_without_a_size(void **state)
{
	char add[512];
	struct object_variables v;

	(void)state;
	snprintf(add, sizeof add, "%s --add-symbol label=.bss:0,local $1", toolchain_value("LLVM_OBJCOPY"));
	const size_t bytes = compile(":");
	object_variables_read(file, bytes, &v);
	const uint64_t bss = find_variable(&v, "table")->from;
	object_variables_free(&v);
	object_variables_read(file, compile(add), &v);
	assert_int_equal(find(&v, bss).place, PLACE_UNKNOWN);
	expect_variable(&v, "weights", 16);
	object_variables_free(&v);
}

static void damaged_files_are_read_inside_of_them(void **state)
{
	const size_t bytes = compile(":");
	struct object_variables v;

	(void)state;
	for (size_t k = 0; k < bytes; k += k < 64 ? 1 : 7) {
		const uint8_t before = file[k];
		uint8_t *cut = malloc(k + 1);
		memcpy(cut, file, k);
		object_variables_read(cut, k, &v);
		object_variables_free(&v);
		free(cut);
		file[k] ^= (uint8_t)(1 + k % 255);
		object_variables_read(file, bytes, &v);
		for (size_t i = 1; i < v.count; i++)
			assert_true(v.list[i].from >= v.list[i - 1].to);
		object_variables_free(&v);
		file[k] = before;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variables_are_known_to_the_byte),
		cmocka_unit_test(nothing_is_known_without_symbols),
		cmocka_unit_test(symbols_without_a_size),
		cmocka_unit_test(damaged_files_are_read_inside_of_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

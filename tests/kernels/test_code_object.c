/* Reading code objects: real ones are read correctly, damaged ones fail with one line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "kernels/inspect/code_object.h"
#include "tests/scratch.h"

static char *object_path(const char *name)
{
	const char *build = getenv("BUILD");
	return xasprintf("%s/kernels/gfx900/%s.co", build ? build : "build", name);
}

static struct code_object *open_object(const char *name)
{
	struct err e = {0};
	char *path = object_path(name);
	struct code_object *o = code_object_open(path, &e);
	if (!o)
		fail_msg("%s", e.text);
	free(path);
	return o;
}

static void an_assembled_object_has_its_kernels_and_resources(void **state)
{
	(void)state;
	struct code_object *o = open_object("fma_published");
	const struct kernel_info *list, *k;
	assert_int_equal(code_object_list_kernels(o, &list), 7);
	k = code_object_find_kernel(o, "fma_2c", NULL);
	assert_non_null(k);
	assert_string_equal(k->arch, "gfx900");
	assert_int_equal(k->vgprs, 16); /* 13 in granules of 4 */
	assert_int_equal(k->sgprs, 32); /* 16, VCC and XNACK, in granules of 16 */
	assert_int_equal(k->kernarg_bytes, 12);
	assert_int_equal(k->lds_bytes, 0);
	assert_int_equal(k->waves_per_simd, 10);
	assert_string_equal(k->limited_by, "wave slots");
	code_object_close(o);
}

static void a_compiled_object_has_its_kernels_and_resources(void **state)
{
	(void)state;
	struct code_object *o = open_object("lds");
	const struct kernel_info *k = code_object_find_kernel(o, "lds_bank_conflict", NULL);
	assert_non_null(k);
	assert_int_equal(k->lds_bytes, 16384);
	assert_int_equal(k->scratch_bytes, 0);
	assert_int_equal(k->wave_size, 64);
	assert_string_equal(k->limited_by, "LDS"); /* 4 of 64 KiB: one wave per SIMD */
	assert_int_equal(k->waves_per_simd, 1);
	code_object_close(o);
}

static void check_parameters(const char *object, const char *kernel, const char *expected)
{
	char text[200] = "";
	struct code_object *o = open_object(object);
	const struct kernel_info *k = code_object_find_kernel(o, kernel, NULL);
	assert_non_null(k);
	for (int i = 0; i < k->parameter_count; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u ", k->parameters[i].pointer ? "*" : "",
			k->parameters[i].size);
	assert_string_equal(text, expected);
	code_object_close(o);
}

/* Those that the compiler adds do not count. */
static void parameters_have_sizes_and_kinds(void **state)
{
	(void)state;
	check_parameters("copy", "copy_offset", "*8 *8 4 4 ");
	check_parameters("fma_published", "fma_2c", "*8 4 ");
	check_parameters("dispatch", "dispatch", "*8 ");
}

static void an_unknown_kernel_is_a_one_line_error(void **state)
{
	(void)state;
	struct err e = {0};
	struct code_object *o = open_object("dispatch");
	assert_null(code_object_find_kernel(o, "dispatsch", &e));
	assert_int_equal(e.status, ST_REQUEST);
	assert_non_null(strstr(e.text, "dispatch"));
	assert_null(strchr(e.text, '\n'));
	code_object_close(o);
}

static void check_occupancy(unsigned vgprs, unsigned lds, unsigned threads, unsigned waves, const char *by)
{
	struct kernel_info k = {.arch = "gfx900", .vgprs = vgprs, .sgprs = 16, .lds_bytes = lds, .wave_size = 64};
	kernel_compute_occupancy(&k, threads);
	assert_int_equal(k.waves_per_simd, waves);
	assert_string_equal(k.limited_by, by);
}

static void occupancy_follows_from_the_resources(void **state)
{
	(void)state;
	check_occupancy(24, 0, 64, 10, "wave slots");
	check_occupancy(25, 0, 64, 9, "VGPRs");
	check_occupancy(64, 0, 1024, 4, "VGPRs"); /* four waves per SIMD leave 64 registers each */
	check_occupancy(65, 0, 1024, 0, "VGPRs"); /* this workgroup cannot run */
	check_occupancy(128, 0, 256, 2, "VGPRs");
	check_occupancy(32, 32768, 256, 2, "LDS");
	check_occupancy(4, 0, 128, 8, "workgroup slots"); /* 16 groups of two waves */
}

static void check_rdna3_occupancy(const char *arch, unsigned wave, unsigned vgprs, unsigned threads, unsigned waves)
{
	struct kernel_info k = {.vgprs = vgprs, .lds_bytes = 8320, .wave_size = (uint8_t)wave};
	snprintf(k.arch, sizeof k.arch, "%s", arch);
	kernel_compute_occupancy(&k, threads);
	assert_int_equal(k.waves_per_simd, waves);
}

/* 1536 registers of 32 lanes on gfx1100, in steps of 24; 1024 on gfx1102, in steps of 16. */
static void occupancy_of_gfx11_counts_its_registers(void **state)
{
	(void)state;
	check_rdna3_occupancy("gfx1100", 32, 216, 128, 6); /* 7 waves fit, 3 workgroups of 4 on the 2 SIMDs of a CU */
	check_rdna3_occupancy("gfx1100", 32, 216, 32, 4);  /* 7 workgroups by LDS */
	check_rdna3_occupancy("gfx1100", 32, 97, 128, 12);
	check_rdna3_occupancy("gfx1100", 64, 108, 256, 6);
	check_rdna3_occupancy("gfx1102", 32, 216, 128, 4);
}

/* A damaged code object may ask for any amount. */
static void resources_beyond_the_hardware_leave_no_wave(void **state)
{
	(void)state;
	static const unsigned amounts[] = {1 << 20, 0xfffffe00, 0xfffffe01, 0xfffffff1, UINT_MAX - 1, UINT_MAX};
	for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++) {
		struct kernel_info lds = {.arch = "gfx900", .wave_size = 64, .lds_bytes = amounts[i]},
				   vgprs = {.arch = "gfx900", .wave_size = 64, .vgprs = amounts[i]},
				   sgprs = {.arch = "gfx900", .wave_size = 64, .sgprs = amounts[i]},
				   block = {.arch = "gfx900", .wave_size = 64};
		kernel_compute_occupancy(&lds, 64);
		kernel_compute_occupancy(&vgprs, 64);
		kernel_compute_occupancy(&sgprs, 64);
		kernel_compute_occupancy(&block, amounts[i]);
		assert_int_equal(lds.waves_per_simd, 0);
		assert_string_equal(lds.limited_by, "LDS");
		assert_int_equal(vgprs.waves_per_simd, 0);
		assert_int_equal(sgprs.waves_per_simd, 0);
		assert_int_equal(block.waves_per_simd, 0);
	}
}

/* The hot loop of a chase is one load and its address code, from the wait to the branch. */
static void the_hot_loop_of_a_chase_is_found(void **state)
{
	(void)state;
	size_t count, start, end;
	struct code_object *o = open_object("chase_published");
	struct kernel_line *l = code_object_disassemble(
		o, code_object_find_kernel(o, "chase_stride", NULL), &count, &start, &end, NULL);
	assert_non_null(l);
	assert_int_equal(end - start, 13);
	assert_string_equal(l[start].text, "s_waitcnt vmcnt(0)");
	assert_true(!strncmp(l[end - 1].text, "s_cbranch_scc1", 14));
	assert_true(l[start].in_hot_loop && l[end - 1].in_hot_loop && !l[start - 1].in_hot_loop && !l[end].in_hot_loop);
	free(l);
	code_object_close(o);
}

/* lds_bank_conflict fills LDS in another loop; the loop with a hundred reads is hotter. */
static void the_hot_loop_is_the_loop_with_the_most_work(void **state)
{
	(void)state;
	static const char *const objects[] = {"lds", "lds_published"};
	for (int i = 0; i < 2; i++) {
		size_t count, start, end, reads = 0;
		struct code_object *o = open_object(objects[i]);
		struct kernel_line *l = code_object_disassemble(
			o, code_object_find_kernel(o, "lds_bank_conflict", NULL), &count, &start, &end, NULL);
		for (size_t j = start; j < end; j++)
			reads += !strncmp(l[j].text, "ds_read_b32", 11);
		assert_int_equal(reads, 100);
		free(l);
		code_object_close(o);
	}
}

static void a_kernel_without_a_loop_has_no_hot_loop(void **state)
{
	(void)state;
	size_t count, start, end;
	struct code_object *o = open_object("dispatch");
	struct kernel_line *l =
		code_object_disassemble(o, code_object_find_kernel(o, "dispatch", NULL), &count, &start, &end, NULL);
	assert_int_equal(count, 1);
	assert_string_equal(l[0].text, "s_endpgm");
	assert_int_equal(start, end);
	free(l);
	code_object_close(o);
}

/* --- damaged objects --- */
static char scratch[SCRATCH_PATH];

static int make_scratch(void **state)
{
	(void)state;
	int fd = mkstemp(scratch_path(scratch, "object-XXXXXX"));
	close(fd);
	return fd < 0;
}

static int drop_scratch(void **state)
{
	(void)state;
	return unlink(scratch);
}

/* Opens the object and lists everything in it; true if it opens. */
static bool survive(const void *data, size_t size)
{
	struct err e = {0};
	FILE *f = fopen(scratch, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, size, f), size);
	fclose(f);
	struct code_object *o = code_object_open(scratch, &e);
	if (!o) {
		assert_true(e.text[0] && !strchr(e.text, '\n'));
		return false;
	}
	const struct kernel_info *list;
	size_t n = code_object_list_kernels(o, &list);
	for (size_t i = 0; i < n; i++) {
		size_t count, start, end;
		struct kernel_line *l = code_object_disassemble(o, &list[i], &count, &start, &end, &e);
		if (l)
			assert_true(start <= end && end <= count && count <= size / 4);
		free(l);
	}
	code_object_close(o);
	return true;
}

/* In the kernel descriptor, which is aligned to 64 bytes and begins with the size of LDS. */
static void an_object_with_any_size_of_lds_opens(void **state)
{
	(void)state;
	size_t size, found = 0;
	struct code_object *o = open_object("lds");
	const uint8_t *data = code_object_bytes(o, &size);
	uint8_t *copy = xmalloc(size);
	memcpy(copy, data, size);
	for (size_t at = 0; at + 64 <= size; at += 64)
		if (!memcmp(copy + at, "\0\x40\0\0\0\0\0\0", 8)) {
			memset(copy + at, 0xff, 4);
			found++;
		}
	assert_true(found > 0);
	assert_true(survive(copy, size));
	free(copy);
	code_object_close(o);
}

static void every_truncated_object_fails_cleanly(void **state)
{
	(void)state;
	size_t size;
	struct code_object *o = open_object("chase");
	const uint8_t *data = code_object_bytes(o, &size);
	assert_true(survive(data, size));
	for (size_t n = 0; n < size; n++)
		assert_false(survive(data, n)); /* the section table is at the end */
	code_object_close(o);
}

static void randomly_damaged_objects_fail_cleanly(void **state)
{
	(void)state;
	uint64_t seed = 0x9e3779b97f4a7c15u;
	size_t size, opened = 0;
	struct code_object *o = open_object("chase");
	const uint8_t *data = code_object_bytes(o, &size);
	uint8_t *copy = xmalloc(size);
	for (int round = 0; round < 6000; round++) {
		memcpy(copy, data, size);
		for (int flips = 1 + round % 4; flips; flips--) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			copy[(seed >> 33) % size] = round & 1
				? (uint8_t)(seed >> 24)
				: copy[(seed >> 33) % size] ^ (uint8_t)(1 << (seed >> 60) % 8);
		}
		opened += survive(copy, size);
	}
	assert_true(opened > 0 && opened < 6000); /* damage in padding is harmless, damage in a header is not */
	free(copy);
	code_object_close(o);
}

static void folders_and_missing_files_are_rejected(void **state)
{
	(void)state;
	struct err e = {0};
	assert_null(code_object_open("/nowhere/x.co", &e));
	assert_non_null(strstr(e.text, "/nowhere/x.co"));
	assert_null(code_object_open("/dev/zero", &e));
	assert_null(code_object_open("/", &e));
	assert_false(survive("\177ELF", 4));
	assert_false(survive("", 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_assembled_object_has_its_kernels_and_resources),
		cmocka_unit_test(a_compiled_object_has_its_kernels_and_resources),
		cmocka_unit_test(parameters_have_sizes_and_kinds),
		cmocka_unit_test(an_unknown_kernel_is_a_one_line_error),
		cmocka_unit_test(occupancy_follows_from_the_resources),
		cmocka_unit_test(occupancy_of_gfx11_counts_its_registers),
		cmocka_unit_test(resources_beyond_the_hardware_leave_no_wave),
		cmocka_unit_test(the_hot_loop_of_a_chase_is_found),
		cmocka_unit_test(the_hot_loop_is_the_loop_with_the_most_work),
		cmocka_unit_test(a_kernel_without_a_loop_has_no_hot_loop),
		cmocka_unit_test(an_object_with_any_size_of_lds_opens),
		cmocka_unit_test(every_truncated_object_fails_cleanly),
		cmocka_unit_test(randomly_damaged_objects_fail_cleanly),
		cmocka_unit_test(folders_and_missing_files_are_rejected),
	};
	return cmocka_run_group_tests(tests, make_scratch, drop_scratch);
}

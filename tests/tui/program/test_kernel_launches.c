/* The launches of a kernel that the view of a program lists: the first and the slowest of any number, and those that
 * were kept; from the journals of the program's processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/host/temporary_folder.h"
#include "tui/lab/program/program_activity.h"

enum { MANY = 100000, LISTED = LAUNCHES_FIRST + LAUNCHES_SLOWEST };

static void add_launch(struct kernel_launches *l, int process, uint64_t number, uint64_t ps)
{
	kernel_launches_add(
		l, &(struct kernel_launch){.process = process, .number = number, .ps = ps, .cycles = ps / 2});
}

/* Each duration from 0 up to MANY once, in an order without pattern: the factor has no divisor with MANY in common. */
static uint64_t mixed(uint64_t i)
{
	return i * 7919 % MANY;
}

static int compare_descending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x < y) - (x > y);
}

/* --- the bounded list --- */
static void test_few_launches(void **state)
{
	struct kernel_launches l = {0};
	(void)state;
	for (uint64_t i = 0; i < LISTED; i++)
		add_launch(&l, 1, i, mixed(i));
	assert_int_equal(l.count, LISTED);
	const struct kernel_launch **list = kernel_launches_sort(&l, BY_LAUNCH_NUMBER);
	for (int i = 0; i < LISTED; i++) {
		assert_int_equal(list[i]->number, i);
		assert_int_equal(list[i]->ps, mixed((uint64_t)i));
	}
	free(list);
	kernel_launches_free(&l);
}

static void test_first_and_slowest(void **state)
{
	static uint64_t others[MANY];
	struct kernel_launches l = {0};
	(void)state;
	for (uint64_t i = 0; i < MANY; i++) {
		add_launch(&l, 1, i, mixed(i));
		if (i >= LAUNCHES_FIRST)
			others[i - LAUNCHES_FIRST] = mixed(i);
	}
	assert_int_equal(l.count, LISTED);
	assert_in_range(l.capacity, LISTED, 2 * LISTED);
	qsort(others, MANY - LAUNCHES_FIRST, sizeof *others, compare_descending);
	const struct kernel_launch **list = kernel_launches_sort(&l, BY_LAUNCH_NUMBER);
	for (int i = 0; i < LAUNCHES_FIRST; i++)
		assert_int_equal(list[i]->number, i);
	for (int i = LAUNCHES_FIRST; i < LISTED; i++) {
		assert_true(list[i]->number > list[i - 1]->number);
		assert_int_equal(list[i]->ps, mixed(list[i]->number));
		assert_true(list[i]->ps >= others[LAUNCHES_SLOWEST - 1]);
	}
	free(list);
	kernel_launches_free(&l);
}

/* Of equal times the earlier ones stay. */
static void test_equal_times(void **state)
{
	struct kernel_launches l = {0};
	(void)state;
	for (uint64_t i = 0; i < MANY; i++)
		add_launch(&l, 1, i, 1000);
	const struct kernel_launch **list = kernel_launches_sort(&l, BY_LAUNCH_TIME);
	for (int i = 0; i < LISTED; i++)
		assert_int_equal(list[i]->number, i);
	free(list);
	kernel_launches_free(&l);
}

static void test_orders(void **state)
{
	struct kernel_launches l = {0};
	(void)state;
	add_launch(&l, 20, 1, 300);
	add_launch(&l, 10, 1, 100);
	add_launch(&l, 20, 0, 100);
	add_launch(&l, 10, 0, 200);
	static const uint64_t by_number[][2] = {{10, 0}, {10, 1}, {20, 0}, {20, 1}},
			      by_time[][2] = {{20, 1}, {10, 0}, {10, 1}, {20, 0}};
	for (int sort = 0; sort < LAUNCH_SORTS; sort++) {
		const struct kernel_launch **list = kernel_launches_sort(&l, (enum launch_sort)sort);
		for (int i = 0; i < 4; i++) {
			const uint64_t *expected = sort == BY_LAUNCH_TIME ? by_time[i] : by_number[i];
			assert_int_equal(list[i]->process, expected[0]);
			assert_int_equal(list[i]->number, expected[1]);
		}
		free(list);
	}
	kernel_launches_free(&l);
}

/* --- journals --- */
static void write_journal(const char *folder, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", folder, name);
	FILE *out = fopen(path, "a");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
	free(path);
}

static const struct program_kernel *find_kernel(const struct program_kernels *k, const char *symbol)
{
	int i = program_kernels_find(k, symbol);
	assert_true(i >= 0);
	return &k->list[i];
}

static void remove_journals(struct program_kernels *k, char *folder)
{
	program_kernels_free(k);
	temporary_folder_remove(folder);
	free(folder);
}

static void test_journals(void **state)
{
	struct program_kernels k = {0};
	struct err e;
	char *folder = temporary_folder_create(&e);
	(void)state;
	write_journal(folder, "71.journal",
		"begin sum\nkernel 2000 30 4 0 0 128x8x1 64x4x1 sum\nbegin sum\nkernel 5000 70 4 3 1 65x1x1 64x1x1 ");
	assert_true(program_kernels_read(&k, folder));
	assert_int_equal(find_kernel(&k, "sum")->launches, 1);
	write_journal(folder, "71.journal", "sum\nkernel 1 2 3 sum\nkernel 1 2 3 4 5 1x1x1 1x1 sum\n");
	write_journal(
		folder, "72.journal", "kernel 1000 20 4 0 0 64x1x1 64x1x1 sum\nkernel 9 9 9 0 1 1x1x1 1x1x1 0x77\n");
	assert_true(program_kernels_read(&k, folder));
	assert_false(program_kernels_read(&k, folder));
	assert_int_equal(k.count, 2);
	assert_true(program_kernel_is_of_hip(&k.list[1]));
	const struct program_kernel *sum = find_kernel(&k, "sum");
	assert_int_equal(sum->launches, 3);
	assert_int_equal(sum->failed, 1);
	const struct kernel_launch **list = kernel_launches_sort(&sum->shown, BY_LAUNCH_NUMBER);
	const struct kernel_launch expected[] = {
		{.process = 71, .number = 0, .ps = 2000, .cycles = 30, .grid = {128, 8, 1}, .workgroup = {64, 4, 1}},
		{.process = 71,
			.number = 1,
			.ps = 5000,
			.cycles = 70,
			.status = 3,
			.grid = {65, 1, 1},
			.workgroup = {64, 1, 1}},
		{.process = 72, .number = 0, .ps = 1000, .cycles = 20, .grid = {64, 1, 1}, .workgroup = {64, 1, 1}}};
	assert_int_equal(sum->shown.count, 3);
	for (int i = 0; i < 3; i++)
		assert_memory_equal(list[i], &expected[i], sizeof expected[i]);
	free(list);
	remove_journals(&k, folder);
}

static json_t *describe_launch(int process, int number, int cycles)
{
	char file[40];
	snprintf(file, sizeof file, "launches/%d-%d.launch", process, number);
	return json_pack("{s:s, s:s, s:i, s:f, s:i, s:i, s:[iii], s:[iii]}", "file", file, "kernel", "sum", "number",
		number, "duration", 2e-9, "cycles", cycles, "status", 0, "grid", 64, 1, 1, "workgroup", 64, 1, 1);
}

static int count_kept(const struct kernel_launches *l)
{
	int kept = 0;
	for (int i = 0; i < l->count; i++)
		kept += l->list[i].kept != NULL;
	return kept;
}

/* Of the launches of two processes: one that is listed, one that is not among the first and the slowest, and one of a
 * process that has replaced itself by another program, whose number is there with other cycles. */
static void test_kept_launches(void **state)
{
	struct program_kernels k = {0};
	struct err e;
	struct buf lines = {0};
	char *folder = temporary_folder_create(&e);
	(void)state;
	for (int i = 0; i < 2000; i++)
		buf_printf(&lines, "kernel %d %d 4 0 %d 64x1x1 64x1x1 sum\n", i < 1000 ? 2000 : 5000, i, i);
	write_journal(folder, "71.journal", lines.data);
	write_journal(folder, "72.journal", "kernel 9000 30 4 0 3 64x1x1 64x1x1 sum\n");
	while (program_kernels_read(&k, folder))
		;
	json_t *capture = json_pack("{s:[o, o, o]}", "launches", describe_launch(72, 3, 30),
		describe_launch(71, 900, 900), describe_launch(71, 5, 77));
	const struct program_kernel *sum = find_kernel(&k, "sum");
	assert_int_equal(sum->shown.count, LISTED);
	program_kernels_note_kept(&k, capture);
	assert_int_equal(sum->launches, 2001);
	assert_int_equal(sum->shown.count, LISTED + 2);
	assert_int_equal(count_kept(&sum->shown), 3);
	const struct kernel_launch **list = kernel_launches_sort(&sum->shown, BY_LAUNCH_TIME);
	assert_int_equal(list[0]->process, 72);
	assert_ptr_equal(list[0]->kept, json_array_get(json_object_get(capture, "launches"), 0));
	const struct kernel_launch *added = list[LISTED + 1];
	assert_int_equal(added->number, 900);
	assert_int_equal(added->ps, 2000);
	assert_int_equal(added->workgroup[0], 64);
	free(list);
	buf_free(&lines);
	remove_journals(&k, folder);
	json_decref(capture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_few_launches),
		cmocka_unit_test(test_first_and_slowest),
		cmocka_unit_test(test_equal_times),
		cmocka_unit_test(test_orders),
		cmocka_unit_test(test_journals),
		cmocka_unit_test(test_kept_launches),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

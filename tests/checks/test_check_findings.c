/* What the processes of a checked program wrote down: journals that are damaged or made to do harm, places that are
 * joined, and how places in allocations read. */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/host/temporary_folder.h"
#include "base/paths.h"
#include "checks/check_findings.h"
#include "checks/check_journal_reader.h"
#include "checks/check_words.h"

static char *folder;

static int create_test_folder(void **state)
{
	struct err e = {0};
	(void)state;
	folder = temporary_folder_create(&e);
	return folder ? 0 : -1;
}

static int remove_test_folder(void **state)
{
	(void)state;
	temporary_folder_remove(folder);
	free(folder);
	return 0;
}

static void write_journal(const char *name, const char *text, size_t size)
{
	char *path = xasprintf("%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, size, f), size);
	fclose(f);
	free(path);
}

#define SIDE(offset, address, bytes, access)                                                         \
	"{\"offset\":" #offset ",\"address\":" #address ",\"bytes\":" #bytes ",\"access\":\"" access \
	"\",\"group\":[3,1,0],\"item\":[7,2,0],\"wave\":0,\"lane\":39,\"cycle\":5}"
#define PLACE(number, kind, space, start, room, rest)                                                                  \
	"{\"place\":" #number ",\"kind\":\"" kind                                                                      \
	"\",\"launch\":4,\"count\":10,\"kernel\":\"_Z3badPf\",\"code\":\"\",\"space\":\"" space "\",\"start\":" #start \
	",\"room\":" #room "," rest "}\n"
#define RACE(number) \
	PLACE(number, "lds_race", "lds", 0, 64, "\"at\":" SIDE(8, 16, 4, "read") ",\"other\":" SIDE(4, 16, 0, "write"))

/* --- journals --- */
static struct check_journals read_text(const char *text, size_t size)
{
	struct check_journals j;
	struct err e = {0};
	write_journal("1.check", text, size);
	assert_true(check_journals_read(folder, &j, &e));
	return j;
}

static void test_whole_journal(void **state)
{
	static const char text[] =
		"{\"launches\":                  20}\n{\"version\":1,\"launched\":\"_Z3badPf\"}\n" RACE(1)
			RACE(2) "{\"place\":2,\"launch\":4,\"count\":2}\n{\"place\":2,\"launch\":6,\"count\":3}\n";
	struct check_journals j = read_text(text, sizeof text - 1);
	(void)state;
	assert_int_equal(j.damaged, 0);
	assert_int_equal(j.launches, 20);
	assert_int_equal(j.kernel_count, 1);
	assert_int_equal(j.count, 2);
	assert_int_equal(j.records[0].count, 10);
	assert_int_equal(j.records[1].count, 15);
	assert_int_equal(j.records[1].launches, 2);
	assert_int_equal(j.records[1].first_launch, 4);
	assert_int_equal(j.records[0].at.item[0], 7);
	assert_int_equal(j.records[0].other.access, ACCESS_WRITE);
	check_journals_free(&j);
}

/* Every line but the first is wrong in its own way; none of them is taken, and the good one is. */
static void test_damaged_lines(void **state)
{
	static const char *const lines[] = {
		"\n",
		"{\"place\":1\n",
		"[]\n",
		"null\n",
		"\"text\"\n",
		"{}\n",
		"{\"launches\":-1}\n",
		"{\"launches\":\"20\"}\n",
		"{\"launches\":1e30}\n",
		"{\"launches\":99999999999999999999}\n",
		"{\"place\":1,\"place\":2,\"launch\":1,\"count\":1}\n",
		"{\"place\":9,\"launch\":1,\"count\":1}\n", /* without its first line */
		"{\"place\":-1,\"launch\":1,\"count\":1}\n",
		"{\"place\":1,\"launch\":1,\"count\":-5}\n",
		"{\"place\":4000000000,\"launch\":1,\"count\":1}\n",
		RACE(65536),
		RACE(-1),
		PLACE(3, "no_kind", "lds", 0, 64, "\"at\":" SIDE(8, 16, 4, "read")),
		PLACE(3, "lds_race", "moon", 0, 64, "\"at\":" SIDE(8, 16, 4, "read")),
		PLACE(3, "lds_race", "lds", 0, -64, "\"at\":" SIDE(8, 16, 4, "read")),
		PLACE(3, "lds_race", "lds", "0", 64, "\"at\":" SIDE(8, 16, 4, "read")),
		PLACE(3, "lds_race", "lds", 0, 64, "\"at\":" SIDE(8, 16, 4, "eat")),
		PLACE(3, "lds_race", "lds", 0, 64, "\"at\":" SIDE(8, 16, 4294967296, "read")),
		PLACE(3, "lds_race", "lds", 0, 64, "\"at\":" SIDE(8.5, 16, 4, "read")),
		PLACE(3, "lds_race", "lds", 0, 64, "\"at\":[]"),
		PLACE(3, "lds_race", "lds", 0, 64, "\"other\":" SIDE(8, 16, 4, "read")),
		PLACE(3, "lds_race", "lds", 0, 64, "\"at\":" SIDE(8, 16, 4, "read") ",\"other\":7"),
		PLACE(3, "out_of_bounds", "global", 0, 64, "\"at\":" SIDE(8, 16, 4, "read") ",\"allocation\":7"),
		PLACE(3, "out_of_bounds", "global", 0, 64,
			"\"at\":" SIDE(8, 16, 4,
				"read") ",\"allocation\":{\"number\":0,\"address\":1,\"bytes\":2,\"how\":\"x\"}"),
		PLACE(3, "out_of_bounds", "global", 0, 64,
			"\"at\":" SIDE(8, 16, 4,
				"read") ",\"allocation\":{\"number\":1,\"address\":1,\"bytes\":2,\"how\":\"x\","
					"\"allocated\":[7,{\"module\":\"m\",\"offset\":1,\"symbol\":\"s\"}]}"),
		"{\"place\":3,\"kind\":\"lds_race\",\"launch\":4,\"count\":10,\"kernel\":\"k\",\"code\":\"../../etc/passwd\","
		"\"space\":\"lds\",\"start\":0,\"room\":64,\"at\":" SIDE(8, 16, 4, "read") "}\n",
	};
	struct buf text = {0};
	(void)state;
	buf_puts(&text, "{\"launches\":2}\n" RACE(1));
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		buf_puts(&text, lines[i]);
	struct check_journals j = read_text(text.data, text.len);
	assert_int_equal(j.damaged, sizeof lines / sizeof *lines);
	assert_int_equal(j.count, 1);
	assert_int_equal(j.records[0].count, 10);
	assert_int_equal(j.launches, 2);
	check_journals_free(&j);
	buf_free(&text);
}

/* A process may be killed after any byte. */
static void test_every_end(void **state)
{
	static const char text[] = "{\"launches\":2}\n" RACE(1) "{\"place\":1,\"launch\":6,\"count\":5}\n";
	const size_t whole = sizeof "{\"launches\":2}\n" RACE(1) - 2; /* the newline may be missing */
	(void)state;
	for (size_t size = 0; size < sizeof text; size++) {
		struct check_journals j = read_text(text, size);
		assert_int_equal(j.count, size >= whole);
		assert_true(j.damaged <= 1);
		check_journals_free(&j);
	}
}

static void test_endless_line_and_sums(void **state)
{
	struct buf text = {0};
	(void)state;
	for (size_t i = 0; i < 3 << 20; i++)
		buf_add(&text, "{", 1);
	buf_puts(&text, "\n" RACE(1));
	for (int i = 0; i < 3; i++)
		buf_puts(&text, "{\"place\":1,\"launch\":6,\"count\":9223372036854775807}\n");
	struct check_journals j = read_text(text.data, text.len);
	assert_int_equal(j.damaged, 1);
	assert_int_equal(j.count, 1);
	assert_true(j.records[0].count == UINT64_MAX);
	check_journals_free(&j);
	buf_free(&text);
}

/* --- reports --- */
/* The label has the address of an instruction whose line is known, however the compiler begins a function. */
extern const char allocation_call[];
enum { ALLOCATE_LINE = __LINE__ + 3 };
static void __attribute__((noinline, noclone)) allocate_somewhere(void)
{
	__asm__ volatile("allocation_call: nop");
}

/* The program itself is the module. */
static char *describe_own_frame(void)
{
	Dl_info info;
	assert_true(dladdr(allocation_call, &info));
	char *self = path_self();
	char *text = xasprintf("{\"module\":\"%s\",\"offset\":%lu,\"symbol\":\"\"}", self,
		(unsigned long)((uintptr_t)allocation_call - (uintptr_t)info.dli_fbase));
	free(self);
	return text;
}

static char *report_text(const char *journal)
{
	struct check_places places;
	struct buf text = {0};
	struct check_journals j = read_text(journal, strlen(journal));
	check_places_collect(&j, folder, &places);
	struct check_findings r = {.journals = &j,
		.places = &places,
		.sources = source_text_new(0),
		.modules = host_modules_new(),
		.checks = "memory"};
	check_report_append_text(&text, &r, 20);
	source_text_free(r.sources);
	host_modules_free(r.modules);
	check_places_free(&places);
	check_journals_free(&j);
	return text.data;
}

static void test_allocation_text(void **state)
{
	allocate_somewhere();
	char *frame = describe_own_frame();
	char *journal = xasprintf(
		"{\"launches\":1}\n{\"place\":1,\"kind\":\"use_after_free\",\"launch\":0,\"count\":1234567,"
		"\"kernel\":\"_Z3badPf\",\"code\":\"\",\"grid\":[64,2,1],\"workgroup\":[64,1,1],\"space\":\"global\","
		"\"start\":4096,\"room\":64,\"at\":" SIDE(8, 4112, 4,
			"read") ",\"allocation\":{\"number\":3,\"address\":4096,"
				"\"bytes\":64,\"how\":\"hipMalloc\",\"allocated\":[{\"module\":\"/opt/rocm/lib/libamdhip64.so.6\",\"offset\":5,"
				"\"symbol\":\"hipMalloc\"},%s,{\"module\":\"/x/libfill.so\",\"offset\":291,\"symbol\":\"\"},"
				"{\"module\":\"/x/app\",\"offset\":3,\"symbol\":\"main\"},{\"module\":\"/lib/libc.so.6\",\"offset\":3,"
				"\"symbol\":\"start\"}],\"freed\":[{\"module\":\"/x/app\",\"offset\":3,\"symbol\":\"_Z5clearPf\"}]}}\n",
		frame);
	char *text = report_text(journal);
	char *expected = xasprintf("wavedeck: access to freed memory, 1,234,567 times: bad(float*)\n"
				   "  instruction at byte 8: reads 4 bytes at byte 16 of 64 bytes that were freed\n"
				   "    work-item 7,2 of workgroup 3,1 (wave 0, lane 39)\n"
				   "  buffer of 64 bytes at 0x1000, from hipMalloc\n"
				   "    allocated in\n"
				   "      allocate_somewhere at tests/checks/test_check_findings.c:%d\n"
				   "      libfill.so+0x123\n"
				   "      main in app\n"
				   "    freed in\n"
				   "      clear(float*) in app\n"
				   "wavedeck: 1 place, 1,234,567 accesses; checked memory in 1 launch\n",
		ALLOCATE_LINE);
	(void)state;
	assert_string_equal(text, expected);
	free(expected);
	free(text);
	free(journal);
	free(frame);
}

/* Any bytes give a report. */
static void test_mutations(void **state)
{
	static const char sample[] = "{\"launches\":2}\n{\"version\":1,\"launched\":\"k\"}\n" RACE(1) PLACE(2,
		"use_after_free", "global", 4096, 64,
		"\"grid\":[64,2,1],\"workgroup\":[64,1,1],\"at\":" SIDE(8, 4112, 4,
			"read") ",\"allocation\":{\"number\":3,\"address\":4096,\"bytes\":64,\"how\":\"hipMalloc\",\"allocated\":["
				"{\"module\":\"/x/app\",\"offset\":3,\"symbol\":\"main\"}]}") "{\"place\":2,\"launch\":6,\"count\":5}\n";
	static const char replacements[] = "0123456789-\"{}[],:\\\n e";
	char text[sizeof sample];
	(void)state;
	srandom(1);
	for (int i = 0; i < 5000; i++) {
		memcpy(text, sample, sizeof sample);
		for (long changes = random() % 3; changes >= 0; changes--)
			text[(size_t)random() % (sizeof sample - 1)] =
				replacements[(size_t)random() % (sizeof replacements - 1)];
		char *report = report_text(text);
		assert_non_null(strstr(report, "wavedeck: "));
		free(report);
	}
}

/* --- words --- */
static void expect_words(struct check_record r, const char *expected)
{
	struct buf b = {0};
	access_append_words(&b, &r);
	assert_string_equal(b.data, expected);
	buf_free(&b);
}

static struct check_record build_access(enum check_kind kind, enum memory_space space, uint64_t start, uint64_t room,
	uint64_t address, uint32_t bytes, enum access_kind access)
{
	return (struct check_record){.kind = kind,
		.space = space,
		.start = start,
		.room = room,
		.at = {.address = address, .bytes = bytes, .access = access}};
}

static void test_distances(void **state)
{
	const enum check_kind out = KIND_OUT_OF_BOUNDS;
	struct check_record named = build_access(out, MEMORY_GLOBAL, 4096, 1000, 4072, 8, ACCESS_READ);
	char how[] = "hipMalloc";
	(void)state;
	named.allocation = (struct check_allocation){.number = 1, .how = how};
	expect_words(named, "reads 8 bytes, 24 bytes before the start of the 1,000 bytes from hipMalloc");
	named.allocation.variable = how;
	expect_words(named, "reads 8 bytes, 24 bytes before the start of variable hipMalloc (1,000 bytes)");
	expect_words(build_access(out, MEMORY_ARGUMENTS, 4096, 48, 4152, 4, ACCESS_READ),
		"reads 4 bytes, 8 bytes past the end of the kernel's 48 bytes of arguments");
	expect_words(build_access(out, MEMORY_GLOBAL, 4096, 1000, 5096, 1, ACCESS_WRITE),
		"writes 1 byte right past the end of the 1,000 bytes of the allocation");
	expect_words(build_access(out, MEMORY_GLOBAL, 4096, 1000, 5092, 8, ACCESS_READ),
		"reads 8 bytes, 4 bytes of them past the end of the 1,000 bytes of the allocation");
	expect_words(build_access(out, MEMORY_GLOBAL, 4096, 1000, 4092, 8, ACCESS_READ),
		"reads 8 bytes, 4 bytes before the start of the 1,000 bytes of the allocation");
	expect_words(build_access(out, MEMORY_GLOBAL, 0, 0, UINT64_MAX - 7, 8, ACCESS_READ),
		"reads 8 bytes at 0xfffffffffffffff8");
	expect_words(build_access(KIND_USE_AFTER_FREE, MEMORY_GLOBAL, 4096, 1000, 4092, 8, ACCESS_READ),
		"reads 8 bytes at 0xffc, which was freed");
	expect_words(build_access(KIND_UNMAPPED, MEMORY_GLOBAL, 0, 0, 16, 4, ACCESS_WRITE),
		"writes 4 bytes at 0x10, where no memory is");
	expect_words(build_access(KIND_UNMAPPED, MEMORY_GLOBAL, 4096, 1000, 8192, 4, ACCESS_WRITE),
		"writes 4 bytes at 0x2000, where no memory is, 3,096 bytes past the end of the 1,000 bytes of the allocation");
	expect_words(build_access(KIND_SCRATCH_OUT_OF_BOUNDS, MEMORY_SCRATCH, 0, 32, 64, 4, ACCESS_WRITE),
		"writes 4 bytes, 32 bytes past the end of the work-item's 32 bytes of scratch");
	expect_words(build_access(KIND_MISALIGNED, MEMORY_GLOBAL, 0, 0, 4098, 16, ACCESS_READ),
		"reads 16 bytes at 0x1002, which is not a multiple of 4");
	expect_words(build_access(KIND_MISALIGNED, MEMORY_LDS, 0, 0, 3, 2, ACCESS_READ),
		"reads 2 bytes at byte 3 of LDS, which is not a multiple of 2");
	expect_words(build_access(KIND_MISALIGNED_ATOMIC, MEMORY_GLOBAL, 0, 0, 4100, 8, ACCESS_ATOMIC),
		"atomically updates 8 bytes at 0x1004, which is not a multiple of 8");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_whole_journal, create_test_folder, remove_test_folder),
		cmocka_unit_test_setup_teardown(test_damaged_lines, create_test_folder, remove_test_folder),
		cmocka_unit_test_setup_teardown(test_every_end, create_test_folder, remove_test_folder),
		cmocka_unit_test_setup_teardown(test_endless_line_and_sums, create_test_folder, remove_test_folder),
		cmocka_unit_test_setup_teardown(test_allocation_text, create_test_folder, remove_test_folder),
		cmocka_unit_test_setup_teardown(test_mutations, create_test_folder, remove_test_folder),
		cmocka_unit_test(test_distances),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

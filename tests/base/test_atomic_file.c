/* Files are written completely or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/atomic_file.h"
#include "tests/scratch.h"

static char folder[SCRATCH_PATH];

static int set_up(void **state)
{
	(void)state;
	return mkdtemp(scratch_path(folder, "files-XXXXXX")) && !chdir(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	char *command = xasprintf("rm -rf %s", folder);
	int status = chdir("/") || system(command);
	free(command);
	return status;
}

static void check(const char *path, const char *want)
{
	char text[64] = "";
	FILE *in = fopen(path, "r");
	assert_non_null(in);
	assert_int_equal(fread(text, 1, sizeof text - 1, in), strlen(want));
	fclose(in);
	assert_string_equal(text, want);
}

static int entries(void)
{
	int n = 0;
	DIR *d = opendir(".");
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

static void print_text(FILE *out, const void *text)
{
	fputs(text, out);
}

/* While it is written, a reader sees the old content. */
static void print_beside(FILE *out, const void *text)
{
	check("file", "old\n");
	fputs(text, out);
	fflush(out);
	check("file", "old\n");
}

static void a_file_is_replaced_atomically(void **state)
{
	(void)state;
	struct err e = {0};
	assert_true(file_write_atomic("file", print_text, "old\n", "", &e));
	check("file", "old\n");
	assert_true(file_write_atomic("file", print_beside, "new\n", "", &e));
	check("file", "new\n");
	assert_int_equal(entries(), 1);
}

static void a_symbolic_link_is_kept(void **state)
{
	(void)state;
	struct err e = {0};
	char to[16] = "";
	assert_int_equal(symlink("file", "link"), 0);
	assert_true(file_write_atomic("link", print_text, "through\n", "", &e));
	check("file", "through\n");
	assert_int_equal(readlink("link", to, sizeof to), 4);
	unlink("link");
}

static void the_target_of_a_link_need_not_exist(void **state)
{
	(void)state;
	struct err e = {0};
	mkdir("folder", 0700);
	assert_int_equal(symlink("folder/target", "link"), 0);
	assert_true(file_write_atomic("link", print_text, "made\n", "", &e));
	check("folder/target", "made\n");
	assert_int_equal(unlink("link"), 0);
	assert_int_equal(symlink("loop", "loop"), 0);
	assert_false(file_write_atomic("loop", print_text, "x", "", &e));
	assert_non_null(strstr(e.text, "Too many levels of symbolic links"));
	unlink("loop");
	unlink("folder/target");
	rmdir("folder");
}

static mode_t mode_of(const char *path)
{
	struct stat st;
	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 07777;
}

static void permissions_stay(void **state)
{
	(void)state;
	struct err e = {0};
	static const mode_t modes[] = {0600, 0640, 0755, 0444};
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		assert_int_equal(chmod("file", modes[i]), 0);
		assert_true(file_write_atomic("file", print_text, "again\n", "", &e));
		assert_int_equal(mode_of("file"), modes[i]);
	}
	unlink("file");
	mode_t before = umask(027);
	assert_true(file_write_atomic("file", print_text, "new\n", "", &e));
	umask(before);
	assert_int_equal(mode_of("file"), 0640);
}

/* Another user cannot guess the name of the temporary file, so a link that waits there is not followed. */
static void print_and_plant(FILE *out, const void *text)
{
	char name[64];
	for (int i = 0; i < 2; i++) {
		snprintf(name, sizeof name, "file.part-%d", (int)getpid() + i);
		assert_int_equal(symlink("victim", name), 0);
	}
	fputs(text, out);
}

static void a_planted_link_is_not_followed(void **state)
{
	(void)state;
	struct err e = {0};
	char name[64], target[64] = "";
	assert_true(file_write_atomic("victim", print_text, "precious\n", "", &e));
	assert_true(file_write_atomic("file", print_and_plant, "first\n", "", &e));
	assert_true(file_write_atomic("file", print_text, "second\n", "", &e));
	check("victim", "precious\n");
	check("file", "second\n");
	assert_int_equal(readlink("file", target, sizeof target), -1);
	for (int i = 0; i < 2; i++) {
		snprintf(name, sizeof name, "file.part-%d", (int)getpid() + i);
		assert_int_equal(unlink(name), 0);
	}
	unlink("victim");
}

static void a_failed_write_is_reported_with_its_reason(void **state)
{
	(void)state;
	struct err e = {0};
	assert_false(file_write_atomic("no/file", print_text, "x", "; name another file", &e));
	assert_string_equal(e.text, "cannot write no/file: No such file or directory; name another file");
	assert_int_equal(e.status, ST_FAILED);
	assert_false(file_write_atomic("/dev/full", print_text, "x", "", &e));
	assert_string_equal(e.text, "cannot write /dev/full: No space left on device");
	assert_true(file_write_atomic("/dev/null", print_text, "x", "", &e));
	assert_false(file_write_atomic(folder, print_text, "x", "", &e));
	assert_non_null(strstr(e.text, "Is a directory"));
	assert_int_equal(entries(), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_replaced_atomically),
		cmocka_unit_test(a_symbolic_link_is_kept),
		cmocka_unit_test(the_target_of_a_link_need_not_exist),
		cmocka_unit_test(permissions_stay),
		cmocka_unit_test(a_planted_link_is_not_followed),
		cmocka_unit_test(a_failed_write_is_reported_with_its_reason),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}

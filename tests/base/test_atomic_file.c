/* Files are written completely or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/atomic_file.h"

static char folder[64];

static int set_up(void **state)
{
	(void)state;
	snprintf(folder, sizeof folder, "/tmp/wavedeck-files-XXXXXX");
	return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
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
		cmocka_unit_test(a_failed_write_is_reported_with_its_reason),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}

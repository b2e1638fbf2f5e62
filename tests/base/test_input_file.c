/* Input is read by lines in bounded memory, and only from regular files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input_file.h"
#include "tests/scratch.h"

static char folder[SCRATCH_PATH];

static int enter_folder(void **state)
{
	(void)state;
	return mkdtemp(scratch_path(folder, "input-XXXXXX")) && !chdir(folder) ? 0 : -1;
}

static int leave_folder(void **state)
{
	(void)state;
	char *command = xasprintf("rm -rf %s", folder);
	int status = chdir("/") || system(command);
	free(command);
	return status;
}

static int file_of(const char *text, size_t n)
{
	FILE *f = fopen("file", "w");
	fwrite(text, 1, n, f);
	fclose(f);
	return open("file", O_RDONLY);
}

static void expect_line(struct line_reader *r, const char *text, size_t length, long long at, bool ended)
{
	struct text_line line;
	assert_true(line_reader_next(r, &line));
	assert_int_equal(line.length, length);
	assert_int_equal(line.at, at);
	assert_int_equal(line.ended, ended);
	assert_int_equal(line.too_long, !text);
	assert_string_equal(line.text, text ? text : "");
}

static void lines_have_text_length_and_place(void **state)
{
	(void)state;
	struct text_line line;
	struct line_reader *r = line_reader_new(file_of("one\n\n12345678\n123456789\nlast", 28), 8);
	expect_line(r, "one", 3, 0, true);
	expect_line(r, "", 0, 4, true);
	expect_line(r, "12345678", 8, 5, true);
	expect_line(r, NULL, 9, 14, true);
	expect_line(r, "last", 4, 24, false);
	assert_false(line_reader_next(r, &line));
	assert_false(line_reader_next(r, &line));
	assert_int_equal(line_reader_error(r), 0);
	line_reader_free(r);
}

/* Lines around the size of a block, so that each way of splitting them occurs. */
static void lines_longer_than_a_block_are_whole(void **state)
{
	(void)state;
	enum { LINES = 7, UNIT = 100000 };
	struct buf text = {0};
	for (int i = 0; i < LINES; i++) {
		for (int k = 0; k < i * UNIT; k++)
			buf_add(&text, &(char){(char)('a' + (k + i) % 26)}, 1);
		buf_puts(&text, "\n");
	}
	struct line_reader *r = line_reader_new(file_of(text.data, text.len), 5 * UNIT);
	struct text_line line;
	for (int i = 0; i < LINES; i++) {
		assert_true(line_reader_next(r, &line));
		assert_int_equal(line.length, i * UNIT);
		assert_int_equal(line.number, i + 1);
		assert_int_equal(line.too_long, i > 5);
		assert_int_equal(strlen(line.text), i > 5 ? 0 : i * UNIT);
		if (!line.too_long)
			assert_memory_equal(line.text, text.data + line.at, line.length);
	}
	assert_false(line_reader_next(r, &line));
	line_reader_free(r);
	buf_free(&text);
}

static void only_regular_files_are_input(void **state)
{
	(void)state;
	const char *why;
	struct buf text = {0};
	mkfifo("pipe", 0600);
	const char *const others[] = {"pipe", ".", "/dev/zero", "/dev/tty"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		assert_int_equal(input_file_open(others[i], &why), -1);
		assert_int_not_equal(errno, ENOENT);
		assert_false(input_file_read(others[i], 100, &text, &why));
	}
	assert_int_equal(input_file_open("pipe", &why), -1);
	assert_string_equal(why, "it is not a regular file");
	assert_int_equal(input_stream_open(".", &why), -1);
	assert_int_equal(input_file_open("missing", &why), -1);
	assert_int_equal(errno, ENOENT);
	assert_string_equal(why, "No such file or directory");
}

static void a_file_is_read_up_to_the_limit(void **state)
{
	(void)state;
	const char *why;
	struct buf text = {0};
	close(file_of("0123456789", 10));
	assert_true(input_file_read("file", 10, &text, &why));
	assert_string_equal(text.data, "0123456789");
	assert_false(input_file_read("file", 9, &text, &why));
	assert_string_equal(why, "it is too large");
	assert_int_not_equal(errno, ENOENT);
	buf_free(&text);
	close(file_of("", 0));
	assert_true(input_file_read("file", 9, &text, &why));
	assert_int_equal(text.len, 0);
	buf_free(&text);
}

static void a_pipe_is_a_stream(void **state)
{
	(void)state;
	int ends[2];
	const char *why;
	struct text_line line;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "text\n", 5), 5);
	close(ends[1]);
	char *path = xasprintf("/dev/fd/%d", ends[0]);
	struct line_reader *r = line_reader_new(input_stream_open(path, &why), 10);
	assert_true(line_reader_next(r, &line));
	assert_string_equal(line.text, "text");
	line_reader_free(r);
	close(ends[0]);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_have_text_length_and_place),
		cmocka_unit_test(lines_longer_than_a_block_are_whole),
		cmocka_unit_test(only_regular_files_are_input),
		cmocka_unit_test(a_file_is_read_up_to_the_limit),
		cmocka_unit_test(a_pipe_is_a_stream),
	};
	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}

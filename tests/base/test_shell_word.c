/* Words of shell commands that people copy: a shell reads each as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/buf.h"

static const struct {
	const char *word, *text;
} samples[] = {
	{"./app", "./app"},
	{"--size=1,2:3@x%+", "--size=1,2:3@x%+"},
	{"", "''"},
	{"two words", "'two words'"},
	{"it's", "'it'\\''s'"},
	{"$HOME", "'$HOME'"},
	{"~", "'~'"},
	{"a\nb", "'a\nb'"},
	{"*.c;`id`\\", "'*.c;`id`\\'"},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static void test_words(void **state)
{
	(void)state;
	for (int i = 0; i < SAMPLES; i++) {
		struct buf b = {0};
		buf_put_shell_word(&b, samples[i].word);
		assert_string_equal(b.data, samples[i].text);
		buf_free(&b);
	}
}

static void test_shell_reads_them(void **state)
{
	(void)state;
	for (int i = 0; i < SAMPLES; i++) {
		struct buf b = {0};
		char read[80] = "";
		buf_puts(&b, "printf %s ");
		buf_put_shell_word(&b, samples[i].word);
		FILE *shell = popen(b.data, "r");
		assert_non_null(shell);
		read[fread(read, 1, sizeof read - 1, shell)] = 0;
		assert_int_equal(pclose(shell), 0);
		assert_string_equal(read, samples[i].word);
		buf_free(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_shell_reads_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

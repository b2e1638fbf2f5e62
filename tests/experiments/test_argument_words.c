/* The arguments of a program: split as a shell splits words, with values in place of {NAME}. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/definition/program/argument_words.h"

enum { WORDS_MAX = 4 };

static const struct {
	const char *text, *words[WORDS_MAX];
} samples[] = {
	{"", {NULL}},
	{" \t\n", {NULL}},
	{"n=1", {"n=1"}},
	{"  a\tb\nc ", {"a", "b", "c"}},
	{"'two words' x", {"two words", "x"}},
	{"a'b c'd", {"ab cd"}},
	{"\"a 'b'\"", {"a 'b'"}},
	{"\"a \\\"b\\\" \\\\ \\n\"", {"a \"b\" \\ \\n"}},
	{"'a\\'", {"a\\"}},
	{"a\\ b \\'c", {"a b", "'c"}},
	{"'' \"\"", {"", ""}},
	{"a\\", {"a\\"}},
	{"$HOME `ls` *", {"$HOME", "`ls`", "*"}},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static void text_is_split(void **state)
{
	(void)state;
	for (int i = 0; i < SAMPLES; i++) {
		struct argument_words w;
		struct err e = {.text = ""};
		int count = 0;
		while (samples[i].words[count])
			count++;
		assert_true(argument_words_split(samples[i].text, &w, &e));
		assert_int_equal(w.count, count);
		for (int k = 0; k < count; k++)
			assert_string_equal(w.list[k], samples[i].words[k]);
		assert_null(w.list[count]);
		argument_words_free(&w);
	}
}

static void open_quotes_are_refused(void **state)
{
	(void)state;
	static const char *const wrong[] = {"'", "a 'b", "\"a", "\"a\\\"", "x '\"'\""};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct argument_words w;
		struct err e = {.text = ""};
		assert_false(argument_words_split(wrong[i], &w, &e));
		assert_non_null(strstr(e.text, "a quote is not closed"));
		assert_null(w.list);
	}
}

/* What a shell makes of the same text, where nothing is expanded. */
static void shell_agrees(void **state)
{
	(void)state;
	for (int i = 0; i < SAMPLES - 2; i++) {
		struct argument_words w;
		struct err e;
		struct buf ours = {0};
		char read[200] = "";
		bool one_line = !strchr(samples[i].text, 0x0a);
		const char *text = one_line ? samples[i].text : "";
		char *command = xasprintf("set -- %s\nprintf '[%%s]' \"$@\"", text);
		argument_words_split(text, &w, &e);
		buf_puts(&ours, w.count ? "" : "[]");
		for (int k = 0; k < w.count; k++)
			buf_printf(&ours, "[%s]", w.list[k]);
		FILE *shell = popen(command, "r");
		assert_non_null(shell);
		read[fread(read, 1, sizeof read - 1, shell)] = 0;
		assert_int_equal(pclose(shell), 0);
		assert_string_equal(read, ours.data);
		argument_words_free(&w);
		buf_free(&ours);
		free(command);
	}
}

static const char *known_value(void *ctx, const char *name)
{
	(void)ctx;
	return !strcmp(name, "n") ? "1024" : !strcmp(name, "long_name_2") ? "two words" : NULL;
}

static void values_replace_names(void **state)
{
	(void)state;
	static const struct {
		const char *word, *filled;
	} words[] = {
		{"", ""},
		{"n", "n"},
		{"{n}", "1024"},
		{"n={n},{n}", "n=1024,1024"},
		{"{long_name_2}", "two words"},
		{"{m} {n}", "{m} 1024"},
		{"{} {2} {n", "{} {2} {n"},
		{"{{n}}", "{1024}"},
		{"{\"a\":{n}}", "{\"a\":1024}"},
		{"{a_name_that_is_longer_than_a_parameter}", "{a_name_that_is_longer_than_a_parameter}"},
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		char *filled = placeholders_fill(words[i].word, known_value, NULL);
		assert_string_equal(filled, words[i].filled);
		free(filled);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_split),
		cmocka_unit_test(open_quotes_are_refused),
		cmocka_unit_test(shell_agrees),
		cmocka_unit_test(values_replace_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

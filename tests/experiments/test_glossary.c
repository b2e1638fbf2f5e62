/* The glossary: its table and docs/glossary.md say the same; terms are found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "experiments/course/glossary.h"

/* The row of the document that an entry makes, without backticks. */
static void format_document_row(const struct glossary_entry *e, struct buf *out)
{
	buf_clear(out);
	if (*e->amd)
		buf_printf(out, "| %s | %s | %s | %s |", e->terms, e->amd, e->nvidia, e->meaning);
	else
		buf_printf(out, "| %s | %s |", e->terms, e->meaning);
}

static void remove_backticks(char *text)
{
	char *to = text;
	for (; *text; text++)
		if (*text != '`' && *text != '\n')
			*to++ = *text;
	*to = 0;
}

static bool is_entry_row(const char *line)
{
	static const char *const heads[] = {"| wavedeck |", "| term |", "| short name |", "|---"};
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		if (!strncmp(line, heads[i], strlen(heads[i])))
			return false;
	return *line == '|';
}

static void the_document_has_the_same_rows(void **state)
{
	(void)state;
	FILE *in = fopen("docs/glossary.md", "r");
	char *line = NULL, section[80] = "";
	size_t size = 0;
	struct buf row = {0};
	int i = 0;
	assert_non_null(in);
	while (getline(&line, &size, in) > 0) {
		remove_backticks(line);
		if (!strncmp(line, "## ", 3))
			snprintf(section, sizeof section, "%s", line + 3);
		if (!is_entry_row(line))
			continue;
		assert_non_null(glossary_at(i));
		format_document_row(glossary_at(i), &row);
		assert_string_equal(line, row.data);
		assert_string_equal(section, glossary_at(i)->section);
		i++;
	}
	assert_null(glossary_at(i));
	assert_true(i > 40);
	buf_free(&row);
	free(line);
	fclose(in);
}

static const char *terms_of(const char *word)
{
	const struct glossary_entry *e = glossary_at(glossary_find(word));
	return e ? e->terms : "";
}

static void terms_are_found(void **state)
{
	(void)state;
	assert_string_equal(terms_of("wave"), "wave");
	assert_string_equal(terms_of("WAVES"), "wave");
	assert_string_equal(terms_of("block"), "workgroup, block");
	assert_string_equal(terms_of("contract"), "expected instructions (contract)");
	assert_string_equal(terms_of("s_wait"), "s_waitcnt");
	assert_string_equal(terms_of("L2"), "L1, L2");
	assert_string_equal(terms_of("no such term"), "");
	assert_int_equal(glossary_find(""), -1);
	assert_string_equal(glossary_nearest_term("wawe"), "wave");
}

static void check_start(const char *text, const char *term, size_t length)
{
	size_t n;
	int found = glossary_match_start(text, &n);
	assert_int_equal(n, length);
	assert_int_equal(found, term ? glossary_find(term) : -1);
}

/* Whole words only, the longest term first; capitals as in the glossary, but a sentence may begin with one. */
static void terms_are_found_in_text(void **state)
{
	(void)state;
	check_start("wave slots are taken", "wave slot", 10);
	check_start("waves wait", "wave", 5);
	check_start("Waves wait", "wave", 5);
	check_start("wavefront", NULL, 0);
	check_start("waveform", NULL, 0);
	check_start("CUs.", "CU", 3);
	check_start("cus", NULL, 0);
	check_start("L2, then", "L2", 2);
	check_start("block-wise", NULL, 0);
	check_start("", NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_document_has_the_same_rows),
		cmocka_unit_test(terms_are_found),
		cmocka_unit_test(terms_are_found_in_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

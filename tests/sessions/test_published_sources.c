/* The names of the documents that published rows cite. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "sessions/compare/published_sources.h"

static void test_a_citation_shows_the_short_name(void **state)
{
	(void)state;
	char out[64];
	assert_string_equal(published_source_format(out, sizeof out, "S0 2.9.2"), "Vega64 notes 2.9.2");
	assert_string_equal(published_source_format(out, sizeof out, "S1 kernel 5"), "RDNA3 SGEMM, kernel 5");
	assert_string_equal(published_source_format(out, sizeof out, "S4"), "CUDA lecture notes");
}

static void test_an_unknown_source_stays_as_it_is(void **state)
{
	(void)state;
	char out[64];
	assert_string_equal(published_source_format(out, sizeof out, "S99 2.9.2"), "S99 2.9.2");
	assert_string_equal(published_source_format(out, sizeof out, "S00 1"), "S00 1");
	assert_string_equal(published_source_format(out, sizeof out, ""), "");
}

static void test_the_legend_lists_each_document_once(void **state)
{
	(void)state;
	int count = 0;
	for (const struct published_source *s; (s = published_source_at(count)); count++) {
		assert_true(*s->title && *s->author && *s->where);
		for (int i = 0; i < count; i++)
			assert_string_not_equal(published_source_at(i)->short_name, s->short_name);
	}
	assert_int_equal(count, 14);
	assert_null(published_source_at(-1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_citation_shows_the_short_name),
		cmocka_unit_test(test_an_unknown_source_stays_as_it_is),
		cmocka_unit_test(test_the_legend_lists_each_document_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What the catalog's experiments show on a GPU of NVIDIA: complete texts, and the definition's again on another one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/vendor/vendor_words.h"
#include "experiments/definition/experiment.h"
#include "experiments/definition/words/experiment_words.h"

enum { ROOM = 1000, TEXTS = 400 };
static char before[TEXTS][ROOM], now[TEXTS][ROOM];

/* All texts, in one order. */
static size_t list_texts(const struct experiment *x, char to[TEXTS][ROOM])
{
	size_t n = 0;
	snprintf(to[n++], ROOM, "%s", x->title);
	snprintf(to[n++], ROOM, "%s", x->question);
	for (int i = 0; i < x->param_count; i++)
		snprintf(to[n++], ROOM, "%s", x->params[i].help);
	for (int i = 0; i < x->metric_count; i++)
		snprintf(to[n++], ROOM, "%s", x->metrics[i].help);
	for (int i = 0; i < x->preset_count; i++)
		snprintf(to[n++], ROOM, "%s", x->presets[i].help);
	assert_true(n <= TEXTS);
	return n;
}

static void texts_are_complete_and_come_back(void **state)
{
	(void)state;
	struct catalog c;
	struct err e;
	size_t changed = 0;
	assert_true(catalog_load("experiments/catalog", &c, NULL, NULL, &e));
	for (int k = 0; k < c.count; k++) {
		struct experiment *x = c.list[k];
		size_t n = list_texts(x, before);
		experiment_use_words(x, "sm_90");
		experiment_use_words(x, "sm");
		list_texts(x, now);
		for (size_t i = 0; i < n; i++) {
			char expected[ROOM];
			snprintf(expected, sizeof expected, "%s", before[i]);
			vendor_words_apply("sm_90", expected, sizeof expected);
			changed += strcmp(before[i], expected) != 0;
			if (strcmp(now[i], expected))
				fail_msg("%s: '%s' does not fit", x->id, expected);
		}
		experiment_use_words(x, "gfx900");
		list_texts(x, now);
		for (size_t i = 0; i < n; i++)
			assert_string_equal(now[i], before[i]);
	}
	assert_true(changed > 20);
	catalog_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_complete_and_come_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

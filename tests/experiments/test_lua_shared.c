/* What definitions of a folder share: one table read by several, and nothing but that. */
#include <string.h>

#include "experiments/definition/definition.h"
#include "tests/experiments/engine_fixture.h"

static void share(const char *text)
{
	fixture_write("common-1.shared.lua", text, strlen(text));
}

static const char use[] = "return shared(\"common-1\")";

static void a_table_for_several(void **state)
{
	(void)state;
	share(fixture_text);
	struct experiment *alone = fixture_load(fixture_text), *x = fixture_load(use);
	assert_string_equal(x->id, "stride");
	assert_string_equal(x->title, alone->title);
	assert_int_equal(x->param_count, alone->param_count);
	assert_int_equal(x->metric_count, alone->metric_count);
	uint64_t before = x->lua->hash;
	experiment_free(x);
	experiment_free(alone);
	share("-- another text\nreturn shared(\"common-2\")");
	fixture_write("common-2.shared.lua", fixture_text, strlen(fixture_text));
	x = fixture_load(use);
	assert_true(x->lua->hash != before); /* the provenance tells the two apart */
	experiment_free(x);
}

static void mistakes_are_told_with_their_place(void **state)
{
	(void)state;
	fixture_refused("return shared(\"absent\")", 0, "absent.shared.lua: cannot be opened");
	fixture_refused("\nreturn shared(\"../stride\")", 2, "a name of small letters");
	fixture_refused("return shared(\"\")", 1, "a name of small letters");
	fixture_refused("return shared({})", 1, "string expected");
	share("return 3");
	fixture_refused(use, 0, "common-1.shared.lua returns number; a table is wanted");
	share("\n\nreturn { x = = 3 }");
	fixture_refused(use, 0, "common-1.shared.lua:3:");
	share("return shared(\"common-1\")");
	fixture_refused(use, 0, "overflow");
	share("while true do end");
	fixture_refused(use, 0, "runs too long");
}

/* A point's functions read no files: there `shared` is not known. */
static void only_while_it_is_loaded(void **state)
{
	(void)state;
	share("return { 1 }");
	fixture_refused_changed("return { stride = p.stride // 4",
		"shared(\"common-1\") return { stride = p.stride // 4", 18, "shared");
}

static void is_no_experiment(void **state)
{
	(void)state;
	struct catalog c;
	struct err e;
	share("return {}");
	fixture_write("stride.lua", fixture_text, strlen(fixture_text));
	assert_true(catalog_load(fixture_folder, &c, NULL, NULL, &e));
	assert_int_equal(c.count, 1);
	assert_string_equal(c.list[0]->id, "stride");
	catalog_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_for_several),
		cmocka_unit_test(mistakes_are_told_with_their_place),
		cmocka_unit_test(only_while_it_is_loaded),
		cmocka_unit_test(is_no_experiment),
	};
	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}

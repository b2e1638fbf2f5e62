/* Files shared by the definitions of a folder. */
#include <string.h>

#include "experiments/definition/definition.h"
#include "tests/experiments/engine_fixture.h"

static void share(const char *text)
{
	fixture_write("common-1.shared.lua", text, strlen(text));
}

static const char use[] = "return shared(\"common-1\")";

static void a_shared_table_is_read_and_hashed(void **state)
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
	assert_true(x->lua->hash != before); /* the hash includes the shared files */
	experiment_free(x);
}

static void errors_name_the_shared_file(void **state)
{
	(void)state;
	fixture_refused("return shared(\"absent\")", 0, "cannot open ");
	fixture_refused("\nreturn shared(\"../stride\")", 2, "use lower-case letters");
	fixture_refused("return shared(\"\")", 1, "use lower-case letters");
	fixture_refused("return shared({})", 1, "string expected");
	share("return 3");
	fixture_refused(use, 0, "common-1.shared.lua returns number; it must return a table");
	share("\n\nreturn { x = = 3 }");
	fixture_refused(use, 0, "common-1.shared.lua:3:");
	share("return shared(\"common-1\")");
	fixture_refused(use, 0, "overflow");
	share("while true do end");
	fixture_refused(use, 0, "runs too long");
}

/* Functions of a point cannot read files: `shared` is not available there. */
static void shared_is_available_only_while_loading(void **state)
{
	(void)state;
	share("return { 1 }");
	fixture_refused_changed("return { stride = p.stride // 4",
		"shared(\"common-1\") return { stride = p.stride // 4", 18, "shared");
}

static void shared_files_are_not_experiments(void **state)
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
		cmocka_unit_test(a_shared_table_is_read_and_hashed),
		cmocka_unit_test(errors_name_the_shared_file),
		cmocka_unit_test(shared_is_available_only_while_loading),
		cmocka_unit_test(shared_files_are_not_experiments),
	};
	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}

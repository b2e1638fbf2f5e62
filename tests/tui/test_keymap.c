/* The key tables: each row is complete, no key has two meanings in one place, key names can be parsed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <string.h>

#include "tests/tui/screen_state.h"
#include "tui/shell/bindings.h"
#include "tui/shell/keymap.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/shell.h"
#include "tui/shell/status_line.h"

static void every_action_has_key_name_help_and_function(void **state)
{
	(void)state;
	assert_true(action_count() > 20);
	for (size_t i = 0; i < action_count(); i++) {
		const struct action *a = action_at(i);
		assert_true(a->where && a->run.plain && *a->name);
		assert_true(a->key != TK_NONE || !*a->hint); /* without a key: only for the palette */
		assert_true(strlen(a->help) > 5);
		assert_ptr_equal(action_by_name_at(a->name, a->where), a);
	}
	assert_null(action_at(action_count()));
	assert_null(action_by_name("no-such-action"));
}

/* A scope is a set of places in 32 bits. */
static void each_place_has_a_bit_of_its_own(void **state)
{
	int places = 0;
	(void)state;
	for (int i = 0; views[i]; i++)
		places += views[i]->place_count ? views[i]->place_count : 1;
	assert_true(places <= 32);
	assert_int_equal(__builtin_popcount(scope_everywhere()), places);
}

static void step_counts_are_limited(void **state)
{
	(void)state;
	assert_int_equal(action_step_count(NULL), 1);
	assert_int_equal(action_step_count("12"), 12);
	assert_int_equal(action_step_count("-3"), -3);
	assert_int_equal(action_step_count("far"), 0);
	assert_int_equal(action_step_count("4294967297"), ACTION_STEPS_MAX);
	assert_int_equal(action_step_count("99999999999999999999"), ACTION_STEPS_MAX);
	assert_int_equal(action_step_count("-9223372036854775808"), -ACTION_STEPS_MAX);
}

/* --- what the function of a row gets --- */
static int got;
static const char *got_text;

static void act_take_nothing(struct app *a)
{
	(void)a;
	got = 100;
}
static void act_take_text(struct app *a, const char *argument)
{
	(void)a;
	got_text = argument;
}
static void act_take_number(struct app *a, int n)
{
	(void)a;
	got = n;
}
static void act_take_either(struct app *a, int by, const char *argument)
{
	(void)a;
	got = by;
	got_text = argument;
}

static void functions_get_what_their_rows_say(void **state)
{
	(void)state;
	static const struct action rows[] = {
		/* clang-format off */
		ACTION_ROW(PLAIN,      take_nothing, "a", EVERYWHERE, 'a', TK_NONE, "", "")
		ACTION_ROW(TEXT,       take_text,    "b", EVERYWHERE, 'b', TK_NONE, "", "")
		ACTION_ROW(NUMBER(7),  take_number,  "c", EVERYWHERE, 'c', TK_NONE, "", "")
		ACTION_ROW(STEPS(-1),  take_number,  "d", EVERYWHERE, 'd', TK_NONE, "", "")
		ACTION_ROW(EITHER(-4), take_either,  "e", EVERYWHERE, 'e', TK_NONE, "", "")
		ACTION_ROW(FIRST,      take_number,  "f", EVERYWHERE, 'f', TK_NONE, "", "")
		ACTION_ROW(LAST,       take_number,  "g", EVERYWHERE, 'g', TK_NONE, "", "")
		/* clang-format on */
	};
	static const struct {
		int row;
		const char *argument;
		int number;
		bool takes_text;
	} cases[] = {
		{0, "3", 100, false},
		{1, "3", 0, true},
		{1, NULL, 0, true},
		{2, "3", 7, false},
		{3, "3", -3, false},
		{3, NULL, -1, false},
		{4, "name", -4, true},
		{4, NULL, -4, true},
		{5, NULL, -ACTION_STEPS_MAX, false},
		{6, "3", ACTION_STEPS_MAX, false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		got = 0;
		got_text = NULL;
		action_call(&rows[cases[i].row], NULL, cases[i].argument);
		assert_int_equal(got, cases[i].number);
		assert_ptr_equal(got_text, cases[i].takes_text ? cases[i].argument : NULL);
	}
}

static bool same_key(const struct action *a, const struct action *b)
{
	return a->key == b->key || (b->other && a->key == b->other) ||
		(a->other && (a->other == b->key || a->other == b->other));
}

static void no_key_has_two_meanings_in_one_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < action_count(); i++)
		for (size_t k = 0; k < i; k++)
			if (action_at(i)->key != TK_NONE && same_key(action_at(i), action_at(k)) &&
				action_at(i)->where & action_at(k)->where)
				fail_msg("%s and %s share a key", action_at(i)->name, action_at(k)->name);
}

static void key_names_can_be_parsed(void **state)
{
	(void)state;
	char name[16];
	for (size_t i = 0; i < action_count(); i++) {
		if (action_at(i)->key)
			assert_int_equal(key_parse(key_format_name(action_at(i)->key, name)), action_at(i)->key);
		if (action_at(i)->other)
			assert_int_equal(key_parse(key_format_name(action_at(i)->other, name)), action_at(i)->other);
	}
	assert_int_equal(key_parse("Nonsense"), TK_NONE);
	assert_int_equal(key_parse(""), TK_NONE);
}

/* The help page lists every action. */
static void help_lists_every_action(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct grid g = {0};
	made_app(&a, &x, 3, 160, 1000);
	a.ascii = true;
	a.view = view_find("help");
	grid_resize(&g, 160, 1000);
	screen_draw(&a, &g);
	char *text = grid_dump_text(&g);
	for (size_t i = 0; i < action_count(); i++)
		if (!strstr(text, action_at(i)->help))
			fail_msg("the help view lacks %s", action_at(i)->name);
	free(text);
	grid_free(&g);
	made_free(&a);
}

static void keys_change_the_state(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct err e;
	made_app(&a, &x, 19, 80, 24);
	struct lab *b = &a.labs[0];
	assert_int_equal(b->selected, 1); /* not the x axis: the arrow keys change the value */
	app_handle_key(&a, TK_RIGHT);
	assert_true(b->values[1] == 1 << 27 && a.measure_at);
	app_handle_key(&a, 'P'); /* neither reduced nor published: the reduced value comes first */
	assert_true(b->values[1] == 1 << 26);
	app_handle_key(&a, 'P');
	assert_true(b->values[1] == 1 << 30);
	app_handle_key(&a, TK_UP);
	a.measure_at = 0;
	app_handle_key(&a, TK_RIGHT); /* on the x axis: the end of the range, which is at its maximum */
	assert_true(b->selected == 0 && !a.measure_at);
	app_handle_key(&a, TK_LEFT);
	assert_string_equal(b->ranges[0], "1024..134217728");
	assert_true(a.measure_at != 0);
	app_handle_key(&a, TK_RIGHT);
	assert_string_equal(b->ranges[0], "1024..268435456");
	app_handle_key(&a, ']');
	assert_int_equal(b->cursor, 1);
	app_handle_key(&a, TK_TAB);
	assert_int_equal(a.focus, FOCUS_PLOT);
	app_handle_key(&a, TK_END);
	assert_int_equal(b->cursor, 18);
	app_handle_key(&a, '?');
	assert_ptr_equal(a.view, view_find("help"));
	assert_false(app_run_action(&a, "param-more", NULL, &e));
	app_handle_key(&a, TK_ESC);
	assert_ptr_equal(a.view, views[0]);
	a.view = view_find("code"); /* the help opens over the current view */
	app_handle_key(&a, '?');
	app_handle_key(&a, 'm');
	assert_ptr_equal(a.view, view_find("log"));
	app_handle_key(&a, TK_ENTER);
	assert_ptr_equal(a.view, view_find("code"));
	a.view = views[0];
	assert_false(app_run_action(&a, "nonsense", NULL, &e));
	app_handle_key(&a, 'q');
	assert_true(a.quit);
	made_free(&a);
}

static void typed_values_are_checked(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, 19, 80, 24);
	struct lab *b = &a.labs[0];
	app_handle_key(&a, TK_ENTER);
	for (const char *c = "7 parsec"; *c; c++)
		app_handle_key(&a, *c);
	app_handle_key(&a, TK_ENTER);
	assert_true(a.input.is_open && a.message[0]); /* the line stays open with an error */
	app_handle_key(&a, TK_CTRL_U);
	for (const char *c = "32 MiB"; *c; c++)
		app_handle_key(&a, *c);
	app_handle_key(&a, TK_ENTER);
	assert_true(!a.input.is_open && b->values[1] == 1 << 25);
	app_handle_key(&a, TK_UP);
	app_handle_key(&a, TK_ENTER);
	for (const char *c = "1KiB..64KiB"; *c; c++)
		app_handle_key(&a, *c);
	app_handle_key(&a, TK_ENTER);
	assert_string_equal(b->ranges[0], "1KiB..64KiB");
	app_handle_key(&a, TK_ENTER);
	app_handle_key(&a, TK_CTRL_U);
	app_handle_key(&a, '5');
	app_handle_key(&a, TK_ENTER); /* a range needs more than one value */
	assert_true(a.input.is_open && a.message[0]);
	app_handle_key(&a, TK_ESC);
	assert_string_equal(b->ranges[0], "1KiB..64KiB");
	made_free(&a);
}

/* Presses "1, then Esc" of "1, then Esc cancels". */
static void press_keys(struct app *a, const char *keys)
{
	char text[100];
	snprintf(text, sizeof text, "%s", keys);
	char *end = strstr(text, " cancels"), *then = strstr(text, ", then ");
	assert_true(end && !end[strlen(" cancels")]);
	*end = 0;
	if (then) {
		*then = 0;
		app_handle_key(a, key_parse(text));
		then += strlen(", then ");
	}
	app_handle_key(a, key_parse(then ? then : text));
}

/* Esc goes back in other views than the workbench. */
static void the_keys_that_cancel_are_shown_in_every_view(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct err e;
	char keys[100];
	made_app(&a, &x, 7, 80, 24);
	for (int i = 0; views[i]; i++) {
		a.view = views[i];
		a.message[0] = 0;
		press_keys(&a, cancel_keys_format(&a, keys, sizeof keys));
		assert_string_equal(a.message, "no sweep is running");
	}
	a.view = views[0];
	assert_string_equal(cancel_keys_format(&a, keys, sizeof keys), "Esc cancels");
	a.view = view_find("workers");
	assert_string_equal(cancel_keys_format(&a, keys, sizeof keys), "c cancels");
	a.view = view_find("table");
	assert_string_equal(cancel_keys_format(&a, keys, sizeof keys), "1, then Esc cancels");
	assert_true(binding_add("F6", "cancel", &e)); /* the workbench's, as it stands first */
	assert_string_equal(cancel_keys_format(&a, keys, sizeof keys), "1, then F6 cancels");
	assert_true(binding_add("unbind 1", "", &e));
	assert_string_equal(cancel_keys_format(&a, keys, sizeof keys), "");
	bindings_read(NULL, NULL); /* the tests have no file of keys */
	made_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_action_has_key_name_help_and_function),
		cmocka_unit_test(no_key_has_two_meanings_in_one_place),
		cmocka_unit_test(each_place_has_a_bit_of_its_own),
		cmocka_unit_test(step_counts_are_limited),
		cmocka_unit_test(functions_get_what_their_rows_say),
		cmocka_unit_test(key_names_can_be_parsed),
		cmocka_unit_test(help_lists_every_action),
		cmocka_unit_test(keys_change_the_state),
		cmocka_unit_test(typed_values_are_checked),
		cmocka_unit_test(the_keys_that_cancel_are_shown_in_every_view),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

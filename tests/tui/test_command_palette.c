/* The command palette and the mouse, on a made-up workbench. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tui/screen_state.h"
#include "tui/shell/keymap.h"
#include "tui/shell/mouse_dispatch.h"
#include "tui/shell/palette/command_palette.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/shell.h"

static void type(struct app *a, const char *text)
{
	for (; *text; text++)
		app_handle_key(a, *text);
}

static void letters_match_in_order(void **state)
{
	(void)state;
	assert_true(palette_match_score("", "zoom") > 0);
	assert_true(palette_match_score("pd", "param-down") > 0);
	assert_true(palette_match_score("dp", "param-down") < 0);
	assert_true(palette_match_score("LOG", "log-y") > 0);
	assert_true(palette_match_score("zoom", "zoom") > palette_match_score("zoom", "zoom-x"));
	assert_true(palette_match_score("ly", "log-y") > palette_match_score("ly", "fly-by-wire"));
	assert_true(palette_match_score("param d", "param-default") > palette_match_score("param d", "wparamxd"));
}

static void commands_run_complete_and_fail(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, 19, 80, 24);
	struct lab *b = &a.labs[0];
	app_handle_key(&a, ':');
	assert_non_null(a.palette);
	assert_int_equal(a.palette->shown_count, a.palette->all_count);
	type(&a, "zoom");
	assert_string_equal(a.palette->shown[0]->text, "zoom");
	app_handle_key(&a, TK_ENTER);
	assert_true(!a.palette && a.zoom);
	app_handle_key(&a, ':');
	type(&a, "zo");
	app_handle_key(&a, TK_ESC); /* changes nothing */
	assert_true(!a.palette && a.zoom);
	/* An argument: Tab completes up to '='. */
	app_handle_key(&a, ':');
	type(&a, "param si");
	app_handle_key(&a, TK_TAB);
	assert_string_equal(a.palette->text, "param size=");
	type(&a, "32MiB");
	app_handle_key(&a, TK_ENTER);
	assert_true(b->values[1] == 1 << 25 && b->selected == 1);
	/* A range puts the parameter on the x axis. */
	app_handle_key(&a, ':');
	type(&a, "param size=1MiB..8MiB");
	app_handle_key(&a, TK_ENTER);
	assert_int_equal(b->axis, 1);
	app_handle_key(&a, ':');
	type(&a, "param rangesize=1..2"); /* out of range: nothing changes */
	app_handle_key(&a, TK_ENTER);
	assert_true(b->axis == 1 && strstr(a.message, "out of range"));
	/* Up recalls the last line, then the one before it. */
	app_handle_key(&a, ':');
	app_handle_key(&a, TK_UP);
	assert_string_equal(a.palette->text, "param rangesize=1..2");
	app_handle_key(&a, TK_UP);
	assert_string_equal(a.palette->text, "param size=1MiB..8MiB");
	app_handle_key(&a, TK_UP);
	assert_string_equal(a.palette->text, "param size=32MiB");
	for (int i = 0; i < 3; i++)
		app_handle_key(&a, TK_DOWN);
	assert_string_equal(a.palette->text, "");
	/* Ctrl-W and Ctrl-U. */
	type(&a, "log le");
	app_handle_key(&a, TK_CTRL_W);
	assert_string_equal(a.palette->text, "log ");
	app_handle_key(&a, TK_CTRL_U);
	/* An action of another view runs there. */
	type(&a, "log-level error");
	app_handle_key(&a, TK_ENTER);
	assert_true(a.view == view_find("log") && a.log_level_min == 3);
	app_handle_key(&a, ':');
	type(&a, "list-up");
	app_handle_key(&a, TK_ENTER);
	assert_true(a.view == views[0] && !a.palette);
	app_handle_key(&a, ':');
	type(&a, "no such thing at all");
	assert_int_equal(a.palette->shown_count, 0);
	app_handle_key(&a, TK_ENTER);
	assert_non_null(strstr(a.message, "unknown action 'no'"));
	made_free(&a);
}

static void every_entry_runs_an_action(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, 19, 80, 24);
	palette_open(&a);
	assert_true(a.palette->all_count > (int)action_count());
	for (int i = 0; i < a.palette->all_count; i++) {
		char name[64];
		snprintf(name, sizeof name, "%.*s", (int)strcspn(a.palette->all[i].text, " "), a.palette->all[i].text);
		if (!action_by_name(name))
			fail_msg("'%s' is no action", a.palette->all[i].text);
	}
	palette_close(&a);
	made_free(&a);
}

/* The palette stays on the screen, however small. */
static void palette_draws_at_every_size(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, 19, 80, 24);
	palette_open(&a);
	for (int w = 1; w < 130; w += 7)
		for (int h = 1; h < 40; h++) {
			struct grid g = {0};
			app_resize(&a, w, h);
			grid_resize(&g, w, h);
			screen_draw(&a, &g);
			for (int i = 0; i < g.hit_count; i++) {
				struct rect r = g.hits[i].r;
				assert_true(r.x >= 0 && r.y >= 0 && r.x + r.w <= w && r.y + r.h <= h);
			}
			grid_free(&g);
		}
	made_free(&a);
}

/* --- mouse --- */
static void press(struct app *a, struct grid *g, int x, int y, enum mouse_button button)
{
	screen_draw(a, g);
	mouse_handle_event(a, g, (struct mouse){x, y, button});
}

/* The column and row of a text on the screen. */
static void find(struct app *a, struct grid *g, const char *text, int *x, int *y)
{
	screen_draw(a, g);
	char *all = grid_dump_text(g), *line = all;
	for (*y = 0; line; (*y)++) {
		char *end = strchr(line, '\n'), *at;
		if (end)
			*end = 0;
		if ((at = strstr(line, text))) {
			*x = (int)(at - line);
			free(all);
			return;
		}
		line = end ? end + 1 : NULL;
	}
	fail_msg("the screen has no '%s'", text);
}

static void clicks_and_the_wheel_run_actions(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct grid g = {0};
	int cx, cy;
	made_app(&a, &x, 19, 120, 36);
	a.ascii = true;
	grid_resize(&g, 120, 36);
	struct lab *b = &a.labs[0];
	b->selected = 0;
	a.focus = FOCUS_LIST;
	find(&a, &g, "  size", &cx, &cy);
	press(&a, &g, cx + 3, cy, MOUSE_LEFT); /* the row is selected and its pane is focused */
	assert_true(b->selected == 1 && a.focus == FOCUS_PARAMS);
	while (cx < 40 && g.cells[cy * g.w + cx].utf8[0] != ']') /* the right end of the slider is the maximum */
		cx++;
	assert_true(cx < 40);
	press(&a, &g, cx - 1, cy, MOUSE_LEFT);
	assert_true(b->values[1] == 1 << 30);
	press(&a, &g, cx - 1, cy, MOUSE_DOWN);
	assert_true(b->values[1] == 1 << 29);
	press(&a, &g, cx - 1, cy, MOUSE_UP);
	assert_true(b->values[1] == 1 << 30);
	find(&a, &g, "^", &cx, &cy); /* a click to the right of the cursor's mark moves it there */
	press(&a, &g, cx + 20, cy - 3, MOUSE_LEFT);
	assert_true(b->cursor > 5 && a.focus == FOCUS_PLOT);
	int cursor = b->cursor;
	press(&a, &g, cx, cy - 3, MOUSE_LEFT);
	assert_true(b->cursor < cursor);
	find(&a, &g, "? help", &cx, &cy); /* hints in the key line */
	press(&a, &g, cx, cy, MOUSE_LEFT);
	assert_ptr_equal(a.view, view_find("help"));
	press(&a, &g, 10, 10, MOUSE_DOWN);
	assert_int_equal(a.scroll, 3);
	find(&a, &g, "1", &cx, &cy); /* views in the header line */
	press(&a, &g, cx, 0, MOUSE_LEFT);
	assert_ptr_equal(a.view, views[0]);
	/* In the palette a click runs a row; outside, it closes the palette. */
	app_handle_key(&a, ':');
	type(&a, "zoom");
	find(&a, &g, ">zoom", &cx, &cy);
	press(&a, &g, cx + 2, cy, MOUSE_LEFT);
	assert_true(a.zoom && !a.palette);
	app_handle_key(&a, ':');
	press(&a, &g, 5, 2, MOUSE_LEFT);
	assert_null(a.palette);
	/* A click does not discard a line being typed. */
	a.zoom = false;
	a.focus = FOCUS_PARAMS;
	app_handle_key(&a, TK_ENTER);
	press(&a, &g, 3, 3, MOUSE_LEFT);
	assert_true(a.input.is_open);
	grid_free(&g);
	made_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_match_in_order),
		cmocka_unit_test(commands_run_complete_and_fail),
		cmocka_unit_test(every_entry_runs_an_action),
		cmocka_unit_test(palette_draws_at_every_size),
		cmocka_unit_test(clicks_and_the_wheel_run_actions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Properties of the layout at every size, and every view drawn at every size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "tests/tui/screen_state.h"
#include "tui/toolkit/screen_layout.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/shell.h"

enum { MAX_WIDTH = 250, MAX_HEIGHT = 80 };

static bool rects_overlap(struct rect a, struct rect b)
{
	return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static void check_panes(struct layout l, int w, int h)
{
	for (int i = 0; i < PANE_COUNT; i++) {
		if (!layout_has_pane(&l, (enum pane)i))
			continue;
		struct rect a = l.pane[i];
		assert_true(a.x >= 0 && a.y >= 0 && a.x + a.w <= w && a.y + a.h <= h);
		for (int k = 0; k < i; k++)
			if (layout_has_pane(&l, (enum pane)k))
				assert_false(rects_overlap(a, l.pane[k]));
	}
	assert_true(layout_has_pane(&l, PANE_PLOT));
}

static int count_pane_cells(const struct layout *l)
{
	int n = 0;
	for (int i = 0; i < PANE_COUNT; i++)
		if (layout_has_pane(l, (enum pane)i))
			n += l->pane[i].w * l->pane[i].h;
	return n;
}

static void panes_stay_inside_and_apart(void **state)
{
	(void)state;
	for (int w = 1; w <= MAX_WIDTH; w++)
		for (int h = 1; h <= MAX_HEIGHT; h++) {
			for (int clocks = 1; clocks <= CLOCK_ROWS_MAX; clocks++) {
				check_panes(layout_main(w, h, false, clocks), w, h);
				check_panes(layout_main(w, h, true, clocks), w, h);
			}
			check_panes(layout_single_pane(w, h), w, h);
		}
}

static void panes_cover_the_screen(void **state)
{
	(void)state;
	for (int w = 1; w <= MAX_WIDTH; w++)
		for (int h = 1; h <= MAX_HEIGHT; h++) {
			int clocks = 1 + (w + h) % CLOCK_ROWS_MAX;
			struct layout l = layout_main(w, h, false, clocks), zoomed = layout_main(w, h, true, clocks);
			assert_int_equal(count_pane_cells(&l), w * h);
			assert_int_equal(count_pane_cells(&zoomed), w * h);
		}
}

/* Panes are omitted in the order of the enum: at every size, the panes shown are the last ones of the enum. */
static void panes_are_omitted_in_order(void **state)
{
	(void)state;
	for (int w = 70; w <= MAX_WIDTH; w++)
		for (int h = 1; h <= MAX_HEIGHT; h++) {
			struct layout l = layout_main(w, h, false, CLOCK_ROWS_MAX);
			for (int i = 1; i < PANE_COUNT; i++)
				if (layout_has_pane(&l, (enum pane)(i - 1)))
					assert_true(layout_has_pane(&l, (enum pane)i));
		}
}

static void a_larger_screen_keeps_all_panes(void **state)
{
	(void)state;
	for (int w = 1; w < MAX_WIDTH; w++)
		for (int h = 1; h < MAX_HEIGHT; h++) {
			struct layout l = layout_main(w, h, false, CLOCK_ROWS_MAX),
				      wider = layout_main(w + 1, h, false, CLOCK_ROWS_MAX),
				      higher = layout_main(w, h + 1, false, CLOCK_ROWS_MAX);
			for (int i = 0; i < PANE_COUNT; i++)
				if (layout_has_pane(&l, (enum pane)i))
					assert_true(layout_has_pane(&wider, (enum pane)i) &&
						layout_has_pane(&higher, (enum pane)i));
		}
}

static void all_panes_are_shown_at_80x24(void **state)
{
	(void)state;
	struct layout l = layout_main(80, 24, false, CLOCK_ROWS_MAX);
	for (int i = 0; i < PANE_COUNT; i++)
		assert_true(layout_has_pane(&l, (enum pane)i));
	assert_true(l.pane[PANE_PLOT].w >= 50 && l.pane[PANE_PLOT].h >= 12);
}

/* In Unicode and ASCII. Sanitizers check the memory, and every cell must be filled. */
static void views_draw_at_every_size(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct grid g = {0};
	made_app(&a, &x, 19, 80, 24);
	for (int w = 1; w <= MAX_WIDTH; w += w < 100 ? 1 : 7)
		for (int h = 1; h <= MAX_HEIGHT; h += h < 40 ? 1 : 5) {
			a.view = views[(w + h) % 8];
			a.zoom = w % 5 == 0;
			a.ascii = h % 2;
			a.canvas = (enum canvas_kind)(w % 3);
			a.labs[0].cursor = (w * h) % 19;
			app_resize(&a, w, h);
			grid_resize(&g, w, h);
			screen_draw(&a, &g);
			for (int i = 0; i < w * h; i++) {
				assert_true(g.cells[i].utf8[0] != 0 && g.cells[i].role < ROLE_COUNT);
				assert_true(!a.ascii || (g.cells[i].utf8[0] > 0 && !g.cells[i].utf8[1]));
			}
		}
	grid_free(&g);
	made_free(&a);
}

/* With an empty curve and with a single point. */
static void the_workbench_draws_without_points(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct grid g = {0};
	for (int points = 0; points < 2; points++) {
		made_app(&a, &x, points, 80, 24);
		for (int w = 1; w <= 130; w += 3)
			for (int h = 1; h <= 45; h += 2) {
				app_resize(&a, w, h);
				grid_resize(&g, w, h);
				screen_draw(&a, &g);
			}
		made_free(&a);
	}
	grid_free(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(panes_stay_inside_and_apart),
		cmocka_unit_test(panes_cover_the_screen),
		cmocka_unit_test(panes_are_omitted_in_order),
		cmocka_unit_test(a_larger_screen_keeps_all_panes),
		cmocka_unit_test(all_panes_are_shown_at_80x24),
		cmocka_unit_test(views_draw_at_every_size),
		cmocka_unit_test(the_workbench_draws_without_points),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

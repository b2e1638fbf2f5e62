/* The layout as a property of every size; and every view drawn at every size. */
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

enum { WIDEST = 250, HIGHEST = 80 };

static bool overlap(struct rect a, struct rect b)
{
	return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static void check(struct layout l, int w, int h)
{
	for (int i = 0; i < PANE_COUNT; i++) {
		if (!layout_has_pane(&l, (enum pane)i))
			continue;
		struct rect a = l.pane[i];
		assert_true(a.x >= 0 && a.y >= 0 && a.x + a.w <= w && a.y + a.h <= h);
		for (int k = 0; k < i; k++)
			if (layout_has_pane(&l, (enum pane)k))
				assert_false(overlap(a, l.pane[k]));
	}
	assert_true(layout_has_pane(&l, PANE_PLOT));
}

static int cells(const struct layout *l)
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
	for (int w = 1; w <= WIDEST; w++)
		for (int h = 1; h <= HIGHEST; h++) {
			check(layout_main(w, h, false), w, h);
			check(layout_main(w, h, true), w, h);
			check(layout_single_pane(w, h), w, h);
		}
}

static void no_cell_is_wasted(void **state)
{
	(void)state;
	for (int w = 1; w <= WIDEST; w++)
		for (int h = 1; h <= HIGHEST; h++) {
			struct layout l = layout_main(w, h, false), zoomed = layout_main(w, h, true);
			assert_int_equal(cells(&l), w * h);
			assert_int_equal(cells(&zoomed), w * h);
		}
}

/* When a pane goes, those before it in the order have gone already: at every size the panes there are an end of the
 * enum. */
static void panes_go_in_order(void **state)
{
	(void)state;
	for (int w = 70; w <= WIDEST; w++)
		for (int h = 1; h <= HIGHEST; h++) {
			struct layout l = layout_main(w, h, false);
			for (int i = 1; i < PANE_COUNT; i++)
				if (layout_has_pane(&l, (enum pane)(i - 1)))
					assert_true(layout_has_pane(&l, (enum pane)i));
		}
}

/* Growing never takes a pane away. */
static void growing_keeps_panes(void **state)
{
	(void)state;
	for (int w = 1; w < WIDEST; w++)
		for (int h = 1; h < HIGHEST; h++) {
			struct layout l = layout_main(w, h, false), wider = layout_main(w + 1, h, false),
				      higher = layout_main(w, h + 1, false);
			for (int i = 0; i < PANE_COUNT; i++)
				if (layout_has_pane(&l, (enum pane)i))
					assert_true(layout_has_pane(&wider, (enum pane)i) &&
						layout_has_pane(&higher, (enum pane)i));
		}
}

static void everything_is_there_at_80x24(void **state)
{
	(void)state;
	struct layout l = layout_main(80, 24, false);
	for (int i = 0; i < PANE_COUNT; i++)
		assert_true(layout_has_pane(&l, (enum pane)i));
	assert_true(l.pane[PANE_PLOT].w >= 50 && l.pane[PANE_PLOT].h >= 12);
}

/* Draws every view at every size, in both alphabets; sanitizers and the grid's own bounds are the judges, and no cell
 * may be left empty. */
static void views_draw_at_every_size(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct grid g = {0};
	made_app(&a, &x, 19, 80, 24);
	for (int w = 1; w <= WIDEST; w += w < 100 ? 1 : 7)
		for (int h = 1; h <= HIGHEST; h += h < 40 ? 1 : 5) {
			a.view = views[(w + h) % 8];
			a.zoom = w % 5 == 0;
			a.ascii = h % 2;
			a.canvas = (enum canvas_kind)(w % 3);
			a.benches[0].cursor = (w * h) % 19;
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

/* The main view alone, at every size that a person may drag a window through, with an empty curve and with a single
 * point. */
static void main_view_without_points(void **state)
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
		cmocka_unit_test(no_cell_is_wasted),
		cmocka_unit_test(panes_go_in_order),
		cmocka_unit_test(growing_keeps_panes),
		cmocka_unit_test(everything_is_there_at_80x24),
		cmocka_unit_test(views_draw_at_every_size),
		cmocka_unit_test(main_view_without_points),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

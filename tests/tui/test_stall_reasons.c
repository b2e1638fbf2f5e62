/* The cycle breakdown: labels of the stall reasons, a point's cycles by reason, and the stack that adds up to the
 * curve. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "plot/band_pattern.h"
#include "tests/tui/screen_state.h"
#include "tui/shell/keymap.h"
#include "tui/lab/plot/plot_model.h"
#include "tui/shell/plot/plot_pane.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/shell.h"

enum { POINTS = 19 };

static void every_stall_reason_has_a_label(void **state)
{
	(void)state;
#define STALL_REASON(id, ...) #id,
	static const char *const names[] = {
#include "softgpu/stall_reasons.def"
	};
#undef STALL_REASON
	int found = 0;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		int at = 0;
		while (at < STALL_OTHER && strcmp(stall_reason_info(at)->name, names[i]))
			at++;
		if (at == STALL_OTHER)
			fail_msg("%s has no row in softgpu/stall_reasons.def", names[i]);
		found++;
	}
	assert_int_equal(found, STALL_OTHER); /* and no label is of an unknown reason */
}

static void patterns_differ_without_color(void **state)
{
	(void)state;
	for (int i = 0; i < STALL_REASON_COUNT; i++)
		for (int k = 0; k < i; k++) {
			assert_true(stall_reason_info(i)->letter != stall_reason_info(k)->letter);
			assert_string_not_equal(band_pattern_text(stall_reason_info(i)->letter, false),
				band_pattern_text(stall_reason_info(k)->letter, false));
			assert_string_not_equal(
				band_color(stall_reason_info(i)->letter), band_color(stall_reason_info(k)->letter));
		}
}

static json_t *profile(double valu, double l1, double dram, double strange)
{
	return json_pack("{s:{s:f, s:{s:f,s:f,s:f,s:f}}}", "profile", "cycles", valu + l1 + dram + strange, "account",
		"VALU", valu, "L1", l1, "DRAM", dram, "A_NEW_CAUSE", strange);
}

static void cycles_are_read_by_reason_name(void **state)
{
	(void)state;
	double cycles[STALL_REASON_COUNT], all;
	json_t *r = profile(10, 20, 30, 5);
	assert_true(breakdown_from_record(r, cycles, &all));
	assert_true(all == 65 && cycles[STALL_VALU] == 10 && cycles[STALL_L1] == 20 && cycles[STALL_DRAM] == 30 &&
		cycles[STALL_OTHER] == 5);
	json_decref(r);
	assert_false(breakdown_from_record(NULL, cycles, &all));
	r = json_pack("{s:{s:i, s:{}}}", "profile", "cycles", 0, "account");
	assert_false(breakdown_from_record(r, cycles, &all));
	json_decref(r);
}

/* Shares change along the curve; A_NEW_CAUSE is too small for an area of its own. */
static void make_app_with_profiles(struct app *a, struct experiment *x)
{
	made_app(a, x, POINTS, 120, 36);
	for (int i = 0; i < POINTS; i++)
		a->labs[0].curve.points[i].record = profile(100 + i, 3 * i, 1000.0 / (i + 1), 0.3);
	a->breakdown = true;
}

static void the_stack_adds_up_to_the_curve(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct plot_model m;
	make_app_with_profiles(&a, &x);
	const struct measured_curve *c = &a.labs[0].curve;
	plot_model_build(&a, &a.labs[0], &m);
	assert_int_equal(m.bands, 4); /* VALU, L1, DRAM, the rest */
	for (int i = 0; i < POINTS; i++) {
		double below = 0, cycles[STALL_REASON_COUNT], all;
		if (c->points[i].status != POINT_OK) {
			assert_false(m.series[0].points[i].valid);
			continue;
		}
		assert_true(breakdown_from_record(c->points[i].record, cycles, &all));
		for (int k = 0; k < m.bands; k++) {
			const struct chart_point *p = &m.series[k].points[i];
			assert_true(p->valid && p->low == below && p->high >= p->low && p->y == p->high);
			if (m.causes[k] != STALL_OTHER)
				assert_float_equal((p->high - p->low) / c->points[i].metrics[0].value,
					cycles[m.causes[k]] / all, 1e-9);
			below = p->high;
		}
		assert_true(below == c->points[i].metrics[0].value);
	}
	plot_model_free(&m);
	a.shares = true;
	plot_model_build(&a, &a.labs[0], &m);
	assert_true(m.shares && m.series[m.bands - 1].points[0].high == 100 && m.chart.y[AXIS_LEFT].high == 100);
	assert_float_equal(m.series[0].points[0].high, 100 * 100 / 1100.3, 1e-9); /* VALU of the first point */
	plot_model_free(&m);
	made_free(&a);
}

static void a_rate_stacks_cycles(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct plot_model m;
	make_app_with_profiles(&a, &x);
	strcpy(x.metrics[0].unit, "GB/s");
	plot_model_build(&a, &a.labs[0], &m);
	assert_true(m.cycles && m.bands == 4);
	double all, cycles[STALL_REASON_COUNT];
	breakdown_from_record(a.labs[0].curve.points[1].record, cycles, &all);
	assert_float_equal(m.series[m.bands - 1].points[1].high, all, 1e-6);
	for (size_t i = 0; i < m.chart.series_count; i++)
		if (m.series[i].role == SERIES_CURRENT)
			assert_string_equal(m.series[i].unit, "cycles");
	plot_model_free(&m);
	assert_true(unit_counts_cost("ns") && unit_counts_cost("cycles/read") && !unit_counts_cost("threads/cycle") &&
		!unit_counts_cost("GB/s"));
	made_free(&a);
}

/* The level of a pinned curve is its metric; where cycles are stacked, its cycles, if it has a profile; in percent all
 * stacks are equally high. */
static void pinned_curves_are_levels_over_the_stacks(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct plot_model m;
	make_app_with_profiles(&a, &x);
	struct lab *b = &a.labs[0];
	lab_pin_curve(b, &b->previous, "before");
	plot_model_build(&a, b, &m);
	const struct series *level = &m.series[m.chart.series_count - 1];
	assert_true(level->role == SERIES_PINNED && level->style == STYLE_LEVEL && level->mark == '1');
	assert_true(level->points[0].valid && level->points[0].y == b->previous.points[0].metrics[0].value);
	assert_true(m.chart.y[AXIS_LEFT].high >= level->points[POINTS - 1].y);
	plot_model_free(&m);
	a.shares = true;
	plot_model_build(&a, b, &m);
	assert_int_equal(m.series[m.chart.series_count - 1].role, SERIES_CURRENT);
	plot_model_free(&m);
	a.shares = false;
	strcpy(x.metrics[0].unit, "GB/s");
	plot_model_build(&a, b, &m);
	assert_false(m.series[m.chart.series_count - 1].points[0].valid);
	plot_model_free(&m);
	a.ascii = true;
	char *text = made_screen(&a, 120, 36);
	assert_non_null(strstr(text, "pinned without profile"));
	free(text);
	made_free(&a);
}

static void the_legend_shows_the_shares_at_the_cursor(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	make_app_with_profiles(&a, &x);
	a.ascii = true;
	a.labs[0].cursor = 1; /* 101, 3, 500, 0.3 */
	char *text = made_screen(&a, 120, 36);
	assert_non_null(strstr(text, "D DRAM 83 %  v VALU 17 %  1 L1 0.5 %"));
	assert_non_null(strstr(text, "why 83 % of the cycles wait for device memory"));
	assert_non_null(strstr(text, "DDDD"));
	assert_non_null(strstr(text, "latency, by stall reason"));
	free(text);
	made_free(&a);
}

/* Colors of a family's reasons differ as far as the theme has shades: LDS from its conflicts, VALU from SALU. */
static void reasons_of_a_family_have_different_shades(void **state)
{
	(void)state;
	for (int i = 0; i < STALL_OTHER; i++)
		for (int k = 0; k < i; k++) {
			bool same = stall_reason_info(i)->family == stall_reason_info(k)->family;
			int apart = stall_reason_variant(i) - stall_reason_variant(k);
			assert_true(role_is_of_stall_reason(stall_reason_role(i)));
			if (!same || apart % STALL_COLOR_VARIANTS)
				assert_int_not_equal(stall_reason_role(i), stall_reason_role(k));
		}
	assert_int_not_equal(stall_reason_role(STALL_LDS), stall_reason_role(STALL_LDS_CONFLICT));
	assert_int_not_equal(stall_reason_role(STALL_VALU), stall_reason_role(STALL_SALU));
	assert_int_not_equal(stall_reason_role(STALL_SALU), stall_reason_role(STALL_MEMORY));
}

/* Fills `column` with the roles of the plot's cells in the cursor's column; returns how many are of a stall reason. */
static int read_cursor_column(struct app *a, const struct grid *g, int *column)
{
	int n = 0, x = 0;
	for (int i = 0; i < g->w * g->h; i++)
		if (!strcmp(g->cells[i].utf8, "^"))
			x = i % g->w;
	assert_true(x > 0 && a->labs[0].cursor >= 0);
	for (int y = 0; y < g->h; y++) {
		const struct cell *c = &g->cells[y * g->w + x];
		column[y] = c->role;
		n += role_is_of_stall_reason(c->role) && y > 4;
	}
	return n;
}

/* The cursor shows a column in another way, and its stall reasons stay. */
static void the_cursor_keeps_the_column(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct grid g = {0};
	int column[36];
	make_app_with_profiles(&a, &x);
	a.ascii = true;
	a.canvas = CANVAS_ASCII;
	a.labs[0].cursor = 1; /* 17 % VALU, 83 % DRAM */
	grid_resize(&g, 120, 36);
	screen_draw(&a, &g);
	assert_true(read_cursor_column(&a, &g, column) >= 4);
	bool valu = false, dram = false;
	for (int y = 5; y < 36; y++) {
		valu |= column[y] == stall_reason_role(STALL_VALU);
		dram |= column[y] == stall_reason_role(STALL_DRAM);
	}
	assert_true(valu && dram);
	grid_free(&g);
	made_free(&a);
}

static void a_device_without_profiles_reports_why(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, POINTS, 120, 36);
	a.soft = false;
	app_handle_key(&a, 'w');
	assert_true(!a.breakdown && !a.profile && strstr(a.message, "no cycle breakdown"));
	a.soft = true;
	app_handle_key(&a, 'w');
	assert_true(a.breakdown && a.profile && a.measure_at);
	app_handle_key(&a, 'w');
	assert_true(!a.breakdown && !a.profile);
	made_free(&a);
}

/* With areas, pinned curves and an x window, in Unicode and ASCII; sanitizers check the memory. */
static void the_breakdown_draws_at_every_size(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	make_app_with_profiles(&a, &x);
	struct lab *b = &a.labs[0];
	lab_pin_curve(b, &b->previous, "a device with a long name");
	lab_pin_curve(b, &b->previous, "");
	b->cursor = 9;
	for (int i = 0; i < 3; i++, app_handle_key(&a, '+'))
		for (int w = 1; w < 210; w += 1 + w / 20)
			for (int h = 1; h < 64; h += 1 + h / 12) {
				a.ascii = (w + h) % 2;
				free(made_screen(&a, w, h));
			}
	made_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_stall_reason_has_a_label),
		cmocka_unit_test(patterns_differ_without_color),
		cmocka_unit_test(cycles_are_read_by_reason_name),
		cmocka_unit_test(the_stack_adds_up_to_the_curve),
		cmocka_unit_test(a_rate_stacks_cycles),
		cmocka_unit_test(pinned_curves_are_levels_over_the_stacks),
		cmocka_unit_test(the_legend_shows_the_shares_at_the_cursor),
		cmocka_unit_test(reasons_of_a_family_have_different_shades),
		cmocka_unit_test(the_cursor_keeps_the_column),
		cmocka_unit_test(a_device_without_profiles_reports_why),
		cmocka_unit_test(the_breakdown_draws_at_every_size),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* An experiment's curves: pinned curves, undo, and earlier curves that are shown without measuring again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "base/host_clock.h"
#include "tests/tui/screen_state.h"
#include "tui/shell/palette/fuzzy_match.h"
#include "tui/shell/keymap.h"
#include "tui/lab/plot/plot_model.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/shell.h"

enum { POINTS = 19 };

static void at_most_four_curves_are_pinned(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, POINTS, 120, 36);
	struct lab *b = &a.labs[0];
	struct measured_curve other = {0};
	made_curve(b, &other, POINTS, 30);
	const char *const names[PINS_MAX] = {"MI210", "MI300X", "monday", "tuesday"};
	for (int i = 0; i < PINS_MAX; i++)
		assert_true(lab_pin_curve(b, &other, names[i]));
	assert_false(lab_pin_curve(b, &other, "a fifth"));
	assert_true(lab_pin_curve(b, &b->curve, "MI300X")); /* replaces the curve of that name */
	assert_int_equal(b->pin_count, PINS_MAX);
	assert_true(b->pins[1].curve.points[0].metrics[0].value == b->curve.points[0].metrics[0].value);
	assert_true(b->pins[1].curve.points != b->curve.points);
	a.ascii = true;
	char *text = made_screen(&a, 200, 60);
	assert_true(strstr(text, "1 MI210 ") && strstr(text, "2 MI300X ") && strstr(text, "3 monday ") &&
		strstr(text, "4 tuesday "));
	free(text);
	lab_unpin_curve(b, 0);
	assert_string_equal(b->pins[0].label, "MI300X");
	assert_int_equal(lab_find_pin_by_label(b, "tuesday"), 2);
	assert_false(lab_pin_curve(b, &(struct measured_curve){0}, "nothing"));
	measured_curve_free(&other);
	made_free(&a);
}

static void a_pinned_curve_is_named_by_its_different_parameters(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	char text[64];
	made_app(&a, &x, POINTS, 120, 36);
	struct lab *b = &a.labs[0];
	app_handle_key(&a, 'p');
	assert_int_equal(b->pin_count, 1);
	assert_string_equal(lab_format_pin_label(b, 0, text, sizeof text), "pinned");
	for (int i = 0; i < POINTS; i++) {
		b->curve.points[i].values[1] = 1 << 20;
		b->curve.points[i].values[2] = 1;
	}
	assert_string_equal(lab_format_pin_label(b, 0, text, sizeof text), "size 64 MiB, published");
	app_handle_key(&a, 'p'); /* another curve: a second pin */
	assert_int_equal(b->pin_count, 2);
	app_handle_key(&a, 'p'); /* the same curve again: unpinned */
	assert_int_equal(b->pin_count, 1);
	app_handle_key(&a, TK_BACKSPACE);
	assert_int_equal(b->pin_count, 0);
	made_free(&a);
}

/* The sweep of a first change is due at once; those of a held key wait for the last one, and are one change. */
static void only_repeated_changes_wait(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, POINTS, 120, 36);
	struct lab *b = &a.labs[0];
	app_handle_key(&a, TK_RIGHT);
	assert_true(b->values[1] == 1 << 27 && a.measure_at && a.measure_at <= now_ms());
	for (int repeated = 1; repeated >= 0; repeated--) {
		a.measure_at = 0;                                    /* it was started */
		a.changed_at = now_ms() + (repeated ? 1000 : -1000); /* as if it had been now, or long ago */
		app_handle_key(&a, repeated ? TK_RIGHT : TK_LEFT);
		assert_true(repeated ? a.measure_at >= a.changed_at + 100 : a.measure_at <= now_ms());
	}
	assert_true(b->values[1] == 1 << 27);
	app_handle_key(&a, 'u'); /* the last change alone */
	assert_true(b->values[1] == 1 << 28);
	app_handle_key(&a, 'u'); /* the two that followed each other */
	assert_true(b->values[1] == 1 << 26);
	made_free(&a);
}

/* Changes of one parameter are joined until they are measured; undo shows a kept curve again. */
static void settings_are_undone_and_redone(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, POINTS, 120, 36);
	struct lab *b = &a.labs[0];
	x.x = b->axis = 0;
	b->curve.axis = b->previous.axis = 0;
	for (int i = 0; i < POINTS; i++)
		b->curve.points[i].status = POINT_OK;
	app_handle_key(&a, TK_RIGHT);
	app_handle_key(&a, TK_RIGHT);
	assert_true(b->values[1] == 1 << 28);
	a.measure_at = 0; /* as if it had been measured */
	app_handle_key(&a, TK_DOWN);
	app_handle_key(&a, TK_RIGHT);
	assert_true(b->values[2] == 1);
	a.measure_at = 0;
	app_handle_key(&a, TK_UP);
	app_handle_key(&a, TK_UP);
	app_handle_key(&a, TK_LEFT); /* the range's end */
	assert_string_equal(b->ranges[0], "1024..134217728");
	app_handle_key(&a, 'u');
	assert_string_equal(b->ranges[0], "");
	assert_true(a.measure_at != 0); /* no curve of the other variant is kept */
	app_handle_key(&a, 'u');
	assert_true(b->values[2] == 0 && b->values[1] == 1 << 28);
	app_handle_key(&a, 'u');
	assert_true(b->values[1] == 1 << 26 && a.measure_at == 0); /* its curve is kept */
	app_handle_key(&a, 'u');
	assert_true(strstr(a.message, "nothing to undo") != NULL);
	app_handle_key(&a, 'U');
	assert_true(b->values[1] == 1 << 28 && a.measure_at != 0);
	app_handle_key(&a, 'U');
	app_handle_key(&a, 'U');
	assert_string_equal(b->ranges[0], "1024..134217728");
	app_handle_key(&a, 'U');
	assert_true(strstr(a.message, "nothing to redo") != NULL);
	app_handle_key(&a, 'u');
	app_handle_key(&a, TK_LEFT); /* a new change clears the redo list */
	app_handle_key(&a, 'U');
	assert_true(strstr(a.message, "nothing to redo") != NULL);
	made_free(&a);
}

static void typed_values_and_presets_are_undone(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, POINTS, 120, 36);
	struct lab *b = &a.labs[0];
	b->axis = 0;
	app_handle_key(&a, TK_ENTER);
	for (const char *c = "2 MiB"; *c; c++)
		app_handle_key(&a, *c);
	app_handle_key(&a, TK_ENTER);
	assert_true(b->values[1] == 1 << 21);
	app_handle_key(&a, 'P');
	assert_true(b->values[1] == 1 << 26);
	app_handle_key(&a, 'u');
	assert_true(b->values[1] == 1 << 21);
	app_handle_key(&a, 'u');
	assert_true(b->values[1] == 1 << 26 && b->axis == 0);
	app_handle_key(&a, 'x');
	assert_int_equal(b->axis, 1);
	app_handle_key(&a, 'u');
	assert_int_equal(b->axis, 0);
	made_free(&a);
}

static void earlier_curves_are_shown_without_measuring(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, POINTS, 120, 36);
	struct lab *b = &a.labs[0];
	x.x = b->axis = 0;
	measured_curve_free(&b->curve);
	measured_curve_free(&b->previous);
	for (int i = 0; i < 5; i++) {
		b->values[1] = 1 << (20 + i);
		lab_retire_curve(b);
		made_curve(b, &b->curve, POINTS, i);
		b->curve.device = measured_curve_device_hash("soft:made");
		b->curve.axis = 0;
	}
	for (int i = 0; i < 5; i++) {
		b->values[1] = 1 << (20 + i);
		assert_true(lab_recall_curve(b, "soft:made", true, false));
		assert_true(b->curve.points[0].values[1] == 1 << (20 + i));
		assert_true(b->curve.points[0].metrics[0].value == 240 + i);
	}
	assert_false(lab_recall_curve(b, "soft:made", true, true)); /* none has profiles */
	b->sampling.flush_l2 = true;
	assert_false(lab_recall_curve(b, "soft:made", true, false)); /* measured with other samples */
	b->sampling.flush_l2 = false;
	assert_true(lab_recall_curve(b, "soft:made", true, false));
	b->values[1] = 1 << 28;
	assert_false(lab_recall_curve(b, "soft:made", true, false));
	lab_forget_earlier_curves(b);
	b->values[1] = 1 << 20;
	assert_false(lab_recall_curve(b, "soft:made", true, false));
	made_free(&a);
}

/* The cursor stays visible at every zoom. */
static void the_cursor_stays_in_the_x_window(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct plot_model m;
	made_app(&a, &x, POINTS, 120, 36);
	struct lab *b = &a.labs[0];
	b->cursor = 9;
	app_handle_key(&a, '-');
	assert_true(strstr(a.message, "whole x axis") != NULL);
	for (int i = 0; i < 12; i++) {
		app_handle_key(&a, '+');
		plot_model_build(&a, b, &m);
		double x_there = measured_curve_x(&b->curve, b->cursor);
		assert_true(m.chart.x.low <= x_there && x_there <= m.chart.x.high);
		plot_model_free(&m);
	}
	assert_true(strstr(a.message, "cannot zoom in further") != NULL);
	app_handle_key(&a, '-');
	app_handle_key(&a, '-');
	app_handle_key(&a, '-');
	for (int i = 0; i < 100; i++) {
		app_handle_key(&a, i < 20 ? ']' : i < 40 ? '>' : '<');
		plot_model_build(&a, b, &m);
		double x_there = measured_curve_x(&b->curve, b->cursor);
		assert_true(m.chart.x.low <= x_there * (1 + 1e-9) && x_there <= m.chart.x.high * (1 + 1e-9));
		plot_model_free(&m);
	}
	assert_true(b->cursor < 3); /* the cursor moves with the window */
	app_handle_key(&a, '0');
	assert_true(b->window_low == 0 && b->window_high == 0);
	app_handle_key(&a, '+');
	plot_model_build(&a, b, &m);
	assert_true(m.chart.x.log2 && m.chart.y[0].high == 500); /* the y axis fits the visible part */
	plot_model_free(&m);
	app_handle_key(&a, 'X');
	plot_model_build(&a, b, &m);
	assert_false(m.chart.x.log2);
	plot_model_free(&m);
	made_free(&a);
}

static void knees_are_found_and_capacities_explained(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct plot_model m;
	made_app(&a, &x, POINTS, 120, 36);
	plot_model_build(&a, &a.labs[0], &m);
	assert_int_equal(m.knee_count, 2);
	assert_string_equal(m.knee_texts[0], "knee 16 KiB");
	assert_string_equal(m.knee_texts[1], "knee 4 MiB");
	assert_int_equal(m.chart.ruler_count, 0); /* no device, so no capacities */
	plot_model_free(&m);
	json_t *device = json_pack("{s:{s:i,s:i}, s:{s:i}}", "constants", "l1_bytes", 16384, "l2_line_bytes", 64,
		"properties", "l2_bytes", 4 << 20);
	struct capacity list[CAPACITIES_MAX];
	char text[160];
	assert_int_equal(capacities_list(device, PARAM_MEANS_FOOTPRINT, list), 2);
	assert_true(list[0].bytes == 16384 && list[1].bytes == 4 << 20);
	assert_int_equal(capacities_list(device, PARAM_MEANS_NOTHING, list), 0);
	struct param p = x.params[0];
	p.means = PARAM_MEANS_FOOTPRINT;
	assert_string_equal(capacities_explain(device, &p, 8192, text, sizeof text), "8 KiB fits L1 (16 KiB)");
	assert_string_equal(
		capacities_explain(device, &p, 32768, text, sizeof text), "32 KiB misses L1 (16 KiB), fits L2 (4 MiB)");
	assert_string_equal(capacities_explain(device, &p, 8 << 20, text, sizeof text),
		"8 MiB misses L2 (4 MiB) and comes from memory");
	p.means = PARAM_MEANS_STRIDE;
	assert_string_equal(capacities_explain(device, &p, 16, text, sizeof text),
		"16 B: 4 consecutive accesses share a line (64 B)");
	assert_string_equal(capacities_explain(device, &p, 64, text, sizeof text),
		"64 B: every access touches another line (64 B)");
	assert_string_equal(capacities_explain(NULL, &p, 64, text, sizeof text), "");
	json_decref(device);
	device = json_pack("{s:{s:i,s:i,s:i}, s:{s:i}}", "constants", "l0_bytes", 32768, "gl1_bytes", 262144,
		"l3_bytes", 96 << 20, "properties", "l2_bytes", 6 << 20);
	p.means = PARAM_MEANS_FOOTPRINT;
	assert_string_equal(capacities_explain(device, &p, 65536, text, sizeof text),
		"64 KiB misses L0 (32 KiB), fits L1 (256 KiB)");
	assert_string_equal(capacities_explain(device, &p, 8 << 20, text, sizeof text),
		"8 MiB misses L2 (6 MiB), fits L3 (96 MiB)");
	json_decref(device);
	made_free(&a);
}

/* A default sweep may have some of the choices. */
static void a_sweep_of_choices_is_counted(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	char text[64];
	made_app(&a, &x, POINTS, 120, 36);
	struct lab *b = &a.labs[0];
	struct param *p = &b->x->params[b->axis];
	enum param_step_kind kind = p->kind;
	p->kind = PARAM_STEP_CHOICE;
	p->choice_count = 5;
	assert_string_equal(lab_format_value(b, b->axis, 40, text, sizeof text), "all 5");
	p->sweep_list_count = 4;
	assert_string_equal(lab_format_value(b, b->axis, 40, text, sizeof text), "4 of 5");
	p->choice_count = p->sweep_list_count = 0;
	p->kind = kind;
	made_free(&a);
}

static void fuzzy_search_ranks_the_best_match_first(void **state)
{
	(void)state;
	bool marks[FUZZY_MARKS_MAX];
	assert_true(fuzzy_match_score("", "anything", NULL) > 0);
	assert_int_equal(fuzzy_match_score("xyz", "LDS bank conflicts", NULL), 0);
	assert_int_equal(fuzzy_match_score("dsl", "LDS", NULL), 0); /* the order matters */
	assert_true(fuzzy_match_score("lb", "LDS bank conflicts", NULL) >
		fuzzy_match_score("lb", "elbow", NULL)); /* starts of words count more */
	assert_true(fuzzy_match_score("lat", "Latency, by range", NULL) >
		fuzzy_match_score("lat", "Loads of a whole grid, by stride", NULL));
	assert_true(fuzzy_match_score("LAT RAN", "Latency, by range", marks) > 0);
	const char *title = "Latency, by range";
	for (int i = 0; title[i]; i++)
		assert_int_equal(marks[i], i < 3 || (i >= 12 && i < 15));
	fuzzy_match_score("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", marks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_most_four_curves_are_pinned),
		cmocka_unit_test(a_pinned_curve_is_named_by_its_different_parameters),
		cmocka_unit_test(only_repeated_changes_wait),
		cmocka_unit_test(settings_are_undone_and_redone),
		cmocka_unit_test(typed_values_and_presets_are_undone),
		cmocka_unit_test(earlier_curves_are_shown_without_measuring),
		cmocka_unit_test(the_cursor_stays_in_the_x_window),
		cmocka_unit_test(knees_are_found_and_capacities_explained),
		cmocka_unit_test(a_sweep_of_choices_is_counted),
		cmocka_unit_test(fuzzy_search_ranks_the_best_match_first),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

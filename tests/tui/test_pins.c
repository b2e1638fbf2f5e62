/* Pinned curves: listed with their values at the cursor, compared with the current curve, as ratio and difference; the
 * legend in the colors of the curves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "tests/tui/screen_state.h"
#include "tui/lab/plot/pin_comparison.h"
#include "tui/lab/plot/plot_model.h"
#include "tui/shell/keymap.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/shell.h"

enum { POINTS = 19 };

static void draw_screen(struct app *a, struct grid *g, int w, int h)
{
	app_resize(a, w, h);
	grid_resize(g, w, h);
	screen_draw(a, g);
}

static void pin_shifted_curve(struct lab *b, const char *name, double shift)
{
	struct measured_curve c = {0};
	made_curve(b, &c, POINTS, shift);
	assert_true(lab_pin_curve(b, &c, name));
	measured_curve_free(&c);
}

/* The first point has 240 cycles, the pinned ones 240, 300 and 120. */
static void make_app_with_pins(struct app *a, struct experiment *x)
{
	made_app(a, x, POINTS, 120, 36);
	struct lab *b = &a->labs[0];
	measured_curve_free(&b->previous);
	pin_shifted_curve(b, "same", 0);
	pin_shifted_curve(b, "slower", 60);
	pin_shifted_curve(b, "faster", -120);
	a->ascii = true;
}

static json_t *make_header(const char *sampling)
{
	json_t *header = json_object();
	json_object_set_new(header, "sampling", json_loads(sampling, 0, NULL));
	return header;
}

/* Curves that were sampled in two ways do not compare alone in what the labels say. */
static void labels_say_how_samples_differ(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	make_app_with_pins(&a, &x);
	struct lab *b = &a.labs[0];
	b->pins[1].curve.header = make_header("{\"flush_l2\":true}");
	char *text = made_screen(&a, 120, 36);
	assert_non_null(strstr(text, "1 same  "));
	assert_non_null(strstr(text, "2 L2 emptied, slower  "));
	free(text);
	b->curve.header = make_header("{\"flush_l2\":true,\"stop\":\"entropy\"}");
	text = made_screen(&a, 120, 36);
	assert_non_null(strstr(text, "1 L2 kept, stop interval, same  "));
	assert_non_null(strstr(text, "2 stop interval, slower  "));
	assert_non_null(strstr(text, "L2 emptied, stop entropy")); /* of the current curve, next to the clocks */
	free(text);
	text = made_screen(&a, 80, 24);
	assert_non_null(strstr(text, "L2 emptied, stop entropy"));
	free(text);
	made_free(&a);
}

static void pins_are_listed_with_values_and_differences(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	make_app_with_pins(&a, &x);
	char *text = made_screen(&a, 120, 36);
	assert_non_null(strstr(text, "1 same    latency 240 cycles  rate 25 GB/s  identical   "));
	assert_non_null(strstr(text, "2 slower  latency 300 cycles +25 %  rate 20 GB/s -20 %"));
	assert_non_null(strstr(text, "3 faster  latency 120 cycles -50 %  rate 50 GB/s +100 %"));
	free(text);
	a.labs[0].cursor = 3; /* failed */
	text = made_screen(&a, 120, 36);
	assert_non_null(strstr(text, "2 slower  latency 300 cycles  rate 20 GB/s"));
	free(text);
	text = made_screen(&a, 80, 24); /* the first metric only; every pin has its line */
	assert_non_null(strstr(text, "1 same"));
	assert_non_null(strstr(text, "2 slower  300 cycles"));
	assert_non_null(strstr(text, "3 faster  120 cycles"));
	free(text);
	made_free(&a);
}

static void agreement_counts_points(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, POINTS, 120, 36);
	struct lab *b = &a.labs[0];
	pin_shifted_curve(b, "same", 0);
	pin_shifted_curve(b, "noise", 5); /* quartiles from -4 to +9 */
	pin_shifted_curve(b, "other", 60);
	strcpy(x.metrics[1].unit, "");
	x.metric_count = 1;
	struct pin_agreement same = pin_compare_curve(b, 0), noise = pin_compare_curve(b, 1),
			     other = pin_compare_curve(b, 2);
	assert_true(same.shared == POINTS - 2 && same.equal == same.shared && !same.near);
	assert_true(!noise.equal && noise.near == noise.shared);
	assert_true(!other.equal && !other.near && other.shared == POINTS - 2);
	assert_null(pin_find_point(b, 0, POINTS));
	b->pins[0].curve.points[2].values[0] += 1;
	assert_null(pin_find_point(b, 0, 2));
	assert_ptr_equal(pin_find_point(b, 0, 4), &b->pins[0].curve.points[4]);
	made_free(&a);
}

static void r_shows_ratio_then_difference_then_curves(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct plot_model m;
	made_app(&a, &x, POINTS, 120, 36);
	app_handle_key(&a, 'r');
	assert_true(a.pin_view == PINS_AS_CURVES && strstr(a.message, "no pinned curve"));
	made_free(&a);
	make_app_with_pins(&a, &x);
	struct lab *b = &a.labs[0];
	app_handle_key(&a, 'r');
	plot_model_build(&a, b, &m);
	assert_true(m.pin_view == PINS_AS_RATIO && m.chart.series_count == 4 && !m.chart.has_axis[AXIS_RIGHT]);
	assert_true(m.series[0].points[0].y == 1 && m.series[1].points[0].y == 1 && m.series[2].points[0].y == 1.25 &&
		m.series[3].points[0].y == 0.5);
	assert_false(m.series[1].points[3].valid); /* the current point failed */
	assert_true(m.series[2].mark == '2' && m.chart.y[AXIS_LEFT].low > 0 && m.chart.y[AXIS_LEFT].low <= 0.5);
	plot_model_free(&m);
	char *text = made_screen(&a, 120, 36);
	assert_non_null(strstr(text, "pinned / current"));
	assert_non_null(strstr(text, "2 slower  latency 300 cycles x1.25  rate 20 GB/s x0.80"));
	free(text);
	app_handle_key(&a, 'r');
	plot_model_build(&a, b, &m);
	assert_true(
		m.pin_view == PINS_AS_DIFFERENCE && m.series[2].points[0].y == 60 && m.series[3].points[0].y == -120);
	assert_true(m.chart.y[AXIS_LEFT].low <= -120 && m.chart.y[AXIS_LEFT].high >= 60);
	plot_model_free(&m);
	text = made_screen(&a, 120, 36);
	assert_non_null(strstr(text, "3 faster  latency 120 cycles -120"));
	free(text);
	app_handle_key(&a, 'r');
	assert_int_equal(a.pin_view, PINS_AS_CURVES);
	app_handle_key(&a, 'r');
	for (int i = 0; i < PINS_MAX; i++)
		app_handle_key(&a, TK_BACKSPACE);
	assert_int_equal(a.pin_view, PINS_AS_CURVES); /* nothing is left to compare */
	made_free(&a);
}

/* Differences in the last digits do not fill the plot. */
static void a_ratio_near_one_does_not_fill_the_scale(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct plot_model m;
	made_app(&a, &x, POINTS, 120, 36);
	pin_shifted_curve(&a.labs[0], "near", 0.2);
	a.pin_view = PINS_AS_RATIO;
	plot_model_build(&a, &a.labs[0], &m);
	assert_true(m.chart.y[AXIS_LEFT].high - m.chart.y[AXIS_LEFT].low >= 0.1);
	plot_model_free(&m);
	made_free(&a);
}

static void pins_of_another_axis_are_not_compared(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	make_app_with_pins(&a, &x);
	for (int i = 0; i < 3; i++)
		a.labs[0].pins[i].curve.axis = 1;
	assert_int_equal(pin_count_shown(&a.labs[0]), 0);
	app_handle_key(&a, 'r');
	assert_true(a.pin_view == PINS_AS_CURVES && strstr(a.message, "another x axis"));
	char *text = made_screen(&a, 120, 36);
	assert_null(strstr(text, "slower"));
	free(text);
	made_free(&a);
}

/* The cell of a text in a row of the screen. */
static const struct cell *find_cell(const struct grid *g, int row, const char *utf8)
{
	for (int x = 37; x < g->w; x++)
		if (!strcmp(g->cells[row * g->w + x].utf8, utf8))
			return &g->cells[row * g->w + x];
	return NULL;
}

static void legend_marks_have_the_roles_of_their_curves(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct grid g = {0};
	make_app_with_pins(&a, &x);
	a.ascii = false;
	draw_screen(&a, &g, 160, 40);
	const struct cell *left = find_cell(&g, 1, "\u25cf"), *right = find_cell(&g, 1, "\u25cb");
	assert_true(left && left->role == ROLE_LEFT);
	assert_true(right && right->role == ROLE_RIGHT);
	static const int roles[] = {ROLE_PINNED, ROLE_PINNED2, ROLE_PINNED3};
	for (int i = 0; i < 3; i++) {
		const struct cell *pin = find_cell(&g, 3 + i, (char[2]){(char)('1' + i), 0});
		assert_true(pin && pin->role == roles[i]);
	}
	grid_free(&g);
	made_free(&a);
}

/* Three curves at the same place: each has marks of its own. */
static void curves_that_coincide_share_the_marks(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct plot_model m;
	made_app(&a, &x, POINTS, 120, 36);
	pin_shifted_curve(&a.labs[0], "one", 0);
	pin_shifted_curve(&a.labs[0], "two", 0);
	plot_model_build(&a, &a.labs[0], &m);
	enum { W = 100, H = 30 };
	static struct canvas_cell cells[W * H];
	chart_render_cells(&m.chart, CANVAS_BRAILLE, W, H, cells);
	int seen[3] = {0};
	static const char *const marks[] = {"\u25cf", "1", "2"};
	for (int i = 0; i < W * H; i++)
		for (int k = 0; k < 3; k++)
			seen[k] += cells[i].set && !strcmp(cells[i].utf8, marks[k]);
	assert_true(seen[0] >= 3 && seen[1] >= 3 && seen[2] >= 3);
	plot_model_free(&m);
	made_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels_say_how_samples_differ),
		cmocka_unit_test(pins_are_listed_with_values_and_differences),
		cmocka_unit_test(agreement_counts_points),
		cmocka_unit_test(r_shows_ratio_then_difference_then_curves),
		cmocka_unit_test(a_ratio_near_one_does_not_fill_the_scale),
		cmocka_unit_test(pins_of_another_axis_are_not_compared),
		cmocka_unit_test(legend_marks_have_the_roles_of_their_curves),
		cmocka_unit_test(curves_that_coincide_share_the_marks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

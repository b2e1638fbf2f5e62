/* Undo: each kind of change that a key makes is taken back and redone, in the order in which it was made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "tests/tui/screen_state.h"
#include "tui/shell/keymap.h"
#include "tui/lab/device_switch.h"
#include "tui/lab/undo.h"

enum { POINTS = 19 };

static struct app app;
static struct experiment x;

static int open_made_app(void **state)
{
	(void)state;
	made_app(&app, &x, POINTS, 120, 36);
	strcpy(app.device, "hip:0"); /* a software GPU would need its library: tests/golden/inspector.sh */
	app.soft = false;
	app.labs[0].axis = app.labs[0].x->x = 0;
	return 0;
}

static int close_made_app(void **state)
{
	(void)state;
	made_free(&app);
	undo_free(&app);
	return 0;
}

static void press(const char *keys)
{
	for (; *keys; keys++) {
		app.measure_at = 0; /* as if the change before had been measured */
		app_handle_key(&app, (unsigned char)*keys);
	}
}

/* All that undo takes back, as text. */
static char *describe_state(const struct lab *b, char *out, size_t size)
{
	size_t n = (size_t)snprintf(out, size, "%s axis %d pins %d", app.device, b->axis, b->pin_count);
	for (int i = 0; i < b->x->param_count; i++)
		n += (size_t)snprintf(
			out + n, size - n, " %s=%.0f[%s]", b->x->params[i].id, b->values[i], b->ranges[i]);
	return out;
}

static void change_values(void)
{
	app.labs[0].selected = 1;
	app_handle_key(&app, TK_RIGHT);
}
static void change_range(void)
{
	app.labs[0].selected = 0;
	app_handle_key(&app, TK_LEFT);
}
static void change_axis(void)
{
	app.labs[0].selected = 1;
	press("x");
}
static void change_preset(void)
{
	press("P");
}
static void add_pin(void)
{
	press("p");
}
static void remove_pin(void)
{
	app_handle_key(&app, TK_BACKSPACE);
}
static void change_device(void)
{
	app_switch_device(&app, "hip:1");
}
static void change_device_again(void)
{
	app_switch_device(&app, "hip:2");
}
/* Typed, as the other parameters. */
static void reset_value(void)
{
	app.labs[0].selected = 2;
	app_run_action(&app, "param", "variant=compiled", NULL);
	app.measure_at = 0;
}

static void every_change_is_taken_back_and_redone(void **state)
{
	(void)state;
	static void (*const changes[])(void) = {change_values, change_range, add_pin, change_device,
		change_device_again, remove_pin, change_axis, reset_value, change_preset};
	enum { COUNT = sizeof changes / sizeof *changes };
	static char texts[COUNT + 1][700];
	char now[700];
	struct lab *b = &app.labs[0];
	describe_state(b, texts[0], sizeof texts[0]);
	for (int i = 0; i < COUNT; i++) {
		app.measure_at = 0;
		changes[i]();
		describe_state(b, texts[i + 1], sizeof texts[i + 1]);
		assert_string_not_equal(texts[i + 1], texts[i]);
		if (!b->curve.count) /* another device has no curve yet, and a pin needs one */
			made_curve(b, &b->curve, POINTS, 0);
	}
	for (int i = COUNT; i-- > 0;) {
		press("u");
		assert_string_equal(describe_state(b, now, sizeof now), texts[i]);
	}
	press("u");
	assert_non_null(strstr(app.message, "nothing to undo"));
	assert_string_equal(describe_state(b, now, sizeof now), texts[0]);
	for (int i = 1; i <= COUNT; i++) {
		press("U");
		assert_string_equal(describe_state(b, now, sizeof now), texts[i]);
	}
	press("U");
	assert_non_null(strstr(app.message, "nothing to redo"));
}

/* The defaults of another kind of device are not a change of their own, and a value of the user's comes back although
 * it is the default there. */
static void a_change_of_device_is_one_change(void **state)
{
	(void)state;
	struct lab *b = &app.labs[0];
	b->values[1] = x.params[1].soft;
	b->values[0] = x.params[0].value;
	assert_true(app_switch_device(&app, "replay:share/sessions/range-latency-mi25.wbs"));
	assert_true(app.soft);
	press("u");
	assert_string_equal(app.device, "hip:0");
	assert_true(b->values[1] == x.params[1].soft);
	press("u");
	assert_non_null(strstr(app.message, "nothing to undo"));
}

/* A constant that is still being changed is not a change of the device yet. */
static void a_constant_that_is_not_open_yet_is_dropped(void **state)
{
	(void)state;
	app_switch_device_after(&app, "hip:1", 3600 * 1000);
	press("u");
	assert_string_equal(app.next_device, "");
	assert_string_equal(app.device, "hip:0");
	assert_non_null(strstr(app.message, "undone"));
}

/* A curve comes back without measuring only where it was measured on that device. */
static void curves_of_another_device_are_not_shown_as_current(void **state)
{
	(void)state;
	struct lab *b = &app.labs[0];
	for (int i = 0; i < POINTS; i++)
		b->curve.points[i].status = POINT_OK;
	b->curve.device = measured_curve_device_hash("hip:0");
	b->curve.axis = 0;
	measured_curve_free(&b->previous);
	app_switch_device(&app, "hip:1");
	assert_int_equal(b->curve.count, 0);
	assert_false(lab_recall_curve(b, app.device, false, false));
	assert_true(lab_recall_curve(b, "hip:0", false, false));
	assert_int_equal(b->curve.count, POINTS);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, open_made_app, close_made_app)
	const struct CMUnitTest tests[] = {
		T(every_change_is_taken_back_and_redone),
		T(a_change_of_device_is_one_change),
		T(a_constant_that_is_not_open_yet_is_dropped),
		T(curves_of_another_device_are_not_shown_as_current),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The session view without a device: order and filter of the list, marks, panes, Esc, drawing at every size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

#include "tests/tui/screen_state.h"
#include "tui/shell/keymap.h"
#include "tui/lab/lab_measure.h"
#include "tui/views/sessions/sessions_view.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/shell.h"
#include "tests/scratch.h"

static char folder[SCRATCH_PATH];

static void write_session(
	const char *name, const char *when, const char *device, const char *experiment, int points, const char *rest)
{
	char *path = xasprintf("%s/wavedeck/sessions/%s.wbs", folder, name);
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	fprintf(out,
		"{\"type\":\"session\",\"schema\":1,\"time\":\"%s\",\"experiment\":\"%s\",\"device\":{\"device\":\"%s\"},\"sweep\":{\"param\":\"rangesize\",\"values\":[1024,2048,4096]},"
		"\"columns\":{\"params\":[{\"id\":\"rangesize\",\"unit\":\"B\"},{\"id\":\"size\",\"unit\":\"B\"},{\"id\":\"variant\",\"unit\":\"\"}],"
		"\"metrics\":[{\"id\":\"latency\",\"unit\":\"cycles\",\"axis\":0}]}}\n",
		when, experiment, device);
	for (int i = 0; i < points; i++)
		fprintf(out,
			"{\"type\":\"point\",\"params\":{\"rangesize\":%d,\"size\":67108864,\"variant\":\"published\"},\"status\":\"ok\",\"seconds\":[1],\"verify\":\"ok\",\"metrics\":{\"latency\":%d}%s}\n",
			1024 << i, 240 + i, rest);
	fclose(out);
	free(path);
}

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(scratch_path(folder, "sessions-XXXXXX")))
		return -1;
	setenv("XDG_DATA_HOME", folder, 1);
	setenv("TZ", "UTC", 1);
	char *command = xasprintf("mkdir -p %s/wavedeck/sessions", folder);
	int status = system(command);
	free(command);
	write_session("first", "2027-03-01T10:00:00Z", "soft:mi25", "made-range", 3, "");
	write_session("second", "2027-03-02T10:00:00Z", "hip:0", "made-range", 3, ",\"clocks_moved\":true");
	write_session("third", "2027-03-03T10:00:00Z", "hip:0", "other", 2, "");
	return status;
}

static int tear_down(void **state)
{
	(void)state;
	char *command = xasprintf("rm -rf %s", folder);
	int status = system(command);
	free(command);
	return status;
}

static void work_off(struct app *a)
{
	for (int i = 0; i < 100000 && sessions_view_is_busy(a); i++)
		sessions_view_pump(a);
	assert_false(sessions_view_is_busy(a));
}

static void enter(struct app *a, struct experiment *x)
{
	made_app(a, x, 5, 80, 24);
	app_show_view(a, &view_sessions);
	work_off(a);
}

static void leave(struct app *a)
{
	sessions_view_close(a);
	made_free(a);
}

static void act(struct app *a, const char *name, const char *argument)
{
	struct err e = {0};
	if (!app_run_action(a, name, argument, &e))
		fail_msg("%s", e.text);
	work_off(a);
}

static const char *name_at(const struct app *a, int i)
{
	return sessions_view_entry(sessions_view_of(a), i)->name;
}

static int place_of(const struct app *a, const char *name)
{
	int i = 0;
	while (strcmp(name_at(a, i), name))
		i++;
	return i;
}

static void sessions_sort_by_five_orders(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	enter(&a, &x);
	assert_string_equal(name_at(&a, 0), "third");
	assert_string_equal(name_at(&a, 2), "first");
	act(&a, "session-down", "second");
	act(&a, "session-sort", "quality"); /* sessions without faults first */
	assert_string_equal(name_at(&a, 0), "first");
	assert_string_equal(
		sessions_view_selected(sessions_view_of(&a))->name, "second"); /* wherever it is in the list now */
	act(&a, "session-sort", "experiment"); /* samples of other experiments are before them */
	assert_int_equal(place_of(&a, "first"), place_of(&a, "second") + 1);
	assert_true(place_of(&a, "third") > place_of(&a, "first"));
	leave(&a);
}

static void the_filter_matches_all_columns(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	enter(&a, &x);
	act(&a, "session-filter", "HIP");
	assert_int_equal(sessions_view_of(&a)->count, 2);
	act(&a, "session-filter", "moved");
	assert_int_equal(sessions_view_of(&a)->count, 1);
	assert_string_equal(name_at(&a, 0), "second");
	act(&a, "session-filter", "nothing like it");
	assert_int_equal(sessions_view_of(&a)->count, 0);
	assert_null(sessions_view_selected(sessions_view_of(&a)));
	act(&a, "session-filter", NULL);
	app_handle_key(&a, TK_ESC); /* clears the filter */
	assert_true(sessions_view_of(&a)->count >= 3);
	leave(&a);
}

static void marked_sessions_are_compared(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	enter(&a, &x);
	act(&a, "session-compare", NULL); /* nothing is marked */
	assert_int_equal(sessions_view_of(&a)->pane, SHOW_DETAILS);
	act(&a, "session-mark", "first");
	act(&a, "session-down", "second");
	act(&a, "session-compare", NULL); /* the marked session with the selected one */
	assert_int_equal(sessions_view_of(&a)->mark_count, 2);
	assert_true(sessions_view_of(&a)->compared);
	assert_int_equal(sessions_view_of(&a)->comparison.row_count, 3);
	assert_int_equal(sessions_view_of(&a)->comparison.left_count, 3); /* the one with a changed clock */
	assert_true(sessions_view_go_back(&a));
	assert_false(sessions_view_of(&a)->compared);
	assert_false(sessions_view_go_back(&a));
	act(&a, "session-mark", "second");
	assert_int_equal(
		sessions_view_find_mark(sessions_view_of(&a), sessions_view_selected(sessions_view_of(&a))->path), -1);
	act(&a, "session-mark", "third");
	act(&a, "session-compare", NULL); /* sessions of two experiments */
	assert_int_equal(sessions_view_of(&a)->pane, SHOW_DETAILS);
	assert_non_null(strstr(a.message, "one experiment"));
	leave(&a);
}

static void points_can_be_scrolled(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	enter(&a, &x);
	act(&a, "session-down", "first");
	act(&a, "session-points", NULL);
	assert_int_equal(sessions_view_row_count(sessions_view_of(&a)), 3);
	act(&a, "session-last", NULL);
	assert_int_equal(sessions_view_of(&a)->point, 2);
	act(&a, "session-page-up", NULL);
	assert_int_equal(sessions_view_of(&a)->point, 0);
	act(&a, "back", NULL); /* one level up, still in the view */
	assert_ptr_equal(a.view, &view_sessions);
	act(&a, "back", NULL);
	assert_ptr_equal(a.view, views[0]);
	leave(&a);
}

static void a_session_is_pinned_in_its_experiment(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	enter(&a, &x);
	act(&a, "session-down", "first");
	act(&a, "session-pin", NULL);
	assert_int_equal(a.labs[0].pin_count, 1);
	const struct measured_curve *c = &a.labs[0].pins[0].curve;
	assert_int_equal(c->count, 3);
	assert_true(c->points[1].values[0] == 2048 && c->points[1].metrics[0].value == 241 &&
		!strcmp(c->points[1].verify, "ok"));
	act(&a, "session-down", "third");
	act(&a, "session-pin", NULL);
	assert_non_null(strstr(a.message, "not in the catalog"));
	assert_int_equal(a.labs[0].pin_count, 1);
	leave(&a);
}

static void deletion_needs_confirmation(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	write_session("spare", "2027-03-04T10:00:00Z", "hip:0", "other", 1, "");
	enter(&a, &x);
	char *path = xstrdup(sessions_view_selected(sessions_view_of(&a))->path);
	assert_non_null(strstr(path, "spare"));
	act(&a, "session-delete", NULL);
	app_handle_key(&a, TK_ENTER); /* not confirmed */
	assert_int_equal(access(path, F_OK), 0);
	act(&a, "session-delete", NULL);
	app_handle_key(&a, 'y');
	app_handle_key(&a, TK_ENTER);
	work_off(&a);
	assert_int_equal(access(path, F_OK), -1);
	assert_string_equal(name_at(&a, 0), "third");
	free(path);
	leave(&a);
}

static void sessions_draw_at_every_size(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct grid g = {0};
	enter(&a, &x);
	act(&a, "session-mark", "first");
	act(&a, "session-mark", "second");
	for (int pane = 0; pane < 3; pane++) {
		if (pane)
			act(&a, pane == 1 ? "session-compare" : "session-points", NULL);
		for (int w = 1; w <= 210; w += w < 90 ? 1 : 11)
			for (int h = 1; h <= 62; h += h < 30 ? 1 : 7) {
				a.ascii = w % 2;
				app_resize(&a, w, h);
				grid_resize(&g, w, h);
				screen_draw(&a, &g);
				for (int i = 0; i < w * h; i++)
					assert_true(!a.ascii || (g.cells[i].utf8[0] > 0 && !g.cells[i].utf8[1]));
			}
		sessions_view_go_back(&a);
	}
	grid_free(&g);
	leave(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sessions_sort_by_five_orders),
		cmocka_unit_test(the_filter_matches_all_columns),
		cmocka_unit_test(marked_sessions_are_compared),
		cmocka_unit_test(points_can_be_scrolled),
		cmocka_unit_test(a_session_is_pinned_in_its_experiment),
		cmocka_unit_test(deletion_needs_confirmation),
		cmocka_unit_test(sessions_draw_at_every_size),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}

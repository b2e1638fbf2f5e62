/* The view of the workers: what a row says, files, deaths, and when it redraws. The pool's first worker is this
 * program, which never opens its device; the others do not start. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/input_file.h"
#include "tests/scratch.h"
#include "tests/tui/screen_state.h"
#include "tui/shell/screen_draw.h"
#include "tui/shell/shell.h"
#include "tui/toolkit/key_codes.h"
#include "tui/views/workers/workers_view.h"

enum { PLACES = WORKERS_MAX };
static const char long_host[] = "ssh a-node-with-a-very-long-name.rack-17.cluster.example.org";

/* A workbench with a pool: one worker here that starts, the others on a host with a long name. */
static void open_pool(struct app *a, struct experiment *x, int count)
{
	struct worker_place places[PLACES];
	struct err e;
	made_app(a, x, 7, 80, 24);
	for (int i = 0; i < count; i++)
		places[i] = (struct worker_place){"soft:mi25", i ? long_host : NULL};
	a->workers = worker_pool_start(places, count, 0, &e);
	assert_non_null(a->workers);
	app_handle_key(a, 'K');
	assert_ptr_equal(a->view, &view_workers);
}

static void close_pool(struct app *a)
{
	worker_pool_close(a->workers);
	a->workers = NULL;
	view_workers.close(a);
	made_free(a);
}

static void assert_shows(struct app *a, int w, int h, const char *text, bool shown)
{
	char *screen = made_screen(a, w, h);
	if ((strstr(screen, text) != NULL) != shown)
		fail_msg("'%s' is %s:\n%s", text, shown ? "missing" : "shown", screen);
	free(screen);
}

/* Two rows: a worker here that measures the second point, and one elsewhere that has died twice. */
static void make_rows(struct worker_rows *r, const struct param *swept, const struct point *point)
{
	*r = (struct worker_rows){.count = 2, .running = 1, .done = 12, .deaths = 2, .swept = swept};
	r->list[0] = (struct worker_row){.at = {.device = "soft:mi25",
						 .host = "",
						 .state = WORKER_BUSY,
						 .started = true,
						 .pid = 4711,
						 .job = 9,
						 .point = 1,
						 .job_seconds = 1.25,
						 .done = 12},
		.state = WORKER_ROW_RUNNING,
		.part = 0.456,
		.point = point};
	r->list[1] = (struct worker_row){.at = {.device = "soft:mi25,l1_ways=8",
						 .host = long_host,
						 .state = WORKER_DEAD,
						 .started = true,
						 .deaths = 2},
		.state = WORKER_ROW_ENDED};
	r->order[0] = 1;
	r->order[1] = 0;
}

static void a_row_says_what_a_worker_does(void **state)
{
	(void)state;
	static const char *const texts[2][WORKER_COLUMNS] = {
		{"1", "local", "soft:mi25", "running 45 %", "2", "4 KiB", "1.2 s", "12", "0", "4711"},
		{"2", long_host, "soft:mi25,l1_ways=8", "ended", "--", "--", "--", "0", "2", "--"},
	};
	struct param swept = made_param("rangesize", "B", 1024, 1 << 20, 2, PARAM_STEP_MULTIPLY, 4096);
	struct point point = {.values = {4096}};
	struct worker_rows r;
	char text[200];
	make_rows(&r, &swept, &point);
	for (int i = 0; i < 2; i++)
		for (int c = 0; c < WORKER_COLUMNS; c++)
			assert_string_equal(
				worker_cell_format(&r, i, (enum worker_column)c, text, sizeof text), texts[i][c]);
	assert_string_equal(worker_column_head(&r, WORKER_VALUE), "rangesize");
	r.list[0].at.job_seconds = 0.5; /* a short job does not show its parts */
	assert_string_equal(worker_cell_format(&r, 0, WORKER_STATE, text, sizeof text), "running");
	r.list[0].point = NULL; /* a point of another view */
	assert_string_equal(worker_cell_format(&r, 0, WORKER_POINT, text, sizeof text), "--");
	assert_string_equal(worker_cell_format(&r, 0, WORKER_VALUE, text, sizeof text), "--");
}

static void times_fit_their_column(void **state)
{
	(void)state;
	static const struct {
		double seconds;
		const char *text;
	} times[] = {{0, "0.0 s"}, {99.94, "99.9 s"}, {99.96, "1.7 min"}, {596, "9.9 min"}, {599, "10 min"},
		{5969, "99 min"}, {5999, "1.7 h"}, {3.6e6, "1000 h"}};
	char text[40];
	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		assert_string_equal(worker_time_format(times[i].seconds, text, sizeof text), times[i].text);
	for (double s = 0; s < 1e6; s += 0.5 + s / 1000)
		assert_true(strlen(worker_time_format(s, text, sizeof text)) <= 7);
}

static void files_have_plain_numbers(void **state)
{
	(void)state;
	struct param swept = made_param("rangesize", "B", 1024, 1 << 20, 2, PARAM_STEP_MULTIPLY, 4096);
	struct point point = {.values = {4096}};
	struct worker_rows r;
	struct err e;
	make_rows(&r, &swept, &point);
	char *copied = worker_rows_copy_text(&r);
	char *expected = xasprintf("worker\thost\tdevice\tstate\tpoint\trangesize\ttime (s)\tdone\tdeaths\tpid\n"
				   "2\t%s\tsoft:mi25,l1_ways=8\tended\t\t\t\t0\t2\t\n"
				   "1\tlocal\tsoft:mi25\trunning\t2\t4096\t1.2\t12\t0\t4711\n",
		long_host);
	assert_string_equal(copied, expected);
	free(copied);
	free(expected);
	char path[SCRATCH_PATH];
	const char *why;
	struct buf written = {0};
	assert_true(worker_rows_write_csv(&r, scratch_path(path, "workers.csv"), &e));
	assert_true(input_file_read(path, 10000, &written, &why));
	expected = xasprintf("worker,host,device,state,point,rangesize,time_s,done,deaths,pid\n"
			     "2,%s,\"soft:mi25,l1_ways=8\",ended,,,,0,2,\n"
			     "1,local,soft:mi25,running,2,4096,1.2,12,0,4711\n",
		long_host);
	assert_string_equal(written.data, expected);
	buf_free(&written);
	free(expected);
	unlink(path);
}

static void keys_select_and_sort(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	open_pool(&a, &x, PLACES);
	const struct workers_view *v = workers_view_of(&a);
	app_handle_key(&a, TK_DOWN);
	app_handle_key(&a, 'j');
	assert_int_equal(v->worker, 2);
	app_handle_key(&a, TK_PAGE_DOWN);
	assert_int_equal(v->worker, 14); /* half of 24 rows */
	app_handle_key(&a, TK_END);
	assert_int_equal(v->worker, PLACES - 1);
	assert_shows(&a, 80, 24, "64 not", false);
	assert_shows(&a, 80, 24, "by worker, 64 of 64", true);
	app_handle_key(&a, TK_DOWN);
	assert_int_equal(v->worker, PLACES - 1);
	app_handle_key(&a, TK_HOME);
	app_handle_key(&a, TK_UP);
	assert_int_equal(v->worker, 0);
	for (int i = 1; i <= WORKER_SORTS; i++) {
		app_handle_key(&a, 's');
		assert_int_equal(v->sort, i % WORKER_SORTS);
	}
	app_handle_key(&a, TK_ENTER);
	assert_string_equal(a.message, "this worker measures no point of the sweep now");
	app_handle_key(&a, 'y');
	assert_non_null(strstr(a.clipboard, "\n64\tssh a-node"));
	free(a.clipboard);
	app_handle_key(&a, TK_ESC);
	assert_ptr_equal(a.view, views[0]);
	close_pool(&a);
}

static void a_smaller_pool_keeps_a_selection(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct err e;
	open_pool(&a, &x, PLACES);
	app_handle_key(&a, TK_END);
	worker_pool_close(a.workers);
	a.workers = worker_pool_start_local("soft:mi25", 1, &e);
	assert_shows(&a, 80, 24, "by worker, 1 of 1", true);
	app_handle_key(&a, TK_ENTER);
	app_handle_key(&a, TK_UP);
	assert_int_equal(workers_view_of(&a)->worker, 0);
	close_pool(&a);
}

static void rows_say_who_has_not_started(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	open_pool(&a, &x, PLACES);
	assert_shows(&a, 80, 24, "64 workers, 0 running", true);
	assert_shows(&a, 80, 24, "1 local              starting", true);
	assert_shows(&a, 80, 24, "2 ssh a-node-with-a… not started", true);
	assert_shows(&a, 200, 60, "ssh a-node-with-a-very-long-name.rack-1…", true);
	app_handle_key(&a, TK_DOWN);
	assert_shows(&a, 80, 24, long_host, true); /* below the rows there is room for it */
	close_pool(&a);
}

static void deaths_are_kept_before_the_view_is_shown(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	struct err e;
	made_app(&a, &x, 7, 80, 24);
	a.workers = worker_pool_start_local("soft:mi25", 3, &e);
	assert_null(workers_view_of(&a));
	for (int i = 1; i <= WORKER_DEATHS_KEPT + 2; i++) {
		char *text = xasprintf("death %d", i);
		json_t *record = json_pack("{s:s, s:s}", "type", "death", "text", text);
		view_workers.record(&a, record);
		json_decref(record);
		free(text);
	}
	const struct workers_view *v = workers_view_of(&a);
	assert_int_equal(v->death_count, WORKER_DEATHS_KEPT + 2);
	assert_string_equal(workers_view_death(v, 0)->text, "death 66");
	assert_string_equal(workers_view_death(v, WORKER_DEATHS_KEPT - 1)->text, "death 3");
	assert_null(workers_view_death(v, WORKER_DEATHS_KEPT));
	app_handle_key(&a, 'K');
	assert_shows(&a, 80, 24, "66, the latest first", true);
	assert_shows(&a, 80, 24, "death 66", true);
	assert_shows(&a, 80, 18, "last death death 66", true); /* no room for a frame of their own */
	close_pool(&a);
}

static void without_workers_the_screen_says_why(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	made_app(&a, &x, 7, 80, 24);
	app_handle_key(&a, 'K');
	assert_shows(&a, 80, 24, "All workers have ended", true);
	strcpy(a.fatal, "no permission for /dev/kfd; join the group render");
	assert_shows(&a, 80, 24, "no permission for /dev/kfd; join the group render", true);
	assert_shows(&a, 80, 24, "D chooses another one", true);
	app_handle_key(&a, TK_DOWN);
	app_handle_key(&a, TK_ENTER);
	app_handle_key(&a, 'y');
	assert_string_equal(a.clipboard, "worker\thost\tdevice\tstate\tpoint\tvalue\ttime (s)\tdone\tdeaths\tpid\n");
	free(a.clipboard);
	close_pool(&a);
}

/* An idle program does not draw; neither does a view that is not shown. */
static void only_a_change_redraws(void **state)
{
	(void)state;
	struct app a;
	struct experiment x;
	open_pool(&a, &x, 2);
	view_workers.pump(&a);
	a.dirty = false;
	view_workers.pump(&a);
	assert_false(a.dirty);
	struct worker_pool *first = a.workers;
	a.workers = NULL;
	view_workers.pump(&a);
	assert_true(a.dirty);
	a.dirty = false;
	app_handle_key(&a, TK_ESC);
	a.workers = first;
	a.dirty = false;
	view_workers.pump(&a);
	assert_false(a.dirty);
	close_pool(&a);
}

static void the_workers_are_drawn_at_every_size(void **state)
{
	(void)state;
	static const int counts[] = {1, 3, PLACES};
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		struct app a;
		struct experiment x;
		open_pool(&a, &x, counts[i]);
		app_handle_key(&a, TK_END);
		for (int w = 1; w <= 210; w += w < 90 ? 1 : 11)
			for (int h = 1; h <= 62; h += h < 30 ? 1 : 7) {
				a.ascii = true;
				char *text = made_screen(&a, w, h);
				for (const char *c = text; *c; c++)
					assert_true(*c > 0);
				free(text);
			}
		a.ascii = false;
		/* the selected row is on every screen that has rows */
		for (int h = 8; h <= 60; h++)
			assert_shows(&a, 80, h, "▶", true);
		close_pool(&a);
	}
}

/* The worker: reads requests and opens no device. It ends with the pool. */
static int wait_for_end(void)
{
	char line[1000];
	while (fgets(line, sizeof line, stdin) && !strstr(line, "quit"))
		;
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "worker"))
		return wait_for_end();
	setenv("WAVEDECK_WORKER", "/proc/self/exe", 1);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_says_what_a_worker_does),
		cmocka_unit_test(times_fit_their_column),
		cmocka_unit_test(files_have_plain_numbers),
		cmocka_unit_test(keys_select_and_sort),
		cmocka_unit_test(a_smaller_pool_keeps_a_selection),
		cmocka_unit_test(rows_say_who_has_not_started),
		cmocka_unit_test(deaths_are_kept_before_the_view_is_shown),
		cmocka_unit_test(without_workers_the_screen_says_why),
		cmocka_unit_test(only_a_change_redraws),
		cmocka_unit_test(the_workers_are_drawn_at_every_size),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

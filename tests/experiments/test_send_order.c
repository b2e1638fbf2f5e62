/* The order in which the points of a sweep go to several workers, simulated: a worker takes the next point when it is
 * free, and reports how long its point took. */
#include "tests/experiments/engine_fixture.h"

#include "experiments/sweep/send_order.h"

enum { POINTS = 24, WORKERS = 4, STRIDE = 0 /* a parameter */ };

static struct experiment *x;
static struct point points[POINTS];

static int setup(void **state)
{
	if (fixture_setup(state))
		return -1;
	x = fixture_load_changed("samples  =", "work = function(p, v) return p.stride end, samples  =");
	return 0;
}

static int teardown(void **state)
{
	experiment_free(x);
	return fixture_teardown(state);
}

static void set_sizes(const double *sizes)
{
	struct plan p;
	plan_init_default(&p, x, true, "");
	for (int i = 0; i < POINTS; i++) {
		plan_point_values(&p, 0, points[i].values);
		points[i].values[STRIDE] = sizes[i];
	}
	plan_free(&p);
}

static void make_order(struct send_order *o, struct experiment *of, int workers)
{
	double work[POINTS];
	for (int i = 0; i < POINTS; i++)
		if (!experiment_eval_work(of, points[i].values, &work[i]))
			work[i] = 0;
	send_order_make(o, of, points, send_order_needs_work(POINTS, workers) ? work : NULL, POINTS, workers);
}

/* Seconds until the last point has ended, if a point takes `each` seconds for a unit of work. Every point is sent once.
 */
static double simulate(int workers, double each, int *order)
{
	struct send_order o = {0};
	double free_at[WORKERS] = {0}, end = 0;
	int running[WORKERS], sent = 0;
	bool taken[POINTS] = {false};
	make_order(&o, x, workers);
	for (int w = 0; w < workers; w++)
		running[w] = -1;
	for (;;) {
		int first = 0;
		for (int w = 1; w < workers; w++)
			if (free_at[w] < free_at[first])
				first = w;
		if (running[first] >= 0)
			send_order_note_time(&o, running[first], each * points[running[first]].values[STRIDE]);
		int i = send_order_take(&o);
		running[first] = i;
		if (i < 0)
			break;
		assert_false(taken[i]);
		taken[i] = true;
		order[sent++] = i;
		free_at[first] += each * points[i].values[STRIDE];
		end = free_at[first] > end ? free_at[first] : end;
	}
	assert_int_equal(sent, POINTS);
	assert_int_equal(send_order_take(&o), -1);
	send_order_free(&o);
	return end;
}

static bool is_in_order(const int *order)
{
	for (int i = 0; i < POINTS; i++)
		if (order[i] != i)
			return false;
	return true;
}

static void fill_sizes(double first, double last)
{
	double sizes[POINTS];
	for (int i = 0; i < POINTS; i++)
		sizes[i] = i < POINTS - 1 ? first : last;
	set_sizes(sizes);
}

/* --- one worker, equal points --- */
static void one_worker_takes_the_order_of_the_plan(void **state)
{
	(void)state;
	int order[POINTS];
	fill_sizes(1, 64);
	simulate(1, 1, order);
	assert_true(is_in_order(order));
}

static void equal_points_keep_their_order(void **state)
{
	(void)state;
	int order[POINTS];
	fill_sizes(8, 8);
	simulate(WORKERS, 1, order);
	assert_true(is_in_order(order));
}

static void short_points_keep_their_order(void **state)
{
	(void)state;
	int order[POINTS];
	fill_sizes(1, 16);
	simulate(WORKERS, 1e-4, order);
	assert_true(is_in_order(order));
}

/* --- a large point at the end --- */
static void a_point_that_would_end_last_goes_ahead(void **state)
{
	(void)state;
	int order[POINTS];
	fill_sizes(1, 8); /* 23 and 8 s: no worker needs more than 8 s */
	assert_true(simulate(WORKERS, 1, order) <= 9);
	assert_false(is_in_order(order));
}

static void points_before_it_keep_their_order(void **state)
{
	(void)state;
	int order[POINTS], last = -1;
	fill_sizes(1, 8);
	simulate(WORKERS, 1, order);
	for (int i = 0; i < POINTS; i++)
		if (order[i] != POINTS - 1) {
			assert_true(order[i] > last);
			last = order[i];
		}
}

static void growing_points_end_at_about_the_same_time(void **state)
{
	(void)state;
	int order[POINTS];
	double sizes[POINTS], all = 0;
	for (int i = 0; i < POINTS; i++)
		all += sizes[i] = 1 + i * i;
	set_sizes(sizes);
	assert_true(simulate(WORKERS, 1, order) < 1.1 * all / WORKERS);
}

/* --- without declared work, choices count --- */
static void slow_choices_are_learned(void **state)
{
	(void)state;
	struct experiment *y = fixture_load_changed("samples  =", "samples  =");
	struct send_order o = {0};
	int kind = -1;
	for (int i = 0; i < y->param_count; i++)
		if (y->params[i].kind == PARAM_STEP_CHOICE)
			kind = i;
	assert_true(kind >= 0);
	fill_sizes(1, 1);
	for (int i = 0; i < POINTS; i++)
		points[i].values[kind] = i == 0 || i == POINTS - 1;
	make_order(&o, y, WORKERS);
	assert_int_equal(send_order_take(&o), 0);
	assert_int_equal(send_order_take(&o), 1);
	send_order_note_time(&o, 1, 1);
	send_order_note_time(&o, 0, 30); /* the last point has the same choice */
	assert_int_equal(send_order_take(&o), POINTS - 1);
	assert_int_equal(send_order_take(&o), 2);
	send_order_free(&o);
	experiment_free(y);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_worker_takes_the_order_of_the_plan),
		cmocka_unit_test(equal_points_keep_their_order),
		cmocka_unit_test(short_points_keep_their_order),
		cmocka_unit_test(a_point_that_would_end_last_goes_ahead),
		cmocka_unit_test(points_before_it_keep_their_order),
		cmocka_unit_test(growing_points_end_at_about_the_same_time),
		cmocka_unit_test(slow_choices_are_learned),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}

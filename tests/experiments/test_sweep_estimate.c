/* How long a plan takes on one worker and on several. */
#include "tests/experiments/engine_fixture.h"

#include "experiments/analysis/sweep_estimate.h"
#include "gpu/controller/worker_count.h"

static struct experiment *x;
static struct point_costs costs;
static struct plan plan;

static int load_fixture(void **state)
{
	if (fixture_setup(state))
		return -1;
	x = fixture_load(fixture_text);
	return x ? 0 : -1;
}

static int free_fixture(void **state)
{
	plan_free(&plan);
	point_costs_clear(&costs);
	experiment_free(x);
	return fixture_teardown(state);
}

static void plan_points(const char *argument)
{
	struct err e = {.text = ""};
	plan_init_default(&plan, x, false, "");
	if (!plan_apply_argument(&plan, argument, &e))
		fail_msg("%s", e.text);
}

/* The times of the points of the plan, in its order. */
static void note_times(const double *seconds, int count)
{
	double values[PARAMS_MAX];
	for (int i = 0; i < count; i++) {
		plan_point_values(&plan, i, values);
		point_costs_add(&costs, x, NULL, values, seconds[i], 0);
	}
}

static double shared_by(int workers)
{
	double seconds;
	assert_true(point_costs_estimate_shared(&costs, NULL, &plan, workers, &seconds));
	return seconds;
}

static void equal_points_are_rounded_up_to_the_workers(void **state)
{
	(void)state;
	static const double each[] = {2, 2, 2, 2, 2};
	plan_points("stride=16,32,64,128,256");
	note_times(each, 5);
	assert_true(shared_by(1) == 10 && shared_by(2) == 6 && shared_by(3) == 4 && shared_by(4) == 4);
	assert_true(shared_by(5) == 2 && shared_by(WORKERS_MAX) == 2);
}

static void no_run_is_shorter_than_its_longest_point(void **state)
{
	(void)state;
	static const double first[] = {9, 1, 1, 1, 1};
	plan_points("stride=16,32,64,128,256");
	note_times(first, 5);
	assert_true(shared_by(1) == 13 && shared_by(2) == 9 && shared_by(8) == 9);
}

/* Points go to workers in the order of the plan. */
static void a_long_point_at_the_end_makes_workers_wait(void **state)
{
	(void)state;
	static const double last[] = {1, 1, 1, 1, 9};
	plan_points("stride=16,32,64,128,256");
	note_times(last, 5);
	assert_true(shared_by(2) == 11 && shared_by(4) == 10 && shared_by(5) == 9);
}

/* Times that grow faster than the work would give a line that is negative for small work. */
static void no_estimate_is_negative(void **state)
{
	(void)state;
	static const double each[] = {1, 8};
	experiment_free(x);
	x = fixture_load_changed("samples  =", "work = function(p, v) return p.stride end, samples  =");
	assert_non_null(x);
	plan_points("stride=256,1024");
	note_times(each, 2);
	plan_free(&plan);
	plan_points("stride=16");
	assert_true(shared_by(1) > 0.1 && shared_by(1) < 0.2);
}

/* Only some points of a long plan are estimated; all of them are shared. */
static void a_long_plan(void **state)
{
	(void)state;
	static const double one[] = {0.5};
	double seconds;
	char text[100];
	plan_points("stride=16..1024:+1");
	note_times(one, 1);
	assert_true(point_costs_estimate(&costs, NULL, &plan, &seconds, text, sizeof text));
	assert_string_equal(text, "1009 points, ~8 min");
	assert_true(shared_by(1) == 504.5 && shared_by(2) == 252.5 && shared_by(8) == 63.5);
}

static void the_time_is_unknown_without_a_measured_point(void **state)
{
	(void)state;
	double seconds;
	plan_points("stride=16,32");
	assert_false(point_costs_estimate_shared(&costs, NULL, &plan, 2, &seconds));
}

/* A parameter that the software GPU reduces is a size: other values of it take another time, not known without `work`.
 */
static void sizes_of_one_target_change_the_time(void **state)
{
	(void)state;
	static const double each[] = {2};
	double seconds;
	plan_points("unroll=1");
	note_times(each, 1);
	plan_free(&plan);
	plan_points("unroll=2");
	assert_true(point_costs_estimate_shared(&costs, NULL, &plan, 1, &seconds));
	point_costs_clear(&costs);
	plan_free(&plan);
	experiment_free(x);
	x = fixture_load_changed("\"unroll\", min", "\"unroll\", soft_on = { gfx11 = 2 }, min");
	plan_points("unroll=1");
	note_times(each, 1);
	plan_free(&plan);
	plan_points("unroll=2");
	assert_false(point_costs_estimate_shared(&costs, NULL, &plan, 1, &seconds));
}

static void times_have_two_digits(void **state)
{
	(void)state;
	char text[40];
	assert_string_equal(estimate_format_time(0.4, text, sizeof text), "less than 1 s");
	assert_string_equal(estimate_format_time(16.2, text, sizeof text), "~16 s");
	assert_string_equal(estimate_format_time(120, text, sizeof text), "~2 min");
	assert_string_equal(estimate_format_time(3.0 * 3600, text, sizeof text), "~3 h");
}

/* --- recorded sweeps --- */
enum { RECORDED_MAX = 160 };
struct recorded_sweep {
	char name[40];
	int count;
	double value[RECORDED_MAX], seconds[RECORDED_MAX], compile[RECORDED_MAX];
};

/* A line of sweep_times.txt. */
static void read_recorded_sweep(char *line, struct recorded_sweep *r)
{
	char *rest, *word = strtok_r(line, " \n", &rest);
	x->params[0].kind = *word == 'x' ? PARAM_STEP_MULTIPLY : PARAM_STEP_ADD;
	x->params[0].low = 0;
	x->params[0].high = 1e15;
	snprintf(r->name, sizeof r->name, "%s", strtok_r(NULL, " \n", &rest));
	for (r->count = 0; (word = strtok_r(NULL, " \n", &rest)); r->count++) {
		assert_true(r->count < RECORDED_MAX);
		assert_int_equal(
			sscanf(word, "%lf:%lf:%lf", &r->value[r->count], &r->seconds[r->count], &r->compile[r->count]),
			3);
	}
}

static void plan_recorded_sweep(const struct recorded_sweep *r)
{
	struct buf argument = {0};
	for (int i = 0; i < r->count; i++)
		buf_printf(&argument, "%s%.0f", i ? "," : "stride=", r->value[i]);
	plan_points(argument.data);
	buf_free(&argument);
	assert_int_equal(plan_point_count(&plan), r->count);
}

static double sum_of(const double *seconds, int from, int to)
{
	double sum = 0;
	for (int i = from; i < to; i++)
		sum += seconds[i];
	return sum;
}

static double longest_of(const double *seconds, int from, int to)
{
	double most = 0;
	for (int i = from; i < to; i++)
		most = fmax(most, seconds[i]);
	return most;
}

/* The estimate of the whole sweep from its first points, as a part of the time that it took. Points that were measured
 * do not compile again: what that took is added. */
static double estimated_part(const struct recorded_sweep *r, int measured)
{
	double values[PARAMS_MAX], seconds;
	point_costs_clear(&costs);
	for (int i = 0; i < measured; i++) {
		plan_point_values(&plan, i, values);
		point_costs_add(&costs, x, NULL, values, r->seconds[i], r->compile[i]);
	}
	assert_true(point_costs_estimate_shared(&costs, NULL, &plan, 1, &seconds));
	return (seconds + sum_of(r->compile, 0, measured)) /
		(sum_of(r->seconds, 0, r->count) + sum_of(r->compile, 0, r->count));
}

/* No estimate foresees points that are many times longer than all before them: such sweeps are only not overestimated.
 */
static void the_first_points_of_real_sweeps_tell_their_time(void **state)
{
	(void)state;
	static struct recorded_sweep r;
	static char line[8192];
	FILE *f = fopen("tests/experiments/sweep_times.txt", "r");
	int both = 0, total = 0;
	assert_non_null(f);
	while (fgets(line, sizeof line, f)) {
		if (*line == '#' || *line == '\n')
			continue;
		read_recorded_sweep(line, &r);
		plan_free(&plan);
		plan_recorded_sweep(&r);
		int measured = r.count / 3 > 3 ? r.count / 3 : 3;
		bool jumps = longest_of(r.seconds, measured, r.count) > 3 * longest_of(r.seconds, 0, measured);
		double part = estimated_part(&r, measured);
		if (part > 2 || (part < 0.5 && !jumps))
			fail_msg("%s: after %d of %d points the estimate is %.2f times the time", r.name, measured,
				r.count, part);
		both += !jumps;
		total++;
		/* when all were measured; of a long plan, only some are looked at */
		assert_true(fabs(estimated_part(&r, r.count) - 1) < (r.count > 64 ? 0.1 : 1e-9));
	}
	fclose(f);
	assert_true(total > 30 && both > 20);
}

static void times_of_another_device_are_kept_apart(void **state)
{
	(void)state;
	static const double slow[] = {8, 8, 8}, fast[] = {1, 1, 1};
	plan_points("stride=16,32,64");
	costs.device = 1;
	note_times(slow, 3);
	costs.device = 2;
	double seconds;
	assert_false(point_costs_estimate_shared(&costs, NULL, &plan, 1, &seconds));
	note_times(fast, 3);
	assert_true(shared_by(1) == 3);
	costs.device = 1;
	assert_true(shared_by(1) == 24);
}

/* Its kernel was compiled then. */
static void compile_times_count_for_points_that_were_not_measured(void **state)
{
	(void)state;
	double values[PARAMS_MAX];
	plan_points("stride=16,32,64");
	plan_point_values(&plan, 0, values);
	point_costs_add(&costs, x, NULL, values, 1, 5);
	assert_true(shared_by(1) == 1 + 6 + 6);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, load_fixture, free_fixture)
	const struct CMUnitTest tests[] = {
		T(equal_points_are_rounded_up_to_the_workers),
		T(no_run_is_shorter_than_its_longest_point),
		T(a_long_point_at_the_end_makes_workers_wait),
		T(no_estimate_is_negative),
		T(a_long_plan),
		T(the_time_is_unknown_without_a_measured_point),
		T(times_have_two_digits),
		T(sizes_of_one_target_change_the_time),
		T(the_first_points_of_real_sweeps_tell_their_time),
		T(times_of_another_device_are_kept_apart),
		T(compile_times_count_for_points_that_were_not_measured),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

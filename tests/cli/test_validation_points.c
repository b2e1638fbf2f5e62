/* Several points of a validation at the same time, on simulated workers and a simulated clock, because limits are long.
 * worker_pool_send and the others below stand in for a pool of workers.
 */
#include "tests/experiments/engine_fixture.h"

#include <math.h>
#include <signal.h>
#include <sys/stat.h>

#include "base/host_clock.h"
#include "cli/cli_support.h"
#include "cli/validate/validation_points.h"

enum { WORKERS = 2, POINTS = 8, TURN_S = 50, SIZE = 1 << 30 };

/* --- the clock, the pool and its workers --- */
static struct {
	double now;
	int workers;
	json_t *jobs[POINTS]; /* in the order in which they came; NULL: ended or canceled */
	int job_count, most_jobs, canceled;
	struct {
		int job; /* -1: it waits */
		double until;
	} at[WORKERS];
	json_t *records;
	size_t next_record;
	double takes[POINTS]; /* seconds, of job i */
	double interrupt_at, die_at;
} fake;
static struct worker_pool *const pool = (struct worker_pool *)&fake;
volatile sig_atomic_t command_interrupted;

double now_seconds(void)
{
	return fake.now;
}
long long now_ms(void)
{
	return (long long)(fake.now * 1000);
}
void progress_show(const char *text)
{
	assert_true(*text);
}
void progress_clear(void) {}
int worker_pool_wanted_jobs(const struct worker_pool *w)
{
	assert_ptr_equal(w, pool);
	return 3 * fake.workers;
}
int worker_pool_size(const struct worker_pool *w)
{
	assert_ptr_equal(w, pool);
	return fake.workers;
}
const json_t *worker_pool_device_record(const struct worker_pool *w)
{
	assert_ptr_equal(w, pool);
	return NULL;
}
enum worker_controller_state worker_pool_state(const struct worker_pool *w)
{
	assert_ptr_equal(w, pool);
	return fake.die_at && fake.now >= fake.die_at ? WORKER_DEAD : WORKER_BUSY;
}
const char *worker_pool_crash_text(const struct worker_pool *w)
{
	assert_ptr_equal(w, pool);
	return "no worker is left";
}

static int count_jobs(void)
{
	int n = 0;
	for (int i = 0; i < fake.job_count; i++)
		n += fake.jobs[i] != NULL;
	return n;
}

bool worker_pool_send(struct worker_pool *w, json_t *job)
{
	assert_ptr_equal(w, pool);
	assert_true(fake.job_count < POINTS);
	fake.jobs[fake.job_count++] = job;
	if (count_jobs() > fake.most_jobs)
		fake.most_jobs = count_jobs();
	return true;
}

static void end_job(int i)
{
	json_decref(fake.jobs[i]);
	fake.jobs[i] = NULL;
	for (int k = 0; k < WORKERS; k++)
		if (fake.at[k].job == i)
			fake.at[k].job = -1;
}

void worker_pool_cancel_job(struct worker_pool *w, json_int_t job)
{
	assert_ptr_equal(w, pool);
	for (int i = 0; i < fake.job_count; i++)
		if (fake.jobs[i] && json_integer_value(json_object_get(fake.jobs[i], "job")) == job) {
			end_job(i);
			fake.canceled++;
			return;
		}
	fail_msg("there is no job %lld", (long long)job);
}

static json_t *about(int job, const char *type)
{
	return json_pack("{s:s, s:O, s:O}", "type", type, "job", json_object_get(fake.jobs[job], "job"), "point",
		json_object_get(fake.jobs[job], "point"));
}

static void begin_job(int worker)
{
	for (int i = 0; i < fake.job_count; i++) {
		if (!fake.jobs[i] || fake.at[0].job == i || fake.at[1].job == i)
			continue;
		fake.at[worker].job = i;
		fake.at[worker].until = fake.now + fake.takes[i];
		json_array_append_new(fake.records, about(i, "state"));
		return;
	}
}

static void finish_job(int i)
{
	json_t *r = about(i, "point");
	json_object_update_new(r,
		json_pack("{s:s, s:[f], s:i, s:s, s:s}", "status", "ok", "seconds", 1.0, "sclk_mhz", 1500, "verify",
			"ok", "contract", "ok"));
	json_array_append_new(fake.records, r);
	end_job(i);
}

/* Time passes. */
void command_pump_workers(struct worker_pool *w)
{
	assert_ptr_equal(w, pool);
	fake.now += TURN_S;
	for (int k = 0; k < fake.workers; k++) {
		if (fake.at[k].job >= 0 && fake.at[k].until <= fake.now)
			finish_job(fake.at[k].job);
		if (fake.at[k].job < 0)
			begin_job(k);
	}
	if (fake.interrupt_at && fake.now >= fake.interrupt_at)
		command_interrupted = 1;
}

json_t *command_next_record(struct worker_pool *w)
{
	assert_ptr_equal(w, pool);
	if (fake.next_record < json_array_size(fake.records))
		return json_incref(json_array_get(fake.records, fake.next_record++));
	return NULL;
}

/* --- rows --- */
static struct catalog catalog;
static struct published set;
static struct validation v;

/* A row for each of the strides 16, 32, 64, ... */
static int write_stride_rows(void **state)
{
	char folder[SCRATCH_PATH + 16], text[2000];
	struct err e;
	size_t n = 0;
	if (fixture_setup(state))
		return -1;
	fixture_write("stride.lua", fixture_text, strlen(fixture_text));
	snprintf(folder, sizeof folder, "%s/published", fixture_folder);
	n += (size_t)snprintf(text, sizeof text,
		"params,at,work,metric,unit,value,other,rounding,clock_mhz,kind,state,source,unexplained\n");
	for (int i = 0; i < POINTS; i++)
		n += (size_t)snprintf(text + n, sizeof text - n,
			"stride=%d,,,rate,reads/s,1000,,none,,latency,checked,S0,\n", 16 << i);
	if (mkdir(folder, 0700))
		return -1;
	fixture_write("published/stride.csv", text, n);
	fake = (typeof(fake)){.workers = WORKERS, .records = json_array(), .at = {{.job = -1}, {.job = -1}}};
	command_interrupted = 0;
	return catalog_load(fixture_folder, &catalog, NULL, NULL, &e) && published_load(folder, &set, &e) &&
			validation_make(&set, &catalog, NULL, 0, NULL, false, &v, &e) && v.point_count == POINTS
		? 0
		: -1;
}

static int free_stride_rows(void **state)
{
	for (int i = 0; i < fake.job_count; i++)
		json_decref(fake.jobs[i]);
	json_decref(fake.records);
	validation_free(&v);
	published_free(&set);
	catalog_free(&catalog);
	return fixture_teardown(state);
}

static void let_all_take(double seconds)
{
	for (int i = 0; i < POINTS; i++)
		fake.takes[i] = seconds;
}

static bool measure(const char *limit, struct err *e)
{
	struct run_limit l;
	assert_true(run_limit_parse(limit, &l, NULL));
	*e = (struct err){.status = ST_OK};
	return validation_measure_points(&v, pool, &l, e);
}

/* Each measured row has the value of its own stride. */
static void assert_compared(int row)
{
	assert_true(v.rows[row].compared);
	assert_true(v.rows[row].unrounded == SIZE / 4 / (16 << row));
	assert_string_equal(v.rows[row].text, "");
}

static void assert_text(int row, const char *text)
{
	assert_false(v.rows[row].compared);
	assert_string_equal(v.rows[row].text, text);
}

static const char late[] = "not done in time; --limit 0 removes the limit",
		  not_started[] = "not started in time; --limit 0 removes the limit";

/* --- tests --- */
static void points_end_in_any_order(void **state)
{
	(void)state;
	struct err e;
	for (int i = 0; i < POINTS; i++)
		fake.takes[i] = i % 3 ? 60 : 900;
	assert_true(measure(NULL, &e));
	for (int i = 0; i < POINTS; i++)
		assert_compared(i);
	assert_int_equal(fake.most_jobs, 3 * WORKERS);
	assert_int_equal(fake.canceled, 0);
}

static void an_endless_point_ends_no_other(void **state)
{
	(void)state;
	struct err e;
	let_all_take(200);
	fake.takes[1] = INFINITY;
	assert_true(measure(NULL, &e));
	for (int i = 0; i < POINTS; i++)
		if (i != 1)
			assert_compared(i);
	assert_text(1, late);
	assert_int_equal(fake.canceled, 1);
	assert_true(fake.now > POINT_LIMIT_S && fake.now < POINT_LIMIT_S + 3 * TURN_S);
}

static void a_point_that_waits_is_not_late(void **state)
{
	(void)state;
	struct err e;
	fake.workers = 1;
	let_all_take(1500);
	assert_true(measure(NULL, &e));
	for (int i = 0; i < POINTS; i++)
		assert_compared(i);
	assert_true(fake.now > POINTS * 1500);
}

static void without_a_limit_a_point_may_take_any_time(void **state)
{
	(void)state;
	struct err e;
	let_all_take(10.0 * POINT_LIMIT_S);
	assert_true(measure("0", &e));
	for (int i = 0; i < POINTS; i++)
		assert_compared(i);
}

static void a_limit_is_that_of_all_points(void **state)
{
	(void)state;
	struct err e;
	let_all_take(400);
	assert_true(measure("1000", &e));
	for (int i = 0; i < 4; i++)
		assert_compared(i);
	assert_text(4, late);
	assert_text(5, late);
	assert_text(6, not_started);
	assert_text(7, not_started);
	assert_int_equal(count_jobs(), 0);
	assert_true(fake.now < 1000 + 2 * TURN_S);
}

static void an_interruption_keeps_what_was_measured(void **state)
{
	(void)state;
	struct err e;
	let_all_take(400);
	fake.interrupt_at = 1000;
	assert_false(measure(NULL, &e));
	assert_int_equal(e.status, ST_INTERRUPTED);
	assert_string_equal(e.text, "interrupted; measured 4 of 8 points");
	for (int i = 0; i < POINTS; i++)
		i < 4 ? assert_compared(i) : assert_text(i, "not measured");
	assert_int_equal(count_jobs(), 0);
}

static void so_does_the_end_of_all_workers(void **state)
{
	(void)state;
	struct err e;
	let_all_take(400);
	fake.die_at = 600;
	assert_false(measure(NULL, &e));
	assert_int_equal(e.status, ST_FAILED);
	assert_string_equal(e.text, "no worker is left");
	for (int i = 0; i < POINTS; i++)
		i < 2 ? assert_compared(i) : assert_text(i, "not measured");
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, write_stride_rows, free_stride_rows)
	const struct CMUnitTest tests[] = {
		T(points_end_in_any_order),
		T(an_endless_point_ends_no_other),
		T(a_point_that_waits_is_not_late),
		T(without_a_limit_a_point_may_take_any_time),
		T(a_limit_is_that_of_all_points),
		T(an_interruption_keeps_what_was_measured),
		T(so_does_the_end_of_all_workers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

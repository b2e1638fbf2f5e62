/* The sweep's state machine, driven with scripted records: worker_pool_send and the others below stand
 * in for a pool of workers.
 */
#include "tests/assert_range.h"
#include "tests/experiments/engine_fixture.h"

#include "base/log.h"
#include "experiments/sweep/sweep.h"
#include "gpu/protocol/header_record.h"
#include "gpu/protocol/point_record.h"

/* --- the stand-in for the pool --- */
enum { SENT_MAX = 200 };
static struct {
	json_t *jobs[SENT_MAX];
	int count, cancels;
	json_int_t canceled[SENT_MAX]; /* jobs */
	int workers;                   /* 0: one */
	bool dead;
} fake;
static struct worker_pool *const pool = (struct worker_pool *)&fake;

bool worker_pool_send(struct worker_pool *w, json_t *request)
{
	assert_ptr_equal(w, pool);
	if (fake.dead || fake.count == SENT_MAX) {
		json_decref(request);
		return false;
	}
	fake.jobs[fake.count++] = request;
	return true;
}

/* The target of the pool's device. */
static json_t *device_record;
const json_t *worker_pool_device_record(const struct worker_pool *w)
{
	return w ? device_record : NULL;
}

void worker_pool_cancel_job(struct worker_pool *w, json_int_t job)
{
	assert_ptr_equal(w, pool);
	assert_uint_in_range(fake.cancels, 0, SENT_MAX - 1);
	fake.canceled[fake.cancels++] = job;
}

int worker_pool_wanted_jobs(const struct worker_pool *w)
{
	assert_ptr_equal(w, pool);
	return fake.workers ? 3 * fake.workers : 2;
}

int worker_pool_size(const struct worker_pool *w)
{
	assert_ptr_equal(w, pool);
	return fake.workers ? fake.workers : 1;
}

const char *worker_pool_crash_text(const struct worker_pool *w)
{
	assert_ptr_equal(w, pool);
	return "giving up";
}

static int sent_point(int i)
{
	assert_uint_in_range(i, 0, fake.count - 1);
	return (int)json_integer_value(json_object_get(fake.jobs[i], "point"));
}

static json_t *about(int sent, const char *type)
{
	return json_pack("{s:s, s:O, s:O}", "type", type, "job", json_object_get(fake.jobs[sent], "job"), "point",
		json_object_get(fake.jobs[sent], "point"));
}

static void feed(struct sweep *s, json_t *record)
{
	sweep_handle_record(s, record);
	json_decref(record);
}

static void feed_state(struct sweep *s, int sent, const char *state)
{
	json_t *r = about(sent, "state");
	json_object_set_new(r, "state", json_string(state));
	feed(s, r);
}

static void feed_progress(struct sweep *s, int sent, int done, int total)
{
	json_t *r = about(sent, "progress");
	json_object_set_new(r, "done", json_integer(done));
	json_object_set_new(r, "total", json_integer(total));
	feed(s, r);
}

static json_t *point_record(int sent, const char *seconds)
{
	json_t *r = about(sent, "point");
	json_object_set_new(r, "status", json_string("ok"));
	json_object_set_new(r, "seconds", json_loads(seconds, 0, NULL));
	json_object_set_new(r, "sclk_mhz", json_integer(1500));
	json_object_set_new(r, "verify", json_string("ok"));
	json_object_set_new(r, "contract", json_string("ok"));
	return r;
}

static void feed_point(struct sweep *s, int sent)
{
	feed(s, point_record(sent, "[1,2,3,4]"));
}

/* --- a sweep of three points --- */
static struct experiment *x;
static char reported[200]; /* points in the order of notifications, with their status: "0o1f" */

static void on_point(void *ctx, const struct sweep *s, int point)
{
	size_t used = strlen(reported);
	assert_ptr_equal(ctx, reported);
	snprintf(reported + used, sizeof reported - used, "%d%c", point, "wrofc"[sweep_points(s, NULL)[point].status]);
}

static struct sweep *start_with(const char *argument)
{
	struct plan p;
	struct err e = {.text = ""};
	plan_init_default(&p, x, true, "");
	if (!plan_apply_argument(&p, argument, &e))
		fail_msg("%s", e.text);
	struct sweep *s = sweep_start(&p, pool, on_point, reported, &e);
	plan_free(&p);
	if (!s)
		fail_msg("%s", e.text);
	return s;
}

static struct sweep *start(void)
{
	return start_with("stride=16,32,64");
}

static int setup(void **state)
{
	if (fixture_setup(state))
		return -1;
	/* an unroll of 4 accesses memory outside the buffer */
	x = fixture_load_changed(
		"buf = v.stride * v.reads }", "buf = v.stride * v.reads * (p.unroll == 4 and 4 or 1) }");
	return 0;
}

static int teardown(void **state)
{
	experiment_free(x);
	return fixture_teardown(state);
}

static int fresh(void **state)
{
	(void)state;
	for (int i = 0; i < fake.count; i++)
		json_decref(fake.jobs[i]);
	memset(&fake, 0, sizeof fake);
	reported[0] = 0;
	return 0;
}

/* No workgroup of the first point is done yet. */
static void feed_launch_progress(struct sweep *s, double seconds)
{
	json_t *far = about(0, "progress");

	json_object_update_new(far,
		json_pack("{s:i, s:i, s:f, s:i}", "done", 0, "total", 2, "gpu_seconds", seconds, "instructions",
			1234567));
	feed(s, far);
}

/* --- without errors --- */
static void runs_to_the_end(void **state)
{
	(void)state;
	struct sweep *s = start();
	assert_int_equal(fake.count, 2); /* two in the pool */
	assert_int_equal(sweep_state(s), SWEEP_RUNNING);
	assert_string_equal(sweep_status_text(s), "point 1 of 3: waiting for the device");
	feed_state(s, 0, "compiling");
	assert_string_equal(sweep_status_text(s), "point 1 of 3: compiling");
	assert_int_equal(sweep_points(s, NULL)[0].status, POINT_RUNNING);
	feed_state(s, 0, "running");
	assert_string_equal(sweep_status_text(s), "point 1 of 3: running");
	feed_launch_progress(s, 0.00081234);
	assert_string_equal(
		sweep_status_text(s), "point 1 of 3: running, 812 us of GPU time, 1.23 M wave instructions");
	feed_launch_progress(s, 0.00099961); /* rounds to the next unit */
	assert_string_equal(sweep_status_text(s), "point 1 of 3: running, 1 ms of GPU time, 1.23 M wave instructions");
	feed_progress(s, 0, 3, 4);
	assert_string_equal(sweep_status_text(s), "point 1 of 3: 75 %");
	assert_true(sweep_fraction(s) == 0.25 && sweep_done_count(s) == 0);
	feed_point(s, 0);
	assert_string_equal(reported, "0o");
	assert_int_equal(fake.count, 3);
	feed_point(s, 1);
	assert_int_equal(sweep_done_count(s), 2);
	feed_point(s, 2);
	assert_string_equal(reported, "0o1o2o");
	assert_int_equal(sweep_state(s), SWEEP_DONE);
	assert_true(sweep_fraction(s) == 1);
	assert_string_equal(sweep_status_text(s), "3 points measured");
	sweep_free(s);
}

/* A long sweep keeps the code of its kernel once; a listener can give the records back. */
static void points_share_their_kernel(void **state)
{
	(void)state;
	struct sweep *s = start();
	const struct point *points = sweep_points(s, NULL);
	for (int i = 0; i < 3; i++) {
		json_t *r = point_record(i, "[1,2,3,4]");
		json_object_set_new(r, "code", json_pack("{s:i}", "valu", i == 2 ? 8 : 9));
		feed(s, r);
	}
	assert_non_null(point_get_code(points[0].record));
	assert_ptr_equal(point_get_code(points[0].record), point_get_code(points[1].record));
	assert_int_equal(record_get_integer(point_get_code(points[2].record), "valu"), 8);
	sweep_forget_record(s, 1);
	assert_null(points[1].record);
	assert_int_equal(record_get_integer(point_get_code(points[0].record), "valu"), 9);
	sweep_free(s);
}

/* What a screen has to look at does not grow with the sweep. */
static void only_points_that_were_sent_can_change(void **state)
{
	(void)state;
	struct sweep *s = start();
	int from, to;
	sweep_open_points(s, &from, &to);
	assert_true(from == 0 && to == 2); /* two in the pool */
	feed_point(s, 0);
	sweep_open_points(s, &from, &to);
	assert_true(from <= 1 && to == 3 && sweep_done_count(s) == 1);
	feed_state(s, 1, "running");
	sweep_open_points(s, &from, &to);
	assert_true(from == 1 && to == 3 && sweep_done_count(s) == 1);
	sweep_cancel(s);
	sweep_open_points(s, &from, &to);
	assert_true(from == 0 && to == 3); /* the others were canceled */
	sweep_free(s);
}

static void jobs_are_numbered(void **state)
{
	(void)state;
	struct sweep *a = start(), *b = start();
	json_int_t last = 0;
	for (int i = 0; i < fake.count; i++) {
		json_int_t job = json_integer_value(json_object_get(fake.jobs[i], "job"));
		assert_true(job > last);
		last = job;
		assert_string_equal(record_get_type(fake.jobs[i]), "job");
		assert_int_equal(sent_point(i), i % 2);
	}
	assert_true(json_is_false(json_object_get(fake.jobs[0], "verify"))); /* it has no reference */
	feed_point(b, 0);                                                    /* a record of the other sweep's job */
	assert_int_equal(sweep_done_count(b), 0);
	feed_point(a, 0);
	assert_int_equal(sweep_done_count(a), 1);
	sweep_free(a);
	sweep_free(b);
}

static void a_point_is_filled_in(void **state)
{
	(void)state;
	struct sweep *s = start();
	feed_point(s, 0);
	const struct point *p = &sweep_points(s, NULL)[0];
	double reads = 1048576; /* 64 MiB // 16 B // 4 */
	assert_true(
		p->seconds.count == 4 && p->seconds.median == 2.5 && p->seconds.q1 == 1.75 && p->seconds.q3 == 3.25);
	assert_true(p->metrics[0].valid && p->metrics[0].value == 2.5 * 1500e6 / reads);
	assert_true(
		p->metrics_low[0].value == 1.75 * 1500e6 / reads && p->metrics_high[0].value == 3.25 * 1500e6 / reads);
	/* the quartiles of a rate are swapped */
	assert_true(p->metrics_low[1].value == reads / 3.25 && p->metrics_high[1].value == reads / 1.75);
	assert_false(p->metrics[2].valid);
	assert_true(p->clocks.sclk_mhz.valid && !p->clocks.temp_c.valid);
	assert_string_equal(p->verify, "ok");
	assert_string_equal(p->text, "");
	const json_t *metrics = json_object_get(p->record, "metrics"), *params = json_object_get(p->record, "params");
	assert_true(json_real_value(json_object_get(metrics, "latency")) == p->metrics[0].value);
	assert_true(json_is_null(json_object_get(metrics, "waves")));
	assert_int_equal(json_integer_value(json_object_get(params, "stride")), 16);
	assert_string_equal(record_get_text(params, "variant"), "published");
	sweep_free(s);
}

static void suspect_points_have_a_reason(void **state)
{
	(void)state;
	struct sweep *s = start();
	json_t *r = point_record(0, "[1]");
	json_object_set_new(r, "verify", json_string("failed"));
	json_object_set_new(r, "verify_text", json_string("buf[17] is 3, expected 4; 1 of 64 differs"));
	feed(s, r);
	r = point_record(1, "[1]");
	json_object_set_new(r, "contract", json_string("broken"));
	json_object_set_new(r, "contract_text", json_string("no global_load_dword"));
	feed(s, r);
	r = point_record(2, "[1]");
	json_object_set_new(r, "clocks_moved", json_true());
	feed(s, r);
	const struct point *p = sweep_points(s, NULL);
	assert_string_equal(p[0].verify, "failed");
	assert_non_null(strstr(p[0].text, "buf[17] is 3, expected 4; 1 of 64 differs"));
	assert_string_equal(p[1].contract, "broken");
	assert_non_null(strstr(p[1].text, "no global_load_dword"));
	assert_true(p[2].clocks_moved);
	assert_non_null(strstr(p[2].text, "clock changed"));
	assert_int_equal(sweep_state(s), SWEEP_DONE);
	sweep_free(s);
}

/* --- errors --- */
static void a_failed_point_does_not_stop_it(void **state)
{
	(void)state;
	struct sweep *s = start();
	json_t *r = about(0, "point");
	json_object_set_new(r, "status", json_string("failed"));
	json_object_set_new(r, "error", json_string("no memory for buf"));
	feed(s, r);
	feed(s, point_record(1, "[]"));
	feed(s, point_record(2, "[1,-0.5,1]"));
	const struct point *p = sweep_points(s, NULL);
	assert_string_equal(reported, "0f1f2f");
	assert_string_equal(p[0].text, "no memory for buf");
	assert_non_null(strstr(p[1].text, "no sample"));
	assert_string_equal(record_get_text(p[1].record, "status"), "failed");
	assert_non_null(strstr(p[2].text, "invalid time of -0.5 s"));
	assert_false(p[2].metrics[0].valid);
	assert_string_equal(sweep_status_text(s), "0 of 3 points measured");
	assert_int_equal(sweep_state(s), SWEEP_DONE);
	sweep_free(s);
}

/* Point 1 of unroll 3, 4, 5 cannot be launched: it is reported in order, and its record has the reason. */
static void a_point_with_accesses_outside_its_buffers(void **state)
{
	(void)state;
	struct sweep *s = start_with("unroll=3,4,5");
	assert_int_equal(fake.count, 2);
	assert_int_equal(sent_point(1), 2);
	assert_string_equal(reported, "");
	feed_point(s, 0);
	assert_string_equal(reported, "0o1f");
	feed_point(s, 1);
	assert_string_equal(reported, "0o1f2o");
	const struct point *p = &sweep_points(s, NULL)[1];
	assert_non_null(strstr(p->text, "would access element"));
	assert_string_equal(record_get_type(p->record), "point");
	assert_string_equal(record_get_text(p->record, "status"), "failed");
	assert_non_null(strstr(record_get_text(p->record, "error"), "would access element"));
	assert_true(json_is_null(json_object_get(json_object_get(p->record, "metrics"), "latency")));
	assert_int_equal(json_integer_value(json_object_get(json_object_get(p->record, "params"), "unroll")), 4);
	sweep_free(s);
}

static void a_sweep_without_valid_points_is_rejected(void **state)
{
	(void)state;
	struct plan p;
	struct err e = {.text = ""};
	plan_init_default(&p, x, true, "");
	assert_true(plan_apply_argument(&p, "unroll=4", &e) && plan_apply_argument(&p, "stride=16,32", &e));
	assert_null(sweep_start(&p, pool, on_point, reported, &e));
	assert_non_null(strstr(e.text, "would access element"));
	assert_int_equal(e.status, ST_REQUEST);
	assert_int_equal(fake.count, 0);
	plan_free(&p);
}

static void records_of_other_jobs_are_ignored(void **state)
{
	(void)state;
	struct sweep *s = start();
	static const char *const records[] = {"{}", "{\"type\":\"telemetry\",\"sclk_mhz\":1}",
		"{\"type\":\"point\",\"job\":999999,\"status\":\"ok\",\"seconds\":[1]}",
		"{\"type\":\"point\",\"job\":\"1\"}", "{\"type\":\"progress\",\"job\":0,\"done\":1,\"total\":1}",
		"{\"type\":\"log\",\"text\":\"x\"}", "[]"};
	for (size_t i = 0; i < sizeof records / sizeof *records; i++)
		feed(s, json_loads(records[i], 0, NULL));
	assert_int_equal(sweep_done_count(s), 0);
	assert_int_equal(fake.count, 2);
	feed_point(s, 0);
	feed_point(s, 0); /* the same record again */
	assert_int_equal(sweep_done_count(s), 1);
	feed_progress(s, 1, 1, 0);
	feed_progress(s, 1, 9, 3);
	assert_true(sweep_fraction(s) <= 1);
	sweep_free(s);
}

/* --- several workers --- */
static void points_that_end_in_any_order_are_reported_in_the_plans(void **state)
{
	(void)state;
	struct sweep *s;
	fake.workers = 2;
	s = start_with("stride=16,32,64,128,256,512,1024,2048");
	assert_int_equal(fake.count, 6);
	feed_state(s, 0, "running");
	assert_string_equal(sweep_status_text(s), "point 1 of 8: running");
	feed_state(s, 1, "compiling");
	assert_string_equal(sweep_status_text(s), "point 1 of 8: running, 2 running");
	feed_point(s, 1);
	feed_point(s, 2);
	assert_string_equal(reported, "");
	assert_int_equal(sweep_done_count(s), 2);
	assert_int_equal(fake.count, 8);
	feed_point(s, 0);
	assert_string_equal(reported, "0o1o2o");
	for (int i = 7; i > 2; i--)
		feed_point(s, i);
	assert_string_equal(reported, "0o1o2o3o4o5o6o7o");
	assert_int_equal(sweep_state(s), SWEEP_DONE);
	for (int i = 0; i < 8; i++)
		assert_int_equal(sent_point(i), i);
	sweep_free(s);
}

static void canceling_reports_points_that_waited_for_others(void **state)
{
	(void)state;
	fake.workers = 2;
	struct sweep *s = start_with("stride=16,32,64,128");
	feed_point(s, 3);
	feed_point(s, 1);
	sweep_cancel(s);
	assert_string_equal(reported, "1o3o");
	assert_string_equal(sweep_status_text(s), "canceled: 2 of 4 points measured");
	sweep_free(s);
}

/* --- deaths --- */
/* What a pool sends for a point that ended three workers. */
static void a_point_that_failed_with_its_workers(void **state)
{
	(void)state;
	struct sweep *s = start();
	struct err death = {ST_FAILED, "worker killed by SIGSEGV"};
	feed(s, record_build_failed_point(json_integer_value(json_object_get(fake.jobs[0], "job")), 0, &death));
	feed_point(s, 1);
	feed_point(s, 2);
	assert_int_equal(sweep_state(s), SWEEP_DONE);
	assert_string_equal(reported, "0f1o2o");
	const struct point *p = sweep_points(s, NULL);
	assert_string_equal(p[0].text, "worker killed by SIGSEGV");
	assert_string_equal(record_get_text(p[0].record, "error"), "worker killed by SIGSEGV");
	assert_non_null(json_object_get(p[0].record, "params"));
	assert_string_equal(sweep_status_text(s), "2 of 3 points measured");
	sweep_free(s);
}

static void the_sweep_fails_with_the_pool(void **state)
{
	(void)state;
	fake.workers = 2;
	struct sweep *s = start_with("stride=16,32,64,128");
	feed_state(s, 0, "running");
	feed_point(s, 2);
	sweep_pool_died(s, "giving up");
	sweep_pool_died(s, "giving up"); /* reported twice */
	assert_int_equal(sweep_state(s), SWEEP_FAILED);
	assert_string_equal(sweep_status_text(s), "giving up");
	assert_string_equal(reported, "2o"); /* kept, although points before it are missing */
	assert_int_equal(sweep_points(s, NULL)[0].status, POINT_WAITING);
	sweep_free(s);
}

static void a_device_that_cannot_be_opened_fails_the_sweep(void **state)
{
	(void)state;
	struct sweep *s = start();
	feed(s, json_pack("{s:s, s:s, s:i}", "type", "fatal", "text", "unknown device hip:7", "status", 2));
	assert_int_equal(sweep_state(s), SWEEP_FAILED);
	assert_string_equal(sweep_status_text(s), "unknown device hip:7");
	sweep_pool_died(s, "worker ended");
	assert_string_equal(sweep_status_text(s), "unknown device hip:7");
	assert_int_equal(sweep_done_count(s), 0);
	sweep_free(s);
}

static void a_pool_that_is_dead_at_the_start(void **state)
{
	(void)state;
	fake.dead = true;
	struct sweep *s = start();
	assert_int_equal(sweep_state(s), SWEEP_FAILED);
	assert_string_equal(sweep_status_text(s), "giving up");
	sweep_pool_died(s, "gone");
	assert_int_equal(sweep_done_count(s), 0);
	sweep_free(s);
}

/* The pool dies between its last record and the next job: the measured point is kept. */
static void a_point_before_death_is_reported(void **state)
{
	(void)state;
	struct sweep *s = start();
	fake.dead = true;
	feed_point(s, 0);
	assert_string_equal(reported, "0o");
	assert_int_equal(sweep_state(s), SWEEP_FAILED);
	sweep_free(s);
}

/* --- canceling --- */
/* Those sent as number `first` and the next ones, once each. */
static void assert_canceled_jobs(int first, int count)
{
	assert_int_equal(fake.cancels, count);
	for (int i = 0; i < count; i++)
		assert_int_equal(fake.canceled[i], json_integer_value(json_object_get(fake.jobs[first + i], "job")));
}

static void canceling_keeps_measured_points(void **state)
{
	(void)state;
	struct sweep *s = start();
	feed_point(s, 0);
	sweep_cancel(s);
	assert_canceled_jobs(1, 2);
	assert_int_equal(sweep_state(s), SWEEP_CANCELLED);
	assert_string_equal(sweep_status_text(s), "canceled: 1 of 3 points measured");
	const struct point *p = sweep_points(s, NULL);
	assert_true(p[0].status == POINT_OK && p[1].status == POINT_CANCELLED && p[2].status == POINT_CANCELLED);
	feed_point(s, 1); /* too late */
	assert_string_equal(reported, "0o");
	sweep_cancel(s);
	sweep_pool_died(s, "killed");
	assert_canceled_jobs(1, 2);
	assert_int_equal(sweep_state(s), SWEEP_CANCELLED);
	sweep_free(s);
}

static void canceling_leaves_other_sweeps(void **state)
{
	(void)state;
	struct sweep *first = start_with("stride=64"), *second = start_with("stride=64");
	sweep_cancel(first);
	assert_canceled_jobs(0, 1);
	feed_point(first, 1); /* a job of the other sweep */
	feed_point(second, 0);
	assert_string_equal(reported, "");
	feed_point(second, 1);
	assert_string_equal(reported, "0o");
	assert_int_equal(sweep_state(first), SWEEP_CANCELLED);
	assert_int_equal(sweep_state(second), SWEEP_DONE);
	sweep_free(first);
	sweep_free(second);
}

static void canceling_after_death_needs_no_pool(void **state)
{
	(void)state;
	struct sweep *s = start();
	sweep_pool_died(s, "killed");
	sweep_cancel(s);
	assert_int_equal(fake.cancels, 0);
	assert_int_equal(sweep_state(s), SWEEP_CANCELLED);
	sweep_free(s);
}

static void canceled_by_the_worker(void **state)
{
	(void)state;
	struct sweep *s = start_with("stride=64,128");
	json_t *r = about(0, "point");
	json_object_set_new(r, "status", json_string("cancelled"));
	feed(s, r);
	feed_point(s, 1);
	assert_string_equal(reported, "0c1o");
	assert_int_equal(sweep_state(s), SWEEP_CANCELLED);
	sweep_free(s);
}

static struct sweep *to_cancel;
static void cancel_at_once(void *ctx, const struct sweep *s, int point)
{
	(void)s;
	on_point(ctx, s, point);
	sweep_cancel(to_cancel);
}

static void the_listener_can_cancel(void **state)
{
	(void)state;
	struct plan p;
	struct err e;
	plan_init_default(&p, x, true, "");
	to_cancel = sweep_start(&p, pool, cancel_at_once, reported, &e);
	plan_free(&p);
	feed_point(to_cancel, 0);
	assert_string_equal(reported, "0o");
	assert_int_equal(sweep_state(to_cancel), SWEEP_CANCELLED);
	sweep_free(to_cancel);
}

/* --- header, counters --- */
static void the_session_header(void **state)
{
	(void)state;
	struct sweep *s = start_with("unroll=1,2");
	json_t *device = json_pack(
		"{s:s, s:s, s:{s:i}}", "type", "device", "device", "soft:mi25", "constants", "l1_bytes", 16384);
	json_t *h = sweep_build_header(s, device);
	assert_string_equal(record_get_type(h), "session");
	assert_int_equal(json_integer_value(json_object_get(h, "schema")), SESSION_SCHEMA);
	assert_string_equal(record_get_text(h, "program"), "wavedeck " WAVEDECK_VERSION);
	assert_int_equal(strlen(record_get_text(h, "time")), strlen("2026-01-01T00:00:00Z"));
	assert_string_equal(record_get_text(h, "experiment"), "stride");
	assert_true(json_equal(json_object_get(h, "device"), device));
	assert_int_equal(strlen(record_get_text(json_object_get(h, "definition"), "hash")), 16);
	json_t *params =
		json_loads("{\"stride\":64,\"size\":67108864,\"form\":\"far\",\"variant\":\"published\"}", 0, NULL);
	json_t *sweep = json_loads("{\"param\":\"unroll\",\"values\":[1,2]}", 0, NULL);
	json_t *columns = json_loads(
		"{\"params\":[{\"id\":\"stride\",\"unit\":\"B\",\"log\":true},{\"id\":\"size\",\"unit\":\"B\",\"log\":true},"
		"{\"id\":\"unroll\",\"unit\":\"\"},{\"id\":\"form\",\"unit\":\"\",\"choices\":[\"near\",\"far\"]},"
		"{\"id\":\"variant\",\"unit\":\"\",\"choices\":[\"published\",\"compiled\"]}],"
		"\"metrics\":[{\"id\":\"latency\",\"unit\":\"cycles\",\"axis\":0},{\"id\":\"rate\",\"unit\":\"reads/s\",\"axis\":1},{\"id\":\"waves\",\"unit\":\"\",\"axis\":-1}],"
		"\"counters\":[]}",
		0, NULL);
	assert_true(json_equal(json_object_get(h, "params"), params));
	assert_true(json_equal(json_object_get(h, "sweep"), sweep));
	assert_true(json_equal(json_object_get(h, "columns"), columns));
	assert_string_equal(record_get_text(json_object_get(h, "units"), "latency"), "cycles");
	assert_string_equal(record_get_text(json_object_get(h, "units"), "stride"), "B");
	json_decref(params);
	json_decref(sweep);
	json_decref(columns);
	json_decref(device);
	json_decref(h);
	sweep_free(s);
}

static void the_header_of_two_axes(void **state)
{
	(void)state;
	struct plan p;
	struct err e;
	plan_init_default(&p, x, true, "");
	assert_true(plan_apply_argument(&p, "variant=compiled,published", &e) &&
		plan_apply_argument(&p, "stride=16,32", &e));
	struct sweep *s = sweep_start(&p, pool, on_point, reported, &e);
	json_t *h = sweep_build_header(s, NULL);
	json_t *expected = json_loads(
		"[{\"param\":\"variant\",\"values\":[\"compiled\",\"published\"]},{\"param\":\"stride\",\"values\":[16,32]}]",
		0, NULL);
	assert_true(json_equal(json_object_get(h, "sweep"), expected));
	assert_null(json_object_get(json_object_get(h, "params"), "variant"));
	json_decref(expected);
	json_decref(h);
	sweep_free(s);
	plan_free(&p);
}

static void counters_are_requested(void **state)
{
	(void)state;
	struct plan p;
	struct err e;
	static const char *const names[] = {"SQ_WAVES", "TCC_HIT", NULL};
	plan_init_default(&p, x, true, "");
	p.counters = names;
	struct sweep *s = sweep_start(&p, pool, on_point, reported, &e);
	json_t *expected = json_pack("[s, s]", "SQ_WAVES", "TCC_HIT");
	assert_true(json_equal(json_object_get(fake.jobs[0], "counters"), expected));
	json_t *r = point_record(0, "[1]");
	json_object_set_new(r, "counters", json_pack("{s:i}", "SQ_WAVES", 16));
	feed(s, r);
	assert_true(sweep_points(s, NULL)[0].metrics[2].valid && sweep_points(s, NULL)[0].metrics[2].value == 16);
	json_decref(expected);
	sweep_free(s);
	plan_free(&p);
}

/* --- how often the functions of a definition run: they print --- */
static int count_prints(size_t from, const char *text)
{
	int n = 0;
	for (size_t i = from; i < log_line_count(); i++)
		n += strstr(log_get_line(i, NULL), text) != NULL;
	return n;
}

/* The check of the first point, the order of several workers, and the jobs. */
static void functions_of_a_point_run_once_for_its_job(void **state)
{
	(void)state;
	struct experiment *own = x;
	x = fixture_load_changed(
		"samples  =", "work = function(p) print(\"work\", p.stride) return p.stride end, samples  =");
	for (fake.workers = 1; fake.workers <= 2; fake.workers++) {
		size_t before = log_line_count();
		struct sweep *s = start();
		assert_int_equal(count_prints(before, "work"), 3);
		feed_point(s, fake.count - 3);
		assert_int_equal(count_prints(before, "work 16"), 1);
		assert_int_equal(count_prints(before, "work 64"), 1);
		sweep_free(s);
	}
	experiment_free(x);
	x = own;
}

/* As the workbench asks each time that it draws an estimate. */
static void the_work_at_the_same_values_is_computed_once(void **state)
{
	(void)state;
	double values[PARAMS_MAX], work;
	struct experiment *own = fixture_load_changed(
		"samples  =", "work = function(p) print(\"work\") return p.stride end, samples  =");
	fixture_values(own, values);
	size_t before = log_line_count();
	for (int i = 0; i < 3; i++) {
		values[0] = 16;
		assert_true(experiment_eval_work(own, values, &work) && work == 16);
		values[0] = 32;
		assert_true(experiment_eval_work(own, values, &work) && work == 32);
	}
	assert_int_equal(count_prints(before, "work"), 2);
	experiment_free(own);
}

static void values_of_a_point_are_computed_once_for_its_metrics(void **state)
{
	(void)state;
	struct experiment *own = x;
	x = fixture_load_changed("values   = function(p) return", "values   = function(p) print(\"values\") return");
	struct sweep *s = start();
	size_t before = log_line_count();
	feed(s, point_record(0, "[1,2,3,4]"));
	const struct point *p = sweep_points(s, NULL);
	assert_true(p->metrics_low[1].value < p->metrics[1].value && p->metrics[1].value < p->metrics_high[1].value);
	assert_int_equal(count_prints(before, "values"), 2); /* also for the job of the third point */
	sweep_free(s);
	experiment_free(x);
	x = own;
}

/* The functions of a definition get tables of their own. */
static void a_metric_cannot_change_the_values_of_another(void **state)
{
	(void)state;
	struct experiment *own = x;
	x = fixture_load_changed("function(m, p, v) return v.reads / m.seconds end",
		"function(m, p, v) v.reads = v.reads + 1; p.size = p.size + 1; return v.reads + p.size end");
	struct sweep *s = start();
	feed_point(s, 0);
	const struct reading *at = sweep_points(s, NULL)[0].metrics;
	const double *values = sweep_points(s, NULL)[0].values;
	assert_true(at[1].valid && at[1].value == values[1] / values[0] / 4 + 1 + values[1] + 1);
	assert_true(sweep_points(s, NULL)[0].metrics_low[1].value == at[1].value);
	assert_true(sweep_points(s, NULL)[0].metrics_high[1].value == at[1].value);
	sweep_free(s);
	experiment_free(x);
	x = own;
}

int main(void)
{
#define T(f) cmocka_unit_test_setup(f, fresh)
	const struct CMUnitTest tests[] = {
		T(runs_to_the_end),
		T(points_share_their_kernel),
		T(only_points_that_were_sent_can_change),
		T(jobs_are_numbered),
		T(a_point_is_filled_in),
		T(suspect_points_have_a_reason),
		T(a_failed_point_does_not_stop_it),
		T(a_point_with_accesses_outside_its_buffers),
		T(a_sweep_without_valid_points_is_rejected),
		T(records_of_other_jobs_are_ignored),
		T(points_that_end_in_any_order_are_reported_in_the_plans),
		T(canceling_reports_points_that_waited_for_others),
		T(a_point_that_failed_with_its_workers),
		T(the_sweep_fails_with_the_pool),
		T(a_device_that_cannot_be_opened_fails_the_sweep),
		T(a_pool_that_is_dead_at_the_start),
		T(a_point_before_death_is_reported),
		T(canceling_keeps_measured_points),
		T(canceling_leaves_other_sweeps),
		T(canceling_after_death_needs_no_pool),
		T(canceled_by_the_worker),
		T(the_listener_can_cancel),
		T(the_session_header),
		T(the_header_of_two_axes),
		T(counters_are_requested),
		T(functions_of_a_point_run_once_for_its_job),
		T(the_work_at_the_same_values_is_computed_once),
		T(values_of_a_point_are_computed_once_for_its_metrics),
		T(a_metric_cannot_change_the_values_of_another),
	};
	int failed = cmocka_run_group_tests(tests, setup, teardown);
	fresh(NULL);
	return failed;
}

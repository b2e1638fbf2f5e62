/* A pool of workers against scripted workers: this program, started with the name of the script as the device. */
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/host/temporary_folder.h"
#include "base/host_clock.h"
#include "gpu/controller/worker_pool.h"
#include "gpu/protocol/record.h"
#include "tests/scratch.h"

enum { PATIENCE_S = 120 /* for an event on a busy host */, POLL_MS = 20, JOBS = 40 };

/* --- the scripted worker --- */
static void say(json_t *record)
{
	char *line = record_format_line(record);
	if (write(1, line, strlen(line)) < 0)
		_exit(3);
	free(line);
	json_decref(record);
}

static void say_device(const char *name)
{
	say(json_pack("{s:s, s:i, s:s}", "type", "hello", "protocol", RECORD_PROTOCOL, "program", "scripted"));
	say(json_pack("{s:s, s:s, s:s, s:s}", "type", "device", "device", "scripted", "name", name, "arch", "gfx900"));
}

/* The next job; NULL at the end. Answers pings, and ends at a request to quit. */
static json_t *read_job(void)
{
	static char line[1 << 16];
	while (fgets(line, sizeof line, stdin)) {
		json_t *r = json_loads(line, 0, NULL);
		const char *type = record_get_type(r);
		if (!strcmp(type, "job"))
			return r;
		if (!strcmp(type, "ping"))
			say(json_pack("{s:s, s:i}", "type", "pong", "seq", 1));
		if (!strcmp(type, "quit"))
			_exit(0);
		json_decref(r);
	}
	return NULL;
}

static void answer_with(json_t *job, const char *status)
{
	say(json_pack("{s:s, s:O, s:O, s:s, s:[f]}", "type", "point", "job", json_object_get(job, "job"), "point",
		json_object_get(job, "point"), "status", status, "seconds", 0.5));
	json_decref(job);
}

static void answer(json_t *job)
{
	answer_with(job, "ok");
}

static json_int_t point_of(const json_t *job)
{
	return json_integer_value(json_object_get(job, "point"));
}

static void end_by(int sig)
{
	signal(sig, SIG_DFL);
	raise(sig);
}

static char *path_in_folder(const char *name, long long number)
{
	return xasprintf("%s/%s-%lld", getenv("POOL_FOLDER"), name, number);
}

/* True for the first caller of all processes. */
static bool claim(const char *name, long long number)
{
	char *path = path_in_folder(name, number);
	int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
	free(path);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool is_claimed(const char *name, long long number)
{
	char *path = path_in_folder(name, number);
	bool is = !access(path, F_OK);
	free(path);
	return is;
}

static void answer_all(void)
{
	say_device("Scripted");
	for (json_t *job; (job = read_job());)
		answer(job);
}

/* Until another process has got a job, too. */
static void wait_for_another_process(void)
{
	claim("process", getpid());
	for (int others = 0; !others && getppid() != 1; usleep(1000)) {
		char *list = xasprintf("ls %s | grep process | grep -qvx process-%d", getenv("POOL_FOLDER"), getpid());
		others = !system(list);
		free(list);
	}
}

static void answer_together(void)
{
	say_device("Scripted");
	for (json_t *job; (job = read_job()); answer(job))
		wait_for_another_process();
}

/* Point 2 ends every worker, point 5 only the first. */
static void die_at_points(void)
{
	say_device("Scripted");
	for (json_t *job; (job = read_job()); answer(job))
		if (point_of(job) == 2 || (point_of(job) == 5 && claim("died", 5)))
			end_by(SIGSEGV);
}

static void die_always(void)
{
	say_device("Scripted");
	read_job();
	end_by(SIGSEGV);
}

static void die_while_opening(void)
{
	end_by(SIGSEGV);
}

/* Only the first process can open the device. */
static void open_once(void)
{
	if (claim("opened", 0)) {
		answer_together();
		return;
	}
	claim("process", getpid());
	say(json_pack("{s:s, s:s, s:i}", "type", "fatal", "text", "no memory is left; close something", "status", 1));
	_exit(1);
}

/* The second process has another device. */
static void open_another(void)
{
	if (claim("first", 0)) {
		say_device("Scripted");
		for (json_t *job; (job = read_job()); answer(job))
			while (!is_claimed("second", 0) && getppid() != 1)
				usleep(1000);
	}
	say_device("Another");
	claim("second", 0);
	read_job();
	_exit(0);
}

static void refuse(void)
{
	say(json_pack("{s:s, s:s, s:i}", "type", "fatal", "text", "no such thing; install it", "status", 2));
	_exit(2);
}

/* The first process gives up at its first job, but does not end. */
static void give_up(void)
{
	if (!claim("first", 0)) {
		answer_together();
		return;
	}
	say_device("Scripted");
	read_job();
	wait_for_another_process();
	say(json_pack("{s:s, s:s, s:i}", "type", "fatal", "text", "the driver is gone", "status", 1));
	while (read_job())
		;
}

/* Names another device with each job. */
static void change_device(void)
{
	say_device("Scripted");
	for (json_t *job; (job = read_job()); answer(job))
		say_device("Another");
}

/* Does not answer, but cancels at once. */
static void hold(void)
{
	static char line[1 << 16];
	json_t *held[JOBS];
	int n = 0;
	say_device("Scripted");
	while (fgets(line, sizeof line, stdin)) {
		json_t *r = json_loads(line, 0, NULL);
		if (!strcmp(record_get_type(r), "job"))
			held[n++] = r;
		else if (!strcmp(record_get_type(r), "ping"))
			say(json_pack("{s:s, s:i}", "type", "pong", "seq", 1));
		else if (!strcmp(record_get_type(r), "quit"))
			_exit(0);
		else if (!strcmp(record_get_type(r), "cancel"))
			while (n > 0)
				answer(held[--n]);
	}
}

/* Point 0 never ends, and jobs wait behind it. Cancels all, as a real worker does. */
static void hang_at_first_point(void)
{
	static char line[1 << 16];
	json_t *held[JOBS];
	int n = 0;
	say_device("Scripted");
	while (fgets(line, sizeof line, stdin)) {
		json_t *r = json_loads(line, 0, NULL);
		if (!strcmp(record_get_type(r), "job"))
			held[n++] = r;
		else if (!strcmp(record_get_type(r), "ping"))
			say(json_pack("{s:s, s:i}", "type", "pong", "seq", 1));
		else if (!strcmp(record_get_type(r), "quit"))
			_exit(0);
		else if (!strcmp(record_get_type(r), "cancel"))
			while (n > 0)
				answer_with(held[--n], "cancelled");
		if (n == 2)
			claim("waiting", 0);
		while (n > 0 && point_of(held[0]))
			answer(held[--n]);
	}
}

/* The device is lost at the first job of the first process, which has another job by then. */
static void lose_device(void)
{
	if (!claim("lost", 0)) {
		answer_all();
		return;
	}
	say_device("Scripted");
	json_t *job = read_job();
	read_job();
	say(json_pack("{s:s}", "type", "ending"));
	answer_with(job, "failed");
	_exit(1);
}

static const struct {
	const char *name;
	void (*run)(void);
} scripts[] = {
	{"all", answer_all},
	{"together", answer_together},
	{"together2", answer_together},
	{"points", die_at_points},
	{"always", die_always},
	{"opening", die_while_opening},
	{"once", open_once},
	{"another", open_another},
	{"refuse", refuse},
	{"give-up", give_up},
	{"change", change_device},
	{"hold", hold},
	{"hang", hang_at_first_point},
	{"lost", lose_device},
};

static int run_script(const char *name)
{
	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
		if (!strcmp(name, scripts[i].name))
			scripts[i].run();
	return 0;
}

/* --- driving the pool --- */
static struct {
	int points[JOBS], failed[JOBS], canceled[JOBS], devices, deaths, fatal;
	char device[JOBS][20]; /* of a point */
	char text[8192];
} seen;

static void note_record(const json_t *r)
{
	const char *type = record_get_type(r);
	seen.devices += !strcmp(type, "device");
	seen.fatal += !strcmp(type, "fatal");
	if (!strcmp(type, "death")) {
		seen.deaths++;
		strncat(seen.text, record_get_text(r, "text"), sizeof seen.text - strlen(seen.text) - 2);
		strcat(seen.text, "\n");
	}
	if (strcmp(type, "point"))
		return;
	json_int_t i = point_of(r);
	assert_true(i >= 0 && i < JOBS);
	seen.points[i]++;
	seen.failed[i] += !strcmp(record_get_text(r, "status"), "failed");
	seen.canceled[i] += !strcmp(record_get_text(r, "status"), "cancelled");
	snprintf(seen.device[i], sizeof seen.device[i], "%s", record_get_text(r, "device"));
}

static void step(struct worker_pool *p)
{
	int fds[WORKER_POOL_FDS], n = worker_pool_poll_fds(p, fds);
	struct pollfd polls[WORKER_POOL_FDS];
	for (int i = 0; i < n; i++)
		polls[i] = (struct pollfd){.fd = fds[i], .events = POLLIN};
	poll(polls, (nfds_t)n, POLL_MS);
	worker_pool_pump(p);
	for (json_t *r; (r = worker_pool_next_record(p)); json_decref(r))
		note_record(r);
}

static void await_state(struct worker_pool *p, enum worker_controller_state state)
{
	for (double end = now_seconds() + PATIENCE_S; now_seconds() < end && worker_pool_state(p) != state;)
		step(p);
	assert_int_equal(worker_pool_state(p), state);
}

static struct worker_pool *start(const char *script, int count)
{
	struct err e = {0};
	struct worker_pool *p = worker_pool_start_local(script, count, &e);
	assert_non_null(p);
	return p;
}

static void send_jobs(struct worker_pool *p, int count)
{
	for (int i = 0; i < count; i++)
		assert_true(
			worker_pool_send(p, json_pack("{s:s, s:i, s:i}", "type", "job", "job", 100 + i, "point", i)));
}

static void assert_points_once(int count)
{
	for (int i = 0; i < JOBS; i++)
		if (seen.points[i] != (i < count))
			fail_msg("point %d was reported %d times", i, seen.points[i]);
}

/* --- tests --- */
static void one_worker_answers_every_job(void **state)
{
	(void)state;
	struct worker_pool *p = start("all", 1);
	assert_int_equal(worker_pool_state(p), WORKER_STARTING);
	send_jobs(p, JOBS); /* before the device is open */
	await_state(p, WORKER_READY);
	assert_points_once(JOBS);
	assert_string_equal(record_get_text(worker_pool_device_record(p), "name"), "Scripted");
	assert_string_equal(worker_pool_device(p), "all");
	assert_string_equal(worker_pool_crash_text(p), "");
	worker_pool_close(p);
}

static void several_workers_measure_at_the_same_time(void **state)
{
	(void)state;
	struct worker_status s;
	int done = 0, working = 0;
	struct worker_pool *p = start("together", 3);
	send_jobs(p, JOBS);
	await_state(p, WORKER_READY);
	assert_points_once(JOBS);
	assert_int_equal(seen.devices, 1);
	assert_int_equal(worker_pool_size(p), 3);
	for (int i = 0; i < 3; i++) {
		worker_pool_get_status(p, i, &s);
		done += s.done;
		working += s.done > 0;
		assert_int_equal(s.job, 0);
	}
	assert_int_equal(done, JOBS);
	assert_true(working >= 2);
	worker_pool_close(p);
}

static int count_started(const struct worker_pool *p)
{
	struct worker_status s;
	int n = 0;
	for (int i = 0; i < worker_pool_size(p); i++) {
		worker_pool_get_status(p, i, &s);
		n += s.started;
	}
	return n;
}

static void no_more_workers_start_than_jobs(void **state)
{
	(void)state;
	struct worker_pool *p = start("together", 8);
	send_jobs(p, 2);
	await_state(p, WORKER_READY);
	assert_int_equal(count_started(p), 2);
	worker_pool_close(p);
}

static struct worker_pool *start_for_jobs(const char *script, int count, int jobs)
{
	struct err e = {0};
	struct worker_place places[WORKERS_MAX];
	for (int i = 0; i < count; i++)
		places[i] = (struct worker_place){.device = script};
	struct worker_pool *p = worker_pool_start(places, count, jobs, &e);
	assert_non_null(p);
	return p;
}

static void all_workers_start_at_once_for_many_jobs(void **state)
{
	(void)state;
	static const struct {
		int workers, jobs, started;
	} cases[] = {{4, 0, 1}, {4, 31, 1}, {4, 32, 4}, {9, 35, 1}, {9, 36, 9}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct worker_pool *p = start_for_jobs("all", cases[i].workers, cases[i].jobs);
		assert_int_equal(count_started(p), cases[i].started);
		worker_pool_close(p);
	}
	struct worker_pool *p = start_for_jobs("together", 4, JOBS);
	send_jobs(p, JOBS);
	await_state(p, WORKER_READY);
	assert_points_once(JOBS);
	worker_pool_close(p);
}

static void workers_that_start_at_once_report_one_error(void **state)
{
	(void)state;
	struct worker_pool *p = start_for_jobs("refuse", 8, JOBS);
	await_state(p, WORKER_DEAD);
	assert_string_equal(worker_pool_crash_text(p), "no such thing; install it");
	assert_true(worker_pool_open_failed(p, NULL));
	assert_int_equal(seen.deaths, 0);
	worker_pool_close(p);
}

static void a_job_of_a_dead_worker_is_tried_three_times(void **state)
{
	(void)state;
	for (int workers = 1; workers <= 3; workers += 2) {
		memset(&seen, 0, sizeof seen);
		struct worker_pool *p = start("points", workers);
		send_jobs(p, 10);
		await_state(p, WORKER_READY);
		assert_points_once(10);
		for (int i = 0; i < 10; i++)
			assert_int_equal(seen.failed[i], i == 2);
		assert_int_equal(seen.deaths, workers == 1 ? 4 : 3); /* the claim of point 5 remains */
		assert_non_null(strstr(seen.text,
			"worker killed by SIGSEGV while running point 3; trying the point again (2 of 3)\n"));
		assert_non_null(strstr(seen.text, "giving the point up after 3 tries\n"));
		worker_pool_close(p);
	}
}

static void the_job_behind_a_lost_device_is_not_blamed(void **state)
{
	(void)state;
	struct worker_pool *p = start("lost", 1);
	send_jobs(p, 4);
	await_state(p, WORKER_READY);
	assert_points_once(4);
	assert_int_equal(seen.failed[0], 1);
	assert_int_equal(seen.deaths, 1);
	assert_string_equal(seen.text, "worker ended with status 1; continuing with a new worker\n");
	worker_pool_close(p);
}

static void three_points_in_a_row_that_end_their_workers_end_the_pool(void **state)
{
	(void)state;
	struct worker_pool *p = start("always", 1);
	send_jobs(p, 10);
	await_state(p, WORKER_DEAD);
	assert_int_equal(seen.failed[0] + seen.failed[1] + seen.failed[2], 3);
	assert_points_once(3);
	assert_int_equal(seen.deaths, 9);
	assert_non_null(strstr(worker_pool_crash_text(p), "giving up after three points in a row"));
	assert_false(worker_pool_open_failed(p, NULL));
	assert_false(worker_pool_send(p, json_pack("{s:s}", "type", "job")));
	worker_pool_close(p);
}

static void a_device_that_cannot_be_opened_ends_the_pool(void **state)
{
	(void)state;
	enum status status = ST_OK;
	struct worker_pool *p = start("refuse", 4);
	send_jobs(p, 3);
	await_state(p, WORKER_DEAD);
	assert_string_equal(worker_pool_crash_text(p), "no such thing; install it");
	assert_true(worker_pool_open_failed(p, &status));
	assert_int_equal(status, ST_REQUEST);
	assert_int_equal(seen.deaths, 0);
	worker_pool_close(p);
}

static void workers_that_die_while_opening_are_tried_three_times(void **state)
{
	(void)state;
	struct worker_status s;
	struct worker_pool *p = start("opening", 1);
	await_state(p, WORKER_DEAD);
	worker_pool_get_status(p, 0, &s);
	assert_int_equal(s.deaths, 3);
	assert_string_equal(worker_pool_crash_text(p), "worker killed by SIGSEGV while opening the device");
	worker_pool_close(p);
}

static void the_sweep_goes_on_without_workers_that_cannot_open_the_device(void **state)
{
	(void)state;
	struct worker_pool *p = start("once", 3);
	send_jobs(p, JOBS);
	await_state(p, WORKER_READY);
	assert_points_once(JOBS);
	assert_non_null(strstr(seen.text, "no memory is left; close something; going on without it"));
	worker_pool_close(p);
}

static void another_device_is_left_out(void **state)
{
	(void)state;
	struct worker_pool *p = start("another", 2);
	send_jobs(p, JOBS);
	await_state(p, WORKER_READY);
	assert_points_once(JOBS);
	assert_string_equal(record_get_text(worker_pool_device_record(p), "name"), "Scripted");
	assert_non_null(strstr(seen.text, "this is another device, Another (gfx900), not Scripted (gfx900)"));
	worker_pool_close(p);
}

/* The record would end the sweep. */
static void the_sweep_goes_on_without_a_worker_that_gives_up(void **state)
{
	(void)state;
	struct worker_pool *p = start("give-up", 2);
	send_jobs(p, JOBS);
	await_state(p, WORKER_READY);
	assert_points_once(JOBS);
	assert_int_equal(seen.fatal, 0);
	assert_non_null(strstr(seen.text, "the driver is gone"));
	worker_pool_close(p);
}

static void a_worker_keeps_the_device_that_it_named_first(void **state)
{
	(void)state;
	struct worker_pool *p = start("change", 2);
	send_jobs(p, JOBS);
	await_state(p, WORKER_READY);
	assert_points_once(JOBS);
	assert_int_equal(seen.devices, 1);
	assert_int_equal(seen.deaths, 0);
	worker_pool_close(p);
}

static void a_place_where_every_worker_dies_is_left_out(void **state)
{
	(void)state;
	struct err e = {0};
	const struct worker_place places[] = {{.device = "always"}, {.device = "all"}};
	struct worker_pool *p = worker_pool_start(places, 2, 0, &e);
	assert_non_null(p);
	send_jobs(p, JOBS);
	await_state(p, WORKER_READY);
	assert_points_once(JOBS);
	for (int i = 0; i < JOBS; i++)
		assert_int_equal(seen.failed[i], 0);
	assert_non_null(strstr(seen.text, "always: worker killed by SIGSEGV"));
	worker_pool_close(p);
}

static void points_of_several_devices_name_theirs(void **state)
{
	(void)state;
	struct err e = {0};
	const struct worker_place places[] = {{.device = "together"}, {.device = "together2"}};
	struct worker_pool *p = worker_pool_start(places, 2, JOBS, &e);
	int second = 0;
	assert_non_null(p);
	send_jobs(p, JOBS);
	await_state(p, WORKER_READY);
	assert_points_once(JOBS);
	for (int i = 0; i < JOBS; i++) {
		assert_true(!strcmp(seen.device[i], "together") || !strcmp(seen.device[i], "together2"));
		second += !strcmp(seen.device[i], "together2");
	}
	assert_in_range(second, 1, JOBS - 1);
	worker_pool_close(p);
	p = start("all", 2);
	send_jobs(p, 1);
	await_state(p, WORKER_READY);
	assert_string_equal(seen.device[0], "");
	worker_pool_close(p);
}

static void canceling_ends_all_jobs(void **state)
{
	(void)state;
	struct worker_status s = {0};
	struct worker_pool *p = start("hold", 2);
	send_jobs(p, 10);
	for (double end = now_seconds() + PATIENCE_S; now_seconds() < end && !s.job;) {
		step(p);
		worker_pool_get_status(p, 1, &s);
	}
	assert_int_not_equal(s.job, 0);
	assert_true(s.job_seconds >= 0);
	assert_int_equal(worker_pool_state(p), WORKER_BUSY);
	worker_pool_cancel(p);
	await_state(p, WORKER_READY);
	int answered = 0;
	for (int i = 0; i < JOBS; i++)
		answered += seen.points[i];
	assert_int_equal(answered, 2); /* those that were running; the queued ones are dropped */
	worker_pool_close(p);
}

static void canceling_one_job_ends_no_other(void **state)
{
	(void)state;
	struct worker_pool *p = start("hang", 1);
	send_jobs(p, 5);
	for (double end = now_seconds() + PATIENCE_S; now_seconds() < end && !is_claimed("waiting", 0);)
		step(p);
	worker_pool_cancel_job(p, 104); /* it is queued here: dropped */
	worker_pool_cancel_job(p, 100); /* at the worker, where 101 waits behind it */
	worker_pool_cancel_job(p, 999); /* there is none */
	await_state(p, WORKER_READY);
	assert_points_once(4);
	for (int i = 0; i < 4; i++)
		assert_int_equal(seen.canceled[i], i == 0);
	assert_int_equal(seen.deaths, 0);
	worker_pool_close(p);
}

static void closing_waits_for_all_processes(void **state)
{
	(void)state;
	struct worker_status s;
	int pids[4], n = 0;
	struct worker_pool *p = start("together", 4);
	send_jobs(p, JOBS);
	await_state(p, WORKER_READY);
	for (int i = 0; i < 4; i++) {
		worker_pool_get_status(p, i, &s);
		if (s.pid)
			pids[n++] = s.pid;
	}
	worker_pool_close(p);
	assert_true(n >= 2);
	while (n > 0)
		assert_int_equal(kill(pids[--n], 0), -1);
}

static void a_closed_pool_needs_no_worker(void **state)
{
	(void)state;
	worker_pool_close(NULL);
	worker_pool_close_async(NULL);
	worker_pool_close(start("hold", 3)); /* the device is not open yet */
}

static void the_number_of_workers(void **state)
{
	(void)state;
	struct err e = {0};
	int n = 0;
	assert_true(worker_count_parse("16", "soft:mi25", &n, &e) && n == 16);
	assert_true(worker_count_parse("auto", "soft:mi25", &n, &e) && n >= 1 && n <= WORKERS_AUTO_MAX);
	assert_true(worker_count_parse("auto", "hip:0", &n, &e) && n == 1);
	assert_true(worker_count_parse("1", "hip:0", &n, &e) && n == 1);
	assert_int_equal(worker_count_default("hip:0"), 1);
	assert_false(worker_count_parse("2", "hip:0", &n, &e));
	assert_string_equal(e.text, "hip:0 gets one worker, because several would share it; use --workers 1");
	static const char *const wrong[] = {"0", "-1", "65", "", "many", "2x", "99999999999999999999"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		assert_false(worker_count_parse(wrong[i], "soft:mi25", &n, &e));
		assert_int_equal(e.status, ST_REQUEST);
	}
}

/* --- main --- */
static char folder[SCRATCH_PATH];

static int make_folder(void **state)
{
	(void)state;
	memset(&seen, 0, sizeof seen);
	return !mkdtemp(scratch_path(folder, "pool-XXXXXX")) || setenv("POOL_FOLDER", folder, 1);
}

static int remove_folder(void **state)
{
	(void)state;
	temporary_folder_remove(folder);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "worker"))
		return run_script(argv[3]);
	setenv("WAVEDECK_WORKER", "/proc/self/exe", 1);
#define T(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)
	const struct CMUnitTest tests[] = {
		T(one_worker_answers_every_job),
		T(several_workers_measure_at_the_same_time),
		T(no_more_workers_start_than_jobs),
		T(all_workers_start_at_once_for_many_jobs),
		T(workers_that_start_at_once_report_one_error),
		T(points_of_several_devices_name_theirs),
		T(a_job_of_a_dead_worker_is_tried_three_times),
		T(the_job_behind_a_lost_device_is_not_blamed),
		T(three_points_in_a_row_that_end_their_workers_end_the_pool),
		T(a_device_that_cannot_be_opened_ends_the_pool),
		T(workers_that_die_while_opening_are_tried_three_times),
		T(the_sweep_goes_on_without_workers_that_cannot_open_the_device),
		T(another_device_is_left_out),
		T(the_sweep_goes_on_without_a_worker_that_gives_up),
		T(a_worker_keeps_the_device_that_it_named_first),
		T(a_place_where_every_worker_dies_is_left_out),
		T(canceling_ends_all_jobs),
		T(canceling_one_job_ends_no_other),
		T(closing_waits_for_all_processes),
		T(a_closed_pool_needs_no_worker),
		T(the_number_of_workers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

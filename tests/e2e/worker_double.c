/* A stand-in for a worker, for tests of the screen: speaks docs/protocol.md's protocol, answers every job with a
 * latency that depends on its parameters alone, after a delay. WORKER_DELAY_MS: a point's time (20; 1 is a thousand
 * points a second); WORKER_FATAL: a text with which the device refuses to open; WORKER_DIE_AT: dies by SEGV in the
 * middle of that point; WORKER_HOLD: no point ends while this file exists. Built by the tests that use it. */
#define _GNU_SOURCE
#include <jansson.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { JOBS = 256, REPORTS = 4 /* of a point's progress, before its end */ };
static json_t *jobs[JOBS];
static int count;

static void say(json_t *record)
{
	char *line = json_dumps(record, JSON_COMPACT);
	printf("%s\n", line);
	fflush(stdout);
	free(line);
	json_decref(record);
}

static json_t *ended(json_t *job, const char *status)
{
	json_t *p = json_pack("{s:s, s:O, s:O, s:O, s:O, s:s}", "type", "point", "job", json_object_get(job, "job"),
		"point", json_object_get(job, "point"), "experiment", json_object_get(job, "experiment"), "params",
		json_object_get(job, "params"), "status", status);
	return p;
}

static double cycles(json_t *params)
{
	const char *key;
	json_t *value;
	double sum = 200;
	json_object_foreach(params, key, value) sum +=
		json_is_number(value) && json_number_value(value) > 0 ? 11 * log2(json_number_value(value)) : 0;
	return sum;
}

static void finish(json_t *job)
{
	json_t *p = ended(job, "ok");
	double s = cycles(json_object_get(job, "params")) * 65536 / 1.5e9;
	json_object_set_new(p, "seconds", json_pack("[f,f,f]", s, s * 1.001, s * 1.002));
	json_object_update_new(p,
		json_pack("{s:i, s:i, s:i, s:n, s:b}", "sclk_mhz", 1500, "mclk_mhz", 945, "temp_c", 40, "power_w",
			"clocks_moved", 0));
	json_object_update_new(p,
		json_pack("{s:s, s:s, s:{s:s, s:s}}", "verify", "ok", "contract", "ok", "kernel", "hash", "0",
			"compiler", "none"));
	say(p);
}

static void cancel(void)
{
	for (int i = 0; i < count; i++) {
		say(ended(jobs[i], "cancelled"));
		json_decref(jobs[i]);
	}
	count = 0;
}

static void take(const char *line)
{
	json_t *r = json_loads(line, 0, NULL);
	const char *type = json_string_value(json_object_get(r, "type"));
	if (!type)
		return;
	if (!strcmp(type, "quit"))
		exit(0);
	if (!strcmp(type, "ping"))
		say(json_pack("{s:s, s:O}", "type", "pong", "seq", json_object_get(r, "seq")));
	if (!strcmp(type, "cancel"))
		cancel();
	if (!strcmp(type, "job") && count < JOBS)
		jobs[count++] = json_incref(r);
	json_decref(r);
}

static void progress(int done)
{
	json_t *job = jobs[0];
	if (done == 0)
		say(json_pack("{s:s, s:O, s:O, s:s}", "type", "state", "job", json_object_get(job, "job"), "point",
			json_object_get(job, "point"), "state", "running"));
	say(json_pack("{s:s, s:O, s:O, s:i, s:i}", "type", "progress", "job", json_object_get(job, "job"), "point",
		json_object_get(job, "point"), "done", done, "total", REPORTS));
	const char *die = getenv("WORKER_DIE_AT");
	if (die && done == 2 && json_integer_value(json_object_get(job, "point")) == atoi(die))
		raise(SIGSEGV);
}

static int is_held(void)
{
	const char *file = getenv("WORKER_HOLD");
	return file && !access(file, F_OK);
}

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void hello(void)
{
	say(json_pack(
		"{s:s, s:i, s:s, s:i}", "type", "hello", "protocol", 1, "program", "double", "pid", (int)getpid()));
	if (getenv("WORKER_FATAL")) {
		say(json_pack("{s:s, s:s, s:i}", "type", "fatal", "text", getenv("WORKER_FATAL"), "status", 1));
		exit(1);
	}
	say(json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:{}, s:{}, s:{}}", "type", "device", "device", "soft:mi25",
		"name", "Worker double", "arch", "gfx900", "kind", "soft", "deterministic", 0, "properties", "versions",
		"constants"));
}

int main(void)
{
	char line[1 << 16];
	size_t used = 0;
	double delay = getenv("WORKER_DELAY_MS") ? atof(getenv("WORKER_DELAY_MS")) : 20;
	int step = 0;
	/* By the clock, so that a slow host catches up and the rate holds. */
	double due = 0;
	hello();
	for (;;) {
		struct pollfd in = {.fd = 0, .events = POLLIN};
		double now = now_ms(), left = count ? due - now : 1000;
		struct timespec timeout = {
			.tv_sec = (time_t)(fmax(left, 0) / 1000), .tv_nsec = (long)(fmod(fmax(left, 0), 1000) * 1e6)};
		int n = ppoll(&in, 1, &timeout, NULL);
		if (n > 0) {
			ssize_t got = read(0, line + used, sizeof line - 1 - used);
			if (got <= 0)
				return 0;
			line[used += (size_t)got] = 0;
			for (char *nl; (nl = strchr(line, '\n'));) {
				*nl = 0;
				take(line);
				used -= (size_t)(nl + 1 - line);
				memmove(line, nl + 1, used + 1);
			}
			continue;
		}
		due = fmax(due, now - 50) + delay / (REPORTS + 1);
		if (!count) {
			say(json_pack("{s:s, s:i, s:i, s:i, s:n}", "type", "telemetry", "sclk_mhz", 852, "mclk_mhz",
				167, "temp_c", 35, "power_w"));
			step = 0;
		} else if (step < REPORTS) {
			progress(step++);
		} else if (!is_held()) {
			finish(jobs[0]);
			json_decref(jobs[0]);
			memmove(jobs, jobs + 1, (size_t)--count * sizeof *jobs);
			step = 0;
		}
	}
}

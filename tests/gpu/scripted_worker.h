/* The worker controller against a scripted worker: the test program itself, started with the name of the script as the
 * device. Include it after cmocka.h. */
#ifndef TESTS_GPU_SCRIPTED_WORKER_H
#define TESTS_GPU_SCRIPTED_WORKER_H

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "gpu/controller/worker_controller.h"
#include "gpu/protocol/record.h"

/* --- the worker --- */
static inline void say(const char *text)
{
	if (write(1, text, strlen(text)) < 0)
		_exit(3);
}

#define HELLO  "{\"type\":\"hello\",\"protocol\":1,\"program\":\"fake\",\"pid\":1}\n"
#define DEVICE "{\"type\":\"device\",\"device\":\"fake\",\"name\":\"Fake\",\"kind\":\"soft\"}\n"
#define POINT  "{\"type\":\"point\",\"job\":1,\"point\":2,\"status\":\"ok\",\"seconds\":[0.5]}\n"

/* Waits for a request of this type. */
static inline void wait_request(const char *type)
{
	static char line[65536];
	char mark[64];
	snprintf(mark, sizeof mark, "\"type\":\"%s\"", type);
	while (fgets(line, sizeof line, stdin))
		if (strstr(line, mark))
			return;
	_exit(0);
}

/* A script: does not answer, and has to be killed. */
static inline void script_silent(void)
{
	say(HELLO DEVICE);
	signal(SIGTERM, SIG_IGN);
	for (;;)
		pause();
}

struct worker_script {
	const char *name;
	void (*run)(void);
};

/* As the first thing in main: runs the script if this process is a worker, and ends it. `scripts` ends with a NULL. */
static inline void become_scripted_worker(int argc, char **argv, const struct worker_script *scripts)
{
	if (argc == 4 && !strcmp(argv[1], "worker")) {
		for (; scripts->name; scripts++)
			if (!strcmp(argv[3], scripts->name))
				scripts->run();
		exit(0);
	}
	setenv("WAVEDECK_WORKER", "/proc/self/exe", 1);
	log_to_stderr(LOG_ERROR + 1);
}

/* --- driving the controller --- */
static inline double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline void step(struct worker_controller *w)
{
	int two[2], n = worker_controller_poll_fds(w, two);
	struct pollfd fds[2];
	for (int i = 0; i < n; i++)
		fds[i] = (struct pollfd){.fd = two[i], .events = POLLIN};
	poll(fds, (nfds_t)n, 20);
	worker_controller_pump(w);
}

enum { PATIENCE = 120 /* seconds for an event on a busy host */ };

/* The next record of this type, NULL if none comes; drops other records. */
static inline json_t *await_record(struct worker_controller *w, const char *type)
{
	for (double end = now() + PATIENCE; now() < end;) {
		for (json_t *r; (r = worker_controller_next_record(w)); json_decref(r))
			if (!strcmp(record_get_type(r), type))
				return r;
		if (worker_controller_state(w) == WORKER_DEAD)
			return NULL;
		step(w);
	}
	return NULL;
}

static inline bool await_death(struct worker_controller *w)
{
	for (double end = now() + PATIENCE; now() < end && worker_controller_state(w) != WORKER_DEAD;)
		step(w);
	return worker_controller_state(w) == WORKER_DEAD;
}

static inline struct worker_controller *start(const char *script)
{
	struct err e;
	struct worker_controller *w = worker_controller_start(&(struct worker_place){.device = script}, &e);
	assert_non_null(w);
	return w;
}

static inline struct worker_controller *send_first_job(struct worker_controller *w)
{
	json_t *device = await_record(w, "device");
	assert_non_null(device);
	json_decref(device);
	assert_int_equal(worker_controller_state(w), WORKER_READY);
	assert_true(worker_controller_send(w, json_pack("{s:s,s:i,s:i}", "type", "job", "job", 1, "point", 2)));
	assert_int_equal(worker_controller_state(w), WORKER_BUSY);
	return w;
}

static inline struct worker_controller *start_with_job(const char *script)
{
	return send_first_job(start(script));
}

/* The worker dies, with `why` in the text about it. */
static inline void expect_crash_text(struct worker_controller *w, const char *why)
{
	assert_true(await_death(w));
	if (!strstr(worker_controller_crash_text(w), why))
		print_error("'%s' lacks '%s'\n", worker_controller_crash_text(w), why);
	assert_non_null(strstr(worker_controller_crash_text(w), why));
}

static inline bool logged(const char *text)
{
	for (size_t i = 0; i < log_line_count(); i++) {
		const char *line = log_get_line(i, NULL);
		if (line && strstr(line, text))
			return true;
	}
	return false;
}

#endif

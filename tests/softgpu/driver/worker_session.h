/* Helpers for tests that use the real worker: open a device, send a job, wait for its point. */
#ifndef TESTS_SOFTGPU_DRIVER_WORKER_SESSION_H
#define TESTS_SOFTGPU_DRIVER_WORKER_SESSION_H

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/log.h"
#include "gpu/controller/worker_controller.h"
#include "gpu/protocol/record.h"

enum { PATIENCE = 120 /* seconds for an event on a busy host */ };

static inline double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline void pump_worker(struct worker_controller *w)
{
	int two[2], n = worker_controller_poll_fds(w, two);
	struct pollfd fds[2];
	for (int i = 0; i < n; i++)
		fds[i] = (struct pollfd){.fd = two[i], .events = POLLIN};
	poll(fds, (nfds_t)n, 20);
	worker_controller_pump(w);
}

static inline json_t *wait_for_record(struct worker_controller *w, const char *type)
{
	for (double end = now() + PATIENCE; now() < end;) {
		for (json_t *r; (r = worker_controller_next_record(w)); json_decref(r))
			if (!strcmp(record_get_type(r), type))
				return r;
		if (worker_controller_state(w) == WORKER_DEAD)
			break;
		pump_worker(w);
	}
	if (*worker_controller_crash_text(w))
		print_message("worker: %s\n", worker_controller_crash_text(w));
	return NULL;
}

static inline bool wait_for_death(struct worker_controller *w)
{
	for (double end = now() + PATIENCE; now() < end && worker_controller_state(w) != WORKER_DEAD;)
		pump_worker(w);
	return worker_controller_state(w) == WORKER_DEAD;
}

static inline struct worker_controller *open_device(const char *device)
{
	struct err e = {0};
	struct worker_controller *w = worker_controller_start(&(struct worker_place){.device = device}, &e);
	assert_non_null(w);
	json_t *r = wait_for_record(w, "device");
	assert_non_null(r);
	json_decref(r);
	return w;
}

/* --- jobs --- */
struct job_text {
	const char *kernel, *buffers, *args, *shape, *reference, *more;
};

/* Sends a job built from parts, in which ' stands for ". */
static inline void send_job(struct worker_controller *w, int number, const struct job_text *t)
{
	char *text = xasprintf(
		"{'type':'job','job':%d,'point':%d,'experiment':'test','params':{'p':%d},'kernel':{%s},'buffers':[%s],'args':[%s],%s,"
		"'reference':%s%s}",
		number, number, number, t->kernel, t->buffers, t->args, t->shape, t->reference, t->more ? t->more : "");
	for (char *p = text; *p; p++)
		if (*p == '\'')
			*p = '"';
	json_t *job = json_loads(text, 0, NULL);
	assert_non_null(job);
	assert_true(worker_controller_send(w, job));
	free(text);
}

#define CHASE_BUFFERS "{'name':'buf','type':'int','count':65536,'fill':1},{'name':'out','type':'int','count':1}"
#define CHASE_ARGS(second, third)                                                  \
	"{'type':'const int *','buffer':'buf'},{'type':'unsigned','value':" second \
	"},{'type':'unsigned','value':" third "},{'type':'int *','buffer':'out'}"
#define CHASE "'file':'chase.hip','entry':'chase_range'"
#define ONE   "'grid':[1,1,1],'block':[1,1,1]"

static inline json_t *run_job(struct worker_controller *w, int number, const struct job_text *t)
{
	send_job(w, number, t);
	json_t *p = wait_for_record(w, "point");
	assert_non_null(p);
	return p;
}

static inline double seconds_of(const json_t *point)
{
	return json_number_value(json_array_get(json_object_get(point, "seconds"), 0));
}

static inline void assert_text(const json_t *o, const char *key, const char *expected)
{
	if (strcmp(record_get_text(o, key), expected))
		print_message(
			"error: %s, verify: %s\n", record_get_text(o, "error"), record_get_text(o, "verify_text"));
	assert_string_equal(record_get_text(o, key), expected);
}

/* Uses the program of this build as the worker, and silences its log. */
static inline void use_worker_of_this_build(void)
{
	const char *build = getenv("BUILD");
	char *program = xasprintf("%s/wavedeck", build ? build : "build");
	setenv("WAVEDECK_WORKER", program, 1);
	free(program);
	log_to_stderr(LOG_ERROR + 1);
}

#endif

/* A device without a GPU: its launches take the times that a test sets, with noise, in no host time. For the whole code
 * of a measurement. */
#ifndef TESTS_GPU_NOISY_DEVICE_H
#define TESTS_GPU_NOISY_DEVICE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/backends/noisy_runtime.h"
#include "gpu/protocol/job_record.h"
#include "gpu/protocol/record.h"
#include "gpu/worker/measure_point.h"
#include "gpu/worker/samples/telemetry_sampler.h"

#define NOISY_CLOCK 1000.0 /* MHz */

static double noisy_seconds; /* of a launch, without noise */
static int noisy_launches;   /* so far */

static void *noisy_alloc(void *device, size_t bytes, struct err *e)
{
	(void)device, (void)e;
	return malloc(bytes);
}
static void noisy_release(void *device, void *p)
{
	(void)device;
	free(p);
}
static bool noisy_transfer(void *device, void *to, const void *from, size_t bytes, struct err *e)
{
	(void)device, (void)e;
	memcpy(to, from, bytes);
	return true;
}
static bool noisy_begin(void *device, unsigned streams, struct err *e)
{
	(void)device, (void)streams, (void)e;
	return true;
}
static bool noisy_end(void *device, struct err *e)
{
	(void)device, (void)e;
	return true;
}
static bool noisy_copy(
	void *device, unsigned stream, bool to_device, void *on_device, void *on_host, size_t bytes, struct err *e)
{
	(void)device, (void)stream, (void)e;
	memcpy(to_device ? on_device : on_host, to_device ? on_host : on_device, bytes);
	return true;
}
static enum poll_state noisy_poll(void *device, double *seconds, struct err *e)
{
	(void)device, (void)e;
	*seconds = noisy_seconds;
	noisy_launches++;
	return POLL_DONE;
}
static struct clocks noisy_clocks(void)
{
	return (struct clocks){.sclk_mhz = {true, NOISY_CLOCK}};
}

static bool noisy_not_cancelled(void *ctx)
{
	(void)ctx;
	return false;
}
static void noisy_phase(void *ctx, enum job_phase p)
{
	(void)ctx, (void)p;
}
static void noisy_state(void *ctx, const char *text)
{
	(void)ctx, (void)text;
}
static void noisy_sampled(void *ctx, int done, int total)
{
	(void)ctx, (void)done, (void)total;
}

/* `noise`: "white:0.01+seed:3" */
static inline struct opened_device noisy_open(const char *noise)
{
	static const struct gpu_runtime host = {.alloc = noisy_alloc,
		.release = noisy_release,
		.alloc_host = noisy_alloc,
		.release_host = noisy_release,
		.write = noisy_transfer,
		.read = noisy_transfer,
		.begin = noisy_begin,
		.copy = noisy_copy,
		.end = noisy_end,
		.poll = noisy_poll};
	struct opened_device d = {.rt = &host, .read_clocks = noisy_clocks, .info = {.arch = "gfx900"}};
	struct noise_model model;
	struct err e;
	char name[200];
	snprintf(name, sizeof name, "mi25,noise=%s", noise);
	assert_true(noise_parse(name, &model, &e));
	noisy_runtime_wrap(&d, &model);
	telemetry_start(d.read_clocks, false);
	return d;
}

/* The record of the point with this number; the caller owns it. `samples`:
 * "'min':5,'max':30,'target':0.005,'seconds':2" */
static inline json_t *noisy_measure(const struct opened_device *d, int number, double seconds, const char *samples)
{
	const struct measure_callbacks m = {NULL, noisy_not_cancelled, noisy_phase, noisy_state, noisy_sampled};
	struct job j;
	struct err e = {0};
	char text[1000];
	bool lost;
	snprintf(text, sizeof text,
		"{'type':'job','job':%d,'point':%d,'experiment':'test','params':{},'verify':false,"
		"'buffers':[{'name':'buf','type':'int','count':4}],'args':[],'host':'pinned',"
		"'steps':[{'copy':'to_device','buffer':'buf','offset':0,'bytes':16,'stream':0}],'samples':{%s}}",
		number, number, samples);
	for (char *c = text; *c; c++)
		*c = *c == '\'' ? '"' : *c;
	json_t *record = json_loads(text, 0, NULL);
	assert_non_null(record);
	assert_true(job_parse(record, &j, &e) || (print_message("%s\n", e.text), false));
	noisy_seconds = seconds;
	noisy_launches = 0;
	json_t *point = measure_job_point(d, &j, &m, &lost);
	job_free(&j);
	assert_string_equal(record_get_text(point, "status"), "ok");
	return point;
}

#endif

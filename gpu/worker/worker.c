/* The worker: a reader thread answers requests at once, a progress thread reports, the main thread measures. */
#include "gpu/worker/worker.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/host_clock.h"
#include "base/log.h"
#include "gpu/backends/backend.h"
#include "gpu/clocks/lock_note.h"
#include "gpu/worker/measure_point.h"
#include "gpu/worker/process_limits.h"
#include "gpu/worker/received_content.h"
#include "gpu/worker/selftest_run.h"
#include "gpu/protocol/record.h"
#include "gpu/remote/build_identity.h"
#include "gpu/softgpu-link/measured_program.h"
#include "gpu/softgpu-link/fault_model.h"
#include "gpu/softgpu-link/noise_model.h"
#include "gpu/softgpu-link/softprobe.h"
#include "gpu/worker/samples/telemetry_sampler.h"
#include "gpu/protocol/worker_folder.h"
#include "gpu/protocol/worker_protocol.h"
#include "gpu/worker/worker_process.h"
#include "gpu/protocol/point_record.h"
#include "kernels/compile/kernel_build.h"

enum { PROGRESS_MS = 100, STOP_AGAIN_MS = 20, TELEMETRY_MS = 500, QUEUE_MAX = 256 };
enum { ABANDONED_MS = 3000 /* limit for host work of a canceled point while another job waits */ };
/* Time for a compiler to remove its files before the worker ends. A front end that waits for it kills it earlier. */
enum { QUIT_POLLS = 300, QUIT_POLL_MS = 10 };
enum { POINT_LAUNCHES = 2 /* launches of a point on a deterministic device: verification and sample */ };

/* --- state shared by the threads; `lock` protects it --- */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queued = PTHREAD_COND_INITIALIZER, measuring = PTHREAD_COND_INITIALIZER;
static json_t *queue[QUEUE_MAX];
static int queue_count;
static struct {
	json_t *record; /* the current job, borrowed; NULL if none */
	enum job_phase phase;
	bool cancelled;
	long long cancelled_ms; /* time of the cancellation, monotonic clock */
	bool answered;          /* its point record has been sent */
	int launches;           /* started so far */
} current;

static json_int_t read_integer(const json_t *o, const char *key)
{
	return json_integer_value(json_object_get(o, key));
}

static void send_cancelled(const json_t *record)
{
	struct job j = {.record = (json_t *)record,
		.job = record_get_job(record),
		.point = record_get_point(record),
		.experiment = record_get_experiment(record)};
	protocol_send(point_make_unmeasured(&j, "cancelled", NULL));
}

/* --- requests: the reader thread --- */
static void on_job(json_t *r)
{
	pthread_mutex_lock(&lock);
	bool full = queue_count == QUEUE_MAX;
	if (!full)
		queue[queue_count++] = json_incref(r);
	pthread_cond_signal(&queued);
	pthread_mutex_unlock(&lock);
	if (full)
		send_cancelled(r);
}

static void sleep_ms(int ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000L};
	nanosleep(&t, NULL);
}

/* Stops a launch on the software GPU, or kills a compiler. Other host work cannot be stopped: the point is answered at
 * once, and the work is abandoned. */
static void cancel_current(void)
{
	if (!current.record)
		return;
	if (!current.cancelled)
		current.cancelled_ms = now_ms();
	current.cancelled = true;
	pthread_cond_signal(&measuring);
	if (current.phase == JOB_PHASE_DEVICE) {
		softprobe_stop();
		return;
	}
	kernel_build_cancel();
	if (!current.answered) {
		current.answered = true;
		send_cancelled(current.record);
	}
}

static void drop_queue(int from)
{
	for (int i = from; i < queue_count; i++) {
		send_cancelled(queue[i]);
		json_decref(queue[i]);
	}
	queue_count = from < queue_count ? from : queue_count;
}

static void on_cancel(json_t *r)
{
	const json_t *which = json_object_get(r, "job");
	pthread_mutex_lock(&lock);
	int from = 0;
	if (which && !(current.record && record_get_job(current.record) == json_integer_value(which)))
		while (from < queue_count && record_get_job(queue[from]) != json_integer_value(which))
			from++;
	else
		cancel_current();
	drop_queue(from);
	pthread_mutex_unlock(&lock);
}

static void on_ping(json_t *r)
{
	protocol_send(json_pack("{s:s,s:I}", "type", "pong", "seq", read_integer(r, "seq")));
}

static void on_quit(json_t *r)
{
	(void)r;
	for (int i = 0; i < QUIT_POLLS && (kernel_build_cancel() | measured_program_kill()); i++)
		sleep_ms(QUIT_POLL_MS);
	telemetry_stop();
	worker_exit(0);
}

static void on_content(json_t *r)
{
	content_receive(r);
}

static const struct {
	const char *type;
	void (*on)(json_t *);
} requests[] = {
	{"job", on_job},
	{"content", on_content},
	{"cancel", on_cancel},
	{"ping", on_ping},
	{"quit", on_quit},
};

static void dispatch_request(json_t *r)
{
	for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
		if (!strcmp(record_get_type(r), requests[i].type)) {
			requests[i].on(r);
			return;
		}
	protocol_log("warning", "ignored a request of unknown type '%s'", record_get_type(r));
}

static void *read_requests(void *unused)
{
	(void)unused;
	for (json_t *r; (r = protocol_read()); json_decref(r))
		dispatch_request(r);
	on_quit(NULL);
	return NULL;
}

/* --- progress: this thread runs only during a launch or while canceled work continues --- */
static json_t *progress_record(uint64_t done, uint64_t total)
{
	return json_pack("{s:s,s:I,s:I,s:I,s:I}", "type", "progress", "job", record_get_job(current.record), "point",
		record_get_point(current.record), "done", (json_int_t)done, "total", (json_int_t)total);
}

/* Call it with the lock held. A C reference or hiprtc can be stopped only by ending the process. */
static void check_abandoned_work(void)
{
	kernel_build_cancel(); /* the compiler may have started after the first attempt */
	if (!queue_count || now_ms() - current.cancelled_ms < ABANDONED_MS)
		return;
	fprintf(stderr, "a canceled point did not end within %d s\n", ABANDONED_MS / 1000);
	telemetry_stop();
	worker_exit(1);
}

/* Call it with the lock held. Progress counts all launches of the point together. */
static void report_launch_progress(void)
{
	static uint64_t sent_groups, sent_instructions;
	struct softgpu_progress p = {0};
	if (current.cancelled)
		softprobe_stop(); /* the launch may have started after the first attempt */
	else if (softprobe_progress(&p) && (p.workgroups_done || p.instructions) &&
		(p.workgroups_done != sent_groups || p.instructions != sent_instructions)) {
		json_t *r = progress_record(p.workgroups * (uint64_t)(current.launches - 1) + p.workgroups_done,
			p.workgroups * POINT_LAUNCHES);
		json_object_set_new(r, "gpu_seconds", json_real((double)p.ns * 1e-9));
		json_object_set_new(r, "instructions", json_integer((json_int_t)p.instructions));
		protocol_send(r);
	}
	sent_groups = p.workgroups_done;
	sent_instructions = p.instructions;
}

static bool is_work_abandoned(void)
{
	return current.record && current.cancelled && current.phase == JOB_PHASE_HOST;
}

static void *report_progress(void *unused)
{
	(void)unused;
	for (;;) {
		pthread_mutex_lock(&lock);
		while (current.phase != JOB_PHASE_DEVICE && !is_work_abandoned())
			pthread_cond_wait(&measuring, &lock);
		bool cancelled = current.cancelled;
		pthread_mutex_unlock(&lock);
		sleep_ms(cancelled ? STOP_AGAIN_MS : PROGRESS_MS);
		pthread_mutex_lock(&lock);
		if (current.phase == JOB_PHASE_DEVICE)
			report_launch_progress();
		else if (is_work_abandoned())
			check_abandoned_work();
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

/* --- callbacks of a measurement --- */
static bool is_cancelled(void *ctx)
{
	(void)ctx;
	pthread_mutex_lock(&lock);
	bool c = current.cancelled;
	pthread_mutex_unlock(&lock);
	return c;
}

static void set_phase(void *ctx, enum job_phase p)
{
	(void)ctx;
	pthread_mutex_lock(&lock);
	current.phase = p;
	if (p == JOB_PHASE_DEVICE) {
		current.launches++;
		pthread_cond_signal(&measuring);
		if (current.cancelled)
			softprobe_stop();
	}
	pthread_mutex_unlock(&lock);
}

/* Reports nothing for a point that has been answered already. */
static void send_state(void *ctx, const char *state)
{
	(void)ctx;
	pthread_mutex_lock(&lock);
	if (!current.answered)
		protocol_send(json_pack("{s:s,s:I,s:I,s:s}", "type", "state", "job", record_get_job(current.record),
			"point", record_get_point(current.record), "state", state));
	pthread_mutex_unlock(&lock);
}

static void send_sampled(void *ctx, int done, int total)
{
	(void)ctx;
	static long long last;
	long long now = now_ms();
	if (now - last < PROGRESS_MS)
		return;
	last = now;
	pthread_mutex_lock(&lock);
	if (!current.answered)
		protocol_send(progress_record((uint64_t)done, (uint64_t)total));
	pthread_mutex_unlock(&lock);
}

static const struct measure_callbacks monitor = {NULL, is_cancelled, set_phase, send_state, send_sampled};

/* --- jobs: the main thread --- */
/* The others have times that the noise does not reach, or tell how well the device measures. */
static bool check_noise(const struct opened_device *d, const struct job *j, const json_t *record, struct err *e)
{
	bool reached = j->kind != JOB_PROGRAM && j->kind != JOB_CAPTURED && !selftest_is_requested(record);
	return reached || !d->begin_noisy_point ||
		err_set(e, ST_REQUEST,
			"noise and faults are only for the launches of experiments, not for programs, captured launches and tests of the device; remove noise= and fault=");
}

static json_t *measure_job(const struct opened_device *d, json_t *record, bool *lost)
{
	struct job j;
	struct err e = {0};
	json_t *point;
	if (!job_parse(json_incref(record), &j, &e) || !content_await(&j, d->info.arch, &monitor, &e) ||
		!check_noise(d, &j, record, &e))
		point = point_make_unmeasured(&j, "failed", &e);
	else
		point = selftest_is_requested(record) ? selftest_run(d, &j, &monitor, lost)
						      : measure_job_point(d, &j, &monitor, lost);
	job_free(&j);
	return point;
}

static void answer_current_job(json_t *point)
{
	pthread_mutex_lock(&lock);
	current.record = NULL;
	if (!current.answered)
		protocol_send(json_incref(point));
	pthread_mutex_unlock(&lock);
}

static void run_job(const struct opened_device *d, json_t *record)
{
	bool lost = false;
	json_t *point = measure_job(d, record, &lost);
	if (lost)
		protocol_send(json_pack("{s:s}", "type", "ending"));
	answer_current_job(point);
	if (lost) {
		fprintf(stderr, "device lost: %s\n", point_get_error(point));
		telemetry_stop();
		worker_exit(1);
	}
	json_decref(point);
}

/* A library that answers with errors is as good as none, which is reported when the device is opened. */
static void check_sensors(const struct opened_device *d, struct clocks c)
{
	if (d->has_sensors && !c.sclk_mhz.valid && !c.mclk_mhz.valid && !c.temp_c.valid && !c.power_w.valid)
		protocol_log("warning",
			"no clock readings: the library of the sensors answers with errors; metrics in cycles are missing");
}

static void send_telemetry(struct clocks c)
{
	json_t *o = json_pack("{s:s}", "type", "telemetry");
	record_set_clocks(o, c);
	protocol_send(o);
}

/* Waits for a job, at most `ms` if that is not 0; NULL when the time is up. */
static json_t *next_job(int ms)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += (until.tv_nsec / 1000000 + ms) / 1000;
	until.tv_nsec = (until.tv_nsec / 1000000 + ms) % 1000 * 1000000;
	json_t *r = NULL;
	int timed_out = 0;
	pthread_mutex_lock(&lock);
	while (!queue_count && !timed_out)
		timed_out = ms ? pthread_cond_timedwait(&queued, &lock, &until) == ETIMEDOUT
			       : pthread_cond_wait(&queued, &lock);
	if (queue_count) {
		r = queue[0];
		memmove(queue, queue + 1, (size_t)--queue_count * sizeof *queue);
		current.record = r;
		current.phase = JOB_PHASE_HOST;
		current.cancelled = current.answered = false;
		current.launches = 0;
	}
	pthread_mutex_unlock(&lock);
	return r;
}

/* The clocks of a software GPU do not change while it is idle. */
static void serve_jobs(const struct opened_device *d)
{
	for (;;) {
		json_t *r = next_job(device_has_host_time(d) ? TELEMETRY_MS : 0);
		if (r)
			run_job(d, r);
		else
			send_telemetry(telemetry_read_now());
		json_decref(r);
	}
}

/* --- start --- */
static void start_detached_thread(void *(*run)(void *))
{
	pthread_t t;
	if (!pthread_create(&t, NULL, run, NULL))
		pthread_detach(t);
}

static void send_hello(void)
{
	json_t *hello = json_pack("{s:s,s:i,s:s,s:i}", "type", "hello", "protocol", RECORD_PROTOCOL, "program",
		PROGRAM_VERSION, "pid", (int)getpid());
	if (worker_folder_is_own())
		build_identity_add(hello);
	protocol_send(hello);
}

static int send_fatal(const struct err *e)
{
	enum status status = e->status == ST_REQUEST ? ST_REQUEST : ST_FAILED;
	protocol_send(
		json_pack("{s:s,s:o,s:i}", "type", "fatal", "text", json_utf8_string(e->text), "status", (int)status));
	return (int)status;
}

/* --- a device that runs kernels --- */
static void send_device(const char *name, const struct backend *b, const struct opened_device *d)
{
	json_t *constants = softprobe_constants(), *counters = softprobe_counter_units();
	char noise[NOISE_TEXT] = "", faults[FAULT_TEXT] = "";
	if (d->begin_noisy_point) {
		noise_find_text(name, noise);
		fault_find_text(name, faults);
	}
	json_object_set_new(d->info.properties, "pci",
		json_sprintf("%04x:%02x:%02x.0", d->info.pci_domain, d->info.pci_bus, d->info.pci_device));
	json_t *locked = d->locked_mhz ? json_integer(d->locked_mhz) : NULL;
	protocol_send(json_pack("{s:s,s:s,s:s*,s:s,s:s,s:b,s:s*,s:s*,s:o*,s:O,s:o,s:o*,s:o*}", "type", "device",
		"device", name, "name", d->info.name, "arch", d->info.arch, "kind", b->prefix, "deterministic",
		d->deterministic, "noise", *noise ? noise : NULL, "fault", *faults ? faults : NULL, "locked_sclk_mhz",
		locked, "properties", d->info.properties, "versions", d->info.versions, "constants", constants,
		"counters", counters));
}

/* By this front end, or by another one. */
static unsigned read_locked_clock(const char *device)
{
	struct clock_note n;
	return clock_note_read(device, &n) && n.held ? n.mhz : 0;
}

static int serve_runtime(const char *device, const struct backend *b, struct opened_device *d)
{
	struct err e;
	telemetry_start(d->read_clocks, device_has_host_time(d));
	start_detached_thread(report_progress);
	send_device(device, b, d);
	struct clocks c = telemetry_read_now();
	check_sensors(d, c);
	send_telemetry(c);
	if (!d->rt->start(d->handle, &e))
		return send_fatal(&e);
	serve_jobs(d);
	return 0;
}

/* --- a device that answers jobs itself, such as a recording --- */
static int serve_answers(const char *device, const struct backend *b, struct opened_device *d)
{
	struct err e;
	json_object_set_new(d->record, "type", json_string("device"));
	json_object_set_new(d->record, "device", json_string(device));
	json_object_set_new(d->record, "kind", json_string(b->prefix));
	json_object_set_new(d->record, "deterministic", json_boolean(d->deterministic));
	protocol_send(json_incref(d->record));
	for (;;) {
		json_t *job = next_job(0), *point = b->answer(d->handle, job, &e);
		if (!point)
			return send_fatal(&e);
		answer_current_job(point);
		json_decref(point);
		json_decref(job);
	}
}

static int serve_device(const char *device, const struct backend *b, const char *rest)
{
	struct opened_device d = {0};
	struct err e = {0};
	if (!b->open(rest, &d, &e)) {
		process_limits_explain(&e);
		return send_fatal(&e);
	}
	d.locked_mhz = b->clock ? read_locked_clock(device) : 0;
	d.deterministic = b->capabilities & DEVICE_DETERMINISTIC && !d.begin_noisy_point;
	return d.rt ? serve_runtime(device, b, &d) : serve_answers(device, b, &d);
}

int worker_main(const char *device)
{
	struct err e = {0};
	const char *rest;
	const struct backend *b = device_name_check(device, &e) ? backend_find(device, &rest) : NULL;
	bool ok = b && process_limits_check_files(&e) && worker_process_prepare(device, b, rest, &e);
	protocol_open();
	start_detached_thread(read_requests);
	send_hello();
	return ok ? serve_device(device, b, rest) : send_fatal(&e);
}

/* What follows from each record of a worker. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host_clock.h"
#include "gpu/backends/backend.h"
#include "gpu/controller/controller_state.h"
#include "gpu/protocol/record.h"
#include "gpu/remote/build_identity.h"
#include "gpu/remote/via_command.h"
#include "gpu/protocol/point_record.h"

enum { KNOWN_WARNINGS = 8 };

/* --- each type: whether the record counts --- */
/* Whether another worker of this machine has sent the warning: about what the machine lacks, all of them do. */
static bool is_known_warning(const struct worker_controller *w, const char *text)
{
	static struct {
		char text[200], label[VIA_LABEL_MAX];
		pid_t sender;
	} known[KNOWN_WARNINGS];
	static size_t count;
	for (size_t i = 0; i < count && i < KNOWN_WARNINGS; i++)
		if (!strncmp(known[i].text, text, sizeof known[i].text - 1) && !strcmp(known[i].label, w->label))
			return known[i].sender != w->process.pid;
	size_t at = count++ % KNOWN_WARNINGS;
	snprintf(known[at].text, sizeof known[at].text, "%s", text);
	snprintf(known[at].label, sizeof known[at].label, "%s", w->label);
	known[at].sender = w->process.pid;
	return false;
}

static bool handle_log(struct worker_controller *w, const json_t *r)
{
	static const struct {
		const char *name;
		enum log_level level;
	} levels[] = {
		{"debug", LOG_DEBUG},
		{"info", LOG_INFO},
		{"warning", LOG_WARNING},
		{"error", LOG_ERROR},
	};
	enum log_level level = LOG_WARNING;
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
		if (!strcmp(record_get_text(r, "level"), levels[i].name))
			level = levels[i].level;
	if (level == LOG_WARNING && is_known_warning(w, record_get_text(r, "text")))
		level = LOG_INFO;
	controller_log_line(w, level, "", record_get_text(r, "text"));
	return true;
}

static void check_hello_elsewhere(struct worker_controller *w, const json_t *r)
{
	char why[sizeof w->killed], *connection = via_copy_connection(w->via);
	if (!build_identity_check(r, w->label, connection, device_can(w->device, DEVICE_SIMULATED), why, sizeof why))
		controller_reject_worker(w, why);
	free(connection);
	free(w->host);
	w->host = xstrdup(record_get_text(r, "host"));
}

static bool handle_hello(struct worker_controller *w, const json_t *r)
{
	char why[160];
	json_int_t protocol = record_get_integer(r, "protocol");
	if (w->limits.greeted) {
		controller_count_stray(w, 0);
		return false;
	}
	w->limits = (struct output_limits){.greeted = true};
	if (w->via) {
		check_hello_elsewhere(w, r);
	} else if (protocol != RECORD_PROTOCOL) {
		snprintf(why, sizeof why,
			"the worker uses protocol %lld, this program %d; use a worker of the same version",
			(long long)protocol, RECORD_PROTOCOL);
		controller_reject_worker(w, why);
	}
	return true;
}

/* A record of this machine has no host. */
static void note_host(const struct worker_controller *w, const json_t *r)
{
	if (w->host)
		json_object_set_new((json_t *)r, "host", json_utf8_string(w->host));
}

static bool handle_device(struct worker_controller *w, const json_t *r)
{
	if (!w->limits.greeted) {
		controller_reject_worker(w,
			"the worker does not say hello, so its version is not known; use a worker of the same version");
		return false;
	}
	if (w->device_record) {
		controller_count_stray(w, 0);
		return false;
	}
	w->device_record = json_incref((json_t *)r);
	note_host(w, r);
	if (w->state == WORKER_STARTING)
		w->state = w->job_count ? WORKER_BUSY : WORKER_READY;
	return true;
}

static bool handle_fatal(struct worker_controller *w, const json_t *r)
{
	w->fatal = true;
	w->fatal_status = record_get_integer(r, "status") == ST_REQUEST ? ST_REQUEST : ST_FAILED;
	snprintf(w->crash_text, sizeof w->crash_text, "%s", record_get_text(r, "text"));
	if (!w->kill_at)
		w->kill_at = now_ms() + CONTROLLER_GRACE_MS;
	return true;
}

static bool handle_ending(struct worker_controller *w, const json_t *r)
{
	(void)r;
	w->ending = true;
	return true;
}

static bool handle_need(struct worker_controller *w, const json_t *r)
{
	const json_t *hashes = json_object_get(r, "hashes");
	for (size_t i = 0; i < json_array_size(hashes); i++) {
		const char *hash = json_string_value(json_array_get(hashes, i));
		json_t *content = hash ? content_offer_take(&w->offer, hash) : NULL;
		if (content)
			controller_queue_request(w, content);
		else
			controller_count_stray(w, 0);
	}
	return true;
}

/* A record about a job that this worker does not have says nothing about the worker's own. */
static bool is_of_own_job(struct worker_controller *w, const json_t *r)
{
	char text[80];
	if (controller_find_job(w, record_get_job(r), record_get_point(r)))
		return true;
	controller_count_stray(w, 0);
	snprintf(text, sizeof text, "job %lld, point %lld", (long long)record_get_job(r),
		(long long)record_get_point(r));
	controller_log_line(w, LOG_WARNING, "ignored a record of a job that the worker does not have: ", text);
	return false;
}

static bool handle_state(struct worker_controller *w, const json_t *r)
{
	if (!is_of_own_job(w, r))
		return false;
	w->compiling = !strcmp(record_get_text(r, "state"), "compiling");
	return true;
}

static void check_readings(struct worker_controller *w, const json_t *r)
{
	const char *cleared = record_clear_impossible((json_t *)r);
	if (cleared)
		controller_log_line(w, LOG_WARNING, "left out readings that no sensor can report: ", cleared);
}

/* A point is what was asked for: the same experiment with the same parameters. */
static bool is_asked_point(struct worker_controller *w, const json_t *r)
{
	char why[200];
	const struct outstanding *job = controller_find_job(w, record_get_job(r), record_get_point(r));
	if (!point_is_ok(r) ||
		(record_values_equal(record_get_params(r), record_get_params(job->request)) &&
			!strcmp(record_get_experiment(r), record_get_experiment(job->request))))
		return true;
	snprintf(why, sizeof why,
		"the worker answers point %lld with other parameters than it was asked for; use a worker of the same version",
		(long long)job->point + 1);
	controller_forget_jobs(w);
	controller_reject_worker(w, why);
	return false;
}

static void fail_point(const json_t *r, const char *why)
{
	json_object_set_new((json_t *)r, "status", json_string("failed"));
	json_object_set_new((json_t *)r, "error", json_string(why));
}

/* A point that is neither measured nor failed would have no place in a table; one that is canceled without a request
 * would be missing without a reason. */
static void check_status(const struct worker_controller *w, const struct outstanding *job, const json_t *r)
{
	const char *status = point_get_status(r);
	if (strcmp(status, "ok") && strcmp(status, "failed") && strcmp(status, "cancelled"))
		fail_point(r, "the worker sent a point without a valid status");
	else if (!strcmp(status, "cancelled") && job >= w->jobs + w->to_cancel)
		fail_point(r, "the worker canceled the point without a request");
}

static bool handle_point(struct worker_controller *w, const json_t *r)
{
	if (!is_of_own_job(w, r) || !is_asked_point(w, r))
		return false;
	check_status(w, controller_find_job(w, record_get_job(r), record_get_point(r)), r);
	controller_end_job(w, record_get_job(r), record_get_point(r));
	check_readings(w, r);
	note_host(w, r);
	stderr_summary_clear(&w->summary);
	w->limits.error_lines = w->limits.error_bytes = 0;
	return true;
}

static bool handle_telemetry(struct worker_controller *w, const json_t *r)
{
	check_readings(w, r);
	return true;
}

static bool take_progress(struct worker_controller *w, const json_t *r)
{
	return is_of_own_job(w, r);
}

static bool take_pong(struct worker_controller *w, const json_t *r)
{
	(void)w;
	(void)r;
	return true;
}

/* All records that a worker may send. `internal` ones are not returned by worker_controller_next_record. */
static const struct {
	const char *type;
	bool (*on)(struct worker_controller *, const json_t *);
	bool internal;
} types[] = {
	{"hello", handle_hello, false},
	{"device", handle_device, false},
	{"fatal", handle_fatal, false},
	{"state", handle_state, false},
	{"progress", take_progress, false},
	{"point", handle_point, false},
	{"ending", handle_ending, true},
	{"need", handle_need, true},
	{"telemetry", handle_telemetry, false},
	{"log", handle_log, true},
	{"pong", take_pong, true},
};

/* --- records for the caller --- */
static void enqueue_record(struct worker_controller *w, json_t *r)
{
	if (w->count == w->cap && w->head) {
		memmove(w->queue, w->queue + w->head, (w->count - w->head) * sizeof *w->queue);
		w->count -= w->head;
		w->head = 0;
	}
	if (w->count == w->cap) {
		w->cap = w->cap ? 2 * w->cap : 64;
		w->queue = xrealloc(w->queue, w->cap * sizeof *w->queue);
	}
	w->queue[w->count++] = r;
}

json_t *worker_controller_next_record(struct worker_controller *w)
{
	if (w->head < w->count)
		return w->queue[w->head++];
	w->head = w->count = 0;
	return NULL;
}

static int find_record_type(const char *type)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (!strcmp(type, types[i].type))
			return (int)i;
	return -1;
}

bool controller_handle_record(struct worker_controller *w, json_t *r)
{
	char why[120];
	const char *type = record_get_type(r);
	int at = find_record_type(type);
	if (at < 0)
		return false;
	if (strcmp(type, "point") && !output_count_record(&w->limits, now_ms(), why, sizeof why)) {
		controller_kill_flooder(w, why);
		json_decref(r);
		return true;
	}
	if (types[at].on(w, r) && !types[at].internal)
		enqueue_record(w, r);
	else
		json_decref(r);
	return true;
}

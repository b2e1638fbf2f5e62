/* Starts a worker, exchanges records with it, and stops it if it does not respond. */
#include "gpu/controller/worker_controller.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "base/log.h"
#include "gpu/backends/backend.h"
#include "gpu/controller/output_limits.h"
#include "gpu/controller/worker_crash.h"
#include "gpu/controller/worker_spawn.h"
#include "gpu/protocol/record.h"
#include "gpu/remote/build_identity.h"
#include "gpu/remote/content_offer.h"
#include "gpu/remote/via_command.h"

enum {
	PING_MS = 1000,
	SILENCE_MS = 5000,
	CANCEL_MS = 1000,
	/* A connection may lose a packet: TCP sends it again after 0.2 s, and doubles that each time (RFC 6298, 5.5),
	 * so six losses in a row take 13 s. */
	SILENCE_ELSEWHERE_MS = 20000,
	CANCEL_ELSEWHERE_MS = 5000,
	GRACE_MS = 250, /* from "quit" to SIGKILL: time for the telemetry to stop */
	REAP_MS = 300,  /* time for the process to end after it has closed its output */
	JOBS_MAX = 256,
	STRAY_LOGGED = 3, /* lines that are not records */
};

struct outstanding {
	json_int_t job, point;
};

struct worker_controller {
	char device[DEVICE_NAME_MAX];
	char *via;                 /* the command that started it elsewhere; NULL: this machine */
	char label[VIA_LABEL_MAX]; /* of a place elsewhere */
	struct spawned_worker process;
	struct output_limits limits;
	struct content_offer offer;
	char *host;                    /* of a worker elsewhere, from its hello; NULL: this machine, or unknown */
	struct buf to, from, err_text; /* not yet written; not yet parsed; standard error */
	json_t **queue;                /* records for the caller: [head, count) */
	size_t head, count, cap;
	struct outstanding jobs[JOBS_MAX];
	size_t job_count;
	size_t to_cancel; /* the first jobs: those that existed when worker_controller_cancel was called */
	json_t *device_record;
	enum worker_controller_state state;
	struct stderr_summary summary;
	char crash_text[640];
	char killed[500]; /* why we killed it; "" if we did not */
	bool fatal, compiling;
	bool ignored; /* what it still sends */
	enum status fatal_status;
	long long pumped, heard, pinged, cancelled, kill_at, ended; /* ms; 0: never */
	json_int_t ping;
};

/* --- start --- */
struct worker_controller *worker_controller_start(const struct worker_place *place, struct err *e)
{
	struct worker_controller *w = xcalloc(1, sizeof *w);
	snprintf(w->device, sizeof w->device, "%s", place->device);
	w->via = place->via ? xstrdup(place->via) : NULL;
	if (w->via)
		via_format_label(w->via, w->label);
	bool fits = strlen(place->device) < sizeof w->device;
	if (!fits)
		err_set(e, ST_REQUEST, "device name too long: at most %zu characters are supported",
			sizeof w->device - 1);
	if (!fits || !worker_spawn(place, &w->process, e)) {
		free(w->via);
		free(w);
		return NULL;
	}
	w->pumped = w->heard = now_ms();
	return w;
}

/* --- writing --- */
static void flush_requests(struct worker_controller *w)
{
	while (w->to.len && w->process.in >= 0) {
		ssize_t n = send(w->process.in, w->to.data, w->to.len, MSG_NOSIGNAL);
		if (n > 0)
			buf_consume(&w->to, (size_t)n);
		else if (n < 0 && errno == EINTR)
			continue;
		else
			break; /* full: the next pump continues; broken: end of file on the output shows it */
	}
}

static void queue_request(struct worker_controller *w, json_t *record)
{
	char *line = record_format_line(record);
	buf_puts(&w->to, line);
	free(line);
	json_decref(record);
	flush_requests(w);
}

static json_int_t record_integer(const json_t *record, const char *key)
{
	return json_integer_value(json_object_get(record, key));
}

/* Takes the job. Its files are those of this machine. */
static json_t *offer_content(struct worker_controller *w, json_t *job)
{
	json_t *copy = content_offer_job(&w->offer, job, record_get_text(w->device_record, "arch"));
	json_decref(job);
	return copy;
}

bool worker_controller_send(struct worker_controller *w, json_t *request)
{
	bool job = !strcmp(record_get_type(request), "job");
	if (w->state == WORKER_DEAD || w->kill_at || (job && w->job_count == JOBS_MAX)) {
		json_decref(request);
		return false;
	}
	if (job) {
		if (!w->job_count)
			w->heard = now_ms(); /* an idle worker may be silent */
		w->jobs[w->job_count++] =
			(struct outstanding){record_integer(request, "job"), record_integer(request, "point")};
		if (w->state == WORKER_READY)
			w->state = WORKER_BUSY;
		if (w->via)
			request = offer_content(w, request);
	}
	queue_request(w, request);
	return true;
}

void worker_controller_cancel(struct worker_controller *w)
{
	if (w->state == WORKER_DEAD || !w->job_count)
		return;
	if (!w->cancelled)
		w->cancelled = now_ms();
	w->to_cancel = w->job_count;
	queue_request(w, json_pack("{s:s}", "type", "cancel"));
}

/* --- reading --- */
/* False if the worker has no such job. */
static bool job_ended(struct worker_controller *w, json_int_t job, json_int_t point)
{
	bool found = false;
	for (size_t i = 0; i < w->job_count; i++) {
		if (w->jobs[i].job != job || w->jobs[i].point != point)
			continue;
		memmove(&w->jobs[i], &w->jobs[i + 1], (w->job_count - i - 1) * sizeof *w->jobs);
		w->job_count--;
		found = true;
		if (i < w->to_cancel && !--w->to_cancel)
			w->cancelled = 0;
		break;
	}
	if (!w->job_count && w->state == WORKER_BUSY)
		w->state = WORKER_READY;
	return found;
}

/* --- too much output --- */
static void explain_kill(struct worker_controller *w, const char *why)
{
	snprintf(w->killed, sizeof w->killed, "worker%s%s killed: %s", w->via ? " on " : "", w->label, why);
}

static void kill_flooder(struct worker_controller *w, const char *why)
{
	if (w->ignored)
		return;
	explain_kill(w, why);
	w->kill_at = now_ms();
	w->ignored = true;
}

/* A line that is not a record, or a record that answers nothing. */
static void count_stray(struct worker_controller *w, size_t bytes)
{
	char why[120];
	if (!output_count_stray(&w->limits, bytes, why, sizeof why))
		kill_flooder(w, why);
}

static void log_from_worker(struct worker_controller *w, enum log_level level, const char *before, const char *text)
{
	bool last;
	if (!output_may_log(&w->limits, now_ms(), &last))
		return;
	log_printf(level, "%s%.300s", before, text);
	if (last)
		log_printf(level, "the worker writes more lines in this second; they are left out");
}

/* --- records --- */
static void handle_log(struct worker_controller *w, const json_t *r)
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
	log_from_worker(w, level, "", record_get_text(r, "text"));
}

/* It would be the same for another worker of this place. */
static void reject_worker(struct worker_controller *w, const char *why)
{
	w->fatal = true;
	w->fatal_status = ST_FAILED;
	snprintf(w->killed, sizeof w->killed, "%s", why);
	w->kill_at = now_ms();
	w->ignored = true;
}

static void check_hello_elsewhere(struct worker_controller *w, const json_t *r)
{
	char why[sizeof w->killed], *connection = via_copy_connection(w->via);
	if (!build_identity_check(r, w->label, connection, device_can(w->device, DEVICE_SIMULATED), why, sizeof why))
		reject_worker(w, why);
	free(connection);
	free(w->host);
	w->host = xstrdup(record_get_text(r, "host"));
}

static void handle_hello(struct worker_controller *w, const json_t *r)
{
	char why[160];
	json_int_t protocol = record_integer(r, "protocol");
	if (w->limits.greeted) {
		count_stray(w, 0);
		return;
	}
	w->limits = (struct output_limits){.greeted = true};
	if (w->via) {
		check_hello_elsewhere(w, r);
	} else if (protocol != RECORD_PROTOCOL) {
		snprintf(why, sizeof why,
			"the worker uses protocol %lld, this program %d; use a worker of the same version",
			(long long)protocol, RECORD_PROTOCOL);
		reject_worker(w, why);
	}
}

/* A record of this machine has no host. */
static void note_host(const struct worker_controller *w, const json_t *r)
{
	if (w->host)
		json_object_set_new((json_t *)r, "host", json_utf8_string(w->host));
}

static void handle_device(struct worker_controller *w, const json_t *r)
{
	json_decref(w->device_record);
	w->device_record = json_incref((json_t *)r);
	note_host(w, r);
	if (w->state == WORKER_STARTING)
		w->state = w->job_count ? WORKER_BUSY : WORKER_READY;
}

static void handle_fatal(struct worker_controller *w, const json_t *r)
{
	w->fatal = true;
	w->fatal_status = record_integer(r, "status") == ST_REQUEST ? ST_REQUEST : ST_FAILED;
	snprintf(w->crash_text, sizeof w->crash_text, "%s", record_get_text(r, "text"));
}

static void handle_need(struct worker_controller *w, const json_t *r)
{
	const json_t *hashes = json_object_get(r, "hashes");
	for (size_t i = 0; i < json_array_size(hashes); i++) {
		const char *hash = json_string_value(json_array_get(hashes, i));
		json_t *content = hash ? content_offer_take(&w->offer, hash) : NULL;
		if (content)
			queue_request(w, content);
		else
			count_stray(w, 0);
	}
}

static void handle_state(struct worker_controller *w, const json_t *r)
{
	w->compiling = !strcmp(record_get_text(r, "state"), "compiling");
}

static void handle_point(struct worker_controller *w, const json_t *r)
{
	if (!job_ended(w, record_integer(r, "job"), record_integer(r, "point")))
		count_stray(w, 0);
	note_host(w, r);
	stderr_summary_clear(&w->summary);
	w->limits.error_lines = w->limits.error_bytes = 0;
}

static void ignore_record(struct worker_controller *w, const json_t *r)
{
	(void)w;
	(void)r;
}

/* All records that a worker may send. `internal` ones are not returned by worker_controller_next_record. */
static const struct {
	const char *type;
	void (*on)(struct worker_controller *, const json_t *);
	bool internal;
} types[] = {
	{"hello", handle_hello, false},
	{"device", handle_device, false},
	{"fatal", handle_fatal, false},
	{"state", handle_state, false},
	{"progress", ignore_record, false},
	{"point", handle_point, false},
	{"need", handle_need, true},
	{"telemetry", ignore_record, false},
	{"log", handle_log, true},
	{"pong", ignore_record, true},
};

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

static void handle_record(struct worker_controller *w, json_t *r)
{
	char why[120];
	const char *type = record_get_type(r);
	if (strcmp(type, "point") && !output_count_record(&w->limits, now_ms(), why, sizeof why)) {
		kill_flooder(w, why);
		json_decref(r);
		return;
	}
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		if (strcmp(type, types[i].type))
			continue;
		types[i].on(w, r);
		if (types[i].internal)
			json_decref(r);
		else
			enqueue_record(w, r);
		return;
	}
}

static bool is_known_type(const char *type)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (!strcmp(type, types[i].type))
			return true;
	return false;
}

/* A login may print a text before the worker starts. */
static void handle_line(struct worker_controller *w, const char *line, size_t n)
{
	json_t *r = *line == '{' ? json_loadb(line, n, 0, NULL) : NULL;
	if (r && is_known_type(record_get_type(r))) {
		handle_record(w, r);
		return;
	}
	json_decref(r);
	count_stray(w, n);
	if (w->limits.lines > STRAY_LOGGED)
		return;
	bool banner = w->via && !w->limits.greeted;
	char *text = xasprintf("%.*s", (int)(n < 120 ? n : 120), line);
	log_from_worker(
		w, banner ? LOG_INFO : LOG_WARNING, "ignored a line from the worker that is not a record: ", text);
	free(text);
}

/* Passes every complete line of `b` to `handle`, and an endless one in parts. */
static void handle_lines(
	struct worker_controller *w, struct buf *b, void (*handle)(struct worker_controller *, const char *, size_t))
{
	size_t at = 0;
	for (char *nl; at < b->len && !w->ignored && (nl = memchr(b->data + at, '\n', b->len - at));
		at = (size_t)(nl - b->data) + 1) {
		*nl = 0;
		if (nl > b->data + at)
			handle(w, b->data + at, (size_t)(nl - b->data) - at);
	}
	buf_consume(b, w->ignored ? b->len : at);
	if (b->len > RECORD_LINE_MAX) {
		handle(w, "(an endless line)", b->len);
		buf_clear(b);
	}
}

static void handle_stderr_line(struct worker_controller *w, const char *line, size_t n)
{
	char why[120];
	stderr_summary_add(&w->summary, line);
	log_from_worker(w, LOG_INFO, "worker: ", line);
	if (!output_count_errors(&w->limits, n, why, sizeof why))
		kill_flooder(w, why);
}

/* Reads what is available, at most about `most` bytes; true if there was something. */
static bool read_available(int *fd, struct buf *b, size_t most)
{
	char bytes[16384];
	size_t got = 0;
	while (*fd >= 0 && got < most) {
		ssize_t n = read(*fd, bytes, sizeof bytes);
		if (n > 0) {
			buf_add(b, bytes, (size_t)n);
			got += (size_t)n;
		} else if (n < 0 && errno == EINTR) {
			continue;
		} else {
			if (n == 0 || errno != EAGAIN)
				worker_spawn_close(fd);
			break;
		}
	}
	return got > 0;
}

/* True if there was something. */
static bool read_worker_output(struct worker_controller *w)
{
	bool records = read_available(&w->process.out, &w->from, OUTPUT_TURN);
	if (records) {
		w->heard = now_ms();
		handle_lines(w, &w->from, handle_line);
	}
	bool errors = read_available(&w->process.err, &w->err_text, ERRORS_TURN);
	if (errors)
		handle_lines(w, &w->err_text, handle_stderr_line);
	return records || errors;
}

/* --- end of the worker, timeouts --- */
static void describe_activity(const struct worker_controller *w, char *out, size_t size)
{
	if (w->job_count)
		snprintf(out, size, "%s point %lld", w->compiling ? "compiling for" : "running",
			(long long)w->jobs[0].point + 1);
	else
		snprintf(out, size, "%s", w->state == WORKER_STARTING ? "opening the device" : "");
}

static bool describe_lost_connection(struct worker_controller *w, int status, const char *what)
{
	bool hopeless;
	const struct via_end end = {w->via, w->label, status, w->limits.greeted, w->summary.last, what};
	bool lost = via_describe_end(&end, w->crash_text, sizeof w->crash_text, &hopeless);
	w->fatal |= hopeless;
	w->fatal_status = hopeless ? ST_FAILED : w->fatal_status;
	return lost;
}

static void handle_worker_end(struct worker_controller *w, int status)
{
	char what[64];
	while (read_worker_output(w) && !w->ignored)
		;
	if (w->err_text.len)
		handle_stderr_line(w, w->err_text.data, w->err_text.len); /* the last line has no newline */
	describe_activity(w, what, sizeof what);
	if (*w->killed)
		snprintf(w->crash_text, sizeof w->crash_text, "%s%s%s", w->killed, *what ? " while " : "", what);
	else if (!*w->crash_text && !(w->via && describe_lost_connection(w, status, what)))
		worker_crash_describe(w->crash_text, sizeof w->crash_text, status, &w->summary, what);
	kill(-w->process.pid, SIGKILL); /* a compiler that it may have left running */
	worker_spawn_remove_folder(&w->process);
	w->state = WORKER_DEAD;
	w->job_count = 0;
	worker_spawn_close(&w->process.in);
	worker_spawn_close(&w->process.out);
	worker_spawn_close(&w->process.err);
}

static void begin_kill(struct worker_controller *w, const char *why)
{
	if (w->kill_at)
		return;
	explain_kill(w, why);
	queue_request(w, json_pack("{s:s}", "type", "quit"));
	w->kill_at = now_ms() + GRACE_MS;
}

static void begin_timed_kill(struct worker_controller *w, const char *format, int ms)
	__attribute__((format(printf, 2, 0)));
static void begin_timed_kill(struct worker_controller *w, const char *format, int ms)
{
	char why[80];
	snprintf(why, sizeof why, format, ms / 1000);
	begin_kill(w, why);
}

static void check_timeouts(struct worker_controller *w, long long now)
{
	/* If this process was stopped (^Z) or suspended, that time does not count as silence of the worker. */
	if (now - w->pumped > PING_MS)
		w->heard += now - w->pumped;
	int silence = w->via ? SILENCE_ELSEWHERE_MS : SILENCE_MS, cancel = w->via ? CANCEL_ELSEWHERE_MS : CANCEL_MS;
	/* Before its hello, a worker elsewhere may wait for its machine. */
	bool expected = (w->job_count || w->state == WORKER_STARTING) && (!w->via || w->limits.greeted);
	if (expected && now - w->pinged >= PING_MS) {
		queue_request(w, json_pack("{s:s,s:I}", "type", "ping", "seq", ++w->ping));
		w->pinged = now;
	}
	if (expected && now - w->heard >= silence)
		begin_timed_kill(w, "no answer for %d s", silence);
	if (w->cancelled && now - w->cancelled >= cancel)
		begin_timed_kill(w, "it did not cancel within %d s", cancel);
	if (w->kill_at && now >= w->kill_at)
		kill(-w->process.pid, SIGKILL);
}

void worker_controller_pump(struct worker_controller *w)
{
	if (w->state == WORKER_DEAD)
		return;
	int status;
	long long now = now_ms();
	flush_requests(w);
	read_worker_output(w);
	if (waitpid(w->process.pid, &status, WNOHANG) == w->process.pid) {
		handle_worker_end(w, status);
		return;
	}
	if (w->process.out < 0 && !w->ended)
		w->ended = now;
	if (w->ended && now - w->ended >= REAP_MS)
		kill(-w->process.pid, SIGKILL); /* it closed its output but did not end */
	check_timeouts(w, now);
	w->pumped = now;
}

static bool wait_for_exit(struct worker_controller *w, int ms)
{
	for (long long end = now_ms() + ms; now_ms() < end; usleep(2000)) {
		if (waitpid(w->process.pid, NULL, WNOHANG) == w->process.pid)
			return true;
		read_available(&w->process.out, &w->from, OUTPUT_TURN); /* a full pipe would block it */
		read_available(&w->process.err, &w->err_text, ERRORS_TURN);
		buf_clear(&w->from);
		buf_clear(&w->err_text);
	}
	return false;
}

void worker_controller_close(struct worker_controller *w)
{
	if (!w)
		return;
	if (w->state != WORKER_DEAD) {
		queue_request(w, json_pack("{s:s}", "type", "quit"));
		worker_spawn_close(&w->process.in);
		bool reaped = wait_for_exit(w, 1000);
		kill(-w->process.pid, SIGKILL); /* and a compiler that it may have left running */
		if (!reaped)
			waitpid(w->process.pid, NULL, 0);
	}
	worker_spawn_remove_folder(&w->process);
	worker_spawn_close(&w->process.in);
	worker_spawn_close(&w->process.out);
	worker_spawn_close(&w->process.err);
	for (json_t *r; (r = worker_controller_next_record(w));)
		json_decref(r);
	free(w->queue);
	free(w->via);
	free(w->host);
	content_offer_free(&w->offer);
	json_decref(w->device_record);
	buf_free(&w->to);
	buf_free(&w->from);
	buf_free(&w->err_text);
	free(w);
}

static void *close_in_thread(void *worker)
{
	worker_controller_close(worker);
	return NULL;
}

/* Only the new thread uses the worker from now on. If this process ends first, the worker reads end of file. */
void worker_controller_close_async(struct worker_controller *w)
{
	pthread_t thread;
	if (!w)
		return;
	if (pthread_create(&thread, NULL, close_in_thread, w))
		worker_controller_close(w);
	else
		pthread_detach(thread);
}

/* --- queries --- */
int worker_controller_poll_fds(const struct worker_controller *w, int fds[2])
{
	int n = 0;
	if (w->process.out >= 0)
		fds[n++] = w->process.out;
	if (w->process.err >= 0)
		fds[n++] = w->process.err;
	return n;
}

json_t *worker_controller_next_record(struct worker_controller *w)
{
	if (w->head < w->count)
		return w->queue[w->head++];
	w->head = w->count = 0;
	return NULL;
}

enum worker_controller_state worker_controller_state(const struct worker_controller *w)
{
	return w->state;
}
const char *worker_controller_device(const struct worker_controller *w)
{
	return w->device;
}
const json_t *worker_controller_device_record(const struct worker_controller *w)
{
	return w->device_record;
}
int worker_controller_pid(const struct worker_controller *w)
{
	return w->process.pid;
}
const char *worker_controller_crash_text(const struct worker_controller *w)
{
	return w->state == WORKER_DEAD ? w->crash_text : "";
}

bool worker_controller_open_failed(const struct worker_controller *w, enum status *status)
{
	if (w->state != WORKER_DEAD || !w->fatal)
		return false;
	if (status)
		*status = w->fatal_status;
	return true;
}

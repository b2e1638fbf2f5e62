/* Starts a worker, exchanges records with it, and stops it if it does not respond. */
#include "gpu/controller/worker_controller.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/environment.h"
#include "base/host_clock.h"
#include "base/log.h"
#include "base/host/temporary_folder.h"
#include "gpu/controller/worker_crash.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/worker_folder.h"

enum {
	PING_MS = 1000,
	SILENCE_MS = 5000,
	CANCEL_MS = 1000,
	GRACE_MS = 250, /* from "quit" to SIGKILL: time for the telemetry to stop */
	REAP_MS = 300,  /* time for the process to end after it has closed its output */
	JOBS_MAX = 256,
};

struct outstanding {
	json_int_t job, point;
};

struct worker_controller {
	char device[DEVICE_NAME_MAX];
	pid_t pid;
	char *folder;                  /* for its temporary files; NULL: none */
	int in, out, err;              /* our ends of the pipes; -1: closed */
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
	char killed[160]; /* why we killed it; "" if we did not */
	bool fatal, compiling;
	enum status fatal_status;
	long long pumped, heard, pinged, cancelled, kill_at, ended; /* ms; 0: never */
	json_int_t ping;
};

/* --- start --- */
/* Requests go through a socket: unlike a pipe, writing to a dead worker need not raise SIGPIPE. */
static bool request_pair(int fd[2])
{
	return !socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd);
}
static bool pipe_pair(int fd[2])
{
	return !pipe2(fd, O_CLOEXEC);
}

static int spawn_worker(struct worker_controller *w, const char *program, int in, int out, int err)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	sigset_t none, all;
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, 0);
	posix_spawn_file_actions_adddup2(&files, out, 1);
	posix_spawn_file_actions_adddup2(&files, err, 2);
	posix_spawnattr_init(&how);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setpgroup(&how, 0);
	posix_spawnattr_setsigdefault(&how, &all);
	posix_spawnattr_setsigmask(&how, &none);
	char *const argv[] = {"wavedeck", "worker", "--device", w->device, NULL};
	char *folder = w->folder ? xasprintf(WORKER_FOLDER_VARIABLE "=%s", w->folder) : NULL;
	char **env = environment_make(NULL, (char *const[]){folder, NULL});
	int failed = posix_spawn(&w->pid, program, &files, &how, argv, env);
	free(env);
	free(folder);
	posix_spawnattr_destroy(&how);
	posix_spawn_file_actions_destroy(&files);
	return failed;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void non_blocking(int fd)
{
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/* WAVEDECK_WORKER names another program that implements the protocol; tests use it. */
static char *worker_program(void)
{
	const char *other = getenv("WAVEDECK_WORKER");
	return xstrdup(other && *other ? other : "/proc/self/exe"); /* works even while the program is being rebuilt */
}

static bool connect_worker(struct worker_controller *w, struct err *e)
{
	int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1};
	char *program = worker_program();
	w->folder = temporary_folder_choose_name(); /* without one, HIP uses TMPDIR */
	int failed = request_pair(in) && pipe_pair(out) && pipe_pair(err) ? 0 : errno;
	if (!failed)
		failed = spawn_worker(w, program, in[0], out[1], err[1]);
	close_fd(&in[0]);
	close_fd(&out[1]);
	close_fd(&err[1]);
	w->in = in[1];
	w->out = out[0];
	w->err = err[0];
	if (failed)
		err_set(e, ST_FAILED, "cannot start the worker %s: %s%s", program, strerror(failed),
			failed == EMFILE ? "; raise the limit: ulimit -n 1024" : "");
	free(program);
	return !failed;
}

/* Once no process uses it. */
static void remove_worker_folder(struct worker_controller *w)
{
	if (w->folder)
		temporary_folder_remove(w->folder);
	free(w->folder);
	w->folder = NULL;
}

struct worker_controller *worker_controller_start(const struct worker_place *place, struct err *e)
{
	const char *device = place->device;
	struct worker_controller *w = xcalloc(1, sizeof *w);
	snprintf(w->device, sizeof w->device, "%s", device);
	if (strlen(device) >= sizeof w->device) {
		err_set(e, ST_REQUEST, "device name too long: at most %zu characters are supported",
			sizeof w->device - 1);
		free(w);
		return NULL;
	}
	if (!connect_worker(w, e)) {
		close_fd(&w->in);
		close_fd(&w->out);
		close_fd(&w->err);
		remove_worker_folder(w);
		free(w);
		return NULL;
	}
	non_blocking(w->in);
	non_blocking(w->out);
	non_blocking(w->err);
	w->pumped = w->heard = now_ms();
	return w;
}

/* --- writing --- */
static void flush_requests(struct worker_controller *w)
{
	while (w->to.len && w->in >= 0) {
		ssize_t n = send(w->in, w->to.data, w->to.len, MSG_NOSIGNAL);
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
static void job_ended(struct worker_controller *w, json_int_t job, json_int_t point)
{
	for (size_t i = 0; i < w->job_count; i++) {
		if (w->jobs[i].job != job || w->jobs[i].point != point)
			continue;
		memmove(&w->jobs[i], &w->jobs[i + 1], (w->job_count - i - 1) * sizeof *w->jobs);
		w->job_count--;
		if (i < w->to_cancel && !--w->to_cancel)
			w->cancelled = 0;
		break;
	}
	if (!w->job_count && w->state == WORKER_BUSY)
		w->state = WORKER_READY;
}

static void handle_log(struct worker_controller *w, const json_t *r)
{
	(void)w;
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
	log_printf(level, "%s", record_get_text(r, "text"));
}

static void handle_hello(struct worker_controller *w, const json_t *r)
{
	json_int_t protocol = record_integer(r, "protocol");
	if (protocol == RECORD_PROTOCOL)
		return;
	w->fatal = true;
	w->fatal_status = ST_FAILED;
	snprintf(w->killed, sizeof w->killed,
		"the worker uses protocol %lld, this program %d; use a worker of the same version", (long long)protocol,
		RECORD_PROTOCOL);
	w->kill_at = now_ms();
}

static void handle_device(struct worker_controller *w, const json_t *r)
{
	json_decref(w->device_record);
	w->device_record = json_incref((json_t *)r);
	if (w->state == WORKER_STARTING)
		w->state = w->job_count ? WORKER_BUSY : WORKER_READY;
}

static void handle_fatal(struct worker_controller *w, const json_t *r)
{
	w->fatal = true;
	w->fatal_status = record_integer(r, "status") == ST_REQUEST ? ST_REQUEST : ST_FAILED;
	snprintf(w->crash_text, sizeof w->crash_text, "%s", record_get_text(r, "text"));
}

static void handle_state(struct worker_controller *w, const json_t *r)
{
	w->compiling = !strcmp(record_get_text(r, "state"), "compiling");
}

static void handle_point(struct worker_controller *w, const json_t *r)
{
	job_ended(w, record_integer(r, "job"), record_integer(r, "point"));
	stderr_summary_clear(&w->summary);
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

static void handle_line(struct worker_controller *w, const char *line, size_t n)
{
	json_error_t bad;
	json_t *r = json_loadb(line, n, 0, &bad);
	for (size_t i = 0; r && i < sizeof types / sizeof *types; i++) {
		if (strcmp(record_get_type(r), types[i].type))
			continue;
		types[i].on(w, r);
		if (types[i].internal)
			json_decref(r);
		else
			enqueue_record(w, r);
		return;
	}
	log_printf(LOG_WARNING, "ignored a line from the worker that is not a record: %.*s", (int)(n < 120 ? n : 120),
		line);
	json_decref(r);
}

/* Passes every complete line of `b` to `handle`. */
static void handle_lines(
	struct worker_controller *w, struct buf *b, void (*handle)(struct worker_controller *, const char *, size_t))
{
	size_t at = 0;
	for (char *nl; at < b->len && (nl = memchr(b->data + at, '\n', b->len - at)); at = (size_t)(nl - b->data) + 1) {
		*nl = 0;
		if (nl > b->data + at)
			handle(w, b->data + at, (size_t)(nl - b->data) - at);
	}
	buf_consume(b, at);
	if (b->len > RECORD_LINE_MAX)
		buf_clear(b);
}

static void handle_stderr_line(struct worker_controller *w, const char *line, size_t n)
{
	(void)n;
	stderr_summary_add(&w->summary, line);
	log_printf(LOG_INFO, "worker: %s", line);
}

/* Reads everything available; true if there was something. */
static bool read_available(int *fd, struct buf *b)
{
	char bytes[16384];
	bool got = false;
	while (*fd >= 0) {
		ssize_t n = read(*fd, bytes, sizeof bytes);
		if (n > 0) {
			buf_add(b, bytes, (size_t)n);
			got = true;
		} else if (n < 0 && errno == EINTR) {
			continue;
		} else {
			if (n == 0 || errno != EAGAIN)
				close_fd(fd);
			break;
		}
	}
	return got;
}

static void read_worker_output(struct worker_controller *w)
{
	if (read_available(&w->out, &w->from)) {
		w->heard = now_ms();
		handle_lines(w, &w->from, handle_line);
	}
	if (read_available(&w->err, &w->err_text))
		handle_lines(w, &w->err_text, handle_stderr_line);
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

static void handle_worker_end(struct worker_controller *w, int status)
{
	char what[64];
	read_worker_output(w);
	if (w->err_text.len)
		handle_stderr_line(w, w->err_text.data, w->err_text.len); /* the last line has no newline */
	describe_activity(w, what, sizeof what);
	if (*w->killed)
		snprintf(w->crash_text, sizeof w->crash_text, "%s%s%s", w->killed, *what ? " while " : "", what);
	else if (!*w->crash_text)
		worker_crash_describe(w->crash_text, sizeof w->crash_text, status, &w->summary, what);
	kill(-w->pid, SIGKILL); /* a compiler that it may have left running */
	remove_worker_folder(w);
	w->state = WORKER_DEAD;
	w->job_count = 0;
	close_fd(&w->in);
	close_fd(&w->out);
	close_fd(&w->err);
}

static void begin_kill(struct worker_controller *w, const char *why)
{
	if (w->kill_at)
		return;
	snprintf(w->killed, sizeof w->killed, "%s", why);
	queue_request(w, json_pack("{s:s}", "type", "quit"));
	w->kill_at = now_ms() + GRACE_MS;
}

static void check_timeouts(struct worker_controller *w, long long now)
{
	/* If this process was stopped (^Z) or suspended, that time does not count as silence of the worker. */
	if (now - w->pumped > PING_MS)
		w->heard += now - w->pumped;
	bool expected = w->job_count || w->state == WORKER_STARTING;
	if (expected && now - w->pinged >= PING_MS) {
		queue_request(w, json_pack("{s:s,s:I}", "type", "ping", "seq", ++w->ping));
		w->pinged = now;
	}
	if (expected && now - w->heard >= SILENCE_MS)
		begin_kill(w, "worker killed: no answer for 5 s");
	if (w->cancelled && now - w->cancelled >= CANCEL_MS)
		begin_kill(w, "worker killed: it did not cancel within 1 s");
	if (w->kill_at && now >= w->kill_at)
		kill(-w->pid, SIGKILL);
}

void worker_controller_pump(struct worker_controller *w)
{
	if (w->state == WORKER_DEAD)
		return;
	int status;
	long long now = now_ms();
	flush_requests(w);
	read_worker_output(w);
	if (waitpid(w->pid, &status, WNOHANG) == w->pid) {
		handle_worker_end(w, status);
		return;
	}
	if (w->out < 0 && !w->ended)
		w->ended = now;
	if (w->ended && now - w->ended >= REAP_MS)
		kill(-w->pid, SIGKILL); /* it closed its output but did not end */
	check_timeouts(w, now);
	w->pumped = now;
}

static bool wait_for_exit(struct worker_controller *w, int ms)
{
	for (long long end = now_ms() + ms; now_ms() < end; usleep(2000)) {
		if (waitpid(w->pid, NULL, WNOHANG) == w->pid)
			return true;
		read_available(&w->out, &w->from); /* a full pipe would block it */
		read_available(&w->err, &w->err_text);
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
		close_fd(&w->in);
		bool reaped = wait_for_exit(w, 1000);
		kill(-w->pid, SIGKILL); /* and a compiler that it may have left running */
		if (!reaped)
			waitpid(w->pid, NULL, 0);
	}
	remove_worker_folder(w);
	close_fd(&w->in);
	close_fd(&w->out);
	close_fd(&w->err);
	for (json_t *r; (r = worker_controller_next_record(w));)
		json_decref(r);
	free(w->queue);
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
	if (w->out >= 0)
		fds[n++] = w->out;
	if (w->err >= 0)
		fds[n++] = w->err;
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
	return w->pid;
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

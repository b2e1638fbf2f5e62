#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "base/paths.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/header_record.h"
#include "sessions/record/code_writer.h"
#include "sessions/record/numbered_file.h"
#include "sessions/session.h"

enum { FLUSH_MS = 50 };

const char *const session_suffix = ".wbs";

struct recorder {
	int fd;
	char *path;
	size_t points;
	struct buf waiting; /* lines not yet written; kept if a write fails */
	long long since;    /* ms, when the oldest of them was added */
	long long opened;   /* ms, when this program opened the file */
	int error;          /* errno of the last write; 0: it succeeded */
	bool reported;      /* the caller got that error */
	bool unchanged;     /* an existing session to which nothing was added yet */
	struct code_writer code;
};

/* --- writing --- */

static bool flush_waiting(struct recorder *r)
{
	while (r->waiting.len) {
		ssize_t n = write(r->fd, r->waiting.data, r->waiting.len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			r->error = n < 0 ? errno : ENOSPC;
			r->since = now_ms(); /* try again after the next interval */
			return false;
		}
		buf_consume(&r->waiting, (size_t)n);
	}
	r->error = 0;
	r->reported = false;
	return true;
}

static void repair_last_line(struct recorder *r);

static void append_record_line(struct recorder *r, const json_t *record)
{
	if (r->unchanged)
		repair_last_line(r);
	r->unchanged = false;
	char *line = record_format_line(record);
	if (!r->waiting.len)
		r->since = now_ms();
	buf_puts(&r->waiting, line);
	free(line);
}

void recorder_flush(struct recorder *r)
{
	flush_waiting(r);
}

void recorder_flush_old(struct recorder *r)
{
	if (r->waiting.len && now_ms() - r->since >= FLUSH_MS)
		flush_waiting(r);
}

static bool report_write_error(struct recorder *r, struct err *e)
{
	if (!r->error || r->reported)
		return true;
	r->reported = true;
	return err_set(e, ST_FAILED,
		"cannot write the session: %s; free some space, and the %zu points so far will be written to %s",
		strerror(r->error), r->points, r->path);
}

/* Adds the point with its time, so that a replay can reproduce the pace. */
static void append_point(struct recorder *r, const json_t *record)
{
	json_t *dated = json_copy((json_t *)record);
	json_object_set_new(dated, "at", json_real((double)(now_ms() - r->opened) / 1000));
	json_t *code = code_writer_refer(&r->code, dated, r->points);
	if (code)
		append_record_line(r, code);
	json_decref(code);
	append_record_line(r, dated);
	json_decref(dated);
	r->points++;
}

bool recorder_write_record(struct recorder *r, const json_t *record, struct err *e)
{
	if (!strcmp(record_get_type(record), "point"))
		append_point(r, record);
	else
		append_record_line(r, record);
	recorder_flush_old(r);
	return report_write_error(r, e);
}

bool recorder_close(struct recorder *r, struct err *e)
{
	if (r && !r->unchanged) {
		json_t *end = json_pack("{s:s, s:I}", "type", "end", "points", (json_int_t)r->points);
		append_record_line(r, end);
		json_decref(end);
	}
	return recorder_detach(r, e);
}

/* Somebody removed the file; its last name is gone. */
static bool was_removed(int fd)
{
	struct stat st;
	return !fstat(fd, &st) && S_ISREG(st.st_mode) && !st.st_nlink;
}

static void free_recorder(struct recorder *r)
{
	code_writer_free(&r->code);
	buf_free(&r->waiting);
	free(r->path);
	free(r);
}

bool recorder_detach(struct recorder *r, struct err *e)
{
	if (!r)
		return true;
	bool ok = flush_waiting(r), removed = was_removed(r->fd);
	int error = r->error;
	if (close(r->fd) && ok) {
		ok = false;
		error = errno;
	}
	if (removed)
		err_set(e, ST_FAILED, "%s was removed while it was recorded, and its %zu points with it; record again",
			r->path, r->points);
	else if (!ok)
		err_set(e, ST_FAILED, "the session is incomplete: %s; the points written so far can be opened: %s",
			strerror(error), r->path);
	free_recorder(r);
	return ok && !removed;
}

const char *recorder_path(const struct recorder *r)
{
	return r->path;
}

/* --- opening --- */

static char *chosen_folder;

void session_set_default_folder(const char *folder)
{
	const char *home = path_home();
	free(chosen_folder);
	chosen_folder = NULL;
	if (folder)
		chosen_folder =
			!strncmp(folder, "~/", 2) && home ? xasprintf("%s%s", home, folder + 1) : xstrdup(folder);
}

char *session_default_folder(void)
{
	return chosen_folder ? xstrdup(chosen_folder) : path_user_data("sessions");
}

/* The part that people recognize. Of a recording that is replayed, only that it is one: its path says nothing. */
char *session_base_name(const json_t *header)
{
	const char *experiment = record_get_experiment(header), *device = device_get_id(header_get_device(header));
	char *name = xasprintf("%.60s%s%.*s", *experiment ? experiment : "session", *device ? "-" : "",
		(int)strcspn(device, strchr(device, '/') ? ":" : ","), device);
	for (char *c = name; *c; c++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.", *c))
			*c = '-';
	return name;
}

/* When the session was measured, if the header has it, else now. */
static time_t session_start_time(const json_t *header)
{
	struct tm utc = {0};
	return strptime(record_get_text(header, "time"), "%Y-%m-%dT%H:%M:%S", &utc) ? timegm(&utc) : time(NULL);
}

/* "2026-03-07_141502-range-latency-soft-mi25": sorts by time and is readable in a file manager. */
static char *make_base_name(const json_t *header)
{
	char when[32], *base = session_base_name(header);
	time_t start = session_start_time(header);
	struct tm local;
	localtime_r(&start, &local);
	strftime(when, sizeof when, "%Y-%m-%d_%H%M%S", &local);
	char *name = xasprintf("%s-%.100s", when, base);
	free(base);
	return name;
}

static int create_default_file(const json_t *header, char **path, struct err *e)
{
	char *folder = session_default_folder(), *base = make_base_name(header);
	int fd = -1;
	if (path_make_directories(folder, e)) {
		fd = numbered_file_create(folder, base, session_suffix, path);
		if (fd < 0)
			err_set(e, ST_REQUEST, "%s: cannot record to %s; choose another file with --record FILE",
				strerror(errno), *path);
	}
	free(folder);
	free(base);
	return fd;
}

enum { LOCK_TRIES = 10, LOCK_TRY_MS = 5 /* longer than recorder_is_writing holds it */ };

static bool is_regular_file(int fd)
{
	struct stat st;
	return !fstat(fd, &st) && S_ISREG(st.st_mode);
}

/* Held until close: a second writer would mix its lines with ours. Pipes and devices are not locked. */
static bool lock_session(int fd, const char *path, struct err *e)
{
	if (!is_regular_file(fd))
		return true;
	for (int tries = 0; tries < LOCK_TRIES; tries++) {
		if (!flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK)
			return true; /* locked, or the file system has no locks */
		nanosleep(&(struct timespec){.tv_nsec = LOCK_TRY_MS * 1000000L}, NULL);
	}
	return err_set(e, ST_REQUEST, "another wavedeck records to %s; stop it or choose another file", path);
}

bool recorder_is_writing(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	bool held = flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;
	close(fd);
	return held;
}

static bool file_is_empty(int fd)
{
	struct stat st;
	return fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size == 0;
}

/* *created: the file did not exist. */
static int open_for_appending(const char *path, bool existing, bool *created)
{
	int flags = O_APPEND | O_CLOEXEC;
	*created = false;
	if (existing)
		return open(path, O_RDWR | O_NONBLOCK | flags);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | flags, 0644);
	*created = fd >= 0;
	return fd < 0 && errno == EEXIST ? open(path, O_WRONLY | O_CREAT | flags, 0644) : fd;
}

static int open_session_file(const char *path, bool append, bool *created, struct err *e)
{
	int fd = open_for_appending(path, append, created);
	if (fd < 0) {
		err_set(e, ST_REQUEST,
			append ? "cannot continue the session %s: %s; name a recorded session"
			       : "cannot record to %s: %s; choose another file",
			path, strerror(errno));
		return -1;
	}
	if (append && !is_regular_file(fd)) {
		err_set(e, ST_REQUEST,
			"cannot continue the session %s: it is not a regular file; name a recorded session", path);
		close(fd);
		return -1;
	}
	if (lock_session(fd, path, e)) {
		if (append || file_is_empty(fd))
			return fd;
		err_set(e, ST_REQUEST, "%s already exists; choose another file, or continue it with --resume %s", path,
			path);
	}
	close(fd);
	return -1;
}

/* `header` NULL: the points have their code. */
static struct recorder *make_recorder(int fd, char *path, const json_t *header)
{
	struct recorder *r = xcalloc(1, sizeof *r);
	r->fd = fd;
	r->path = path;
	r->opened = now_ms();
	r->code = code_writer_make(header);
	return r;
}

/* The header as written: type first, with all required members. */
static json_t *make_full_header(const json_t *header)
{
	char when[UTC_TEXT];
	json_t *h = json_pack("{s:s, s:i, s:s, s:s}", "type", "session", "schema", SESSION_SCHEMA, "program",
		"wavedeck " WAVEDECK_VERSION, "time", now_utc(when));
	json_object_update(h, (json_t *)header);
	json_object_set_new(h, "type", json_string("session"));
	return h;
}

struct recorder *recorder_open(const char *path, const json_t *header, struct err *e)
{
	char *name = path ? xstrdup(path) : NULL;
	bool created = true;
	int fd = path ? open_session_file(path, false, &created, e) : create_default_file(header, &name, e);
	if (fd < 0) {
		free(name);
		return NULL;
	}
	json_t *h = make_full_header(header);
	struct recorder *r = make_recorder(fd, name, h);
	lock_session(fd, name, NULL);
	append_record_line(r, h);
	json_decref(h);
	if (flush_waiting(r))
		return r;
	err_set(e, ST_REQUEST, "%s: cannot record to %s; choose another file", strerror(r->error), name);
	if (created) /* not a session without its header */
		unlink(name);
	close(fd);
	free_recorder(r);
	return NULL;
}

/* The offset of a last line without a newline; 0 if it is the first line, -1 if the file ends with a newline. */
static off_t find_unended_line(int fd, off_t end)
{
	char chunk[4096];
	for (off_t at = end; at > 0;) {
		size_t n = at < (off_t)sizeof chunk ? (size_t)at : sizeof chunk;
		if (pread(fd, chunk, n, at - (off_t)n) != (ssize_t)n)
			return -1;
		const char *newline = memrchr(chunk, '\n', n);
		if (newline)
			return newline + 1 - chunk + at - (off_t)n == end ? -1 : newline + 1 - chunk + at - (off_t)n;
		at -= (off_t)n;
	}
	return end > 0 ? 0 : -1;
}

static bool range_is_record(int fd, off_t from, off_t end)
{
	size_t n = (size_t)(end - from);
	char *line = xmalloc(n);
	json_t *record =
		pread(fd, line, n, from) == (ssize_t)n ? json_loadb(line, n, JSON_REJECT_DUPLICATES, NULL) : NULL;
	bool good = json_is_object(record);
	json_decref(record);
	free(line);
	return good;
}

/* Completes a last record that only lacks its newline, and removes a partial record that a crash left. A line that is
 * too long to be a record is not removed: it is data of something else. */
static void repair_last_line(struct recorder *r)
{
	off_t end = lseek(r->fd, 0, SEEK_END), from = end > 0 ? find_unended_line(r->fd, end) : -1;
	if (from < 0)
		return;
	if (!from || end - from > RECORD_LINE_MAX || range_is_record(r->fd, from, end) || ftruncate(r->fd, from))
		buf_puts(&r->waiting, "\n");
}

struct recorder *recorder_open_existing(const char *path, struct err *e)
{
	bool created;
	int fd = open_session_file(path, true, &created, e);
	if (fd < 0)
		return NULL;
	struct recorder *r = make_recorder(fd, xstrdup(path), NULL);
	r->unchanged = true;
	return r;
}

void recorder_continue_session(struct recorder *r, const struct session *s)
{
	r->points = s->points.count;
	r->code = code_writer_make(s->header);
	if (s->complete && !s->torn)
		return;
	repair_last_line(r);
	r->unchanged = false;
}

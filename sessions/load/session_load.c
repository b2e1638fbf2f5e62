#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "gpu/protocol/record.h"
#include "sessions/load/record_parse.h"
#include "sessions/session.h"

enum { CHUNK = 64 << 10 };

struct session_loader {
	int fd;
	char *path, *chunk;
	struct buf line; /* the line being read */
	int error;       /* errno of a read */
	struct session *s;
	size_t room;      /* of s->points */
	size_t failed;    /* points */
	bool too_long;    /* the current line exceeds the limit */
	json_int_t newer; /* the header's schema if it is newer than ours */
};

static bool point_ok(const json_t *point)
{
	const char *status = record_get_text(point, "status");
	return !*status || !strcmp(status, "ok");
}

/* A failed point that was measured again when the sweep was resumed is replaced by the new record. */
static bool replace_failed_point(struct session_loader *l, json_t *record)
{
	for (size_t i = 0; l->failed && point_ok(record) && i < l->s->point_count; i++) {
		json_t *old = l->s->points[i];
		if (point_ok(old) || !json_equal(json_object_get(old, "params"), json_object_get(record, "params")))
			continue;
		json_decref(old);
		l->s->points[i] = json_incref(record);
		l->failed--;
		return true;
	}
	return false;
}

static void add_loaded_point(struct session_loader *l, json_t *record)
{
	struct session *s = l->s;
	s->complete = false;
	if (replace_failed_point(l, record))
		return;
	l->failed += !point_ok(record);
	if (s->point_count == l->room) {
		l->room = l->room ? 2 * l->room : 64;
		s->points = xrealloc(s->points, l->room * sizeof *s->points);
	}
	s->points[s->point_count++] = json_incref(record);
}

static bool is_point_record(const json_t *record)
{
	return !strcmp(record_get_type(record), "point") && json_is_object(json_object_get(record, "params"));
}

static bool load_record(struct session_loader *l, json_t *record)
{
	struct session *s = l->s;
	const char *type = record_get_type(record);
	if (!strcmp(type, "session")) {
		json_int_t schema = json_integer_value(json_object_get(record, "schema"));
		if (schema > SESSION_SCHEMA)
			l->newer = schema;
		if (!s->header)
			s->header = json_incref(record);
		return true;
	}
	if (is_point_record(record))
		add_loaded_point(l, record);
	else if (!strcmp(type, "end"))
		s->complete = true;
	else
		return !strcmp(type, "note") || !strcmp(type, "log") || !strcmp(type, "device");
	return true;
}

static void load_line(struct session_loader *l, const char *line, size_t n, bool ended)
{
	while (n && (line[n - 1] == '\r' || line[n - 1] == ' '))
		n--;
	if (!n && !l->too_long)
		return;
	json_t *record = l->too_long ? NULL : record_parse(line, n, true);
	bool good = record && json_is_object(record) && load_record(l, record);
	if (!good && !ended)
		l->s->torn = true;
	else if (!good)
		l->s->bad_lines++;
	json_decref(record);
	l->too_long = false;
}

static void load_bytes(struct session_loader *l, const char *bytes, size_t n)
{
	while (n) {
		const char *end = memchr(bytes, '\n', n);
		size_t part = end ? (size_t)(end - bytes) : n;
		if (l->line.len + part > RECORD_LINE_MAX) {
			l->too_long = true;
			buf_clear(&l->line);
		} else if (!l->too_long) {
			buf_add(&l->line, bytes, part);
		}
		if (!end)
			return;
		load_line(l, l->line.data, l->line.len, true);
		buf_clear(&l->line);
		bytes = end + 1;
		n -= part + 1;
	}
}

/* Accepts regular files and pipes; a device such as /dev/zero has no end. */
static int open_for_loading(const char *path, struct err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	if (fd < 0) {
		err_set(e, ST_REQUEST,
			"cannot open the session %s: %s; `wavedeck doctor` shows the folder of recorded sessions", path,
			strerror(errno));
		return -1;
	}
	if (fstat(fd, &st) || !(S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode))) {
		err_set(e, ST_REQUEST, "%s is not a file; name a session recorded with `run --record FILE`", path);
		close(fd);
		return -1;
	}
	return fd;
}

static bool check_loaded(const struct session_loader *l, const char *path, struct err *e)
{
	const struct session *s = l->s;
	if (l->newer)
		return err_set(e, ST_REQUEST,
			"%s was recorded by a newer wavedeck (schema %" JSON_INTEGER_FORMAT
			", this version reads %d); update wavedeck",
			path, l->newer, SESSION_SCHEMA);
	if (s->header)
		return true;
	if (!s->point_count && !s->bad_lines && !s->torn)
		return err_set(e, ST_REQUEST, "%s is empty; name a session recorded with `run --record FILE`", path);
	return err_set(e, ST_REQUEST, "%s is not a session: %s; name a file recorded with `run --record FILE`", path,
		s->point_count ? "its header, the first line, is damaged" : "it has no session header");
}

struct session_loader *session_load_start(const char *path, struct err *e)
{
	int fd = open_for_loading(path, e);
	if (fd < 0)
		return NULL;
	struct session_loader *l = xcalloc(1, sizeof *l);
	l->fd = fd;
	l->path = xstrdup(path);
	l->chunk = xmalloc(CHUNK);
	l->s = xcalloc(1, sizeof *l->s);
	return l;
}

bool session_load_continue(struct session_loader *l, int ms)
{
	long long end = now_ms() + ms;
	do {
		ssize_t n = read(l->fd, l->chunk, CHUNK);
		if (n < 0 && errno == EINTR)
			continue;
		l->error = n < 0 ? errno : 0;
		if (n <= 0)
			return false;
		load_bytes(l, l->chunk, (size_t)n);
	} while (now_ms() < end);
	return true;
}

struct session *session_load_finish(struct session_loader *l, struct err *e)
{
	struct session *s = l->s;
	if (l->line.len || l->too_long)
		load_line(l, l->line.data, l->line.len, false);
	bool ok = l->error ? err_set(e, ST_REQUEST, "cannot read %s: %s", l->path, strerror(l->error))
			   : check_loaded(l, l->path, e);
	close(l->fd);
	buf_free(&l->line);
	free(l->path);
	free(l->chunk);
	free(l);
	if (ok)
		return s;
	session_free(s);
	return NULL;
}

struct session *session_load(const char *path, struct err *e)
{
	struct session_loader *l = session_load_start(path, e);
	while (l && session_load_continue(l, 1000))
		;
	return l ? session_load_finish(l, e) : NULL;
}

json_t *session_read_header(const char *path)
{
	FILE *in = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	json_t *found = NULL;
	for (ssize_t n; in && !found && (n = getline(&line, &room, in)) > 0;) {
		json_t *record = json_loadb(line, (size_t)n, 0, NULL);
		found = !strcmp(record_get_type(record), "session") ? json_incref(record) : NULL;
		json_decref(record);
	}
	free(line);
	if (in)
		fclose(in);
	return found;
}

void session_free(struct session *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->point_count; i++)
		json_decref(s->points[i]);
	free(s->points);
	json_decref(s->header);
	free(s);
}

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
	struct buf line; /* the one being read */
	int error;       /* errno of a read */
	struct session *s;
	size_t room;      /* in s->points */
	size_t failed;    /* of them */
	bool too_long;    /* the line being read is over the limit */
	json_int_t newer; /* the header's schema when we do not know it */
};

static bool point_ok(const json_t *point)
{
	const char *status = record_get_text(point, "status");
	return !*status || !strcmp(status, "ok");
}

/* A point that failed and was measured again when the sweep was resumed: the new record takes its place. */
static bool take_place(struct session_loader *l, json_t *record)
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

static void add_point(struct session_loader *l, json_t *record)
{
	struct session *s = l->s;
	s->complete = false;
	if (take_place(l, record))
		return;
	l->failed += !point_ok(record);
	if (s->point_count == l->room) {
		l->room = l->room ? 2 * l->room : 64;
		s->points = xrealloc(s->points, l->room * sizeof *s->points);
	}
	s->points[s->point_count++] = json_incref(record);
}

static bool is_point(const json_t *record)
{
	return !strcmp(record_get_type(record), "point") && json_is_object(json_object_get(record, "params"));
}

static bool take_record(struct session_loader *l, json_t *record)
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
	if (is_point(record))
		add_point(l, record);
	else if (!strcmp(type, "end"))
		s->complete = true;
	else
		return !strcmp(type, "note") || !strcmp(type, "log") || !strcmp(type, "device");
	return true;
}

static void take_line(struct session_loader *l, const char *line, size_t n, bool ended)
{
	while (n && (line[n - 1] == '\r' || line[n - 1] == ' '))
		n--;
	if (!n && !l->too_long)
		return;
	json_t *record = l->too_long ? NULL : record_parse(line, n, true);
	bool good = record && json_is_object(record) && take_record(l, record);
	if (!good && !ended)
		l->s->torn = true;
	else if (!good)
		l->s->bad_lines++;
	json_decref(record);
	l->too_long = false;
}

static void take_bytes(struct session_loader *l, const char *bytes, size_t n)
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
		take_line(l, l->line.data, l->line.len, true);
		buf_clear(&l->line);
		bytes = end + 1;
		n -= part + 1;
	}
}

/* A regular file or a pipe; a device such as /dev/zero has no end. */
static int open_session(const char *path, struct err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	if (fd < 0) {
		err_set(e, ST_REQUEST,
			"cannot open the session %s: %s; recorded ones lie in the folder that `wavedeck doctor` names",
			path, strerror(errno));
		return -1;
	}
	if (fstat(fd, &st) || !(S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode))) {
		err_set(e, ST_REQUEST, "%s is no file; name a session recorded with `run --record FILE`", path);
		close(fd);
		return -1;
	}
	return fd;
}

static bool usable(const struct session_loader *l, const char *path, struct err *e)
{
	const struct session *s = l->s;
	if (l->newer)
		return err_set(e, ST_REQUEST,
			"%s was recorded by a newer wavedeck (schema %" JSON_INTEGER_FORMAT
			", this one reads %d); update wavedeck",
			path, l->newer, SESSION_SCHEMA);
	if (s->header)
		return true;
	if (!s->point_count && !s->bad_lines && !s->torn)
		return err_set(e, ST_REQUEST, "%s is empty; name a session recorded with `run --record FILE`", path);
	return err_set(e, ST_REQUEST, "%s holds no session: %s; name a file recorded with `run --record FILE`", path,
		s->point_count ? "its first line, the header, is damaged" : "no line of it is a session header");
}

struct session_loader *session_load_start(const char *path, struct err *e)
{
	int fd = open_session(path, e);
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
		take_bytes(l, l->chunk, (size_t)n);
	} while (now_ms() < end);
	return true;
}

struct session *session_load_finish(struct session_loader *l, struct err *e)
{
	struct session *s = l->s;
	if (l->line.len || l->too_long)
		take_line(l, l->line.data, l->line.len, false);
	bool ok = l->error ? err_set(e, ST_REQUEST, "cannot read %s: %s", l->path, strerror(l->error))
			   : usable(l, l->path, e);
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

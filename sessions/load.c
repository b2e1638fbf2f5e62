#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "gpu/record.h"
#include "sessions/session.h"

enum {
	SCHEMA = 1,
	LINE_LIMIT = 16 << 20,  /* a record is a few KiB; what is longer is none and is skipped unparsed */
	CHUNK = 64 << 10,
};

struct loader {
	struct session *s;
	size_t room;            /* in s->points */
	size_t failed;          /* of them */
	bool too_long;          /* the line being read is over the limit */
	json_int_t newer;       /* the header's schema when we do not know it */
};

static bool point_ok(const json_t *point)
{
	const char *status = record_text(point, "status");
	return !*status || !strcmp(status, "ok");
}

/* A point that failed and was measured again when the sweep was resumed: the new record takes its place. */
static bool take_place(struct loader *l, json_t *record)
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

static void add_point(struct loader *l, json_t *record)
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
	return !strcmp(record_type(record), "point") && json_is_object(json_object_get(record, "params"));
}

static bool take_record(struct loader *l, json_t *record)
{
	struct session *s = l->s;
	const char *type = record_type(record);
	if (!strcmp(type, "session")) {
		json_int_t schema = json_integer_value(json_object_get(record, "schema"));
		if (schema > SCHEMA)
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

static void take_line(struct loader *l, const char *line, size_t n, bool ended)
{
	while (n && (line[n - 1] == '\r' || line[n - 1] == ' '))
		n--;
	if (!n && !l->too_long)
		return;
	json_error_t error;
	json_t *record = l->too_long ? NULL : json_loadb(line, n, JSON_REJECT_DUPLICATES, &error);
	bool good = record && json_is_object(record) && take_record(l, record);
	if (!good && !ended)
		l->s->torn = true;
	else if (!good)
		l->s->bad_lines++;
	json_decref(record);
	l->too_long = false;
}

static void take_bytes(struct loader *l, struct buf *line, const char *bytes, size_t n)
{
	while (n) {
		const char *end = memchr(bytes, '\n', n);
		size_t part = end ? (size_t)(end - bytes) : n;
		if (line->len + part > LINE_LIMIT) {
			l->too_long = true;
			buf_clear(line);
		} else if (!l->too_long) {
			buf_add(line, bytes, part);
		}
		if (!end)
			return;
		take_line(l, line->data, line->len, true);
		buf_clear(line);
		bytes = end + 1;
		n -= part + 1;
	}
}

static bool read_all(int fd, const char *path, struct loader *l, struct err *e)
{
	struct buf line = {0};
	char *chunk = xmalloc(CHUNK);
	ssize_t n;
	while ((n = read(fd, chunk, CHUNK)) > 0 || (n < 0 && errno == EINTR))
		if (n > 0)
			take_bytes(l, &line, chunk, (size_t)n);
	if (n < 0)
		err_set(e, ST_REQUEST, "cannot read %s: %s", path, strerror(errno));
	else if (line.len || l->too_long)
		take_line(l, line.data, line.len, false);
	free(chunk);
	buf_free(&line);
	return n == 0;
}

/* A regular file or a pipe; a device such as /dev/zero has no end. */
static int open_session(const char *path, struct err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	if (fd < 0) {
		err_set(e, ST_REQUEST, "cannot open the session %s: %s; recorded ones lie in the folder that `wavedeck doctor` names", path, strerror(errno));
		return -1;
	}
	if (fstat(fd, &st) || !(S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode))) {
		err_set(e, ST_REQUEST, "%s is no file; name a session recorded with `run --record FILE`", path);
		close(fd);
		return -1;
	}
	return fd;
}

static bool usable(const struct loader *l, const char *path, struct err *e)
{
	const struct session *s = l->s;
	if (l->newer)
		return err_set(e, ST_REQUEST, "%s was recorded by a newer wavedeck (schema %" JSON_INTEGER_FORMAT ", this one reads %d); update wavedeck",
		               path, l->newer, SCHEMA);
	if (s->header)
		return true;
	if (!s->point_count && !s->bad_lines && !s->torn)
		return err_set(e, ST_REQUEST, "%s is empty; name a session recorded with `run --record FILE`", path);
	return err_set(e, ST_REQUEST, "%s holds no session: %s; name a file recorded with `run --record FILE`", path,
	               s->point_count ? "its first line, the header, is damaged" : "no line of it is a session header");
}

struct session *session_load(const char *path, struct err *e)
{
	int fd = open_session(path, e);
	if (fd < 0)
		return NULL;
	struct session *s = xcalloc(1, sizeof *s);
	struct loader l = { .s = s };
	bool ok = read_all(fd, path, &l, e) && usable(&l, path, e);
	close(fd);
	if (ok)
		return s;
	session_free(s);
	return NULL;
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

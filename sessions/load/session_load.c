#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/host_clock.h"
#include "base/input_file.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/point_record.h"
#include "sessions/load/plan_order.h"
#include "sessions/session.h"

struct session_loader {
	struct line_reader *lines;
	char *path;
	struct session *s;
	struct plan_order order;
	size_t *failed; /* indexes of failed points */
	size_t failed_count;
	json_int_t newer; /* the header's schema if it is newer than ours */
};

static bool point_ok(const json_t *point)
{
	const char *status = point_get_status(point);
	return !*status || !strcmp(status, "ok");
}

/* A failed point that was measured again when the sweep was resumed is replaced by the new record. */
static bool replace_failed_point(struct session_loader *l, const json_t *record, const struct text_line *line)
{
	const json_t *params = record_get_params(record);
	for (size_t k = 0; point_ok(record) && k < l->failed_count; k++) {
		if (!json_equal(record_get_params(point_list_get(&l->s->points, l->failed[k])), params))
			continue;
		point_list_set_line(&l->s->points, l->failed[k], line->text, line->length);
		l->failed_count--;
		memmove(&l->failed[k], &l->failed[k + 1], (l->failed_count - k) * sizeof *l->failed);
		return true;
	}
	return false;
}

static void add_loaded_point(struct session_loader *l, const json_t *record, const struct text_line *line)
{
	struct session *s = l->s;
	s->complete = false;
	if (replace_failed_point(l, record, line))
		return;
	if (!point_ok(record)) {
		l->failed = xrealloc(l->failed, (l->failed_count + 1) * sizeof *l->failed);
		l->failed[l->failed_count++] = s->points.count;
	}
	point_list_add_line(&s->points, line->text, line->length);
	plan_order_add(&l->order, record);
}

static bool is_point_record(const json_t *record)
{
	return !strcmp(record_get_type(record), "point") && json_is_object(record_get_params(record));
}

static void add_loaded_record(json_t **list, json_t *record)
{
	if (!*list)
		*list = json_array();
	json_array_append(*list, record);
}

static bool load_record(struct session_loader *l, json_t *record, const struct text_line *line)
{
	struct session *s = l->s;
	const char *type = record_get_type(record);
	if (!strcmp(type, "session")) {
		if (header_get_schema(record) > SESSION_SCHEMA)
			l->newer = header_get_schema(record);
		if (!s->header && !s->points.count) /* a file whose header does not come first is refused */
			plan_order_init(&l->order, record);
		if (!s->header)
			s->header = json_incref(record);
		return true;
	}
	if (!strcmp(type, "note"))
		add_loaded_record(&s->notes, record);
	else if (!strcmp(type, "what_if"))
		add_loaded_record(&s->what_if, record);
	else if (is_point_record(record))
		add_loaded_point(l, record, line);
	else if (!strcmp(type, "code"))
		point_list_add_code(&s->points, line->text, line->length);
	else if (!strcmp(type, "end"))
		s->complete = true;
	else
		return !strcmp(type, "log") || !strcmp(type, "device");
	return true;
}

static void load_line(struct session_loader *l, const struct text_line *line)
{
	size_t n = line->too_long ? 0 : line->length;
	while (n && (line->text[n - 1] == '\r' || line->text[n - 1] == ' '))
		n--;
	if (!n && !line->too_long)
		return;
	json_t *record = n ? point_list_parse_line(&l->s->points, line->text, n) : NULL;
	bool good = record && json_is_object(record) && load_record(l, record, line);
	if (!good && !line->ended)
		l->s->torn = true;
	else if (!good)
		l->s->bad_lines++;
	json_decref(record);
}

/* Accepts regular files and pipes; a device such as /dev/zero has no end. */
static int open_for_loading(const char *path, struct err *e)
{
	const char *why;
	int fd = input_stream_open(path, &why);
	if (fd < 0)
		err_set(e, ST_REQUEST, "cannot open the session %s: %s; %s", path, why,
			errno == ENOENT ? "`wavedeck doctor` shows the folder of recorded sessions"
					: "name a session recorded with `run --record FILE`");
	return fd;
}

static bool check_loaded(const struct session_loader *l, const char *path, struct err *e)
{
	const struct session *s = l->s;
	if (!header_check_schema(l->newer, path, e))
		return false;
	if (s->header)
		return true;
	if (!s->points.count && !s->bad_lines && !s->torn)
		return err_set(e, ST_REQUEST, "%s is empty; name a session recorded with `run --record FILE`", path);
	return err_set(e, ST_REQUEST, "%s is not a session: %s; name a file recorded with `run --record FILE`", path,
		s->points.count ? "its header, the first line, is damaged" : "it has no session header");
}

struct session_loader *session_load_start(const char *path, struct err *e)
{
	int fd = open_for_loading(path, e);
	if (fd < 0)
		return NULL;
	struct session_loader *l = xcalloc(1, sizeof *l);
	l->lines = line_reader_new(fd, RECORD_LINE_MAX);
	l->path = xstrdup(path);
	l->s = xcalloc(1, sizeof *l->s);
	return l;
}

bool session_load_continue(struct session_loader *l, int ms)
{
	long long end = now_ms() + ms;
	struct text_line line;
	for (unsigned n = 1;; n++) {
		enum line_status status = line_reader_step(l->lines, &line);
		if (status == LINE_READY)
			load_line(l, &line);
		if (status == LINE_END)
			return false;
		if (n % 64 == 0 && now_ms() >= end)
			return true;
	}
}

struct session *session_load_finish(struct session_loader *l, struct err *e)
{
	struct session *s = l->s;
	int error = line_reader_error(l->lines);
	bool ok = error ? err_set(e, ST_REQUEST, "cannot read %s: %s", l->path, strerror(error))
			: check_loaded(l, l->path, e);
	if (ok)
		plan_order_apply(&l->order, &s->points);
	plan_order_free(&l->order);
	line_reader_free(l->lines);
	free(l->failed);
	free(l->path);
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
	const char *why;
	int fd = input_file_open(path, &why);
	struct line_reader *lines = fd < 0 ? NULL : line_reader_new(fd, RECORD_LINE_MAX);
	struct text_line line;
	json_t *found = NULL;
	while (lines && !found && line_reader_next(lines, &line)) {
		json_t *record = json_loadb(line.text, line.too_long ? 0 : line.length, 0, NULL);
		found = !strcmp(record_get_type(record), "session") ? json_incref(record) : NULL;
		json_decref(record);
	}
	line_reader_free(lines);
	return found;
}

void session_free(struct session *s)
{
	if (!s)
		return;
	point_list_free(&s->points);
	json_decref(s->header);
	json_decref(s->notes);
	json_decref(s->what_if);
	free(s);
}

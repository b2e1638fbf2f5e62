#include "sessions/load/session_scan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "gpu/protocol/record.h"
#include "sessions/load/record_parse.h"

enum { CHUNK = 256 << 10 };

struct line_position {
	long long at;
	unsigned bytes;
};

struct session_scan {
	int fd;
	bool keep;
	long long at;    /* file offset of the line being read */
	size_t length;   /* bytes of that line so far */
	struct buf line; /* those bytes, if it began in an earlier chunk; empty if it is too long */
	char *chunk;
	struct line_position *positions; /* of the points, if they are kept */
	size_t room;
	struct session_summary sum;
};

struct session_scan *session_scan_open(const char *path, bool keep, struct err *e)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		err_set(e, ST_REQUEST, "cannot read the session %s: %s", path,
			fd < 0 ? strerror(errno) : "it is not a file");
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	struct session_scan *s = xcalloc(1, sizeof *s);
	s->fd = fd;
	s->keep = keep;
	s->chunk = xmalloc(CHUNK);
	return s;
}

void session_scan_close(struct session_scan *s)
{
	if (!s)
		return;
	close(s->fd);
	buf_free(&s->line);
	free(s->chunk);
	free(s->positions);
	session_summary_free(&s->sum);
	free(s);
}

const struct session_summary *session_scan_summary(const struct session_scan *s)
{
	return &s->sum;
}

/* --- lines --- */

/* record_format_line wrote the records, and quotation marks in strings are escaped: a member can be found by its text.
 */

static const char *find_text(const char *line, size_t n, const char *text)
{
	return memmem(line, n, text, strlen(text));
}

static size_t count_samples_in(const char *line, size_t n)
{
	const char *at = find_text(line, n, "\"seconds\":["), *end = line + n;
	size_t count = 1;
	if (!at)
		return 0;
	at += strlen("\"seconds\":[");
	const char *close = memchr(at, ']', (size_t)(end - at));
	if (!close || close == at)
		return 0;
	for (; (at = memchr(at, ',', (size_t)(close - at))); at++)
		count++;
	return count;
}

static void keep_position(struct session_scan *s, size_t n)
{
	if (!s->keep)
		return;
	if (s->sum.points == s->room) {
		s->room = s->room ? 2 * s->room : 256;
		s->positions = xrealloc(s->positions, s->room * sizeof *s->positions);
	}
	s->positions[s->sum.points] = (struct line_position){s->at, (unsigned)n};
}

static void scan_point(struct session_scan *s, const char *line, size_t n)
{
	struct session_summary *sum = &s->sum;
	size_t samples = count_samples_in(line, n);
	keep_position(s, n);
	sum->points++;
	sum->samples += samples;
	if (find_text(line, n, "\"status\":\"failed\""))
		sum->failed++;
	else if (find_text(line, n, "\"verify\":\"failed\""))
		sum->wrong++;
	else if (samples && find_text(line, n, "\"verify\":\"none\""))
		sum->unverified++;
	sum->broken += find_text(line, n, "\"contract\":\"broken\"") != NULL;
	sum->moved += find_text(line, n, "\"clocks_moved\":true") != NULL;
	sum->ended = false;
}

static size_t count_sweep_points(const json_t *sweep)
{
	size_t n = json_array_size(json_object_get(sweep, "values"));
	return n ? n : 1;
}

static void scan_header(struct session_summary *sum, json_t *record)
{
	const json_t *sweep = json_object_get(record, "sweep"), *axis;
	size_t i;
	if (sum->header)
		return;
	sum->header = json_incref(record);
	sum->expected = json_is_object(sweep) ? count_sweep_points(sweep) : 1;
	json_array_foreach(sweep, i, axis) sum->expected *= count_sweep_points(axis);
}

static void scan_other_record(struct session_scan *s, const char *line, size_t n, bool ended)
{
	json_t *record = json_loadb(line, n, 0, NULL);
	const char *type = record_get_type(record);
	if (!strcmp(type, "session"))
		scan_header(&s->sum, record);
	else if (!strcmp(type, "point")) /* another program wrote it, with spaces */
		scan_point(s, line, n);
	else if (!strcmp(type, "end"))
		s->sum.ended = true;
	else if (!strcmp(type, "note")) {
		snprintf(s->sum.note, sizeof s->sum.note, "%.159s", record_get_text(record, "text"));
		s->sum.notes++;
	} else if (!record && !ended)
		s->sum.torn = true;
	else if (!record)
		s->sum.bad_lines++;
	json_decref(record);
}

static void scan_line(struct session_scan *s, const char *line, size_t n, bool ended)
{
	static const char point[] = "{\"type\":\"point\"";
	if (n >= sizeof point && !memcmp(line, point, sizeof point - 1) && line[n - 1] == '}')
		scan_point(s, line, n);
	else if (n)
		scan_other_record(s, line, n, ended);
}

/* The text of a line that is too long is dropped, but its bytes count for the positions after it. */
static void keep_partial_line(struct session_scan *s, const char *bytes, size_t n)
{
	s->length += n;
	if (s->length > RECORD_LINE_MAX)
		buf_clear(&s->line);
	else
		buf_add(&s->line, bytes, n);
}

static void finish_line(struct session_scan *s, const char *bytes, size_t n, bool ended)
{
	bool whole = !s->length; /* the line is completely in the chunk: no copy */
	if (whole)
		s->length = n;
	else
		keep_partial_line(s, bytes, n);
	if (s->length <= RECORD_LINE_MAX)
		scan_line(s, whole ? bytes : s->line.data, s->length, ended);
	else if (ended)
		s->sum.bad_lines++;
	else
		s->sum.torn = true;
	s->at += (long long)s->length + ended;
	s->length = 0;
	buf_clear(&s->line);
}

static void scan_bytes(struct session_scan *s, const char *bytes, size_t n)
{
	const char *end;
	while ((end = memchr(bytes, '\n', n))) {
		size_t part = (size_t)(end - bytes);
		finish_line(s, bytes, part, true);
		bytes = end + 1;
		n -= part + 1;
	}
	keep_partial_line(s, bytes, n);
}

bool session_scan_read(struct session_scan *s, size_t bytes)
{
	for (size_t done = 0; done < bytes;) {
		ssize_t n = read(s->fd, s->chunk, CHUNK);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			if (s->length)
				finish_line(s, "", 0, false);
			return false;
		}
		scan_bytes(s, s->chunk, (size_t)n);
		done += (size_t)n;
	}
	return true;
}

json_t *session_scan_read_point(const struct session_scan *s, size_t i)
{
	if (!s->keep || i >= s->sum.points)
		return NULL;
	const struct line_position *p = &s->positions[i];
	char *line = xmalloc(p->bytes + 1);
	json_t *record =
		pread(s->fd, line, p->bytes, p->at) == (ssize_t)p->bytes ? record_parse(line, p->bytes, false) : NULL;
	free(line);
	return record;
}

/* --- summaries --- */

struct session_summary session_summary_copy(const struct session_summary *s)
{
	struct session_summary copy = *s;
	json_incref(copy.header);
	return copy;
}

void session_summary_free(struct session_summary *s)
{
	json_decref(s->header);
	*s = (struct session_summary){0};
}

static void append_warning(char *out, size_t size, const char *text)
{
	size_t n = strlen(out);
	snprintf(out + n, size - n, "%s%s", n ? ", " : "", text);
}

static void append_count(char *out, size_t size, size_t count, const char *one, const char *many)
{
	char text[64];
	snprintf(text, sizeof text, "%zu %s", count, count == 1 ? one : many);
	if (count)
		append_warning(out, size, text);
}

char *session_summary_format(const struct session_summary *s, char *out, size_t size)
{
	char text[64];
	*out = 0;
	if (!s->header) {
		snprintf(out, size, "not a session");
		return out;
	}
	append_count(out, size, s->failed, "point failed", "points failed");
	append_count(out, size, s->wrong, "wrong result", "wrong results");
	append_count(out, size, s->broken, "instruction mismatch", "instruction mismatches");
	append_count(out, size, s->moved, "clock moved", "clocks moved");
	snprintf(text, sizeof text, "%s: %zu of %zu", s->recording ? "being recorded" : "incomplete", s->points,
		s->expected);
	if (s->recording || s->points < s->expected)
		append_warning(out, size, text);
	if (s->torn && !s->recording)
		append_warning(out, size, "truncated");
	append_count(out, size, s->bad_lines, "damaged line", "damaged lines");
	if (s->unverified)
		append_warning(out, size, "not verified");
	if (!*out)
		snprintf(out, size, "clean");
	return out;
}

bool session_summary_is_clean(const struct session_summary *s)
{
	char text[8];
	return !strcmp(session_summary_format(s, text, sizeof text), "clean");
}

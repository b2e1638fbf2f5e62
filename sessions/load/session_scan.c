#include "sessions/load/session_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/input_file.h"
#include "gpu/protocol/point_record.h"
#include "gpu/protocol/record.h"
#include "gpu/protocol/header_record.h"
#include "sessions/load/plan_order.h"
#include "sessions/load/record_parse.h"

struct line_position {
	long long at;
	unsigned bytes;
	long place; /* in the plan */
};

struct session_scan {
	int fd;
	struct line_reader *lines;       /* owns fd */
	bool keep, unplaced;             /* unplaced: a point does not say its place in the plan */
	long long at;                    /* bytes read */
	struct line_position *positions; /* of the points, if they are kept */
	size_t room;
	struct session_summary sum;
};

struct session_scan *session_scan_open(const char *path, bool keep, struct err *e)
{
	const char *why;
	int fd = input_file_open(path, &why);
	if (fd < 0) {
		err_set(e, ST_REQUEST, "cannot read the session %s: %s", path, why);
		return NULL;
	}
	struct session_scan *s = xcalloc(1, sizeof *s);
	s->fd = fd;
	s->keep = keep;
	s->lines = line_reader_new(fd, RECORD_LINE_MAX);
	return s;
}

void session_scan_close(struct session_scan *s)
{
	if (!s)
		return;
	line_reader_free(s->lines);
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

static void keep_position(struct session_scan *s, const struct text_line *line)
{
	if (!s->keep)
		return;
	if (s->sum.points == s->room) {
		s->room = s->room ? 2 * s->room : 256;
		s->positions = xrealloc(s->positions, s->room * sizeof *s->positions);
	}
	const char *place = find_text(line->text, line->length, "\"point\":");
	s->unplaced |= !place;
	s->positions[s->sum.points] = (struct line_position){
		line->at, (unsigned)line->length, place ? strtol(place + strlen("\"point\":"), NULL, 10) : 0};
}

static int compare_places(const void *a, const void *b)
{
	const struct line_position *x = a, *y = b;
	return x->place != y->place ? (x->place > y->place) - (x->place < y->place) : (x->at > y->at) - (x->at < y->at);
}

/* In the order of the plan, as a session is loaded (plan_order.h). */
static void sort_positions(struct session_scan *s)
{
	if (s->positions && !s->unplaced && header_get_sweep(s->sum.header))
		qsort(s->positions, s->sum.points, sizeof *s->positions, compare_places);
}

static void scan_point(struct session_scan *s, const struct text_line *of)
{
	const char *line = of->text;
	size_t n = of->length;
	struct session_summary *sum = &s->sum;
	size_t samples = count_samples_in(line, n);
	keep_position(s, of);
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

static void scan_header(struct session_summary *sum, json_t *record)
{
	if (sum->header)
		return;
	sum->header = json_incref(record);
	sum->expected = plan_count_points(record);
}

static void scan_other_record(struct session_scan *s, const struct text_line *line)
{
	json_t *record = json_loadb(line->text, line->length, 0, NULL);
	const char *type = record_get_type(record);
	if (!strcmp(type, "session"))
		scan_header(&s->sum, record);
	else if (!strcmp(type, "point")) /* another program wrote it, with spaces */
		scan_point(s, line);
	else if (!strcmp(type, "end"))
		s->sum.ended = true;
	else if (!strcmp(type, "note")) {
		snprintf(s->sum.note, sizeof s->sum.note, "%.159s", record_get_text(record, "text"));
		s->sum.notes++;
	} else if (!record && !line->ended)
		s->sum.torn = true;
	else if (!record)
		s->sum.bad_lines++;
	json_decref(record);
}

static void scan_line(struct session_scan *s, const struct text_line *line)
{
	static const char point[] = "{\"type\":\"point\"";
	if (line->too_long && line->ended)
		s->sum.bad_lines++;
	else if (line->too_long)
		s->sum.torn = true;
	else if (line->length >= sizeof point && !memcmp(line->text, point, sizeof point - 1) &&
		line->text[line->length - 1] == '}')
		scan_point(s, line);
	else if (line->length)
		scan_other_record(s, line);
}

bool session_scan_read(struct session_scan *s, size_t bytes)
{
	struct text_line line;
	for (long long end = s->at + (long long)bytes; s->at < end;) {
		enum line_status status = line_reader_step(s->lines, &line);
		if (status == LINE_END) {
			sort_positions(s);
			return false;
		}
		if (status == LINE_READY)
			scan_line(s, &line);
		s->at = line_reader_offset(s->lines);
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
	point_resolve_code(record, NULL); /* it is not shown */
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

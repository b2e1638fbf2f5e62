/* Reads mutated sessions with every reader: load, all exporters, comparison, scan. mutate_sessions.sh builds it with
 * the address and undefined-behavior sanitizers. mutate_sessions COUNT SEED SESSION... Prints each file that gives text
 * with control characters; a sanitizer's report or a crash ends it. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gpu/protocol/record.h"
#include "sessions/compare/session_compare.h"
#include "sessions/export/session_output.h"
#include "sessions/load/session_scan.h"
#include "sessions/session.h"
#include "tests/long/sanitizers/mutation_source.h"

enum { MUTATIONS_MAX = 4, LINES_MAX = 400 };

struct lines {
	char *list[LINES_MAX];
	int count;
};

static void split_lines(char *text, struct lines *out)
{
	out->count = 0;
	for (char *line; (line = strsep(&text, "\n")) && out->count < LINES_MAX;)
		out->list[out->count++] = xstrdup(line);
}

/* --- mutations of a line: each returns a new one --- */
static char *flip_byte(const char *line)
{
	char *copy = xstrdup(line);
	if (*copy)
		copy[below((unsigned)strlen(copy))] = (char)(1 + below(255));
	return copy;
}

static char *cut_out(const char *line)
{
	unsigned n = (unsigned)strlen(line), from = below(n + 1), length = below(40);
	return xasprintf("%.*s%s", (int)from, line, line + (from + length < n ? from + length : n));
}

static char *replace_number(const char *line)
{
	static const char *const numbers[] = {"0", "-1", "1e308", "-0.0", "1e-320", "4294967296", "9223372036854775807",
		"2147483648", "null", "[]", "\"x\"", "1e999"};
	unsigned at = below((unsigned)strlen(line) + 1);
	while (line[at] && !isdigit((unsigned char)line[at]))
		at++;
	unsigned end = at;
	while (isdigit((unsigned char)line[end]) || line[end] == '.')
		end++;
	return xasprintf("%.*s%s%s", (int)at, line, numbers[below(sizeof numbers / sizeof *numbers)], line + end);
}

static json_t *make_odd_value(void)
{
	static const char *const values[] = {"null", "[]", "{}", "-1", "1e308", "\"\"", "\"x\\u001b[31m\\u202e\"",
		"[[1]]", "true", "{\"param\":5,\"values\":[null]}", "[{}]", "1000000000000000", "\"ok\""};
	return json_loads(values[below(sizeof values / sizeof *values)], JSON_DECODE_ANY, NULL);
}

static void replace_member(json_t *in, int depth)
{
	unsigned n = (unsigned)(json_is_array(in) ? json_array_size(in) : json_object_size(in)), at = below(n);
	if (!n)
		return;
	void *iter = json_is_object(in) ? json_object_iter(in) : NULL;
	for (unsigned i = 0; iter && i < at; i++)
		iter = json_object_iter_next(in, iter);
	json_t *value = iter ? json_object_iter_value(iter) : json_array_get(in, at);
	if (depth < 4 && (json_is_object(value) || json_is_array(value)) && below(3))
		replace_member(value, depth + 1);
	else if (iter && below(8) == 0)
		json_object_del(in, json_object_iter_key(iter));
	else if (iter)
		json_object_iter_set_new(in, iter, make_odd_value());
	else
		json_array_set_new(in, at, make_odd_value());
}

static char *change_member(const char *line)
{
	json_t *record = json_loads(line, 0, NULL);
	if (!record)
		return xstrdup(line);
	replace_member(record, 0);
	char *text = json_dumps(record, JSON_COMPACT);
	json_decref(record);
	return text;
}

static char *(*const mutations[])(const char *) = {
	flip_byte, cut_out, replace_number, change_member, change_member, change_member};

/* --- mutations of a file --- */
static void swap_lines(struct lines *l)
{
	unsigned a = below((unsigned)l->count), b = below((unsigned)l->count);
	char *was = l->list[a];
	l->list[a] = l->list[b];
	l->list[b] = was;
}

static void drop_line(struct lines *l)
{
	unsigned at = below((unsigned)l->count);
	free(l->list[at]);
	memmove(&l->list[at], &l->list[at + 1], (size_t)(--l->count - (int)at) * sizeof *l->list);
}

static void repeat_line(struct lines *l)
{
	if (l->count == LINES_MAX)
		return;
	l->list[l->count] = xstrdup(l->list[below((unsigned)l->count)]);
	l->count++;
}

static void mutate(struct lines *l)
{
	static void (*const of_file[])(struct lines *) = {swap_lines, drop_line, repeat_line};
	for (unsigned n = 1 + below(MUTATIONS_MAX); n > 0 && l->count > 1; n--) {
		unsigned at = below(2) ? 0 : below((unsigned)l->count); /* half of them in the header */
		if (below(4) == 0) {
			of_file[below(3)](l);
			continue;
		}
		char *line = mutations[below(sizeof mutations / sizeof *mutations)](l->list[at]);
		free(l->list[at]);
		l->list[at] = line;
	}
}

/* --- the readers --- */
static bool has_control_character(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)text[i] < ' ' && text[i] != '\n' && text[i] != '\t')
			return true;
	return false;
}

/* Text for a terminal goes through another filter (printable_output.h), so only JSON is checked here. */
static bool export_all(const struct session *s)
{
	bool clean = true;
	for (int format = 0; format < FORMAT_COUNT; format++) {
		char *text = NULL;
		size_t n = 0;
		struct session_output o = {.format = (enum export_format)format,
			.file = open_memstream(&text, &n),
			.header = s->header,
			.points = &s->points,
			.width = 80,
			.notes = s->notes};
		session_output_print(&o);
		fclose(o.file);
		clean = clean && (format != FORMAT_JSON || !has_control_character(text, n));
		free(text);
	}
	return clean;
}

static void compare_both(const struct session *a, const struct session *b)
{
	struct session_comparison c;
	struct err e = {0};
	const char *names[] = {"a", "b"};
	const struct session *both[] = {a, b};
	if (!comparison_make(&c, names, both, 2, &e))
		return;
	for (size_t row = 0; row < c.row_count; row++)
		for (int metric = 0; metric < c.sides[0].columns.metric_count; metric++)
			comparison_value_at(&c, row, metric, 1);
	comparison_free(&c);
}

static void scan_points(const char *path)
{
	struct session_scan *s = session_scan_open(path, true, NULL);
	char text[200];
	while (s && session_scan_read(s, 1 << 16))
		;
	for (size_t i = 0; s && i < session_scan_summary(s)->points; i++)
		json_decref(session_scan_read_point(s, i));
	if (s)
		session_summary_format(session_scan_summary(s), text, sizeof text);
	session_scan_close(s);
}

/* Whether it could be read as a session. */
static bool read_mutated(int fd, const struct session *other, bool *clean)
{
	char path[64];
	struct err e = {0};
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	scan_points(path);
	struct session *s = session_load(path, &e);
	*clean = !s || export_all(s);
	if (s)
		compare_both(s, other);
	bool read = s != NULL;
	session_free(s);
	return read;
}

static void write_lines(int fd, const struct lines *l)
{
	if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET))
		abort();
	for (int i = 0; i < l->count; i++)
		dprintf(fd, "%s%s", l->list[i], i + 1 < l->count ? "\n" : "");
}

int main(int argc, char **argv)
{
	int count = argc > 3 ? atoi(argv[1]) : 0, accepted = 0, unclean = 0, fd = memfd_create("session", 0);
	srand((unsigned)(argc > 3 ? atoi(argv[2]) : 1));
	for (int i = 0; i < count; i++) {
		const char *base = argv[3 + i % (argc - 3)];
		struct err e = {0};
		struct lines lines;
		char *text = read_whole(base).data;
		bool clean;
		split_lines(text, &lines);
		mutate(&lines);
		write_lines(fd, &lines);
		struct session *other = session_load(base, &e);
		accepted += read_mutated(fd, other, &clean);
		unclean += !clean;
		session_free(other);
		while (lines.count)
			free(lines.list[--lines.count]);
		free(text);
	}
	printf("%d mutated sessions, %d read as sessions, %d with control characters in JSON\n", count, accepted,
		unclean);
	return unclean || !count || !accepted;
}

/* Sessions: written, read back, cut at every byte, filled with rubbish, locked, on a full disk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/buf.h"
#include "gpu/protocol/record.h"
#include "sessions/load/session_columns.h"
#include "sessions/session.h"
#include "tests/scratch.h"

static char folder[SCRATCH_PATH];

static char *in_folder(const char *name)
{
	return xasprintf("%s/%s", folder, name);
}

static json_t *header_new(void)
{
	json_t *h = json_loads(
		"{\"type\":\"session\",\"schema\":1,\"experiment\":\"cacheline-stride\",\"title\":\"Cache line\","
		"\"device\":{\"device\":\"soft:mi25\",\"name\":\"MI25\"},\"params\":{\"stride\":16},"
		"\"columns\":{\"params\":[{\"id\":\"stride\",\"unit\":\"B\"}],\"metrics\":[{\"id\":\"latency\",\"unit\":\"cycles\",\"axis\":0}]}}",
		0, NULL);
	assert_non_null(h);
	return h;
}

static json_t *point_new(int stride)
{
	return json_pack("{s:s, s:{s:i}, s:s, s:[f,f], s:f, s:n, s:{s:f}}", "type", "point", "params", "stride", stride,
		"status", "ok", "seconds", 0.001, 0.0011, "sclk_mhz", 1536.0, "temp_c", "metrics", "latency", 361.25);
}

static void write_file(const char *path, const void *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), (ssize_t)n);
	close(fd);
}

static char *read_file(const char *path, size_t *n)
{
	struct buf b = {0};
	char chunk[4096];
	ssize_t got;
	int fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	buf_puts(&b, "");
	while ((got = read(fd, chunk, sizeof chunk)) > 0)
		buf_add(&b, chunk, (size_t)got);
	close(fd);
	*n = b.len;
	return b.data;
}

static void record_three(const char *path)
{
	struct err e = {0};
	json_t *h = header_new();
	unlink(path);
	struct recorder *r = recorder_open(path, h, &e);
	assert_non_null(r);
	assert_string_equal(recorder_path(r), path);
	for (int i = 0; i < 3; i++) {
		json_t *p = point_new(16 << i);
		assert_true(recorder_write_record(r, p, &e));
		json_decref(p);
	}
	assert_true(recorder_close(r, &e));
	json_decref(h);
}

static void one_line(const struct err *e)
{
	assert_true(strlen(e->text) > 10);
	assert_null(strchr(e->text, '\n'));
	assert_int_equal(e->status, ST_REQUEST);
}

static void written_records_are_read_back(void **state)
{
	(void)state;
	struct err e = {0};
	char *path = in_folder("three.wbs");
	record_three(path);
	struct session *s = session_load(path, &e);
	assert_non_null(s);
	assert_int_equal(s->points.count, 3);
	assert_true(s->complete);
	assert_false(s->torn);
	assert_int_equal(s->bad_lines, 0);
	assert_string_equal(record_get_text(s->header, "experiment"), "cacheline-stride");
	assert_string_equal(record_get_text(s->header, "program"), "wavedeck " WAVEDECK_VERSION);
	assert_int_equal(strlen(record_get_text(s->header, "time")), 20);
	for (size_t i = 0; i < 3; i++) {
		json_t *want = point_new(16 << i);
		/* 1536.0 is written as 1536: equal as numbers */
		assert_true(record_get_reading(point_list_get(&s->points, i), "sclk_mhz").value == 1536);
		assert_true(json_equal(
			json_object_get(point_list_get(&s->points, i), "metrics"), json_object_get(want, "metrics")));
		assert_false(record_get_reading(point_list_get(&s->points, i), "temp_c").valid);
		json_decref(want);
	}
	session_free(s);
	free(path);
}

static void the_first_line_is_the_header(void **state)
{
	(void)state;
	size_t n;
	char *path = in_folder("head.wbs");
	record_three(path);
	char *text = read_file(path, &n);
	assert_int_equal(strncmp(text, "{\"type\":\"session\",\"schema\":1,", 28), 0);
	assert_int_equal(text[n - 1], '\n');
	free(text);
	free(path);
}

static void points_are_flushed_within_the_interval(void **state)
{
	(void)state;
	struct err e = {0};
	char *path = in_folder("soon.wbs");
	json_t *h = header_new(), *p = point_new(16);
	struct recorder *r = recorder_open(path, h, &e);
	assert_non_null(r);
	recorder_write_record(r, p, &e);
	nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL);
	recorder_flush_old(r);
	struct session *s = session_load(path, &e);
	assert_non_null(s);
	assert_int_equal(s->points.count, 1);
	assert_false(s->complete);
	assert_false(s->torn);
	session_free(s);
	assert_true(recorder_close(r, &e));
	json_decref(h);
	json_decref(p);
	free(path);
}

static void every_prefix_of_a_file_opens_or_gives_an_error(void **state)
{
	(void)state;
	size_t n, header_end, whole = 0;
	char *full = in_folder("full.wbs"), *path = in_folder("prefix.wbs");
	record_three(full);
	char *text = read_file(full, &n);
	header_end = (size_t)(strchr(text, '\n') - text);
	for (size_t cut = 0; cut <= n; cut++) {
		struct err e = {0};
		write_file(path, text, cut);
		struct session *s = session_load(path, &e);
		size_t points = 0;
		for (const char *at = text; (at = strstr(at, "\"status\"")); at++) {
			const char *end = strchr(at, '\n');
			points += end && (size_t)(end - text) <= cut;
		}
		if (cut < header_end) {
			assert_null(s);
			one_line(&e);
			continue;
		}
		assert_non_null(s);
		assert_int_equal(s->points.count, points);
		assert_int_equal(s->bad_lines, 0);
		/* Torn exactly when the cut is inside a line; the whole line without its newline is whole. */
		bool inside = cut > 0 && text[cut - 1] != '\n' && !(cut < n && text[cut] == '\n');
		assert_int_equal(s->torn, inside);
		whole += s->complete;
		session_free(s);
	}
	assert_int_equal(whole, 2);
	free(text);
	free(full);
	free(path);
}

static uint64_t random_state = 88172645463325252ull;
static unsigned char random_byte(void) /* xorshift64, Marsaglia 2003 */
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned char)(random_state >> 32);
}

static void random_bytes_give_a_one_line_error(void **state)
{
	(void)state;
	static unsigned char bytes[20000];
	char *path = in_folder("random.wbs");
	for (int round = 0; round < 60; round++) {
		struct err e = {0};
		size_t n = (size_t)random_byte() * (round < 30 ? 3 : 75);
		for (size_t i = 0; i < n; i++)
			bytes[i] = round % 3 == 2 ? "{}[]\",:0\n\\"[random_byte() % 10] : random_byte();
		write_file(path, bytes, n);
		assert_null(session_load(path, &e));
		one_line(&e);
	}
	free(path);
}

/* A good session with bytes overwritten: whatever comes out is a session or a line, and never more points than were
 * written. */
static void damage_loses_only_the_damaged_lines(void **state)
{
	(void)state;
	size_t n;
	char *full = in_folder("whole.wbs"), *path = in_folder("damaged.wbs");
	record_three(full);
	char *text = read_file(full, &n), *copy = xmalloc(n);
	for (int round = 0; round < 3000; round++) {
		struct err e = {0};
		memcpy(copy, text, n);
		for (int k = 0; k <= round % 4; k++)
			copy[(random_byte() << 8 | random_byte()) % n] = (char)random_byte();
		write_file(path, copy, n);
		struct session *s = session_load(path, &e);
		if (!s)
			one_line(&e);
		else
			assert_true(s->points.count <= 3 &&
				(int)s->points.count + 2 * (round % 4 + 1) >= 3); /* a lost newline costs two records */
		session_free(s);
	}
	free(text);
	free(copy);
	free(full);
	free(path);
}

static void unknown_records_are_skipped(void **state)
{
	(void)state;
	static const char *const lines[] = {
		"[]",
		"3",
		"null",
		"\"point\"",
		"{}",
		"{\"type\":3}",
		"{\"type\":\"point\"}",
		"{\"type\":\"point\",\"params\":[]}",
		"{\"type\":\"nonsense\"}",
	};
	struct err e = {0};
	struct buf b = {0};
	char *path = in_folder("strange.wbs");
	buf_puts(&b,
		"{\"type\":\"session\",\"params\":7,\"sweep\":[3,{\"param\":4}],\"device\":[],\"columns\":{\"params\":[5,{}],\"metrics\":{}}}\n");
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		buf_printf(&b, "%s\n", lines[i]);
	buf_puts(&b, "{\"type\":\"point\",\"params\":{\"stride\":[1]},\"metrics\":4,\"seconds\":\"no\"}\n");
	write_file(path, b.data, b.len);
	struct session *s = session_load(path, &e);
	assert_non_null(s);
	assert_int_equal(s->points.count, 1);
	assert_int_equal(s->bad_lines, sizeof lines / sizeof *lines);
	struct session_columns c;
	columns_read(s->header, &c);
	assert_int_equal(c.param_count, 0);
	session_free(s);
	buf_free(&b);
	free(path);
}

static void a_line_over_the_limit_is_skipped(void **state)
{
	(void)state;
	struct err e = {0};
	struct buf b = {0};
	char *path = in_folder("long.wbs"), *filler = xmalloc(1 << 20);
	memset(filler, '[', 1 << 20);
	json_t *h = header_new();
	char *line = record_format_line(h);
	buf_puts(&b, line);
	for (int i = 0; i < 20; i++)
		buf_add(&b, filler, 1 << 20);
	buf_puts(&b, "\n{\"type\":\"point\",\"params\":{\"stride\":16}}\n");
	write_file(path, b.data, b.len);
	struct session *s = session_load(path, &e);
	assert_non_null(s);
	assert_int_equal(s->points.count, 1);
	assert_int_equal(s->bad_lines, 1);
	session_free(s);
	json_decref(h);
	free(line);
	free(filler);
	buf_free(&b);
	free(path);
}

static void folders_and_devices_are_rejected(void **state)
{
	(void)state;
	static const char *const paths[] = {"/proc/none/file.wbs", "/tmp", "/dev/zero", "/dev/null"};
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		struct err e = {0};
		assert_null(session_load(paths[i], &e));
		one_line(&e);
		assert_non_null(strstr(e.text, paths[i]));
	}
}

static void a_newer_schema_is_rejected(void **state)
{
	(void)state;
	static const char text[] = "{\"type\":\"session\",\"schema\":99}\n";
	struct err e = {0};
	char *path = in_folder("newer.wbs");
	write_file(path, text, sizeof text - 1);
	assert_null(session_load(path, &e));
	one_line(&e);
	assert_non_null(strstr(e.text, "99"));
	free(path);
}

/* The limit of the file's size acts as a full disk. */
static void a_session_that_cannot_be_written_leaves_no_file(void **state)
{
	(void)state;
	struct rlimit old, none;
	struct err e = {0};
	char *path = in_folder("no-space.wbs"),
	     *expected = xasprintf("File too large: cannot record to %s; choose another file", path);
	json_t *h = header_new();
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	none = (struct rlimit){0, old.rlim_max};
	setrlimit(RLIMIT_FSIZE, &none);
	struct recorder *r = recorder_open(path, h, &e);
	setrlimit(RLIMIT_FSIZE, &old);
	assert_null(r);
	assert_string_equal(e.text, expected);
	assert_int_equal(access(path, F_OK), -1);
	write_file(path, "", 0); /* a file of the user's stays */
	setrlimit(RLIMIT_FSIZE, &none);
	assert_null(recorder_open(path, h, &e));
	setrlimit(RLIMIT_FSIZE, &old);
	assert_int_equal(access(path, F_OK), 0);
	json_decref(h);
	free(expected);
	free(path);
}

static void a_second_writer_is_rejected(void **state)
{
	(void)state;
	struct err e = {0};
	char *path = in_folder("locked.wbs");
	json_t *h = header_new();
	struct recorder *first = recorder_open(path, h, &e);
	assert_non_null(first);
	assert_null(recorder_open(path, h, &e));
	one_line(&e);
	assert_non_null(strstr(e.text, "another"));
	assert_null(recorder_open_existing(path, &e));
	one_line(&e);
	assert_true(recorder_close(first, &e));
	assert_null(recorder_open(path, h, &e)); /* an existing session is never overwritten */
	one_line(&e);
	assert_non_null(strstr(e.text, "exists"));
	json_decref(h);
	free(path);
}

static void appending_repairs_an_incomplete_last_line(void **state)
{
	(void)state;
	struct err e = {0};
	size_t n;
	char *path = in_folder("torn.wbs");
	record_three(path);
	char *text = read_file(path, &n);
	const char *third = text;
	for (int i = 0; i < 3; i++)
		third = strchr(third, '\n') + 1;
	write_file(path, text, (size_t)(third - text) + 20); /* header, two points, a piece of the third */
	struct recorder *r = recorder_open_existing(path, &e);
	assert_non_null(r);
	json_t *p = point_new(64);
	assert_true(recorder_write_record(r, p, &e));
	assert_true(recorder_close(r, &e));
	struct session *s = session_load(path, &e);
	assert_non_null(s);
	assert_int_equal(s->points.count, 3);
	assert_int_equal(s->bad_lines, 0); /* the piece is gone */
	assert_true(s->complete && !s->torn);
	session_free(s);
	json_decref(p);
	free(text);
	free(path);
}

static void a_session_that_is_removed_meanwhile_is_told(void **state)
{
	(void)state;
	struct err e = {0};
	char *path = in_folder("removed.wbs");
	json_t *h = header_new(), *p = point_new(16);
	struct recorder *r = recorder_open(path, h, &e);
	assert_true(recorder_write_record(r, p, &e));
	assert_int_equal(unlink(path), 0);
	assert_false(recorder_close(r, &e));
	assert_non_null(strstr(e.text, "removed.wbs was removed while it was recorded, and its 1 points"));
	json_decref(h);
	json_decref(p);
	free(path);
}

static void a_full_disk_is_reported_once(void **state)
{
	(void)state;
	struct err e = {0};
	json_t *h = header_new();
	if (access("/dev/full", W_OK)) {
		json_decref(h);
		skip();
	}
	assert_null(recorder_open("/dev/full", h, &e));
	assert_non_null(strstr(e.text, "No space left"));
	json_decref(h);
}

/* The limit of the file's size acts as a full disk: the first bytes of the header are written, the others are not. */
static void a_session_without_its_header_leaves_no_file(void **state)
{
	(void)state;
	struct err e = {0};
	struct rlimit was, small;
	char *sessions = in_folder("begun");
	json_t *h = header_new();
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	small = (struct rlimit){8, was.rlim_max};
	signal(SIGXFSZ, SIG_IGN);
	session_set_default_folder(sessions);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	struct recorder *r = recorder_open(NULL, h, &e);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
	session_set_default_folder(NULL);
	assert_null(r);
	assert_ptr_equal(strstr(e.text, "File too large"),
		e.text); /* before the path, which may be longer than a screen is wide */
	assert_int_equal(rmdir(sessions), 0);
	json_decref(h);
	free(sessions);
}

/* A pipe whose buffer is full says no like a disk; when it is emptied everything arrives, in order and whole. */
static void unwritten_records_are_written_later(void **state)
{
	(void)state;
	struct err e = {0};
	char *path = in_folder("pipe");
	assert_int_equal(mkfifo(path, 0600), 0);
	int in = open(path, O_RDONLY | O_NONBLOCK);
	json_t *h = header_new(), *p = point_new(16);
	struct recorder *r = recorder_open(path, h, &e);
	assert_non_null(r);
	int refusals = 0, points = 0;
	/* The recorder's own end is made non-blocking through the pipe's other name. */
	char self[64];
	for (int fd = 3; fd < 64; fd++) {
		snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
		char target[256] = "";
		if (readlink(self, target, sizeof target - 1) > 0 && !strcmp(target, path) && fd != in)
			fcntl(fd, F_SETFL, O_NONBLOCK | O_APPEND);
	}
	for (int burst = 0; burst < 6; burst++) {
		for (int i = 0; i < 300; i++, points++)
			refusals += !recorder_write_record(r, p, &e);
		nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL);
	}
	assert_int_equal(refusals, 1);
	struct buf b = {0};
	char chunk[8192];
	for (int rounds = 0; rounds < 200 && (!b.len || !strstr(b.data + (b.len > 300 ? b.len - 300 : 0), "LAST"));
		rounds++) {
		ssize_t n;
		while ((n = read(in, chunk, sizeof chunk)) > 0)
			buf_add(&b, chunk, (size_t)n);
		if (rounds == 2) {
			json_t *last = json_pack("{s:s, s:s}", "type", "note", "text", "LAST");
			recorder_write_record(r, last, &e);
			json_decref(last);
		}
		nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
		recorder_flush_old(r);
	}
	int found = 0;
	for (const char *at = b.data; at && (at = strstr(at, "\"type\":\"point\"")); at++)
		found++;
	assert_int_equal(found, points);
	assert_true(recorder_close(r, &e));
	close(in);
	buf_free(&b);
	json_decref(h);
	json_decref(p);
	free(path);
}

static void the_default_name_is_unique_and_in_the_users_folder(void **state)
{
	(void)state;
	struct err e = {0};
	setenv("XDG_DATA_HOME", folder, 1);
	json_t *h = header_new();
	struct recorder *a = recorder_open(NULL, h, &e), *b = recorder_open(NULL, h, &e);
	assert_non_null(a);
	assert_non_null(b);
	assert_string_not_equal(recorder_path(a), recorder_path(b));
	char *sessions = session_default_folder();
	assert_int_equal(strncmp(recorder_path(a), sessions, strlen(sessions)), 0);
	assert_int_equal(strncmp(sessions, folder, strlen(folder)), 0);
	assert_non_null(strstr(recorder_path(a), "cacheline-stride"));
	assert_null(strchr(recorder_path(a), ':'));
	assert_true(recorder_close(a, &e));
	assert_true(recorder_close(b, &e));
	free(sessions);
	json_decref(h);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(scratch_path(folder, "session-XXXXXX")) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	char *command = xasprintf("rm -rf '%s'", folder);
	int status = system(command);
	free(command);
	return status;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(written_records_are_read_back),
		cmocka_unit_test(the_first_line_is_the_header),
		cmocka_unit_test(points_are_flushed_within_the_interval),
		cmocka_unit_test(every_prefix_of_a_file_opens_or_gives_an_error),
		cmocka_unit_test(random_bytes_give_a_one_line_error),
		cmocka_unit_test(damage_loses_only_the_damaged_lines),
		cmocka_unit_test(unknown_records_are_skipped),
		cmocka_unit_test(a_line_over_the_limit_is_skipped),
		cmocka_unit_test(folders_and_devices_are_rejected),
		cmocka_unit_test(a_newer_schema_is_rejected),
		cmocka_unit_test(a_session_that_cannot_be_written_leaves_no_file),
		cmocka_unit_test(a_second_writer_is_rejected),
		cmocka_unit_test(appending_repairs_an_incomplete_last_line),
		cmocka_unit_test(a_session_that_is_removed_meanwhile_is_told),
		cmocka_unit_test(a_full_disk_is_reported_once),
		cmocka_unit_test(a_session_without_its_header_leaves_no_file),
		cmocka_unit_test(unwritten_records_are_written_later),
		cmocka_unit_test(the_default_name_is_unique_and_in_the_users_folder),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

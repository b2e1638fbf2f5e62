/* Session files read in slices: the fast reader against Jansson's, summaries, points by number, the folder, notes,
 * names, deletion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "gpu/protocol/record.h"
#include "sessions/load/session_library.h"
#include "sessions/load/record_parse.h"
#include "sessions/session.h"
#include "tests/scratch.h"

static char folder[SCRATCH_PATH];

static char *in_folder(const char *name)
{
	return xasprintf("%s/wavedeck/sessions/%s", folder, name);
}

static void write_text(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
}

static char *read_text(const char *path)
{
	struct buf b = {0};
	char chunk[4096];
	FILE *in = fopen(path, "r");
	assert_non_null(in);
	buf_puts(&b, "");
	for (size_t n; (n = fread(chunk, 1, sizeof chunk, in)) > 0;)
		buf_add(&b, chunk, n);
	fclose(in);
	return b.data;
}

#define HEADER                                                                                                                             \
	"{\"type\":\"session\",\"schema\":1,\"time\":\"2026-03-01T10:00:00Z\",\"experiment\":\"x\",\"device\":{\"device\":\"soft:mi25\"}," \
	"\"sweep\":[{\"param\":\"a\",\"values\":[1,2]},{\"param\":\"b\",\"values\":[1,2,3]}]}\n"
#define POINT(n, rest)                                               \
	"{\"type\":\"point\",\"point\":" #n ",\"params\":{\"a\":" #n \
	"},\"status\":\"ok\",\"seconds\":[1,2,3],\"verify\":\"ok\",\"contract\":\"ok\"" rest "}\n"

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(scratch_path(folder, "library-XXXXXX")))
		return -1;
	setenv("XDG_DATA_HOME", folder, 1);
	char *command = xasprintf("mkdir -p %s/wavedeck/sessions", folder);
	int status = system(command);
	free(command);
	return status;
}

static int tear_down(void **state)
{
	(void)state;
	char *command = xasprintf("rm -rf %s", folder);
	int status = system(command);
	free(command);
	return status;
}

/* --- the fast reader --- */

static void check_parse(const char *samples)
{
	char *line = xasprintf(
		"{\"type\":\"point\",\"text\":\"a \\\"seconds\\\":[1] b\",\"seconds\":[%s],\"verify\":\"ok\"}",
		samples);
	json_t *want = json_loads(line, 0, NULL), *got = record_parse(line, strlen(line), true),
	       *light = record_parse(line, strlen(line), false);
	assert_int_equal(want != NULL, got != NULL);
	assert_int_equal(want != NULL, light != NULL || strlen(samples) >= 128);
	const json_t *a = json_object_get(want, "seconds"), *b = json_object_get(got, "seconds");
	assert_int_equal(json_array_size(a), json_array_size(b));
	for (size_t i = 0; i < json_array_size(a); i++) {
		double x = json_number_value(json_array_get(a, i)), y = json_number_value(json_array_get(b, i));
		assert_memory_equal(&x, &y, sizeof x); /* to the bit */
	}
	if (want) {
		assert_int_equal(record_sample_count(light), json_array_size(a));
		assert_string_equal(record_get_text(light, "verify"), "ok");
		assert_string_equal(record_get_text(got, "text"), record_get_text(want, "text"));
	}
	json_decref(want);
	json_decref(got);
	json_decref(light);
	free(line);
}

static void the_fast_parser_agrees_with_jansson(void **state)
{
	(void)state;
	struct buf b = {0};
	static const char *const odd[] = {"0.1", "0.010222520338", "1e-9", "123456789012345678",
		"0.00000000000000000000000001", "1.7976931348623157e308", "5e-324", "0", "0.0", "3", "9007199254740993",
		"0.30000000000000004", "123456789012345.6", "-1.5"};
	for (int round = 0; round < 40; round++) {
		buf_clear(&b);
		for (int i = 0; i < 60; i++)
			if ((i + round) % 5 == 0)
				buf_printf(&b, "%s%s", i ? "," : "", odd[(i * 7 + round) % (sizeof odd / sizeof *odd)]);
			else
				buf_printf(&b, "%s%.*g", i ? "," : "", 1 + (i + round) % 17,
					(double)(i + 1) / (round + 3) / 97);
		check_parse(b.data);
	}
	check_parse("");
	check_parse("1,2");
	buf_free(&b);
}

static void invalid_json_is_not_a_record(void **state)
{
	(void)state;
	static const char *const bad[] = {
		"1,,2", "1,2,", ",1", "1 2", "1,nan", "1,0x10", "01", "1.", ".5", "1,\"a\"", "1,[2]"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char *line = xasprintf("{\"seconds\":[%s,%0200d.5]}", bad[i], 0);
		json_t *want = json_loads(line, 0, NULL);
		json_t *got = record_parse(line, strlen(line), true);
		if (!want)
			assert_null(got);
		json_decref(want);
		json_decref(got);
		free(line);
	}
}

/* --- summaries --- */

static struct session_summary summary_of(const char *text, size_t step)
{
	char *path = in_folder("s.wbs");
	struct err e = {0};
	write_text(path, text);
	struct session_scan *s = session_scan_open(path, true, &e);
	assert_non_null(s);
	while (session_scan_read(s, step))
		;
	struct session_summary sum = session_summary_copy(session_scan_summary(s));
	session_scan_close(s);
	unlink(path);
	free(path);
	return sum;
}

static void check_quality(const char *text, const char *want)
{
	char quality[160];
	struct session_summary s = summary_of(text, 1);
	assert_string_equal(session_summary_format(&s, quality, sizeof quality), want);
	session_summary_free(&s);
}

static void the_summary_lists_the_worst_warning_first(void **state)
{
	(void)state;
#define FIVE POINT(1, "") POINT(2, "") POINT(3, "") POINT(4, "") POINT(5, "")
	check_quality(HEADER FIVE POINT(6, ""), "clean");
	check_quality(HEADER FIVE POINT(6, "") "{\"type\":\"end\",\"points\":6}\n", "clean");
	check_quality(HEADER FIVE, "incomplete: 5 of 6");
	check_quality(HEADER FIVE POINT(6, ",\"clocks_moved\":true"), "1 clock moved");
	check_quality(HEADER FIVE "{\"type\":\"point\",\"params\":{},\"status\":\"failed\"}\n", "1 point failed");
	check_quality(HEADER FIVE "{\"type\":\"point\",\"seconds\":[1],\"verify\":\"none\"}\n", "not verified");
	check_quality(HEADER FIVE
		"{\"type\":\"point\",\"verify\":\"failed\",\"contract\":\"broken\",\"clocks_moved\":true}\n",
		"1 wrong result, 1 instruction mismatch, 1 clock moved");
	check_quality(HEADER FIVE "{\"type\":\"poi", "incomplete: 5 of 6, truncated");
	check_quality(HEADER FIVE "rubbish\n" POINT(6, ""), "1 damaged line");
	check_quality("rubbish\n", "not a session");
	check_quality("", "not a session");
}

static void text_in_a_string_does_not_count_as_a_fault(void **state)
{
	(void)state;
	check_quality(HEADER FIVE POINT(
			      6, ",\"verdict\":\"says \\\"clocks_moved\\\":true and \\\"contract\\\":\\\"broken\\\"\""),
		"clean");
}

static void points_are_read_by_index(void **state)
{
	(void)state;
	char *path = in_folder("p.wbs");
	struct err e = {0};
	write_text(path,
		HEADER "{\"type\":\"note\",\"text\":\"one\"}\n" POINT(10, "") "\n" POINT(11,
			"") "{\"type\":\"note\",\"text\":\"two\"}\n"
			    "{ \"type\": \"point\", \"params\": {\"a\": 12} }\n{\"type\":\"point\",\"params\":{\"a\":13}}");
	struct session_scan *s = session_scan_open(path, true, &e);
	while (session_scan_read(s, 7))
		;
	assert_int_equal(session_scan_summary(s)->points, 4);
	assert_int_equal(session_scan_summary(s)->samples, 6);
	assert_int_equal(session_scan_summary(s)->expected, 6);
	assert_string_equal(session_scan_summary(s)->note, "two");
	for (int i = 0; i < 4; i++) {
		json_t *p = session_scan_read_point(s, (size_t)i);
		assert_int_equal(json_integer_value(json_object_get(json_object_get(p, "params"), "a")), 10 + i);
		json_decref(p);
	}
	assert_null(session_scan_read_point(s, 4));
	session_scan_close(s);
	unlink(path);
	free(path);
}

/* Too long for a record, longer than a chunk and than the limit: what lies behind it is found at its place. */
static void an_overlong_line_is_skipped_and_counted(void **state)
{
	(void)state;
	char *path = in_folder("long.wbs"), *filler = xmalloc(RECORD_LINE_MAX + 1);
	struct err e = {0};
	memset(filler, '[', RECORD_LINE_MAX);
	for (int over = 0; over <= 5000000; over += 1000000) {
		FILE *out = fopen(path, "w");
		assert_non_null(out);
		fputs(HEADER POINT(10, ""), out);
		fwrite(filler, 1, RECORD_LINE_MAX, out);
		fwrite(filler, 1, (size_t)over, out);
		fputs("\n" POINT(11, ""), out);
		assert_int_equal(fclose(out), 0);
		struct session_scan *s = session_scan_open(path, true, &e);
		while (session_scan_read(s, 1 << 20))
			;
		assert_int_equal(session_scan_summary(s)->points, 2);
		assert_int_equal(session_scan_summary(s)->bad_lines, 1);
		for (int i = 0; i < 2; i++) {
			json_t *p = session_scan_read_point(s, (size_t)i);
			assert_int_equal(
				json_integer_value(json_object_get(json_object_get(p, "params"), "a")), 10 + i);
			json_decref(p);
		}
		session_scan_close(s);
	}
	unlink(path);
	free(filler);
	free(path);
}

/* --- the folder --- */

static void read_all(struct library *l)
{
	while (library_read_slice(l, 1))
		;
	assert_int_equal(library_known_count(l), library_count(l));
}

static const struct library_entry *named(const struct library *l, const char *name)
{
	for (size_t i = 0; i < library_count(l); i++)
		if (!strcmp(library_entry_at(l, i)->name, name) && !library_entry_at(l, i)->sample)
			return library_entry_at(l, i);
	return NULL;
}

static void a_refresh_reads_only_changed_files(void **state)
{
	(void)state;
	char *a = in_folder("a.wbs"), *b = in_folder("b.wbs"), *other = in_folder("notes.txt");
	write_text(a, HEADER POINT(1, ""));
	write_text(b, "nothing");
	write_text(other, HEADER);
	struct library *l = library_open();
	read_all(l);
	assert_int_equal(named(l, "a")->summary.points, 1);
	assert_int_equal(named(l, "a")->when, 1772359200); /* 2026-03-01 10:00 UTC */
	assert_null(named(l, "b")->summary.header);
	assert_null(named(l, "notes"));
	write_text(a, HEADER POINT(1, "") POINT(2, ""));
	unlink(b);
	library_refresh(l);
	assert_null(named(l, "b"));
	assert_false(named(l, "a")->known);
	read_all(l);
	assert_int_equal(named(l, "a")->summary.points, 2);
	library_refresh(l);
	assert_true(named(l, "a")->known); /* what did not change is not read again */
	library_close(l);
	unlink(a);
	unlink(other);
	free(a);
	free(b);
	free(other);
}

static void a_note_leaves_the_other_lines_unchanged(void **state)
{
	(void)state;
	char *path = in_folder("n.wbs");
	struct err e = {0};
	write_text(path, HEADER POINT(1, "") "{\"type\":\"end\",\"points\":1}\n");
	char *before = read_text(path);
	assert_true(session_add_note(path, "warm \"room\"", &e));
	char *after = read_text(path);
	assert_memory_equal(before, after, strlen(before));
	struct session *s = session_load(path, &e);
	assert_int_equal(s->points.count, 1);
	assert_true(s->complete && !s->bad_lines);
	session_free(s);
	json_t *note = json_loads(after + strlen(before), 0, NULL);
	assert_string_equal(record_get_text(note, "text"), "warm \"room\"");
	json_decref(note);
	free(before);
	free(after);
	unlink(path);
	free(path);
}

static void a_file_being_recorded_is_not_changed(void **state)
{
	(void)state;
	char *path = in_folder("r.wbs");
	struct err e = {0};
	write_text(path, HEADER);
	int fd = open(path, O_RDONLY);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_false(session_add_note(path, "x", &e));
	assert_false(session_rename(path, "y", &e));
	assert_false(session_delete(path, &e));
	assert_non_null(strstr(e.text, "another wavedeck records"));
	char *text = read_text(path);
	assert_string_equal(text, HEADER);
	free(text);
	close(fd);
	assert_true(session_delete(path, &e));
	assert_int_equal(access(path, F_OK), -1);
	free(path);
}

static void the_summary_shows_a_running_recording(void **state)
{
	(void)state;
	char *path = in_folder("now.wbs"), quality[160];
	write_text(path, HEADER POINT(1, "") "{\"type\":\"poi");
	int fd = open(path, O_RDONLY);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	struct library *l = library_open();
	read_all(l);
	assert_true(library_has_recordings(l));
	assert_string_equal(
		session_summary_format(&named(l, "now")->summary, quality, sizeof quality), "being recorded: 1 of 6");
	assert_false(session_summary_is_clean(&named(l, "now")->summary));
	close(fd); /* its program has died: the file is as it was */
	library_refresh(l);
	read_all(l);
	assert_false(library_has_recordings(l));
	assert_string_equal(session_summary_format(&named(l, "now")->summary, quality, sizeof quality),
		"incomplete: 1 of 6, truncated");
	library_close(l);
	unlink(path);
	free(path);
}

static void renaming_never_replaces_another_file(void **state)
{
	(void)state;
	char *a = in_folder("old.wbs"), *b = in_folder("new.wbs"), *c = in_folder("third.wbs");
	struct err e = {0};
	write_text(a, "a");
	write_text(b, "b");
	assert_false(session_rename(a, "new", &e));
	assert_false(session_rename(a, "../up", &e));
	assert_false(session_rename(a, "", &e));
	char *text = read_text(b);
	assert_string_equal(text, "b");
	free(text);
	assert_true(session_rename(a, "third.wbs", &e));
	text = read_text(c);
	assert_string_equal(text, "a");
	free(text);
	unlink(b);
	unlink(c);
	free(a);
	free(b);
	free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_fast_parser_agrees_with_jansson),
		cmocka_unit_test(invalid_json_is_not_a_record),
		cmocka_unit_test(the_summary_lists_the_worst_warning_first),
		cmocka_unit_test(text_in_a_string_does_not_count_as_a_fault),
		cmocka_unit_test(points_are_read_by_index),
		cmocka_unit_test(an_overlong_line_is_skipped_and_counted),
		cmocka_unit_test(a_refresh_reads_only_changed_files),
		cmocka_unit_test(a_note_leaves_the_other_lines_unchanged),
		cmocka_unit_test(a_file_being_recorded_is_not_changed),
		cmocka_unit_test(the_summary_shows_a_running_recording),
		cmocka_unit_test(renaming_never_replaces_another_file),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}

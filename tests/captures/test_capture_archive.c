/* Capture files: what is packed comes back, the same files give the same bytes, and what cannot be packed or written
 * leaves nothing behind. */
#include "tests/captures/capture_samples.h"

#include <archive.h>
#include <archive_entry.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "captures/capture_layout.h"

/* --- packed and unpacked --- */
static void a_folder_comes_back_as_it_was(void **state)
{
	(void)state;
	struct err e;
	struct stat st;
	json_t *head;
	make_sample(at("in"));
	assert_true(pack(at("in"), at("app.wbc"), &e));
	assert_true(is_capture_file(at("app.wbc")));
	assert_true(capture_archive_read_head(at("app.wbc"), &head, &e));
	assert_string_equal(json_string_value(json_object_get(head, "program")), "vadd");
	json_decref(head);
	assert_true(capture_archive_unpack(at("app.wbc"), at("out"), &e));
	assert_same_folders(at("in"), at("out"));
	assert_int_equal(stat(at("app.wbc"), &st) ? 0 : st.st_mode, S_IFREG | 0600);
	assert_int_equal(stat(at("out"), &st) ? 0 : st.st_mode, S_IFDIR | 0700);
	assert_int_equal(stat(at("out/launches"), &st) ? 0 : st.st_mode, S_IFDIR | 0700);
	assert_int_equal(stat(at("out/launches/9.launch"), &st) ? 0 : st.st_mode, S_IFREG | 0600);
	assert_int_equal(count_names(root), 3);
}

static void the_same_files_give_the_same_bytes(void **state)
{
	(void)state;
	static const struct timeval then[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
	struct err e;
	make_sample(at("in"));
	assert_true(pack(at("in"), at("app.wbc"), &e));
	assert_true(capture_archive_unpack(at("app.wbc"), at("again"), &e)); /* made in another order */
	assert_int_equal(utimes(at("again/launches/9.launch"), then), 0);
	assert_int_equal(chmod(at("again/sources/vadd.hip"), 0444), 0);
	if (!geteuid())
		assert_int_equal(chown(at("again/capture.json"), 1234, 1234), 0);
	assert_true(pack(at("again"), at("again.wbc"), &e));
	assert_same_bytes(at("app.wbc"), at("again.wbc"));
}

static void the_archive_has_no_owners_and_no_times(void **state)
{
	(void)state;
	static const char *const names[] = {"capture.json", "code/vadd-gfx900.co", "launches/0.launch",
		"launches/10.launch", "launches/9.launch", "sources/empty.h", "sources/vadd.hip"};
	struct err e;
	struct archive_entry *entry;
	struct archive *in = archive_read_new();
	make_sample(at("in"));
	assert_true(pack(at("in"), at("app.wbc"), &e));
	archive_read_support_filter_zstd(in);
	archive_read_support_format_tar(in);
	assert_int_equal(archive_read_open_filename(in, at("app.wbc"), 4096), ARCHIVE_OK);
	for (int i = 0; i < 7; i++) {
		assert_int_equal(archive_read_next_header(in, &entry), ARCHIVE_OK);
		assert_string_equal(archive_entry_pathname(entry), names[i]);
		assert_int_equal(archive_entry_mode(entry), AE_IFREG | 0600);
		assert_int_equal(archive_entry_uid(entry) + archive_entry_gid(entry) + archive_entry_mtime(entry), 0);
		assert_true(!archive_entry_uname(entry) || !*archive_entry_uname(entry));
		assert_true(!archive_entry_gname(entry) || !*archive_entry_gname(entry));
	}
	assert_int_equal(archive_read_next_header(in, &entry), ARCHIVE_EOF);
	archive_read_free(in);
}

/* Longer names and larger files than tar's first form has room for, and chunks of several sizes. */
static void long_names_and_large_files_come_back(void **state)
{
	(void)state;
	struct err e;
	char name[256];
	make_sample(at("in"));
	snprintf(name, sizeof name, "in/launches/%0193d.launch", 7);
	write_random(at(name), 3 * CAPTURE_CHUNK + 1, 3);
	write_random(at("in/code/whole.co"), 2 * CAPTURE_CHUNK, 4);
	assert_true(pack(at("in"), at("app.wbc"), &e));
	assert_true(capture_archive_unpack(at("app.wbc"), at("out"), &e));
	assert_same_folders(at("in"), at("out"));
	snprintf(name, sizeof name, "in/launches/%0194d.launch", 7);
	write_text(at(name), "");
	assert_false(pack(at("in"), at("app.wbc"), &e));
	assert_non_null(strstr(e.text, ".launch does not belong to a capture; remove it"));
}

/* --- progress --- */
struct steps {
	int calls, cancel_at;
	uint64_t done, total;
};

static bool count_step(void *ctx, uint64_t done, uint64_t total)
{
	struct steps *s = ctx;
	assert_true(done >= s->done && done <= total);
	s->done = done;
	s->total = total;
	return ++s->calls != s->cancel_at;
}

static void packing_can_be_canceled_at_each_step(void **state)
{
	(void)state;
	struct steps s = {0};
	struct err e;
	make_sample(at("in"));
	write_random(at("in/code/large.co"), 3 * CAPTURE_CHUNK, 5);
	assert_true(capture_archive_pack(at("in"), at("app.wbc"), UINT64_MAX, count_step, &s, &e));
	assert_int_equal(s.done, s.total);
	assert_int_equal(unlink(at("app.wbc")), 0);
	int calls = s.calls;
	assert_true(calls > 16); /* twice for each file that is not empty, more often for a large one */
	for (int i = 1; i <= calls; i++) {
		s = (struct steps){.cancel_at = i};
		assert_false(capture_archive_pack(at("in"), at("app.wbc"), UINT64_MAX, count_step, &s, &e));
		assert_int_equal(e.status, ST_INTERRUPTED);
		assert_says(&e, "packing was canceled; %s/app.wbc was not written");
		assert_int_equal(count_names(root), 1);
	}
}

/* --- what cannot be packed --- */
static void the_limit_holds(void **state)
{
	(void)state;
	struct err e;
	make_folders(at("in"));
	write_text(at("in/capture.json"), SAMPLE_HEAD);
	const uint64_t limit = UINT64_C(2) << 20, head = strlen(SAMPLE_HEAD);
	write_text(at("in/launches/0.launch"), "");
	assert_int_equal(truncate(at("in/launches/0.launch"), (off_t)(limit - head)), 0);
	assert_true(capture_archive_pack(at("in"), at("app.wbc"), limit, NULL, NULL, &e));
	assert_int_equal(unlink(at("app.wbc")), 0);
	assert_int_equal(truncate(at("in/launches/0.launch"), (off_t)(limit * 8 / 5 - head)), 0);
	assert_false(capture_archive_pack(at("in"), at("app.wbc"), limit, NULL, NULL, &e));
	assert_string_equal(e.text,
		"the captured launches take 3.2 MiB, more than the limit of 2 MiB; raise it with --limit-bytes, or keep "
		"fewer launches");
	assert_int_equal(truncate(at("in/launches/0.launch"), (off_t)(limit + 1 - head)), 0);
	assert_false(capture_archive_pack(at("in"), at("app.wbc"), limit, NULL, NULL, &e));
	assert_non_null(strstr(e.text, "take 2.000001 MiB, more than the limit of 2 MiB;"));
	assert_int_equal(truncate(at("in/launches/0.launch"), (off_t)17 << 30), 0);
	assert_false(pack(at("in"), at("app.wbc"), &e));
	assert_string_equal(
		e.text, "the captured launches take 17 GiB, more than the limit of 16 GiB; keep fewer launches");
	assert_int_equal(count_names(root), 1);
}

static void refuses(const char *text)
{
	struct err e;
	assert_false(pack(at("in"), at("app.wbc"), &e));
	assert_says(&e, text);
	assert_int_equal(count_names(root), 1);
}

static void what_does_not_belong_to_a_capture_is_refused(void **state)
{
	(void)state;
	static const char *const wrong[] = {"notes.txt", ".hidden", "capture.json~", "launches/0.co",
		"launches/.launch", "launches/a b.launch", "code/\xc3\xa9.co", "code/x.CO", "sources/.git",
		"sources/a:b"};
	make_sample(at("in"));
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		char *path = xasprintf("%s/in/%s", root, wrong[i]);
		char *text = xasprintf("%%s/in/%s does not belong to a capture; remove it", wrong[i]);
		write_text(path, "");
		refuses(text);
		assert_int_equal(unlink(path), 0);
		free(path);
		free(text);
	}
	assert_int_equal(symlink("/etc/passwd", at("in/sources/link")), 0);
	refuses("%s/in/sources/link is not a regular file; remove it, or put a file in its place");
	assert_int_equal(unlink(at("in/sources/link")), 0);
	assert_int_equal(mkfifo(at("in/sources/pipe"), 0600), 0);
	refuses("%s/in/sources/pipe is not a regular file; remove it, or put a file in its place");
	assert_int_equal(unlink(at("in/sources/pipe")), 0);
	assert_int_equal(mkdir(at("in/sources/folder"), 0700), 0);
	refuses("%s/in/sources/folder is not a regular file; remove it, or put a file in its place");
	assert_int_equal(rmdir(at("in/sources/folder")), 0);
	assert_int_equal(rename(at("in/code"), at("in/sources/code")) || symlink("sources", at("in/code")), 0);
	struct err e;
	assert_false(pack(at("in"), at("app.wbc"), &e));
	assert_one_line(&e);
}

static void a_capture_needs_its_head(void **state)
{
	(void)state;
	make_sample(at("in"));
	assert_int_equal(truncate(at("in/capture.json"), CAPTURE_HEAD_MAX + 1), 0);
	refuses("%s/in/capture.json is larger than 4 MiB; keep fewer launches");
	assert_int_equal(unlink(at("in/capture.json")), 0);
	refuses("%s/in has no capture.json; name a folder of captured launches");
	struct err e;
	assert_false(pack(at("none"), at("app.wbc"), &e));
	assert_says(
		&e, "cannot read the folder %s/none: No such file or directory; name a folder of captured launches");
}

static void a_capture_has_at_most_10000_files(void **state)
{
	(void)state;
	char name[64];
	struct err e;
	make_folders(at("in"));
	write_text(at("in/capture.json"), SAMPLE_HEAD);
	for (int i = 1; i < CAPTURE_FILES_MAX; i++) {
		snprintf(name, sizeof name, "in/launches/%d.launch", i);
		write_text(at(name), "");
	}
	assert_true(pack(at("in"), at("app.wbc"), &e));
	assert_true(capture_archive_unpack(at("app.wbc"), at("out"), &e));
	assert_int_equal(count_names(at("out/launches")), CAPTURE_FILES_MAX - 1);
	write_text(at("in/code/x.co"), "");
	assert_false(pack(at("in"), at("more.wbc"), &e));
	assert_says(&e, "%s/in has more than 10000 files; keep fewer launches");
}

/* --- what cannot be written --- */
static void a_file_is_replaced_only_when_it_is_complete(void **state)
{
	(void)state;
	struct err e;
	make_sample(at("in"));
	write_text(at("app.wbc"), "old");
	write_text(at("app.wbc.part"), "of another wavedeck");
	assert_false(pack(at("in"), at("app.wbc"), &e));
	assert_says(&e, "%s/app.wbc.part exists; if no other wavedeck writes it, remove it");
	struct buf kept = read_bytes(at("app.wbc.part")), old = read_bytes(at("app.wbc"));
	assert_string_equal(kept.data, "of another wavedeck");
	assert_string_equal(old.data, "old");
	buf_free(&kept);
	buf_free(&old);
	assert_int_equal(unlink(at("app.wbc.part")), 0);
	assert_true(pack(at("in"), at("app.wbc"), &e));
	assert_true(is_capture_file(at("app.wbc")));
	assert_int_equal(count_names(root), 2);
}

static void places_that_cannot_be_written_are_named(void **state)
{
	(void)state;
	struct err e;
	make_sample(at("in"));
	assert_false(pack(at("in"), at("in"), &e));
	assert_says(&e, "%s/in is a folder; name a file");
	assert_false(pack(at("in"), "/dev/null", &e));
	assert_string_equal(e.text, "/dev/null is not a regular file; name a file");
	assert_false(pack(at("in"), "/proc/app.wbc", &e)); /* not even by root */
	assert_string_equal(e.text, "cannot write /proc/app.wbc: No such file or directory; name another file");
	assert_false(pack(at("in"), at("in/capture.json/app.wbc"), &e));
	assert_says(&e, "cannot write %s/in/capture.json/app.wbc: Not a directory; name another file");
	assert_int_equal(count_names(root), 1);
}

/* A limit on the size of files stands for a disk that is full: at the start, in the middle and in the last block. */
static void a_full_disk_leaves_nothing(void **state)
{
	(void)state;
	struct err e;
	struct rlimit old, few;
	struct stat st;
	make_sample(at("in"));
	write_random(at("in/code/large.co"), 4 * CAPTURE_CHUNK, 6);
	assert_true(pack(at("in"), at("app.wbc"), &e));
	assert_int_equal(stat(at("app.wbc"), &st) || unlink(at("app.wbc")), 0);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	const rlim_t size = (rlim_t)st.st_size, sizes[] = {0, 1, size / 2, size - 1};
	for (int i = 0; i < 4; i++) {
		few = (struct rlimit){.rlim_cur = sizes[i], .rlim_max = old.rlim_max};
		setrlimit(RLIMIT_FSIZE, &few);
		bool ok = pack(at("in"), at("app.wbc"), &e);
		setrlimit(RLIMIT_FSIZE, &old);
		assert_false(ok);
		assert_says(&e, "cannot write %s/app.wbc: File too large; free some space, or name another file");
		assert_int_equal(count_names(root), 1);
	}
	assert_true(pack(at("in"), at("app.wbc"), &e));
	few = (struct rlimit){.rlim_cur = 100000, .rlim_max = old.rlim_max};
	setrlimit(RLIMIT_FSIZE, &few);
	bool ok = capture_archive_unpack(at("app.wbc"), at("out"), &e);
	setrlimit(RLIMIT_FSIZE, &old);
	assert_false(ok);
	assert_says(&e, "cannot write %s/out/code/large.co: File too large; free some space, or name another folder");
	assert_int_equal(count_names(root), 2);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_folder_comes_back_as_it_was),
		TEST(the_same_files_give_the_same_bytes),
		TEST(the_archive_has_no_owners_and_no_times),
		TEST(long_names_and_large_files_come_back),
		TEST(packing_can_be_canceled_at_each_step),
		TEST(the_limit_holds),
		TEST(what_does_not_belong_to_a_capture_is_refused),
		TEST(a_capture_needs_its_head),
		TEST(a_capture_has_at_most_10000_files),
		TEST(a_file_is_replaced_only_when_it_is_complete),
		TEST(places_that_cannot_be_written_are_named),
		TEST(a_full_disk_leaves_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

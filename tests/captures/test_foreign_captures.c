/* Capture files that other programs made, or that were made to do harm: what is not a capture is refused in one line,
 * and nothing is left of it. */
#include "tests/captures/capture_samples.h"

#include <archive.h>
#include <archive_entry.h>

#include "captures/capture_layout.h"

enum { ENTRIES_MAX = 16 };

/* --- archives that capture_archive_pack would not make --- */
struct foreign_entry {
	const char *name, *text;
	unsigned type;          /* 0: AE_IFREG */
	const char *link, *sum; /* sum NULL: the right one */
	int64_t size;           /* that the header says, in place of the text's; 0: that one */
	bool hard, sparse;
};

struct foreign_archive {
	const char *total; /* NULL: none */
	struct foreign_entry entry[ENTRIES_MAX];
};

static void add_foreign_entry(struct archive *out, const struct foreign_entry *f, const char *total)
{
	struct entry_checksum sum;
	char digits[CHECKSUM_DIGITS + 1];
	const char *text = f->text ? f->text : "";
	struct archive_entry *entry = archive_entry_new();
	archive_entry_set_pathname(entry, f->name);
	archive_entry_set_filetype(entry, f->type ? f->type : AE_IFREG);
	archive_entry_set_perm(entry, 04777);
	archive_entry_set_size(entry, f->sparse ? f->size : (int64_t)strlen(text));
	if (f->link && f->hard)
		archive_entry_set_hardlink(entry, f->link);
	else if (f->link)
		archive_entry_set_symlink(entry, f->link);
	if (f->sparse)
		archive_entry_sparse_add_entry(entry, 0, (int64_t)strlen(text));
	entry_checksum_start(&sum, f->name, total);
	entry_checksum_add(&sum, text, strlen(text));
	entry_checksum_print(&sum, digits);
	const char *stored = f->sum ? f->sum : digits;
	archive_entry_xattr_add_entry(entry, CAPTURE_CHECKSUM_ATTR, stored, strlen(stored));
	if (*total)
		archive_entry_xattr_add_entry(entry, CAPTURE_TOTAL_ATTR, total, strlen(total));
	assert_true(archive_write_header(out, entry) >= ARCHIVE_WARN);
	archive_write_data(out, text, strlen(text));
	archive_entry_free(entry);
}

static la_ssize_t add_to_buffer(struct archive *a, void *ctx, const void *data, size_t bytes)
{
	(void)a;
	buf_add(ctx, data, bytes);
	return (la_ssize_t)bytes;
}

/* As a file that is compressed with zstd. */
static void write_compressed(const char *file, const struct buf *tar)
{
	struct archive *out = archive_write_new();
	struct archive_entry *entry = archive_entry_new();
	archive_write_add_filter_zstd(out);
	archive_write_set_format_raw(out);
	assert_int_equal(archive_write_open_filename(out, file), ARCHIVE_OK);
	archive_entry_set_filetype(entry, AE_IFREG);
	assert_int_equal(archive_write_header(out, entry), ARCHIVE_OK);
	assert_int_equal(archive_write_data(out, tar->data, tar->len), tar->len);
	assert_int_equal(archive_write_close(out), ARCHIVE_OK);
	archive_write_free(out);
	archive_entry_free(entry);
}

/* Changes the size in the header of 512 bytes, as a number of base 256, and its checksum. */
static void change_size(char *header, int64_t size)
{
	unsigned sum = 0;
	header[124] = (char)0x80;
	for (int i = 0; i < 11; i++)
		header[135 - i] = i < 8 ? (char)(size >> (8 * i)) : 0;
	memset(header + 148, ' ', 8);
	for (int i = 0; i < 512; i++)
		sum += (unsigned char)header[i];
	snprintf(header + 148, 8, "%06o", sum);
}

static void write_foreign(const char *file, const struct foreign_archive *a)
{
	struct buf tar = {0};
	struct archive *out = archive_write_new();
	archive_write_set_format_pax_restricted(out);
	archive_write_set_bytes_per_block(out, 0); /* no buffer */
	assert_int_equal(archive_write_open(out, &tar, NULL, add_to_buffer, NULL), ARCHIVE_OK);
	for (const struct foreign_entry *f = a->entry; f->name; f++) {
		add_foreign_entry(out, f, f == a->entry && a->total ? a->total : "");
		if (f->size && !f->sparse) /* of one byte */
			change_size(tar.data + tar.len - 512 - 1, f->size);
	}
	assert_int_equal(archive_write_close(out), ARCHIVE_OK);
	archive_write_free(out);
	write_compressed(file, &tar);
	buf_free(&tar);
}

/* Unpacking is refused with that text; %s is the folder of the test. */
static void check_refused(const char *text)
{
	struct err e = {0};
	int before = count_names(root);
	assert_false(capture_archive_unpack(at("app.wbc"), at("out"), &e));
	assert_one_line(&e);
	assert_says(&e, text);
	assert_int_equal(count_names(root), before);
}

/* {"wavedeck_capture": 1} is 23 bytes. */
#define HEAD                                                                \
	{                                                                   \
		.name = "capture.json", .text = "{\"wavedeck_capture\": 1}" \
	}
#define DAMAGED(what) "%s/app.wbc is damaged: " what "; capture it again"

static void an_archive_like_ours_is_read(void **state)
{
	(void)state;
	static const struct foreign_archive a = {"2 27", {HEAD, {"code/a.co", .text = "abcd"}}};
	struct err e = {0};
	write_foreign(at("app.wbc"), &a);
	assert_true(capture_archive_unpack(at("app.wbc"), at("out"), &e));
	struct buf text = read_bytes(at("out/code/a.co"));
	assert_string_equal(text.data, "abcd");
	buf_free(&text);
	struct stat st;
	assert_int_equal(stat(at("out/code/a.co"), &st) ? 0 : st.st_mode, S_IFREG | 0600); /* not 04777 */
}

static void names_outside_of_the_layout_are_refused(void **state)
{
	(void)state;
	static const char *const names[] = {"../evil", "/tmp/evil.co", "code/../../evil.co", "code/..", "code/", "code",
		"code/a/b.co", "./code/a.co", "code//a.co", "evil.txt", "capture.json", "launches/a.co",
		"sources/.profile", "sources/a b", "sources/a\nb", "sources/\033[2J", "sources/\xff", "other/a.co",
		"CODE/a.co"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct foreign_archive a = {"2 27", {HEAD, {names[i], .text = "abcd"}}};
		write_foreign(at("app.wbc"), &a);
		check_refused(DAMAGED("it has a file that does not belong to a capture"));
	}
}

static void links_and_devices_are_refused(void **state)
{
	(void)state;
	static const struct foreign_entry wrong[] = {
		{"sources/a", .type = AE_IFLNK, .link = "/etc/passwd"},
		{"sources/a", .link = "/etc/passwd", .hard = true},
		{"sources/a", .link = "capture.json", .hard = true},
		{"sources/a", .type = AE_IFIFO},
		{"sources/a", .type = AE_IFCHR},
		{"sources/a", .type = AE_IFBLK},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		const struct foreign_archive a = {"2 23", {HEAD, wrong[i]}};
		write_foreign(at("app.wbc"), &a);
		check_refused(DAMAGED("it has a link, a device or another special file"));
	}
}

/* A folder in place of the file that the layout names. */
static void folders_are_refused(void **state)
{
	(void)state;
	static const struct foreign_archive a = {"2 23", {HEAD, {"sources/a", .type = AE_IFDIR}}};
	struct err e;
	write_foreign(at("app.wbc"), &a);
	assert_false(capture_archive_unpack(at("app.wbc"), at("out"), &e));
	assert_one_line(&e);
	assert_int_equal(count_names(root), 1);
}

static void a_wrong_first_entry_is_no_capture(void **state)
{
	(void)state;
	static const struct foreign_archive others[] = {
		{"1 4", {{"code/a.co", .text = "abcd"}}},
		{"2 27", {{"code/a.co", .text = "abcd"}, HEAD}},
		{"1 23", {{"./capture.json", .text = "{\"wavedeck_capture\": 1}"}}},
		{"1 0", {{"capture.json", .type = AE_IFLNK, .link = "/etc/passwd"}}},
		{"1 2", {{"capture.json", .text = "{}"}}},
		{"1 25", {{"capture.json", .text = "{\"wavedeck_capture\": \"1\"}"}}},
		{"1 23", {{"capture.json", .text = "{\"wavedeck_capture\": 0}"}}},
	};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		json_t *head;
		struct err e = {0};
		write_foreign(at("app.wbc"), &others[i]);
		check_refused("%s/app.wbc is not a capture of wavedeck; name another file");
		assert_false(capture_archive_read_head(at("app.wbc"), &head, &e));
		assert_null(head);
		assert_says(&e, "%s/app.wbc is not a capture of wavedeck; name another file");
	}
}

static void a_newer_format_is_named(void **state)
{
	(void)state;
	/* The format may have other attributes and other files. */
	static const struct foreign_archive a = {NULL,
		{{"capture.json", .text = "{\"wavedeck_capture\": 2}", .sum = "other"}, {"new/file", .text = "abcd"}}};
	json_t *head;
	struct err e;
	write_foreign(at("app.wbc"), &a);
	check_refused("%s/app.wbc was made by a newer wavedeck (format 2); update wavedeck");
	assert_false(capture_archive_read_head(at("app.wbc"), &head, &e));
	assert_says(&e, "%s/app.wbc was made by a newer wavedeck (format 2); update wavedeck");
	assert_true(is_capture_file(at("app.wbc")));
}

static void what_the_head_says_must_hold(void **state)
{
	(void)state;
	static const struct {
		struct foreign_archive a;
		const char *text;
	} wrong[] = {
		{{"3 31", {HEAD, {"code/a.co", .text = "abcd"}, {"code/a.co", .text = "abcd"}}},
			DAMAGED("it has a file twice")},
		{{"1 23", {HEAD, {"code/a.co", .text = "abcd"}}}, DAMAGED("it has more files or bytes than it says")},
		{{"2 26", {HEAD, {"code/a.co", .text = "abcd"}}}, DAMAGED("it has more files or bytes than it says")},
		{{"2 28", {HEAD, {"code/a.co", .text = "abcd"}}}, DAMAGED("files are missing in it")},
		{{"3 27", {HEAD, {"code/a.co", .text = "abcd"}}}, DAMAGED("files are missing in it")},
		{{"2 27", {HEAD, {"code/a.co", .text = "abcd", .sum = "0123456789abcdef"}}},
			DAMAGED("the checksum of a file in it is wrong")},
		{{"1 23", {{"capture.json", .text = "{\"wavedeck_capture\": 1}", .sum = ""}}},
			DAMAGED("the checksum of a file in it is wrong")},
		{{"1 3", {{"capture.json", .text = "[1]"}}}, DAMAGED("its capture.json is not a JSON object")},
		{{"1 3", {{"capture.json", .text = "{\"a"}}}, DAMAGED("its capture.json is not a JSON object")},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		write_foreign(at("app.wbc"), &wrong[i].a);
		check_refused(wrong[i].text);
	}
	static const char *const totals[] = {NULL, "0 23", "10001 23", "1", "1 ", "1 x", "-1 23", "1 -23", "1 22",
		"1 17179869185", "1 99999999999999999999999999", "1 23 ", "1 23x", " 1 23"};
	for (size_t i = 0; i < sizeof totals / sizeof *totals; i++) {
		const struct foreign_archive a = {totals[i], {HEAD}};
		write_foreign(at("app.wbc"), &a);
		check_refused(DAMAGED("it has more files or bytes than a capture can have"));
	}
}

/* Sizes that fill a disk are refused when the entry begins, without its bytes. */
static void huge_sizes_are_refused_early(void **state)
{
	(void)state;
	static const struct foreign_archive huge = {
		"2 27", {HEAD, {"code/a.co", .text = "x", .size = INT64_C(1) << 50}}};
	static const struct foreign_archive head = {
		"1 23", {{"capture.json", .text = "x", .size = CAPTURE_HEAD_MAX + 1}}};
	static const struct foreign_archive sparse = {
		"2 24", {HEAD, {"code/a.co", .text = "x", .size = 1 << 30, .sparse = true}}};
	write_foreign(at("app.wbc"), &huge);
	check_refused(DAMAGED("it has more files or bytes than it says"));
	write_foreign(at("app.wbc"), &head);
	check_refused(DAMAGED("its capture.json is larger than 4 MiB"));
	write_foreign(at("app.wbc"), &sparse);
	check_refused(DAMAGED("it has a link, a device or another special file"));
}

/* What unpacking says in a process of its own with a disk of 64 KiB at ROOT/disk; NULL where a user may not mount one.
 * The caller frees it. */
static char *unpack_to_small_disk(void)
{
	char self[4096] = "", line[1024] = "";
	assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
	char *command = xasprintf("unshare -rm sh -c 'mount -t tmpfs -o size=64k none %s/disk && exec %s %s/app.wbc "
				  "%s/disk/out' 2>/dev/null",
		root, self, root, root);
	FILE *child = popen(command, "r");
	free(command);
	assert_non_null(child);
	bool answered = fgets(line, sizeof line, child) != NULL;
	pclose(child);
	return answered ? xstrdup(line) : NULL;
}

static void more_than_the_free_space_is_refused_early(void **state)
{
	(void)state;
	static const struct foreign_archive huge = {
		"2 17179869184", {HEAD, {"code/a.co", .text = "x", .size = 17179869161}}};
	static const struct foreign_archive small = {"2 27", {HEAD, {"code/a.co", .text = "abcd"}}};
	char *begin = xasprintf("0 %s/app.wbc needs 16 GiB in %s/disk/out, where ", root, root);
	assert_int_equal(mkdir(at("disk"), 0700), 0);
	write_foreign(at("app.wbc"), &small);
	char *text = unpack_to_small_disk();
	if (!text) {
		free(begin);
		skip();
	}
	assert_string_equal(text, "4 unpacked\n"); /* the head and the folders of the layout */
	free(text);
	write_foreign(at("app.wbc"), &huge);
	text = unpack_to_small_disk();
	assert_int_equal(strncmp(text, begin, strlen(begin)), 0);
	assert_non_null(strstr(text, " KiB are free; free some space, or name another folder\n"));
	free(text);
	free(begin);
}

/* In a process of its own: prints how many names the folder has then, and the error or "unpacked". */
static int unpack_and_print(const char *file, const char *folder)
{
	struct err e;
	bool ok = capture_archive_unpack(file, folder, &e);
	printf("%d %s\n", access(folder, F_OK) ? 0 : count_names(folder), ok ? "unpacked" : e.text);
	return 0;
}

/* --- other files --- */
static void other_files_are_no_captures(void **state)
{
	(void)state;
	json_t *head;
	struct err e = {0};
	write_text(at("text.wbc"), "hello");
	write_text(at("empty.wbc"), "");
	write_bytes(at("short.wbc"), "\x28\xb5\x2f", 3);
	write_bytes(at("gzip.wbc"), "\x1f\x8b\x08\0\0\0\0\0\0\3\3\0\0\0\0\0\0\0\0\0", 20);
	static const char *const names[] = {"text.wbc", "empty.wbc", "short.wbc", "gzip.wbc"};
	for (int i = 0; i < 4; i++) {
		char *text = xasprintf("%s/%s is not a capture of wavedeck; name another file", root, names[i]);
		assert_false(is_capture_file(at(names[i])));
		assert_false(capture_archive_read_head(at(names[i]), &head, &e));
		assert_string_equal(e.text, text);
		free(text);
	}
	assert_int_equal(mkfifo(at("pipe.wbc"), 0600), 0);
	assert_false(is_capture_file(at("pipe.wbc")));
	assert_false(capture_archive_read_head(at("pipe.wbc"), &head, &e));
	assert_says(&e, "cannot open the capture %s/pipe.wbc: it is not a regular file; check the name");
	assert_false(is_capture_file(root));
	assert_false(is_capture_file(at("none.wbc")));
	assert_false(capture_archive_read_head(at("none.wbc"), &head, &e));
	assert_says(&e, "cannot open the capture %s/none.wbc: No such file or directory; check the name");
	/* Compressed with zstd: a capture by its suffix or by its first entry. */
	static const struct foreign_archive a = {"1 23", {HEAD}}, other = {NULL, {{"readme.txt", .text = "x"}}};
	write_foreign(at("renamed"), &a);
	write_foreign(at("other.tar.zst"), &other);
	write_foreign(at("other.wbc"), &other);
	assert_true(is_capture_file(at("renamed")));
	assert_false(is_capture_file(at("other.tar.zst")));
	assert_true(is_capture_file(at("other.wbc")));
}

static void the_folder_must_be_new(void **state)
{
	(void)state;
	struct err e;
	make_sample(at("in"));
	assert_true(pack(at("in"), at("app.wbc"), &e));
	assert_false(capture_archive_unpack(at("app.wbc"), at("in"), &e));
	assert_says(&e, "%s/in exists; name a new folder");
	assert_int_equal(access(at("in/launches/9.launch"), F_OK), 0);
	assert_int_equal(symlink("elsewhere", at("link")), 0);
	assert_false(capture_archive_unpack(at("app.wbc"), at("link"), &e));
	assert_says(&e, "%s/link exists; name a new folder");
	assert_false(capture_archive_unpack(at("app.wbc"), at("none/out"), &e));
	assert_says(&e, "cannot make %s/none/out: No such file or directory; name another folder");
}

int main(int argc, char **argv)
{
	if (argc == 3)
		return unpack_and_print(argv[1], argv[2]);
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(an_archive_like_ours_is_read),
		TEST(names_outside_of_the_layout_are_refused),
		TEST(links_and_devices_are_refused),
		TEST(folders_are_refused),
		TEST(a_wrong_first_entry_is_no_capture),
		TEST(a_newer_format_is_named),
		TEST(what_the_head_says_must_hold),
		TEST(huge_sizes_are_refused_early),
		TEST(more_than_the_free_space_is_refused_early),
		TEST(other_files_are_no_captures),
		TEST(the_folder_must_be_new),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Capture files that are damaged: each is read as it was packed or refused in one line, and nothing is left of a file
 * that was refused. */
#include "tests/captures/capture_samples.h"

enum { CHANGES = 2000 };

/* What the file of these bytes gives: the sample or an error in one line. True: the sample. */
static bool check_damaged(const char *bytes, size_t n)
{
	struct err e = {0}, of_head = {0};
	json_t *head;
	write_bytes(at("app.wbc"), bytes, n);
	bool read = capture_archive_read_head(at("app.wbc"), &head, &of_head);
	if (read)
		assert_string_equal(json_string_value(json_object_get(head, "program")), "vadd");
	else
		assert_one_line(&of_head);
	json_decref(head);
	bool ok = capture_archive_unpack(at("app.wbc"), at("out"), &e);
	if (ok) {
		assert_same_folders(at("in"), at("out"));
		temporary_folder_remove(at("out"));
	} else {
		assert_one_line(&e);
	}
	assert_true(read || !ok);
	assert_int_equal(count_names(root), 2); /* "in" and the file */
	return ok;
}

static struct buf pack_sample(void)
{
	struct err e;
	make_sample(at("in"));
	assert_true(pack(at("in"), at("app.wbc"), &e));
	return read_bytes(at("app.wbc"));
}

static void a_file_that_is_cut_is_damaged(void **state)
{
	(void)state;
	struct buf whole = pack_sample();
	int complete = 0;
	for (size_t n = 0; n < whole.len; n++)
		complete += check_damaged(whole.data, n);
	assert_true(check_damaged(whole.data, whole.len));
	assert_true(complete < 64); /* only zeros after the last entry may be missing */
	buf_free(&whole);
}

static void a_changed_byte_is_found_or_changes_nothing(void **state)
{
	(void)state;
	uint32_t random = 7;
	int refused = 0;
	struct buf whole = pack_sample();
	for (int i = 0; i < CHANGES; i++) {
		size_t where = next_random(&random) % whole.len;
		char old = whole.data[where];
		whole.data[where] = (char)(old ^ (char)(1 + next_random(&random) % 255));
		refused += !check_damaged(whole.data, whole.len);
		whole.data[where] = old;
	}
	assert_true(refused > CHANGES * 9 / 10);
	buf_free(&whole);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_file_that_is_cut_is_damaged),
		TEST(a_changed_byte_is_found_or_changes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

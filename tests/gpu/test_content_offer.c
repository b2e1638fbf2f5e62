/* The files of a job for a worker on another machine: found, named by hashes, sent once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/host/temporary_folder.h"
#include "gpu/protocol/base64.h"
#include "gpu/protocol/record.h"
#include "gpu/remote/content_offer.h"
#include "kernels/compile/kernel_files.h"
#include "tests/scratch.h"

static char folder[SCRATCH_PATH], source[SCRATCH_PATH + 20];

static void write_own(const char *name, const char *text)
{
	char path[SCRATCH_PATH + 40];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void base64_keeps_every_byte(void **state)
{
	(void)state;
	unsigned char bytes[256];
	for (int i = 0; i < 256; i++)
		bytes[i] = (unsigned char)(255 - i);
	for (size_t n = 0; n <= 256; n++) {
		struct buf b = {0};
		char *text = base64_encode(bytes, n);
		assert_int_equal(strlen(text), (n + 2) / 3 * 4);
		assert_true(base64_decode(text, &b));
		assert_int_equal(b.len, n);
		assert_true(!n || !memcmp(b.data, bytes, n));
		buf_free(&b);
		free(text);
	}
	/* RFC 4648, 10 */
	char *text = base64_encode("foobar", 5);
	assert_string_equal(text, "Zm9vYmE=");
	free(text);
	struct buf b = {0};
	assert_false(base64_decode("Zm9", &b));
	assert_false(base64_decode("Zm9*", &b));
	assert_false(base64_decode("Zm=vZm9v", &b));
	buf_free(&b);
}

static void a_source_has_the_files_that_it_includes(void **state)
{
	(void)state;
	struct kernel_files f;
	struct err e;
	write_own("copy.hip",
		"  # include \"parts/first.h\"\n#include <hip/hip_runtime.h>\n#include \"not-there.h\"\n"
		"#include \"kernels/chain.inc\"\n");
	write_own("parts/first.h", "#include \"more.h\"\n#include \"copy.hip\"\n");
	write_own("parts/more.h", "");
	assert_true(kernel_files_find(source, &f, &e));
	assert_int_equal(f.count, 4);
	assert_string_equal(f.list[0].name, "own/copy.hip");
	assert_string_equal(f.list[0].path, source);
	assert_string_equal(f.list[1].name, "own/parts/first.h");
	assert_string_equal(f.list[2].name, "own/parts/more.h");
	assert_string_equal(f.list[3].name, "kernels/chain.inc");
	assert_true(f.list[2].hash == UINT64_C(0xcbf29ce484222325)); /* FNV-1a of nothing */
	kernel_files_free(&f);
	assert_true(kernel_files_find("chase.hip", &f, &e));
	assert_string_equal(f.list[0].name, "kernels/chase.hip");
	kernel_files_free(&f);
}

static void a_source_cannot_reach_out_of_its_folder(void **state)
{
	(void)state;
	struct kernel_files f;
	struct err e;
	write_own("secret.h", "");
	write_own("parts/copy.hip", "#include \"../secret.h\"\n");
	char path[SCRATCH_PATH + 40];
	snprintf(path, sizeof path, "%s/parts/copy.hip", folder);
	assert_false(kernel_files_find(path, &f, &e));
	assert_non_null(
		strstr(e.text, "copy.hip includes ../secret.h; a kernel for another machine can include only files"));
	kernel_files_free(&f);
	assert_false(kernel_files_find("/nonexistent/x.hip", &f, &e));
	assert_non_null(strstr(e.text, "cannot read the kernel source /nonexistent/x.hip"));
	kernel_files_free(&f);
}

/* Both names of a file that is included as "x.h" and "./x.h" are one. */
static void files_may_include_each_other(void **state)
{
	(void)state;
	struct kernel_files f;
	struct err e;
	write_own("copy.hip", "#include \"./one.h\"\n");
	write_own("one.h", "#pragma once\n#include \".//two.h\"\n");
	write_own("two.h", "#include \"./one.h\"\n#include \"one.h\"\n");
	assert_true(kernel_files_find(source, &f, &e));
	assert_int_equal(f.count, 3);
	assert_string_equal(f.list[2].name, "own/two.h");
	kernel_files_free(&f);
}

static void names_have_a_limited_depth(void **state)
{
	(void)state;
	struct kernel_files f;
	struct err e;
	char include[8 * KERNEL_FOLDERS_MAX] = "parts/", line[sizeof include + 20];
	assert_true(kernel_file_name_is_valid("own/copy.hip"));
	assert_false(kernel_file_name_is_valid("/etc/passwd"));
	assert_false(kernel_file_name_is_valid("own/../copy.hip"));
	for (int i = 2; i < KERNEL_FOLDERS_MAX; i++)
		strcat(include, "./");
	snprintf(line, sizeof line, "#include \"%sdeep.h\"\n", include);
	write_own("parts/deep.h", "");
	write_own("copy.hip", line);
	assert_true(kernel_files_find(source, &f, &e));
	assert_int_equal(f.count, 2);
	kernel_files_free(&f);
	snprintf(line, sizeof line, "#include \"%s./deep.h\"\n", include);
	write_own("copy.hip", line);
	assert_false(kernel_files_find(source, &f, &e));
	assert_non_null(strstr(e.text, "at most 32 folders deep"));
	kernel_files_free(&f);
}

static json_t *offer(struct content_offer *o, const char *file, const char *defines)
{
	json_t *job = json_pack(
		"{s:s, s:{s:s, s:s, s:s}}", "type", "job", "kernel", "file", file, "defines", defines, "entry", "copy");
	json_t *offered = content_offer_job(o, job, "gfx900");
	assert_null(json_object_get(json_object_get(job, "kernel"), "content")); /* others use the same job */
	json_decref(job);
	return offered;
}

static const char *offered_hash(const json_t *job, size_t file)
{
	const json_t *content = json_object_get(json_object_get(job, "kernel"), "content");
	return json_string_value(json_array_get(json_array_get(json_object_get(content, "files"), file), 1));
}

static void content_is_sent_once_and_only_if_offered(void **state)
{
	(void)state;
	struct content_offer o = {NULL};
	write_own("copy.hip", "text of the kernel\n");
	assert_null(content_offer_take(&o, "0123456789abcdef"));
	json_t *job = offer(&o, source, "");
	const char *hash = offered_hash(job, 0);
	assert_true(
		json_is_null(json_object_get(json_object_get(json_object_get(job, "kernel"), "content"), "object")));
	json_t *content = content_offer_take(&o, hash);
	struct buf b = {0};
	assert_true(base64_decode(record_get_text(content, "data"), &b));
	buf_add(&b, "", 1);
	assert_string_equal(b.data, "text of the kernel\n");
	buf_free(&b);
	json_decref(content);
	assert_null(content_offer_take(&o, hash));
	json_decref(offer(&o, source, "")); /* a second job with the same file */
	assert_null(content_offer_take(&o, hash));
	json_decref(job);
	content_offer_free(&o);
}

static void a_file_that_changed_meanwhile_is_not_sent(void **state)
{
	(void)state;
	struct content_offer o = {NULL};
	write_own("copy.hip", "one\n");
	json_t *job = offer(&o, source, "");
	write_own("copy.hip", "two\n");
	json_t *content = content_offer_take(&o, offered_hash(job, 0));
	assert_non_null(strstr(record_get_text(content, "error"), "it has changed; measure the point again"));
	assert_null(json_object_get(content, "data"));
	json_decref(content);
	json_decref(job);
	job = offer(&o, source, "");
	content = content_offer_take(&o, offered_hash(job, 0));
	assert_non_null(json_object_get(content, "data"));
	json_decref(content);
	json_decref(job);
	content_offer_free(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(base64_keeps_every_byte),
		cmocka_unit_test(a_source_has_the_files_that_it_includes),
		cmocka_unit_test(a_source_cannot_reach_out_of_its_folder),
		cmocka_unit_test(files_may_include_each_other),
		cmocka_unit_test(names_have_a_limited_depth),
		cmocka_unit_test(content_is_sent_once_and_only_if_offered),
		cmocka_unit_test(a_file_that_changed_meanwhile_is_not_sent),
	};
	char parts[SCRATCH_PATH + 20];
	if (!mkdtemp(scratch_path(folder, "XXXXXX")))
		return 1;
	snprintf(source, sizeof source, "%s/copy.hip", folder);
	snprintf(parts, sizeof parts, "%s/parts", folder);
	mkdir(parts, 0755);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	temporary_folder_remove(folder);
	return failed;
}

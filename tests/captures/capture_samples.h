/* Folders and files for the tests of captures. */
#ifndef TESTS_CAPTURES_CAPTURE_SAMPLES_H
#define TESTS_CAPTURES_CAPTURE_SAMPLES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/temporary_folder.h"
#include "captures/capture_archive.h"
#include "captures/capture_files.h"
#include "tests/scratch.h"

static char root[SCRATCH_PATH];

/* "ROOT/NAME", in one of several static buffers. */
static inline const char *at(const char *name)
{
	static char path[8][SCRATCH_PATH + 300];
	static int next;
	char *out = path[next++ % 8];
	snprintf(out, sizeof path[0], "%s/%s", root, name);
	return out;
}

static inline void write_bytes(const char *path, const void *data, size_t n)
{
	FILE *out = fopen(path, "wb");
	assert_non_null(out);
	assert_int_equal(fwrite(data, 1, n, out), n);
	assert_int_equal(fclose(out), 0);
}

static inline void write_text(const char *path, const char *text)
{
	write_bytes(path, text, strlen(text));
}

/* The caller frees it. */
static inline struct buf read_bytes(const char *path)
{
	struct buf b = {0};
	char chunk[4096];
	FILE *in = fopen(path, "rb");
	assert_non_null(in);
	buf_puts(&b, "");
	for (size_t n; (n = fread(chunk, 1, sizeof chunk, in)) > 0;)
		buf_add(&b, chunk, n);
	fclose(in);
	return b;
}

static inline void assert_same_bytes(const char *a, const char *b)
{
	struct buf x = read_bytes(a), y = read_bytes(b);
	assert_int_equal(x.len, y.len);
	assert_memory_equal(x.data, y.data, x.len);
	buf_free(&x);
	buf_free(&y);
}

/* xorshift (Marsaglia); `state` is not 0. */
static inline uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static inline void write_random(const char *path, size_t n, uint32_t seed)
{
	struct buf b = {0};
	for (size_t i = 0; i < n; i++) {
		char c = (char)next_random(&seed);
		buf_add(&b, &c, 1);
	}
	write_bytes(path, b.data, b.len);
	buf_free(&b);
}

#define SAMPLE_HEAD "{\"wavedeck_capture\": 1, \"program\": \"vadd\"}\n"

static inline void make_folders(const char *folder)
{
	static const char *const inner[] = {"", "/sources", "/code", "/launches"};
	for (int i = 0; i < 4; i++) {
		char *path = xasprintf("%s%s", folder, inner[i]);
		assert_int_equal(mkdir(path, 0755), 0);
		free(path);
	}
}

/* A small capture; capture.json is not written first. */
static inline void make_sample(const char *folder)
{
	char path[SCRATCH_PATH + 300];
	make_folders(folder);
#define IN(name) (snprintf(path, sizeof path, "%s/%s", folder, name), path)
	write_text(IN("sources/vadd.hip"), "__global__ void vadd(float *a)\n{\n\ta[threadIdx.x] += 1;\n}\n");
	write_text(IN("sources/empty.h"), "");
	write_random(IN("code/vadd-gfx900.co"), 500, 1);
	write_random(IN("launches/0.launch"), 300, 2);
	write_text(IN("launches/10.launch"), "launch launch launch launch launch launch launch launch");
	write_text(IN("launches/9.launch"), "nine");
	write_text(IN(CAPTURE_HEAD_NAME), SAMPLE_HEAD);
#undef IN
}

static inline void assert_same_folders(const char *a, const char *b)
{
	struct capture_files x, y;
	struct err e;
	int fa = open(a, O_RDONLY | O_DIRECTORY), fb = open(b, O_RDONLY | O_DIRECTORY);
	assert_true(capture_files_list(&x, fa, a, &e));
	assert_true(capture_files_list(&y, fb, b, &e));
	assert_int_equal(x.count, y.count);
	for (size_t i = 0; i < x.count; i++) {
		char *from = xasprintf("%s/%s", a, x.file[i].path), *to = xasprintf("%s/%s", b, y.file[i].path);
		assert_string_equal(x.file[i].path, y.file[i].path);
		assert_same_bytes(from, to);
		free(from);
		free(to);
	}
	capture_files_free(&x);
	capture_files_free(&y);
	close(fa);
	close(fb);
}

static inline int count_names(const char *folder)
{
	int count = -2; /* "." and ".." */
	DIR *d = opendir(folder);
	assert_non_null(d);
	while (readdir(d))
		count++;
	closedir(d);
	return count;
}

/* One line, which names a fix. */
static inline void assert_one_line(const struct err *e)
{
	assert_true(*e->text && e->status != ST_OK);
	assert_null(strchr(e->text, '\n'));
	assert_non_null(strchr(e->text, ';'));
}

/* The text may have %s for ROOT, at most three times. */
static inline void assert_says(const struct err *e, const char *text)
{
	char *want = xasprintf(text, root, root, root);
	assert_string_equal(e->text, want);
	free(want);
}

static inline bool pack(const char *folder, const char *file, struct err *e)
{
	*e = (struct err){0};
	return capture_archive_pack(folder, file, UINT64_MAX, NULL, NULL, e);
}

static inline int set_up(void **state)
{
	(void)state;
	return mkdtemp(scratch_path(root, "captures-XXXXXX")) ? 0 : -1;
}

static inline int tear_down(void **state)
{
	(void)state;
	temporary_folder_remove(root);
	return 0;
}

#endif

/* Reads mutated captures: archives with all readers of them, launches with softgpu-run, which runs them again.
 * mutate_captures.sh builds both with the address and undefined-behavior sanitizers. mutate_captures COUNT SEED FOLDER
 * SOFTGPU_RUN CAPTURE... A sanitizer's report or a crash ends it, and leaves the mutated files in FOLDER. */
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/host/temporary_folder.h"
#include "captures/capture_archive.h"
#include "captures/capture_experiments.h"
#include "captures/capture_file.h"
#include "captures/capture_files.h"
#include "captures/capture_folder.h"
#include "tests/long/sanitizers/mutation_source.h"

enum { CAPTURES_MAX = 16, BATCH = 100, PART_HEAD = 12, LAUNCH_HEAD = 24, CHANGED_PART_BYTES = 512 };

static const char *root, *softgpu_run;
static int opened, replayed, same, batch_count;

static char *path_of(const char *name)
{
	return xasprintf("%s/%s", root, name);
}

static void stop(const char *what, const char *which)
{
	fprintf(stderr, "%s: %s\n", which, what);
	exit(1);
}

static void write_whole(const char *path, const struct buf *b)
{
	FILE *f = fopen(path, "wb");
	if (!f || fwrite(b->data, 1, b->len, f) != b->len || fclose(f))
		stop("cannot be written", path);
}

/* --- mutations of bytes --- */
static uint64_t odd_number(void)
{
	static const uint64_t numbers[] = {0, 1, 63, 4095, 4096, 65536, UINT64_C(1) << 31, UINT32_MAX,
		UINT64_C(1) << 36, UINT64_C(1) << 40, UINT64_C(1) << 47, (UINT64_C(1) << 48) - 4096, UINT64_C(1) << 63,
		UINT64_MAX - 4095, UINT64_MAX};
	return numbers[below(sizeof numbers / sizeof *numbers)];
}

/* At `from`, a place in `size` bytes. */
static void change_bytes(struct buf *b, size_t from, size_t size)
{
	const size_t at = from + below((unsigned)size);
	const uint64_t number = odd_number();
	if (at >= b->len)
		return;
	switch (below(4)) {
	case 0: b->data[at] = (char)below(256); return;
	case 1: b->data[at] ^= (char)(1 << below(8)); return;
	case 2: b->data[at] = (char)number; return;
	default:
		if (at / 4 * 4 + sizeof number <= b->len)
			memcpy(b->data + at / 4 * 4, &number, below(2) ? sizeof number : sizeof number / 2);
	}
}

static void cut_end(struct buf *b)
{
	b->len = below((unsigned)b->len);
}

static void copy_bytes(struct buf *b)
{
	const unsigned size = 1 + below(512), from = below((unsigned)b->len), to = below((unsigned)b->len);
	if (from + size <= b->len && to + size <= b->len)
		memmove(b->data + to, b->data + from, size);
}

static void insert_bytes(struct buf *b)
{
	const unsigned size = 1 + below(8192), at = below((unsigned)b->len);
	struct buf longer = {0};
	if (at + size > b->len)
		return;
	buf_add(&longer, b->data, at + size);
	buf_add(&longer, b->data + at, b->len - at);
	buf_free(b);
	*b = longer;
}

/* --- of a launch --- */
static uint64_t part_bytes(const struct buf *b, size_t part)
{
	uint64_t n;
	memcpy(&n, b->data + part + 4, sizeof n);
	return n;
}

/* A part of those before the pages, or of all. */
static size_t choose_part(const struct buf *b, bool any)
{
	size_t chosen = LAUNCH_HEAD;
	unsigned seen = 0;
	for (size_t at = LAUNCH_HEAD; at + PART_HEAD <= b->len && part_bytes(b, at) <= b->len;
		at += PART_HEAD + part_bytes(b, at))
		if ((any || memcmp(b->data + at, "page", 4) != 0) && below(++seen) == 0)
			chosen = at;
	return chosen;
}

/* Most changes are in the first bytes of a part, so that heads are hit as often as pages. */
static void change_launch(struct buf *b)
{
	static const unsigned char counts[] = {1, 1, 2, 4, 16};
	for (unsigned n = counts[below(sizeof counts)]; n > 0; n--) {
		const size_t part = choose_part(b, below(3) == 0);
		if (below(4) == 0)
			change_bytes(b, 0, b->len);
		else
			change_bytes(b, part,
				PART_HEAD +
					(part_bytes(b, part) < CHANGED_PART_BYTES ? part_bytes(b, part)
										  : CHANGED_PART_BYTES));
		if (part_bytes(b, LAUNCH_HEAD) > b->len)
			return;
	}
}

static void mutate_launch(struct buf *b)
{
	static void (*const others[])(struct buf *) = {cut_end, copy_bytes, insert_bytes};
	const unsigned kind = below(8);
	if (kind < 3)
		others[kind](b);
	else
		change_launch(b);
}

/* --- launches run again in a process of their own, many in one --- */
static void count_replays(const char *output)
{
	struct buf text = read_whole(output);
	int lines = 0;
	for (const char *line = text.data; *line; line = strchr(line, '\n') + 1, lines++) {
		const char *end = strchr(line, '\n'), *found = strstr(line, ": the same: ");
		if (!end)
			break;
		same += found && found < end;
	}
	if (lines != batch_count)
		stop("has not a line for each launch", output);
	replayed += lines;
	buf_free(&text);
}

static char *mutant_path(int number)
{
	return xasprintf("%s/%d.launch", root, number);
}

static void replay_batch(void)
{
	char *args[BATCH + 2] = {(char *)softgpu_run}, *output = path_of("replays");
	posix_spawn_file_actions_t actions;
	pid_t child;
	int status = -1;
	for (int i = 0; i < batch_count; i++)
		args[i + 1] = mutant_path(i);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (posix_spawn(&child, softgpu_run, &actions, NULL, args, environ) || waitpid(child, &status, 0) != child ||
		!WIFEXITED(status) || WEXITSTATUS(status) > 1)
		stop("softgpu-run has died; the mutated launches are in the same folder", output);
	posix_spawn_file_actions_destroy(&actions);
	count_replays(output);
	for (int i = 0; i < batch_count; i++)
		free(args[i + 1]);
	free(output);
	batch_count = 0;
}

static void add_mutant(const struct buf *b)
{
	char *path = mutant_path(batch_count++);
	write_whole(path, b);
	free(path);
	if (batch_count == BATCH)
		replay_batch();
}

/* --- the readers of an archive --- */
static void read_archive(const char *file)
{
	struct opened_capture c;
	struct err e = {0};
	json_t *head = NULL;
	char *device = NULL, summary[200];
	int count = 0;
	if (capture_archive_read_head(file, &head, &e))
		json_decref(head);
	if (!capture_open(file, &c, &e)) {
		if (!*e.text || strchr(e.text, '\n'))
			stop("is refused without a line that says why", file);
		return;
	}
	opened++;
	capture_format_summary(c.capture, summary, sizeof summary);
	free(capture_list_kernels(c.capture, &count));
	free(capture_find_definition(file, &device, &e));
	free(device);
	temporary_folder_remove(c.folder);
	capture_close(&c);
}

static void mutate_archive(const char *capture, const char *mutated)
{
	static void (*const kinds[])(struct buf *) = {cut_end, copy_bytes, insert_bytes};
	struct buf b = read_whole(capture);
	const unsigned kind = below(6);
	if (kind < 3)
		kinds[kind](&b);
	else
		change_bytes(&b, 0, b.len);
	write_whole(mutated, &b);
	buf_free(&b);
	read_archive(mutated);
}

/* Half of the time the head; it is packed again, so that the checksums are right. */
static void mutate_content(const char *folder, const struct capture_files *files, const char *mutated)
{
	const char *name = files->file[below(2) ? 0 : below((unsigned)files->count)].path;
	char *path = xasprintf("%s/%s", folder, name);
	struct buf was = read_whole(path), b = {0};
	struct err e = {0};
	buf_add(&b, was.data, was.len);
	for (unsigned n = 1 + below(3); n > 0 && b.len; n--)
		if (below(4) == 0)
			copy_bytes(&b);
		else
			change_bytes(&b, 0, b.len);
	write_whole(path, &b);
	if (capture_archive_pack(folder, mutated, UINT64_MAX, NULL, NULL, &e))
		read_archive(mutated);
	write_whole(path, &was);
	buf_free(&was);
	buf_free(&b);
	free(path);
}

/* --- captures --- */
struct unpacked {
	const char *capture;
	char *folder;
	struct capture_files files;
	int launches[BATCH], launch_count; /* in `files` */
};

static void unpack_capture(struct unpacked *u, const char *capture, int number)
{
	struct err e = {0};
	*u = (struct unpacked){.capture = capture, .folder = xasprintf("%s/capture-%d", root, number)};
	if (!capture_archive_unpack(capture, u->folder, &e))
		stop(e.text, capture);
	const int fd = open(u->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!capture_files_list(&u->files, fd, u->folder, &e))
		stop(e.text, u->folder);
	close(fd);
	for (size_t i = 0; i < u->files.count && u->launch_count < BATCH; i++)
		if (strstr(u->files.file[i].path, ".launch"))
			u->launches[u->launch_count++] = (int)i;
	if (!u->launch_count)
		stop("has no launch", capture);
}

static void mutate_one(const struct unpacked *u, const char *mutated)
{
	switch (below(4)) {
	case 0: mutate_archive(u->capture, mutated); return;
	case 1: mutate_content(u->folder, &u->files, mutated); return;
	default: {
		const char *name = u->files.file[u->launches[below((unsigned)u->launch_count)]].path;
		char *path = xasprintf("%s/%s", u->folder, name);
		struct buf b = read_whole(path);
		mutate_launch(&b);
		add_mutant(&b);
		buf_free(&b);
		free(path);
	}
	}
}

int main(int argc, char **argv)
{
	static struct unpacked captures[CAPTURES_MAX];
	const int count = argc > 5 ? atoi(argv[1]) : 0, n = argc - 5;
	if (!count || n > CAPTURES_MAX)
		return 2;
	srand((unsigned)atoi(argv[2]));
	root = argv[3];
	softgpu_run = argv[4];
	for (int i = 0; i < n; i++)
		unpack_capture(&captures[i], argv[5 + i], i);
	char *mutated = path_of("mutated.wbc");
	for (int i = 0; i < count; i++)
		mutate_one(&captures[i % n], mutated);
	if (batch_count)
		replay_batch();
	printf("%d mutated captures: %d archives opened, %d launches ran or were refused, %d did the same\n", count,
		opened, replayed, same);
	for (int i = 0; i < n; i++) {
		capture_files_free(&captures[i].files);
		free(captures[i].folder);
	}
	free(mutated);
	return !opened || !replayed || !same;
}

/* Votes of questions that are still open, in a file next to that of the lecture. It is removed when they have ended. If
 * the program was killed meanwhile, the next class mode appends them to the lecture's file, but for rows that this has
 * already: the program may have been killed between the two files. They do not become votes of an open question again:
 * who voted is not kept, so each phone could vote twice. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "tui/views/lessons/class_session.h"

enum { OPEN_VOTES_MAX = 1 << 20 /* bytes */, LECTURE_MAX = 16 << 20 };
static const char suffix[] = ".open.csv", lecture_suffix[] = ".csv";

/* --- while the program runs --- */
static char *name_open_file(const char *lecture)
{
	return xasprintf("%.*s%s", (int)(strlen(lecture) - strlen(lecture_suffix)), lecture, suffix);
}

void class_session_drop_open(struct class_session *c)
{
	if (!c->open_path)
		return;
	unlink(c->open_path);
	free(c->open_path);
	c->open_path = NULL;
}

static void print_open_votes(FILE *out, const void *open)
{
	struct buf b = {0};
	class_csv_append(&b, open, 0);
	fputs(b.data, out);
	buf_free(&b);
}

bool class_session_keep_open(struct class_session *c, const struct class_session *open, struct err *e)
{
	if (!open->result_count) {
		class_session_drop_open(c);
		return true;
	}
	if (!class_session_create_file(c, e))
		return false;
	char *path = name_open_file(c->path);
	if (c->open_path && strcmp(c->open_path, path))
		class_session_drop_open(c);
	free(c->open_path);
	c->open_path = path;
	return file_write_atomic(path, print_open_votes, open, "", e);
}

bool class_session_keep_unsaved(struct class_session *c, const struct class_session *open, struct err *e)
{
	size_t unsaved = (size_t)(c->result_count - c->saved), count = unsaved + (size_t)open->result_count;
	struct class_session all = {.results = xcalloc(count, sizeof *all.results), .result_count = (int)count};
	memcpy(all.results, c->results + c->saved, unsaved * sizeof *all.results);
	if (open->result_count)
		memcpy(all.results + unsaved, open->results, (size_t)open->result_count * sizeof *all.results);
	bool ok = class_session_keep_open(c, &all, e);
	free(all.results);
	return ok;
}

/* --- after it was killed --- */
/* A row ends with a newline outside of quotation marks. */
static size_t row_length(const struct buf *rows, size_t at)
{
	bool quoted = false;
	size_t end = at;
	for (; end < rows->len && (quoted || rows->data[end] != '\n'); end++)
		quoted ^= rows->data[end] == '"';
	return end - at + (end < rows->len);
}

static bool has_row(const struct buf *rows, const char *row, size_t length)
{
	for (size_t at = 0; at < rows->len; at += row_length(rows, at))
		if (rows->len - at >= length && !memcmp(rows->data + at, row, length))
			return true;
	return false;
}

/* The rows of `votes` that the lecture lacks. The names of its columns are a row, too. */
static void find_missing_rows(const struct buf *votes, const struct buf *lecture, struct buf *missing)
{
	buf_puts(missing, "");
	for (size_t at = 0, n; at < votes->len; at += n) {
		n = row_length(votes, at);
		if (!has_row(lecture, votes->data + at, n))
			buf_add(missing, votes->data + at, n);
	}
}

/* What is done with the votes of a program that was killed. */
enum recovery { VOTES_STAY, VOTES_WERE_THERE, VOTES_ARE_ADDED };

static enum recovery move_votes(int fd, const char *lecture_path, const char *open_path)
{
	const char *why;
	struct buf votes = {0}, lecture = {0}, missing = {0};
	enum recovery done = VOTES_STAY;
	if (input_file_read(open_path, OPEN_VOTES_MAX, &votes, &why) && votes.len &&
		input_file_read(lecture_path, LECTURE_MAX, &lecture, &why)) {
		find_missing_rows(&votes, &lecture, &missing);
		if (write(fd, missing.data, missing.len) == (ssize_t)missing.len && !unlink(open_path))
			done = missing.len ? VOTES_ARE_ADDED : VOTES_WERE_THERE;
	}
	buf_free(&votes);
	buf_free(&lecture);
	buf_free(&missing);
	return done;
}

/* A program that runs holds a lock on the file of its lecture. */
static enum recovery recover_votes(const char *lecture, const char *open_path)
{
	enum recovery done = VOTES_STAY;
	int fd = open(lecture, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
	if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB))
		done = move_votes(fd, lecture, open_path);
	if (fd >= 0)
		close(fd);
	return done;
}

static bool has_suffix(const char *name)
{
	size_t n = strlen(name), s = strlen(suffix);
	return n > s && !strcmp(name + n - s, suffix);
}

char *class_session_recover(void)
{
	char *folder = path_user_data("classes"), *recovered = NULL;
	DIR *dir = opendir(folder);
	for (struct dirent *d; dir && (d = readdir(dir));) {
		if (!has_suffix(d->d_name))
			continue;
		char *lecture = xasprintf(
			"%s/%.*s%s", folder, (int)(strlen(d->d_name) - strlen(suffix)), d->d_name, lecture_suffix);
		char *open_path = xasprintf("%s/%s", folder, d->d_name);
		if (recover_votes(lecture, open_path) == VOTES_ARE_ADDED) {
			free(recovered);
			recovered = xstrdup(lecture);
		}
		free(open_path);
		free(lecture);
	}
	if (dir)
		closedir(dir);
	free(folder);
	return recovered;
}

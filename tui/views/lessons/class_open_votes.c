/* Votes of questions that are still open, in a file next to that of the lecture. It is removed when they have ended. If
 * the program was killed meanwhile, the next class mode appends them to the lecture's file. They do not become votes of
 * an open question again: who voted is not kept, so each phone could vote twice. */
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

enum { OPEN_VOTES_MAX = 1 << 20 /* bytes */ };
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

/* --- after it was killed --- */
/* The names of the columns stay out if the lecture's file has them. */
static bool append_votes(int lecture, const struct buf *votes)
{
	const char *rows = votes->data, *first = strchr(rows, '\n');
	if (lseek(lecture, 0, SEEK_END) > 0)
		rows = first ? first + 1 : "";
	size_t n = strlen(rows);
	return write(lecture, rows, n) == (ssize_t)n;
}

/* A program that runs holds a lock on the file of its lecture. */
static bool recover_votes(const char *lecture, const char *open_path)
{
	const char *why;
	struct buf votes = {0};
	int fd = open(lecture, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
	bool ok = fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB) &&
		input_file_read(open_path, OPEN_VOTES_MAX, &votes, &why) && votes.len;
	ok = ok && append_votes(fd, &votes) && !unlink(open_path);
	if (fd >= 0)
		close(fd);
	buf_free(&votes);
	return ok;
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
		if (recover_votes(lecture, open_path)) {
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

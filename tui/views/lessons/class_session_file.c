/* The file of a class session. Each result is in it as soon as its vote has ended, so that a lecture is not lost when
 * the program is killed or its terminal is closed. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/paths.h"
#include "sessions/record/numbered_file.h"
#include "tui/views/lessons/class_session.h"

/* "2026-03-07_141502.csv", in local time as the names of sessions. */
static int create_class_file(char **path, struct err *e)
{
	char when[32], *folder = path_user_data("classes");
	time_t now = time(NULL);
	struct tm local;
	int fd = -1;
	localtime_r(&now, &local);
	strftime(when, sizeof when, "%Y-%m-%d_%H%M%S", &local);
	if (path_make_directories(folder, e)) {
		fd = numbered_file_create(folder, when, ".csv", path);
		if (fd < 0)
			err_set(e, ST_FAILED, "cannot write the votes to %s: %s", *path, strerror(errno));
	}
	free(folder);
	return fd;
}

/* A lock shows that the program still runs (class_open_votes.c). */
static void hold_class_file(struct class_session *c, int fd)
{
	if (c->lock > 0)
		close(c->lock);
	c->lock = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	flock(c->lock, LOCK_EX | LOCK_NB);
}

/* A file that someone has removed or made read-only is followed by one with all results. */
static int open_class_file(struct class_session *c, struct err *e)
{
	char *path = NULL;
	int fd = c->path ? open(c->path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
	if (fd >= 0)
		return fd;
	fd = create_class_file(&path, e);
	if (fd < 0) {
		free(path);
		return -1;
	}
	free(c->path);
	c->path = path;
	c->saved = 0;
	hold_class_file(c, fd);
	return fd;
}

bool class_session_create_file(struct class_session *c, struct err *e)
{
	int fd = c->path ? -1 : open_class_file(c, e);
	if (fd >= 0)
		close(fd);
	return c->path != NULL;
}

/* A question whose votes were dropped leaves no empty file. */
static void remove_empty_file(const struct class_session *c)
{
	struct stat st;
	if (c->path && !c->saved && !stat(c->path, &st) && !st.st_size)
		unlink(c->path);
}

void class_session_close_file(struct class_session *c)
{
	remove_empty_file(c);
	if (c->path)
		close(c->lock);
	free(c->path);
	c->path = NULL;
}

static bool write_rows(int fd, const struct buf *rows)
{
	for (size_t at = 0; at < rows->len;) {
		ssize_t n = write(fd, rows->data + at, rows->len - at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n < 0 ? errno : ENOSPC;
			return false;
		}
		at += (size_t)n;
	}
	return true;
}

/* All rows or none, so that the next try does not repeat some of them. */
static bool append_rows(int fd, const struct buf *rows)
{
	off_t end = lseek(fd, 0, SEEK_END);
	if (end >= 0 && write_rows(fd, rows))
		return true;
	int why = errno;
	if (end < 0 || ftruncate(fd, end))
		why = why ? why : errno;
	errno = why;
	return false;
}

/* A question that was skipped without a vote needs no file of its own. */
static bool has_votes(const struct class_session *c)
{
	for (int i = 0; i < c->result_count; i++)
		if (c->results[i].total)
			return true;
	return false;
}

/* Killed at any point, the program leaves each row in the file or in that of the open votes. A row in both is the same
 * to the byte, so it is not appended again (class_open_votes.c). */
bool class_session_save(struct class_session *c, const struct class_session *open, struct err *e)
{
	struct buf rows = {0};
	struct err ignored;
	if (c->saved == c->result_count || !has_votes(c))
		return true;
	int fd = open_class_file(c, e);
	if (fd < 0)
		return false;
	class_session_keep_unsaved(c, open, &ignored);
	class_csv_append(&rows, c, c->saved);
	bool ok = append_rows(fd, &rows);
	if (ok) {
		c->saved = c->result_count;
		class_session_keep_open(c, open, &ignored);
	} else
		err_set(e, ST_FAILED, "cannot write the votes to %s: %s", c->path, strerror(errno));
	close(fd);
	buf_free(&rows);
	return ok;
}

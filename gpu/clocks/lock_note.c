#include "gpu/clocks/lock_note.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/host_paths.h"

#define FOLDER "/run/wavedeck"
#define PREFIX FOLDER "/clock-"
enum { NOTE_MAX = 1024, TRIES_MAX = 10 };

char *clock_note_path(const char *device)
{
	char *name = xasprintf("%s%s", PREFIX, device), *colon = strchr(name + strlen(PREFIX), ':');
	if (colon)
		*colon = '-';
	char *path = host_path(name);
	free(name);
	return path;
}

/* --- who holds it --- */
/* The lock of the file ends with the process, however that ends. */
static bool is_held(int fd)
{
	struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	return !fcntl(fd, F_GETLK, &l) && l.l_type != F_UNLCK;
}

static bool take_file(int fd)
{
	struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	return !fcntl(fd, F_SETLK, &l);
}

/* Another process may have removed the file after it was opened. */
static bool is_removed(int fd)
{
	struct stat st;
	return fstat(fd, &st) || !st.st_nlink;
}

/* --- reading --- */
static bool parse_note(int fd, struct clock_note *out)
{
	char text[NOTE_MAX];
	ssize_t n = pread(fd, text, sizeof text, 0);
	json_t *o = n > 0 ? json_loadb(text, (size_t)n, 0, NULL) : NULL;
	const char *device = record_get_text(o, "clock_of"), *give_back = record_get_text(o, "give_back");
	*out = (struct clock_note){.mhz = (unsigned)json_integer_value(json_object_get(o, "mhz")),
		.pid = (int)json_integer_value(json_object_get(o, "pid")),
		.held = is_held(fd)};
	snprintf(out->device, sizeof out->device, "%s", device);
	snprintf(out->give_back, sizeof out->give_back, "%s", give_back);
	bool complete = *out->device && out->mhz;
	json_decref(o);
	return complete;
}

static bool read_note(const char *path, struct clock_note *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	bool ok = fd >= 0 && parse_note(fd, out);
	if (fd >= 0)
		close(fd);
	return ok;
}

bool clock_note_read(const char *device, struct clock_note *out)
{
	char *path = clock_note_path(device);
	bool ok = read_note(path, out);
	free(path);
	return ok;
}

size_t clock_notes_list(struct clock_note *out, size_t max)
{
	struct text_list files = {0};
	char *pattern = host_path(PREFIX "*");
	size_t count = 0;
	host_list_newest(&files, pattern);
	for (size_t i = 0; i < files.count && count < max; i++)
		count += read_note(files.items[i], &out[count]);
	text_list_free(&files);
	free(pattern);
	return count;
}

/* --- writing --- */
static bool refuse_held(const char *path, const struct clock_note *wanted, struct err *e)
{
	struct clock_note n = {0};
	read_note(path, &n);
	return err_set(e, ST_FAILED,
		"the clock of %s is locked at %u MHz by another wavedeck (process %d); wait until that ends",
		wanted->device, n.mhz, n.pid);
}

/* Another process may remove the folder before the file is in it. */
static int create_note(const char *path)
{
	char *folder = host_path(FOLDER);
	int fd = -1;
	for (int tries = 0; fd < 0 && tries < TRIES_MAX && (!tries || errno == ENOENT); tries++) {
		mkdir(folder, 0755); /* otherwise the file says what is wrong */
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	}
	free(folder); /* keeps errno */
	return fd;
}

/* -1 with an error. */
static int open_note(const char *path, const struct clock_note *n, struct err *e)
{
	for (;;) {
		int fd = create_note(path);
		if (fd < 0) {
			err_set(e, ST_FAILED, "cannot note in %s that the clock is locked: %s", path, strerror(errno));
			return -1;
		}
		if (!take_file(fd)) {
			close(fd);
			refuse_held(path, n, e);
			return -1;
		}
		if (!is_removed(fd))
			return fd;
		close(fd);
	}
}

static bool fill_note(int fd, const struct clock_note *n)
{
	json_t *o = json_pack("{s:s, s:i, s:i, s:s}", "clock_of", n->device, "mhz", (int)n->mhz, "pid", n->pid,
		"give_back", n->give_back);
	char *text = json_dumps(o, JSON_COMPACT);
	size_t size = strlen(text);
	bool ok = !ftruncate(fd, 0) && pwrite(fd, text, size, 0) == (ssize_t)size;
	free(text);
	json_decref(o);
	return ok;
}

int clock_note_write(const struct clock_note *n, struct err *e)
{
	char *path = clock_note_path(n->device);
	int fd = open_note(path, n, e);
	if (fd >= 0 && !fill_note(fd, n)) {
		err_set(e, ST_FAILED, "cannot note in %s that the clock is locked: %s; free some space", path,
			strerror(errno));
		clock_note_drop(n->device, fd);
		fd = -1;
	}
	free(path);
	return fd;
}

/* The folder goes with its last note. */
void clock_note_drop(const char *device, int note)
{
	char *folder = host_path(FOLDER), *path = clock_note_path(device);
	unlink(path);
	rmdir(folder);
	close(note);
	free(folder);
	free(path);
}

#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

enum { LINKS_MAX = 40 /* the limit of Linux */, NAME_TRIES = 100 };

/* The file that a chain of symbolic links names, which need not exist; the caller frees it. NULL with errno. */
static char *follow_links(const char *path)
{
	char *at = xstrdup(path), target[PATH_MAX];
	for (int i = 0; i < LINKS_MAX; i++) {
		ssize_t n = readlink(at, target, sizeof target - 1);
		if (n < 0)
			return at;
		target[n] = 0;
		const char *slash = strrchr(at, '/');
		char *next = *target == '/' || !slash ? xstrdup(target)
						      : xasprintf("%.*s/%s", (int)(slash - at), at, target);
		free(at);
		at = next;
	}
	free(at);
	errno = ELOOP;
	return NULL;
}

/* Creates a file next to `to`. Another user could plant a link with a name that can be guessed: the name is random, and
 * an existing one is never used. *part is the name, which the caller frees. */
static int create_part_file(const char *to, mode_t mode, char **part)
{
	int fd = -1;
	*part = NULL;
	for (int i = 0; i < NAME_TRIES && fd < 0; i++) {
		uint64_t random;
		if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
			return -1;
		free(*part);
		*part = xasprintf("%s.part-%016" PRIx64, to, random);
		fd = open(*part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	return fd;
}

/* The new file has owner and permissions of the one that it replaces; a private file is never readable by others. */
static bool copy_permissions(int fd, const struct stat *from)
{
	struct stat now;
	bool same_owner = !fstat(fd, &now) &&
		((now.st_uid == from->st_uid && now.st_gid == from->st_gid) || !fchown(fd, from->st_uid, from->st_gid));
	return !fchmod(fd, from->st_mode & (same_owner ? 0777 : 0707));
}

static FILE *open_part_file(const char *to, char **part)
{
	struct stat st;
	bool replaces = !stat(to, &st);
	int fd = create_part_file(to, replaces ? 0600 : 0666, part);
	if (fd < 0)
		return NULL;
	FILE *out = !replaces || copy_permissions(fd, &st) ? fdopen(fd, "w") : NULL;
	if (out)
		return out;
	int why = errno;
	close(fd);
	unlink(*part);
	errno = why;
	return NULL;
}

/* Prints and closes; false with errno. */
static bool print_and_close(FILE *out, void (*print)(FILE *out, const void *ctx), const void *ctx)
{
	errno = 0;
	print(out, ctx);
	int why = errno;
	bool ok = !ferror(out);
	if (fclose(out))
		return false;
	errno = ok ? 0 : why ? why : ENOSPC;
	return ok;
}

static bool replace_file(const char *to, void (*print)(FILE *out, const void *ctx), const void *ctx)
{
	char *part;
	FILE *out = open_part_file(to, &part);
	bool ok = out && print_and_close(out, print, ctx) && !rename(part, to);
	int why = errno;
	if (!ok && out)
		unlink(part);
	free(part);
	errno = why;
	return ok;
}

static bool write_directly(const char *path, void (*print)(FILE *out, const void *ctx), const void *ctx)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
	return out && print_and_close(out, print, ctx);
}

bool file_write_atomic(
	const char *path, void (*print)(FILE *out, const void *ctx), const void *ctx, const char *fix, struct err *e)
{
	struct stat st;
	bool device = !stat(path, &st) && !S_ISREG(st.st_mode); /* /dev/stdout, a pipe, a folder: not replaced */
	char *to = device ? NULL : follow_links(path);
	bool ok = device ? write_directly(path, print, ctx) : to && replace_file(to, print, ctx);
	if (!ok)
		err_set(e, ST_FAILED, "cannot write %s: %s%s", path, strerror(errno ? errno : ENOSPC), fix);
	free(to);
	return ok;
}

#include "base/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse_file(int fd, const char **why, const char *text)
{
	close(fd);
	errno = EINVAL;
	*why = text;
	return -1;
}

int input_file_open(const char *path, const char **why)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a named pipe would block until a writer comes */
	*why = fd < 0 ? strerror(errno) : "";
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode)))
		return refuse_file(fd, why, "it is not a regular file");
	return fd;
}

int input_stream_open(const char *path, const char **why)
{
	struct stat st;
	if (stat(path, &st) || !S_ISFIFO(st.st_mode))
		return input_file_open(path, why);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	*why = fd < 0 ? strerror(errno) : "";
	return fd;
}

bool input_file_is_readable(const char *path, const char **why)
{
	int fd = input_file_open(path, why);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

bool input_file_read(const char *path, size_t limit, struct buf *out, const char **why)
{
	static const char *const too_large = "it is too large";
	char block[1 << 14];
	ssize_t n;
	size_t total = 0;
	int fd = input_file_open(path, why);
	if (fd < 0)
		return false;
	while ((n = read(fd, block, sizeof block)) > 0 || (n < 0 && errno == EINTR)) {
		total += n > 0 ? (size_t)n : 0;
		if (total > limit)
			break;
		buf_add(out, block, n > 0 ? (size_t)n : 0);
	}
	*why = n < 0 ? strerror(errno) : total > limit ? too_large : "";
	close(fd);
	errno = EIO; /* the file exists */
	return !**why;
}

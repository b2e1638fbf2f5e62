#include "kernels/compile/cache_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/paths.h"

static bool copy_content(int from, int to)
{
	char chunk[65536];
	ssize_t n;
	while ((n = read(from, chunk, sizeof chunk)) > 0)
		if (write(to, chunk, (size_t)n) != n)
			return false;
	return n == 0;
}

bool cache_copy_file(const char *file, const char *path)
{
	char *folder = path_copy_folder(path), *next_to = xasprintf("%s.XXXXXX", path);
	int from = open(file, O_RDONLY | O_CLOEXEC), to = path_make_directories(folder, NULL) ? mkstemp(next_to) : -1;
	errno = from >= 0 && to >= 0 ? ENOSPC : errno; /* what a short write means */
	bool ok = from >= 0 && to >= 0 && copy_content(from, to) && !fchmod(to, 0644) && !rename(next_to, path);
	int why = errno;
	if (to >= 0 && !ok)
		unlink(next_to);
	if (to >= 0)
		close(to);
	if (from >= 0)
		close(from);
	free(next_to);
	free(folder);
	errno = why;
	return ok;
}

/* Keeps compiled kernels open by descriptor. */
#include "kernels/compile/memfd_cache.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"

enum { KEPT_MAX = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct kept {
	char *name;
	int fd;
} kept[KEPT_MAX]; /* oldest first */
static int count;

static char *descriptor_path(int fd)
{
	return xasprintf("/proc/self/fd/%d", fd);
}

char *memfd_cache_find(const char *name)
{
	char *path = NULL;
	pthread_mutex_lock(&lock);
	for (int i = 0; i < count && !path; i++)
		if (!strcmp(kept[i].name, name))
			path = descriptor_path(kept[i].fd);
	pthread_mutex_unlock(&lock);
	return path;
}

static void drop_oldest_kernel(void)
{
	free(kept[0].name);
	close(kept[0].fd);
	memmove(&kept[0], &kept[1], (size_t)--count * sizeof *kept);
}

char *memfd_cache_store(const char *name, const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	pthread_mutex_lock(&lock);
	if (count == KEPT_MAX)
		drop_oldest_kernel();
	kept[count++] = (struct kept){xstrdup(name), fd};
	pthread_mutex_unlock(&lock);
	return descriptor_path(fd);
}

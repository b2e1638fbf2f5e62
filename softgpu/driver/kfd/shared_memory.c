#include "softgpu/driver/kfd/shared_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/probe/driver_trace.h"

#define FILE_LINK "/memfd:" DEVICE_MEMORY_NAME " (deleted)" /* of a GPU's memory, in /proc/PID/fd */

struct handle {
	uint32_t process;
	uint16_t fd, entry;
	uint64_t key;
};
_Static_assert(sizeof(struct handle) == SHARED_HANDLE_WORDS * sizeof(uint32_t), "a handle of KFD");
_Static_assert(SHARED_RANGES_MAX <= UINT16_MAX + 1, "entry numbers");

static off_t entry_offset(uint32_t entry)
{
	return (off_t)(SHARED_TABLE_OFFSET + entry * sizeof(struct shared_range));
}

static bool read_entry(int fd, uint32_t entry, struct shared_range *out)
{
	return entry < SHARED_RANGES_MAX && pread(fd, out, sizeof *out, entry_offset(entry)) == (ssize_t)sizeof *out;
}

/* --- the owner --- */
static uint64_t make_key(void)
{
	uint64_t key = 0;

	while (!key && getrandom(&key, sizeof key, 0) == (ssize_t)sizeof key)
		;
	return key;
}

int shared_memory_enter(const struct softgpu_device *d, const struct shared_range *range, uint32_t *entry)
{
	struct shared_range e;

	for (*entry = 0; *entry < SHARED_RANGES_MAX; ++*entry)
		if (read_entry(d->render, *entry, &e) && !e.key)
			break;
	if (*entry == SHARED_RANGES_MAX || d->render > UINT16_MAX)
		return ENOSPC;
	e = *range;
	e.key = make_key();
	e.gpu = d->index;
	snprintf(e.model, sizeof e.model, "%s", d->model.name);
	if (!e.key || pwrite(d->render, &e, sizeof e, entry_offset(*entry)) != (ssize_t)sizeof e)
		return EIO;
	return 0;
}

void shared_memory_make_handle(const struct softgpu_device *d, uint32_t entry, uint32_t handle[SHARED_HANDLE_WORDS])
{
	struct handle h = {.process = (uint32_t)getpid(), .fd = (uint16_t)d->render, .entry = (uint16_t)entry};
	struct shared_range e;

	if (read_entry(d->render, entry, &e))
		h.key = e.key;
	memcpy(handle, &h, sizeof h);
}

void shared_memory_withdraw(const struct softgpu_device *d, uint32_t entry)
{
	struct shared_range e = {0};

	if (pwrite(d->render, &e, sizeof e, entry_offset(entry)) != (ssize_t)sizeof e)
		driver_warn("cannot withdraw a memory handle: %s", strerror(errno));
}

/* Locks of other descriptions of the file, of this process or of others, conflict with one for writing. */
bool shared_memory_is_used(const struct softgpu_device *d, uint64_t offset, uint64_t size)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)offset, .l_len = (off_t)size};

	return fcntl(d->render, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

/* --- the other process --- */
static bool lock_range(int fd, const struct shared_range *r)
{
	struct flock lock = {
		.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = (off_t)r->offset, .l_len = (off_t)r->size};

	return fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

/* Opens the file only if it is the memory of a GPU: opening something else, such as a terminal or a pipe, can have an
 * effect. */
static int open_memory_of(uint32_t process, unsigned fd)
{
	char path[64], link[64];
	long n;

	snprintf(path, sizeof path, "/proc/%u/fd/%u", process, fd);
	n = syscall(SYS_readlink, path, link, sizeof link);
	if (n != (long)strlen(FILE_LINK) || memcmp(link, FILE_LINK, (size_t)n))
		return -1;
	return (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
}

static int refuse_handle(uint32_t process, const char *why)
{
	driver_warn("memory handle of process %u: %s", process, why);
	return EINVAL;
}

/* The entry is read again under the lock: the owner withdraws it before it looks for locks. */
static bool hold_range(int fd, const struct handle *h, struct shared_range *range)
{
	return read_entry(fd, h->entry, range) && range->key == h->key && lock_range(fd, range) &&
		read_entry(fd, h->entry, range) && range->key == h->key;
}

static bool is_same_gpu(const struct shared_range *range)
{
	const struct softgpu_device *d = device_at(range->gpu);

	return d && !strncmp(d->model.name, range->model, sizeof range->model);
}

int shared_memory_open(const uint32_t handle[SHARED_HANDLE_WORDS], struct shared_range *range, int *fd)
{
	struct handle h;
	const char *why = NULL;

	memcpy(&h, handle, sizeof h);
	*fd = h.key ? open_memory_of(h.process, h.fd) : -1;
	if (*fd < 0)
		return refuse_handle(
			h.process, "no such memory; the process that made it must still run, as the same user");
	if (!hold_range(*fd, &h, range))
		why = "no such memory; the process may have freed it";
	else if (!is_same_gpu(range))
		why = "it is of a GPU that this process lacks; start both with the same --model";
	if (!why)
		return 0;
	close(*fd);
	return refuse_handle(h.process, why);
}

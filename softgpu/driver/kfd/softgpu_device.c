#include "softgpu/driver/kfd/softgpu_device.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "softgpu/driver/time/virtual_clock.h"
#include "softgpu/driver/queues/doorbell.h"
#include "softgpu/driver/kfd/kfd_events.h"
#include "softgpu/driver/kfd/kfd_memory.h"
#include "softgpu/driver/queues/hsa_queue.h"
#include "softgpu/driver/time/sensors.h"
#include "softgpu/driver/probe/driver_trace.h"

static struct softgpu_device device;
static struct {
	dev_t dev;
	ino_t ino;
} identity[3];
static _Atomic bool is_open;
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t running = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int waiting;

/* --- model --- */
static struct model chosen;
static bool chosen_well;

static void choose_model(void)
{
	const char *name = getenv("SOFTGPU"), *set = getenv("SOFTGPU_SET");
	char text[4096], why[256] = "";

	snprintf(text, sizeof text, "%s%s%s", name && *name ? name : "mi25", set && *set ? "," : "", set ? set : "");
	chosen_well = model_parse(&chosen, text, why, sizeof why);
	if (!chosen_well)
		driver_warn("no device: %s", why);
}

const struct model *device_model_from_env(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, choose_model);
	return chosen_well ? &chosen : NULL;
}

/* --- opening --- */
static int memory_file(const char *name, uint64_t size, enum device_file kind)
{
	struct stat st;
	int fd = memfd_create(name, MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, (off_t)size) || syscall(SYS_fstat, fd, &st)) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	identity[kind].dev = st.st_dev;
	identity[kind].ino = st.st_ino;
	return fd;
}

static void *map_file(int fd, uint64_t offset, uint64_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, (off_t)offset);

	if (p == MAP_FAILED)
		return NULL;
	madvise(p, size, MADV_DONTFORK); /* a fork's child has no business in the parent's device */
	madvise(p, size, MADV_DONTDUMP);
	return p;
}

static void close_all(void)
{
	if (device.gpu)
		gpu_close(device.gpu);
	if (device.memory)
		munmap(device.memory, GTT_OFFSET + GTT_BYTES);
	if (device.doorbells)
		munmap(device.doorbells, DOORBELL_BYTES);
	if (device.kfd >= 0)
		close(device.kfd);
	if (device.render >= 0)
		close(device.render);
	device = (struct softgpu_device){.kfd = -1, .render = -1};
}

static bool open_all(const struct model *m)
{
	device = (struct softgpu_device){.model = *m, .kfd = -1, .render = -1};
	device.kfd = memory_file("softgpu-kfd", DOORBELL_OFFSET + DOORBELL_BYTES, DEVICE_FILE_KFD);
	device.render = memory_file("softgpu-memory", GTT_OFFSET + GTT_BYTES, DEVICE_FILE_RENDER);
	if (device.kfd < 0 || device.render < 0)
		return false;
	device.doorbells = map_file(device.kfd, DOORBELL_OFFSET, DOORBELL_BYTES);
	device.memory = map_file(device.render, 0, GTT_OFFSET + GTT_BYTES);
	device.gpu = gpu_open(m);
	if (device.gpu)
		gpu_set_unmapped_hook(device.gpu, kfd_memory_flush_mappings);
	vclock_init(&device.model);
	return device.doorbells && device.memory && device.gpu && kfd_memory_init(&device) && kfd_events_init();
}

/* The child of a fork shares nothing with the parent's device; it may open one of its own. */
static void forget(void)
{
	if (!is_open)
		return;
	is_open = false;
	hsa_queues_reset_in_child();
	doorbell_reset_in_child();
	kfd_memory_reset_in_child();
	sensors_reset_in_child();
	close(device.kfd);
	close(device.render);
	device = (struct softgpu_device){
		.kfd = -1, .render = -1}; /* the core's memory stays: its lock may have been held */
	pthread_mutex_init(&running, NULL);
	pthread_mutex_init(&opening, NULL);
	waiting = 0;
}

static bool ensure_open(void)
{
	static bool watching;
	const struct model *m = device_model_from_env();
	bool good;

	if (!m) {
		errno = ENXIO;
		return false;
	}
	pthread_mutex_lock(&opening);
	if (!is_open) {
		if (!watching)
			watching = pthread_atfork(NULL, NULL, forget) == 0;
		is_open = open_all(m);
		if (!is_open) {
			driver_warn(
				"cannot open the device: not enough address space or file descriptors (see ulimit -v, -n)");
			close_all();
		}
	}
	good = is_open;
	pthread_mutex_unlock(&opening);
	if (!good)
		errno = ENOMEM;
	return good;
}

struct softgpu_device *device_get(void)
{
	return is_open ? &device : NULL;
}

int device_open_file(enum device_file file, int flags)
{
	char path[64];

	if (!ensure_open())
		return -1;
	snprintf(path, sizeof path, "/proc/self/fd/%d", file == DEVICE_FILE_KFD ? device.kfd : device.render);
	return (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | (flags & O_CLOEXEC), 0);
}

enum device_file device_file_from_fd(int fd)
{
	struct stat st;

	if (!is_open || syscall(SYS_fstat, fd, &st))
		return DEVICE_FILE_NONE;
	for (int kind = DEVICE_FILE_KFD; kind <= DEVICE_FILE_RENDER; kind++)
		if (identity[kind].dev == st.st_dev && identity[kind].ino == st.st_ino)
			return (enum device_file)kind;
	return DEVICE_FILE_NONE;
}

/* --- the lock --- */
void device_lock(void)
{
	waiting++;
	pthread_mutex_lock(&running);
	waiting--;
}

bool device_trylock(void)
{
	return pthread_mutex_trylock(&running) == 0;
}

bool device_lock_timed(uint64_t ns)
{
	struct timespec until;
	bool got;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += (long)ns;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	waiting++;
	got = pthread_mutex_clocklock(&running, CLOCK_MONOTONIC, &until) == 0;
	waiting--;
	return got;
}

void device_unlock(void)
{
	pthread_mutex_unlock(&running);
}

void device_lock_yielding(void)
{
	while (waiting)
		syscall(SYS_sched_yield);
	pthread_mutex_lock(&running);
}

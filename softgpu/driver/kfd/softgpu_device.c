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

#include "softgpu/driver/time/host_monotonic.h"
#include "softgpu/driver/time/host_time.h"
#include "softgpu/driver/time/host_timeline.h"
#include "softgpu/driver/time/virtual_clock.h"
#include "softgpu/driver/interpose/runtime_callers.h"
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
} file_ids[3];
static _Atomic bool is_open;
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t core_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int lock_waiters;

/* --- model --- */
static struct model env_model;
static bool env_model_valid;

static void parse_env_model(void)
{
	const char *name = getenv("SOFTGPU"), *set = getenv("SOFTGPU_SET");
	char text[4096], why[256] = "";

	snprintf(text, sizeof text, "%s%s%s", name && *name ? name : "mi25", set && *set ? "," : "", set ? set : "");
	env_model_valid = model_parse(&env_model, text, why, sizeof why);
	if (!env_model_valid)
		driver_warn("cannot create the device: %s", why);
}

const struct model *device_model_from_env(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, parse_env_model);
	return env_model_valid ? &env_model : NULL;
}

/* --- opening --- */
static int create_device_memfd(const char *name, uint64_t size, enum device_file kind)
{
	struct stat st;
	int fd = memfd_create(name, MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, (off_t)size) || syscall(SYS_fstat, fd, &st)) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	file_ids[kind].dev = st.st_dev;
	file_ids[kind].ino = st.st_ino;
	return fd;
}

static void *map_shared_file(int fd, uint64_t offset, uint64_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, (off_t)offset);

	if (p == MAP_FAILED)
		return NULL;
	madvise(p, size, MADV_DONTFORK); /* a forked child must not use the parent's device */
	madvise(p, size, MADV_DONTDUMP);
	return p;
}

static void close_device_files(void)
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

static bool open_device_files(const struct model *m)
{
	device = (struct softgpu_device){.model = *m, .kfd = -1, .render = -1};
	device.kfd = create_device_memfd("softgpu-kfd", DOORBELL_OFFSET + DOORBELL_BYTES, DEVICE_FILE_KFD);
	device.render = create_device_memfd("softgpu-memory", GTT_OFFSET + GTT_BYTES, DEVICE_FILE_RENDER);
	if (device.kfd < 0 || device.render < 0)
		return false;
	device.doorbells = map_shared_file(device.kfd, DOORBELL_OFFSET, DOORBELL_BYTES);
	device.memory = map_shared_file(device.render, 0, GTT_OFFSET + GTT_BYTES);
	device.gpu = gpu_open(m);
	if (device.gpu)
		gpu_set_unmapped_hook(device.gpu, kfd_memory_flush_mappings);
	vclock_init(&device.model);
	host_timeline_open(host_time_latest(), vclock_now());
	return device.doorbells && device.memory && device.gpu && kfd_memory_init(&device) && kfd_events_init();
}

/* A forked child shares nothing with the parent's device. It may open its own. */
static void abandon_device_in_child(void)
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
		.kfd = -1, .render = -1}; /* the core's memory is leaked: its lock may have been held */
	pthread_mutex_init(&core_lock, NULL);
	pthread_mutex_init(&open_lock, NULL);
	lock_waiters = 0;
}

static bool ensure_device_open(void)
{
	static bool fork_handler_set;
	const struct model *m = device_model_from_env();
	bool ok;

	if (!m) {
		errno = ENXIO;
		return false;
	}
	pthread_mutex_lock(&open_lock);
	runtime_callers_find();
	if (!is_open) {
		if (!fork_handler_set)
			fork_handler_set = pthread_atfork(NULL, NULL, abandon_device_in_child) == 0;
		is_open = open_device_files(m);
		if (!is_open) {
			driver_warn(
				"cannot open the device: not enough address space or file descriptors; check ulimit -v and ulimit -n");
			close_device_files();
		}
	}
	ok = is_open;
	pthread_mutex_unlock(&open_lock);
	if (!ok)
		errno = ENOMEM;
	return ok;
}

struct softgpu_device *device_get(void)
{
	return is_open ? &device : NULL;
}

int device_open_file(enum device_file file, int flags)
{
	char path[64];

	if (!ensure_device_open())
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
		if (file_ids[kind].dev == st.st_dev && file_ids[kind].ino == st.st_ino)
			return (enum device_file)kind;
	return DEVICE_FILE_NONE;
}

/* --- the lock --- */
void device_lock(void)
{
	lock_waiters++;
	pthread_mutex_lock(&core_lock);
	lock_waiters--;
}

bool device_trylock(void)
{
	return pthread_mutex_trylock(&core_lock) == 0;
}

bool device_lock_timed(ns_t ns)
{
	struct timespec until = host_monotonic_after(ns);
	bool got;

	lock_waiters++;
	got = pthread_mutex_clocklock(&core_lock, CLOCK_MONOTONIC, &until) == 0;
	lock_waiters--;
	return got;
}

void device_unlock(void)
{
	pthread_mutex_unlock(&core_lock);
}

void device_lock_yielding(void)
{
	while (lock_waiters)
		syscall(SYS_sched_yield);
	pthread_mutex_lock(&core_lock);
}

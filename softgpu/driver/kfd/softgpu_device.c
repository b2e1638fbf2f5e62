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

#include "softgpu/driver/capture/launch_capture.h"
#include "softgpu/driver/check/launch_checks.h"
#include "softgpu/driver/time/host_monotonic.h"
#include "softgpu/driver/time/host_time.h"
#include "softgpu/driver/time/host_timeline.h"
#include "softgpu/driver/time/virtual_clock.h"
#include "softgpu/driver/queues/completion_handlers.h"
#include "softgpu/driver/interpose/runtime_callers.h"
#include "softgpu/driver/queues/doorbell.h"
#include "softgpu/driver/kfd/kfd_events.h"
#include "softgpu/driver/kfd/device_identity.h"
#include "softgpu/driver/kfd/kfd_buffer.h"
#include "softgpu/driver/kfd/kfd_memory.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/kfd/shared_memory.h"
#include "softgpu/driver/queues/hsa_queue.h"
#include "softgpu/driver/time/sensors.h"
#include "softgpu/driver/probe/driver_trace.h"

static struct softgpu_device gpus[GPUS_MAX];
static unsigned gpu_count;
static int kfd_file = -1;
static struct {
	dev_t dev;
	ino_t ino;
} file_ids[DEVICE_FILE_RENDER + GPUS_MAX];
static _Atomic bool is_open;
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t core_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int lock_waiters;

/* --- opening --- */
static int create_device_memfd(const char *name, uint64_t size, unsigned kind)
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

static void close_gpu(struct softgpu_device *d)
{
	if (d->gpu)
		gpu_close(d->gpu);
	if (d->memory)
		munmap(d->memory, GTT_OFFSET + GTT_BYTES);
	if (d->doorbells)
		munmap(d->doorbells, DOORBELL_BYTES);
	if (d->render >= 0)
		close(d->render);
}

static void forget_device_files(void)
{
	gpu_count = 0;
	kfd_file = -1;
	memset(gpus, 0, sizeof gpus);
}

static void close_device_files(void)
{
	for (unsigned i = 0; i < gpu_count; i++)
		close_gpu(&gpus[i]);
	if (kfd_file >= 0)
		close(kfd_file);
	forget_device_files();
}

static bool open_gpu(struct softgpu_device *d, unsigned index, const struct model *m)
{
	*d = (struct softgpu_device){.index = index, .gpu_id = identity_gpu_id(index), .model = *m};
	d->render = create_device_memfd(
		DEVICE_MEMORY_NAME, SHARED_TABLE_OFFSET + SHARED_TABLE_BYTES, DEVICE_FILE_RENDER + index);
	if (d->render < 0)
		return false;
	d->doorbells = map_shared_file(kfd_file, DOORBELL_OFFSET(index), DOORBELL_BYTES);
	d->memory = map_shared_file(d->render, 0, GTT_OFFSET + GTT_BYTES);
	d->gpu = gpu_open(m);
	if (d->gpu)
		gpu_set_unmapped_hook(d->gpu, kfd_memory_flush_mappings);
	vclock_init(&d->clock, &d->model);
	return d->doorbells && d->memory && d->gpu && kfd_buffers_init(d);
}

static bool open_device_files(const struct host_machine *m)
{
	kfd_file = create_device_memfd("softgpu-kfd", DOORBELL_OFFSET(m->count), DEVICE_FILE_KFD);
	if (kfd_file < 0)
		return false;
	while (gpu_count < m->count) {
		struct softgpu_device *d = &gpus[gpu_count];

		gpu_count++;
		if (!open_gpu(d, gpu_count - 1, &m->gpu[gpu_count - 1]))
			return false;
		host_timeline_open(d->index, host_time_latest(), vclock_now(&d->clock));
	}
	return kfd_events_init();
}

/* A forked child shares nothing with the parent's device. It may open its own. */
static void abandon_device_in_child(void)
{
	if (!is_open)
		return;
	completion_handlers_reset_in_child();
	hsa_queues_reset_in_child();
	doorbell_reset_in_child();
	kfd_memory_reset_in_child();
	sensors_reset_in_child();
	for (unsigned i = 0; i < gpu_count; i++)
		close(gpus[i].render);
	close(kfd_file);
	is_open = false;
	forget_device_files(); /* the core's memory is leaked: its lock may have been held */
	pthread_mutex_init(&core_lock, NULL);
	pthread_mutex_init(&open_lock, NULL);
	lock_waiters = 0;
}

static bool ensure_device_open(void)
{
	static bool fork_handler_set;
	const struct host_machine *m = machine_from_env();
	bool ok;

	if (!m) {
		errno = ENXIO;
		return false;
	}
	pthread_mutex_lock(&open_lock);
	runtime_callers_find();
	launch_capture_prepare();
	launch_checks_prepare();
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

struct softgpu_device *device_at(unsigned i)
{
	return is_open && i < gpu_count ? &gpus[i] : NULL;
}

struct softgpu_device *device_get(void)
{
	return device_at(0);
}

struct softgpu_device *device_find(uint32_t gpu_id)
{
	for (unsigned i = 0; is_open && i < gpu_count; i++)
		if (gpus[i].gpu_id == gpu_id)
			return &gpus[i];
	return NULL;
}

int device_open_file(enum device_file file, int flags)
{
	char path[64];

	if (!ensure_device_open())
		return -1;
	snprintf(path, sizeof path, "/proc/self/fd/%d",
		file == DEVICE_FILE_KFD ? kfd_file : gpus[file - DEVICE_FILE_RENDER].render);
	return (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | (flags & O_CLOEXEC), 0);
}

enum device_file device_file_from_fd(int fd)
{
	struct stat st;

	if (!is_open || syscall(SYS_fstat, fd, &st))
		return DEVICE_FILE_NONE;
	for (unsigned kind = DEVICE_FILE_KFD; kind < DEVICE_FILE_RENDER + gpu_count; kind++)
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

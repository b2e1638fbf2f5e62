/* Interposed calls that are not about files: ioctl, shared memory, signal masks and handlers. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/abi/drm_abi.h"
#include "softgpu/driver/kfd/kfd.h"
#include "softgpu/abi/kfd_abi.h"
#include "softgpu/driver/faults/fault_handler.h"
#include "softgpu/driver/interpose/interpose.h"

EXPORT int ioctl(int fd, unsigned long request, ...)
{
	unsigned type = _IOC_TYPE(request);
	enum device_file file = DEVICE_FILE_NONE;
	void *argument;
	va_list args;

	va_start(args, request);
	argument = va_arg(args, void *);
	va_end(args);
	if (type == KFD_IOCTL_TYPE || type == DRM_IOCTL_TYPE)
		file = device_file_from_fd(fd);
	if (file == DEVICE_FILE_KFD && type == KFD_IOCTL_TYPE)
		return kfd_ioctl(request, argument);
	if (file >= DEVICE_FILE_RENDER && type == DRM_IOCTL_TYPE)
		return drm_ioctl(file - DEVICE_FILE_RENDER, request, argument);
	return REAL_FUNCTION(ioctl)(fd, request, argument);
}

/* --- shared memory --- */
/* Each process gets private copies of the libraries' shared-memory objects. librocm_smi64 keeps a mutex there, which
 * stays locked for every user when its owner is killed; libhsakmt keeps a counter and a semaphore there, which belong
 * to the first user. */
#define PRIVATE_SHM_MAX 16
static struct {
	char name[64];
	int fd;
} private_shm[PRIVATE_SHM_MAX];
static pthread_mutex_t private_lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_private_name(const char *name)
{
	const char *word = name && name[0] == '/' ? name + 1 : name;

	return word && (!strncmp(word, "rocm_smi", 8) || !strncmp(word, "hsakmt", 6)) &&
		strlen(name) < sizeof private_shm[0].name;
}

/* Index of the object `name`, or of a free entry with `want_free`; -1 if none. */
static int find_private_shm(const char *name, bool want_free)
{
	for (int i = 0; i < PRIVATE_SHM_MAX; i++)
		if (want_free ? !private_shm[i].name[0] : !strcmp(private_shm[i].name, name))
			return i;
	return -1;
}

static int open_private_shm(const char *name, int flags)
{
	int i = find_private_shm(name, false);
	char path[64];

	if (i < 0 && flags & O_CREAT && (i = find_private_shm(name, true)) >= 0) {
		private_shm[i].fd = memfd_create(name, MFD_CLOEXEC);
		if (private_shm[i].fd < 0)
			return -1;
		strcpy(private_shm[i].name, name);
	} else if (i >= 0 && flags & O_CREAT && flags & O_EXCL) {
		errno = EEXIST;
		return -1;
	}
	if (i < 0) {
		errno = flags & O_CREAT ? ENFILE : ENOENT;
		return -1;
	}
	snprintf(path, sizeof path, "/proc/self/fd/%d", private_shm[i].fd);
	return REAL_FUNCTION(open)(path, (flags & (O_ACCMODE | O_TRUNC)) | O_CLOEXEC);
}

EXPORT int shm_open(const char *name, int flags, mode_t mode)
{
	int fd;

	if (!is_private_name(name))
		return REAL_FUNCTION(shm_open)(name, flags, mode);
	pthread_mutex_lock(&private_lock);
	fd = open_private_shm(name, flags);
	pthread_mutex_unlock(&private_lock);
	return fd;
}

EXPORT int shm_unlink(const char *name)
{
	int i;

	if (!is_private_name(name))
		return REAL_FUNCTION(shm_unlink)(name);
	pthread_mutex_lock(&private_lock);
	i = find_private_shm(name, false);
	if (i >= 0) {
		close(private_shm[i].fd);
		private_shm[i].name[0] = 0;
	}
	pthread_mutex_unlock(&private_lock);
	errno = i < 0 ? ENOENT : errno;
	return i < 0 ? -1 : 0;
}

static sem_t private_semaphore;

static void init_private_semaphore(void)
{
	sem_init(&private_semaphore, 0, 1);
}

/* All callers share one semaphore. sem_close of it fails, which callers tolerate. */
EXPORT sem_t *sem_open(const char *name, int flags, ...)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	unsigned mode, value;
	va_list args;

	va_start(args, flags);
	mode = flags & O_CREAT ? va_arg(args, unsigned) : 0;
	value = flags & O_CREAT ? va_arg(args, unsigned) : 0;
	va_end(args);
	if (!is_private_name(name))
		return REAL_FUNCTION(sem_open)(name, flags, mode, value);
	pthread_once(&once, init_private_semaphore);
	return &private_semaphore;
}

/* --- SIGSEGV and SIGBUS --- */
/* A thread that blocks SIGSEGV cannot ring a doorbell, one that blocks either cannot pass a bad pointer, and ROCclr's
 * threads block every signal. A real fault kills them either way. */
static const sigset_t *unblock_faults(int how, const sigset_t *set, sigset_t *copy)
{
	if (!set || how == SIG_UNBLOCK)
		return set;
	*copy = *set;
	sigdelset(copy, SIGSEGV);
	sigdelset(copy, SIGBUS);
	return copy;
}

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	sigset_t copy;

	return REAL_FUNCTION(pthread_sigmask)(how, unblock_faults(how, set, &copy), old);
}

EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	sigset_t copy;

	return REAL_FUNCTION(sigprocmask)(how, unblock_faults(how, set, &copy), old);
}

EXPORT int sigaction(int number, const struct sigaction *new_action, struct sigaction *old)
{
	if (fault_handler_swap_action(number, new_action, old))
		return 0;
	return REAL_FUNCTION(sigaction)(number, new_action, old);
}

EXPORT sighandler_t signal(int number, sighandler_t handler)
{
	struct sigaction act = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;

	if (fault_handler_swap_action(number, &act, &old))
		return old.sa_handler;
	return REAL_FUNCTION(signal)(number, handler);
}

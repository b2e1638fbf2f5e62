/* Interposed calls with which threads of HIP hand work to each other where HIP has a thread for each stream
 * (AMD_DIRECT_DISPATCH=0): a thread that creates such a thread or posts a semaphore submits through it, and one that
 * waits for a semaphore may wait for the device. */
#include "softgpu/driver/interpose/hooks_hip_threads.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/interpose/runtime_callers.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/queues/submission_hold.h"

static bool is_semaphore_posted(const void *what)
{
	int value = 0;

	return sem_getvalue((sem_t *)what, &value) || value > 0;
}

static bool take_semaphore(const void *what)
{
	return sem_trywait((sem_t *)what) == 0;
}

/* A thread that has taken a semaphore, though it may not have noticed, goes on. */
int hip_semaphore_wait(sem_t *s, const struct timespec *deadline)
{
	const struct submission_wait wait = {is_semaphore_posted, s};

	errno = submission_hold_take(&wait, take_semaphore, deadline);
	return errno ? -1 : 0;
}

EXPORT int sem_wait(sem_t *s)
{
	return device_get() && CALLER() == CALLER_HIP ? hip_semaphore_wait(s, NULL) : REAL_FUNCTION(sem_wait)(s);
}

EXPORT int sem_post(sem_t *s)
{
	const bool hip = device_get() && CALLER() == CALLER_HIP;

	if (hip)
		submission_hold_begin();
	int status = REAL_FUNCTION(sem_post)(s);
	if (hip)
		submission_hold_give();
	return status;
}

/* --- threads --- */
struct hip_thread {
	void *(*run)(void *);
	void *argument;
	struct submitter *submitter;
};

static void *run_hip_thread(void *data)
{
	const struct hip_thread t = *(const struct hip_thread *)data;

	free(data);
	submission_hold_take_thread(t.submitter);
	return t.run(t.argument);
}

static int create_hip_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
	struct hip_thread *t = malloc(sizeof *t);
	int error;

	if (!t)
		return EAGAIN;
	*t = (struct hip_thread){run, argument, submission_hold_begin_thread()};
	error = REAL_FUNCTION(pthread_create)(thread, attributes, run_hip_thread, t);
	if (error) {
		submission_hold_drop_thread(t->submitter);
		free(t);
	}
	return error;
}

EXPORT int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*run)(void *),
	void *restrict argument)
{
	if (device_get() && CALLER() == CALLER_HIP)
		return create_hip_thread(thread, attributes, run, argument);
	return REAL_FUNCTION(pthread_create)(thread, attributes, run, argument);
}

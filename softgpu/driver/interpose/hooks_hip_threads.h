/* Waits for semaphores of HIP. */
#ifndef SOFTGPU_DRIVER_INTERPOSE_HOOKS_HIP_THREADS_H
#define SOFTGPU_DRIVER_INTERPOSE_HOOKS_HIP_THREADS_H

#include <semaphore.h>
#include <time.h>

/* Up to a deadline; NULL: none. As sem_wait and sem_timedwait. */
int hip_semaphore_wait(sem_t *s, const struct timespec *deadline);

#endif

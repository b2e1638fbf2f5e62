/* Starts a thread of the driver in the program's process. */
#ifndef SOFTGPU_DRIVER_QUEUES_DRIVER_THREAD_H
#define SOFTGPU_DRIVER_QUEUES_DRIVER_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Detached. The program's signals do not reach it, only those that a fault in the thread itself raises. */
bool driver_thread_start(void *(*run)(void *), pthread_t *out);

#endif

/* Threads that help the launching one: each runs the same function with its number, and all meet at its end. */
#ifndef SOFTGPU_CORE_WINDOWS_THREAD_POOL_H
#define SOFTGPU_CORE_WINDOWS_THREAD_POOL_H

#include <stdbool.h>

struct thread_pool;

/* NULL: the host gives no such number of threads. `threads` includes the caller. */
struct thread_pool *pool_open(unsigned threads);
void pool_close(struct thread_pool *p);
/* Whether its threads are in this process: those of a parent are not. */
bool pool_is_alive(const struct thread_pool *p);
/* Runs f(number, data) on all threads, 0 on the caller; returns when all have returned. */
void pool_run(struct thread_pool *p, void (*f)(unsigned number, void *data), void *data);

#endif

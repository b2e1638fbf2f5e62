/* A window takes some ten microseconds, so threads wait for the next by looking at a counter for about as long. Then
 * they sleep: a thread that does not may keep the others from the core that they need. */
#include "softgpu/core/windows/thread_pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "softgpu/core/state/host_lines.h"

enum { SPINS = 4000 };

struct thread_pool {
	unsigned helpers;
	pid_t process;
	pthread_mutex_t lock;
	pthread_cond_t begun, ended;
	struct {
		_Atomic unsigned round; /* how many have begun */
		void (*f)(unsigned number, void *data);
		void *data;
		bool ends;
	} OF_ONE_THREAD begin;                                     /* which helpers look at */
	_Atomic unsigned left __attribute__((aligned(HOST_LINE))); /* helpers that have not ended the round */
	struct helper {
		struct thread_pool *pool;
		unsigned number;
		pthread_t thread;
	} OF_ONE_THREAD helper[];
};

/* --- waiting --- */
static bool spin_while_equal(_Atomic unsigned *at, unsigned value)
{
	for (unsigned k = 0; k < SPINS; k++) {
		if (atomic_load_explicit(at, memory_order_acquire) != value)
			return false;
		__builtin_ia32_pause();
	}
	return true;
}

static void wait_for_round(struct thread_pool *p, unsigned last)
{
	if (!spin_while_equal(&p->begin.round, last))
		return;
	pthread_mutex_lock(&p->lock);
	while (atomic_load(&p->begin.round) == last)
		pthread_cond_wait(&p->begun, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

static void wait_for_helpers(struct thread_pool *p)
{
	for (unsigned left; (left = atomic_load_explicit(&p->left, memory_order_acquire));) {
		if (!spin_while_equal(&p->left, left))
			continue;
		pthread_mutex_lock(&p->lock);
		while (atomic_load(&p->left))
			pthread_cond_wait(&p->ended, &p->lock);
		pthread_mutex_unlock(&p->lock);
	}
}

/* --- helpers --- */
static void end_round(struct thread_pool *p)
{
	if (atomic_fetch_sub(&p->left, 1) != 1)
		return;
	pthread_mutex_lock(&p->lock);
	pthread_cond_signal(&p->ended);
	pthread_mutex_unlock(&p->lock);
}

static void *help(void *data)
{
	const struct helper *h = data;
	struct thread_pool *p = h->pool;

	for (unsigned round = 0;; round++) {
		wait_for_round(p, round);
		if (p->begin.ends)
			return NULL;
		p->begin.f(h->number, p->begin.data);
		end_round(p);
	}
}

/* The program's signals are for its own threads. */
static int start_helper(struct helper *h)
{
	sigset_t all, before;

	sigfillset(&all);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGBUS);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	const int error = pthread_create(&h->thread, NULL, help, h);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

struct thread_pool *pool_open(unsigned threads)
{
	struct thread_pool *p = allocate_host_lines(1, sizeof *p + (threads - 1) * sizeof *p->helper);

	if (!p)
		return NULL;
	p->process = getpid();
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->begun, NULL);
	pthread_cond_init(&p->ended, NULL);
	for (; p->helpers < threads - 1; p->helpers++) {
		struct helper *h = &p->helper[p->helpers];
		*h = (struct helper){.pool = p, .number = p->helpers + 1};
		if (start_helper(h)) {
			pool_close(p);
			return NULL;
		}
	}
	return p;
}

static void begin_round(struct thread_pool *p)
{
	pthread_mutex_lock(&p->lock);
	atomic_store(&p->left, p->helpers);
	atomic_fetch_add(&p->begin.round, 1);
	pthread_cond_broadcast(&p->begun);
	pthread_mutex_unlock(&p->lock);
}

void pool_close(struct thread_pool *p)
{
	if (!p)
		return;
	if (pool_is_alive(p)) {
		p->begin.ends = true;
		begin_round(p);
		for (unsigned k = 0; k < p->helpers; k++)
			pthread_join(p->helper[k].thread, NULL);
	}
	free(p);
}

bool pool_is_alive(const struct thread_pool *p)
{
	return p->process == getpid();
}

void pool_run(struct thread_pool *p, void (*f)(unsigned number, void *data), void *data)
{
	p->begin.f = f;
	p->begin.data = data;
	begin_round(p);
	f(0, data);
	wait_for_helpers(p);
}

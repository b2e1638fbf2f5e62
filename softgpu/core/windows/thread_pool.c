/* A window takes some ten microseconds, so threads wait for the next by looking at a counter for about as long. Then
 * they sleep: a thread that does not may keep the others from the core that they need. A thread that goes to sleep
 * marks that first and looks once more; one that changes what others wait for does that first and then looks at the
 * marks. So every sleeper is woken, and while all are awake, none takes a lock. */
#include "softgpu/core/windows/thread_pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/host/usable_cores.h"
#include "softgpu/core/state/host_lines.h"

enum {
	SPINS = 4000,
	SPINS_OF_MANY = 20 /* with more threads than cores */
};

struct thread_pool {
	unsigned helpers, spins;
	pid_t process;
	pthread_mutex_t lock;
	pthread_cond_t begun, ended;
	struct {
		_Atomic unsigned round; /* how many have begun */
		void (*f)(unsigned number, void *data);
		void *data;
		bool ends;
	} OF_ONE_THREAD begin; /* which helpers look at */
	struct {
		_Atomic unsigned helpers; /* how many of them */
		_Atomic bool launcher;    /* the thread that begins rounds */
	} OF_ONE_THREAD asleep;
	struct helper {
		struct thread_pool *pool;
		unsigned number;
		pthread_t thread;
		_Atomic unsigned ended; /* its last round */
	} OF_ONE_THREAD helper[];
};

/* --- waiting --- */
static bool spin_while(const struct thread_pool *p, const _Atomic unsigned *at, unsigned value, bool equal)
{
	for (unsigned k = 0; k < p->spins; k++) {
		if ((atomic_load_explicit(at, memory_order_acquire) == value) != equal)
			return false;
		__builtin_ia32_pause();
	}
	return true;
}

static void wait_for_round(struct thread_pool *p, unsigned last)
{
	if (!spin_while(p, &p->begin.round, last, true))
		return;
	pthread_mutex_lock(&p->lock);
	atomic_fetch_add(&p->asleep.helpers, 1);
	while (atomic_load(&p->begin.round) == last)
		pthread_cond_wait(&p->begun, &p->lock);
	atomic_fetch_sub(&p->asleep.helpers, 1);
	pthread_mutex_unlock(&p->lock);
}

static void wait_for_helper(struct thread_pool *p, const struct helper *h, unsigned round)
{
	if (!spin_while(p, &h->ended, round, false))
		return;
	pthread_mutex_lock(&p->lock);
	atomic_store(&p->asleep.launcher, true);
	while (atomic_load(&h->ended) != round)
		pthread_cond_wait(&p->ended, &p->lock);
	atomic_store(&p->asleep.launcher, false);
	pthread_mutex_unlock(&p->lock);
}

static void wake_sleeping(struct thread_pool *p, pthread_cond_t *who)
{
	pthread_mutex_lock(&p->lock);
	pthread_cond_broadcast(who);
	pthread_mutex_unlock(&p->lock);
}

/* --- helpers --- */
static void end_round(struct helper *h, unsigned round)
{
	atomic_store(&h->ended, round);
	if (atomic_load(&h->pool->asleep.launcher))
		wake_sleeping(h->pool, &h->pool->ended);
}

static void *help(void *data)
{
	struct helper *h = data;
	struct thread_pool *p = h->pool;

	for (unsigned round = 0;;) {
		wait_for_round(p, round++);
		if (p->begin.ends)
			return NULL;
		p->begin.f(h->number, p->begin.data);
		end_round(h, round);
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
	p->spins = threads > usable_cores() ? SPINS_OF_MANY : SPINS;
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

static void pool_begin_round(struct thread_pool *p)
{
	atomic_fetch_add(&p->begin.round, 1);
	if (atomic_load(&p->asleep.helpers))
		wake_sleeping(p, &p->begun);
}

void pool_close(struct thread_pool *p)
{
	if (!p)
		return;
	if (pool_is_alive(p)) {
		p->begin.ends = true;
		pool_begin_round(p);
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
	pool_begin_round(p);
	f(0, data);
	for (unsigned k = 0; k < p->helpers; k++)
		wait_for_helper(p, &p->helper[k], atomic_load(&p->begin.round));
}

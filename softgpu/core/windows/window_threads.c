#include "softgpu/core/windows/window_threads.h"

#include <immintrin.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/host/usable_cores.h"
#include "base/min_max.h"
#include "softgpu/core/state/host_fault.h"
#include "softgpu/core/windows/core_shares.h"
#include "softgpu/core/windows/helper_trial.h"
#include "softgpu/core/windows/thread_pool.h"
#include "softgpu/core/windows/thread_views.h"

enum {
	CLUSTERS_PER_THREAD = 2, /* at least, on average: with fewer, threads wait for each other */
	LAUNCH_NS = 1000000,     /* a launch gets helpers if it takes longer */
	COUNT_NS = 100000000,    /* between two counts of idle cores */
	WINDOWS_PER_LOOK = 16    /* at the clock */
};

struct window_threads {
	struct thread_pool *pool; /* NULL: this thread works alone */
	uint32_t active;          /* threads of the pool, this one included */
	struct core_share share;
	struct helper_trial trial;
	uint64_t next_count; /* ns, of the host's clock */
	uint32_t windows;
};

/* A system call: the driver replaces the function by one with the GPU's time. */
static uint64_t read_host_clock(void)
{
	struct timespec t = {0};

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* --- how many --- */
static bool is_automatic(const struct machine *m)
{
	return m->model.threads == 0;
}

static uint32_t choose_views(struct machine *m)
{
	if (!is_automatic(m))
		return min_u64(m->model.threads, m->clusters);
	const uint32_t most = max_u64(min_u64(usable_cores(), m->clusters / CLUSTERS_PER_THREAD), 1);
	cores_take(&m->helpers->share, most - 1);
	return m->helpers->share.cores + 1;
}

static void close_pool(struct window_threads *t)
{
	pool_close(t->pool);
	t->pool = NULL;
	t->active = 1;
}

static void open_pool(struct window_threads *t, uint32_t threads)
{
	if (t->pool && pool_is_alive(t->pool) && t->active == threads)
		return;
	close_pool(t);
	if (threads > 1 && (t->pool = pool_open(threads)))
		t->active = threads;
}

void window_threads_begin(struct machine *m)
{
	if (!m->helpers && !(m->helpers = calloc(1, sizeof *m->helpers)))
		abort(); /* as cluster_grow_list */
	m->helpers->active = m->helpers->pool ? m->helpers->active : 1;
	views_begin_launch(m, choose_views(m));
	const uint64_t now = read_host_clock();
	trial_begin_launch(&m->helpers->trial, now);
	m->helpers->next_count = now + LAUNCH_NS;
	m->helpers->windows = 0;
	window_threads_resume(m);
}

/* The threads of a parent process are not here. */
void window_threads_resume(struct machine *m)
{
	struct window_threads *t = m->helpers;

	if (!is_automatic(m))
		open_pool(t, m->threads);
	else if (t->pool && !pool_is_alive(t->pool))
		close_pool(t);
}

void window_threads_end(struct machine *m)
{
	if (m->helpers)
		cores_give_back_all(&m->helpers->share);
}

void window_threads_close(struct machine *m)
{
	if (!m->helpers)
		return;
	window_threads_end(m);
	close_pool(m->helpers);
	free(m->helpers);
}

static void count_cores(struct machine *m)
{
	struct core_share *s = &m->helpers->share;

	if (cores_are_wanted())
		cores_give_back(s, 1);
	else
		cores_take(s, m->threads - 1 - s->cores);
	open_pool(m->helpers, max_u64(min_u64(s->cores + 1, cores_count_idle(m->helpers->active)), 1));
}

/* Helpers that hinder leave their cores to others, and sleep. */
static void settle_helpers(struct machine *m, uint64_t now)
{
	struct window_threads *t = m->helpers;
	const uint32_t before = t->active;

	t->next_count = now + COUNT_NS;
	if (!trial_wants_helpers(&t->trial))
		cores_give_back(&t->share, t->share.cores);
	else if (count_cores(m), t->active != before)
		trial_restart(&t->trial, now);
}

void window_threads_adapt(struct machine *m)
{
	struct window_threads *t = m->helpers;

	if (!is_automatic(m) || m->threads == 1 || ++t->windows % WINDOWS_PER_LOOK)
		return;
	const uint64_t now = read_host_clock();
	const bool wanted = trial_wants_helpers(&t->trial);
	if (t->pool || !wanted)
		trial_count_windows(&t->trial, now, WINDOWS_PER_LOOK);
	if (now >= t->next_count || trial_wants_helpers(&t->trial) != wanted)
		settle_helpers(m, now);
}

/* --- work --- */
struct part {
	struct machine *m;
	void (*run)(struct machine *view);
};

static void run_view(struct machine *view, void (*run)(struct machine *view))
{
	const unsigned host = _mm_getcsr();

	_mm_setcsr(view->thread.mxcsr);
	run_guarded(view, run);
	_mm_setcsr(host);
}

static void run_views_of_thread(unsigned number, void *data)
{
	const struct part *p = data;

	for (uint32_t k = number; k < p->m->threads; k += p->m->helpers->active)
		run_view(p->m->view[k], p->run);
}

bool window_threads_are_several(const struct machine *m)
{
	const struct window_threads *t = m->helpers;

	return t->pool && (!is_automatic(m) || trial_uses_helpers(&t->trial));
}

void window_threads_run(struct machine *m, void (*run)(struct machine *view), bool alone)
{
	struct part p = {m, run};

	if (!alone && window_threads_are_several(m))
		pool_run(m->helpers->pool, run_views_of_thread, &p);
	else
		for (uint32_t k = 0; k < m->threads; k++)
			run_view(m->view[k], run);
	_mm_setcsr(m->thread.mxcsr);
}

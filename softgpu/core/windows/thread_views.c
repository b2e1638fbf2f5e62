#include "softgpu/core/windows/thread_views.h"

#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/exec/decode_cache.h"
#include "softgpu/core/jit/jit.h"
#include "softgpu/core/ops/ops.h"

/* --- views --- */
/* All but what belongs to its thread, and what others change meanwhile. */
static void copy_machine(struct machine *view, const struct machine *m)
{
	const struct host_thread own = view->thread;

	memcpy(view, m, offsetof(struct machine, requests));
	view->thread = own;
	view->vm.unmapped_hook = NULL; /* it changes the machine's mappings: windows.c calls it between windows */
}

static struct machine *open_view(struct machine *m)
{
	struct machine *view = aligned_alloc(64, (sizeof *view + 63) / 64 * 64);

	if (!view)
		return NULL;
	memset(view, 0, sizeof *view);
	copy_machine(view, m);
	return machine_open_executors(view) ? view : NULL;
}

bool views_open(struct machine *m)
{
	m->owner = m;
	m->threads = m->views = 1;
	m->view = calloc(m->clusters, sizeof *m->view);
	if (m->view)
		m->view[0] = m;
	return m->view;
}

void views_close(struct machine *m)
{
	for (uint32_t k = 1; m->view && k < m->views; k++) {
		machine_close_executors(m->view[k]);
		free(m->view[k]);
	}
	free(m->view);
}

static bool open_views(struct machine *m, uint32_t count)
{
	for (; m->views < count; m->views++)
		if (!(m->view[m->views] = open_view(m)))
			return false;
	return true;
}

void views_refresh(struct machine *m)
{
	m->apart = m->threads > 1 || !m->model.timing;
	for (uint32_t k = 1; k < m->threads; k++) {
		copy_machine(m->view[k], m);
		memset(m->view[k]->thread.vm_window, 0, sizeof m->view[k]->thread.vm_window);
	}
}

void views_refresh_mappings(struct machine *m)
{
	for (uint32_t k = 1; k < m->threads; k++) {
		struct machine *view = m->view[k];
		if (view->vm.epoch == m->vm.epoch && view->vm.region == m->vm.region)
			continue;
		view->vm = m->vm;
		view->vm.unmapped_hook = NULL;
		memset(view->thread.vm_window, 0, sizeof view->thread.vm_window);
	}
}

/* --- clusters --- */
static uint32_t count_cus(const struct machine *view)
{
	uint32_t cus = 0;

	for (uint32_t k = 0; k < view->thread.clusters; k++)
		cus += view->cluster[view->thread.cluster[k]].cus;
	return cus;
}

static struct machine *find_least_loaded(const struct machine *m)
{
	struct machine *least = m->view[0];

	for (uint32_t k = 1; k < m->threads; k++)
		if (count_cus(m->view[k]) <= count_cus(least))
			least = m->view[k];
	return least;
}

/* The largest clusters first, each to the thread with the fewest CUs: work goes to all CUs alike. Of several, the
 * launching thread is the last, because it also dispatches. */
static void share_clusters(struct machine *m)
{
	for (uint32_t k = 0; k < m->threads; k++) {
		m->view[k]->thread.number = k;
		m->view[k]->thread.clusters = 0;
	}
	uint32_t most = 0;
	for (uint32_t k = 0; k < m->clusters; k++)
		most = max_u64(most, m->cluster[k].cus);
	for (uint32_t cus = most; cus; cus--)
		for (uint32_t k = 0; k < m->clusters; k++)
			if (m->cluster[k].cus == cus) {
				m->cluster[k].view = find_least_loaded(m);
				struct host_thread *h = &m->cluster[k].view->thread;
				h->cluster[h->clusters++] = k;
			}
}

void views_begin_launch(struct machine *m, uint32_t threads)
{
	m->threads = open_views(m, threads) ? threads : m->views;
	share_clusters(m);
	views_refresh(m);
	for (uint32_t k = 1; k < m->threads; k++) {
		struct host_thread *h = &m->view[k]->thread;
		memset(&h->sums, 0, sizeof h->sums);
		h->begun_waves = 0;
		memset(h->lane_mask, 0, sizeof h->lane_mask);
		h->mxcsr = m->thread.mxcsr;
		decode_cache_clear_counts(m->view[k]);
	}
}

/* --- waves --- */
static void move_wave(struct wave *w, struct machine *to)
{
	const struct executor *from = launch_executor(w);
	const bool fetches = w->ip == &w->m->fetch;

	w->m = to;
	struct executor *x = launch_executor(w);
	if (fetches)
		w->fetch_target = decode_cache_find_same(x, from, w->fetch_target);
	w->ip = fetches ? &to->fetch : decode_cache_find_same(x, from, w->ip);
	if (w->ahead)
		w->ahead_end = decode_cache_find_same(x, from, w->ahead_end);
}

/* A thread learns only of what the instruction caches of its own CUs evict. */
static void note_evictions(const struct cu *cu, struct host_thread *from, struct host_thread *to)
{
	const struct sqc *c = cu->sqc;
	const unsigned bit = c - cu->m->sqc;

	if (bit >= 64)
		return;
	from->evictions[bit] = c->evictions;
	if (to->evictions[bit] != c->evictions)
		to->evicted |= UINT64_C(1) << bit;
	to->evictions[bit] = c->evictions;
}

void views_drop_evicted_code(struct machine *m)
{
	for (uint32_t k = 0; k < m->threads; k++) {
		struct host_thread *h = &m->view[k]->thread;
		if (h->evicted)
			decode_cache_drop_all(m->view[k], h->evicted);
		h->evicted = 0;
	}
}

void view_take_cu(struct machine *view, struct cu *cu)
{
	if (cu->m == view)
		return;
	note_evictions(cu, &cu->m->thread, &view->thread);
	for (unsigned k = 0; k < SIMDS; k++) {
		struct simd *s = &cu->simd[k];
		for (uint32_t n = 0; cu->touched && n < s->count; n++)
			move_wave(s->by_age[n], view);
		for (unsigned n = 0; n < MAX_WAVES_PER_SIMD; n++)
			s->slot[n].m = view;
	}
	cu->m = view;
}

/* --- counts --- */
static void merge_hits(const struct uop *i, void *machine)
{
	struct machine *m = machine;
	struct executor *x = &m->thread.executor[executor_of_target(i->d.target)];
	struct uop *to = decode_cache_lookup(x, i->pc);

	to->hits += i->hits;
	if (i->is_fetch_entry && !to->is_fetch_entry) {
		jit_entry_added(x->jit);
		to->is_fetch_entry = true;
	}
	((struct uop *)i)->hits = 0;
}

void views_merge_counts(struct machine *m)
{
	uint64_t *sum = (uint64_t *)&m->thread.sums;

	for (uint32_t k = 1; k < m->threads; k++) {
		uint64_t *more = (uint64_t *)&m->view[k]->thread.sums;
		for (size_t n = 0; n < sizeof m->thread.sums / sizeof *sum; n++) {
			sum[n] += more[n];
			more[n] = 0;
		}
		decode_cache_visit(m->view[k], merge_hits, m);
	}
}

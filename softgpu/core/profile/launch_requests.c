#include "softgpu/core/profile/launch_requests.h"

#include "softgpu/core/profile/perf_counters.h"
#include "softgpu/core/state/gpu.h"

void gpu_stop_launch(struct gpu *g)
{
	atomic_fetch_or_explicit(&g->m.requests, REQUEST_STOP, memory_order_relaxed);
}

/* Counting instructions visits all code, so it happens only on request, at most ten times per second. */
static void publish_progress(struct machine *m, cycle_t t)
{
	atomic_store_explicit(&m->published_cycles, t, memory_order_relaxed);
	atomic_store_explicit(&m->published_instructions, counters_sum_work(m).instructions, memory_order_relaxed);
	atomic_fetch_and_explicit(&m->requests, ~(unsigned)REQUEST_PROGRESS, memory_order_release);
}

bool machine_fulfill_requests(struct machine *m, cycle_t t)
{
	if (atomic_load_explicit(&m->requests, memory_order_relaxed) & REQUEST_PROGRESS)
		publish_progress(m, t);
	return atomic_load_explicit(&m->requests, memory_order_relaxed) & REQUEST_STOP;
}

void gpu_read_progress(struct gpu *g, struct gpu_progress *out)
{
	struct machine *m = &g->m;
	unsigned before = atomic_fetch_or_explicit(&m->requests, REQUEST_PROGRESS, memory_order_acquire);

	out->answered = !(before & REQUEST_PROGRESS);
	out->done = atomic_load_explicit(&m->done, memory_order_relaxed);
	out->total = atomic_load_explicit(&m->total, memory_order_relaxed);
	out->cycles = atomic_load_explicit(&m->published_cycles, memory_order_relaxed);
	out->instructions = atomic_load_explicit(&m->published_instructions, memory_order_relaxed);
}

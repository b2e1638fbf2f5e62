/* What a device has counted and recorded: hands on the readings of profile/. */
#include "softgpu/core/state/gpu.h"
#include "softgpu/core/profile/perf_counters.h"
#include "softgpu/core/profile/profile_events.h"
#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/profile/wave_trace.h"

size_t gpu_read_counters(const struct gpu *g, struct gpu_counter *out, size_t max)
{
	return counters_read(&g->m, out, max);
}

size_t gpu_list_counters(struct gpu_counter *out, size_t max)
{
	return counters_list(out, max);
}

void gpu_set_profiling(struct gpu *g, unsigned what)
{
	atomic_store_explicit(&g->m.profile_request, what, memory_order_relaxed);
}

size_t gpu_read_breakdown(const struct gpu *g, struct softgpu_cycles *out, size_t max)
{
	return profiler_read_breakdown(&g->m, out, max);
}

size_t gpu_read_profile(const struct gpu *g, struct softgpu_instruction *out, size_t max)
{
	return profiler_read_profile(&g->m, out, max);
}

size_t gpu_read_timeline(const struct gpu *g, struct softgpu_span *out, size_t max, uint64_t *dropped)
{
	return profile_events_read_timeline(profiler_get_events(&g->m), out, max, dropped);
}

size_t gpu_read_cache_sets(const struct gpu *g, struct softgpu_set *out, size_t max)
{
	return profile_events_read_sets(profiler_get_events(&g->m), out, max);
}

bool gpu_trace_wave(struct gpu *g, const struct softgpu_follow *what)
{
	return trace_select_wave(&g->m, what);
}

void gpu_set_timeline_window(struct gpu *g, const struct softgpu_window *what)
{
	g->m.span_window.on = what && what->size;
	if (!g->m.span_window.on)
		return;
	g->m.span_window.cu = what->cu;
	g->m.span_window.from = what->from;
	g->m.span_window.to = what->to;
}

const struct softgpu_trace *gpu_read_trace(const struct gpu *g)
{
	return trace_get_last(&g->m);
}

size_t gpu_read_waves_per_cu(const struct gpu *g, uint32_t *out, size_t max)
{
	return profile_events_read_waves(profiler_get_events(&g->m), out, max);
}

uint64_t gpu_read_timeline_bucket(const struct gpu *g)
{
	return profile_events_read_bucket(profiler_get_events(&g->m));
}

/* The functions of probe.h that read the probed GPU (probed_gpu.h). */
#include "softgpu/probe.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/core/softgpu.h"
#include "softgpu/core/model_config.h"
#include "softgpu/core/timing/core_clock.h"
#include "softgpu/driver/time/virtual_clock.h"
#include "softgpu/driver/kfd/device_identity.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/probe/bounded_buffers.h"
#include "softgpu/driver/probe/last_launch.h"
#include "softgpu/driver/capture/launch_replays.h"
#include "softgpu/driver/probe/probed_gpu.h"
#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/queues/hsa_signals.h"
#include "softgpu/driver/queues/launch_slots.h"
#include "softgpu/driver/interpose/strbuf.h"
#include "softgpu/driver/queues/submission_hold.h"

EXPORT int softgpu_select(unsigned pci_bus)
{
	return probed_gpu_select(pci_bus) ? 0 : -1;
}

EXPORT uint32_t softgpu_version(void)
{
	return SOFTGPU_PROBE_VERSION;
}

EXPORT void softgpu_stop(void)
{
	probed_gpu_stop();
}

EXPORT void softgpu_together(int on)
{
	submission_hold_all(on != 0);
}

EXPORT int softgpu_reset_state(void)
{
	struct softgpu_device *d = probed_device();

	launch_replays_close();
	if (!d)
		return -1;
	device_lock();
	launch_slots_clear_caches(d);
	last_launch_forget(d->index);
	vclock_separate(&d->clock);
	device_unlock();
	return 0;
}

EXPORT int softgpu_flush_l2(void)
{
	struct softgpu_device *d = probed_device();

	if (!d)
		return -1;
	device_lock();
	launch_slots_clear_l2(d);
	device_unlock();
	return 0;
}

EXPORT uint32_t softgpu_wait(uint32_t seen, uint64_t ns)
{
	if (ns && hsa_signals_generation() == seen) {
		submission_hold_poll(seen);
		hsa_signals_wait_change(seen, ns);
	}
	return hsa_signals_generation();
}

EXPORT void softgpu_progress(struct softgpu_progress *out)
{
	const struct probed_gpu g = probed_gpu_take();
	struct gpu_progress now;
	struct finished_launch last;

	*out = (struct softgpu_progress){0};
	if (!g.gpu)
		return;
	gpu_read_progress(g.gpu, &now);
	out->workgroups_done = now.done;
	out->workgroups = now.total;
	out->instructions = now.instructions;
	out->ns = sclk_cycles_to_ps(gpu_model(g.gpu), now.cycles, 0) / 1000;
	probed_gpu_release(&g);
	probed_gpu_last_launch(&last);
	out->launches = last.number;
}

/* Fills as much as the caller's structure can hold. */
EXPORT int softgpu_last_launch(struct softgpu_launch *out)
{
	struct softgpu_launch full = {0};
	uint32_t size = out->size < sizeof full ? out->size : (uint32_t)sizeof full;
	struct finished_launch last;

	if (!probed_gpu_last_launch(&last))
		return -1;
	full.size = size;
	full.status = last.result.status;
	full.cycles = last.result.cycles;
	full.ps = last.result.ps;
	full.start_ns = last.start_ns;
	full.end_ns = last.end_ns;
	full.waves = last.result.waves;
	full.instructions = last.result.instructions;
	snprintf(full.kernel, sizeof full.kernel, "%s", last.kernel);
	snprintf(full.message, sizeof full.message, "%s", last.result.message);
	memcpy(out, &full, size);
	return 0;
}

EXPORT size_t softgpu_counters(struct softgpu_counter *out, size_t max)
{
	struct finished_launch last;

	if (!probed_gpu_last_launch(&last))
		return 0;
	for (size_t i = 0; i < last.counter_count && i < max; i++) {
		const struct gpu_counter *c = &last.counters[i];

		out[i] = (struct softgpu_counter){c->name, c->unit, c->help, c->value};
	}
	return last.counter_count;
}

static void append_constant_values(const struct model *m, struct strbuf *t)
{
	size_t count = model_constants(m, NULL, 0);
	struct model_constant *list = calloc(count, sizeof *list);

	if (!list)
		return;
	model_constants(m, list, count);
	for (size_t i = 0; i < count; i++)
		strbuf_printf(t, "%s=%lld %s\n", list[i].name, (long long)list[i].value, list[i].unit);
	free(list);
}

EXPORT size_t softgpu_constants(char *out, size_t size)
{
	const struct model *m = machine_model(0);
	struct strbuf t = {0};
	size_t length;

	if (m)
		append_constant_values(m, &t);
	length = t.length;
	if (size)
		snprintf(out, size, "%s", t.data ? t.data : "");
	strbuf_free(&t);
	return length;
}

/* --- looking inside --- */
EXPORT void softgpu_look(unsigned what)
{
	const struct probed_gpu g = probed_gpu_take();

	if (g.gpu)
		gpu_set_profiling(g.gpu, what);
	probed_gpu_release(&g);
}

EXPORT size_t softgpu_account(struct softgpu_cycles *out, size_t max)
{
	const struct probed_gpu g = probed_gpu_take_idle();
	size_t n;

	if (!g.gpu)
		return 0;
	n = gpu_read_breakdown(g.gpu, out, max);
	probed_gpu_release(&g);
	return n;
}

EXPORT size_t softgpu_profile(struct softgpu_instruction *out, size_t max)
{
	const struct probed_gpu g = probed_gpu_take_idle();
	size_t n;

	if (!g.gpu)
		return 0;
	n = gpu_read_profile(g.gpu, out, max);
	probed_gpu_release(&g);
	return n;
}

EXPORT size_t softgpu_timeline(struct softgpu_span *out, size_t max, uint64_t *dropped)
{
	const struct probed_gpu g = probed_gpu_take_idle();
	size_t n;

	if (!g.gpu)
		return 0;
	n = gpu_read_timeline(g.gpu, out, max, dropped);
	probed_gpu_release(&g);
	return n;
}

EXPORT size_t softgpu_sets(struct softgpu_set *out, size_t max)
{
	const struct probed_gpu g = probed_gpu_take_idle();
	size_t n;

	if (!g.gpu)
		return 0;
	n = gpu_read_cache_sets(g.gpu, out, max);
	probed_gpu_release(&g);
	return n;
}

EXPORT int softgpu_follow(const struct softgpu_follow *what)
{
	const struct probed_gpu g = probed_gpu_take_idle();
	bool ok;

	if (!g.gpu)
		return -1;
	ok = gpu_trace_wave(g.gpu, what);
	probed_gpu_release(&g);
	return ok ? 0 : -1;
}

EXPORT void softgpu_window(const struct softgpu_window *what)
{
	const struct probed_gpu g = probed_gpu_take_idle();

	if (!g.gpu)
		return;
	gpu_set_timeline_window(g.gpu, what);
	probed_gpu_release(&g);
}

EXPORT const struct softgpu_trace *softgpu_trace(void)
{
	const struct probed_gpu g = probed_gpu_take_idle();
	const struct softgpu_trace *trace;

	if (!g.gpu)
		return NULL;
	trace = gpu_read_trace(g.gpu);
	probed_gpu_release(&g);
	return trace;
}

EXPORT uint64_t softgpu_grain(void)
{
	const struct probed_gpu g = probed_gpu_take_idle();
	uint64_t grain;

	if (!g.gpu)
		return 0;
	grain = gpu_read_timeline_bucket(g.gpu);
	probed_gpu_release(&g);
	return grain;
}

EXPORT size_t softgpu_waves(uint32_t *out, size_t max)
{
	const struct probed_gpu g = probed_gpu_take_idle();
	size_t n;

	if (!g.gpu)
		return 0;
	n = gpu_read_waves_per_cu(g.gpu, out, max);
	probed_gpu_release(&g);
	return n;
}

EXPORT uint64_t softgpu_bound(uint64_t va, uint64_t bytes)
{
	struct softgpu_device *d = probed_device();

	return d ? bounded_buffer_open(d, va, bytes) : 0;
}

EXPORT void softgpu_unbound(uint64_t address)
{
	struct softgpu_device *d = probed_device();

	if (d)
		bounded_buffer_close(d, address);
}

EXPORT int softgpu_take_out_of_bounds(struct softgpu_out_of_bounds *out)
{
	return bounded_buffers_take(out) ? 0 : -1;
}

EXPORT size_t softgpu_counter_names(struct softgpu_counter *out, size_t max)
{
	struct gpu_counter list[LAUNCH_COUNTERS_MAX];
	size_t n = gpu_list_counters(list, LAUNCH_COUNTERS_MAX);

	for (size_t i = 0; i < n && i < LAUNCH_COUNTERS_MAX && i < max; i++)
		out[i] = (struct softgpu_counter){list[i].name, list[i].unit, list[i].help, 0};
	return n;
}

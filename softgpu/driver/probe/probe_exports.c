/* The functions of probe.h that read the open device: the selected GPU. */
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
#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/queues/hsa_signals.h"
#include "softgpu/driver/queues/launch_slots.h"
#include "softgpu/driver/interpose/strbuf.h"
#include "softgpu/driver/queues/queue_overlap.h"

static _Atomic unsigned selected; /* index of a GPU */

static struct softgpu_device *get_selected_device(void)
{
	return device_at(selected);
}

EXPORT int softgpu_select(unsigned pci_bus)
{
	for (unsigned i = 0; i < machine_gpu_count(); i++)
		if (identity_pci_bus(i) == pci_bus) {
			selected = i;
			return 0;
		}
	return -1;
}

EXPORT uint32_t softgpu_version(void)
{
	return SOFTGPU_PROBE_VERSION;
}

EXPORT void softgpu_stop(void)
{
	struct softgpu_device *d = get_selected_device();

	if (d)
		launch_slots_stop(d);
}

EXPORT void softgpu_together(int on)
{
	queue_overlap_hold(on != 0);
}

EXPORT int softgpu_reset_state(void)
{
	struct softgpu_device *d = get_selected_device();

	if (!d)
		return -1;
	device_lock();
	queue_overlap_finish(); /* the device thread may not have noticed that the last sequence has ended */
	launch_slots_clear_caches(d);
	last_launch_forget(d->index);
	vclock_separate(&d->clock);
	device_unlock();
	return 0;
}

EXPORT uint32_t softgpu_wait(uint32_t seen, uint64_t ns)
{
	if (ns && hsa_signals_generation() == seen)
		hsa_signals_wait_change(seen, ns);
	return hsa_signals_generation();
}

EXPORT void softgpu_progress(struct softgpu_progress *out)
{
	struct softgpu_device *d = get_selected_device();
	struct gpu_progress now;
	struct finished_launch last;

	*out = (struct softgpu_progress){0};
	if (!d)
		return;
	last_launch_get(selected, &last);
	out->launches = last.number;
	gpu_read_progress(d->gpu, &now);
	out->workgroups_done = now.done;
	out->workgroups = now.total;
	out->instructions = now.instructions;
	out->ns = sclk_cycles_to_ps(&d->model, now.cycles, 0) / 1000;
}

/* Fills as much as the caller's structure can hold. */
EXPORT int softgpu_last_launch(struct softgpu_launch *out)
{
	struct softgpu_launch full = {0};
	uint32_t size = out->size < sizeof full ? out->size : (uint32_t)sizeof full;
	struct finished_launch last;

	if (!last_launch_get(selected, &last))
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

	if (!last_launch_get(selected, &last))
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
	struct softgpu_device *d = get_selected_device();

	if (d)
		gpu_set_profiling(d->gpu, what);
}

EXPORT size_t softgpu_account(struct softgpu_cycles *out, size_t max)
{
	struct softgpu_device *d = get_selected_device();
	size_t n;

	if (!d)
		return 0;
	device_lock();
	n = gpu_read_breakdown(d->gpu, out, max);
	device_unlock();
	return n;
}

EXPORT size_t softgpu_profile(struct softgpu_instruction *out, size_t max)
{
	struct softgpu_device *d = get_selected_device();
	size_t n;

	if (!d)
		return 0;
	device_lock();
	n = gpu_read_profile(d->gpu, out, max);
	device_unlock();
	return n;
}

EXPORT size_t softgpu_timeline(struct softgpu_span *out, size_t max, uint64_t *dropped)
{
	struct softgpu_device *d = get_selected_device();
	size_t n;

	if (!d)
		return 0;
	device_lock();
	n = gpu_read_timeline(d->gpu, out, max, dropped);
	device_unlock();
	return n;
}

EXPORT size_t softgpu_sets(struct softgpu_set *out, size_t max)
{
	struct softgpu_device *d = get_selected_device();
	size_t n;

	if (!d)
		return 0;
	device_lock();
	n = gpu_read_cache_sets(d->gpu, out, max);
	device_unlock();
	return n;
}

EXPORT int softgpu_follow(const struct softgpu_follow *what)
{
	struct softgpu_device *d = get_selected_device();
	bool ok;

	if (!d)
		return -1;
	device_lock();
	ok = gpu_trace_wave(d->gpu, what);
	device_unlock();
	return ok ? 0 : -1;
}

EXPORT void softgpu_window(const struct softgpu_window *what)
{
	struct softgpu_device *d = get_selected_device();

	if (!d)
		return;
	device_lock();
	gpu_set_timeline_window(d->gpu, what);
	device_unlock();
}

EXPORT const struct softgpu_trace *softgpu_trace(void)
{
	struct softgpu_device *d = get_selected_device();

	return d ? gpu_read_trace(d->gpu) : NULL;
}

EXPORT uint64_t softgpu_grain(void)
{
	struct softgpu_device *d = get_selected_device();
	uint64_t grain;

	if (!d)
		return 0;
	device_lock();
	grain = gpu_read_timeline_bucket(d->gpu);
	device_unlock();
	return grain;
}

EXPORT size_t softgpu_waves(uint32_t *out, size_t max)
{
	struct softgpu_device *d = get_selected_device();
	size_t n;

	if (!d)
		return 0;
	device_lock();
	n = gpu_read_waves_per_cu(d->gpu, out, max);
	device_unlock();
	return n;
}

EXPORT uint64_t softgpu_bound(uint64_t va, uint64_t bytes)
{
	struct softgpu_device *d = get_selected_device();

	return d ? bounded_buffer_open(d, va, bytes) : 0;
}

EXPORT void softgpu_unbound(uint64_t address)
{
	struct softgpu_device *d = get_selected_device();

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

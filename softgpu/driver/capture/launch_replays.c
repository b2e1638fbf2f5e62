#include "softgpu/driver/capture/launch_replays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/capture/captured_launch.h"
#include "softgpu/capture/launch_replay.h"
#include "softgpu/core/ideal_parts.h"
#include "softgpu/core/model_config.h"
#include "softgpu/driver/check/allocations.h"
#include "softgpu/driver/check/check_mode.h"
#include "softgpu/driver/check/requested_checks.h"
#include "softgpu/driver/faults/fault_handler.h"
#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/probe/probed_gpu.h"
#include "softgpu/probe.h"

/* The launch that is open. */
static struct captured_launch launch;
static struct launch_replay *replay; /* NULL: none */
static uint64_t runs;                /* finished since it was opened */

/* --- its allocations, for checks --- */
/* Those of a process that tracks its own are not mixed with others. */
static void enter_allocations(void)
{
	for (size_t i = 0; i < launch.allocation_count && !check_tracks_allocations(); i++) {
		const struct captured_allocation *a = &launch.allocations[i];
		allocations_add(&(struct new_allocation){.address = a->va, .bytes = a->bytes, .how = a->how});
	}
}

static void forget_allocations(void)
{
	if (!check_tracks_allocations())
		allocations_forget_all();
}

/* As the number 0 says, what is allocated counts as written: the launch found it so. */
static bool find_captured_extent(uint64_t va, struct check_extent *out)
{
	if (check_tracks_allocations() || !allocations_find_extent(va, out))
		return false;
	if (out->state == EXTENT_LIVE)
		out->allocation = 0;
	return true;
}

void launch_replays_close(void)
{
	if (!replay)
		return;
	probed_gpu_replace(NULL);
	forget_allocations();
	launch_replay_close(replay);
	captured_launch_clear(&launch);
	replay = NULL;
}

/* --- what is in a file --- */
static uint64_t count_memory_bytes(const struct captured_launch *c)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < c->page_count; i++)
		bytes += c->pages[i].before ? c->pages[i].bytes : 0; /* others were zero */
	return bytes;
}

static void describe_captured(const struct captured_launch *c, const struct model *m, struct softgpu_captured *out)
{
	const struct dispatch *d = &c->dispatch;
	struct softgpu_captured full = {
		.status = (int32_t)c->result.status,
		.lds_bytes = d->group_bytes,
		.number = c->number,
		.cycles = c->result.cycles,
		.ps = c->result.ps,
		.waves = c->result.waves,
		.instructions = c->result.instructions,
		.memory_bytes = count_memory_bytes(c),
	};

	full.size = out->size < sizeof full ? out->size : (uint32_t)sizeof full;
	snprintf(full.kernel, sizeof full.kernel, "%s", c->kernel);
	snprintf(full.model, sizeof full.model, "%s", c->model);
	snprintf(full.arch, sizeof full.arch, "%s", m->arch);
	snprintf(full.code, sizeof full.code, "%s", c->code);
	snprintf(full.reason, sizeof full.reason, "%s", c->reason);
	for (int i = 0; i < 3; i++) {
		full.workgroup[i] = d->workgroup[i];
		full.grid[i] = d->grid[i];
	}
	memcpy(out, &full, full.size);
}

EXPORT int softgpu_read_captured(const char *file, struct softgpu_captured *out, char *why, size_t size)
{
	struct captured_launch c;
	struct model m;
	const bool ok = captured_launch_load(&c, file, why, size) && model_parse(&m, c.model, why, size);

	if (ok)
		describe_captured(&c, &m, out);
	captured_launch_clear(&c);
	return ok ? 0 : -1;
}

/* --- running it --- */
/* The text of the launch's model, or with constants of the device's with these changed. */
static bool format_model(const char *constants, char *out, size_t out_size, char *why, size_t size)
{
	const struct model *m = machine_model(0);
	char own[CAPTURE_MODEL_BYTES];

	if (!constants || !m || !model_format(m, own, sizeof own))
		snprintf(own, sizeof own, "%s", launch.model);
	if (!constants)
		constants = "";
	size_t n = (size_t)snprintf(out, out_size, "%s%s%s", own, *constants ? "," : "", constants);
	if (n < out_size && m && m->ideal && !strstr(own, ",ideal="))
		n += ideal_parts_format(m->ideal, out + n, out_size - n);
	if (n < out_size)
		return true;
	snprintf(why, size, "too many constants are changed");
	return false;
}

/* Whether a device of this model can run the launch; if so, whether it is like the one that it ran on. */
static bool compare_models(const struct captured_launch *c, const char *text, uint32_t *alike, char *why, size_t size)
{
	char now[CAPTURE_MODEL_BYTES], then[CAPTURE_MODEL_BYTES];
	struct model m, captured;

	if (!model_parse(&m, text, why, size) || !model_parse(&captured, c->model, why, size))
		return false;
	if (strcmp(m.arch, captured.arch)) {
		snprintf(why, size, "the launch is for %s, but this device is %s; use soft:%s", captured.arch, m.arch,
			captured.name);
		return false;
	}
	const uint32_t ideal = m.ideal ^ captured.ideal;
	m.ideal = captured.ideal;
	if (!model_format(&m, now, sizeof now) || !model_format(&captured, then, sizeof then) || strcmp(now, then))
		*alike = SOFTGPU_OTHER_DEVICE;
	else
		*alike = ideal ? SOFTGPU_IDEAL_DEVICE : SOFTGPU_SAME_DEVICE;
	return true;
}

static bool open_captured(const char *file, const char *constants, uint32_t *alike, char *why, size_t size)
{
	char model[CAPTURE_MODEL_BYTES];

	if (!captured_launch_load(&launch, file, why, size) ||
		!format_model(constants, model, sizeof model, why, size) ||
		!compare_models(&launch, model, alike, why, size))
		return false;
	replay = launch_replay_open(&launch, model, why, size);
	return replay;
}

EXPORT int softgpu_open_captured(const char *file, const char *constants, uint32_t *alike, char *why, size_t size)
{
	launch_replays_close();
	fault_handler_install();
	runs = 0;
	if (!open_captured(file, constants, alike, why, size)) {
		captured_launch_clear(&launch);
		return -1;
	}
	enter_allocations();
	probed_gpu_replace(launch_replay_gpu(replay));
	return 0;
}

static void note_finished_launch(const struct launch_result *now)
{
	struct finished_launch l = {.result = *now, .known = true, .number = ++runs};

	l.start_ns = launch.dispatch.start_ns;
	l.end_ns = l.start_ns + now->ps / 1000;
	l.counter_count = gpu_read_counters(launch_replay_gpu(replay), l.counters, LAUNCH_COUNTERS_MAX);
	if (l.counter_count > LAUNCH_COUNTERS_MAX)
		l.counter_count = LAUNCH_COUNTERS_MAX;
	snprintf(l.kernel, sizeof l.kernel, "%.127s", launch.kernel);
	probed_gpu_set_launch(&l);
}

EXPORT int softgpu_run_captured(int caches, struct softgpu_replayed *out)
{
	static const enum replay_caches kinds[] = {[SOFTGPU_CACHES_CAPTURED] = REPLAY_CACHES_CAPTURED,
		[SOFTGPU_CACHES_EMPTY] = REPLAY_CACHES_EMPTY,
		[SOFTGPU_CACHES_KEPT] = REPLAY_CACHES_KEPT};
	struct softgpu_replayed full = {0};
	struct replay_memory memory = {0};
	struct launch_result now;

	if (!replay || caches < 0 || caches > SOFTGPU_CACHES_KEPT)
		return -1;
	gpu_set_checks(launch_replay_gpu(replay), requested_checks(), find_captured_extent);
	launch_replay_run(replay, kinds[caches], &now, &memory);
	requested_checks_keep(launch_replay_gpu(replay), launch.kernel, &launch.dispatch);
	full.size = out->size < sizeof full ? out->size : (uint32_t)sizeof full;
	full.same_memory = launch_replay_compare_memory(&launch, &memory, full.why, sizeof full.why);
	if (caches == SOFTGPU_CACHES_CAPTURED)
		full.same = launch_replay_compare(&launch, &now, &memory, full.why, sizeof full.why);
	memcpy(out, &full, full.size);
	note_finished_launch(&now);
	return 0;
}

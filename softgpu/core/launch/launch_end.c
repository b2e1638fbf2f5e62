/* Ends a launch: its result, and what it leaves to others. */
#include <stdio.h>
#include <string.h>

#include "softgpu/core/check/checker.h"
#include "softgpu/core/windows/windows.h"
#include "softgpu/core/dispatch/workgroup_dispatch.h"
#include "softgpu/core/memory/launch_addresses.h"
#include "softgpu/core/profile/perf_counters.h"
#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/resident/launch_resources.h"
#include "softgpu/core/state/gpu.h"
#include "softgpu/core/timing/core_clock.h"

/* All waves left wait for global wave sync. */
static void describe_deadlock(const struct launch *n)
{
	const unsigned waiting = n->m->gws_waiting;
	char *out = n->out->message;

	if (n->issued < n->total)
		snprintf(out, sizeof n->out->message,
			"deadlock: %u waves wait for the whole grid, but %llu of its %llu workgroups fit on the GPU; launch no more than fit",
			waiting, (unsigned long long)n->issued, (unsigned long long)n->total);
	else
		snprintf(out, sizeof n->out->message,
			"deadlock: %u waves wait for global wave sync and none is left to release them; let each workgroup reach it",
			waiting);
}

/* If a bug left waves unfinished, the launch must not count as successful. */
static void check_all_ended(struct launch *n)
{
	struct machine *m = n->m;

	if (m->halt || n->done == n->total)
		return;
	m->halt = n->out->status = LAUNCH_TRAP;
	if (m->gws_waiting)
		describe_deadlock(n);
	else
		snprintf(n->out->message, sizeof n->out->message, "%llu of %llu workgroups did not end",
			(unsigned long long)(n->total - n->done), (unsigned long long)n->total);
}

/* An error of one launch ends those that are resident with it, as on the card. */
static void end_with_others(struct launch *n)
{
	if (!n->m->halt || n->out->status || n->done == n->total)
		return;
	n->out->status = LAUNCH_STOPPED;
	snprintf(n->out->message, sizeof n->out->message,
		"stopped, because another kernel on the GPU ended with an error");
}

/* A stopped launch may have issued work after its end, because CUs advance independently. */
static void fill_result(const struct launch *n, struct work_totals work)
{
	const struct model *c = &n->m->model;
	const uint64_t cycles = n->end - n->begin, valu_cycles = work.valu_cycles - n->valu_cycles_before,
		       limit = sclk_valu_limit(c, cycles);
	struct launch_result *out = n->out;

	out->cycles = cycles;
	out->waves = n->m->thread.sums.waves - n->waves_before;
	out->instructions = work.instructions - n->instructions_before;
	out->added_waves = n->m->thread.sums.waves - n->m->counted_waves;
	out->added_instructions = work.instructions - n->m->counted_instructions;
	out->valu_cycles = valu_cycles < limit ? valu_cycles : limit;
	out->ps = sclk_cycles_to_ps(c, out->cycles, out->valu_cycles);
}

enum launch_status gpu_end_launch(struct gpu *g, struct launch_result *out)
{
	struct machine *m = &g->m;
	struct launch *n = launch_of_result(m, out);

	windows_leave(m);
	const struct work_totals work = counters_sum_work(m);

	check_all_ended(n);
	end_with_others(n);
	if (m->residents == 1) {
		profiler_end(n);
		checker_end(m);
		m->observed = false;
	}
	n->end += n->skipped_cycles;
	m->skipped_cycles += n->skipped_cycles;
	m->last_launch = n;
	if (!m->model.timing)
		n->end = n->begin;
	fill_result(n, work);
	m->counted_waves = m->thread.sums.waves;
	m->counted_instructions = work.instructions;
	dispatch_end(n);
	launch_addresses_end(n);
	n->d = NULL;
	n->out = NULL;
	return out->status;
}

#include "softgpu/core/launch/launch_abandon.h"

#include <stdio.h>

#include "softgpu/core/check/checker.h"
#include "softgpu/core/issue/wave_control.h"
#include "softgpu/core/windows/windows.h"
#include "softgpu/core/resident/freed_room.h"
#include "softgpu/core/resident/launch_resources.h"
#include "softgpu/core/state/gpu.h"
#include "softgpu/core/timing/scheduler.h"

static void drop_group(struct workgroup *g)
{
	for (uint32_t k = 0; k < g->waves; k++)
		if (g->wave[k])
			simd_drop_wave(g->wave[k]);
	if (machine_is_checked(g->launch->m))
		checker_end_group(g);
}

/* Waves that wait for a port behind one that is gone try themselves. */
static void wake_port_waiters(struct cu *cu)
{
	for (unsigned port = 0; port < SIMDS * SCHED_SLOTS_PER_SIMD; port++)
		if (port % SCHED_SLOTS_PER_SIMD != UNIT_FETCH)
			scheduler_wake_port_waiter(&cu->scheduler, port);
}

static void update_cu_event(struct machine *m, struct cu *cu)
{
	const cycle_t next = scheduler_next_cycle(&cu->scheduler);

	if (!cu->waves || (m->model.timing && next >= CYCLE_NEVER))
		event_queue_remove(&m->events, (uint32_t)(cu - m->cu));
	else if (m->model.timing)
		event_queue_set(&m->events, (uint32_t)(cu - m->cu), next);
}

static void clear_cu(const struct launch *n, struct cu *cu)
{
	struct cu_share *share = &cu->share[n->number];

	if (!cu->touched || !share->used)
		return;
	for (uint64_t used = share->used; used; used &= used - 1)
		drop_group(&share->group[__builtin_ctzll(used)]);
	share->used = share->count = 0;
	wake_port_waiters(cu);
	update_cu_event(n->m, cu);
}

static void forget_waiters(struct launch *n)
{
	for (unsigned k = 0; k < GWS_RESOURCES; k++) {
		n->m->gws_waiting -= n->gws_waiters[k].count;
		n->gws_waiters[k] = (struct gws_waiters){0};
	}
}

void launch_abandon(struct launch *n)
{
	struct machine *m = n->m;

	windows_leave(m);
	freed_room_release(m, CYCLE_NEVER);
	for (uint32_t k = 0; k < m->cus; k++)
		clear_cu(n, &m->cu[k]);
	forget_waiters(n);
	n->done = n->issued = n->total;
	n->dispatch_event = CYCLE_NEVER;
	n->dispatch_blocked = false;
	n->end = m->reached;
	for (uint32_t k = 0; k < m->cus; k++)
		launches_find_room(&m->cu[k]);
	launches_wake_dispatcher(m, m->reached);
	launch_schedule_dispatcher(m);
}

void gpu_abandon_launch(struct gpu *g, struct launch_result *out)
{
	struct launch *n = launch_of_result(&g->m, out);

	if (!n || g->m.halt)
		return;
	gpu_end_shortcuts(g);
	launch_abandon(n);
	out->status = LAUNCH_STOPPED;
	snprintf(out->message, sizeof out->message, "stopped on request");
}

#include "softgpu/core/resident/freed_room.h"

#include <stdlib.h>

#include "base/min_max.h"
#include "softgpu/core/profile/profiler.h"
#include "softgpu/core/resident/launch_resources.h"

/* A wave keeps its slot until it is released, so there are no more entries than slots. */
bool freed_room_open(struct machine *m)
{
	struct freed_room *f = &m->freed;

	for (f->size = 1; f->size < m->cus * SIMDS * m->wave_slots;)
		f->size *= 2;
	f->wave = calloc(f->size, sizeof *f->wave);
	return f->wave;
}

void freed_room_close(struct machine *m)
{
	free(m->freed.wave);
}

void freed_room_clear(struct machine *m)
{
	m->freed.head = m->freed.tail = 0;
}

void freed_room_add(struct machine *m, struct wave *w, cycle_t t, bool last)
{
	struct freed_room *f = &m->freed;

	f->wave[f->tail++ % f->size] = (struct freed_wave){t + m->model.dispatch_free_cycles, w, last};
	launch_schedule_dispatcher(m);
}

static void release(const struct freed_wave *e, cycle_t t)
{
	launch_free_slot(e->wave);
	if (!e->last)
		return;
	struct machine *m = e->wave->m;
	e->wave->simd->cu->freed--;
	if (machine_is_profiled(m))
		profiler_begin_release(e->wave);
	launch_free_workgroup(e->wave->group, t);
	if (machine_is_profiled(m))
		profiler_end_release(m);
}

void freed_room_release(struct machine *m, cycle_t t)
{
	struct freed_room *f = &m->freed;

	while (f->head != f->tail && f->wave[f->head % f->size].at <= t) {
		const struct freed_wave e = f->wave[f->head++ % f->size];
		release(&e, e.at);
	}
}

void freed_room_release_launch(struct launch *n, cycle_t t)
{
	struct freed_room *f = &n->m->freed;
	uint32_t kept = f->head;

	for (uint32_t k = f->head; k != f->tail; k++) {
		const struct freed_wave e = f->wave[k % f->size];
		if (e.wave->launch == n)
			release(&e, min_u64(e.at, t));
		else
			f->wave[kept++ % f->size] = e;
	}
	f->tail = kept;
}

cycle_t freed_room_next(const struct machine *m)
{
	const struct freed_room *f = &m->freed;

	return f->head == f->tail ? CYCLE_NEVER : f->wave[f->head % f->size].at;
}

void freed_room_shift(struct machine *m, cycle_t dt)
{
	for (uint32_t k = m->freed.head; k != m->freed.tail; k++)
		m->freed.wave[k % m->freed.size].at += dt;
}

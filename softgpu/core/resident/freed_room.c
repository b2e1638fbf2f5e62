#include "softgpu/core/resident/freed_room.h"

#include <stdlib.h>

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

void freed_room_release(struct machine *m, cycle_t t)
{
	struct freed_room *f = &m->freed;

	while (f->head != f->tail && f->wave[f->head % f->size].at <= t) {
		const struct freed_wave e = f->wave[f->head++ % f->size];
		launch_free_slot(e.wave);
		if (!e.last)
			continue;
		e.wave->simd->cu->freed--;
		launch_free_workgroup(e.wave->group, e.at);
	}
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

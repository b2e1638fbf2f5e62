/* Waves that have ended, whose room the dispatcher does not know of yet: it learns of it dispatch_free_cycles after the
 * end. Until then the wave keeps its slot and its registers, and the last wave of a workgroup the workgroup's room.
 *
 * Without such a delay a wave's room is free when it ends, and nothing waits here. Entries are in the order of time. */
#ifndef SOFTGPU_CORE_RESIDENT_FREED_ROOM_H
#define SOFTGPU_CORE_RESIDENT_FREED_ROOM_H

#include "softgpu/core/state/machine.h"

bool freed_room_open(struct machine *m);
void freed_room_close(struct machine *m);
/* At the start of a launch on an idle machine. */
void freed_room_clear(struct machine *m);

/* The wave has ended at cycle t, and with `last` its workgroup; the dispatcher learns of it later.
 * cu.freed counts the workgroup already. */
void freed_room_add(struct machine *m, struct wave *w, cycle_t t, bool last);
/* What is known at cycle t becomes free. */
void freed_room_release(struct machine *m, cycle_t t);
/* All that the launch, which is over at cycle t, still keeps. */
void freed_room_release_launch(struct launch *n, cycle_t t);
/* When the first becomes free; CYCLE_NEVER: nothing waits. */
cycle_t freed_room_next(const struct machine *m);
/* Delays all by `dt`. */
void freed_room_shift(struct machine *m, cycle_t dt);

#endif

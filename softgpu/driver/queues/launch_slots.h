/* Where launches run. One launch at a time has the device to itself, for as long as no other queue has waited for it
 * too long; then several are under way in turns, each on a machine of its own (the first one's is the device's), all in
 * one address space. A kernel may so wait for what another queue's kernel writes. Device thread, under the device lock,
 * but for the stop. */
#ifndef SOFTGPU_DRIVER_QUEUES_LAUNCH_SLOTS_H
#define SOFTGPU_DRIVER_QUEUES_LAUNCH_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/softgpu.h"

struct softgpu_device;

struct active_launch {           /* a launch under way */
	struct gpu *_Atomic gpu; /* NULL: none */
	struct dispatch what;
	struct launch_result result;
	uint64_t start_ns, end_ns; /* device time; the end is known at the end */
	uint64_t reached;          /* cycles */
};

/* False when all machines are taken or memory runs out. */
bool launch_slot_start(struct softgpu_device *d, struct active_launch *r);
/* Some more cycles; true when nothing is left to do. */
bool launch_slot_run(struct active_launch *r);
enum launch_status launch_slot_finish(struct active_launch *r);

/* A mapping of all machines. */
bool launch_slots_map(struct softgpu_device *d, uint64_t va, uint64_t size, void *host, uint64_t phys, unsigned access);
void launch_slots_unmap(struct softgpu_device *d, uint64_t va, uint64_t size);

void launch_slots_stop(struct softgpu_device *d); /* every launch under way; any thread */
void launch_slots_reset_in_child(void);

#endif

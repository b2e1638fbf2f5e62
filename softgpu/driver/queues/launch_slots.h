/* Slots in which launches run. With one GPU, all are resident on it (resident_kernels.h). With several, normally one
 * launch at a time uses a GPU. If another queue has waited too long, several launches run in time slices, each on its
 * own simulated GPU (the first slot is the device itself) with a shared address space. So a kernel can wait for values
 * that a kernel of another queue writes. Device thread, under the device lock, except launch_slots_stop. */
#ifndef SOFTGPU_DRIVER_QUEUES_LAUNCH_SLOTS_H
#define SOFTGPU_DRIVER_QUEUES_LAUNCH_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/softgpu.h"
#include "softgpu/core/time_types.h"
#include "softgpu/driver/probe/kernel_name.h"

struct softgpu_device;

enum { LAUNCH_SLOTS = 8 }; /* concurrent launches; one per pipe of Vega's compute microengine */

struct launch_slot { /* of a GPU */
	struct gpu *_Atomic gpu;
	bool taken;
};

struct active_launch {           /* a running launch */
	struct gpu *_Atomic gpu; /* NULL: no launch */
	struct softgpu_device *device;
	uint64_t number; /* of the process, from 0 */
	struct dispatch dispatch;
	struct launch_result result;
	ns_t start_ns, end_ns;          /* device time; end_ns is set at the end */
	cycle_t cycles_run;             /* cycles run so far */
	ns_t host_ns;                   /* time of the host so far */
	char kernel[KERNEL_NAME_BYTES]; /* its symbol */
};

/* False if all slots are taken or memory runs out. */
bool launch_slot_start(struct softgpu_device *d, struct active_launch *r);
/* Runs one slice; true when the launch has ended. */
bool launch_slot_run(struct active_launch *r);
void launch_slot_finish(struct active_launch *r);

/* Maps memory in all slots. */
bool launch_slots_map(struct softgpu_device *d, uint64_t va, uint64_t size, void *host, uint64_t phys, unsigned access);
/* See gpu_map_bounded; launch_slots_unmap ends it. */
bool launch_slots_map_bounded(struct softgpu_device *d, unsigned slot, uint64_t va, uint64_t bytes);
void launch_slots_unmap(struct softgpu_device *d, uint64_t va, uint64_t size);

void launch_slots_clear_caches(struct softgpu_device *d); /* between launches */
void launch_slots_clear_l2(struct softgpu_device *d);     /* between launches */
void launch_slots_stop(struct softgpu_device *d);         /* stops every running launch; any thread */

#endif

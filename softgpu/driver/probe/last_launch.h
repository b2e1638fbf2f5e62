/* The last launch of this process on each GPU, for sensors and for probe.h. */
#ifndef SOFTGPU_DRIVER_PROBE_LAST_LAUNCH_H
#define SOFTGPU_DRIVER_PROBE_LAST_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/softgpu.h"
#include "softgpu/core/time_types.h"

struct active_launch;

#define LAUNCH_COUNTERS_MAX 64

struct finished_launch {
	struct launch_result result;
	ns_t start_ns, end_ns;
	bool known;      /* false: none since the last last_launch_forget */
	uint64_t number; /* of finished launches, also forgotten ones */
	char kernel[128];
	struct gpu_counter counters[LAUNCH_COUNTERS_MAX];
	size_t counter_count;
};

/* Records a launch that GPU `index` has just finished, on `gpu`. Device thread, under the device lock. */
void last_launch_set(unsigned index, struct gpu *gpu, const struct active_launch *r);
bool last_launch_get(unsigned index, struct finished_launch *out); /* any thread; false if no launch is known */
void last_launch_forget(unsigned index);                           /* the sensors then show an idle device */
void last_launch_reset_in_child(void);

#endif

/* The GPU that the functions of probe.h describe: the selected one, or while a captured launch is open, the one that it
 * runs on (launch_replays.c). Any thread. */
#ifndef SOFTGPU_DRIVER_PROBE_PROBED_GPU_H
#define SOFTGPU_DRIVER_PROBE_PROBED_GPU_H

#include <stdbool.h>

#include "softgpu/driver/probe/last_launch.h"

struct softgpu_device;

bool probed_gpu_select(unsigned pci_bus); /* false: no GPU is on this bus */
/* The selected one; NULL before it is open. */
struct softgpu_device *probed_device(void);

/* A GPU that stays open until probed_gpu_release. NULL if no device is open; then there is nothing to release. */
struct probed_gpu {
	struct gpu *gpu;
	bool replaced, locked;
};
struct probed_gpu probed_gpu_take(void);      /* whether or not a launch runs */
struct probed_gpu probed_gpu_take_idle(void); /* and no launch of the program begins or ends until the release */
void probed_gpu_release(const struct probed_gpu *g);
/* False if it has finished no launch. */
bool probed_gpu_last_launch(struct finished_launch *out);
/* Stops its running launches. */
void probed_gpu_stop(void);

/* `gpu`, which ran no launch yet, is the probed one from now on; NULL: the selected device again. */
void probed_gpu_replace(struct gpu *gpu);
/* Its launch has ended. */
void probed_gpu_set_launch(const struct finished_launch *l);

#endif

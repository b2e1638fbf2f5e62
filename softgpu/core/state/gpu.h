/* The device behind softgpu.h. Private to softgpu/core. */
#ifndef SOFTGPU_CORE_STATE_GPU_H
#define SOFTGPU_CORE_STATE_GPU_H

#include "softgpu/core/state/machine.h"

struct gpu {
	struct machine m;
};

#endif

/* The device behind softgpu.h. Private to softgpu/core. */
#ifndef SOFTGPU_CORE_EXEC_GPU_H
#define SOFTGPU_CORE_EXEC_GPU_H

#include "softgpu/core/exec/machine.h"

struct gpu {
	struct machine m;
};

#endif

/* A model of gfx90a: the MI100 with the target's registers, wave slots and work-item ids. */
#ifndef TESTS_SOFTGPU_CORE_GFX90A_MODEL_H
#define TESTS_SOFTGPU_CORE_GFX90A_MODEL_H

#include "softgpu/core/softgpu.h"
#include "softgpu/models/gpu_targets.h"
#include "tests/softgpu/core/device.h"

static inline void make_gfx90a(struct model *m)
{
	static struct gpu_model board;
	char why[256];

	assert_true(model_parse(m, "mi100", why, sizeof why));
	board = *m->gpu;
	board.target = &gpu_target_gfx90a;
	m->gpu = &board;
	snprintf(m->arch, sizeof m->arch, "gfx90a");
	m->vgprs_per_lane = 512; /* LLVM: getTotalNumVGPRs, getVGPRAllocGranule */
	m->vgpr_granule = 8;
	m->waves_per_simd = 8;
}

static inline struct gpu *open_gfx90a(void)
{
	struct model m;

	make_gfx90a(&m);
	struct gpu *g = gpu_open(&m);
	assert_non_null(g);
	return g;
}

#endif

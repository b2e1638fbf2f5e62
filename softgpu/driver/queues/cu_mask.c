#include "softgpu/driver/queues/cu_mask.h"

#include <errno.h>

#include "softgpu/core/model_config.h"
#include "softgpu/driver/kfd/kfd_abi.h"

/* Neighbouring bits are CUs of neighbouring shader engines: bit b is CU b / engines of engine b % engines, where each
 * engine has one shader array and as many CUs (the kernel's mqd_symmetrically_map_cu_mask in amdkfd/kfd_mqd_manager.c).
 * CUs that the mask is too short for are out of it; bits beyond the last CU mean nothing. */
static void spread(const struct model *m, const uint32_t *bits, uint32_t count, struct cu_mask *out)
{
	uint32_t engines = (uint32_t)m->shader_engines, cus = (uint32_t)m->compute_units;

	for (uint32_t b = 0; b < count && b < cus; b++)
		if (bits[b / 32] >> b % 32 & 1)
			out->engine[b % engines] |= UINT64_C(1) << b / engines;
}

/* The kernel wants whole words, and some. */
int cu_mask_parse(const struct model *m, const struct kfd_cu_mask *a, struct cu_mask *out)
{
	if (!a->count || a->count % 32)
		return EINVAL;
	if (!a->bits)
		return EFAULT;
	*out = (struct cu_mask){.limited = true};
	spread(m, (const uint32_t *)(uintptr_t)a->bits, a->count, out);
	return 0;
}

bool cu_mask_is_empty(const struct cu_mask *mask)
{
	uint64_t any = 0;

	for (unsigned e = 0; e < CU_MASK_ENGINES; e++)
		any |= mask->engine[e];
	return mask->limited && !any;
}

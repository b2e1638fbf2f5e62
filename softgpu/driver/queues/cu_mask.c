#include "softgpu/driver/queues/cu_mask.h"

#include <errno.h>

#include "softgpu/core/model_config.h"
#include "softgpu/driver/kfd/kfd_abi.h"

/* Adjacent bits are CUs of adjacent shader engines: bit b is CU b / engines of engine b % engines. Each engine has one
 * shader array and the same number of CUs (mqd_symmetrically_map_cu_mask in the Linux kernel's
 * amdkfd/kfd_mqd_manager.c). CUs beyond the end of the mask are excluded; bits beyond the last CU are ignored. */
static void assign_mask_bits(const struct model *m, const uint32_t *bits, uint32_t count, struct cu_mask *out)
{
	uint32_t engines = (uint32_t)m->shader_engines, cus = (uint32_t)m->compute_units;

	for (uint32_t b = 0; b < count && b < cus; b++)
		if (bits[b / 32] >> b % 32 & 1)
			out->engine[b % engines] |= UINT64_C(1) << b / engines;
}

/* The Linux kernel requires at least one word, and whole words. */
int cu_mask_parse(const struct model *m, const struct kfd_cu_mask *a, struct cu_mask *out)
{
	if (!a->count || a->count % 32)
		return EINVAL;
	if (!a->bits)
		return EFAULT;
	*out = (struct cu_mask){.limited = true};
	assign_mask_bits(m, (const uint32_t *)(uintptr_t)a->bits, a->count, out);
	return 0;
}

bool cu_mask_is_empty(const struct cu_mask *mask)
{
	uint64_t any = 0;

	for (unsigned e = 0; e < CU_MASK_ENGINES; e++)
		any |= mask->engine[e];
	return mask->limited && !any;
}

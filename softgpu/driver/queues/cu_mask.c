#include "softgpu/driver/queues/cu_mask.h"

#include <errno.h>

#include "softgpu/core/model_config.h"
#include "softgpu/driver/faults/user_memory.h"
#include "softgpu/abi/kfd_abi.h"

static bool is_bit_set(const uint32_t *bits, uint32_t b)
{
	return bits[b / 32] >> b % 32 & 1;
}

/* Groups of `together` adjacent bits are CUs that share a processor, of adjacent shader engines; then come the other
 * arrays of the engines, then their next processors (mqd_symmetrically_map_cu_mask in the Linux kernel's
 * amdkfd/kfd_mqd_manager.c). All arrays have the same number of CUs. CUs beyond the end of the mask are excluded; bits
 * beyond the last CU are ignored. */
static void assign_mask_bits(const struct model *m, const uint32_t *bits, uint32_t count, struct cu_mask *out)
{
	const struct gpu_family *f = m->gpu->target->family;
	uint32_t engines = (uint32_t)m->shader_engines, arrays = f->arrays_per_engine, together = f->cus_per_processor,
		 per_array = (uint32_t)m->compute_units / (engines * arrays * together);

	for (uint32_t b = 0; b < count && b < (uint32_t)m->compute_units; b += together) {
		uint32_t number = b / together, engine = number % engines, array = number / engines % arrays,
			 index = number / engines / arrays;
		if (is_bit_set(bits, b))
			out->engine[engine] |= UINT64_C(1) << (array * per_array + index);
	}
}

/* pqm_update_mqd in the Linux kernel's amdkfd/kfd_process_queue_manager.c: a WGP has both CUs or none. */
static bool splits_processors(const struct gpu_family *f, const uint32_t *bits, uint32_t count)
{
	for (uint32_t b = 0; b < count; b++)
		if (is_bit_set(bits, b) != is_bit_set(bits, b - b % f->cus_per_processor))
			return true;
	return false;
}

/* The Linux kernel requires at least one word, and whole words. It ignores bits beyond a limit. */
int cu_mask_parse(const struct model *m, const struct kfd_cu_mask *a, struct cu_mask *out)
{
	uint32_t bits[KFD_CU_MASK_BITS / 32], count = a->count < KFD_CU_MASK_BITS ? a->count : KFD_CU_MASK_BITS;

	if (!a->count || a->count % 32)
		return EINVAL;
	if (!copy_from_user(bits, (const void *)(uintptr_t)a->bits, count / 8))
		return EFAULT;
	if (splits_processors(m->gpu->target->family, bits, count))
		return EINVAL;
	*out = (struct cu_mask){.limited = true};
	assign_mask_bits(m, bits, count, out);
	return 0;
}

bool cu_mask_is_empty(const struct cu_mask *mask)
{
	uint64_t any = 0;

	for (unsigned e = 0; e < CU_MASK_ENGINES; e++)
		any |= mask->engine[e];
	return mask->limited && !any;
}

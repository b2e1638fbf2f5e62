/* The crossbar of LDS, which moves values between the lanes of a wave: ds_swizzle, ds_permute, ds_bpermute. */
#ifndef SOFTGPU_CORE_STATE_CROSSBAR_H
#define SOFTGPU_CORE_STATE_CROSSBAR_H

#include <stdint.h>

/* The lane that lane l reads. Vega ISA 12.13, DS_SWIZZLE_B32: bit 15 of the offset selects a quad permutation;
 * otherwise and, or and xor masks permute within 32 lanes. */
static inline unsigned swizzle_lane(uint32_t offset, unsigned l)
{
	if (offset & 0x8000)
		return (l & ~3u) | (offset >> 2 * (l & 3) & 3);
	return (l & 32) | ((((l & 31) & (offset & 31)) | (offset >> 5 & 31)) ^ (offset >> 10 & 31));
}

/* The lane that lane l selects by the address. `reach`: of so many lanes; a power of two. On gfx11 "in wave64 mode the
 * permute operates only across 32 lanes at a time on each half" (RDNA3 ISA 12.5.2). */
static inline unsigned permuted_lane(unsigned reach, unsigned l, uint32_t address)
{
	return (l & ~(reach - 1)) | (address >> 2 & (reach - 1));
}

#endif

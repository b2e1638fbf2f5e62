/* Properties of GPU targets for reading code objects: names, allocation granules, limits of a SIMD. A SIMD of NVIDIA's
 * targets is a quarter of a multiprocessor. */
#ifndef KERNELS_INSPECT_TARGET_LIMITS_H
#define KERNELS_INSPECT_TARGET_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

struct target_limits {
	unsigned vgprs;        /* per lane and SIMD */
	unsigned vgpr_granule; /* of allocation */
	unsigned sgprs;        /* per SIMD; 0: every wave gets all that it can address */
	unsigned wave_slots;   /* per SIMD */
	unsigned simds;        /* SIMDs that a workgroup can use: those of a CU, or half of a WGP */
	unsigned lds_bytes, lds_granule;
	unsigned workgroups;   /* per CU, of more than one wave */
	unsigned lds_reserved; /* bytes of each workgroup that the system takes */
	bool counts_small;     /* `workgroups` is the most of workgroups of one wave, too */
	unsigned fma;          /* f32 multiply-adds in a cycle of a CU, WGP or multiprocessor; 0: not known */
};

const char *target_name_from_elf(uint32_t elf_flags); /* "gfx900"; NULL when unknown */
/* An unknown name gets the limits of gfx9, or of the newest target of NVIDIA before it. `wave_size` is 32 or 64. */
struct target_limits target_limits(const char *arch, unsigned wave_size);
/* Registers from COMPUTE_PGM_RSRC1. */
unsigned target_decode_vgprs(const char *arch, unsigned wave_size, uint32_t rsrc1);
unsigned target_decode_sgprs(const char *arch, uint32_t rsrc1); /* 0: fixed for this target */

#endif

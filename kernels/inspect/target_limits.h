/* What differs between AMD targets when a code object is read: names, allocation granules, limits of a SIMD. */
#ifndef KERNELS_INSPECT_TARGET_LIMITS_H
#define KERNELS_INSPECT_TARGET_LIMITS_H

#include <stdint.h>

struct target_limits {
	unsigned vgprs;        /* per lane and SIMD at wave64 (twice as many lanes' worth at wave32) */
	unsigned vgpr_granule; /* of allocation, at the target's default wave size */
	unsigned sgprs;        /* per SIMD; 0: every wave gets what it can address */
	unsigned wave_slots;   /* per SIMD */
	unsigned simds;        /* a workgroup may spread over: of a CU, or of a WGP in two */
	unsigned lds_bytes, lds_granule;
};

const char *target_name_from_elf(uint32_t elf_flags); /* "gfx900"; NULL when unknown */
/* Never NULL: an unknown name gets gfx9's. `wave_size` 32 or 64. */
struct target_limits target_limits(const char *arch, unsigned wave_size);
/* Registers from COMPUTE_PGM_RSRC1. */
unsigned target_decode_vgprs(const char *arch, unsigned wave_size, uint32_t rsrc1);
unsigned target_decode_sgprs(const char *arch, uint32_t rsrc1); /* 0: fixed on this target */

#endif

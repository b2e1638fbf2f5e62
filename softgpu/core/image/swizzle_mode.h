/* How gfx9 arranges the texels of an image in memory: the swizzle modes, which AMD's address library chooses. */
#ifndef SOFTGPU_CORE_IMAGE_SWIZZLE_MODE_H
#define SOFTGPU_CORE_IMAGE_SWIZZLE_MODE_H

#include <stdbool.h>
#include <stdint.h>

enum { SWIZZLE_COORDINATE_BITS = 14 };

/* A block of texels: 4 KiB or 64 KiB, or 256 B. Each bit of a coordinate flips certain bits of the offset in the block.
 * Blocks follow in the order x, y, z. */
struct swizzle_block {
	uint8_t width_shift, height_shift, depth_shift; /* texels, as powers of two */
	uint8_t bytes_shift;
	uint32_t flips[3][SWIZZLE_COORDINATE_BITS]; /* by dimension and bit */
};

/* Whether texels are in rows. */
bool swizzle_is_linear(unsigned mode);
/* Describes the blocks of a mode. `volume`: the image has three dimensions; `texel_shift`: log2 of a texel's bytes;
 * `gb_addr_config`: the register GB_ADDR_CONFIG. False: images of this kind cannot have the mode. */
bool swizzle_describe_block(
	unsigned mode, bool volume, unsigned texel_shift, uint32_t gb_addr_config, struct swizzle_block *out);
/* The offset of a texel in its block. */
uint32_t swizzle_offset_in_block(const struct swizzle_block *b, uint32_t x, uint32_t y, uint32_t z);

#endif

/* An image's descriptor (T#) and a sampler's (S#): Vega ISA 8.2.5 and 8.2.6. */
#ifndef SOFTGPU_CORE_IMAGE_IMAGE_DESCRIPTOR_H
#define SOFTGPU_CORE_IMAGE_IMAGE_DESCRIPTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/image/swizzle_mode.h"

struct image {
	uint64_t base;
	uint32_t size[3]; /* width, height, depth in texels; 1 beyond the image's dimensions */
	uint32_t layers, first_layer;
	uint32_t pitch; /* texels */
	uint8_t dimensions;
	bool is_array, is_linear;
	uint16_t selections;   /* DST_SEL: 3 bits per component */
	uint8_t data, number;  /* DATA_FORMAT, NUM_FORMAT */
	uint8_t texel_bytes;   /* a power of two, or 12 */
	uint8_t border_alpha;  /* the component that has the border color's alpha (BC_SWIZZLE) */
	uint8_t level, levels; /* the first level and their number */
	struct swizzle_block block;
};

enum image_clamp {
	CLAMP_WRAP,
	CLAMP_MIRROR,
	CLAMP_LAST_TEXEL,
	CLAMP_MIRROR_ONCE_LAST_TEXEL,
	CLAMP_HALF_BORDER,
	CLAMP_MIRROR_ONCE_HALF_BORDER,
	CLAMP_BORDER,
	CLAMP_MIRROR_ONCE_BORDER
};
enum image_filter { FILTER_POINT, FILTER_BILINEAR };
enum border_color { BORDER_TRANSPARENT_BLACK, BORDER_OPAQUE_BLACK, BORDER_OPAQUE_WHITE, BORDER_REGISTER };

struct sampler {
	uint8_t clamp[3]; /* enum image_clamp, by dimension */
	uint8_t compare;  /* bits: less, equal, greater */
	bool unnormalized, truncates;
	bool linear[2][3]; /* magnified, minified; by dimension */
	uint8_t border;    /* enum border_color */
};

/* NULL, or why the descriptor is not supported, for a message. */
const char *image_read_descriptor(const uint32_t word[8], uint32_t gb_addr_config, struct image *out);
const char *sampler_read_descriptor(const uint32_t word[4], struct sampler *out);

/* The address of a texel inside the image. `layer` counts from first_layer. */
uint64_t image_texel_address(const struct image *i, const uint32_t at[3], uint32_t layer);

#endif

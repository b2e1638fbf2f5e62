/* Which texels a sample reads, and how their values are combined (Vega ISA 8.2.4 to 8.2.6). */
#ifndef SOFTGPU_CORE_IMAGE_IMAGE_SAMPLE_H
#define SOFTGPU_CORE_IMAGE_IMAGE_SAMPLE_H

#include "softgpu/core/image/image_descriptor.h"

enum { SAMPLE_TEXELS_MAX = 8 };

/* Where a lane samples: coordinates as the instruction has them, and offsets in texels. */
struct sample_position {
	float at[3], layer;
	int8_t offset[3];
};

/* The texels of a lane, x before y before z. */
struct sample_texels {
	unsigned count;
	uint8_t border; /* bits: texels outside the image, which have the border color */
	uint32_t at[SAMPLE_TEXELS_MAX][3], layer;
	double weight[SAMPLE_TEXELS_MAX];
};

/* Whether the sampler blends texels along each dimension: integers are never blended. */
void image_choose_filter(const struct image *i, const struct sampler *s, bool minified, bool linear[3]);
void image_find_texels(const struct image *i, const struct sampler *s, const bool linear[3],
	const struct sample_position *p, struct sample_texels *out);
/* The components of a texel outside. */
void image_border_color(const struct image *i, const struct sampler *s, uint32_t out[4]);
/* What the comparison makes of a component: 1.0 or 0.0. */
uint32_t image_compare(const struct image *i, const struct sampler *s, uint32_t component, uint32_t reference);
/* The sum of the components by weight. */
void image_blend(const struct sample_texels *t, uint32_t component[][4], uint32_t out[4]);
/* The components that the descriptor selects. */
void image_select(const struct image *i, const uint32_t component[4], uint32_t out[4]);
/* The reverse, for stores. */
void image_unselect(const struct image *i, const uint32_t in[4], uint32_t component[4]);

#endif

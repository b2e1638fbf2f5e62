#include "softgpu/core/image/image_descriptor.h"

#include "softgpu/core/image/texel_format.h"

enum image_type { IMAGE_1D = 8, IMAGE_2D, IMAGE_3D, IMAGE_CUBE, IMAGE_1D_ARRAY, IMAGE_2D_ARRAY };
enum { BORDER_SWIZZLES = 8 };

static const struct {
	uint8_t dimensions;
	bool is_array;
} types[16] = {
	[IMAGE_1D] = {1, false},
	[IMAGE_2D] = {2, false},
	[IMAGE_3D] = {3, false},
	[IMAGE_1D_ARRAY] = {1, true},
	[IMAGE_2D_ARRAY] = {2, true},
};

static uint32_t field(uint32_t word, unsigned high, unsigned low)
{
	return word >> low & ((UINT32_C(2) << (high - low)) - 1);
}

static void read_size(const uint32_t *word, struct image *out)
{
	const uint32_t depth = field(word[4], 12, 0) + 1;

	out->size[0] = field(word[2], 13, 0) + 1;
	out->size[1] = out->dimensions > 1 ? field(word[2], 27, 14) + 1 : 1;
	out->size[2] = out->dimensions > 2 ? depth : 1;
	out->first_layer = out->is_array ? field(word[5], 12, 0) : 0;
	out->layers = out->is_array && depth > out->first_layer ? depth - out->first_layer : 1;
}

const char *image_read_descriptor(const uint32_t word[8], uint32_t gb_addr_config, struct image *out)
{
	/* by BC_SWIZZLE: XYZW XWYZ WZYX WXYZ ZYXW YXWZ */
	static const uint8_t alpha[BORDER_SWIZZLES] = {3, 1, 0, 0, 3, 2, 3, 3};
	const unsigned type = field(word[3], 31, 28), mode = field(word[3], 24, 20);

	*out = (struct image){
		.base = (uint64_t)field(word[1], 7, 0) << 40 | (uint64_t)word[0] << 8,
		.pitch = field(word[4], 28, 13) + 1,
		.dimensions = types[type].dimensions,
		.is_array = types[type].is_array,
		.is_linear = swizzle_is_linear(mode),
		.selections = (uint16_t)field(word[3], 11, 0),
		.data = (uint8_t)field(word[1], 25, 20),
		.number = (uint8_t)field(word[1], 29, 26),
		.border_alpha = alpha[field(word[4], 31, 29)],
		.level = (uint8_t)field(word[3], 15, 12),
		.levels = 1,
	};
	if (type < IMAGE_1D)
		return "it is a buffer, as a texture of linear memory has (for tex1Dfetch)";
	if (!out->dimensions)
		return "its type is not 1D, 2D, 3D or an array of the first two";
	if (field(word[3], 19, 16) > out->level || out->level)
		return "it has several levels (mip maps)";
	if (field(word[6], 21, 21))
		return "it is compressed";
	out->texel_bytes = texel_format_bytes(out->data, out->number);
	if (!out->texel_bytes)
		return "its format is unknown";
	read_size(word, out);
	if (out->is_linear)
		return 0;
	const unsigned shift = (unsigned)__builtin_ctz(out->texel_bytes);
	if (out->texel_bytes != 1u << shift ||
		!swizzle_describe_block(mode, out->dimensions == 3, shift, gb_addr_config, &out->block))
		return "its swizzle mode is unknown";
	return 0;
}

static bool is_linear_filter(uint32_t filter)
{
	return filter & 1; /* point, bilinear, and both as anisotropic filters, which need several levels */
}

const char *sampler_read_descriptor(const uint32_t word[4], struct sampler *out)
{
	/* Z_FILTER: none (as x and y), point, linear */
	const uint32_t z = field(word[2], 25, 24);
	const bool by_size[] = {is_linear_filter(field(word[2], 21, 20)), is_linear_filter(field(word[2], 23, 22))};

	*out = (struct sampler){
		.clamp = {(uint8_t)field(word[0], 2, 0), (uint8_t)field(word[0], 5, 3), (uint8_t)field(word[0], 8, 6)},
		.compare = (uint8_t)field(word[0], 14, 12),
		.unnormalized = field(word[0], 15, 15),
		.truncates = field(word[0], 27, 27),
		.border = (uint8_t)field(word[3], 31, 30),
	};
	for (unsigned k = 0; k < 2; k++) {
		out->linear[k][0] = out->linear[k][1] = by_size[k];
		out->linear[k][2] = z ? z == 2 : by_size[k];
	}
	return out->border == BORDER_REGISTER ? "its border color is in a table" : 0;
}

uint64_t image_texel_address(const struct image *i, const uint32_t at[3], uint32_t layer)
{
	const uint32_t z = i->dimensions > 2 ? at[2] : layer + i->first_layer;
	const struct swizzle_block *b = &i->block;

	if (i->is_linear)
		return i->base + (((uint64_t)z * i->size[1] + at[1]) * i->pitch + at[0]) * i->texel_bytes;
	const uint64_t columns = i->pitch >> b->width_shift,
		       rows = (i->size[1] + (UINT32_C(1) << b->height_shift) - 1) >> b->height_shift;
	const uint64_t block = ((uint64_t)(z >> b->depth_shift) * rows + (at[1] >> b->height_shift)) * columns +
		(at[0] >> b->width_shift);

	return i->base + (block << b->bytes_shift) + swizzle_offset_in_block(b, at[0], at[1], z);
}

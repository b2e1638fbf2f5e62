/* Where texels are: each swizzle mode of gfx9 for each size of texel, in two and three dimensions, against the formula
 * of AMD's address library (Addr::V2::Gfx9Lib, surface address from coordinates), which interleaves bits of the
 * coordinates and folds higher ones. No two texels of an image share bytes, and all are inside the image's blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "softgpu/core/image/image_descriptor.h"

enum { MODES = 32, TEXEL_SIZES = 5, PIPES = 16, BANKS = 16 };
enum { VEGA_10 = 0x2a114042, INTERLEAVE_SHIFT = 8, PIPE_SHIFT = 4, BANK_SHIFT = 4 };
/* NUM_PIPES 2 and NUM_SHADER_ENGINES 2, both log2: 16 pipes; NUM_BANKS 4; PIPE_INTERLEAVE_SIZE 0: 256 B */

/* --- the formula --- */
static uint32_t bits(uint32_t v, unsigned first, unsigned count, unsigned to)
{
	return (v >> first & ((1u << count) - 1)) << to;
}

static uint32_t reversed(uint32_t v, unsigned count)
{
	uint32_t r = 0;

	for (unsigned k = 0; k < count; k++)
		r |= bits(v, count - 1 - k, 1, k);
	return r;
}

static uint32_t every_second(uint32_t v, unsigned count)
{
	uint32_t r = 0;

	for (unsigned k = 0; k < count; k++)
		r |= bits(v, 2 * k, 1, k);
	return r;
}

/* Interleaved, the last coordinate lowest. */
static uint32_t morton_2d(uint32_t x, uint32_t y, unsigned count)
{
	uint32_t m = 0;

	for (unsigned k = 0; k < count; k++)
		m |= bits(y, k, 1, 2 * k) | bits(x, k, 1, 2 * k + 1);
	return m;
}

static uint32_t morton_3d(uint32_t x, uint32_t y, uint32_t z, unsigned count)
{
	uint32_t m = 0;

	for (unsigned k = 0; k < count; k++)
		m |= bits(z, k, 1, 3 * k) | bits(y, k, 1, 3 * k + 1) | bits(x, k, 1, 3 * k + 2);
	return m;
}

static uint32_t standard_2d(uint32_t x, uint32_t y, unsigned size)
{
	const uint32_t xb = x << size, low = (xb & 0xf) | (y & 3) << 4;

	if (size >= 3)
		return low | (xb & 0x30) << 2;
	return low | (y & 4) << 4 | (size ? (xb & 0x10) << 3 : (y & 8) << 4);
}

static uint32_t display_2d(uint32_t x, uint32_t y, unsigned size)
{
	uint32_t o;

	if (size == 4)
		return bits(x, 0, 1, 4) | bits(y, 0, 1, 5) | bits(x, 1, 1, 6) | bits(y, 1, 1, 7);
	o = bits(x, 0, 3, size) | bits(y, 1, 2, 3 + size) | bits(x, 3, 1, 5 + size) | bits(y, 3, 1, 6 + size);
	return bits(o, 0, 4, 0) | bits(y, 0, 1, 4) | bits(o, 4, 3, 5);
}

static uint32_t rotated_2d(uint32_t x, uint32_t y, unsigned size)
{
	uint32_t o = bits(y, 0, 3, size) | bits(x, 1, 2, 3 + size) | bits(x, 3, 1, 5 + size) | bits(y, 3, 1, 6 + size);

	o = bits(o, 0, 4, 0) | bits(x, 0, 1, 4) | bits(o, 4, 3, 5);
	return size == 3 ? bits(o, 0, 6, 0) | bits(x, 1, 2, 6) : o;
}

static uint32_t z_order_2d(uint32_t x, uint32_t y, unsigned size)
{
	const unsigned low = 6 - size;

	if (size != 0 && size != 2)
		return morton_2d(y, x, 13) << size;
	return (morton_2d(y, x, low / 2) | morton_2d(x >> low / 2, y >> low / 2, 9) << low) << size;
}

static uint32_t standard_3d(uint32_t x, uint32_t y, uint32_t z, unsigned size)
{
	const uint32_t xb = x << size;
	const uint32_t high[TEXEL_SIZES] = {(z & 4) >> 2 | (y & 4) >> 1, (z & 4) >> 2 | (y & 4) >> 1,
		(y & 4) >> 2 | (x & 4) >> 1, (x & 6) >> 1, x & 3};

	return high[size] << 8 | (xb & 0xf) | (y & 3) << 4 | (z & 3) << 6;
}

static uint32_t z_order_3d(uint32_t x, uint32_t y, uint32_t z, unsigned size)
{
	const uint32_t square = (x & 1) | (y & 1) << 1 | (x & 2) << 1;
	/* bits of x, y and z in the lowest 128 bytes */
	static const uint8_t used[TEXEL_SIZES][3] = {{3, 2, 2}, {2, 2, 2}, {2, 2, 1}, {2, 1, 1}, {1, 1, 1}};
	const uint32_t low[TEXEL_SIZES] = {square | (y & 2) << 2 | (z & 3) << 4 | (x & 4) << 4,
		(square | (y & 2) << 2) << 1 | (z & 3) << 5, (square | (z & 1) << 3) << 2 | (y & 2) << 5,
		((x & 1) | (y & 1) << 1 | (z & 1) << 2 | (x & 2) << 2) << 3,
		((x & 1) | (y & 1) << 1 | (z & 1) << 2) << 4};

	return low[size] | (morton_3d(x >> used[size][0], y >> used[size][1], z >> used[size][2], 1) << 7 & 0x380);
}

/* What the name of a mode says: block size, order, _X or _T. */
struct mode {
	unsigned block_shift;
	char order;
	bool folds, keeps_pages;
};

static struct mode mode_of(unsigned n)
{
	struct mode m = {.order = "ZSDR"[n % 4], .folds = n >= 16, .keeps_pages = n / 4 == 4};
	static const uint8_t block_shifts[MODES / 4] = {8, 12, 16, 0, 16, 12, 16, 0};

	m.block_shift = n ? block_shifts[n / 4] : 0;
	return m;
}

static bool is_thick(const struct mode *m, bool volume)
{
	return volume && (m->order == 'Z' || m->order == 'S');
}

/* Width, height and depth of the smallest block, log2. */
static const uint8_t flat[TEXEL_SIZES][2] = {{4, 4}, {4, 3}, {3, 3}, {3, 2}, {2, 2}},
		     thick[TEXEL_SIZES][3] = {{4, 3, 3}, {3, 3, 3}, {3, 3, 2}, {3, 2, 2}, {2, 2, 2}};

static uint32_t plain_offset(const struct mode *m, bool volume, unsigned size, uint32_t x, uint32_t y, uint32_t z)
{
	const char order = volume && m->order == 'D' ? 'S' : m->order;

	if (is_thick(m, volume))
		return morton_3d(x >> thick[size][0], y >> thick[size][1], z >> thick[size][2], 8) << 10 |
			(order == 'Z' ? z_order_3d(x, y, z, size) : standard_3d(x, y, z, size));
	if (order == 'Z')
		return z_order_2d(x, y, size);
	return morton_2d(x >> flat[size][0], y >> flat[size][1], 12) << 8 |
		(order == 'S'                  ? standard_2d(x, y, size)
				: order == 'D' ? display_2d(x, y, size)
					       : rotated_2d(x, y, size));
}

/* XORs the lowest bits with those above them, in reverse. */
static uint32_t fold(uint32_t v, unsigned count, bool is_3d)
{
	const uint32_t low = bits(v, 0, count, 0);

	if (!is_3d)
		return low ^ reversed(v >> count, count);
	return low ^ reversed(every_second(v >> count, count), count) ^
		reversed(every_second(v >> (count + 1), count), count);
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t formula_offset(const struct mode *m, bool volume, unsigned size, uint32_t x, uint32_t y, uint32_t z)
{
	const uint32_t mask = (1u << m->block_shift) - 1;
	uint32_t o = plain_offset(m, volume, size, x, y, z);

	if (!m->folds)
		return o & mask;
	if (m->keeps_pages)
		o &= mask;
	const unsigned pipe_bits = smaller(m->block_shift - INTERLEAVE_SHIFT, PIPE_SHIFT),
		       bank_bits = smaller(m->block_shift - INTERLEAVE_SHIFT - pipe_bits, BANK_SHIFT);
	const uint32_t low = bits(o, 0, INTERLEAVE_SHIFT, 0), pipes = o >> INTERLEAVE_SHIFT, banks = pipes >> pipe_bits;
	const uint32_t pipe = fold(pipes, pipe_bits, is_thick(m, volume)),
		       bank = fold(banks, bank_bits, is_thick(m, volume));

	o = ((banks >> bank_bits << bank_bits | bank) << pipe_bits | pipe) << INTERLEAVE_SHIFT | low;
	if (!m->keeps_pages && !is_thick(m, volume))
		o ^= reversed(z, pipe_bits) << INTERLEAVE_SHIFT ^
			reversed(z >> pipe_bits, bank_bits) << (INTERLEAVE_SHIFT + pipe_bits);
	return o & mask;
}

/* --- blocks --- */
/* Which modes a texel and an image can have. Z order is for depth, whose texels have at most 8 bytes. */
static bool can_have(const struct mode *m, bool volume, unsigned size)
{
	if (!m->block_shift)
		return false;
	if (volume)
		return m->order != 'R' && m->block_shift > 8;
	if (m->order == 'Z' && m->block_shift == 8)
		return false;
	return (m->order != 'R' && m->order != 'Z') || size < 4;
}

/* Width, height and depth of a block, log2. */
static void block_size(const struct mode *m, bool volume, unsigned size, unsigned shift[3])
{
	const unsigned texels = m->block_shift - size, extra = m->block_shift - 10;

	if (is_thick(m, volume)) {
		shift[0] = thick[size][0] + extra / 3;
		shift[1] = thick[size][1] + extra / 3 + extra % 3 / 2;
		shift[2] = thick[size][2] + extra / 3 + (extra % 3 != 0);
	} else {
		shift[0] = (texels + 1) / 2;
		shift[1] = texels - shift[0];
		shift[2] = 0;
	}
}

/* --- tests --- */
static uint32_t random_u32(void)
{
	static uint64_t seed = 3;

	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 32);
}

static void check_block(unsigned n, bool volume, unsigned size)
{
	const struct mode m = mode_of(n);
	struct swizzle_block b;
	unsigned shift[3];

	assert_true(swizzle_describe_block(n, volume, size, VEGA_10, &b));
	block_size(&m, volume, size, shift);
	if (b.width_shift != shift[0] || b.height_shift != shift[1] || b.depth_shift != shift[2] ||
		b.bytes_shift != m.block_shift)
		fail_msg("mode %u, %u B%s: a block of 2^%u x 2^%u x 2^%u, expected 2^%u x 2^%u x 2^%u", n, 1u << size,
			volume ? ", volume" : "", b.width_shift, b.height_shift, b.depth_shift, shift[0], shift[1],
			shift[2]);
	for (unsigned k = 0; k < 20000; k++) {
		const uint32_t x = random_u32() & 0x3fff, y = random_u32() & 0x3fff, z = random_u32() & 0x7ff;
		const uint32_t got = swizzle_offset_in_block(&b, x, y, z),
			       expected = formula_offset(&m, volume, size, x, y, z);
		if (got != expected)
			fail_msg("mode %u, %u B%s, texel %u %u %u: offset 0x%x, expected 0x%x", n, 1u << size,
				volume ? ", volume" : "", x, y, z, got, expected);
	}
}

static void offsets_follow_the_address_library(void **state)
{
	unsigned checked = 0;

	(void)state;
	for (unsigned n = 0; n < MODES; n++)
		for (unsigned size = 0; size < TEXEL_SIZES; size++)
			for (int volume = 0; volume < 2; volume++) {
				const struct mode m = mode_of(n);
				struct swizzle_block b;
				if (can_have(&m, volume, size))
					check_block(n, volume, size), checked++;
				else
					assert_false(swizzle_describe_block(n, volume, size, VEGA_10, &b));
			}
	print_message("# %u kinds of blocks\n", checked);
	assert_int_equal(checked, 23 * 5 - 6 - 5 + 15 * 5);
}

/* An image of this size with the mode; the pitch as the library pads it. Dword 3 has X, Y, Z, W selected. */
static struct image make_image(unsigned mode, unsigned type, unsigned format, const uint32_t size[3])
{
	enum { IDENTITY = 4 | 5 << 3 | 6 << 6 | 7 << 9, NUMBER_UINT = 4 };
	uint32_t word[8] = {0x100, format << 20 | (uint32_t)NUMBER_UINT << 26, (size[0] - 1) | (size[1] - 1) << 14,
		IDENTITY | mode << 20 | type << 28};
	struct image out;

	word[4] = (size[2] - 1) | (((size[0] + 511) / 512 * 512) - 1) << 13;
	assert_null(image_read_descriptor(word, VEGA_10, &out));
	return out;
}

static int compare_addresses(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void check_image(unsigned mode, unsigned type, unsigned texel_shift, const uint32_t size[3])
{
	static const uint8_t formats[TEXEL_SIZES] = {1, 2, 4, 11, 14}; /* 8, 16, 32, 32_32, 32_32_32_32 */
	const struct image i = make_image(mode, type, formats[texel_shift], size);
	const uint64_t count = (uint64_t)size[0] * size[1] * size[2];
	uint64_t *at = malloc(count * sizeof *at), n = 0, depth = size[2];
	const struct swizzle_block *b = &i.block;
	const uint64_t rows = ((size[1] - 1) >> b->height_shift) + 1, slices = ((size[2] - 1) >> b->depth_shift) + 1;

	assert_non_null(at);
	assert_int_equal(i.texel_bytes, 1 << texel_shift);
	for (uint32_t z = 0; z < depth; z++)
		for (uint32_t y = 0; y < size[1]; y++)
			for (uint32_t x = 0; x < size[0]; x++)
				at[n++] = image_texel_address(
					&i, (uint32_t[3]){x, y, i.is_array ? 0 : z}, i.is_array ? z : 0);
	qsort(at, count, sizeof *at, compare_addresses);
	for (uint64_t k = 1; k < count; k++)
		assert_true(at[k] - at[k - 1] >= i.texel_bytes);
	assert_true(at[0] == 0x10000);
	const uint64_t bytes = i.is_linear ? (uint64_t)i.pitch * size[1] * size[2] * i.texel_bytes
					   : (slices * rows * (i.pitch >> b->width_shift)) << b->bytes_shift;
	assert_true(at[count - 1] + i.texel_bytes <= 0x10000 + bytes);
	free(at);
}

static void texels_of_an_image_are_apart(void **state)
{
	enum { TYPE_2D = 9, TYPE_3D = 10, TYPE_2D_ARRAY = 13 };
	static const uint32_t flat_size[3] = {517, 139, 3}, volume_size[3] = {70, 41, 37};

	(void)state;
	for (unsigned mode = 0; mode < MODES; mode++)
		for (unsigned size = 0; size < TEXEL_SIZES; size++) {
			const struct mode m = mode_of(mode);
			if (mode == 0 || can_have(&m, false, size)) {
				check_image(mode, TYPE_2D, size, (const uint32_t[3]){flat_size[0], flat_size[1], 1});
				check_image(mode, TYPE_2D_ARRAY, size, flat_size);
			}
			if (mode == 0 || can_have(&m, true, size))
				check_image(mode, TYPE_3D, size, volume_size);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(offsets_follow_the_address_library), cmocka_unit_test(texels_of_an_image_are_apart)};

	return cmocka_run_group_tests_name("swizzle modes", tests, NULL, NULL);
}

/* Sources: AMD's address library as it is in ROCr (image/addrlib: the modes, the order of coordinate bits, the folding
 * of pipe and bank bits) and the register GB_ADDR_CONFIG of gfx9 (gc_9_0_sh_mask.h of the Linux kernel).
 *
 * An offset in a block is linear over single bits: each bit of a coordinate flips the same bits of the offset, whatever
 * the others are. So a mode is a list of coordinate bits, from the offset's lowest bit up, and the XOR modes (_X, _T)
 * change only which bits each of them flips. */
#include "softgpu/core/image/swizzle_mode.h"

#include <stddef.h>
#include <string.h>

enum order { ORDER_Z, ORDER_S, ORDER_D, ORDER_R, ORDERS };
enum { LINEAR = 0, LINEAR_GENERAL = 31, MODES = 32, TEXEL_SHIFTS = 5 };
enum { MICRO_SHIFT = 8, THICK_MICRO_SHIFT = 10 }; /* the smallest blocks: 256 B; 1 KiB in three dimensions */
enum { PLACES = 32 };                             /* bits of an offset before folding */

static const struct mode {
	uint8_t block_shift, order;
	bool folds, keeps_pages; /* _X and _T; _T, which is for partially resident textures */
} modes[MODES] = {
	[1] = {8, ORDER_S},
	{8, ORDER_D},
	{8, ORDER_R},
	{12, ORDER_Z},
	{12, ORDER_S},
	{12, ORDER_D},
	{12, ORDER_R},
	{16, ORDER_Z},
	{16, ORDER_S},
	{16, ORDER_D},
	{16, ORDER_R},
	[16] = {16, ORDER_Z, true, true},
	{16, ORDER_S, true, true},
	{16, ORDER_D, true, true},
	{16, ORDER_R, true, true},
	{12, ORDER_Z, true},
	{12, ORDER_S, true},
	{12, ORDER_D, true},
	{12, ORDER_R, true},
	{16, ORDER_Z, true},
	{16, ORDER_S, true},
	{16, ORDER_D, true},
	{16, ORDER_R, true},
};

/* Coordinate bits of the smallest block from the texel up, by the texel's size. */
static const char *const flat_orders[ORDERS][TEXEL_SHIFTS] = {
	[ORDER_Z] = {"x0y0x1y1x2y2", "x0y0x1y1x2", "x0y0x1y1", "x0y0x1", ""},
	[ORDER_S] = {"x0x1x2x3y0y1y2y3", "x0x1x2y0y1y2x3", "x0x1y0y1y2x2", "x0y0y1x1x2", "y0y1x0x1"},
	[ORDER_D] = {"x0x1x2y1y0y2x3y3", "x0x1x2y0y1y2x3", "x0x1y0x2y1y2", "x0y0x1x2y1", "x0y0x1y1"},
	[ORDER_R] = {"y0y1y2x1x0x2x3y3", "y0y1y2x0x1x2x3", "y0y1x0y2x1x2", "y0x0y1x1x2", ""},
};
static const char *const thick_orders[ORDERS][TEXEL_SHIFTS] = {
	[ORDER_Z] = {"x0y0x1y1z0z1x2z2y2x3", "x0y0x1y1z0z1z2y2x2", "x0y0x1z0y1z1y2x2", "x0y0z0x1z1y1x2",
		"x0y0z0z1y1x1"},
	[ORDER_S] = {"x0x1x2x3y0y1z0z1z2y2", "x0x1x2y0y1z0z1z2y2", "x0x1y0y1z0z1y2x2", "x0y0y1z0z1x1x2",
		"y0y1z0z1x0x1"},
};

bool swizzle_is_linear(unsigned mode)
{
	return mode == LINEAR || mode == LINEAR_GENERAL;
}

/* --- the list of coordinate bits --- */
/* The coordinate bit at each place of the offset. */
struct places {
	uint8_t dimension[PLACES], bit[PLACES];
	unsigned count, next[3]; /* next: the coordinate bit that is not placed yet */
};

static void place_bit(struct places *p, unsigned dimension, unsigned bit)
{
	p->dimension[p->count] = (uint8_t)dimension;
	p->bit[p->count++] = (uint8_t)bit;
	p->next[dimension] = p->next[dimension] > bit + 1 ? p->next[dimension] : bit + 1;
}

/* Above the smallest block, the dimensions alternate by the number of the place. */
static void place_all(struct places *p, const char *order, unsigned texel_shift, bool thick)
{
	static const uint8_t flat[] = {1, 0}, deep[] = {0, 2, 1};

	p->count = texel_shift;
	for (; *order; order += 2)
		place_bit(p, (unsigned)(order[0] - 'x'), (unsigned)(order[1] - '0'));
	while (p->count < PLACES) {
		const unsigned dimension = thick ? deep[p->count % 3] : flat[p->count % 2];
		if (p->next[dimension] == SWIZZLE_COORDINATE_BITS)
			return;
		place_bit(p, dimension, p->next[dimension]);
	}
}

/* --- folding --- */
struct fold {
	unsigned start, pipe_bits, bank_bits; /* start: log2 of the bytes that a pipe has in a row */
};

static unsigned min_unsigned(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static struct fold read_fold(uint32_t gb_addr_config, unsigned block_shift)
{
	const unsigned pipes = (gb_addr_config & 7) + (gb_addr_config >> 19 & 3), /* NUM_PIPES, NUM_SHADER_ENGINES */
		start = MICRO_SHIFT + (gb_addr_config >> 3 & 7),                  /* PIPE_INTERLEAVE_SIZE */
		banks = gb_addr_config >> 12 & 7,                                 /* NUM_BANKS */
		pipe_bits = min_unsigned(block_shift - start, pipes);

	return (struct fold){start, pipe_bits, min_unsigned(block_shift - start - pipe_bits, banks)};
}

/* Where place `n` above a group of `bits` places is folded into the group: mirrored; in thick blocks in pairs. */
static unsigned folded_place(unsigned n, unsigned bits, bool thick)
{
	return bits - 1 - (thick ? n / 2 : n);
}

/* The places that a coordinate bit at place `p` flips: its own, and those that it is folded into. */
static uint32_t fold_place(const struct fold *f, unsigned p, bool thick)
{
	const unsigned bank_start = f->start + f->pipe_bits, bank_end = bank_start + f->bank_bits, span = thick ? 2 : 1;
	uint32_t flips = UINT32_C(1) << p;

	if (p >= bank_start && p < bank_start + span * f->pipe_bits)
		flips ^= UINT32_C(1) << (f->start + folded_place(p - bank_start, f->pipe_bits, thick));
	if (p >= bank_end && p < bank_end + span * f->bank_bits)
		flips ^= UINT32_C(1) << (bank_start + folded_place(p - bank_end, f->bank_bits, thick));
	return flips;
}

/* Slices of flat blocks begin in other pipes and banks. */
static void fold_slices(const struct fold *f, struct swizzle_block *out)
{
	for (unsigned k = 0; k < f->pipe_bits; k++)
		out->flips[2][k] = UINT32_C(1) << (f->start + f->pipe_bits - 1 - k);
	for (unsigned k = 0; k < f->bank_bits; k++)
		out->flips[2][f->pipe_bits + k] = UINT32_C(1) << (f->start + f->pipe_bits + f->bank_bits - 1 - k);
}

bool swizzle_describe_block(
	unsigned mode, bool volume, unsigned texel_shift, uint32_t gb_addr_config, struct swizzle_block *out)
{
	const struct mode *m = &modes[mode % MODES];
	const bool thick = volume && (m->order == ORDER_Z || m->order == ORDER_S);
	/* "D" is standard order in volumes */
	const unsigned order = volume && m->order == ORDER_D ? ORDER_S : m->order;
	const char *text = (thick ? thick_orders : flat_orders)[order][texel_shift];
	struct places p = {0};
	uint8_t *const shifts[] = {&out->width_shift, &out->height_shift, &out->depth_shift};

	*out = (struct swizzle_block){.bytes_shift = m->block_shift};
	if (!m->block_shift || !*text || (volume && (order == ORDER_R || m->block_shift == MICRO_SHIFT)))
		return false;
	place_all(&p, text, texel_shift, thick);
	const struct fold f = read_fold(gb_addr_config, m->block_shift);
	const uint32_t inside = (UINT32_C(1) << m->block_shift) - 1;
	for (unsigned k = texel_shift; k < p.count; k++) {
		const bool in_block = k < m->block_shift;
		if (in_block)
			++*shifts[p.dimension[k]];
		else if (!m->folds || m->keeps_pages)
			break;
		out->flips[p.dimension[k]][p.bit[k]] =
			(m->folds ? fold_place(&f, k, thick) : UINT32_C(1) << k) & inside;
	}
	if (m->folds && !m->keeps_pages && !thick)
		fold_slices(&f, out);
	return true;
}

static uint32_t flip_by(const uint32_t *flips, uint32_t v)
{
	uint32_t offset = 0;

	for (v &= (1u << SWIZZLE_COORDINATE_BITS) - 1; v; v &= v - 1)
		offset ^= flips[__builtin_ctz(v)];
	return offset;
}

uint32_t swizzle_offset_in_block(const struct swizzle_block *b, uint32_t x, uint32_t y, uint32_t z)
{
	return flip_by(b->flips[0], x) ^ flip_by(b->flips[1], y) ^ flip_by(b->flips[2], z);
}

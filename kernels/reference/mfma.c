/* References for the kernels on matrix cores. For kernels/mfma.hip the factors are small integers, so that sums are
 * exact: `blocks` products of side x depth by depth x side elements. Lane l has row l % rows of A and the column of
 * this number of B, where rows = side * blocks counts through the blocks, and `each` elements of it, from l / rows *
 * each on (AMD Matrix Instruction Calculator). */
#include "kernels/reference/references.h"

#include <stdbool.h>

struct tile {
	unsigned side, depth, blocks, each;
	bool wide; /* f64 */
};

/* Element k of row (or column) `row`, counted through the blocks: what the lane that has it was given. */
static unsigned factor(const struct tile *t, unsigned row, unsigned k, unsigned divisor)
{
	const unsigned lane = k / t->each * t->side * t->blocks + row;

	return (lane / divisor + k % t->each) % 3;
}

static unsigned sum_products(const struct tile *t, unsigned block, unsigned i, unsigned j)
{
	unsigned sum = 0;

	for (unsigned k = 0; k < t->depth; k++)
		sum += factor(t, block * t->side + i, k, 1) * factor(t, block * t->side + j, k, 3);
	return sum;
}

/* Where row i of the block is: its register, and the lane of its first element. */
static void find_row(const struct tile *t, unsigned block, unsigned i, unsigned *number, unsigned *lane)
{
	const unsigned across = 64 / t->side; /* groups of rows next to each other */

	if (t->wide) {
		*number = i / 4;
		*lane = i % 4 * 16 + block * t->side;
	} else if (t->side == 4) {
		*number = i;
		*lane = block * 4;
	} else {
		*number = block * t->side * t->side / 64 + i / (4 * across) * 4 + i % 4;
		*lane = i / 4 % across * t->side;
	}
}

void reference_mfma(const struct launch_shape *shape, double *out, unsigned trips, unsigned products, unsigned side,
	unsigned depth, unsigned blocks, unsigned each, unsigned wide)
{
	const struct tile t = {side, depth, blocks, each, wide};
	const unsigned registers = side * side * blocks / 64 ? side * side * blocks / 64 : 1,
		       waves = shape->grid[0] * shape->block[0] / 64;

	for (unsigned wave = 0; wave < waves; wave++)
		for (unsigned block = 0; block < blocks; block++)
			for (unsigned i = 0; i < side; i++) {
				unsigned number, lane;
				find_row(&t, block, i, &number, &lane);
				for (unsigned j = 0; j < side; j++)
					out[(wave * registers + number) * 64 + lane + j] =
						(double)sum_products(&t, block, i, j) * products * trips;
			}
}

/* --- kernels/mfma_layout.hip and kernels/mfma_rounding.hip --- */
enum { REGISTERS = 16, LANES = 64, SIDE = 32 };

/* Element (i, j) is in lane j or j + 32: four rows are in four registers, the next four in the other half of the lanes
 * (AMD Matrix Instruction Calculator, v_mfma_f32_32x32x2f32). */
void reference_mfma_layout(const struct launch_shape *shape, float *rows, float *columns, unsigned *row,
	unsigned *column, unsigned lane, unsigned number)
{
	(void)shape, (void)row, (void)column, (void)lane, (void)number;
	for (unsigned i = 0; i < SIDE; i++)
		for (unsigned j = 0; j < SIDE; j++) {
			const unsigned at = (i / 8 * 4 + i % 4) * LANES + i / 4 % 2 * SIDE + j;
			rows[at] = (float)i;
			columns[at] = (float)j;
		}
}

static float small_product(unsigned k)
{
	return k == 0 ? 0x1p20f : k % 2 ? -0x1p-5f : -0x1p-6f;
}

/* The sum of `each` products, one, two or four, in pairs (MMA-Sim; softgpu/isa/semantics_mfma.h). */
static float sum_group(unsigned k, unsigned each)
{
	if (each == 1)
		return small_product(k);
	const float low = sum_group(k, each / 2), high = sum_group(k + each / 2, each / 2);
	return low + high;
}

void reference_mfma_rounding(
	const struct launch_shape *shape, float *out, unsigned *units, unsigned depth, unsigned each)
{
	float sum = 0;

	(void)shape, (void)units;
	for (unsigned k = 0; k < depth; k += each)
		sum += sum_group(k, each);
	for (unsigned n = 0; n < REGISTERS * LANES; n++)
		out[n] = sum;
}

/* References for kernels/mfma_layout.hip and kernels/mfma_rounding.hip. */
#include "kernels/reference/references.h"

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

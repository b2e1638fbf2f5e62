// Where a matrix core puts the elements of a product of 32 x 32: D(i, j) = i in `rows`, j in `columns`, a register of 64
// lanes after the other. `row` and `column` get those of one register and lane: as bits of a float, so that their distance
// from 0 in units in the last place is the number.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif
#if defined(__gfx908__) || defined(__gfx90a__)
#define MATRIX_CORES // others have no such instruction
#endif

enum { REGISTERS = 16 };

typedef float tile __attribute__((ext_vector_type(REGISTERS)));

extern "C" __global__ __launch_bounds__(64) void mfma_layout(float *rows, float *columns, unsigned *row, unsigned *column, unsigned lane, unsigned number)
{
#ifdef MATRIX_CORES
	unsigned me = threadIdx.x;
	// Lanes 0 to 31 have the first step of k, the others the second, which is 0.
	float one = me < 32 ? 1 : 0, index = me < 32 ? me : 0;
	tile i = __builtin_amdgcn_mfma_f32_32x32x2f32(index, one, tile{}, 0, 0, 0);
	tile j = __builtin_amdgcn_mfma_f32_32x32x2f32(one, index, tile{}, 0, 0, 0);
#pragma unroll
	for (unsigned r = 0; r < REGISTERS; r++) {
		rows[r * 64 + me] = i[r];
		columns[r * 64 + me] = j[r];
		if (me == lane && r == number) {
			*row = (unsigned)i[r];
			*column = (unsigned)j[r];
		}
	}
#endif
}

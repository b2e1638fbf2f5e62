// A column of tiles copied from a matrix: every work-item walks along a row of its own, 16 floats a trip, so that the lanes of a load lie one
// pitch apart. S0 2.10. The copy is by columns: its stores are side by side.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

/* Rows are the grid's work-items; pitch and columns are in floats, multiples of 4 and of 16. */
extern "C" __global__ void pitch_copy(const float4 *from, float *to, unsigned pitch, unsigned columns)
{
	unsigned row = blockIdx.x * blockDim.x + threadIdx.x, rows = gridDim.x * blockDim.x;
	const float4 *line = from + (size_t)row * (pitch / 4);
#pragma clang loop unroll(disable)
	for (unsigned k = 0; k < columns; k += 16, line += 4) {
		float4 a = line[0], b = line[1], c = line[2], d = line[3];
		const float tile[16] = { a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w, d.x, d.y, d.z, d.w };
#pragma unroll
		for (unsigned i = 0; i < 16; i++)
			to[(k + i) * rows + row] = tile[i];
	}
}

// Copies a column of tiles from a matrix (Vega64 notes 2.10). A work-item reads its own row, 16 floats per iteration,
// so the lanes of a load are one pitch apart. The copy is stored by columns, so stores are coalesced.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

/* One work-item per row; pitch and columns are in floats, multiples of 4 and 16. */
extern "C" __global__ void pitch_copy(const float4 *from, float *to, unsigned pitch, unsigned columns)
{
	unsigned row = blockIdx.x * blockDim.x + threadIdx.x, rows = gridDim.x * blockDim.x;
	const float4 *line = from + (size_t)row * (pitch / 4);
#pragma unroll 1
	for (unsigned k = 0; k < columns; k += 16, line += 4) {
		float4 a = line[0], b = line[1], c = line[2], d = line[3];
		const float tile[16] = { a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w, d.x, d.y, d.z, d.w };
#pragma unroll
		for (unsigned i = 0; i < 16; i++)
			to[(k + i) * rows + row] = tile[i];
	}
}

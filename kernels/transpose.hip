// Matrix transposition in tiles of TILE x TILE: `in` has height rows of width, `out` width rows of height.
// A block has TILE x blockDim.y work-items with TILE / blockDim.y elements each; edges are checked. CUDA lecture notes.
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

template <int TILE> static __device__ __forceinline__ void copy(const float *in, float *out, unsigned width, unsigned height)
{
	unsigned x = blockIdx.x * TILE + threadIdx.x;
	for (unsigned j = threadIdx.y; j < TILE; j += blockDim.y) {
		unsigned y = blockIdx.y * TILE + j;
		if (x < width && y < height)
			out[x + width * y] = in[x + width * y];
	}
}

template <int TILE> static __device__ __forceinline__ void naive(const float *in, float *out, unsigned width, unsigned height)
{
	unsigned x = blockIdx.x * TILE + threadIdx.x;
	for (unsigned j = threadIdx.y; j < TILE; j += blockDim.y) {
		unsigned y = blockIdx.y * TILE + j;
		if (x < width && y < height)
			out[y + height * x] = in[x + width * y];
	}
}

/* PITCH = TILE + 1 avoids bank conflicts in columns. `out_pitch` is height; the source uses width, which may differ. */
template <int TILE, int PITCH>
static __device__ __forceinline__ void tiled(const float *in, float *out, unsigned width, unsigned height, unsigned out_pitch)
{
	__shared__ float tile[TILE][PITCH];
	unsigned x = blockIdx.x * TILE + threadIdx.x;
	for (unsigned j = threadIdx.y; j < TILE; j += blockDim.y) {
		unsigned y = blockIdx.y * TILE + j;
		if (x < width && y < height)
			tile[j][threadIdx.x] = in[x + width * y];
	}
	__syncthreads();
	unsigned to_x = blockIdx.y * TILE + threadIdx.x;
	for (unsigned j = threadIdx.y; j < TILE; j += blockDim.y) {
		unsigned to_y = blockIdx.x * TILE + j;
		if (to_x < height && to_y < width)
			out[to_x + out_pitch * to_y] = tile[threadIdx.x][j];
	}
}

#define FORM(name, call) \
	extern "C" __global__ void transpose_##name(const float *in, float *out, unsigned width, unsigned height) { call; }
#define FORMS(T) \
	FORM(copy_##T, copy<T>(in, out, width, height)) \
	FORM(naive_##T, naive<T>(in, out, width, height)) \
	FORM(coalesced_##T, (tiled<T, T>(in, out, width, height, height))) \
	FORM(padded_##T, (tiled<T, T + 1>(in, out, width, height, height))) \
	FORM(printed_##T, (tiled<T, T>(in, out, width, height, width)))
FORMS(16)
FORMS(32)

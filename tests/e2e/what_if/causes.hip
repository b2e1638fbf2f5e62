// Kernels with two causes of lost cycles each, which a constant of the compiler removes one by one: FIX_A and FIX_B.
#include <hip/hip_runtime.h>

#define BLOCK 256
#define EACH  16 // elements of a work-item

// a: the lanes of a wave load elements of 16 lines instead of 4. b: lanes write LDS at a stride of 32 words.
extern "C" __global__ void sum(const float *in, float *out, int pitch)
{
	__shared__ float s[32 * 33];
	const int t = threadIdx.x;
	const float *own = in + blockIdx.x % 16 * BLOCK * EACH; // L2 has all of it
	float total = 0;
#pragma unroll
	for (int k = 0; k < EACH; k++)
		total += own[k * BLOCK + (FIX_A ? t : t * 17 % BLOCK)];
	for (int k = 0; k < 4; k++) {
		const int row = t % 32, column = t / 32 + 8 * k; // its own
		volatile float *at = &s[row * (FIX_B ? 33 : 32) + column];
		*at = total;
		total += *at;
	}
	out[blockIdx.x * BLOCK + t] = total;
}

// a: lanes store elements that are a row apart. b: rows are a power of two apart, so that they are in one channel.
extern "C" __global__ void transpose(const float *in, float *out, int pitch)
{
	__shared__ float s[32][33];
	const int x = threadIdx.x % 32, y = threadIdx.x / 32, column = blockIdx.x % 32 * 32, row = blockIdx.x / 32 * 32;
	for (int k = 0; k < 32; k += 8)
		if (!FIX_A)
			out[(column + x) * pitch + row + y + k] = in[(row + y + k) * pitch + column + x];
		else
			s[y + k][x] = in[(row + y + k) * pitch + column + x];
	if (!FIX_A)
		return;
	__syncthreads();
	for (int k = 0; k < 32; k += 8)
		out[(column + y + k) * pitch + row + x] = s[x][y + k];
}

// a: all work-items read what is in one channel. b: lanes read LDS at a stride of 32 words.
extern "C" __global__ void columns(const float *in, float *out, int pitch)
{
	__shared__ float s[32 * 33];
	const int t = threadIdx.x;
	float total = 0;
	for (int k = t; k < 32 * 33; k += BLOCK)
		s[k] = k;
	__syncthreads();
	for (int k = 0; k < EACH; k++) {
		const int line = (blockIdx.x * EACH + k) * 4 + t / 64;
		total += in[line * pitch + t % 64];
		for (int j = 0; j < 20; j++)
			total += s[t % 32 * (FIX_B ? 33 : 32) + (t / 32 + k + j) % 32];
	}
	out[blockIdx.x * BLOCK + t] = total;
}

// a: LDS has room for two blocks, not for three, and each waits for one load after the other. b: lanes read LDS at a stride
// of 8 words.
extern "C" __global__ void steps(const float *in, float *out, int pitch)
{
	__shared__ int s[(FIX_A ? 20 : 24) * 256];
	const int t = threadIdx.x;
	int at = t;
	for (int k = t; k < 9 * BLOCK; k += BLOCK)
		s[k] = k % 13;
	__syncthreads();
	for (int k = 0; k < EACH; k++) {
		at = (at + (int)in[at % 64]) % 64;
		for (int j = 0; j < 2; j++)
			at += s[(FIX_B ? t : 8 * t) + k + j];
	}
	out[blockIdx.x * BLOCK + t] = at;
}

// a: each trip ends with a taken branch. b: lanes read LDS at a stride of 4 words.
extern "C" __global__ void loop(const float *in, float *out, int pitch)
{
	__shared__ float s[5 * BLOCK];
	const int t = threadIdx.x;
	float total = in[blockIdx.x * BLOCK + t];
	for (int k = t; k < 5 * BLOCK; k += BLOCK)
		s[k] = k;
	__syncthreads();
#if FIX_A
#pragma unroll
#else
#pragma unroll 1
#endif
	for (int k = 0; k < 128; k += 4)
		for (int j = 0; j < 4; j++)
			total += ((volatile float *)s)[(FIX_B ? t : 4 * t) + k + j];
	out[blockIdx.x * BLOCK + t] = total;
}

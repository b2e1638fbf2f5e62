/* Products of matrices with the matrix cores of gfx908, through the compiler's builtins. Prints nothing and ends with 0
 * if the product of the named elements is right: f32, f16, bf16, i8. */
#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

enum { N = 64 }; // rows and columns

template <int count> using floats = float __attribute__((ext_vector_type(count)));
typedef int integers __attribute__((ext_vector_type(16)));
typedef _Float16 halves __attribute__((ext_vector_type(4)));
typedef short shorts __attribute__((ext_vector_type(2)));

// Each wave computes a tile of D. These are in registers of its lanes: A[row][k], B[k][column], D[row][column].
__global__ void multiply_f32(const float *a, const float *b, float *d)
{
	const int lane = threadIdx.x, row = blockIdx.y * 32, column = blockIdx.x * 32 + lane % 32;
	floats<16> sum = 0;
	for (int k = lane / 32; k < N; k += 2)
		sum = __builtin_amdgcn_mfma_f32_32x32x2f32(
			a[(row + lane % 32) * N + k], b[k * N + column], sum, 0, 0, 0);
	for (int r = 0; r < 16; r++)
		d[(row + r / 4 * 8 + lane / 32 * 4 + r % 4) * N + column] = sum[r];
}

__global__ void multiply_f16(const float *a, const float *b, float *d)
{
	const int lane = threadIdx.x, row = blockIdx.y * 16, column = blockIdx.x * 16 + lane % 16;
	floats<4> sum = 0;
	for (int k = lane / 16 * 4; k < N; k += 16) {
		halves of_a, of_b;
		for (int x = 0; x < 4; x++) {
			of_a[x] = (_Float16)a[(row + lane % 16) * N + k + x];
			of_b[x] = (_Float16)b[(k + x) * N + column];
		}
		sum = __builtin_amdgcn_mfma_f32_16x16x16f16(of_a, of_b, sum, 0, 0, 0);
	}
	for (int r = 0; r < 4; r++)
		d[(row + lane / 16 * 4 + r) * N + column] = sum[r];
}

__device__ short bf16_of(float f)
{
	return (short)(__float_as_uint(f) >> 16);
}

__global__ void multiply_bf16(const float *a, const float *b, float *d)
{
	const int lane = threadIdx.x, row = blockIdx.y * 16, column = blockIdx.x * 16 + lane % 16;
	floats<4> sum = 0;
	for (int k = lane / 16 * 2; k < N; k += 8) {
		shorts of_a, of_b;
		for (int x = 0; x < 2; x++) {
			of_a[x] = bf16_of(a[(row + lane % 16) * N + k + x]);
			of_b[x] = bf16_of(b[(k + x) * N + column]);
		}
		sum = __builtin_amdgcn_mfma_f32_16x16x8bf16(of_a, of_b, sum, 0, 0, 0);
	}
	for (int r = 0; r < 4; r++)
		d[(row + lane / 16 * 4 + r) * N + column] = sum[r];
}

__global__ void multiply_i8(const float *a, const float *b, float *d)
{
	const int lane = threadIdx.x, row = blockIdx.y * 32, column = blockIdx.x * 32 + lane % 32;
	integers sum = 0;
	for (int k = lane / 32 * 4; k < N; k += 8) {
		unsigned of_a = 0, of_b = 0;
		for (int x = 0; x < 4; x++) {
			of_a |= ((int)a[(row + lane % 32) * N + k + x] & 255) << 8 * x;
			of_b |= ((int)b[(k + x) * N + column] & 255) << 8 * x;
		}
		sum = __builtin_amdgcn_mfma_i32_32x32x8i8((int)of_a, (int)of_b, sum, 0, 0, 0);
	}
	for (int r = 0; r < 16; r++)
		d[(row + r / 4 * 8 + lane / 32 * 4 + r % 4) * N + column] = (float)sum[r];
}

static const struct {
	const char *name;
	void (*multiply)(const float *, const float *, float *);
	int tile;
} kernels[] = {
	{"f32", multiply_f32, 32}, {"f16", multiply_f16, 16}, {"bf16", multiply_bf16, 16}, {"i8", multiply_i8, 32}};

// Integers that all types have, with sums that are exact.
static float element(int matrix, int row, int column)
{
	return (float)((row * 37 + column * 101 + matrix * 59) % 23 - 11);
}

static bool compare(const std::vector<float> &d)
{
	for (int row = 0; row < N; row++)
		for (int column = 0; column < N; column++) {
			float sum = 0;
			for (int k = 0; k < N; k++)
				sum += element(0, row, k) * element(1, k, column);
			if (d[row * N + column] != sum) {
				printf("row %d column %d is %g, expected %g\n", row, column, d[row * N + column], sum);
				return false;
			}
		}
	return true;
}

int main(int argc, char **argv)
{
	std::vector<float> host(N * N);
	const size_t bytes = N * N * sizeof(float);
	float *matrix[3];
	for (int m = 0; m < 3; m++) {
		for (int k = 0; k < N * N; k++)
			host[k] = element(m, k / N, k % N);
		if (hipMalloc(&matrix[m], bytes) || hipMemcpy(matrix[m], host.data(), bytes, hipMemcpyHostToDevice))
			return 2;
	}
	for (auto &k : kernels)
		if (argc == 2 && !strcmp(argv[1], k.name)) {
			k.multiply<<<dim3(N / k.tile, N / k.tile), 64>>>(matrix[0], matrix[1], matrix[2]);
			if (hipMemcpy(host.data(), matrix[2], bytes, hipMemcpyDeviceToHost))
				return 2;
			return compare(host) ? 0 : 1;
		}
	return 3;
}

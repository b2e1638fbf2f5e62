// The program of the picture: a column of the tile lies in one bank of LDS, and neighboring work-items read rows apart.
#include <hip/hip_runtime.h>
#include <cstdio>

enum { N = 512, TILE = 32 };

__global__ void transpose_tile(const float *in, float *out)
{
	__shared__ float tile[TILE][TILE];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int k = 0; k < TILE; k += 8)
		tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * N + x];
	__syncthreads();
	x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
	for (int k = 0; k < TILE; k += 8)
		out[(y + k) * N + x] = tile[threadIdx.x][threadIdx.y + k];
}

__global__ void sum_rows(const float *in, float *out)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int i = 0; i < N; i++)
		sum += in[row * N + i];
	out[row] = sum;
}

int main()
{
	static float host[N * N], sums[N];
	float *in, *out, *all;
	for (int i = 0; i < N * N; i++)
		host[i] = i % 7;
	if (hipMalloc(&in, sizeof host) || hipMalloc(&out, sizeof host) || hipMalloc(&all, sizeof sums) ||
		hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice))
		return 1;
	for (int i = 0; i < 2; i++)
		transpose_tile<<<dim3(N / TILE, N / TILE), dim3(TILE, 8)>>>(in, out);
	if (hipDeviceSynchronize())
		return 1;
	printf("%d x %d, transposed\n", N, N);
	sum_rows<<<N / 64, 64>>>(out, all);
	if (hipMemcpy(sums, all, sizeof sums, hipMemcpyDeviceToHost))
		return 1;
	printf("sum of row 3: %g\n", sums[3]);
	return 0;
}

/* Launches that are captured: they follow each other's memory and caches, use LDS, scratch, a global variable, atomics,
 * host memory, and one waits for the program. */
#include <hip/hip_runtime.h>

#include <cstdio>

#define CHECK(call)                                                                      \
	do {                                                                             \
		if ((call) != hipSuccess) {                                              \
			printf("%s: %s\n", #call, hipGetErrorString(hipGetLastError())); \
			return 1;                                                        \
		}                                                                        \
	} while (0)

enum { N = 1 << 16 };

__device__ int counts[256];

extern "C" __global__ void add(const float *a, const float *b, float *c)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	c[i] = a[i] + b[i];
}

extern "C" __global__ void sum(const float *a, float *out)
{
	__shared__ float part[256];
	float v = 0;
	for (int i = blockIdx.x * 256 + threadIdx.x; i < N; i += gridDim.x * 256)
		v += a[i];
	part[threadIdx.x] = v;
	__syncthreads();
	for (int k = 128; k; k >>= 1) {
		if (threadIdx.x < k)
			part[threadIdx.x] += part[threadIdx.x + k];
		__syncthreads();
	}
	if (!threadIdx.x)
		atomicAdd(out, part[0]);
}

/* Reads an array of each work-item at an index that is not known. */
extern "C" __global__ void spill(float *data, int step)
{
	float local[64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	for (int k = 0; k < 64; k++)
		local[k] = data[(i + k * step) % N];
	data[i] = local[(i * step) & 63] + local[(i + step) & 63];
}

extern "C" __global__ void count(int *host, const int *more)
{
	counts[threadIdx.x] += threadIdx.x;
	atomicAdd(&host[0], more[threadIdx.x & 15]);
}

extern "C" __global__ void wait(volatile int *flag, int *out)
{
	flag[1] = 1;
	while (!flag[0])
		;
	out[0] = 1;
}

/* Says that it runs, and that it has ended. */
extern "C" __global__ void turn(volatile int *state, int turns)
{
	state[0] = 1;
	__threadfence_system();
	for (int i = 0; i < turns; i++)
		asm volatile("s_nop 0");
	state[0] = 2;
}

/* Maps memory while a launch runs; one of twice the length follows until that was in time. */
static int map_meanwhile()
{
	int *state, *kept, in_time = 0;
	CHECK(hipHostMalloc(&state, 4096, 0));
	for (int turns = 1 << 16; !in_time && turns < 1 << 30; turns *= 2) {
		*(volatile int *)state = 0;
		turn<<<1, 1>>>(state, turns);
		while (!*(volatile int *)state)
			;
		CHECK(hipHostMalloc(&kept, 1 << 20, 0));
		in_time = *(volatile int *)state == 1;
		CHECK(hipDeviceSynchronize());
	}
	printf(in_time ? "mapped while it ran\n" : "the launch ended too early\n");
	return 0;
}

int main(int argc, char **argv)
{
	float *a, *b, *c, *out;
	int *host, *more, *done;
	if (argc > 1 && argv[1][0] == 'm')
		return map_meanwhile();
	CHECK(hipMalloc(&a, N * 4));
	CHECK(hipMalloc(&b, N * 4));
	CHECK(hipMalloc(&c, N * 4));
	CHECK(hipMalloc(&out, 4));
	CHECK(hipMalloc(&done, 4));
	CHECK(hipHostMalloc(&host, 4096, 0));
	CHECK(hipMallocManaged(&more, 64));
	float *values = new float[N];
	for (int i = 0; i < N; i++)
		values[i] = i % 17;
	for (int i = 0; i < 16; i++)
		more[i] = i;
	host[0] = host[1] = host[2] = 0;
	CHECK(hipMemcpy(a, values, N * 4, hipMemcpyHostToDevice));
	CHECK(hipMemcpy(b, values, N * 4, hipMemcpyHostToDevice));
	CHECK(hipMemset(out, 0, 4));
	for (int k = 0; k < 3; k++) {
		add<<<N / 256, 256>>>(a, b, c);
		sum<<<16, 256>>>(c, out);
		spill<<<N / 256, 256>>>(b, 5 + k);
		count<<<4, 256>>>(host, more);
	}
	CHECK(hipDeviceSynchronize());
	if (argc > 1) {
		volatile int *flag = host + 1;
		wait<<<1, 64>>>(flag, done);
		while (!flag[1])
			;
		flag[0] = 1;
		CHECK(hipDeviceSynchronize());
	}
	float total;
	CHECK(hipMemcpy(&total, out, 4, hipMemcpyDeviceToHost));
	printf("total %g, host %d\n", total, host[0]);
	return 0;
}

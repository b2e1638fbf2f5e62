// One binary with code for gfx900, gfx906, gfx908 and gfx90a: prints the device that it runs on and the target of its
// kernel. Exit status 0 means success.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call) check((call), #call, __LINE__)

static void check(hipError_t error, const char *what, int line)
{
	if (error == hipSuccess)
		return;
	printf("line %d: %s: %s\n", line, what, hipGetErrorString(error));
	exit(1);
}

__global__ void report_target(int *out)
{
#if defined(__gfx90a__)
	*out = 0x90a;
#elif defined(__gfx908__)
	*out = 0x908;
#elif defined(__gfx906__)
	*out = 0x906;
#elif defined(__gfx900__)
	*out = 0x900;
#endif
}

// Each workgroup fills a CU, so one workgroup per CU runs at a time.
__global__ void __launch_bounds__(1024) sum_halves(const double *a, double *total, int n)
{
	__shared__ double part[1024];
	double s = 0;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		s = fma(a[i], 0.5, s);
	part[threadIdx.x] = s;
	for (int half = 512; half; half /= 2) {
		__syncthreads();
		if ((int)threadIdx.x < half)
			part[threadIdx.x] += part[threadIdx.x + half];
	}
	if (!threadIdx.x)
		total[blockIdx.x] = part[0];
}

// Dot products of four bytes; with the dot product instruction where the target has it.
__global__ void dot_bytes(const int *a, const int *b, int *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, s = 7;

	if (i >= n)
		return;
#if defined(__gfx906__) || defined(__gfx908__) || defined(__gfx90a__)
	asm volatile("v_dot4_i32_i8 %0, %1, %2, %0" : "+v"(s) : "v"(a[i]), "v"(b[i]));
#else
	for (int k = 0; k < 32; k += 8)
		s += (int)(signed char)(a[i] >> k) * (int)(signed char)(b[i] >> k);
#endif
	out[i] = s;
}

// Adds a float to memory; with the atomic instruction where the target has it.
__global__ void add_one(float *out)
{
#if defined(__gfx908__) || defined(__gfx90a__)
	float one = 1;
	asm volatile("global_atomic_add_f32 %0, %1, off\n\ts_waitcnt vmcnt(0)" : : "v"(out), "v"(one) : "memory");
#else
	atomicAdd(out, 1.0f);
#endif
}

static int expect(bool good, const char *what)
{
	if (!good)
		printf("failed: %s\n", what);
	return good ? 0 : 1;
}

static int check_sum(int groups)
{
	const int n = 200000;
	std::vector<double> a(n), part(groups);
	double *da, *dt, all = 0;

	for (int i = 0; i < n; i++)
		a[i] = i;
	CHECK(hipMalloc((void **)&da, n * sizeof *da));
	CHECK(hipMalloc((void **)&dt, groups * sizeof *dt));
	CHECK(hipMemcpy(da, a.data(), n * sizeof *da, hipMemcpyHostToDevice));
	hipLaunchKernelGGL(sum_halves, dim3(groups), dim3(1024), 0, 0, da, dt, n);
	CHECK(hipMemcpy(part.data(), dt, groups * sizeof *dt, hipMemcpyDeviceToHost));
	for (double p : part)
		all += p;
	return expect(all == 0.25 * n * (n - 1.0), "sum");
}

static int check_bytes()
{
	const int n = 10000;
	std::vector<int> a(n), b(n), out(n);
	int *da, *db, *dout, wrong = 0;
	unsigned seed = 1;

	for (int i = 0; i < n; i++) {
		a[i] = (int)(seed = seed * 1664525 + 1013904223);
		b[i] = (int)(seed = seed * 1664525 + 1013904223);
	}
	CHECK(hipMalloc((void **)&da, n * 4));
	CHECK(hipMalloc((void **)&db, n * 4));
	CHECK(hipMalloc((void **)&dout, n * 4));
	CHECK(hipMemcpy(da, a.data(), n * 4, hipMemcpyHostToDevice));
	CHECK(hipMemcpy(db, b.data(), n * 4, hipMemcpyHostToDevice));
	hipLaunchKernelGGL(dot_bytes, dim3((n + 255) / 256), dim3(256), 0, 0, da, db, dout, n);
	CHECK(hipMemcpy(out.data(), dout, n * 4, hipMemcpyDeviceToHost));
	for (int i = 0; i < n; i++) {
		int s = 7;
		for (int k = 0; k < 32; k += 8)
			s += (int)(signed char)(a[i] >> k) * (int)(signed char)(b[i] >> k);
		wrong += s != out[i];
	}
	return expect(!wrong, "dot products of bytes");
}

static int check_add()
{
	float *p, value = -1;

	CHECK(hipMalloc((void **)&p, 4));
	CHECK(hipMemset(p, 0, 4));
	hipLaunchKernelGGL(add_one, dim3(50), dim3(100), 0, 0, p);
	CHECK(hipMemcpy(&value, p, 4, hipMemcpyDeviceToHost));
	return expect(value == 5000, "float atomics of all work-items");
}

int main()
{
	hipDeviceProp_t p;
	int *out, seen = 0, wrong = 0;

	CHECK(hipGetDeviceProperties(&p, 0));
	CHECK(hipMalloc((void **)&out, 4));
	hipLaunchKernelGGL(report_target, dim3(1), dim3(1), 0, 0, out);
	CHECK(hipMemcpy(&seen, out, 4, hipMemcpyDeviceToHost));
	printf("%s: %d CUs, %d kHz, %d kHz, %d bit, L2 %d KiB, %zu MiB; kernel gfx%x\n", p.gcnArchName,
		p.multiProcessorCount, p.clockRate, p.memoryClockRate, p.memoryBusWidth, p.l2CacheSize >> 10,
		p.totalGlobalMem >> 20, seen);
	wrong += check_sum(p.multiProcessorCount);
	wrong += check_bytes();
	wrong += check_add();
	return wrong != 0;
}

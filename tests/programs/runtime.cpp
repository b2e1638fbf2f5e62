/* A normal HIP program for the real ROCm runtime. Each case prints its results and exits with 0 if they are correct.
 * runtime.sh runs it on the software GPU. */
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>

#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <vector>

#define CHECK(call)                                                            \
	do {                                                                   \
		hipError_t e_ = (call);                                        \
		if (e_ != hipSuccess) {                                        \
			std::printf("%s: %s\n", #call, hipGetErrorString(e_)); \
			std::exit(1);                                          \
		}                                                              \
	} while (0)

template <typename T> struct Buffer {
	T *device;
	std::vector<T> host;
	explicit Buffer(std::vector<T> v) : host(std::move(v))
	{
		CHECK(hipMalloc(&device, host.size() * sizeof(T)));
		CHECK(hipMemcpy(device, host.data(), host.size() * sizeof(T), hipMemcpyHostToDevice));
	}
	~Buffer() { (void)hipFree(device); }
	void fetch() { CHECK(hipMemcpy(host.data(), device, host.size() * sizeof(T), hipMemcpyDeviceToHost)); }
};

/* --- printf
 * ------------------------------------------------------------------------------------------------------------ */
__global__ void print_values(float f, const char *unused)
{
	if (threadIdx.x % 64 == 3)
		printf("item %d of group %u: %s %5.2f %-6x| %lld %c%%\n", (int)threadIdx.x, (unsigned)blockIdx.x,
			"half of seven is", f / 2, 0xbeef, -123456789012345ll, 'z');
	if (!threadIdx.x && !blockIdx.x)
		printf("no arguments\n");
	(void)unused;
}

static int case_printf()
{
	print_values<<<2, 128>>>(7, nullptr);
	CHECK(hipDeviceSynchronize());
	return 0;
}

/* --- assert and abort
 * ---------------------------------------------------------------------------------------------------- */
__global__ void check_values(const int *v)
{
	assert(v[threadIdx.x] < 50);
}

static int case_assert(int limit)
{
	std::vector<int> v(64);

	std::iota(v.begin(), v.end(), 0);
	for (int &x : v)
		x %= limit;
	Buffer<int> b(v);
	check_values<<<1, 64>>>(b.device);
	CHECK(hipDeviceSynchronize());
	std::printf("survived\n");
	return 0;
}

__global__ void give_up(int when)
{
	if ((int)threadIdx.x == when)
		abort();
}

static int case_abort()
{
	give_up<<<1, 64>>>(17);
	hipError_t e = hipDeviceSynchronize();
	std::printf("after abort: %s\n", hipGetErrorString(e));
	return e == hipSuccess;
}

/* --- calls by pointer, virtual functions, recursion, malloc-free stacks
 * ---------------------------------------------------- */
struct Shape {
	__device__ virtual ~Shape() {}
	__device__ virtual float area() const = 0;
};
struct Square : Shape {
	float a;
	__device__ explicit Square(float s) : a(s) {}
	__device__ float area() const override { return a * a; }
};
struct Circle : Shape {
	float r;
	__device__ explicit Circle(float s) : r(s) {}
	__device__ float area() const override { return 3 * r * r; }
};

typedef int (*Operation)(int, int);
__device__ int plus(int a, int b)
{
	return a + b;
}
__device__ int times(int a, int b)
{
	return a * b;
}
__device__ int minus(int a, int b)
{
	return a - b;
}
__device__ Operation operations[] = {plus, times, minus};
__device__ __noinline__ int fibonacci(int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__global__ void call(int *out)
{
	int i = blockIdx.x * 256 + threadIdx.x;
	Square square((float)(i % 1000));
	Circle circle((float)(i % 1000));
	Shape *shape = i & 1 ? (Shape *)&square : (Shape *)&circle;

	out[i] = operations[i % 3](i, 7) + (int)shape->area() + fibonacci(i % 12);
}

/* Indirect calls require 16 KiB of scratch per item. Launches a few workgroups, and more than fit into scratch at a
 * time. */
static int case_calls()
{
	static const int fibonacci[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
	int wrong = 0;

	for (int groups : {1, 3, 50}) {
		Buffer<int> b(std::vector<int>(256 * groups));
		call<<<groups, 256>>>(b.device);
		b.fetch();
		for (int i = 0; i < 256 * groups; i++) {
			int by = i % 3 == 0 ? i + 7 : i % 3 == 1 ? i * 7 : i - 7;
			int x = i % 1000, area = i & 1 ? x * x : 3 * x * x;
			wrong += b.host[i] != by + area + fibonacci[i % 12];
		}
	}
	std::printf("calls: %d wrong\n", wrong);
	return wrong;
}

/* --- a tiled product with dynamic LDS, timed by events
 * ---------------------------------------------------------------------- */
__global__ void product(const float *a, const float *b, float *c, int n, int tile)
{
	extern __shared__ float shared[];
	float *as = shared, *bs = shared + tile * tile, sum = 0;
	int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * tile + x, row = blockIdx.y * tile + y;

	for (int t = 0; t < n; t += tile) {
		as[y * tile + x] = a[row * n + t + x];
		bs[y * tile + x] = b[(t + y) * n + col];
		__syncthreads();
		for (int k = 0; k < tile; k++)
			sum = fmaf(as[y * tile + k], bs[k * tile + x], sum);
		__syncthreads();
	}
	c[row * n + col] = sum;
}

static int case_product()
{
	const int n = 64;
	std::vector<float> va(n * n), vb(n * n);
	int wrong = 0;

	for (int i = 0; i < n * n; i++) {
		va[i] = (float)(i * 37 % 101) / 7;
		vb[i] = (float)(i * 53 % 97) / 11 - 4;
	}
	Buffer<float> a(va), b(vb), c(std::vector<float>(n * n));
	for (int tile : {8, 16, 32}) {
		hipEvent_t start, stop;
		float ms = 0;
		CHECK(hipEventCreate(&start));
		CHECK(hipEventCreate(&stop));
		CHECK(hipEventRecord(start));
		product<<<dim3(n / tile, n / tile), dim3(tile, tile), 2 * tile * tile * sizeof(float)>>>(
			a.device, b.device, c.device, n, tile);
		CHECK(hipEventRecord(stop));
		CHECK(hipEventSynchronize(stop));
		CHECK(hipEventElapsedTime(&ms, start, stop));
		c.fetch();
		for (int i = 0; i < n * n; i++) {
			float sum = 0;
			for (int k = 0; k < n; k++)
				sum = fmaf(va[i / n * n + k], vb[k * n + i % n], sum);
			wrong += std::memcmp(&sum, &c.host[i], 4) != 0;
		}
		wrong += !(ms > 0);
		std::memset(c.host.data(), 0, n * n * 4);
	}
	std::printf("product: %d wrong\n", wrong);
	return wrong;
}

/* --- symbols, math, and code for each type
 * ------------------------------------------------------------------------------------ */
__constant__ double coefficients[4];
__device__ unsigned long long counter;
template <typename T> __global__ void polynomial(const T *x, T *y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	T v = x[i];

	y[i] = (T)coefficients[0] + v * ((T)coefficients[1] + v * ((T)coefficients[2] + v * (T)coefficients[3]));
	atomicAdd(&counter, (unsigned long long)i);
}

template <typename T> static int polynomials(const char *name)
{
	const double c[4] = {1, 0.5, -2, 0.25};
	unsigned long long count = 0;
	std::vector<T> v(512);
	int wrong = 0;

	for (int i = 0; i < 512; i++)
		v[i] = (T)(i % 64) / (T)8;
	Buffer<T> x(v), y(v);
	CHECK(hipMemcpyToSymbol(HIP_SYMBOL(coefficients), c, sizeof c));
	CHECK(hipMemcpyToSymbol(HIP_SYMBOL(counter), &count, sizeof count));
	polynomial<T><<<4, 128>>>(x.device, y.device);
	y.fetch();
	CHECK(hipMemcpyFromSymbol(&count, HIP_SYMBOL(counter), sizeof count));
	for (int i = 0; i < 512; i++) /* dyadic numbers of few bits: exact with and without contraction */
		wrong +=
			(double)y.host[i] != c[0] + (double)v[i] * (c[1] + (double)v[i] * (c[2] + (double)v[i] * c[3]));
	wrong += count != 511 * 512 / 2;
	std::printf("polynomial of %s: %d wrong\n", name, wrong);
	return wrong;
}

static int case_symbols()
{
	return polynomials<float>("float") + polynomials<double>("double");
}

/* --- cooperative groups: parts of a wave and of a workgroup; grid sync, if the device supports it --- */
namespace groups = cooperative_groups;
__global__ void parts(int *out)
{
	groups::thread_block block = groups::this_thread_block();
	groups::thread_block_tile<16> part = groups::tiled_partition<16>(block);
	__shared__ int sums[16];
	int v = (int)block.thread_rank();

	for (int k = 8; k; k /= 2)
		v += part.shfl_xor(v, k);
	if (!part.thread_rank())
		sums[threadIdx.x / part.size()] = v;
	block.sync();
	out[threadIdx.x] = sums[15 - threadIdx.x / 16] + (int)part.thread_rank();
}

__global__ void take_rounds(unsigned *v, int n)
{
	groups::grid_group grid = groups::this_grid();
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	for (int k = 0; k < 3; k++) {
		v[(k + 1) * n + i] = v[k * n + (i + n - 1) % n] * 3 + i;
		grid.sync();
	}
}

static int case_cooperative()
{
	int able = 0, n = 1024, wrong = 0;
	Buffer<int> b{std::vector<int>(256)};
	Buffer<unsigned> v{std::vector<unsigned>(4 * n, 1)};
	void *args[] = {&v.device, &n};

	parts<<<1, 256>>>(b.device);
	b.fetch();
	for (int i = 0; i < 256; i++)
		wrong += b.host[i] != (15 - i / 16) * 256 + 120 + i % 16;
	CHECK(hipDeviceGetAttribute(&able, hipDeviceAttributeCooperativeLaunch, 0));
	hipError_t e =
		hipLaunchCooperativeKernel(reinterpret_cast<void *>(take_rounds), dim3(4), dim3(256), args, 0, nullptr);
	std::printf("cooperative: %d wrong, the launch of a grid that syncs: %s\n", wrong, hipGetErrorString(e));
	if (!able)
		return wrong + (e == hipSuccess) + (hipDeviceSynchronize() != hipSuccess);
	CHECK(hipDeviceSynchronize());
	v.fetch();
	for (int k = 0; k < 3 * n; k++)
		wrong += v.host[n + k] != v.host[k / n * n + (k % n + n - 1) % n] * 3 + k % n;
	return wrong + (e != hipSuccess);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	if (!std::strcmp(name, "printf"))
		return case_printf();
	if (!std::strcmp(name, "assert-good"))
		return case_assert(50);
	if (!std::strcmp(name, "assert"))
		return case_assert(64);
	if (!std::strcmp(name, "abort"))
		return case_abort();
	if (!std::strcmp(name, "calls"))
		return case_calls();
	if (!std::strcmp(name, "product"))
		return case_product();
	if (!std::strcmp(name, "symbols"))
		return case_symbols();
	if (!std::strcmp(name, "cooperative"))
		return case_cooperative();
	std::printf("runtime printf|assert-good|assert|abort|calls|product|symbols|cooperative\n");
	return 2;
}

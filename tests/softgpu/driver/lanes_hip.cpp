// What lanes, waves and workgroups do together, on waves of 32 and of 64: lanes-hip CASE. Results are checked on the
// host.
#include <hip/hip_runtime.h>

#include <cmath>
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

static int expect(bool good, const char *what)
{
	if (!good)
		printf("failed: %s\n", what);
	return good ? 0 : 1;
}

static int wave_size()
{
	int size = 0;

	CHECK(hipDeviceGetAttribute(&size, hipDeviceAttributeWarpSize, 0));
	return size;
}

template <typename T> struct device_array {
	T *data;
	size_t count;

	explicit device_array(size_t n) : count(n)
	{
		CHECK(hipMalloc(&data, n * sizeof(T)));
		CHECK(hipMemset(data, 0, n * sizeof(T)));
	}
	~device_array() { (void)hipFree(data); }
	std::vector<T> read() const
	{
		std::vector<T> out(count);
		CHECK(hipMemcpy(out.data(), data, count * sizeof(T), hipMemcpyDeviceToHost));
		return out;
	}
	void write(const std::vector<T> &from)
	{
		CHECK(hipMemcpy(data, from.data(), count * sizeof(T), hipMemcpyHostToDevice));
	}
};

// --- lanes of a wave ---
enum { SHUFFLED = 6 };

__global__ void exchange(int *out, unsigned long long *votes)
{
	int i = threadIdx.x, v = 100 * i + 7;

	out[SHUFFLED * i] = __shfl(v, (i * 5 + 3) % warpSize);
	out[SHUFFLED * i + 1] = __shfl_up(v, 3);
	out[SHUFFLED * i + 2] = __shfl_down(v, 9);
	out[SHUFFLED * i + 3] = __shfl_xor(v, 21);
	out[SHUFFLED * i + 4] = __shfl(v, 2, 8);
	out[SHUFFLED * i + 5] = __any(i % warpSize == 5) * 2 + __all(i >= 0);
	votes[i] = __ballot(i % 3 == 0);
}

static int shuffles(const char *)
{
	const int n = 128, wave = wave_size();
	device_array<int> d(SHUFFLED * n);
	device_array<unsigned long long> votes(n);
	int wrong = 0;

	exchange<<<1, n>>>(d.data, votes.data);
	auto out = d.read();
	auto ballot = votes.read();
	for (int i = 0; i < n; i++) {
		int lane = i % wave, base = i - lane;
		int from[SHUFFLED - 1] = {base + (i * 5 + 3) % wave, lane < 3 ? i : i - 3, lane + 9 < wave ? i + 9 : i,
			base + (lane ^ 21), i / 8 * 8 + 2};
		unsigned long long expected = 0;
		for (int k = 0; k < SHUFFLED - 1; k++)
			wrong += out[SHUFFLED * i + k] != 100 * from[k] + 7;
		wrong += out[SHUFFLED * i + SHUFFLED - 1] != 3;
		for (int k = 0; k < wave; k++)
			expected |= (unsigned long long)((base + k) % 3 == 0) << k;
		wrong += ballot[i] != expected;
	}
	return expect(wrong == 0, "values of other lanes");
}

// A branch of some lanes, a loop of lengths that differ.
__global__ void diverge(const unsigned *in, unsigned *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i], steps = 0;

	while (v != 1) {
		v = v & 1 ? 3 * v + 1 : v / 2;
		steps++;
	}
	out[i] = steps;
}

static int divergence(const char *)
{
	const int n = 512;
	device_array<unsigned> in(n), out(n);
	std::vector<unsigned> values(n);
	int wrong = 0;

	for (int i = 0; i < n; i++)
		values[i] = i + 1;
	in.write(values);
	diverge<<<n / 128, 128>>>(in.data, out.data);
	auto steps = out.read();
	for (int i = 0; i < n; i++) {
		unsigned expected = 0;
		for (unsigned v = values[i]; v != 1; expected++)
			v = v & 1 ? 3 * v + 1 : v / 2;
		wrong += steps[i] != expected;
	}
	return expect(wrong == 0, "lengths of sequences");
}

// --- workgroups ---
__global__ void reduce(const int *in, int *sums)
{
	__shared__ int fixed[256];
	extern __shared__ int dynamic[];
	int i = threadIdx.x, n = blockDim.x;

	fixed[i] = in[blockIdx.x * n + i];
	__syncthreads();
	dynamic[n - 1 - i] = fixed[i];
	__syncthreads();
	for (int half = n / 2; half; half /= 2) {
		if (i < half)
			dynamic[i] += dynamic[i + half];
		__syncthreads();
	}
	if (i == 0)
		sums[blockIdx.x] = dynamic[0];
}

static int local_memory(const char *)
{
	const int block = 256, groups = 200, n = block * groups;
	device_array<int> in(n), out(groups);
	std::vector<int> values(n);
	int wrong = 0;

	for (int i = 0; i < n; i++)
		values[i] = i * 2654435761u >> 20;
	in.write(values);
	reduce<<<groups, block, block * sizeof(int)>>>(in.data, out.data);
	auto sums = out.read();
	for (int g = 0; g < groups; g++) {
		int sum = 0;
		for (int i = 0; i < block; i++)
			sum += values[g * block + i];
		wrong += sums[g] != sum;
	}
	return expect(wrong == 0, "sums through LDS");
}

struct totals {
	int sum, most, bits, inside, swapped;
	unsigned long long wide;
	float real;
	double exact;
};

__global__ void count(totals *t)
{
	__shared__ int here;
	int i = blockIdx.x * blockDim.x + threadIdx.x, old, seen;

	if (threadIdx.x == 0)
		here = 0;
	__syncthreads();
	atomicAdd(&here, 1);
	__syncthreads();
	if (threadIdx.x == 0)
		atomicAdd(&t->inside, here);
	atomicAdd(&t->sum, i);
	atomicMax(&t->most, i);
	atomicOr(&t->bits, 1 << i % 31);
	atomicAdd(&t->wide, 0x100000001ull);
	atomicAdd(&t->real, 1.0f);
	atomicAdd(&t->exact, 0.5);
	for (old = t->swapped; (seen = atomicCAS(&t->swapped, old, old + 2)) != old; old = seen)
		;
}

static int atomics(const char *)
{
	const int n = 96 * 64;
	device_array<totals> d(1);

	count<<<96, 64>>>(d.data);
	totals t = d.read()[0];
	return expect(t.sum == n * (n - 1) / 2 && t.most == n - 1 && t.bits == 0x7fffffff, "32-bit atomics") +
		expect(t.inside == n, "atomics in LDS") + expect(t.wide == 0x100000001ull * n, "64-bit atomics") +
		expect(t.real == (float)n && t.exact == n / 2.0, "floating-point atomics") +
		expect(t.swapped == 2 * n, "compare and swap");
}

// --- scratch ---
__device__ __noinline__ int depth(int n, int *path)
{
	int mine[8];

	for (int i = 0; i < 8; i++)
		mine[i] = n * i + path[i];
	return n ? mine[n & 7] + depth(n - 1, mine) : mine[3];
}

static int depth_on_host(int n, int *path)
{
	int mine[8];

	for (int i = 0; i < 8; i++)
		mine[i] = n * i + path[i];
	return n ? mine[n & 7] + depth_on_host(n - 1, mine) : mine[3];
}

__global__ void recurse(int *out)
{
	int path[8] = {0, 1, 2, 3, 4, 5, 6, (int)threadIdx.x};

	out[blockIdx.x * blockDim.x + threadIdx.x] = depth(threadIdx.x % 10, path);
}

static int stack(const char *)
{
	const int n = 64 * 100;
	device_array<int> d(n);
	int wrong = 0;

	recurse<<<100, 64>>>(d.data);
	auto out = d.read();
	for (int i = 0; i < n; i++) {
		int path[8] = {0, 1, 2, 3, 4, 5, 6, i % 64};
		wrong += out[i] != depth_on_host(i % 64 % 10, path);
	}
	return expect(wrong == 0, "calls with arrays on the stack");
}

// --- numbers ---
enum { RESULTS = 6 };

__global__ void compute(const double *in, double *out)
{
	int i = threadIdx.x;
	double x = in[i];

	out[RESULTS * i] = fma(x, x, 1 / x);
	out[RESULTS * i + 1] = sqrt(x);
	out[RESULTS * i + 2] = exp(-x);
	out[RESULTS * i + 3] = log(x);
	out[RESULTS * i + 4] = sin(x);
	out[RESULTS * i + 5] = (double)((long long)(x * 1e6) / 7 % 1000003);
}

static int doubles(const char *)
{
	const int n = 256;
	device_array<double> in(n), d(RESULTS * n);
	std::vector<double> x(n);
	int wrong = 0;

	for (int i = 0; i < n; i++)
		x[i] = 0.01 + i * 0.37;
	in.write(x);
	compute<<<1, n>>>(in.data, d.data);
	auto out = d.read();
	for (int i = 0; i < n; i++) {
		double expected[RESULTS] = {std::fma(x[i], x[i], 1 / x[i]), std::sqrt(x[i]), std::exp(-x[i]),
			std::log(x[i]), std::sin(x[i]), (double)((long long)(x[i] * 1e6) / 7 % 1000003)};
		for (int k = 0; k < RESULTS; k++) {
			double allowed =
				k == 2 || k == 3 || k == 4 ? 4e-16 * std::fmax(std::fabs(expected[k]), 1e-3) : 0;
			wrong += !(std::fabs(out[RESULTS * i + k] - expected[k]) <= allowed);
		}
	}
	return expect(wrong == 0, "double precision");
}

static const struct {
	const char *name;
	int (*run)(const char *self);
} cases[] = {
	{"shuffles", shuffles},
	{"divergence", divergence},
	{"local-memory", local_memory},
	{"atomics", atomics},
	{"stack", stack},
	{"doubles", doubles},
};

int main(int argc, char **argv)
{
	setvbuf(stdout, nullptr, _IOLBF, 0);
	for (auto &c : cases)
		if (argc > 1 && !strcmp(argv[1], c.name))
			return c.run(argv[0]);
	printf("usage: %s CASE\n", argv[0]);
	return 2;
}

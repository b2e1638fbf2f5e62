// Chains of x = x * y + y and y = y * x + x in registers, in all units:
//   chains f32|f64|f16x2|i32|i24|i16x2|i64|dot4
#include "prediction.h"

enum { BLOCK = 256, BLOCKS_PER_UNIT = 8, STEPS = 32, LOOPS = 32 };
typedef _Float16 half2_t __attribute__((ext_vector_type(2)));
typedef short short2_t __attribute__((ext_vector_type(2)));
struct int24 {
	int value;
};
struct bytes4 {
	int value;
};

template <class T> static __device__ T multiply_add(T a, T b)
{
	return a * b + b;
}

template <> __device__ int24 multiply_add(int24 a, int24 b)
{
	return {__mul24(a.value, b.value) + b.value};
}

// gfx900 has no such instruction, and is not asked.
template <> __device__ bytes4 multiply_add(bytes4 a, bytes4 b)
{
#if defined(__gfx906__) || defined(__gfx908__)
	return {__builtin_amdgcn_sdot4(a.value, b.value, b.value, false)};
#else
	return a;
#endif
}

template <class T> __global__ void chain(T *values, unsigned loops)
{
	T *own = values + blockIdx.x * blockDim.x + threadIdx.x;
	T a = own[0], b = own[1];
	for (unsigned i = 0; i < loops; i++)
#pragma unroll
		for (unsigned k = 0; k < STEPS; k++) {
			a = multiply_add(a, b);
			b = multiply_add(b, a);
		}
	own[0] = multiply_add(a, b);
}

// Operations are those of the type: an f16x2 step has four.
template <class T> static void measure_chain(const char *type, unsigned operations)
{
	unsigned blocks = count_units() * BLOCKS_PER_UNIT;
	T *values = allocate_zeros<T>(blocks * BLOCK + 1);
	auto launch = [&](unsigned n) { chain<T><<<blocks, BLOCK>>>(values, n); };
	double seconds = time_work(launch, LOOPS);
	print_row("chains", type, "Gop/s", 2.0 * STEPS * LOOPS * operations * blocks * BLOCK / seconds / 1e9);
}

int main(int, char **argv)
{
	static const struct {
		const char *type;
		void (*measure)(const char *type, unsigned operations);
		unsigned operations;
	} chains[] = {
		{"f32", measure_chain<float>, 2},
		{"f64", measure_chain<double>, 2},
		{"f16x2", measure_chain<half2_t>, 4},
		{"i16x2", measure_chain<short2_t>, 4},
		{"i24", measure_chain<int24>, 2},
		{"i32", measure_chain<int>, 2},
		{"i64", measure_chain<long>, 2},
		{"dot4", measure_chain<bytes4>, 8},
	};
	for (auto &one : chains)
		if (!strcmp(one.type, argv[1]))
			one.measure(one.type, one.operations);
}

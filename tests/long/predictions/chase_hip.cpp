// One wave follows pointers through a ring, and each load waits for the one before it:
//   chase vector|scalar|lds BYTES STRIDE
#include "prediction.h"

template <int SPACE> struct link {
	const __attribute__((address_space(SPACE))) link *next;
};
template <int SPACE> using place = const __attribute__((address_space(SPACE))) link<SPACE> *;
enum { GLOBAL = 1, LDS = 3, CONSTANT = 4, STEPS = 8192, LDS_BYTES = 65536 };

template <int SPACE> static __device__ place<SPACE> follow(place<SPACE> at, unsigned steps)
{
#pragma unroll 16
	for (unsigned i = 0; i < steps; i++)
		at = at->next;
	return at;
}

// Follows the whole ring once, then times the steps.
template <int SPACE>
static __device__ void time_steps(place<SPACE> at, unsigned length, unsigned steps, long long *cycles)
{
	at = follow<SPACE>(at, length);
	long long start = clock64();
	at = follow<SPACE>(at, steps);
	cycles[0] = clock64() - start;
	cycles[1] = (long long)at;
}

// Work-items have vector addresses; a kernel's argument has a scalar one.
__global__ void chase_vector(char *ring, unsigned length, unsigned, unsigned steps, long long *cycles)
{
	time_steps<GLOBAL>((place<GLOBAL>)(ring + threadIdx.x), length, steps, cycles);
}

__global__ void chase_scalar(char *ring, unsigned length, unsigned, unsigned steps, long long *cycles)
{
	time_steps<CONSTANT>((place<CONSTANT>)ring, length, steps, cycles);
}

__global__ void chase_lds(char *, unsigned length, unsigned stride, unsigned steps, long long *cycles)
{
	__shared__ char ring[LDS_BYTES];
	for (unsigned i = 0; i < length; i++)
		*(volatile unsigned *)(ring + i * stride) =
			(unsigned)(size_t)(place<LDS>)(ring + (i + 1) % length * stride);
	time_steps<LDS>((place<LDS>)(ring + threadIdx.x), length, steps, cycles);
}

__global__ void link_ring(char *ring, unsigned length, unsigned stride)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x)
		*(char **)(ring + size_t(i) * stride) = ring + size_t(i + 1) % length * stride;
}

int main(int argc, char **argv)
{
	unsigned bytes = atoi(argv[2]), stride = atoi(argv[3]), length = bytes / stride;
	char *ring = allocate_zeros<char>(bytes);
	long long *cycles = allocate_zeros<long long>(2);
	link_ring<<<64, 256>>>(ring, length, stride);
	auto kernel = !strcmp(argv[1], "vector") ? chase_vector : !strcmp(argv[1], "scalar") ? chase_scalar : chase_lds;
	auto count_cycles = [&](unsigned steps) {
		long long result;
		kernel<<<1, 1>>>(ring, length, stride, steps, cycles);
		check(hipMemcpy(&result, cycles, sizeof result, hipMemcpyDeviceToHost));
		return result;
	};
	count_cycles(STEPS); // fills the instruction cache
	long long once = count_cycles(STEPS), twice = count_cycles(2 * STEPS);
	char text[80];
	snprintf(text, sizeof text, "%s, %u bytes, stride %u", argv[1], bytes, stride);
	print_row("chase", text, "cycles", double(twice - once) / STEPS);
}

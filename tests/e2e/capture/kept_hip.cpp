/* A program whose launches are kept: a conflict of LDS banks, reads that are not coalesced, a sum by atomics in float,
 * a kernel with a long name. `input` copies its standard input; `print` has a kernel that waits for its program;
 * `long` has one that takes seconds; `exit3`, `crash`; `interrupt FILE` makes the file and then waits for a signal. */
#include <hip/hip_runtime.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

enum { N = 64 };

/* A column of the tile lies in one bank. */
__global__ void transpose_tile(const float *in, float *out)
{
	__shared__ float tile[32][32];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int k = 0; k < 32; k += 8)
		tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * N + x];
	__syncthreads();
	for (int k = 0; k < 32; k += 8)
		out[(y + k) * N + x] = tile[threadIdx.x][threadIdx.y + k];
}

/* Neighbors read a row apart. */
__global__ void sum_rows(const float *in, float *out)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int i = 0; i < N; i++)
		sum += in[row * N + i];
	out[row] = sum;
}

/* The order of waves shows in the last bits. */
__global__ void add_all(const float *in, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	atomicAdd(out, in[i] / 3 + 1e-3f * i);
}

template <typename A, typename B> struct with_a_name_that_takes_many_characters_in_the_symbol_of_the_kernel {
	A a;
	B b;
};
template <typename T> __global__ void fill(T *out)
{
	out[threadIdx.x].a = threadIdx.x;
}
typedef with_a_name_that_takes_many_characters_in_the_symbol_of_the_kernel<int, float> pair;
struct another_type_with_a_name_that_takes_many_characters_in_the_symbol_of_the_kernel {
	pair inner;
};
typedef with_a_name_that_takes_many_characters_in_the_symbol_of_the_kernel<float,
	another_type_with_a_name_that_takes_many_characters_in_the_symbol_of_the_kernel>
	nested;

__global__ void print_sum(const float *out)
{
	printf("the kernel prints %g\n", out[3]);
}

/* Takes seconds on the software GPU, and as long when it runs again. */
__global__ void mix(unsigned *out)
{
	unsigned x = threadIdx.x;
	for (unsigned i = 0; i < 80000000; i++)
		x = x * 1664525 + (x >> 7);
	out[threadIdx.x] = x;
}

static int run_long_kernel()
{
	unsigned *out;
	if (hipMalloc(&out, 256))
		return 1;
	mix<<<1, 64>>>(out);
	return hipDeviceSynchronize() != hipSuccess;
}

static int run_kernels(bool print)
{
	float *in, *out, *total, h[N * N];
	nested *pairs;
	for (int i = 0; i < N * N; i++)
		h[i] = i % 7;
	if (hipMalloc(&in, sizeof h) || hipMalloc(&out, sizeof h) || hipMalloc(&total, 4) ||
		hipMalloc(&pairs, 64 * sizeof *pairs) || hipMemcpy(in, h, sizeof h, hipMemcpyHostToDevice) ||
		hipMemcpy(total, h, 4, hipMemcpyHostToDevice))
		return 1;
	for (int i = 0; i < 2; i++) {
		transpose_tile<<<dim3(N / 32, N / 32), dim3(32, 8)>>>(in, out);
		sum_rows<<<1, N>>>(out, out);
		add_all<<<N * N / 256, 256>>>(in, total);
		fill<<<1, 64>>>(pairs);
	}
	if (print)
		print_sum<<<1, 1>>>(out);
	if (hipMemcpy(h, out, sizeof h, hipMemcpyDeviceToHost))
		return 1;
	printf("row 3: %g\n", h[3]);
	return 0;
}

static void copy_input()
{
	char text[256];
	for (size_t n; (n = fread(text, 1, sizeof text, stdin));)
		fwrite(text, 1, n, stdout);
	fputs("and an error\n", stderr);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	if (!strcmp(what, "idle"))
		return 0;
	if (!strcmp(what, "long"))
		return run_long_kernel();
	int status = run_kernels(!strcmp(what, "print"));
	fflush(stdout);
	if (!strcmp(what, "input"))
		copy_input();
	if (!strcmp(what, "exit3"))
		return 3;
	if (!strcmp(what, "crash"))
		raise(SIGSEGV);
	if (!strcmp(what, "interrupt") && argc > 2 && fopen(argv[2], "w"))
		for (;;) /* the handler that ends the program runs in another thread */
			pause();
	return status;
}

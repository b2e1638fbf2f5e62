// Each work-item reads or writes 16 words, in a loop: coalesced, where neighbors have neighboring words, or misaligned,
// where each has a line of its own. Or it copies words, or 16 bytes at a time:
//   accesses read|write|read-misaligned|write-misaligned|copy|copy-float4
#include "prediction.h"

enum { BLOCK = 256, WORDS = 16, ITEMS = 1 << 20, MOST_ITEMS = 2 * ITEMS };

__global__ void read(float *data, float4 *)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (unsigned k = 0; k < WORDS; k++)
		sum += data[k * MOST_ITEMS + i];
	data[i] = sum;
}

__global__ void write(float *data, float4 *)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	for (unsigned k = 0; k < WORDS; k++)
		data[k * MOST_ITEMS + i] = 0;
}

// The compiler joins four words here and below.
__global__ void read_misaligned(float *data, float4 *)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (unsigned k = 0; k < WORDS; k++)
		sum += data[i * WORDS + k];
	data[i] = sum;
}

__global__ void write_misaligned(float *data, float4 *)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	for (unsigned k = 0; k < WORDS; k++)
		data[i * WORDS + k] = 0;
}

__global__ void copy(float *__restrict__ data, float4 *__restrict__ out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	for (unsigned k = 0; k < WORDS; k++)
		((float *)out)[k * MOST_ITEMS + i] = data[k * MOST_ITEMS + i];
}

__global__ void copy_float4(float *__restrict__ data, float4 *__restrict__ out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	for (unsigned k = 0; k < WORDS / 4; k++)
		out[k * MOST_ITEMS + i] = ((float4 *)data)[k * MOST_ITEMS + i];
}

static const struct {
	const char *name;
	void (*kernel)(float *data, float4 *out);
	unsigned streams;
} forms[] = {
	{"read", read, 1},
	{"write", write, 1},
	{"read-misaligned", read_misaligned, 1},
	{"write-misaligned", write_misaligned, 1},
	{"copy", copy, 2},
	{"copy-float4", copy_float4, 2},
};

int main(int, char **argv)
{
	float *data = allocate_zeros<float>(MOST_ITEMS * WORDS);
	float4 *out = allocate_zeros<float4>(MOST_ITEMS * WORDS / 4);
	for (auto &form : forms) {
		if (strcmp(form.name, argv[1]))
			continue;
		auto launch = [&](unsigned n) { form.kernel<<<n / BLOCK, BLOCK>>>(data, out); };
		double seconds = time_work(launch, ITEMS);
		print_row("accesses", form.name, "GB/s", 4.0 * ITEMS * WORDS * form.streams / seconds / 1e9);
	}
}

// All units read or write one array in passes; its size chooses the level of memory:
//   levels read|write MEGABYTES BLOCK
#include "prediction.h"

enum { ITEMS_PER_UNIT = 2048 };

__global__ void read_passes(float4 *data, unsigned count, unsigned passes)
{
	float4 sum = {};
	for (unsigned pass = 0; pass < passes; pass++)
		for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
			sum += data[i];
	if (sum.x + sum.y + sum.z + sum.w == 123)
		data[0] = sum;
}

__global__ void write_passes(float4 *data, unsigned count, unsigned passes)
{
	for (unsigned pass = 0; pass < passes; pass++)
		for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
			data[i] = make_float4(pass, pass, pass, pass);
}

int main(int argc, char **argv)
{
	unsigned megabytes = atoi(argv[2]), block = atoi(argv[3]), count = megabytes << 16,
		 passes = megabytes < 64 ? 64 / megabytes : 1;
	float4 *data = allocate_zeros<float4>(count);
	auto kernel = !strcmp(argv[1], "read") ? read_passes : write_passes;
	unsigned blocks = count_units() * ITEMS_PER_UNIT / block;
	auto launch = [&](unsigned n) { kernel<<<blocks, block>>>(data, count, n); };
	double seconds = time_work(launch, passes);
	char text[80];
	snprintf(text, sizeof text, "%s, %u MiB, float4, blocks of %u", argv[1], megabytes, block);
	print_row("levels", text, "GB/s", double(count) * sizeof(float4) * passes / seconds / 1e9);
}

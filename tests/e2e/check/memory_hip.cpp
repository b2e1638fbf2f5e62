/* Kernels that access memory of the GPU: outside of it, after it was freed, and before anything was written there. */
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void fill(float *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i <= n)
		p[i] = i; // line: fill
}

__global__ void use(float *p)
{
	p[threadIdx.x] = 1; // line: use
}

__global__ void branch(const int *p, int n, int *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n && p[i] == 7) // line: branch
		out[0] = 1;
}

__device__ int table[64];
__constant__ int weights[4] = {1, 2, 3, 4};

__global__ void fill_table(int from)
{
	table[threadIdx.x + from] = 1; // line: table
}

__global__ void weigh(int *out, int less)
{
	out[threadIdx.x] = weights[static_cast<int>(threadIdx.x) - less]; // line: weights
}

struct settings {
	int value[8];
};

__global__ void read_settings(settings s, int from, int *out)
{
	out[threadIdx.x] = s.value[from + threadIdx.x]; // line: settings
}

__global__ void fetch(hipTextureObject_t t, float *out)
{
	out[threadIdx.x] = tex2D<float>(t, threadIdx.x, 0); // line: fetch
}

/* Reads a texture of an array, which may be freed before. */
static void fetch_from_array(float *out, bool frees)
{
	hipArray *array;
	hipTextureObject_t texture;
	hipResourceDesc from = {};
	hipTextureDesc how = {};
	const hipChannelFormatDesc format = hipCreateChannelDesc<float>();
	bool ok = hipMallocArray(&array, &format, 64, 4) == hipSuccess; // line: array
	from.resType = hipResourceTypeArray;
	from.res.array.array = array;
	ok = ok && hipCreateTextureObject(&texture, &from, &how, nullptr) == hipSuccess;
	ok = ok && (!frees || hipFreeArray(array) == hipSuccess); // line: free array
	if (!ok)
		exit(3);
	fetch<<<1, 64>>>(texture, out);
}

static float *allocate(int n)
{
	void *p = nullptr;
	if (hipMalloc(&p, n * sizeof(float)) != hipSuccess) // line: allocate
		exit(3);
	return static_cast<float *>(p);
}

static void branch_on(void *p, size_t bytes, int *out)
{
	branch<<<(bytes / 4 + 255) / 256, 256>>>(static_cast<int *>(p), bytes / 4, out);
	if (hipDeviceSynchronize() != hipSuccess)
		exit(3);
}

/* Each way to write `bytes` zeros to memory of the GPU. */
static void write_zeros(size_t bytes, int *out)
{
	void *host = calloc(bytes, 1), *pinned, *to, *other;
	bool ok = hipHostMalloc(&pinned, bytes) == hipSuccess;
	memset(pinned, 0, bytes);
	ok = ok && hipMalloc(&to, bytes) == hipSuccess &&
		hipMemcpy(to, host, bytes, hipMemcpyHostToDevice) == hipSuccess;
	branch_on(to, bytes, out);
	ok = ok && hipMalloc(&other, bytes) == hipSuccess &&
		hipMemcpy(other, to, bytes, hipMemcpyDeviceToDevice) == hipSuccess;
	branch_on(other, bytes, out);
	ok = ok && hipMalloc(&other, bytes) == hipSuccess && hipMemset(other, 0, bytes) == hipSuccess;
	branch_on(other, bytes, out);
	ok = ok && hipMalloc(&other, bytes) == hipSuccess &&
		hipMemcpy(other, host, bytes, hipMemcpyDefault) == hipSuccess;
	branch_on(other, bytes, out);
	ok = ok && hipMalloc(&other, bytes) == hipSuccess &&
		hipMemcpyAsync(other, pinned, bytes, hipMemcpyHostToDevice, nullptr) == hipSuccess;
	branch_on(other, bytes, out);
	ok = ok && hipMalloc(&other, bytes) == hipSuccess &&
		hipMemcpy2D(other, 32, host, 32, 32, bytes / 32, hipMemcpyHostToDevice) == hipSuccess;
	branch_on(other, bytes, out);
	ok = ok && hipMalloc(&other, bytes) == hipSuccess && hipMemsetD32(other, 0, bytes / 4) == hipSuccess;
	branch_on(other, bytes, out);
	branch_on(pinned, bytes, out);
	if (!ok)
		exit(3);
}

int main(int count, char **cases)
{
	int *out = reinterpret_cast<int *>(allocate(64));
	for (int k = 1; k < count; k++)
		if (!strcmp(cases[k], "end")) {
			fill<<<1, 256>>>(allocate(100), 100);
		} else if (!strcmp(cases[k], "end-ok")) {
			fill<<<1, 256>>>(allocate(100), 99);
		} else if (!strcmp(cases[k], "short") || !strcmp(cases[k], "short-ok")) {
			float *before = allocate(16), *p = allocate(16), *after = allocate(16);
			use<<<1, 16>>>(before);
			use<<<1, 16>>>(after);
			fill<<<1, 64>>>(p, strcmp(cases[k], "short") ? 15 : 16);
		} else if (!strcmp(cases[k], "freed")) {
			float *p = allocate(64);
			if (hipFree(p) != hipSuccess) // line: free
				return 3;
			use<<<1, 64>>>(p);
		} else if (!strcmp(cases[k], "freed-ok")) {
			use<<<1, 64>>>(allocate(64));
		} else if (!strcmp(cases[k], "unmapped")) {
			use<<<1, 64>>>(nullptr);
		} else if (!strcmp(cases[k], "undefined")) {
			branch_on(allocate(64), 256, out);
		} else if (!strcmp(cases[k], "variable")) {
			fill_table<<<1, 64>>>(2);
			weigh<<<1, 4>>>(out, 1);
		} else if (!strcmp(cases[k], "variable-ok")) {
			fill_table<<<1, 64>>>(0);
			weigh<<<1, 4>>>(out, 0);
		} else if (!strcmp(cases[k], "settings")) {
			read_settings<<<1, 1>>>({}, 100, out);
		} else if (!strcmp(cases[k], "settings-ok")) {
			read_settings<<<1, 8>>>({}, 0, out);
		} else if (!strcmp(cases[k], "array")) {
			fetch_from_array(reinterpret_cast<float *>(out), true);
		} else if (!strcmp(cases[k], "array-ok")) {
			fetch_from_array(reinterpret_cast<float *>(out), false);
		} else if (!strcmp(cases[k], "undefined-ok")) {
			for (size_t bytes : {64, 4096, 16384, 65536, 1 << 20})
				write_zeros(bytes, out);
		}
	printf("%s\n", hipGetErrorName(hipDeviceSynchronize()));
	return 0;
}

// A program for sweeps over its arguments: n=N block=B times=T launches `scale` T times, and `prepare` once.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

__global__ void prepare(float *to, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		to[i] = i;
}

__global__ void scale(float *to, const float *from, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < 16; k++)
		sum += from[(i + k * 1024) % n];
	if (i < n)
		to[i] = sum;
}

static void take_mode(const char *mode)
{
	if (!strcmp(mode, "bad")) {
		fprintf(stderr, "first line\nthis mode is bad\n\n");
		exit(3);
	}
	if (!strcmp(mode, "crash"))
		abort();
	if (!strcmp(mode, "idle"))
		exit(0);
	if (!strcmp(mode, "long")) {
		FILE *waits = fopen("waits.part", "w");
		fprintf(waits, "%d\n", (int)getpid());
		fclose(waits);
		rename("waits.part", "waits");
		for (;;)
			sleep(1);
	}
}

int main(int argc, char **argv)
{
	int n = 1024, block = 64, times = 1;
	float *from, *to;
	for (int i = 1; i < argc; i++) {
		sscanf(argv[i], "n=%d", &n);
		sscanf(argv[i], "block=%d", &block);
		sscanf(argv[i], "times=%d", &times);
		if (!strncmp(argv[i], "mode=", 5))
			take_mode(argv[i] + 5);
		if (!strncmp(argv[i], "text=", 5) && strcmp(argv[i] + 5, "two words") != 0)
			return 4;
	}
	hipMalloc(&from, n * sizeof *from);
	hipMalloc(&to, n * sizeof *to);
	prepare<<<(n + block - 1) / block, block>>>(from, n);
	for (int i = 0; i < times; i++)
		scale<<<(n + block - 1) / block, block>>>(to, from, n);
	return hipDeviceSynchronize() != hipSuccess;
}

/* Kernels that store what was never written, and hosts that copy it: arguments choose. Comments "line: NAME" are for
 * the test. */
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { ITEMS = 256, BYTES = ITEMS * 4 };

__global__ void move(const int *in, int *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = in[i]; // line: move
}

__global__ void move_bytes(const char *in, char *out)
{
	out[threadIdx.x] = in[threadIdx.x]; // line: move bytes
}

__global__ void fill(int *out)
{
	out[blockIdx.x * blockDim.x + threadIdx.x] = 0;
}

__global__ void sum(int *out)
{
	__shared__ int s[64]; /* the last one is never written */
	if (threadIdx.x < 63)
		s[threadIdx.x] = threadIdx.x;
	__syncthreads();
	out[threadIdx.x] = s[threadIdx.x] + 1; // line: sum
}

struct padded {
	char tag;
	int value;
	short last;
};

__global__ void fill_members(padded *out, int n)
{
	out[threadIdx.x].tag = 1;
	out[threadIdx.x].value = n;
	out[threadIdx.x].last = 2;
}

__global__ void fill_whole(padded *out, int n)
{
	padded p;
	p.tag = 1;
	p.value = n;
	p.last = 2;
	out[threadIdx.x] = p;
}

static int *in, *out, *pinned, host[ITEMS];

/* out has what was never written. */
static void leave_undefined()
{
	move<<<4, 64>>>(in, out);
}

static void read_back(void *to, const int *from, size_t bytes)
{
	hipMemcpy(to, from, bytes, hipMemcpyDeviceToHost); // line: read back
}

static void read_box(bool async, size_t width)
{
	hipMemcpy3DParms p = {};
	p.srcPtr = make_hipPitchedPtr(out, 128, 128, 4);
	p.dstPtr = make_hipPitchedPtr(host, 128, 128, 4);
	p.extent = make_hipExtent(width, 4, 2);
	p.kind = hipMemcpyDeviceToHost;
	if (async)
		hipMemcpy3DAsync(&p, 0); // line: box async
	else
		hipMemcpy3D(&p); // line: box
	hipDeviceSynchronize();
}

/* The last 64 bytes of each row of 128 are undefined. */
static void leave_rows()
{
	leave_undefined();
	hipMemset2D(out, 128, 0, 64, 8);
}

static void run(const char *what)
{
	padded *p = reinterpret_cast<padded *>(out);
	char *bytes = reinterpret_cast<char *>(out);

	if (!strcmp(what, "all")) {
		leave_undefined();
		read_back(host, out, BYTES);
	} else if (!strcmp(what, "one")) {
		leave_undefined();
		read_back(host, out + 70, 4);
	} else if (!strcmp(what, "default")) {
		leave_undefined();
		hipMemcpy(host, out, BYTES, hipMemcpyDefault); // line: default
	} else if (!strcmp(what, "twice")) {
		leave_undefined();
		read_back(host, out, BYTES / 2);
		read_back(host, out, BYTES);
	} else if (!strcmp(what, "async")) {
		leave_undefined();
		hipMemcpyAsync(pinned, out, BYTES, hipMemcpyDeviceToHost, 0); // line: async
		hipDeviceSynchronize();
	} else if (!strcmp(what, "later")) { /* not the copy that was requested first */
		fill<<<4, 64>>>(out);
		hipMemcpyAsync(pinned, out, BYTES, hipMemcpyDeviceToHost, 0);
		hipDeviceSynchronize();
		leave_undefined();
		hipMemcpy(host, out, BYTES, hipMemcpyDeviceToHost); // line: later
	} else if (!strcmp(what, "async-ok")) { /* requested before the kernel that fills it has run */
		leave_undefined();
		fill<<<4, 64>>>(out);
		hipMemcpyAsync(pinned, out, BYTES, hipMemcpyDeviceToHost, 0);
		hipDeviceSynchronize();
	} else if (!strcmp(what, "address")) {
		leave_undefined();
		hipMemcpyDtoH(host, out, BYTES); // line: address
	} else if (!strcmp(what, "address-async")) {
		leave_undefined();
		hipMemcpyDtoHAsync(pinned, out, BYTES, 0); // line: address async
		hipDeviceSynchronize();
	} else if (!strcmp(what, "rows")) {
		leave_rows();
		hipMemcpy2D(host, 128, out, 128, 68, 8, hipMemcpyDeviceToHost); // line: rows
	} else if (!strcmp(what, "rows-async")) {
		leave_rows();
		hipMemcpy2DAsync(pinned, 128, out, 128, 68, 8, hipMemcpyDeviceToHost, 0); // line: rows async
		hipDeviceSynchronize();
	} else if (!strcmp(what, "rows-ok")) {
		leave_rows();
		hipMemcpy2D(host, 128, out, 128, 64, 8, hipMemcpyDeviceToHost);
		hipMemcpy2DAsync(pinned, 128, out, 128, 64, 8, hipMemcpyDeviceToHost, 0);
		hipDeviceSynchronize();
	} else if (!strcmp(what, "box")) {
		leave_rows();
		read_box(false, 72);
	} else if (!strcmp(what, "box-async")) {
		leave_rows();
		read_box(true, 72);
	} else if (!strcmp(what, "box-ok")) {
		leave_rows();
		read_box(false, 64);
		read_box(true, 64);
	} else if (!strcmp(what, "bytes")) {
		hipMemset(in, 0, 10);
		move_bytes<<<1, 64>>>(reinterpret_cast<char *>(in), bytes);
		read_back(host, out, 11);
	} else if (!strcmp(what, "bytes-ok")) {
		hipMemset(in, 0, 10);
		move_bytes<<<1, 64>>>(reinterpret_cast<char *>(in), bytes);
		read_back(host, out, 10);
	} else if (!strcmp(what, "sum")) {
		sum<<<1, 64>>>(out);
		read_back(host, out, 256);
	} else if (!strcmp(what, "sum-ok")) {
		sum<<<1, 64>>>(out);
		read_back(host, out, 252);
	} else if (!strcmp(what, "members-ok")) {
		fill_members<<<1, 64>>>(p, 7);
		read_back(host, out, BYTES);
	} else if (!strcmp(what, "whole-ok")) {
		fill_whole<<<1, 64>>>(p, 7);
		read_back(host, out, 64 * sizeof *p);
	} else if (!strcmp(what, "tail-ok")) { /* no kernel has stored the rest */
		fill<<<1, 64>>>(out);
		read_back(host, out, BYTES);
	} else if (!strcmp(what, "memset-ok")) {
		leave_undefined();
		hipMemset(out, 0, BYTES);
		read_back(host, out, BYTES);
	} else if (!strcmp(what, "filled-ok")) {
		hipMemset(in, 0, BYTES);
		leave_undefined();
		read_back(host, out, BYTES);
	} else if (!strcmp(what, "unread-ok")) {
		leave_undefined();
		hipDeviceSynchronize();
	} else {
		printf("unknown %s\n", what);
	}
}

int main(int argc, char **argv)
{
	hipHostMalloc(reinterpret_cast<void **>(&pinned), BYTES);
	for (int k = 1; k < argc; k++) {
		hipMalloc(reinterpret_cast<void **>(&in), BYTES);
		hipMalloc(reinterpret_cast<void **>(&out), BYTES); // line: allocate
		run(argv[k]);
		hipFree(in);
		hipFree(out);
	}
	puts(hipGetErrorName(hipGetLastError()));
	return 0;
}

// Queries about the device, and requests that may be refused, one case per run: requests-hip CASE. Exit status 0 means
// success.
#include "hip_event_files.h"

#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>
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

static int expect_error(hipError_t error, hipError_t expected, const char *what)
{
	(void)hipGetLastError();
	if (error != expected)
		printf("%s: %s\n", what, hipGetErrorName(error));
	return expect(error == expected, what);
}

enum { ITEMS = 4096 };

__global__ void add_one(int *p)
{
	p[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

__global__ void through_lds(int *p)
{
	__shared__ int s[4096];

	s[threadIdx.x] = p[threadIdx.x];
	__syncthreads();
	p[threadIdx.x] = s[threadIdx.x ^ 1];
}

__global__ void through_scratch(int *p, int n)
{
	int a[64];

	for (int i = 0; i < 64; i++)
		a[i] = p[i];
	for (int i = 0; i < n; i++)
		a[(a[i & 63] + i) & 63]++;
	p[threadIdx.x] = a[n & 63];
}

static int function_attributes(const char *)
{
	hipFuncAttributes plain, lds, scratch;
	int workgroups, wrong = 0;

	CHECK(hipFuncGetAttributes(&plain, (const void *)add_one));
	CHECK(hipFuncGetAttributes(&lds, (const void *)through_lds));
	CHECK(hipFuncGetAttributes(&scratch, (const void *)through_scratch));
	wrong += expect(plain.numRegs > 0 && plain.numRegs < 24 && !plain.sharedSizeBytes && !plain.localSizeBytes,
		"registers, LDS and scratch of a simple kernel");
	wrong += expect(plain.maxThreadsPerBlock == 1024, "the largest workgroup");
	wrong += expect(lds.sharedSizeBytes == 16384 && scratch.localSizeBytes >= 256, "LDS and scratch");
	CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&workgroups, through_lds, 64, 0));
	wrong += expect(workgroups == 4, "four workgroups with 16 KiB of LDS each");
	CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&workgroups, add_one, 64, 40000));
	return wrong + expect(workgroups == 1, "one workgroup with 40000 bytes of dynamic LDS");
}

static int free_memory(const char *)
{
	const size_t piece = size_t(1) << 30;
	size_t before, less, after, total;
	void *d;

	CHECK(hipMemGetInfo(&before, &total));
	CHECK(hipMalloc(&d, piece));
	CHECK(hipMemGetInfo(&less, &total));
	CHECK(hipFree(d));
	CHECK(hipMemGetInfo(&after, &total));
	return expect(before <= total && before - less == piece && after == before, "free memory") +
		expect_error(hipMalloc(&d, total + piece), hipErrorOutOfMemory, "allocating more than the device has");
}

static int registered_memory(const char *)
{
	std::vector<int> host(ITEMS, 7);
	int *seen, wrong = 0;

	CHECK(hipHostRegister(host.data(), ITEMS * sizeof(int), hipHostRegisterMapped));
	CHECK(hipHostGetDevicePointer((void **)&seen, host.data(), 0));
	add_one<<<ITEMS / 256, 256>>>(seen);
	CHECK(hipDeviceSynchronize());
	for (int x : host)
		wrong += x != 8;
	CHECK(hipHostUnregister(host.data()));
	return expect(!wrong, "values that the kernel wrote to registered memory") +
		expect_error(hipHostUnregister(host.data()), hipErrorHostMemoryNotRegistered, "unregistering twice");
}

// The system has one device: copies from it to itself work, all other peer calls are refused.
static int peers(const char *)
{
	int *a, *b, can = 1, wrong = 0;
	std::vector<int> out(ITEMS);

	CHECK(hipMalloc(&a, ITEMS * sizeof(int)));
	CHECK(hipMalloc(&b, ITEMS * sizeof(int)));
	CHECK(hipMemset(a, 0, ITEMS * sizeof(int)));
	add_one<<<ITEMS / 256, 256>>>(a);
	CHECK(hipMemcpyPeer(b, 0, a, 0, ITEMS * sizeof(int)));
	CHECK(hipMemcpyPeerAsync(a, 0, b, 0, ITEMS * sizeof(int), 0));
	CHECK(hipMemcpy(out.data(), a, ITEMS * sizeof(int), hipMemcpyDeviceToHost));
	for (int x : out)
		wrong += x != 1;
	CHECK(hipDeviceCanAccessPeer(&can, 0, 0));
	return expect(!wrong, "a copy from the device to itself") + expect(!can, "the device is not its own peer") +
		expect_error(hipMemcpyPeer(b, 0, a, 1, 64), hipErrorInvalidDevice, "a copy from the second device") +
		expect_error(hipDeviceCanAccessPeer(&can, 0, 1), hipErrorInvalidDevice, "access to the second device") +
		expect_error(hipDeviceEnablePeerAccess(1, 0), hipErrorInvalidDevice, "a second device as peer");
}

// An event of another process works: it is in shared memory.
static int events_of_others(const char *)
{
	hipIpcEventHandle_t handle;
	hipEvent_t event;
	int *d, status, ends[2];

	if (pipe(ends))
		return 1;
	if (fork() == 0) { // before the parent opens a device
		hipStream_t s;

		if (read(ends[0], &handle, sizeof handle) != sizeof handle)
			_exit(2);
		CHECK(hipStreamCreate(&s));
		CHECK(hipIpcOpenEventHandle(&event, handle));
		CHECK(hipStreamWaitEvent(s, event, 0));
		CHECK(hipStreamSynchronize(s));
		CHECK(hipEventSynchronize(event));
		CHECK(hipEventDestroy(event));
		_exit(0);
	}
	CHECK(hipMalloc(&d, ITEMS * sizeof(int)));
	CHECK(hipEventCreateWithFlags(&event, hipEventInterprocess | hipEventDisableTiming));
	CHECK(hipIpcGetEventHandle(&handle, event));
	add_one<<<ITEMS / 256, 256>>>(d);
	CHECK(hipEventRecord(event));
	int wrong = expect(write(ends[1], &handle, sizeof handle) == sizeof handle, "sending the handle");
	wrong += expect(wait(&status) > 0 && WIFEXITED(status) && !WEXITSTATUS(status), "the other process");
	CHECK(hipEventDestroy(event));
	remove_event_files(handle);
	return wrong;
}

// Without the right handle another process gets no memory; with it, the same bytes.
static int open_memory(const hipIpcMemHandle_t &handle)
{
	int *there, value = 0;
	hipIpcMemHandle_t forged = handle;

	forged.reserved[8] ^= 1; // of the key
	int wrong = expect(hipIpcOpenMemHandle((void **)&there, forged, hipIpcMemLazyEnablePeerAccess) != hipSuccess,
		"a forged handle");
	CHECK(hipIpcOpenMemHandle((void **)&there, handle, hipIpcMemLazyEnablePeerAccess));
	CHECK(hipMemcpy(&value, there, sizeof value, hipMemcpyDeviceToHost));
	wrong += expect(value == 0x01010101, "the bytes of another process");
	add_one<<<ITEMS / 256, 256>>>(there);
	CHECK(hipDeviceSynchronize());
	CHECK(hipIpcCloseMemHandle(there));
	return wrong;
}

static int memory_of_others(const char *)
{
	hipIpcMemHandle_t handle;
	std::vector<int> back(ITEMS);
	int *d, status, ends[2];

	if (pipe(ends))
		return 1;
	if (fork() == 0) { // before the parent opens a device
		close(ends[1]);
		_exit(read(ends[0], &handle, sizeof handle) != sizeof handle || open_memory(handle));
	}
	CHECK(hipMalloc(&d, ITEMS * sizeof(int)));
	CHECK(hipMemset(d, 1, ITEMS * sizeof(int)));
	CHECK(hipDeviceSynchronize());
	CHECK(hipIpcGetMemHandle(&handle, d));
	int wrong = expect(write(ends[1], &handle, sizeof handle) == sizeof handle, "sending the handle");
	close(ends[1]);
	wrong += expect(wait(&status) > 0 && WIFEXITED(status) && !WEXITSTATUS(status), "memory of another process");
	add_one<<<ITEMS / 256, 256>>>(d);
	CHECK(hipMemcpy(back.data(), d, ITEMS * sizeof(int), hipMemcpyDeviceToHost));
	return wrong + expect(back[0] == 0x01010103 && back[ITEMS - 1] == 0x01010103, "the kernels of both processes");
}

// --- priorities ---
__global__ void wait_for_flag(volatile int *flag)
{
	while (*flag == 0)
		__builtin_amdgcn_s_sleep(1);
}

// The last workgroup of a launch takes the next number. LDS for one workgroup on each CU.
__global__ void take_number(int *ended, int *next, int *mine)
{
	extern __shared__ int lds[];

	for (int k = 0; k < 20; k++)
		__builtin_amdgcn_s_sleep(4);
	lds[0] = atomicAdd(ended, 1);
	if (lds[0] == (int)gridDim.x - 1)
		*mine = atomicAdd(next, 1);
}

// Kernels of three streams, each of which fills the GPU several times over, wait for the same event; those of the
// highest priority place their workgroups first.
static int priorities(const char *)
{
	enum { EACH = 6, GROUPS = 640, LDS = 60 << 10 };
	int least, greatest, *flag, *next, *ended, *numbers, wrong = 0;
	std::vector<int> got(3 * EACH);
	hipStream_t first, s[3];
	hipEvent_t go;

	CHECK(hipDeviceGetStreamPriorityRange(&least, &greatest));
	wrong += expect(least > 0 && greatest < 0, "range of priorities");
	CHECK(hipHostMalloc((void **)&flag, 64, hipHostMallocCoherent));
	CHECK(hipMalloc(&next, sizeof *next));
	CHECK(hipMalloc(&numbers, 3 * EACH * sizeof *numbers));
	CHECK(hipMalloc(&ended, 3 * EACH * sizeof *ended));
	CHECK(hipMemset(next, 0, sizeof *next));
	CHECK(hipMemset(ended, 0, 3 * EACH * sizeof *ended));
	CHECK(hipDeviceSynchronize());
	*flag = 0;
	CHECK(hipStreamCreateWithFlags(&first, hipStreamNonBlocking));
	CHECK(hipEventCreateWithFlags(&go, hipEventDisableTiming));
	wait_for_flag<<<1, 1, 0, first>>>(flag);
	CHECK(hipEventRecord(go, first));
	for (int k = 0; k < 3; k++) { // the lowest priority first
		int priority = least - k, reported = 99;
		CHECK(hipStreamCreateWithPriority(&s[k], hipStreamNonBlocking, priority));
		CHECK(hipStreamGetPriority(s[k], &reported));
		wrong += expect(reported == priority, "the stream reports its priority");
		CHECK(hipStreamWaitEvent(s[k], go, 0));
		for (int i = 0; i < EACH; i++)
			take_number<<<GROUPS, 64, LDS, s[k]>>>(ended + k * EACH + i, next, numbers + k * EACH + i);
	}
	*(volatile int *)flag = 1;
	CHECK(hipDeviceSynchronize());
	CHECK(hipMemcpy(got.data(), numbers, 3 * EACH * sizeof(int), hipMemcpyDeviceToHost));
	for (int k = 0; k < 3; k++)
		printf("priority %d: numbers %d to %d\n", least - k, got[k * EACH], got[k * EACH + EACH - 1]);
	// Between two kernels of a stream, those of another one run.
	for (int k = 0; k < 2; k++)
		wrong += expect(got[(k + 1) * EACH + EACH - 1] < got[k * EACH + EACH / 2],
			"the higher priority finishes before half of the lower");
	return wrong;
}

static const struct {
	const char *name;
	int (*run)(const char *);
} cases[] = {
	{"function-attributes", function_attributes},
	{"free-memory", free_memory},
	{"registered-memory", registered_memory},
	{"peers", peers},
	{"events-of-others", events_of_others},
	{"memory-of-others", memory_of_others},
	{"priorities", priorities},
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

// What programs ask HIP about the device, and ask of it that may be refused, one case a run: asking-hip CASE. Exit
// status 0 means that all was right.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
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
		printf("wrong: %s\n", what);
	return good ? 0 : 1;
}

static int refused(hipError_t error, hipError_t want, const char *what)
{
	(void)hipGetLastError();
	if (error != want)
		printf("%s: %s\n", what, hipGetErrorName(error));
	return expect(error == want, what);
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

static int functions(const char *)
{
	hipFuncAttributes plain, lds, scratch;
	int groups, wrong = 0;

	CHECK(hipFuncGetAttributes(&plain, (const void *)add_one));
	CHECK(hipFuncGetAttributes(&lds, (const void *)through_lds));
	CHECK(hipFuncGetAttributes(&scratch, (const void *)through_scratch));
	wrong += expect(plain.numRegs > 0 && plain.numRegs < 24 && !plain.sharedSizeBytes && !plain.localSizeBytes,
		"a plain kernel");
	wrong += expect(plain.maxThreadsPerBlock == 1024, "the workgroup it may have");
	wrong += expect(lds.sharedSizeBytes == 16384 && scratch.localSizeBytes >= 256, "LDS and scratch");
	CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&groups, through_lds, 64, 0));
	wrong += expect(groups == 4, "four workgroups with 16 KiB of LDS");
	CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&groups, add_one, 64, 40000));
	return wrong + expect(groups == 1, "one workgroup with 40000 bytes of dynamic LDS");
}

static int memory_left(const char *)
{
	const size_t piece = size_t(1) << 30;
	size_t before, less, after, total;
	void *d;

	CHECK(hipMemGetInfo(&before, &total));
	CHECK(hipMalloc(&d, piece));
	CHECK(hipMemGetInfo(&less, &total));
	CHECK(hipFree(d));
	CHECK(hipMemGetInfo(&after, &total));
	return expect(before <= total && before - less == piece && after == before, "what is left") +
		refused(hipMalloc(&d, total + piece), hipErrorOutOfMemory, "more than there is");
}

static int registered(const char *)
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
	return expect(!wrong, "what the kernel wrote to registered memory") +
		refused(hipHostUnregister(host.data()), hipErrorHostMemoryNotRegistered,
			"it is not registered any more");
}

// There is one device: copies from it to itself are copies, all else about peers is refused.
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
	return expect(!wrong, "a copy from the device to itself") + expect(!can, "no peer of oneself") +
		refused(hipMemcpyPeer(b, 0, a, 1, 64), hipErrorInvalidDevice, "a copy from the second device") +
		refused(hipDeviceCanAccessPeer(&can, 0, 1), hipErrorInvalidDevice, "access to the second device") +
		refused(hipDeviceEnablePeerAccess(1, 0), hipErrorInvalidDevice, "a second device as peer");
}

// An event of another process works: it lies in memory of both. Memory handles are refused.
static int other_processes(const char *)
{
	hipIpcMemHandle_t memory;
	hipIpcEventHandle_t handle;
	hipEvent_t event;
	int *d, status, ends[2];

	if (pipe(ends))
		return 1;
	if (fork() == 0) { // before the parent has a device
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
	int wrong = expect(write(ends[1], &handle, sizeof handle) == sizeof handle, "the handle's way");
	wrong += expect(wait(&status) > 0 && WIFEXITED(status) && !WEXITSTATUS(status), "the other process");
	CHECK(hipEventDestroy(event));
	shm_unlink(handle.reserved); // its name, which this HIP leaves behind
	return wrong + refused(hipIpcGetMemHandle(&memory, d), hipErrorInvalidDevicePointer, "a handle of memory");
}

// --- priorities
// --------------------------------------------------------------------------------------------------------
__global__ void waits_for(volatile int *flag)
{
	while (*flag == 0)
		__builtin_amdgcn_s_sleep(1);
}

__global__ void takes_a_number(int *next, int *mine)
{
	*mine = atomicAdd(next, 1);
}

// Kernels of three streams that all wait for the same event: those of the highest priority go first.
static int priorities(const char *)
{
	enum { EACH = 30 };
	int least, greatest, *flag, *next, *numbers, wrong = 0;
	std::vector<int> got(3 * EACH);
	hipStream_t first, s[3];
	hipEvent_t go;

	CHECK(hipDeviceGetStreamPriorityRange(&least, &greatest));
	wrong += expect(least > 0 && greatest < 0, "three priorities");
	CHECK(hipHostMalloc((void **)&flag, 64, hipHostMallocCoherent));
	CHECK(hipMalloc(&next, sizeof *next));
	CHECK(hipMalloc(&numbers, 3 * EACH * sizeof *numbers));
	CHECK(hipMemset(next, 0, sizeof *next));
	CHECK(hipDeviceSynchronize());
	*flag = 0;
	CHECK(hipStreamCreateWithFlags(&first, hipStreamNonBlocking));
	CHECK(hipEventCreateWithFlags(&go, hipEventDisableTiming));
	waits_for<<<1, 1, 0, first>>>(flag);
	CHECK(hipEventRecord(go, first));
	for (int k = 0; k < 3; k++) { // the lowest first
		int priority = least - k, told = 99;
		CHECK(hipStreamCreateWithPriority(&s[k], hipStreamNonBlocking, priority));
		CHECK(hipStreamGetPriority(s[k], &told));
		wrong += expect(told == priority, "the stream says its priority");
		CHECK(hipStreamWaitEvent(s[k], go, 0));
		for (int i = 0; i < EACH; i++)
			takes_a_number<<<1, 1, 0, s[k]>>>(next, numbers + k * EACH + i);
	}
	*(volatile int *)flag = 1;
	CHECK(hipDeviceSynchronize());
	CHECK(hipMemcpy(got.data(), numbers, 3 * EACH * sizeof(int), hipMemcpyDeviceToHost));
	for (int k = 0; k < 3; k++)
		printf("priority %d: numbers %d to %d\n", least - k, got[k * EACH], got[k * EACH + EACH - 1]);
	// A kernel of another stream may come between while a queue's next packet is on its way.
	for (int k = 0; k < 2; k++)
		wrong += expect(got[(k + 1) * EACH + EACH - 1] < got[k * EACH + EACH / 2],
			"the higher priority is through before half of the lower");
	return wrong;
}

static const struct {
	const char *name;
	int (*run)(const char *);
} cases[] = {
	{"functions", functions},
	{"memory-left", memory_left},
	{"registered", registered},
	{"peers", peers},
	{"other-processes", other_processes},
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

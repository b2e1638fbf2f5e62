// HIP features beyond simple launches and copies, one case per run: runtime-hip CASE. Prints its results; exit status 0
// means success.
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>
#include <hip/hip_cooperative_groups.h> // requires hip_runtime.h

#include <algorithm>
#include <atomic>
#include <cassert>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "hip_device_facts.h"

// Declared since HIP 5.2, but defined only in later versions of the library.
extern "C" hipError_t hipLaunchHostFunc(hipStream_t, hipHostFn_t, void *) __attribute__((weak));

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

// A call that may be unsupported. It must not report success without effect, crash or hang.
static bool is_supported(hipError_t error, const char *what)
{
	printf("%s: %s\n", what, hipGetErrorString(error));
	(void)hipGetLastError();
	return error == hipSuccess;
}

__global__ void add(int *p, int n, int by)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i] += by;
}

__global__ void multiply(int *p, int n, int by)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i] *= by;
}

__global__ void print_number(int n)
{
	printf("thread %d of block %d says %d\n", (int)threadIdx.x, (int)blockIdx.x, n);
}

__global__ void assert_three(int n)
{
	assert(n == 3 && "n is three");
}

__global__ void call_abort()
{
	abort();
}

__global__ void sync_grid(int *p, int n)
{
	cooperative_groups::grid_group grid = cooperative_groups::this_grid();
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	p[i] = i;
	grid.sync();
	p[n + i] = p[n - 1 - i];
}

__global__ void wait_for_flag(volatile int *flag, int *out)
{
	while (*flag == 0)
		__builtin_amdgcn_s_sleep(1);
	*out = *flag;
}

__global__ void set_flag(volatile int *flag, int value)
{
	__threadfence_system();
	*flag = value;
}

__global__ void play_ball(volatile int *ball, int mine, int rounds)
{
	for (int i = 0; i < rounds; i++) {
		while ((*ball & 1) != mine)
			__builtin_amdgcn_s_sleep(1);
		*ball = *ball + 1;
		__threadfence_system();
	}
}

// Writes to memory whose address it receives while it runs.
__global__ void write_to_address(int *volatile *where)
{
	int *p;

	while (!(p = *where))
		__builtin_amdgcn_s_sleep(1);
	*p = 77;
}

// The value alternates between 0 and all ones, stored and loaded as 64 bits: counts torn values.
__global__ void count_torn(volatile unsigned long long *p, int rounds, int *torn)
{
	int bad = 0;

	for (int i = 0; i < rounds; i++) {
		unsigned long long v = *p;
		bad += (unsigned)v != (unsigned)(v >> 32);
	}
	atomicAdd(torn, bad);
}

__global__ void write_alternating(volatile unsigned long long *p, int rounds)
{
	for (int i = 0; i < rounds; i++)
		*p = i & 1 ? ~0ull : 0;
}

// Each thread allocates from the device's heap three times and frees the first two; out receives the third.
__global__ void heap_allocate(int **out, int n)
{
	int *p = nullptr;

	for (int round = 0; round < 3; round++) {
		free(p);
		p = (int *)malloc(n * sizeof(int));
		for (int i = 0; p && i < n; i += 7)
			p[i] = i + round + (int)threadIdx.x;
	}
	out[threadIdx.x] = p;
}

__global__ void heap_check_and_free(int **in, int n, int *wrong)
{
	int *p = in[threadIdx.x], bad = !p;

	for (int i = 0; p && i < n; i += 7)
		bad += p[i] != i + 2 + (int)threadIdx.x;
	free(p);
	wrong[threadIdx.x] = bad;
}

static int *device_ints(int n)
{
	int *d;

	CHECK(hipMalloc(&d, n * sizeof(int)));
	CHECK(hipMemset(d, 0, n * sizeof(int)));
	CHECK(hipDeviceSynchronize()); // the memset does not wait, and non-blocking streams do not wait for it
	return d;
}

static std::vector<int> host_ints(const int *d, int n)
{
	std::vector<int> out(n);

	CHECK(hipMemcpy(out.data(), d, n * sizeof(int), hipMemcpyDeviceToHost));
	return out;
}

static bool all_are(const std::vector<int> &v, int value)
{
	for (int x : v)
		if (x != value)
			return false;
	return true;
}

// --- streams ---
static std::atomic<int> called;

static void on_stream(hipStream_t, hipError_t status, void *by)
{
	called += status == hipSuccess ? *(int *)by : 1000;
}

static void on_host(void *by)
{
	called += *(int *)by;
}

static char callback_thread[32];

static void name_thread(hipStream_t, hipError_t, void *)
{
	pthread_getname_np(pthread_self(), callback_thread, sizeof callback_thread);
}

// The runtime's own thread spins for 200 us each time it has called one.
static int callback_thread_is_drivers(const char *)
{
	int *d = device_ints(256);

	add<<<1, 256>>>(d, 256, 1);
	CHECK(hipStreamAddCallback(0, name_thread, nullptr, 0));
	CHECK(hipDeviceSynchronize());
	return expect(!strcmp(callback_thread, "softgpu-signals"), "a thread that sleeps calls back");
}

static int callbacks(const char *)
{
	int ten = 10, five = 5, *d = device_ints(256);
	hipStream_t s;

	CHECK(hipStreamCreateWithFlags(&s, hipStreamNonBlocking));
	add<<<1, 256, 0, s>>>(d, 256, 1);
	CHECK(hipStreamAddCallback(s, on_stream, &ten, 0));
	if (hipLaunchHostFunc)
		CHECK(hipLaunchHostFunc(s, on_host, &five));
	else
		CHECK(hipStreamAddCallback(s, on_stream, &five, 0));
	add<<<1, 256, 0, s>>>(d, 256, 1);
	CHECK(hipStreamSynchronize(s));
	return expect(called == 15, "both callbacks ran once") +
		expect(all_are(host_ints(d, 256), 2), "kernels before and after them");
}

// A chain through four streams by events: ((0 + 1) * 3 + 5) * 7.
static int dependencies(const char *)
{
	const int n = 4096;
	int *d = device_ints(n);
	hipStream_t s[4];
	hipEvent_t e[4];

	for (int k = 0; k < 4; k++) {
		CHECK(hipStreamCreateWithFlags(&s[k], hipStreamNonBlocking));
		CHECK(hipEventCreateWithFlags(&e[k], hipEventDisableTiming));
	}
	for (int k = 0; k < 4; k++) {
		static const int by[] = {1, 3, 5, 7};

		if (k)
			CHECK(hipStreamWaitEvent(s[k], e[k - 1], 0));
		if (k % 2)
			multiply<<<n / 256, 256, 0, s[k]>>>(d, n, by[k]);
		else
			add<<<n / 256, 256, 0, s[k]>>>(d, n, by[k]);
		CHECK(hipEventRecord(e[k], s[k]));
	}
	while (hipStreamQuery(s[3]) == hipErrorNotReady)
		;
	return expect(all_are(host_ints(d, n), 56), "order of kernels in four streams");
}

static int busy_queries(const char *)
{
	int *d = device_ints(1 << 16);
	hipEvent_t e;

	CHECK(hipEventCreate(&e));
	for (int i = 0; i < 50; i++)
		add<<<256, 256>>>(d, 1 << 16, 1);
	CHECK(hipEventRecord(e));
	while (hipEventQuery(e) == hipErrorNotReady)
		;
	return expect(all_are(host_ints(d, 1 << 16), 50), "results after polling");
}

__global__ void busy_work(int *p, int rounds)
{
	int x = p[threadIdx.x];

	for (int i = 0; i < rounds; i++)
		x = x * 3 + (x >> 5) + i;
	p[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

static int *start_work(void)
{
	int *d = device_ints(1 << 16);

	const char *rounds = getenv("ROUNDS");

	busy_work<<<64, 256>>>(d, rounds ? atoi(rounds) : 1000);
	return d;
}

// Four ways to wait for a long kernel.
static int waits_in_synchronize(const char *)
{
	start_work();
	printf("launched\n");
	CHECK(hipDeviceSynchronize());
	return 0;
}

static int waits_for_event(const char *)
{
	hipEvent_t e;

	CHECK(hipEventCreate(&e));
	start_work();
	CHECK(hipEventRecord(e));
	CHECK(hipEventSynchronize(e));
	return 0;
}

static int waits_in_copy(const char *)
{
	host_ints(start_work(), 1 << 16);
	return 0;
}

static int waits_in_queries(const char *)
{
	start_work();
	while (hipStreamQuery(0) == hipErrorNotReady)
		;
	return 0;
}

// The value that a monitor in the same process reads: busy while a kernel runs, idle more than a second later.
static int busy_percent()
{
	FILE *f = fopen("/sys/class/drm/card0/device/gpu_busy_percent", "r");
	int percent = -1;

	if (f && fscanf(f, "%d", &percent) != 1)
		percent = -1;
	if (f)
		fclose(f);
	return percent;
}

static int busy_percent_follows_load(const char *)
{
	int before, during = 0, after;

	CHECK(hipFree(nullptr));
	before = busy_percent();
	start_work();
	while (hipStreamQuery(0) == hipErrorNotReady)
		during = std::max(during, busy_percent());
	usleep(1300000);
	after = busy_percent();
	printf("%d %%, %d %%, %d %%\n", before, during, after);
	return expect(before == 0 && during > 0 && after == 0, "busy only while the kernel runs");
}

static int stream_values(const char *)
{
	uint32_t *flag;
	int *d = device_ints(256);
	hipStream_t a, b;

	CHECK(hipStreamCreateWithFlags(&a, hipStreamNonBlocking));
	CHECK(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
	if (!is_supported(hipExtMallocWithFlags((void **)&flag, 8, hipMallocSignalMemory), "signal memory"))
		return 0;
	*(volatile uint64_t *)flag = 0;
	if (!is_supported(hipStreamWaitValue32(a, flag, 7, hipStreamWaitValueEq, 0xffffffff), "hipStreamWaitValue32"))
		return 0;
	add<<<1, 256, 0, a>>>(d, 256, 1);
	CHECK(hipStreamWriteValue32(b, flag, 7, 0));
	CHECK(hipStreamSynchronize(b));
	CHECK(hipStreamSynchronize(a));
	return expect(all_are(host_ints(d, 256), 1), "kernel that waited for a value of another stream");
}

// A kernel waits for a value that a later kernel of another stream writes.
static int cross_stream_wait(const char *)
{
	int *flag, *out = device_ints(1);
	hipStream_t a, b;

	CHECK(hipHostMalloc(&flag, 64, hipHostMallocCoherent));
	*flag = 0;
	CHECK(hipStreamCreateWithFlags(&a, hipStreamNonBlocking));
	CHECK(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
	wait_for_flag<<<1, 1, 0, a>>>(flag, out);
	set_flag<<<1, 1, 0, b>>>(flag, 9);
	CHECK(hipDeviceSynchronize());
	return expect(host_ints(out, 1)[0] == 9, "value that the other kernel wrote");
}

// Two kernels that wait for each other repeatedly.
static int ping_pong(const char *)
{
	int *ball = device_ints(1);
	hipStream_t s[2];

	for (int k = 0; k < 2; k++) {
		CHECK(hipStreamCreateWithFlags(&s[k], hipStreamNonBlocking));
		play_ball<<<1, 1, 0, s[k]>>>(ball, k, 20);
	}
	CHECK(hipDeviceSynchronize());
	return expect(host_ints(ball, 1)[0] == 40, "forty exchanges");
}

// The host writes the value that a running kernel waits for.
static int released_by_host(const char *)
{
	int *flag, *out = device_ints(1);

	CHECK(hipHostMalloc(&flag, 64, hipHostMallocCoherent));
	*flag = 0;
	wait_for_flag<<<1, 1>>>(flag, out);
	usleep(100000);
	*(volatile int *)flag = 4;
	CHECK(hipDeviceSynchronize());
	return expect(host_ints(out, 1)[0] == 4, "what the host wrote");
}

// --- memory ---
static int copies_3d(const char *)
{
	const size_t w = 40, h = 12, depth = 6;
	std::vector<unsigned char> in(w * h * depth), out(w * h * depth);
	hipExtent extent = make_hipExtent(w, h, depth);
	hipPitchedPtr d;
	hipMemcpy3DParms p = {};

	for (size_t i = 0; i < in.size(); i++)
		in[i] = (unsigned char)(i * 7 + i / 251);
	CHECK(hipMalloc3D(&d, extent));
	CHECK(hipMemset3D(d, 0x5a, extent));
	p.srcPtr = make_hipPitchedPtr(in.data(), w, w, h);
	p.dstPtr = d;
	p.extent = extent;
	p.kind = hipMemcpyHostToDevice;
	CHECK(hipMemcpy3D(&p));
	p.srcPtr = d;
	p.dstPtr = make_hipPitchedPtr(out.data(), w, w, h);
	p.kind = hipMemcpyDeviceToHost;
	CHECK(hipMemcpy3DAsync(&p, 0));
	CHECK(hipStreamSynchronize(0));
	return expect(in == out, "3D copy to the device and back");
}

static int sets_2d(const char *)
{
	const size_t width = 100, height = 33;
	std::vector<unsigned char> out(width * height);
	size_t pitch;
	void *d;
	int wrong = 0;

	CHECK(hipMallocPitch(&d, &pitch, width, height));
	CHECK(hipMemset2D(d, pitch, 1, width, height));
	CHECK(hipMemset2DAsync((char *)d + 3, pitch, 2, 10, 5, 0));
	CHECK(hipMemcpy2DAsync(out.data(), width, d, pitch, width, height, hipMemcpyDeviceToHost, 0));
	CHECK(hipDeviceSynchronize());
	for (size_t i = 0; i < out.size(); i++)
		wrong += out[i] != (i % width >= 3 && i % width < 13 && i / width < 5 ? 2 : 1);
	return expect(wrong == 0, "2D memset");
}

static int pools(const char *)
{
	hipStream_t s;
	int *d;

	CHECK(hipStreamCreate(&s));
	if (!is_supported(hipMallocAsync((void **)&d, 1024 * sizeof(int), s), "hipMallocAsync"))
		return 0;
	CHECK(hipMemsetAsync(d, 0, 1024 * sizeof(int), s));
	add<<<4, 256, 0, s>>>(d, 1024, 6);
	CHECK(hipStreamSynchronize(s));
	int wrong = expect(all_are(host_ints(d, 1024), 6), "memory from a pool");
	CHECK(hipFreeAsync(d, s));
	CHECK(hipStreamSynchronize(s));
	return wrong;
}

static int managed(const char *)
{
	const int n = 4096;
	size_t free_bytes, total;
	int *p;

	CHECK(hipMallocManaged((void **)&p, n * sizeof(int)));
	for (int i = 0; i < n; i++)
		p[i] = 2;
	is_supported(hipMemAdvise(p, n * sizeof(int), hipMemAdviseSetReadMostly, 0), "hipMemAdvise");
	is_supported(hipMemPrefetchAsync(p, n * sizeof(int), 0, 0), "hipMemPrefetchAsync");
	multiply<<<n / 256, 256>>>(p, n, 4);
	CHECK(hipDeviceSynchronize());
	CHECK(hipMemGetInfo(&free_bytes, &total));
	return expect(all_are(std::vector<int>(p, p + n), 8), "managed memory") +
		expect(free_bytes <= total && total >> 30 == (size_t)device_facts_of_first().gib, "its size");
}

// The host and a kernel access the same 64-bit value concurrently.
static int whole_64_bit(const char *)
{
	volatile unsigned long long *p;
	int *torn = device_ints(1), bad = 0;
	hipStream_t s;

	CHECK(hipHostMalloc((void **)&p, 64, hipHostMallocCoherent));
	CHECK(hipStreamCreate(&s));
	for (int lanes : {1, 3, 64}) {
		count_torn<<<1, lanes, 0, s>>>(p, 300000, torn);
		for (unsigned i = 0; i % 1024 || hipStreamQuery(s) == hipErrorNotReady; i++)
			*p = i & 1 ? ~0ull : 0;
		write_alternating<<<1, lanes, 0, s>>>(p, 300000);
		for (unsigned i = 0; i % 1024 || hipStreamQuery(s) == hipErrorNotReady; i++) {
			unsigned long long v = *p;
			bad += (unsigned)v != (unsigned)(v >> 32);
		}
	}
	return expect(host_ints(torn, 1)[0] == 0, "no torn values in the kernel") +
		expect(bad == 0, "no torn values on the host");
}

// Host and device memory that is allocated while a kernel runs and waits for its address.
static int mapped_while_running(const char *)
{
	int **where, wrong = 0;

	CHECK(hipHostMalloc((void **)&where, 64, hipHostMallocCoherent));
	for (int k = 0; k < 8; k++) {
		int *p;

		*where = nullptr;
		write_to_address<<<1, 1>>>(where);
		usleep(20000);
		if (k % 2)
			CHECK(hipMalloc(&p, 4 << 20));
		else
			CHECK(hipHostMalloc(&p, 8192));
		*(int *volatile *)where = p;
		CHECK(hipDeviceSynchronize());
		wrong += host_ints(p, 1)[0] != 77;
	}
	return expect(wrong == 0, "values that the kernel wrote there");
}

// Allocates until memory runs out while a kernel waits for the host.
static int full_while_running(const char *)
{
	int *flag, *out = device_ints(1);
	hipError_t error;

	CHECK(hipHostMalloc(&flag, 64, hipHostMallocCoherent));
	*flag = 0;
	wait_for_flag<<<1, 1>>>(flag, out);
	usleep(20000);
	for (void *p; (error = hipMalloc(&p, 1 << 30)) == hipSuccess;)
		;
	*(volatile int *)flag = 4;
	CHECK(hipDeviceSynchronize());
	return expect(error == hipErrorOutOfMemory, "out of memory") +
		expect(host_ints(out, 1)[0] == 4, "what the host wrote");
}

static int heap(const char *)
{
	int **p, *wrong = device_ints(64), all = 0;

	CHECK(hipMalloc(&p, 64 * sizeof *p));
	for (int n : {10, 1000, 100000}) {
		heap_allocate<<<1, 16>>>(p, n);
		heap_check_and_free<<<1, 16>>>(p, n, wrong);
		for (int bad : host_ints(wrong, 16))
			all += bad;
	}
	return expect(all == 0, "memory from the device's heap");
}

// As in a first tutorial: allocate, copy, launch, copy back, with the time of each step. Two runs must print the same.
// One allocation for all sizes: in HIP 5.7 a thread of the runtime may release what hipFree gets only after the next
// hipMalloc, which then returns another address, and an address has its own channels and sets.
static int tutorial(const char *)
{
	const int largest = 1 << 18;
	int *d, wrong = 0;
	hipEvent_t e[4];
	hipStream_t s;

	CHECK(hipStreamCreate(&s));
	CHECK(hipMalloc(&d, largest * sizeof(int)));
	for (auto &event : e)
		CHECK(hipEventCreate(&event));
	for (int n = 1 << 10; n <= largest; n <<= 4) {
		std::vector<int> in(n, 20), out(n);
		float ms[3];

		CHECK(hipEventRecord(e[0]));
		CHECK(hipMemcpy(d, in.data(), n * sizeof(int), hipMemcpyHostToDevice));
		CHECK(hipEventRecord(e[1]));
		add<<<n / 256, 256>>>(d, n, 1);
		multiply<<<n / 256, 256>>>(d, n, 2);
		CHECK(hipEventRecord(e[2]));
		CHECK(hipStreamWaitEvent(s, e[2], 0));
		add<<<n / 256, 256, 0, s>>>(d, n, 3);
		CHECK(hipEventRecord(e[3], s));
		CHECK(hipEventSynchronize(e[3]));
		for (int k = 0; k < 3; k++)
			CHECK(hipEventElapsedTime(&ms[k], e[k], e[k + 1]));
		CHECK(hipMemcpy(out.data(), d, n * sizeof(int), hipMemcpyDeviceToHost));
		printf("%d: copy %.9f ms, two kernels %.9f ms, one in another stream %.9f ms\n", n, ms[0], ms[1],
			ms[2]);
		wrong += !all_are(out, 45);
	}
	CHECK(hipFree(d));
	return expect(wrong == 0, "results");
}

static int out_of_budget(const char *)
{
	void *d;

	for (int i = 0; i < 16; i++) {
		CHECK(hipMalloc(&d, 1 << 28));
		CHECK(hipMemset(d, i, 1 << 28));
		CHECK(hipDeviceSynchronize());
	}
	return 0;
}

// --- queries ---
static int properties(const char *)
{
	hipDeviceProp_t p;
	int count, value, peer = 1, wrong = 0;

	CHECK(hipGetDeviceCount(&count));
	CHECK(hipGetDeviceProperties(&p, 0));
	printf("%s, %s, %d CUs, %d kHz, %zu bytes, warp %d, PCI %x:%x\n", p.name, p.gcnArchName, p.multiProcessorCount,
		p.clockRate, p.totalGlobalMem, p.warpSize, p.pciBusID, p.pciDeviceID);
	const device_facts &facts = device_facts_of_first();
	wrong += expect(count == 1 && p.multiProcessorCount == facts.compute_units && p.warpSize == facts.wave &&
			p.sharedMemPerBlock == 65536 && p.maxThreadsPerBlock == 1024 && p.clockRate == facts.sclk_khz &&
			p.memoryClockRate == facts.mclk_khz,
		"properties");
	for (int a = 0; a < 90; a++)
		if (hipDeviceGetAttribute(&value, (hipDeviceAttribute_t)a, 0) != hipSuccess)
			(void)hipGetLastError();
	is_supported(hipDeviceCanAccessPeer(&peer, 0, 0), "hipDeviceCanAccessPeer");
	wrong += expect(peer == 0, "the device is not its own peer");
	wrong += expect(hipSetDevice(1) == hipErrorInvalidDevice, "no second device");
	CHECK(hipDeviceReset());
	return wrong;
}

static int occupancy(const char *)
{
	int blocks, grid, block;

	CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0));
	CHECK(hipOccupancyMaxPotentialBlockSize(&grid, &block, add, 0, 0));
	printf("%d workgroups of 256, best %d of %d\n", blocks, grid, block);
	return expect(blocks >= 1 && grid >= device_facts_of_first().compute_units && block >= 64, "occupancy");
}

// --- kernels ---
static int printing(const char *)
{
	for (int i = 0; i < 3; i++)
		print_number<<<2, 2>>>(40 + i);
	CHECK(hipDeviceSynchronize());
	return 0;
}

static int asserting(const char *)
{
	assert_three<<<1, 1>>>(3);
	CHECK(hipDeviceSynchronize());
	printf("first assertion passed\n");
	assert_three<<<1, 1>>>(4);
	CHECK(hipDeviceSynchronize());
	return 0;
}

static int aborting(const char *)
{
	call_abort<<<1, 1>>>();
	CHECK(hipDeviceSynchronize());
	return 0;
}

static int cooperative(const char *)
{
	int n = 16384, *d = device_ints(2 * n), wrong = 0, able = 0;
	void *arguments[] = {&d, &n};

	CHECK(hipDeviceGetAttribute(&able, hipDeviceAttributeCooperativeLaunch, 0));
	if (!is_supported(hipLaunchCooperativeKernel((void *)sync_grid, n / 128, 128, arguments, 0, 0),
		    "hipLaunchCooperativeKernel"))
		return expect(!able, "device without cooperative launches");
	CHECK(hipDeviceSynchronize());
	auto out = host_ints(d, 2 * n);
	for (int i = 0; i < n; i++)
		wrong += out[n + i] != n - 1 - i;
	wrong = expect(able && wrong == 0, "values that other blocks wrote before the barrier");
	hipError_t e = hipLaunchCooperativeKernel((void *)sync_grid, 1 << 16, 128, arguments, 0, 0);
	(void)hipGetLastError();
	return wrong + expect(e == hipErrorCooperativeLaunchTooLarge, "a grid that does not fit is refused");
}

static int runtime_compiled(const char *)
{
	static const char source[] =
		"extern \"C\" __global__ void triple(int *p) { p[threadIdx.x] = 3 * threadIdx.x; }";
	std::string target = std::string("--gpu-architecture=") + device_facts_of_first().arch;
	const char *options[] = {target.c_str()};
	hiprtcProgram program;
	hipModule_t module;
	hipFunction_t function;
	int *d = device_ints(64), wrong = 0;
	size_t size;

	if (hiprtcCreateProgram(&program, source, "triple.hip", 0, nullptr, nullptr) ||
		hiprtcCompileProgram(program, 1, options) || hiprtcGetCodeSize(program, &size))
		return expect(false, "hiprtc");
	std::vector<char> code(size);
	if (hiprtcGetCode(program, code.data()))
		return expect(false, "hiprtcGetCode");
	CHECK(hipModuleLoadData(&module, code.data()));
	CHECK(hipModuleGetFunction(&function, module, "triple"));
	void *arguments[] = {&d};
	CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, 0, arguments, nullptr));
	auto out = host_ints(d, 64);
	for (int i = 0; i < 64; i++)
		wrong += out[i] != 3 * i;
	CHECK(hipModuleUnload(module));
	return expect(wrong == 0, "kernel compiled at run time");
}

static int graphs(const char *)
{
	const int n = 1024;
	int *d = device_ints(n);
	hipGraph_t graph;
	hipGraphExec_t exec;
	hipStream_t s;

	CHECK(hipStreamCreateWithFlags(&s, hipStreamNonBlocking));
	if (!is_supported(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal), "hipStreamBeginCapture"))
		return 0;
	add<<<n / 256, 256, 0, s>>>(d, n, 1);
	multiply<<<n / 256, 256, 0, s>>>(d, n, 2);
	CHECK(hipStreamEndCapture(s, &graph));
	CHECK(hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
	for (int i = 0; i < 3; i++)
		CHECK(hipGraphLaunch(exec, s));
	CHECK(hipStreamSynchronize(s));
	return expect(all_are(host_ints(d, n), 14), "three runs of a graph");
}

static int many_threads(const char *)
{
	std::vector<std::thread> all;
	std::atomic<int> wrong{0};

	for (int k = 0; k < 16; k++)
		all.emplace_back([k, &wrong] {
			const int n = 2048;
			int *d = device_ints(n);
			hipStream_t s;

			CHECK(hipStreamCreateWithFlags(&s, hipStreamNonBlocking));
			for (int round = 0; round < 20; round++)
				add<<<n / 256, 256, 0, s>>>(d, n, k + 1);
			CHECK(hipStreamSynchronize(s));
			wrong += !all_are(host_ints(d, n), 20 * (k + 1));
			CHECK(hipFree(d));
			CHECK(hipStreamDestroy(s));
		});
	for (auto &t : all)
		t.join();
	return expect(wrong == 0, "sixteen host threads");
}

// The parent has no device; each child opens its own.
static int forked(const char *self)
{
	int wrong = 0, status;

	for (int k = 0; k < 3; k++) {
		pid_t child = fork();

		if (child == 0 && k < 2) {
			int *d = device_ints(256);

			add<<<1, 256>>>(d, 256, 3);
			_exit(all_are(host_ints(d, 256), 3) ? 0 : 1);
		}
		if (child == 0) {
			execl(self, self, "callbacks", nullptr);
			_exit(9);
		}
	}
	for (int k = 0; k < 3; k++)
		wrong += wait(&status) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
	return expect(wrong == 0, "three children that use HIP");
}

// The parent has a device, and softgpu's handlers of signals; a child dies of SIGTERM as without them.
static int signaled_child(const char *)
{
	int *d = device_ints(256), status = 0;

	add<<<1, 256>>>(d, 256, 3);
	CHECK(hipDeviceSynchronize());
	pid_t child = fork();
	if (child == 0) {
		raise(SIGTERM);
		_exit(9);
	}
	waitpid(child, &status, 0);
	return expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM, "a child that SIGTERM ends");
}

static void leave(int)
{
	_exit(5);
}

static int has_handler(const char *)
{
	signal(SIGTERM, leave);
	start_work();
	printf("launched\n");
	CHECK(hipDeviceSynchronize());
	return 0;
}

static const struct {
	const char *name;
	int (*run)(const char *self);
} cases[] = {
	{"callbacks", callbacks},
	{"callback-thread", callback_thread_is_drivers},
	{"dependencies", dependencies},
	{"polling", busy_queries},
	{"wait-synchronize", waits_in_synchronize},
	{"wait-event", waits_for_event},
	{"wait-copy", waits_in_copy},
	{"wait-queries", waits_in_queries},
	{"busy-percent", busy_percent_follows_load},
	{"stream-values", stream_values},
	{"cross-stream-wait", cross_stream_wait},
	{"ping-pong", ping_pong},
	{"released-by-host", released_by_host},
	{"copies-3d", copies_3d},
	{"sets-2d", sets_2d},
	{"pools", pools},
	{"managed", managed},
	{"whole-64-bit", whole_64_bit},
	{"mapped-while-running", mapped_while_running},
	{"full-while-running", full_while_running},
	{"heap", heap},
	{"tutorial", tutorial},
	{"budget", out_of_budget},
	{"properties", properties},
	{"occupancy", occupancy},
	{"printing", printing},
	{"asserting", asserting},
	{"aborting", aborting},
	{"cooperative", cooperative},
	{"hiprtc", runtime_compiled},
	{"graphs", graphs},
	{"many-threads", many_threads},
	{"forked", forked},
	{"signaled-child", signaled_child},
	{"has-handler", has_handler},
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

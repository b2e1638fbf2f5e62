// Basic HIP calls that every program uses, one case per run: driver-hip CASE. Prints its results; exit status 0 means
// success.
#include <hip/hip_runtime.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <thread>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "hip_device_facts.h"

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

__global__ void add(int *p, int n, int by)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i] += by;
}

__global__ void spin(int *p, int rounds)
{
	int x = threadIdx.x;

	for (int i = 0; i < rounds; i++)
		x = x * 3 + i;
	p[threadIdx.x] = x;
}

__global__ void stamp(unsigned long long *p)
{
#ifdef __GFX11__
	p[0] = __builtin_amdgcn_s_getreg(29 | 19 << 11); // the 20 bits of SHADER_CYCLES
	p[1] = __builtin_amdgcn_s_sendmsg_rtnl(0x83);    // MSG_RTN_GET_REALTIME
#else
	p[0] = __builtin_amdgcn_s_memtime();
	p[1] = __builtin_amdgcn_s_memrealtime();
#endif
}

__global__ void store(int *p, int value)
{
	*p = value;
}

__global__ void illegal(int *p)
{
	asm volatile(".long 0xbfff0000"); // SOPP has no opcode 127
	*p = 1;
}

// Indexing that forces the compiler to use scratch instead of registers.
__global__ void scratch(int *out, int n)
{
	int local[64];

	for (int i = 0; i < 64; i++)
		local[i] = i * n + threadIdx.x;
	for (int i = 0; i < 64; i++)
		local[(local[i] + n) & 63] ^= i;
	int sum = 0;
	for (int i = 0; i < 64; i++)
		sum += local[i];
	out[threadIdx.x] = sum;
}

static int scratch_on_host(int n, int thread)
{
	int local[64], sum = 0;

	for (int i = 0; i < 64; i++)
		local[i] = i * n + thread;
	for (int i = 0; i < 64; i++)
		local[(local[i] + n) & 63] ^= i;
	for (int i = 0; i < 64; i++)
		sum += local[i];
	return sum;
}

static std::vector<unsigned char> pattern(size_t size, unsigned seed)
{
	std::vector<unsigned char> v(size);

	for (auto &byte : v)
		byte = (unsigned char)((seed = seed * 1103515245 + 12345) >> 16);
	return v;
}

// Copies to the device, within it and back, at sizes on both sides of every threshold in the runtime.
static int copies(const char *)
{
	static const size_t sizes[] = {4, 5, 64, 4095, 4096, 65537, 1 << 20, (4 << 20) + 12, 64 << 20};
	int wrong = 0;

	for (size_t size : sizes) {
		auto in = pattern(size, (unsigned)size);
		std::vector<unsigned char> out(size);
		void *a, *b;

		CHECK(hipMalloc(&a, size));
		CHECK(hipMalloc(&b, size));
		CHECK(hipMemcpy(a, in.data(), size, hipMemcpyHostToDevice));
		CHECK(hipMemcpy(b, a, size, hipMemcpyDeviceToDevice));
		CHECK(hipMemcpy(out.data(), b, size, hipMemcpyDeviceToHost));
		wrong += expect(in == out, "copy of the next size");
		printf("%zu bytes\n", size);
		CHECK(hipFree(a));
		CHECK(hipFree(b));
	}
	return wrong;
}

static int copies_2d(const char *)
{
	const size_t width = 100, height = 50, pitch = 256;
	auto in = pattern(width * height, 7);
	std::vector<unsigned char> out(width * height);
	void *d;

	CHECK(hipMalloc(&d, pitch * height));
	CHECK(hipMemcpy2D(d, pitch, in.data(), width, width, height, hipMemcpyHostToDevice));
	CHECK(hipMemcpy2D(out.data(), width, d, pitch, width, height, hipMemcpyDeviceToHost));
	return expect(in == out, "rectangle");
}

static int sets(const char *)
{
	const size_t size = (1 << 20) + 3;
	std::vector<unsigned char> out(size);
	void *d;
	int wrong = 0;

	CHECK(hipMalloc(&d, size));
	CHECK(hipMemset(d, 0xa5, size));
	CHECK(hipMemset((char *)d + 100, 0x11, 17));
	CHECK(hipMemsetD32((hipDeviceptr_t)((char *)d + 4096), 0x01020304, 5));
	CHECK(hipMemcpy(out.data(), d, size, hipMemcpyDeviceToHost));
	for (size_t i = 0; i < size; i++) {
		unsigned char expected = i >= 100 && i < 117 ? 0x11 : i >= 4096 && i < 4116 ? 4 - (i & 3) : 0xa5;
		wrong += out[i] != expected;
	}
	return expect(wrong == 0, "memset");
}

// Prints all digits: two runs must print the same.
static int events(const char *)
{
	hipEvent_t start, stop;
	int *d, wrong = 0;
	float ms, first = 0;

	CHECK(hipMalloc(&d, 4096));
	CHECK(hipEventCreate(&start));
	CHECK(hipEventCreate(&stop));
	for (int i = 0; i < 4; i++) {
		CHECK(hipEventRecord(start));
		spin<<<1, 64>>>(d, 1000);
		CHECK(hipEventRecord(stop));
		CHECK(hipEventSynchronize(stop));
		CHECK(hipEventElapsedTime(&ms, start, stop));
		printf("%.9f ms\n", ms);
		if (i == 1)
			first = ms;
		if (i > 1)
			wrong += expect(ms == first, "equal launches take equal times");
	}
	return wrong + expect(first > 0.001 && first < 1, "plausible time");
}

static float copy_time(
	hipEvent_t start, hipEvent_t stop, void *device, const void *host, size_t bytes, hipStream_t stream)
{
	float ms;

	CHECK(hipEventRecord(start, stream));
	CHECK(hipMemcpyAsync(device, host, bytes, hipMemcpyHostToDevice, stream));
	CHECK(hipEventRecord(stop, stream));
	CHECK(hipEventSynchronize(stop));
	CHECK(hipEventElapsedTime(&ms, start, stop));
	return ms;
}

// The queues have separate time lines in a sequence (softgpu_together), and no longer once the state has been reset,
// even if the device thread has not been idle since.
static int sequences(const char *)
{
	auto together = (void (*)(int))dlsym(RTLD_DEFAULT, "softgpu_together");
	auto reset = (int (*)())dlsym(RTLD_DEFAULT, "softgpu_reset_state");
	const size_t bytes = 4096;
	std::vector<char> pageable(bytes);
	char *device, *pinned;
	hipStream_t stream;
	hipEvent_t start, stop;
	int wrong = 0;

	if (!together || !reset)
		return expect(false, "the software GPU is preloaded");
	CHECK(hipMalloc(&device, bytes));
	CHECK(hipHostMalloc(&pinned, bytes));
	CHECK(hipStreamCreate(&stream));
	CHECK(hipEventCreate(&start));
	CHECK(hipEventCreate(&stop));
	copy_time(start, stop, device, pageable.data(), bytes, stream); // the first one prepares buffers
	reset();
	float alone = copy_time(start, stop, device, pageable.data(), bytes, stream);
	for (int i = 0; i < 100; i++) {
		together(1);
		CHECK(hipMemcpyAsync(device, pinned, bytes, hipMemcpyHostToDevice, stream));
		together(0);
		CHECK(hipStreamSynchronize(stream));
		reset();
		float ms = copy_time(start, stop, device, pageable.data(), bytes, stream);
		wrong += ms < alone / 2 || ms > alone * 3 / 2; // without the end, 0 or the time of two copies
	}
	printf("%d of 100 copies after a sequence take another time\n", wrong);
	return expect(wrong == 0, "a sequence ends with a reset");
}

// Core cycles and ticks of the constant clock between two time stamps: the full clock with idle vector ALUs, less after
// a kernel that uses all of them. gfx11 has 20 bits of the cycles, so each stretch is shorter than that.
static int clocks(const char *)
{
	unsigned long long *at, t[3][2];
	int *d;
	double mhz[2];
	const device_facts &facts = device_facts_of_first();

	CHECK(hipMalloc(&at, sizeof t));
	CHECK(hipMalloc(&d, 4096));
	stamp<<<1, 1>>>(at);
	spin<<<1, 64>>>(d, 30000);
	stamp<<<1, 1>>>(at + 2);
	spin<<<64, 1024>>>(d, 2000);
	stamp<<<1, 1>>>(at + 4);
	CHECK(hipMemcpy(t, at, sizeof t, hipMemcpyDeviceToHost));
	for (int i = 0; i < 2; i++) {
		unsigned long long cycles = (t[i + 1][0] - t[i][0]) & facts.cycles, ticks = t[i + 1][1] - t[i][1];
		mhz[i] = (double)cycles / (double)ticks * facts.timer_mhz;
		printf("%llu cycles, %llu ticks: %.1f MHz\n", cycles, ticks, mhz[i]);
	}
	return expect(mhz[0] > facts.idle_mhz * 0.998 && mhz[0] < facts.idle_mhz * 1.002, "clock with one wave") +
		expect(mhz[1] > facts.idle_mhz * 0.88 && mhz[1] < facts.busy_mhz, "lower clock when all CUs work");
}

static int streams(const char *)
{
	const int n = 1 << 16;
	hipStream_t s[2];
	std::vector<int> in(n, 5), out(n);
	int *d[2], wrong = 0;

	for (int k = 0; k < 2; k++) {
		CHECK(hipStreamCreate(&s[k]));
		CHECK(hipMalloc(&d[k], n * sizeof(int)));
		CHECK(hipMemcpyAsync(d[k], in.data(), n * sizeof(int), hipMemcpyHostToDevice, s[k]));
	}
	for (int round = 0; round < 10; round++)
		for (int k = 0; k < 2; k++)
			add<<<n / 256, 256, 0, s[k]>>>(d[k], n, k + 1);
	for (int k = 0; k < 2; k++) {
		CHECK(hipMemcpyAsync(out.data(), d[k], n * sizeof(int), hipMemcpyDeviceToHost, s[k]));
		CHECK(hipStreamSynchronize(s[k]));
		for (int value : out)
			wrong += value != 5 + 10 * (k + 1);
		CHECK(hipStreamDestroy(s[k]));
	}
	return expect(wrong == 0, "results of two streams");
}

static int pinned(const char *)
{
	const int n = 1 << 18;
	int *host, *seen, wrong = 0;
	std::vector<int> mine(n, 1);

	CHECK(hipHostMalloc(&host, n * sizeof(int)));
	memset(host, 0, n * sizeof(int));
	add<<<n / 256, 256>>>(host, n, 3);
	CHECK(hipDeviceSynchronize());
	for (int i = 0; i < n; i++)
		wrong += host[i] != 3;
	CHECK(hipHostRegister(mine.data(), n * sizeof(int), hipHostRegisterDefault));
	CHECK(hipHostGetDevicePointer((void **)&seen, mine.data(), 0));
	add<<<n / 256, 256>>>(seen, n, 4);
	CHECK(hipDeviceSynchronize());
	for (int value : mine)
		wrong += value != 5;
	CHECK(hipHostUnregister(mine.data()));
	CHECK(hipHostFree(host));
	return expect(wrong == 0, "pinned and registered memory");
}

static int managed(const char *)
{
	int *p, wrong = 0;

	CHECK(hipMallocManaged((void **)&p, 4096 * sizeof(int)));
	for (int i = 0; i < 4096; i++)
		p[i] = i;
	add<<<16, 256>>>(p, 4096, 1);
	CHECK(hipDeviceSynchronize());
	for (int i = 0; i < 4096; i++)
		wrong += p[i] != i + 1;
	return expect(wrong == 0, "managed memory");
}

static int private_memory(const char *)
{
	std::vector<int> out(256);
	int *d, wrong = 0;

	CHECK(hipMalloc(&d, 256 * sizeof(int)));
	scratch<<<1, 256>>>(d, 7);
	CHECK(hipMemcpy(out.data(), d, 256 * sizeof(int), hipMemcpyDeviceToHost));
	for (int i = 0; i < 256; i++)
		wrong += out[i] != scratch_on_host(7, i);
	return expect(wrong == 0, "arrays in scratch");
}

static int threads(const char *)
{
	std::vector<std::thread> all;
	int wrong[4] = {0};

	for (int k = 0; k < 4; k++)
		all.emplace_back([k, &wrong] {
			const int n = 4096;
			std::vector<int> out(n);
			hipStream_t s;
			int *d;

			CHECK(hipStreamCreate(&s));
			for (int round = 0; round < 5; round++) {
				CHECK(hipMalloc(&d, n * sizeof(int)));
				CHECK(hipMemsetAsync(d, 0, n * sizeof(int), s));
				add<<<n / 256, 256, 0, s>>>(d, n, k);
				CHECK(hipMemcpyAsync(out.data(), d, n * sizeof(int), hipMemcpyDeviceToHost, s));
				CHECK(hipStreamSynchronize(s));
				for (int value : out)
					wrong[k] += value != k;
				CHECK(hipFree(d));
			}
		});
	for (auto &t : all)
		t.join();
	return expect(wrong[0] + wrong[1] + wrong[2] + wrong[3] == 0, "four host threads");
}

// Exactly the device's memory can be allocated, and again after it was freed.
static int out_of_memory(const char *)
{
	const size_t piece = 1 << 30;
	std::vector<void *> all;
	hipError_t error;
	size_t first;
	void *d;

	while ((error = hipMalloc(&d, piece)) == hipSuccess && all.size() < 64)
		all.push_back(d);
	first = all.size();
	printf("%zu GiB, then %s\n", first, hipGetErrorString(error));
	for (void *p : all)
		CHECK(hipFree(p));
	all.clear();
	for (size_t i = 0; i < first; i++) {
		CHECK(hipMalloc(&d, piece));
		all.push_back(d);
	}
	return expect(error == hipErrorOutOfMemory && first == (size_t)device_facts_of_first().gib,
		"the whole GiB of the device minus the firmware's share");
}

static int *guarded;

static void on_abort(int)
{
	const char *verdict = *guarded == 42 ? "host memory intact\n" : "host memory overwritten\n";

	if (write(1, verdict, strlen(verdict)) < 0)
		_exit(2);
	signal(SIGABRT, SIG_DFL);
	raise(SIGABRT);
}

static int run_to_end(int *target, bool is_illegal)
{
	guarded = (int *)malloc(1 << 20);
	*guarded = 42;
	signal(SIGABRT, on_abort);
	if (is_illegal)
		illegal<<<1, 64>>>(target);
	else
		store<<<1, 1>>>(target ? target : guarded, 7);
	printf("launch: %s\n", hipGetErrorString(hipDeviceSynchronize()));
	return 0;
}

static int fault(const char *)
{
	int *d;

	CHECK(hipMalloc(&d, 4096));
	return run_to_end(nullptr, false);
}

static int bad_instruction(const char *)
{
	int *d;

	CHECK(hipMalloc(&d, 4096));
	return run_to_end(d, true);
}

__global__ void load(const int *from, int *to)
{
	*to = *from;
}

// Registered memory that the program has made unreadable or read-only since.
static int access_protected(bool write)
{
	int *mine = (int *)mmap(nullptr, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *seen,
	    *d;

	CHECK(hipHostRegister(mine, 1 << 16, hipHostRegisterDefault));
	CHECK(hipMalloc(&d, 4096));
	CHECK(hipHostGetDevicePointer((void **)&seen, mine, 0));
	printf("protected %p\n", (void *)(seen + 1024));
	mprotect(mine, 1 << 16, write ? PROT_READ : PROT_NONE);
	guarded = (int *)malloc(1 << 20);
	*guarded = 42;
	signal(SIGABRT, on_abort);
	if (write)
		store<<<1, 1>>>(seen + 1024, 7);
	else
		load<<<1, 1>>>(seen + 1024, d);
	printf("launch: %s\n", hipGetErrorString(hipDeviceSynchronize()));
	return 0;
}

static int read_protected(const char *)
{
	return access_protected(false);
}

static int write_protected(const char *)
{
	return access_protected(true);
}

// A child does not share its parent's device and may open its own.
static int forks(const char *self)
{
	int *d, status = 0;
	char command[4096];

	CHECK(hipMalloc(&d, 4096));
	snprintf(command, sizeof command, "'%s' sets", self);
	if (system(command))
		return expect(false, "child with its own device");
	pid_t child = fork();
	if (child == 0)
		_exit(7);
	CHECK(hipMemset(d, 1, 4096));
	CHECK(hipDeviceSynchronize());
	wait(&status);
	return expect(WIFEXITED(status) && WEXITSTATUS(status) == 7, "child without a device");
}

static const struct {
	const char *name;
	int (*run)(const char *self);
} cases[] = {
	{"copies", copies},
	{"copies-2d", copies_2d},
	{"sets", sets},
	{"events", events},
	{"sequences", sequences},
	{"clocks", clocks},
	{"streams", streams},
	{"pinned", pinned},
	{"managed", managed},
	{"scratch", private_memory},
	{"threads", threads},
	{"memory", out_of_memory},
	{"fault", fault},
	{"illegal", bad_instruction},
	{"read-protected", read_protected},
	{"write-protected", write_protected},
	{"forks", forks},
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

/* Several GPUs in one process, and memory that processes share. Arguments: a case, and for some a file for a handle.
 * Exits with 0 if all is well. */
#include "hip_event_files.h"

#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h> // requires hip_runtime.h

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#define CHECK(call)                                                                                         \
	do {                                                                                                \
		hipError_t e_ = (call);                                                                     \
		if (e_ != hipSuccess) {                                                                     \
			fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, hipGetErrorName(e_)); \
			exit(1);                                                                            \
		}                                                                                           \
	} while (0)
#define EXPECT(condition)                                                                   \
	do {                                                                                \
		if (!(condition)) {                                                         \
			fprintf(stderr, "%s:%d: not %s\n", __FILE__, __LINE__, #condition); \
			exit(1);                                                            \
		}                                                                           \
	} while (0)

enum { COUNT = 1 << 16, BYTES = COUNT * 4 };

__global__ void fill(unsigned *out, unsigned seed)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = i * 2654435761u + seed;
}

__global__ void add(unsigned *out, const unsigned *in, unsigned by)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = in[i] + by;
}

__global__ void spin(unsigned *out, unsigned steps)
{
	unsigned x = threadIdx.x;
	for (unsigned i = 0; i < steps; i++)
		x = x * 1664525u + 1013904223u;
	out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

/* Each round needs what other workgroups have written in the round before. */
__global__ void rotate(unsigned *values, unsigned rounds)
{
	cooperative_groups::grid_group grid = cooperative_groups::this_grid();
	unsigned n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;

	values[i] = i;
	for (unsigned k = 0; k < rounds; k++) {
		grid.sync();
		unsigned next = values[(i + blockDim.x) % n];
		grid.sync();
		values[i] = next;
	}
}

static unsigned *allocate_on(int device)
{
	unsigned *p;
	CHECK(hipSetDevice(device));
	CHECK(hipMalloc(&p, BYTES));
	return p;
}

static void fill_on(int device, unsigned *p, unsigned seed)
{
	CHECK(hipSetDevice(device));
	fill<<<COUNT / 256, 256>>>(p, seed);
	CHECK(hipGetLastError());
	CHECK(hipDeviceSynchronize());
}

static void expect_values(int device, const unsigned *p, unsigned seed)
{
	std::vector<unsigned> host(COUNT);
	CHECK(hipSetDevice(device));
	CHECK(hipMemcpy(host.data(), p, BYTES, hipMemcpyDeviceToHost));
	for (unsigned i = 0; i < COUNT; i++)
		if (host[i] != i * 2654435761u + seed) {
			fprintf(stderr, "device %d: element %u is %u\n", device, i, host[i]);
			exit(1);
		}
}

/* --- what the runtime knows --- */
static void devices()
{
	int count, can;
	CHECK(hipGetDeviceCount(&count));
	char bus[2][32];
	hipDeviceProp_t p[2];
	for (int i = 0; i < count && i < 2; i++) {
		CHECK(hipGetDeviceProperties(&p[i], i));
		CHECK(hipDeviceGetPCIBusId(bus[i], sizeof bus[i], i));
		printf("%d: %s %s\n", i, p[i].gcnArchName, bus[i]);
	}
	printf("%d devices\n", count);
	for (int i = 0; i < 2; i++) {
		CHECK(hipDeviceCanAccessPeer(&can, i, 1 - i));
		EXPECT(can);
		CHECK(hipDeviceCanAccessPeer(&can, i, i));
		EXPECT(!can);
	}
	EXPECT(strcmp(bus[0], bus[1]));
}

/* Memory of one GPU does not count as used on the other. */
static void memory()
{
	size_t before[2], now[2], total;
	for (int i = 0; i < 2; i++) {
		CHECK(hipSetDevice(i));
		CHECK(hipMemGetInfo(&before[i], &total));
	}
	void *p;
	CHECK(hipSetDevice(1));
	CHECK(hipMalloc(&p, 1 << 28));
	for (int i = 0; i < 2; i++) {
		CHECK(hipSetDevice(i));
		CHECK(hipMemGetInfo(&now[i], &total));
	}
	EXPECT(now[0] == before[0] && before[1] - now[1] >= 1 << 28);
	hipPointerAttribute_t a;
	CHECK(hipPointerGetAttributes(&a, p));
	EXPECT(a.device == 1);
	CHECK(hipFree(p));
}

/* --- copies --- */
static void copies()
{
	unsigned *a = allocate_on(0), *b = allocate_on(1);
	fill_on(0, a, 1);
	CHECK(hipMemcpyPeer(b, 1, a, 0, BYTES));
	expect_values(1, b, 1);
	fill_on(1, b, 2);
	CHECK(hipMemcpy(a, b, BYTES, hipMemcpyDeviceToDevice));
	expect_values(0, a, 2);
	hipStream_t s;
	CHECK(hipSetDevice(1));
	CHECK(hipStreamCreate(&s));
	fill<<<COUNT / 256, 256, 0, s>>>(b, 3);
	CHECK(hipMemcpyPeerAsync(a, 0, b, 1, BYTES, s));
	CHECK(hipStreamSynchronize(s));
	expect_values(0, a, 3);
}

static void copies_with_access()
{
	for (int i = 0; i < 2; i++) {
		CHECK(hipSetDevice(i));
		CHECK(hipDeviceEnablePeerAccess(1 - i, 0));
		EXPECT(hipDeviceEnablePeerAccess(1 - i, 0) == hipErrorPeerAccessAlreadyEnabled);
	}
	copies();
}

/* --- kernels --- */
static void peer_access()
{
	unsigned *a = allocate_on(0), *b = allocate_on(1);
	fill_on(1, b, 5);
	CHECK(hipSetDevice(0));
	CHECK(hipDeviceEnablePeerAccess(1, 0));
	add<<<COUNT / 256, 256>>>(a, b, 7); /* device 0 reads memory of device 1 */
	CHECK(hipDeviceSynchronize());
	expect_values(0, a, 12);
	add<<<COUNT / 256, 256>>>(b, a, 1); /* and writes it */
	CHECK(hipDeviceSynchronize());
	expect_values(1, b, 13);
}

static void peer_fault()
{
	unsigned *a = allocate_on(0), *b = allocate_on(1);
	fill_on(1, b, 5);
	CHECK(hipSetDevice(0));
	add<<<COUNT / 256, 256>>>(a, b, 7);
	printf("synchronized: %s\n", hipGetErrorName(hipDeviceSynchronize()));
}

/* A kernel waits for one of the other GPU. */
static void cross_device_wait()
{
	unsigned *a = allocate_on(0), *b = allocate_on(1);
	hipStream_t s[2];
	hipEvent_t filled;
	for (int i = 0; i < 2; i++) {
		CHECK(hipSetDevice(i));
		CHECK(hipStreamCreate(&s[i]));
		CHECK(hipDeviceEnablePeerAccess(1 - i, 0));
	}
	CHECK(hipSetDevice(0));
	CHECK(hipEventCreate(&filled));
	spin<<<64, 64, 0, s[0]>>>(a, 2000);
	fill<<<COUNT / 256, 256, 0, s[0]>>>(a, 20);
	CHECK(hipEventRecord(filled, s[0]));
	CHECK(hipSetDevice(1));
	CHECK(hipStreamWaitEvent(s[1], filled, 0));
	add<<<COUNT / 256, 256, 0, s[1]>>>(b, a, 2);
	CHECK(hipStreamSynchronize(s[1]));
	expect_values(1, b, 22);
}

/* Each GPU has global wave sync of its own: grids of different sizes wait on both, launched by a thread each so that
 * they do so at the same time. */
static void cooperative()
{
	std::vector<std::thread> threads;
	for (int i = 0; i < 2; i++)
		threads.emplace_back([i] {
			unsigned workgroups = i ? 40 : 96, rounds = 1000, n = workgroups * 128;
			unsigned *p = allocate_on(i);
			std::vector<unsigned> values(n);
			void *arguments[] = {&p, &rounds};
			CHECK(hipLaunchCooperativeKernel((void *)rotate, workgroups, 128, arguments, 0, 0));
			CHECK(hipMemcpy(values.data(), p, n * sizeof(unsigned), hipMemcpyDeviceToHost));
			for (unsigned k = 0; k < n; k++)
				EXPECT(values[k] == (k + 128 * rounds) % n);
		});
	for (auto &t : threads)
		t.join();
}

/* --- time --- */
/* Two kernels of the same length: alone, on both GPUs, and one after the other because the program waits. The timeline
 * shows when. */
static void overlap()
{
	unsigned *p[2] = {allocate_on(0), allocate_on(1)};
	for (int i = 0; i < 2; i++)
		fill_on(i, p[i], 0);
	for (int i = 0; i < 2; i++) {
		CHECK(hipSetDevice(i));
		spin<<<64, 64>>>(p[i], 20000);
	}
	for (int i = 0; i < 2; i++) {
		CHECK(hipSetDevice(i));
		CHECK(hipDeviceSynchronize());
	}
	for (int i = 0; i < 2; i++) {
		CHECK(hipSetDevice(i));
		add<<<64, 64>>>(p[i], p[i], 1);
		CHECK(hipDeviceSynchronize());
	}
}

/* Everything at once, with times by events. */
static void times()
{
	unsigned *a = allocate_on(0), *b = allocate_on(1), *c = allocate_on(1);
	hipStream_t s[2];
	hipEvent_t start[2], stop[2], filled;
	for (int i = 0; i < 2; i++) {
		CHECK(hipSetDevice(i));
		CHECK(hipStreamCreate(&s[i]));
		CHECK(hipEventCreate(&start[i]));
		CHECK(hipEventCreate(&stop[i]));
		CHECK(hipDeviceEnablePeerAccess(1 - i, 0));
	}
	CHECK(hipSetDevice(0));
	CHECK(hipEventCreate(&filled));
	for (int round = 0; round < 5; round++) {
		CHECK(hipSetDevice(0));
		CHECK(hipEventRecord(start[0], s[0]));
		spin<<<64, 64, 0, s[0]>>>(a, 1000 * (unsigned)round);
		fill<<<COUNT / 256, 256, 0, s[0]>>>(a, 20);
		CHECK(hipEventRecord(filled, s[0]));
		CHECK(hipEventRecord(stop[0], s[0]));
		CHECK(hipSetDevice(1));
		CHECK(hipEventRecord(start[1], s[1]));
		spin<<<64, 64, 0, s[1]>>>(b, 3000);
		CHECK(hipStreamWaitEvent(s[1], filled, 0));
		CHECK(hipMemcpyPeerAsync(b, 1, a, 0, BYTES, s[1]));
		add<<<COUNT / 256, 256, 0, s[1]>>>(c, a, 2);
		CHECK(hipEventRecord(stop[1], s[1]));
		for (int i = 0; i < 2; i++) {
			float ms;
			CHECK(hipSetDevice(i));
			CHECK(hipStreamSynchronize(s[i]));
			CHECK(hipEventElapsedTime(&ms, start[i], stop[i]));
			printf("round %d, device %d: %.6f ms\n", round, i, ms);
		}
		expect_values(1, b, 20);
		expect_values(1, c, 22);
	}
}

/* A host thread for each GPU. */
static void thread_per_gpu()
{
	std::vector<std::thread> threads;
	float ms[2];
	for (int i = 0; i < 2; i++)
		threads.emplace_back([i, &ms] {
			unsigned *p = allocate_on(i);
			hipEvent_t start, stop;
			CHECK(hipEventCreate(&start));
			CHECK(hipEventCreate(&stop));
			CHECK(hipEventRecord(start));
			for (int k = 0; k < 10; k++) {
				spin<<<64, 64>>>(p, 100u * (unsigned)(k + i));
				CHECK(hipDeviceSynchronize());
			}
			fill<<<COUNT / 256, 256>>>(p, (unsigned)i);
			CHECK(hipEventRecord(stop));
			CHECK(hipEventSynchronize(stop));
			CHECK(hipEventElapsedTime(&ms[i], start, stop));
			expect_values(i, p, (unsigned)i);
		});
	for (auto &t : threads)
		t.join();
	printf("%.6f ms %.6f ms\n", ms[0], ms[1]);
}

/* --- memory of another process --- */
/* Pipes between the two: the parent writes to[1], the child from[1]. */
static int to[2], from[2];

static void send(int fd, const void *data, size_t size)
{
	EXPECT(write(fd, data, size) == (ssize_t)size);
}

static void receive(int fd, void *data, size_t size)
{
	EXPECT(read(fd, data, size) == (ssize_t)size);
}

static void expect_success(pid_t child)
{
	int status;
	EXPECT(waitpid(child, &status, 0) == child);
	EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static int other_gpu()
{
	int count;
	CHECK(hipGetDeviceCount(&count));
	return count - 1;
}

/* Reads the memory with a copy and with a kernel of `device`, and writes it. */
static void use_import(const hipIpcMemHandle_t &handle, int device, unsigned seed)
{
	unsigned *there, *here = allocate_on(device);
	CHECK(hipIpcOpenMemHandle((void **)&there, handle, hipIpcMemLazyEnablePeerAccess));
	expect_values(device, there, seed);
	add<<<COUNT / 256, 256>>>(here, there, 1);
	CHECK(hipDeviceSynchronize());
	expect_values(device, here, seed + 1);
	fill_on(device, there, seed + 2);
	CHECK(hipIpcCloseMemHandle(there));
}

static void ipc_child()
{
	hipIpcMemHandle_t handle;
	char done = 1;
	for (unsigned round = 0; round < 3; round++) {
		receive(to[0], &handle, sizeof handle);
		use_import(handle, 0, round * 10);
		send(from[1], &done, 1);
	}
	exit(0);
}

/* Forked before either uses HIP. The parent frees what the child has closed, and shares again. */
static void ipc_fork()
{
	EXPECT(!pipe(to) && !pipe(from));
	pid_t child = fork();
	if (child == 0)
		ipc_child();
	hipIpcMemHandle_t handle;
	char done;
	for (unsigned round = 0; round < 3; round++) {
		unsigned *p = allocate_on(0);
		fill_on(0, p, round * 10);
		CHECK(hipIpcGetMemHandle(&handle, p));
		send(to[1], &handle, sizeof handle);
		receive(from[0], &done, 1);
		expect_values(0, p, round * 10 + 2);
		CHECK(hipFree(p));
	}
	expect_success(child);
}

/* Of another GPU: the child's GPU 0 reaches it as a peer. */
static void ipc_peer()
{
	EXPECT(!pipe(to) && !pipe(from));
	pid_t child = fork();
	hipIpcMemHandle_t handle;
	char done = 1;
	if (child == 0) {
		receive(to[0], &handle, sizeof handle);
		use_import(handle, 0, 40);
		send(from[1], &done, 1);
		exit(0);
	}
	unsigned *p = allocate_on(other_gpu());
	fill_on(other_gpu(), p, 40);
	CHECK(hipIpcGetMemHandle(&handle, p));
	send(to[1], &handle, sizeof handle);
	receive(from[0], &done, 1);
	expect_values(other_gpu(), p, 42);
	expect_success(child);
}

/* What a process has opened stays when its owner frees it, or ends. A large buffer has pages of its own. */
static void ipc_owner_frees()
{
	enum { LARGE = 8 << 20 };
	EXPECT(!pipe(to) && !pipe(from));
	pid_t owner = fork();
	hipIpcMemHandle_t handle;
	char done = 1;
	unsigned *p, *q;
	if (owner == 0) {
		CHECK(hipMalloc((void **)&p, LARGE));
		fill_on(0, p, 9);
		CHECK(hipIpcGetMemHandle(&handle, p));
		send(from[1], &handle, sizeof handle);
		receive(to[0], &done, 1);
		CHECK(hipFree(p));
		CHECK(hipMalloc((void **)&q, LARGE)); /* not the same memory */
		fill_on(0, q, 1000);
		send(from[1], &done, 1);
		receive(to[0], &done, 1);
		exit(0);
	}
	receive(from[0], &handle, sizeof handle);
	CHECK(hipIpcOpenMemHandle((void **)&p, handle, hipIpcMemLazyEnablePeerAccess));
	send(to[1], &done, 1);
	receive(from[0], &done, 1);
	expect_values(0, p, 9);
	send(to[1], &done, 1);
	expect_success(owner);
	expect_values(0, p, 9);
	hipError_t again = hipIpcOpenMemHandle((void **)&q, handle, hipIpcMemLazyEnablePeerAccess);
	EXPECT(again != hipSuccess);
	CHECK(hipIpcCloseMemHandle(p));
}

/* Two programs: one writes the handle to a file, and waits until the other has removed it. */
static const char *handle_file;

static void ipc_export()
{
	hipIpcMemHandle_t handle;
	unsigned *p = allocate_on(other_gpu());
	fill_on(other_gpu(), p, 70);
	CHECK(hipIpcGetMemHandle(&handle, p));
	std::string temporary = std::string(handle_file) + ".tmp";
	FILE *f = fopen(temporary.c_str(), "w");
	EXPECT(f && fwrite(&handle, sizeof handle, 1, f) == 1 && !fclose(f));
	EXPECT(!rename(temporary.c_str(), handle_file));
	while (!access(handle_file, F_OK))
		usleep(1000);
	expect_values(other_gpu(), p, 72);
}

static hipIpcMemHandle_t read_handle()
{
	hipIpcMemHandle_t handle;
	FILE *f = fopen(handle_file, "r");
	EXPECT(f && fread(&handle, sizeof handle, 1, f) == 1);
	fclose(f);
	return handle;
}

static void ipc_import()
{
	use_import(read_handle(), other_gpu(), 70);
	EXPECT(!unlink(handle_file));
}

static void ipc_unknown()
{
	hipIpcMemHandle_t handle = read_handle();
	void *p;
	printf("open: %s\n", hipGetErrorName(hipIpcOpenMemHandle(&p, handle, hipIpcMemLazyEnablePeerAccess)));
}

/* The child's kernel runs after the event that the parent has recorded. */
static void ipc_event()
{
	EXPECT(!pipe(to) && !pipe(from));
	pid_t child = fork();
	hipIpcMemHandle_t memory;
	hipIpcEventHandle_t handle;
	hipEvent_t event;
	char done = 1;
	if (child == 0) {
		unsigned *there;
		receive(to[0], &memory, sizeof memory);
		receive(to[0], &handle, sizeof handle);
		CHECK(hipIpcOpenMemHandle((void **)&there, memory, hipIpcMemLazyEnablePeerAccess));
		CHECK(hipIpcOpenEventHandle(&event, handle));
		CHECK(hipEventSynchronize(event));
		expect_values(0, there, 6);
		CHECK(hipIpcCloseMemHandle(there));
		send(from[1], &done, 1);
		exit(0);
	}
	unsigned *p = allocate_on(0);
	CHECK(hipEventCreateWithFlags(&event, hipEventDisableTiming | hipEventInterprocess));
	CHECK(hipIpcGetMemHandle(&memory, p));
	CHECK(hipIpcGetEventHandle(&handle, event));
	spin<<<64, 64>>>(p, 2000);
	fill<<<COUNT / 256, 256>>>(p, 6);
	CHECK(hipEventRecord(event, 0));
	send(to[1], &memory, sizeof memory);
	send(to[1], &handle, sizeof handle);
	receive(from[0], &done, 1);
	expect_success(child);
	CHECK(hipEventDestroy(event));
	remove_event_files(handle);
}

static const struct {
	const char *name;
	void (*run)();
} cases[] = {
	{"devices", devices},
	{"memory", memory},
	{"copies", copies},
	{"copies-with-access", copies_with_access},
	{"peer-access", peer_access},
	{"peer-fault", peer_fault},
	{"cross-device-wait", cross_device_wait},
	{"overlap", overlap},
	{"times", times},
	{"cooperative", cooperative},
	{"thread-per-gpu", thread_per_gpu},
	{"ipc-fork", ipc_fork},
	{"ipc-peer", ipc_peer},
	{"ipc-owner-frees", ipc_owner_frees},
	{"ipc-export", ipc_export},
	{"ipc-import", ipc_import},
	{"ipc-unknown", ipc_unknown},
	{"ipc-event", ipc_event},
};

int main(int argc, char **argv)
{
	handle_file = argc > 2 ? argv[2] : "";
	for (auto &c : cases)
		if (argc > 1 && !strcmp(argv[1], c.name)) {
			c.run();
			return 0;
		}
	fprintf(stderr, "no such case\n");
	return 2;
}

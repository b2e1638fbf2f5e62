/* Asks with the functions of probe.h what kernels may access: allocations-hip CASE. Exit status 0: all as expected. */
#include <hip/hip_runtime.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "softgpu/probe.h"

#define CHECK(call)  check((call), #call, __LINE__)
#define PROBE(name)  ((name##_fn *)dlsym(RTLD_DEFAULT, #name))
#define EXPECT(good) expect((good), #good, __LINE__)
#define NOT_INLINE   extern "C" __attribute__((noinline))

typedef struct softgpu_extent extent;
typedef struct softgpu_allocation allocation;
static const uint64_t page = 4096, apart = 65536;

static void expect(bool good, const char *what, int line)
{
	if (good)
		return;
	printf("line %d: not true: %s\n", line, what);
	fflush(stdout);
	_exit(1);
}

static void check(hipError_t error, const char *what, int line)
{
	if (error != hipSuccess)
		printf("%s: %s\n", what, hipGetErrorString(error));
	expect(error == hipSuccess, what, line);
}

static extent extent_at(const void *p, int64_t offset = 0)
{
	extent e = {};
	PROBE(softgpu_extent)((uint64_t)p + offset, &e);
	return e;
}

static allocation allocation_of(uint32_t number)
{
	allocation a = {};
	a.size = sizeof a;
	EXPECT(PROBE(softgpu_allocation)(number, &a) == 0);
	return a;
}

static std::string first_function(uint32_t stack)
{
	char text[8192] = "";
	PROBE(softgpu_stack)(stack, text, sizeof text);
	char *end = strchr(text, '\n'), *last;
	EXPECT(end);
	*end = 0;
	last = strrchr(text, '\t');
	EXPECT(last);
	return last + 1;
}

/* Exactly these bytes, and nothing else nearby. */
static uint32_t expect_extent(const void *p, uint64_t bytes, uint32_t state, const char *how)
{
	const extent first = extent_at(p), last = extent_at(p, bytes - 1), after = extent_at(p, bytes),
		     tail = extent_at(p, (bytes + page - 1) / page * page - 1), before = extent_at(p, -1);

	if (first.va != (uint64_t)p || first.bytes != bytes)
		printf("%s: %p has %lu bytes from %#lx, state %u\n", how, p, first.bytes, first.va, first.state);
	EXPECT(first.va == (uint64_t)p && first.bytes == bytes && first.state == state && first.allocation);
	EXPECT(last.va == first.va && last.bytes == bytes && last.state == state);
	EXPECT(after.state == SOFTGPU_EXTENT_GAP && after.va == (uint64_t)p + bytes &&
		after.allocation == first.allocation);
	EXPECT(bytes % page == 0 || (tail.va == after.va && tail.allocation == first.allocation));
	EXPECT(before.state == SOFTGPU_EXTENT_GAP && before.va + before.bytes == (uint64_t)p);
	EXPECT(extent_at(p, bytes + apart / 2 - 1).state == SOFTGPU_EXTENT_GAP);
	const allocation a = allocation_of(first.allocation);
	if (strcmp(a.how, how))
		printf("%s, not %s\n", a.how, how);
	EXPECT(!strcmp(a.how, how) && a.address == (uint64_t)p && a.bytes == bytes);
	EXPECT(a.freed == (state == SOFTGPU_EXTENT_FREED));
	return first.allocation;
}

static uint32_t expect_live(const void *p, uint64_t bytes, const char *how)
{
	return expect_extent(p, bytes, SOFTGPU_EXTENT_LIVE, how);
}

static uint32_t expect_freed(const void *p, uint64_t bytes, const char *how)
{
	return expect_extent(p, bytes, SOFTGPU_EXTENT_FREED, how);
}

/* --- the cases --- */
/* Each with the runtime's first use: what it allocates for itself is not the program's. */
static void first_use()
{
	void *p;
	uint64_t bytes;

	CHECK(hipMalloc(&p, 64));
	EXPECT(expect_live(p, 64, "hipMalloc") == 1);
	EXPECT(PROBE(softgpu_leaks)(NULL, 0, &bytes) == 1 && bytes == 64);
	CHECK(hipMemset(p, 1, 64));
	CHECK(hipDeviceSynchronize());
	EXPECT(PROBE(softgpu_leaks)(NULL, 0, &bytes) == 1 && bytes == 64);
}

static void device_memory()
{
	void *p[3];
	size_t pitch;
	hipPitchedPtr volume;
	const size_t sizes[] = {1, 64, 4095, 4096, 4097, 5000, 2 << 20, (3 << 20) + 1};

	for (size_t bytes : sizes) {
		for (void *&q : p) {
			CHECK(hipMalloc(&q, bytes));
			expect_live(q, bytes, "hipMalloc");
		}
		for (void *q : p)
			expect_live(q, bytes, "hipMalloc");
	}
	CHECK(hipExtMallocWithFlags(p, 100, hipDeviceMallocDefault));
	expect_live(p[0], 100, "hipExtMallocWithFlags");
	CHECK(hipMallocPitch(p, &pitch, 100, 3));
	expect_live(p[0], 3 * pitch, "hipMallocPitch");
	CHECK(hipMalloc3D(&volume, make_hipExtent(10, 3, 2)));
	expect_live(volume.ptr, 6 * volume.pitch, "hipMalloc3D");
	CHECK(hipMemAllocPitch((hipDeviceptr_t *)p, &pitch, 100, 5, 4));
	expect_live(p[0], 5 * pitch, "hipMemAllocPitch");
}

__global__ void fill(int *p, int n, int value)
{
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		p[i] = value;
}

/* From the first byte of the GPU's memory on. The host and kernels see the same bytes, a forked child none. */
static void large()
{
	const size_t bytes = 1 << 30, count = bytes / sizeof(int);
	int *p, value = 0;

	CHECK(hipMalloc(&p, bytes));
	expect_live(p, bytes, "hipMalloc");
	fill<<<1, 64>>>(p, 1, 5);
	fill<<<1, 64>>>(p + count - 1, 1, 7);
	CHECK(hipDeviceSynchronize());
	CHECK(hipMemcpy(&value, p, sizeof value, hipMemcpyDeviceToHost));
	EXPECT(value == 5 && p[0] == 5);
	CHECK(hipMemcpy(&value, p + count - 1, sizeof value, hipMemcpyDeviceToHost));
	EXPECT(value == 7 && p[count - 1] == 7);
	EXPECT(msync(p, bytes, MS_ASYNC) == 0);
	const pid_t child = fork();
	if (!child)
		_exit(msync(p, bytes, MS_ASYNC) == 0);
	int status;
	EXPECT(waitpid(child, &status, 0) == child && status == 0);
}

/* The address of an array is not known. */
static void arrays()
{
	hipArray *flat, *deep;
	hipChannelFormatDesc format = hipCreateChannelDesc<float>();
	const uint64_t line = 10 * sizeof(float);
	uint64_t bytes[3];

	EXPECT(PROBE(softgpu_leaks)(NULL, 0, &bytes[0]) == 0);
	CHECK(hipMallocArray(&flat, &format, 10, 10));
	EXPECT(PROBE(softgpu_leaks)(NULL, 0, &bytes[1]) == 1 && bytes[1] >= 10 * line);
	EXPECT(!strcmp(allocation_of(1).how, "hipMallocArray"));
	CHECK(hipMalloc3DArray(&deep, &format, make_hipExtent(10, 10, 4), 0));
	EXPECT(PROBE(softgpu_leaks)(NULL, 0, &bytes[2]) == 2 && bytes[2] >= bytes[1] + 40 * line);
	EXPECT(!strcmp(allocation_of(2).how, "hipMalloc3DArray"));
	CHECK(hipFreeArray(deep));
	EXPECT(allocation_of(2).freed && !allocation_of(1).freed);
	CHECK(hipFreeArray(flat));
	EXPECT(allocation_of(1).freed && PROBE(softgpu_leaks)(NULL, 0, &bytes[0]) == 0);
}

static void host_memory()
{
	static char mine[20000];
	void *p, *q;

	CHECK(hipHostMalloc(&p, 33, 0));
	expect_live(p, 33, "hipHostMalloc");
	CHECK(hipHostFree(p));
	expect_freed(p, 33, "hipHostMalloc");
	CHECK(hipMallocHost(&p, 5000));
	expect_live(p, 5000, "hipMallocHost");
	CHECK(hipMallocManaged(&p, 77));
	expect_live(p, 77, "hipMallocManaged");
	CHECK(hipFree(p));
	expect_freed(p, 77, "hipMallocManaged");
	CHECK(hipHostRegister(mine + 100, 5000, 0));
	CHECK(hipHostGetDevicePointer(&q, mine + 100, 0));
	expect_live(q, 5000, "hipHostRegister");
	EXPECT(extent_at(mine + 100).state == SOFTGPU_EXTENT_UNKNOWN || q == mine + 100);
	CHECK(hipHostUnregister(mine + 100));
	expect_freed(q, 5000, "hipHostRegister");
	CHECK(hipHostRegister(mine, 9000, 0));
	CHECK(hipHostGetDevicePointer(&q, mine, 0));
	expect_live(q, 9000, "hipHostRegister");
}

NOT_INLINE void *allocate_here(size_t bytes)
{
	void *p;
	CHECK(hipMalloc(&p, bytes));
	return p;
}

NOT_INLINE void free_there(void *p)
{
	CHECK(hipFree(p));
	asm volatile("");
}

/* Addresses of freed memory do not return, and both stacks stay known. */
static void freed()
{
	void *first = allocate_here(5000);
	const allocation live = allocation_of(expect_live(first, 5000, "hipMalloc"));

	EXPECT(first_function(live.allocated_by) == "allocate_here" && !live.freed_by);
	free_there(first);
	for (int i = 0; i < 1000; i++) {
		void *p = allocate_here(i % 7 ? 5000 : 100 + i);
		EXPECT((char *)p >= (char *)first + 2 * page + apart || (char *)p + 2 * page + apart <= (char *)first);
		free_there(p);
	}
	const allocation a = allocation_of(expect_freed(first, 5000, "hipMalloc"));
	EXPECT(first_function(a.allocated_by) == "allocate_here" && first_function(a.freed_by) == "free_there");
	EXPECT(a.allocated_by == live.allocated_by);
	EXPECT(hipFree(first) != hipSuccess);
	expect_freed(first, 5000, "hipMalloc");
}

static void pools()
{
	hipStream_t s;
	void *p, *q, *pooled;
	hipMemPool_t pool;
	uint64_t bytes;

	CHECK(hipStreamCreate(&s));
	CHECK(hipMallocAsync(&p, 100, s));
	const uint32_t first = expect_live(p, 100, "hipMallocAsync");
	fill<<<1, 64, 0, s>>>((int *)p, 25, 7);
	CHECK(hipFreeAsync(p, s));
	EXPECT(expect_freed(p, 100, "hipMallocAsync") == first);
	CHECK(hipMallocAsync(&q, 100, s));
	const uint32_t second = expect_live(q, 100, "hipMallocAsync");
	EXPECT(second != first);
	if (p == q)
		EXPECT(extent_at(p).allocation == second);
	CHECK(hipFree(q));
	expect_freed(q, 100, "hipMallocAsync");
	CHECK(hipDeviceGetDefaultMemPool(&pool, 0));
	CHECK(hipMallocFromPoolAsync(&pooled, 5000, pool, s));
	expect_live(pooled, 5000, "hipMallocFromPoolAsync");
	EXPECT(PROBE(softgpu_leaks)(NULL, 0, &bytes) == 1 && bytes == 5000);
	CHECK(hipFreeAsync(pooled, s));
	CHECK(hipMemPoolTrimTo(pool, 0));
	expect_freed(pooled, 5000, "hipMallocFromPoolAsync");
	EXPECT(PROBE(softgpu_leaks)(NULL, 0, &bytes) == 0);
}

/* The functions of the library itself, not those that the program is linked with. */
static void found_by_address()
{
	void *hip = dlopen("libamdhip64.so.5", RTLD_NOW | RTLD_NOLOAD), *p;
	if (!hip)
		hip = dlopen("libamdhip64.so", RTLD_NOW | RTLD_NOLOAD);
	EXPECT(hip);
	auto allocate = (hipError_t(*)(void **, size_t))dlsym(hip, "hipMalloc");
	auto give_back = (hipError_t(*)(void *))dlsym(hip, "hipFree");
	uint64_t bytes;

	CHECK(allocate(&p, 123));
	const uint32_t number = expect_live(p, 123, "hipMalloc");
	CHECK(give_back(p));
	EXPECT(expect_freed(p, 123, "hipMalloc") == number);
	uint32_t leaks[100];
	const size_t count = PROBE(softgpu_leaks)(leaks, 100, &bytes);
	for (size_t i = 0; i < count; i++)
		EXPECT(leaks[i] != number);
}

static hsa_agent_t gpu;
static hsa_amd_memory_pool_t gpu_pool;

static hsa_status_t take_gpu(hsa_agent_t agent, void *)
{
	hsa_device_type_t type;

	hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
	if (type == HSA_DEVICE_TYPE_GPU)
		gpu = agent;
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t take_pool(hsa_amd_memory_pool_t pool, void *)
{
	bool may_allocate;

	hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &may_allocate);
	if (may_allocate)
		gpu_pool = pool;
	return HSA_STATUS_SUCCESS;
}

static void without_hip()
{
	void *p, *locked;
	static char mine[5000];

	EXPECT(!hsa_init() && !hsa_iterate_agents(take_gpu, NULL));
	EXPECT(!hsa_amd_agent_iterate_memory_pools(gpu, take_pool, NULL));
	EXPECT(!hsa_amd_memory_pool_allocate(gpu_pool, 777, 0, &p));
	expect_live(p, 777, "hsa_amd_memory_pool_allocate");
	EXPECT(!hsa_amd_memory_fill(p, 0x01010101, 100) && ((char *)p)[399] == 1 && ((char *)p)[400] == 0);
	EXPECT(!hsa_amd_memory_pool_free(p));
	expect_freed(p, 777, "hsa_amd_memory_pool_allocate");
	EXPECT(!hsa_amd_memory_lock(mine, 5000, &gpu, 1, &locked));
	expect_live(locked, 5000, "hsa_amd_memory_lock");
	EXPECT(!hsa_amd_memory_unlock(mine));
	expect_freed(locked, 5000, "hsa_amd_memory_lock");
	EXPECT(!hsa_shut_down());
}

static void allocate_much(int seed)
{
	std::vector<std::pair<void *, size_t>> mine;

	for (int i = 0; i < 100; i++) {
		void *p;
		const size_t bytes = 1 + (seed * 7919 + i * 104729) % 20000;
		CHECK(i % 3 ? hipMalloc(&p, bytes) : hipHostMalloc(&p, bytes, 0));
		expect_live(p, bytes, i % 3 ? "hipMalloc" : "hipHostMalloc");
		mine.emplace_back(p, bytes);
		if (i % 2)
			continue;
		auto old = mine[mine.size() / 2];
		mine.erase(mine.begin() + mine.size() / 2);
		const allocation a = allocation_of(extent_at(old.first).allocation);
		CHECK(!strcmp(a.how, "hipMalloc") ? hipFree(old.first) : hipHostFree(old.first));
		expect_freed(old.first, old.second, a.how);
	}
	for (auto &m : mine)
		EXPECT(extent_at(m.first).state == SOFTGPU_EXTENT_LIVE && extent_at(m.first).bytes == m.second);
}

static void threads()
{
	std::vector<std::thread> all;
	uint64_t bytes;

	for (int i = 0; i < 8; i++)
		all.emplace_back(allocate_much, i);
	for (auto &t : all)
		t.join();
	EXPECT(PROBE(softgpu_leaks)(NULL, 0, &bytes) == 8 * 50);
}

static void forked()
{
	void *p;
	int status;
	uint64_t bytes;

	CHECK(hipMalloc(&p, 64));
	const pid_t child = fork();
	if (!child) {
		EXPECT(extent_at(p).state == SOFTGPU_EXTENT_UNKNOWN);
		EXPECT(PROBE(softgpu_leaks)(NULL, 0, &bytes) == 0);
		_exit(0);
	}
	EXPECT(waitpid(child, &status, 0) == child && status == 0);
	expect_live(p, 64, "hipMalloc");
}

/* Another process opens memory of this one: it has the same bytes, and knows how many. */
static void other_process()
{
	int to_child[2], to_parent[2], status;
	hipIpcMemHandle_t handle;
	char word = 0;

	EXPECT(!pipe(to_child) && !pipe(to_parent));
	const pid_t child = fork();
	if (!child) {
		void *p;
		EXPECT(read(to_child[0], &handle, sizeof handle) == sizeof handle);
		CHECK(hipIpcOpenMemHandle(&p, handle, hipIpcMemLazyEnablePeerAccess));
		const extent e = extent_at(p), after = extent_at(p, 5000);
		EXPECT(e.va == (uint64_t)p && e.bytes == 5000 && e.state == SOFTGPU_EXTENT_LIVE);
		EXPECT(after.state == SOFTGPU_EXTENT_GAP &&
			!strcmp(allocation_of(e.allocation).how, "hipIpcOpenMemHandle"));
		EXPECT(write(to_parent[1], "o", 1) == 1 && read(to_child[0], &word, 1) == 1);
		CHECK(hipMemcpy(&word, (char *)p + 4999, 1, hipMemcpyDeviceToHost));
		EXPECT(word == 7);
		CHECK(hipIpcCloseMemHandle(p));
		EXPECT(extent_at(p).state == SOFTGPU_EXTENT_FREED);
		_exit(0);
	}
	void *p, *others[64];
	CHECK(hipMalloc(&p, 5000));
	CHECK(hipMemset(p, 7, 5000));
	CHECK(hipIpcGetMemHandle(&handle, p));
	EXPECT(write(to_child[1], &handle, sizeof handle) == sizeof handle);
	EXPECT(read(to_parent[0], &word, 1) == 1);
	CHECK(hipFree(p)); /* the child keeps the bytes */
	for (void *&q : others) {
		CHECK(hipMalloc(&q, 5000));
		CHECK(hipMemset(q, 9, 5000));
	}
	CHECK(hipDeviceSynchronize());
	EXPECT(write(to_child[1], "r", 1) == 1);
	EXPECT(waitpid(child, &status, 0) == child && status == 0);
}

/* Cycles of launches that use what was packed into blocks, freed and used again: the same with and without the check.
 */
__global__ void gather(const int *a, const int *b, int *c, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		c[i] = a[i * 37 % n] + b[n - 1 - i];
}

static void cycles()
{
	const int sizes[] = {100, 3000, 20000, 300000, 1000};
	std::vector<int *> held;

	for (int round = 0; round < 6; round++)
		for (int n : sizes) {
			int *p[3];
			struct softgpu_launch last = {};

			for (int *&q : p) {
				CHECK(hipMalloc(&q, n * sizeof *q));
				CHECK(hipMemset(q, n, n * sizeof *q));
			}
			gather<<<64, 256>>>(p[0], p[1], p[2], n);
			CHECK(hipDeviceSynchronize());
			last.size = sizeof last;
			EXPECT(PROBE(softgpu_last_launch)(&last) == 0);
			printf("%d: %lu cycles, %lu instructions\n", n, last.cycles, last.instructions);
			CHECK(hipFree(p[round % 3]));
			held.push_back(p[(round + 1) % 3]);
			if (round % 2) {
				CHECK(hipFree(held.front()));
				held.erase(held.begin());
			}
		}
}

/* What the program frees before it ends, or has the runtime free. */
static void leaks()
{
	void *p[4];
	uint64_t bytes;
	uint32_t numbers[4] = {};

	for (void *&q : p)
		q = allocate_here(1000);
	free_there(p[1]);
	EXPECT(PROBE(softgpu_leaks)(numbers, 4, &bytes) == 3 && bytes == 3000);
	EXPECT(numbers[0] == extent_at(p[0]).allocation && numbers[2] == extent_at(p[3]).allocation);
	EXPECT(first_function(allocation_of(numbers[1]).allocated_by) == "allocate_here");
	CHECK(hipDeviceReset());
	EXPECT(PROBE(softgpu_leaks)(numbers, 4, &bytes) == 3 && bytes == 3000);
}

/* More are freed than are kept: the oldest are forgotten, live ones never. */
static void many()
{
	void *live = allocate_here(10), *p = NULL;
	const uint32_t first = extent_at(live).allocation;
	uint64_t bytes;

	free_there(allocate_here(20));
	allocation old = allocation_of(first + 1);
	/* Where the runtime keeps a descriptor of each, the last ones are not apart, and addresses return. */
	bool used_again = false;
	for (int i = 0; i < 72000; i++) {
		void *last = p;
		free_there(p = allocate_here(30));
		used_again |= p == last;
	}
	old.size = sizeof old;
	used_again |= extent_at(p, 30).bytes < page;
	EXPECT(used_again || PROBE(softgpu_allocation)(first + 1, &old) == -1);
	expect_live(live, 10, "hipMalloc");
	if (used_again)
		EXPECT(extent_at(p).state == SOFTGPU_EXTENT_FREED);
	else
		expect_freed(p, 30, "hipMalloc");
	EXPECT(PROBE(softgpu_leaks)(NULL, 0, &bytes) == 1 && bytes == 10);
}

/* Where the program has used most of its descriptors, allocations keep the runtime's addresses. */
static void few_descriptors()
{
	struct rlimit limit = {};
	void *before = allocate_here(10);

	EXPECT(!getrlimit(RLIMIT_NOFILE, &limit));
	limit.rlim_cur = 400;
	for (int i = 0; i < 250; i++)
		EXPECT(dup(STDERR_FILENO) >= 0);
	EXPECT(!setrlimit(RLIMIT_NOFILE, &limit));
	void *p = allocate_here(20);
	const extent behind = extent_at(p, 20);
	EXPECT(extent_at(p).bytes == 20 && behind.state == SOFTGPU_EXTENT_GAP);
	EXPECT(behind.bytes < page && extent_at(before, 10).bytes > page);
}

/* What is behind an allocation is not mapped. */
static void stray()
{
	int *p, *next;

	CHECK(hipMalloc(&p, 64));
	CHECK(hipMalloc(&next, 64));
	fill<<<1, 64>>>(p + page / sizeof *p, 1, 7);
	printf("synchronized: %s\n", hipGetErrorName(hipDeviceSynchronize()));
}

/* Without the check, nothing is known. */
static void off()
{
	void *p;
	uint64_t bytes;

	CHECK(hipMalloc(&p, 64));
	EXPECT(extent_at(p).state == SOFTGPU_EXTENT_UNKNOWN && PROBE(softgpu_leaks)(NULL, 0, &bytes) == 0);
}

int main(int count, char **arguments)
{
	static const struct {
		const char *name;
		void (*run)();
	} cases[] = {{"first-use", first_use}, {"device-memory", device_memory}, {"large", large}, {"arrays", arrays},
		{"host-memory", host_memory}, {"freed", freed}, {"pools", pools},
		{"found-by-address", found_by_address}, {"without-hip", without_hip}, {"threads", threads},
		{"forked", forked}, {"other-process", other_process}, {"leaks", leaks}, {"many", many},
		{"few-descriptors", few_descriptors}, {"cycles", cycles}, {"stray", stray}, {"off", off}};

	for (auto &c : cases)
		if (count > 1 && !strcmp(c.name, arguments[1])) {
			c.run();
			return 0;
		}
	puts("which case?");
	return 2;
}

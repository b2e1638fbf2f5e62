// Fills and copies of device memory: fills-hip plain|profiled [CASE]. Each case compares memory with what C computes,
// and prints the launches' time and, of the last launch, what it counted. Exit status 0 means success.
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <vector>

#include "softgpu/probe.h"

#define CHECK(call) check((call), #call, __LINE__)

static void check(hipError_t error, const char *what, int line)
{
	if (error == hipSuccess)
		return;
	printf("line %d: %s: %s\n", line, what, hipGetErrorString(error));
	exit(1);
}

template <typename F> static F *probe(const char *name)
{
	auto f = (F *)dlsym(RTLD_DEFAULT, name);

	if (!f) {
		printf("%s not found; start the program with wavedeck exec\n", name);
		exit(1);
	}
	return f;
}

enum { ROOM = 64 << 20 };
static uint8_t *to, *from;
static std::vector<uint8_t> want(ROOM), input(ROOM), got(ROOM);
static bool profiled;

static uint8_t byte_at(size_t i, unsigned seed)
{
	return (i * 2654435761u >> 11) + seed;
}

// Both buffers have other contents than the results.
static void fill_buffers()
{
	for (size_t i = 0; i < ROOM; i++) {
		input[i] = byte_at(i, 1);
		want[i] = byte_at(i, 77);
	}
	CHECK(hipMemcpy(from, input.data(), ROOM, hipMemcpyHostToDevice));
	CHECK(hipMemcpy(to, want.data(), ROOM, hipMemcpyHostToDevice));
}

static uint64_t sum_breakdown()
{
	softgpu_cycles part[SOFTGPU_STALL_REASONS];
	size_t n = probe<softgpu_account_fn>("softgpu_account")(part, SOFTGPU_STALL_REASONS);
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += part[i].cycles;
	return sum;
}

static uint64_t sum_issued()
{
	std::vector<softgpu_instruction> row(4096);
	size_t n = probe<softgpu_profile_fn>("softgpu_profile")(row.data(), row.size());
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += row[i].count;
	return sum;
}

// The waves that were simulated one by one.
static uint64_t sum_waves()
{
	uint32_t cu[256];
	size_t n = probe<softgpu_waves_fn>("softgpu_waves")(cu, 256);
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += cu[i];
	return sum;
}

static void print_launch(const char *name, float ms)
{
	softgpu_launch l = {};

	l.size = sizeof l;
	probe<softgpu_last_launch_fn>("softgpu_last_launch")(&l);
	printf("%s %s us %.3f waves %lu instructions %lu cycles %lu", name, l.kernel, ms * 1000, l.waves,
		l.instructions, l.cycles);
	if (profiled)
		printf(" breakdown %lu issued %lu simulated %lu", sum_breakdown(), sum_issued(), sum_waves());
}

// A pattern of so many bytes at an offset, as often as given.
static void expect_pattern(size_t offset, uint64_t pattern, size_t bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		memcpy(&want[offset + i * bytes], &pattern, bytes);
}

static void expect_rows(size_t offset, size_t pitch, size_t from_offset, size_t from_pitch, size_t width, size_t rows)
{
	for (size_t y = 0; y < rows; y++)
		memcpy(&want[offset + y * pitch], &input[from_offset + y * from_pitch], width);
}

static void set_bytes(size_t offset, size_t bytes)
{
	expect_pattern(offset, 0xa5, 1, bytes);
	CHECK(hipMemsetAsync(to + offset, 0xa5, bytes, 0));
}

static void set_halves(size_t offset, size_t count)
{
	expect_pattern(offset, 0x1234, 2, count);
	CHECK(hipMemsetD16Async((hipDeviceptr_t)(to + offset), 0x1234, count, 0));
}

static void set_words(size_t offset, size_t count)
{
	expect_pattern(offset, 0x12345678, 4, count);
	CHECK(hipMemsetD32Async((hipDeviceptr_t)(to + offset), 0x12345678, count, 0));
}

static void set_rows(size_t offset, size_t pitch, size_t width, size_t rows)
{
	for (size_t y = 0; y < rows; y++)
		memset(&want[offset + y * pitch], 0x5a, width);
	CHECK(hipMemset2DAsync(to + offset, pitch, 0x5a, width, rows, 0));
}

static void copy_bytes(size_t offset, size_t from_offset, size_t bytes)
{
	memcpy(&want[offset], &input[from_offset], bytes);
	CHECK(hipMemcpyDtoDAsync((hipDeviceptr_t)(to + offset), (hipDeviceptr_t)(from + from_offset), bytes, 0));
}

static void copy_rows(size_t offset, size_t pitch, size_t from_offset, size_t from_pitch, size_t width, size_t rows)
{
	expect_rows(offset, pitch, from_offset, from_pitch, width, rows);
	CHECK(hipMemcpy2DAsync(
		to + offset, pitch, from + from_offset, from_pitch, width, rows, hipMemcpyDeviceToDevice, 0));
}

static void copy_box(size_t width, size_t rows, size_t planes)
{
	const size_t pitch = width + 11;
	hipMemcpy3DParms p = {};

	p.srcPtr = make_hipPitchedPtr(from, pitch, width, rows);
	p.dstPtr = make_hipPitchedPtr(to, pitch, width, rows);
	p.extent = make_hipExtent(width, rows, planes);
	p.kind = hipMemcpyDeviceToDevice;
	expect_rows(0, pitch, 0, pitch, width, rows * planes);
	CHECK(hipMemcpy3DAsync(&p, 0));
}

// The ranges overlap. What work-items then read depends on their order, so C cannot say.
static void copy_onto_itself(size_t distance, size_t bytes)
{
	CHECK(hipMemcpyDtoDAsync((hipDeviceptr_t)(to + distance), (hipDeviceptr_t)to, bytes, 0));
}

// Launches the kernel of own_fill.cl, which is compiled to the file $OWN_FILL.
enum { HONEST = 0xee };
static void launch_own_fill(uint8_t *start, uint64_t pattern, uint64_t count)
{
	struct {
		void *none[3], *start, *pattern;
		uint32_t pattern_size;
		uint64_t offset, size;
	} arguments = {{}, start, nullptr, 1, 0, count};
	size_t bytes = sizeof arguments;
	void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &arguments, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
		HIP_LAUNCH_PARAM_END};
	hipModule_t module;
	hipFunction_t kernel;

	CHECK(hipModuleLoad(&module, getenv("OWN_FILL")));
	CHECK(hipModuleGetFunction(&kernel, module, "__amd_rocclr_fillBufferAligned"));
	CHECK(hipMalloc(&arguments.pattern, sizeof pattern));
	CHECK(hipMemcpy(arguments.pattern, &pattern, sizeof pattern, hipMemcpyHostToDevice));
	CHECK(hipModuleLaunchKernel(kernel, count / 256, 1, 1, 256, 1, 1, 0, 0, nullptr, extra));
}

enum { OWN_COUNT = 3 << 20 };
static void fill_alike()
{
	expect_pattern(0, HONEST, 8, OWN_COUNT);
	launch_own_fill(to, HONEST, OWN_COUNT);
}

static void fill_otherwise()
{
	for (uint64_t id = 0; id < OWN_COUNT; id++) {
		uint64_t value = 0x1234 + id;
		memcpy(&want[8 * id], &value, 8);
	}
	launch_own_fill(to, 0x1234, OWN_COUNT);
}

// The runtime aborts.
static void fill_beyond()
{
	launch_own_fill(std::max(to, from) + ROOM - (1 << 20), HONEST, 64 << 20);
	CHECK(hipDeviceSynchronize());
}

static const struct fill_case {
	const char *name;
	std::function<void()> submit;
	enum { OF_HIP, IN_ORDER, OWN } kind; // IN_ORDER: memory depends on the order of the work-items
} cases[] = {
	{"set", [] { set_bytes(0, 24 << 20); }},
	{"set-again", [] { set_bytes(0, 24 << 20); }},
	{"set-odd", [] { set_bytes(12345, (24 << 20) + 7); }},
	{"set-small", [] { set_bytes(4099, 300000); }},
	{"set-halves", [] { set_halves(2, (11 << 20) + 3); }},
	{"set-words", [] { set_words(4, (6 << 20) + 1); }},
	{"set-rows", [] { set_rows(16, 3400, 3043, 2001); }},
	{"set-square", [] { set_rows(0, 2048, 2048, 1536); }},
	{"copy", [] { copy_bytes(0, 0, 14 << 20); }},
	{"copy-odd", [] { copy_bytes(4101, 70003, (13 << 20) + 3); }},
	{"copy-dwords", [] { copy_bytes(1 << 20, 256, (13 << 20) + 12); }},
	{"copy-rows", [] { copy_rows(5, 3500, 3, 3300, 3211, 2010); }},
	{"copy-wide-rows", [] { copy_rows(160, 20000, 32, 19200, 16 * 1103, 3001); }},
	{"copy-dword-rows", [] { copy_rows(4, 9000, 8, 8100, 4 * 1999, 1700); }},
	{"copy-box", [] { copy_box(251, 108, 101); }},
	{"copy-overlap", [] { copy_onto_itself(4096, 14 << 20); }, fill_case::IN_ORDER},
	{"alike", fill_alike, fill_case::OWN},
	{"otherwise", fill_otherwise, fill_case::OWN},
	{"beyond", fill_beyond, fill_case::OWN},
};

static uint64_t digest_memory()
{
	uint64_t h = 0;

	for (size_t i = 0; i < ROOM; i += sizeof h) {
		uint64_t word;
		memcpy(&word, &got[i], sizeof word);
		h = (h ^ word) * 0x100000001b3;
	}
	return h;
}

static bool run_case(const fill_case &c)
{
	hipEvent_t begin, end;
	float ms;

	fill_buffers();
	CHECK(hipEventCreate(&begin));
	CHECK(hipEventCreate(&end));
	CHECK(hipDeviceSynchronize());
	CHECK(hipEventRecord(begin, 0));
	c.submit();
	CHECK(hipEventRecord(end, 0));
	CHECK(hipDeviceSynchronize());
	CHECK(hipEventElapsedTime(&ms, begin, end));
	print_launch(c.name, ms);
	CHECK(hipMemcpy(got.data(), to, ROOM, hipMemcpyDeviceToHost));
	printf(" memory %016lx\n", digest_memory());
	if (c.kind != fill_case::IN_ORDER && memcmp(got.data(), want.data(), ROOM)) {
		printf("failed: %s: memory differs\n", c.name);
		return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	bool good = argc >= 2;

	profiled = good && !strcmp(argv[1], "profiled");
	CHECK(hipMalloc(&to, ROOM));
	CHECK(hipMalloc(&from, ROOM));
	if (profiled)
		probe<softgpu_look_fn>("softgpu_look")(SOFTGPU_PROFILE_CYCLES | SOFTGPU_PROFILE_WAVES);
	for (int i = 2; i < argc; i++)
		for (const fill_case &c : cases)
			if (!strcmp(argv[i], c.name) || (!strcmp(argv[i], "all") && c.kind != fill_case::OWN))
				good &= run_case(c);
	return good ? 0 : 1;
}

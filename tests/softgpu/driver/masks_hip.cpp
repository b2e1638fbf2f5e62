// CU masks of streams and queues, one case per run: masks-hip CASE. Exit status 0 means success.
#include <hip/hip_runtime.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>

enum { ENGINES = 4, CUS = 64, GROUPS = 512 };

#define CHECK(call) check((call), #call, __LINE__)

static void check(hipError_t error, const char *what, int line)
{
	if (error == hipSuccess)
		return;
	printf("line %d: %s: %s\n", line, what, hipGetErrorString(error));
	exit(1);
}

static void check(hsa_status_t status, const char *what, int line)
{
	const char *text = "";

	if (status == HSA_STATUS_SUCCESS)
		return;
	hsa_status_string(status, &text);
	printf("line %d: %s: %s\n", line, what, text);
	exit(1);
}

static int expect(bool good, const char *what)
{
	if (!good)
		printf("failed: %s\n", what);
	return good ? 0 : 1;
}

// HW_ID contains the CU in bits 8 to 11 and the shader engine in bits 13 and 14 ("Vega" ISA guide, 3.12).
__global__ void record_hw_id(unsigned *out)
{
	float x = threadIdx.x;

	for (int i = 0; i < 1000; i++)
		asm volatile("v_mad_f32 %0, %0, %0, %0" : "+v"(x));
	if (threadIdx.x == 0)
		asm volatile("s_getreg_b32 %0, hwreg(HW_REG_HW_ID)" : "=s"(out[blockIdx.x]));
}

// A mask as HIP takes it: bit b is CU b / 4 of engine b % 4.
struct mask {
	unsigned word[2];
};

static mask cus_seen(const std::vector<unsigned> &ids)
{
	mask m = {};

	for (unsigned id : ids) {
		unsigned bit = (id >> 8 & 15) * ENGINES + (id >> 13 & 3);
		m.word[bit / 32] |= 1u << bit % 32;
	}
	return m;
}

// The CUs on which the stream's workgroups run; *ms is the time of a launch.
static mask run(hipStream_t s, float *ms)
{
	std::vector<unsigned> ids(GROUPS);
	hipEvent_t begin, end;
	unsigned *d;

	CHECK(hipMalloc(&d, GROUPS * sizeof *d));
	CHECK(hipEventCreate(&begin));
	CHECK(hipEventCreate(&end));
	record_hw_id<<<GROUPS, 64, 0, s>>>(d);
	CHECK(hipEventRecord(begin, s));
	record_hw_id<<<GROUPS, 64, 0, s>>>(d);
	CHECK(hipEventRecord(end, s));
	CHECK(hipStreamSynchronize(s));
	CHECK(hipEventElapsedTime(ms, begin, end));
	CHECK(hipMemcpy(ids.data(), d, GROUPS * sizeof *d, hipMemcpyDeviceToHost));
	CHECK(hipFree(d));
	return cus_seen(ids);
}

static int expect_cus(hipStream_t s, mask expected, float *ms)
{
	mask seen = run(s, ms);

	printf("mask %08x:%08x, ran on %08x:%08x, %.6f ms\n", expected.word[1], expected.word[0], seen.word[1],
		seen.word[0], *ms);
	return expect(
		seen.word[0] == expected.word[0] && seen.word[1] == expected.word[1], "exactly the CUs of the mask");
}

static int streams(const char *)
{
	static const mask masks[] = {
		{{0x0000ffff, 0}},
		{{0x11111111, 0x11111111}},
		{{1u << 31, 1}},
		{{0xaaaaaaaa, 0xaaaaaaaa}},
		{{0, 0x80000000}},
	};
	float whole, ms;
	int wrong = expect_cus(0, {{~0u, ~0u}}, &whole);

	for (const mask &m : masks) {
		unsigned back[2] = {};
		hipStream_t s;

		CHECK(hipExtStreamCreateWithCUMask(&s, 2, m.word));
		CHECK(hipExtStreamGetCUMask(s, 2, back));
		wrong += expect(!memcmp(back, m.word, sizeof back), "the stream reports its mask");
		wrong += expect_cus(s, m, &ms);
		int cus = __builtin_popcount(m.word[0]) + __builtin_popcount(m.word[1]);
		wrong += expect(ms > whole && (cus > 16 || ms > 2 * whole), "fewer CUs take longer");
		CHECK(hipStreamDestroy(s));
	}
	return wrong + expect_cus(0, {{~0u, ~0u}}, &ms) + expect(ms == whole, "the time without a mask");
}

// A mask shorter than the device excludes the remaining CUs.
static int short_mask(const char *)
{
	unsigned word = 0xff;
	hipStream_t s;
	float ms;

	CHECK(hipExtStreamCreateWithCUMask(&s, 1, &word));
	return expect_cus(s, {{0xff, 0}}, &ms);
}

// Two masked streams and one without a mask at the same time, each on its own CUs.
static int together(const char *)
{
	static const mask masks[] = {{{0xffff, 0}}, {{0, 0xffff0000}}};
	unsigned *d[3];
	hipStream_t s[3];
	int wrong = 0;

	CHECK(hipStreamCreate(&s[2]));
	for (int k = 0; k < 3; k++) {
		if (k < 2)
			CHECK(hipExtStreamCreateWithCUMask(&s[k], 2, masks[k].word));
		CHECK(hipMalloc(&d[k], GROUPS * sizeof *d[k]));
	}
	for (int k = 0; k < 9; k++)
		record_hw_id<<<GROUPS, 64, 0, s[k % 3]>>>(d[k % 3]);
	CHECK(hipDeviceSynchronize());
	for (int k = 0; k < 3; k++) {
		std::vector<unsigned> ids(GROUPS);
		CHECK(hipMemcpy(ids.data(), d[k], GROUPS * sizeof *d[k], hipMemcpyDeviceToHost));
		mask seen = cus_seen(ids), expected = k < 2 ? masks[k] : mask{{~0u, ~0u}};
		wrong += expect(!memcmp(&seen, &expected, sizeof seen), "each stream's own CUs");
	}
	return wrong;
}

// Under HSA_CU_MASK=0:0-15.
static int environment(const char *)
{
	float ms;

	return expect_cus(0, {{0xffff, 0}}, &ms);
}

// --- queues of the HSA runtime ---
static hsa_status_t find_gpu(hsa_agent_t agent, void *out)
{
	hsa_device_type_t type;

	hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
	if (type == HSA_DEVICE_TYPE_GPU)
		*(hsa_agent_t *)out = agent;
	return HSA_STATUS_SUCCESS;
}

static int queues(const char *)
{
	unsigned given[2] = {0xf0f0, 0x1}, back[2] = {};
	hsa_agent_t gpu = {};
	hsa_queue_t *q;
	int wrong = 0;

	CHECK(hsa_init());
	CHECK(hsa_iterate_agents(find_gpu, &gpu));
	CHECK(hsa_queue_create(gpu, 256, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, UINT32_MAX, UINT32_MAX, &q));
	CHECK(hsa_amd_queue_cu_get_mask(q, CUS, back));
	wrong += expect(back[0] == ~0u && back[1] == ~0u, "a queue starts with all CUs");
	CHECK(hsa_amd_queue_cu_set_mask(q, CUS, given));
	CHECK(hsa_amd_queue_cu_get_mask(q, CUS, back));
	wrong += expect(!memcmp(given, back, sizeof back), "the mask that was set");
	CHECK(hsa_amd_queue_cu_set_mask(q, 0, nullptr));
	CHECK(hsa_amd_queue_cu_get_mask(q, CUS, back));
	wrong += expect(back[0] == ~0u && back[1] == ~0u, "all CUs again");
	wrong += expect(hsa_amd_queue_cu_set_mask(q, 33, given) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
		"the mask must be whole words");
	for (int k = 0; k < 50; k++) { // destroying a queue involves two threads that wait for the same event
		CHECK(hsa_queue_destroy(q));
		CHECK(hsa_queue_create(gpu, 256, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, UINT32_MAX, UINT32_MAX, &q));
		CHECK(hsa_amd_queue_cu_get_mask(q, CUS, back));
		wrong += expect(back[0] == ~0u && back[1] == ~0u, "a new queue starts with all CUs");
	}
	CHECK(hsa_queue_destroy(q));
	return wrong;
}

// A kernel with an empty CU mask waits; other streams continue. The process exits without waiting for it.
static int empty_mask(const char *)
{
	unsigned nothing[2] = {}, *d;
	hipStream_t masked, other;

	CHECK(hipMalloc(&d, GROUPS * sizeof *d));
	CHECK(hipExtStreamCreateWithCUMask(&masked, 2, nothing));
	CHECK(hipStreamCreateWithFlags(&other, hipStreamNonBlocking));
	record_hw_id<<<GROUPS, 64, 0, masked>>>(d);
	record_hw_id<<<GROUPS, 64, 0, other>>>(d);
	CHECK(hipStreamSynchronize(other));
	usleep(500000);
	hipError_t error = hipStreamQuery(masked);
	printf("kernel with an empty CU mask: %s\n", hipGetErrorString(error));
	_exit(expect(error == hipErrorNotReady, "the kernel waits"));
}

static const struct {
	const char *name;
	int (*run)(const char *);
} cases[] = {
	{"streams", streams},
	{"short", short_mask},
	{"together", together},
	{"environment", environment},
	{"queues", queues},
	{"none", empty_mask},
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

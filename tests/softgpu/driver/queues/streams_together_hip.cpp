// Kernels of several streams at the same time, one case per run: streams_together-hip CASE. Each prints the times of
// its events, which must be the same in every run. Exit status 0 means success.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>
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

enum { STREAMS = 3 };

// Lasts this many cycles of the core clock.
__global__ void last(long long cycles, long long *span)
{
	const long long start = clock64();

	while (clock64() - start < cycles)
		;
	if (threadIdx.x == 0 && blockIdx.x == 0) {
		span[0] = start;
		span[1] = clock64();
	}
}

__global__ void add(int *data, int n, int k)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		data[i] += k;
}

// A stream with an event before and one after its kernel.
struct timed_stream {
	hipStream_t stream;
	hipEvent_t before, after;
};

static timed_stream create_stream(unsigned flags = hipStreamNonBlocking)
{
	timed_stream t;

	CHECK(hipStreamCreateWithFlags(&t.stream, flags));
	CHECK(hipEventCreate(&t.before));
	CHECK(hipEventCreate(&t.after));
	return t;
}

static void launch(timed_stream &t, int groups, long long cycles, long long *span)
{
	CHECK(hipEventRecord(t.before, t.stream));
	last<<<groups, 64, 0, t.stream>>>(cycles, span);
	CHECK(hipEventRecord(t.after, t.stream));
}

static float ms_between(hipEvent_t a, hipEvent_t b)
{
	float ms = 0;

	CHECK(hipEventElapsedTime(&ms, a, b));
	return ms;
}

static void print_times(const std::vector<timed_stream> &s)
{
	for (size_t k = 0; k < s.size(); k++)
		printf("stream %zu: %.6f to %.6f ms\n", k, ms_between(s[0].before, s[k].before),
			ms_between(s[0].before, s[k].after));
}

struct setting {
	std::vector<timed_stream> s;
	long long *spans;
};

// The code is loaded and each stream has a queue.
static setting create_streams(int count)
{
	setting t;

	CHECK(hipMalloc(&t.spans, 2 * count * sizeof(long long)));
	for (int k = 0; k < count; k++) {
		t.s.push_back(create_stream());
		launch(t.s[k], 1, 100, t.spans + 2 * k);
	}
	CHECK(hipDeviceSynchronize());
	return t;
}

static int together(const char *)
{
	setting t = create_streams(STREAMS);
	long long spans[2 * STREAMS];
	hipDeviceProp_t properties;
	int wrong = 0;

	CHECK(hipGetDeviceProperties(&properties, 0));
	wrong += expect(properties.concurrentKernels == 1, "the property concurrentKernels");
	for (int k = 0; k < STREAMS; k++)
		launch(t.s[k], 1 + k, 150000, t.spans + 2 * k);
	CHECK(hipDeviceSynchronize());
	print_times(t.s);
	CHECK(hipMemcpy(spans, t.spans, sizeof spans, hipMemcpyDeviceToHost));
	for (int k = 0; k < STREAMS; k++) {
		printf("clock %d: %lld to %lld\n", k, spans[2 * k] - spans[0], spans[2 * k + 1] - spans[0]);
		wrong += expect(ms_between(t.s[0].before, t.s[k].before) == 0, "they begin at the same time");
		wrong += expect(ms_between(t.s[0].before, t.s[k].after) < 0.11, "none waits for another one");
	}
	return wrong;
}

static int idle_event(const char *)
{
	setting t = create_streams(2);

	launch(t.s[0], 1, 1500000, t.spans);
	CHECK(hipEventRecord(t.s[1].before, t.s[1].stream));
	CHECK(hipEventRecord(t.s[1].after, t.s[1].stream));
	CHECK(hipDeviceSynchronize());
	print_times(t.s);
	return expect(ms_between(t.s[0].before, t.s[1].after) == 0, "an event of an idle stream is not late");
}

// What is submitted after a wait begins after what it waited for, and next to what still runs.
static int after_a_wait(const char *)
{
	setting t = create_streams(STREAMS);
	int wrong = 0;

	launch(t.s[0], 1, 300000, t.spans);
	launch(t.s[1], 1, 100000, t.spans + 2);
	CHECK(hipStreamSynchronize(t.s[1].stream));
	launch(t.s[2], 1, 100000, t.spans + 4);
	CHECK(hipDeviceSynchronize());
	print_times(t.s);
	const float waited = ms_between(t.s[0].before, t.s[1].after), begun = ms_between(t.s[0].before, t.s[2].before);
	wrong += expect(begun >= waited && begun < waited + 0.001, "the third begins at the end of the second");
	wrong += expect(ms_between(t.s[2].after, t.s[0].after) > 0.05, "it runs next to the first");
	return wrong;
}

// The same with a thread that polls.
static int polling(const char *)
{
	setting t = create_streams(STREAMS);

	for (int round = 0; round < 3; round++) {
		for (int k = 0; k < STREAMS; k++)
			launch(t.s[k], 1, 100000 * (k + 1), t.spans + 2 * k);
		while (hipStreamQuery(t.s[round].stream) == hipErrorNotReady)
			;
		CHECK(hipDeviceSynchronize());
		print_times(t.s);
	}
	return expect(ms_between(t.s[0].before, t.s[2].before) == 0, "they begin at the same time");
}

// More packets than a queue has room for.
static int full_queues(const char *)
{
	enum { LAUNCHES = 20000, ITEMS = 64 };
	setting t = create_streams(2);
	int *data, back[2 * ITEMS], wrong = 0;

	CHECK(hipMalloc(&data, sizeof back));
	CHECK(hipMemset(data, 0, sizeof back));
	CHECK(hipDeviceSynchronize());
	for (int k = 0; k < 2; k++)
		CHECK(hipEventRecord(t.s[k].before, t.s[k].stream));
	for (int i = 0; i < LAUNCHES; i++)
		for (int k = 0; k < 2; k++)
			add<<<1, ITEMS, 0, t.s[k].stream>>>(data + k * ITEMS, ITEMS, k + 1);
	for (int k = 0; k < 2; k++)
		CHECK(hipEventRecord(t.s[k].after, t.s[k].stream));
	CHECK(hipDeviceSynchronize());
	print_times(t.s);
	CHECK(hipMemcpy(back, data, sizeof back, hipMemcpyDeviceToHost));
	for (int i = 0; i < 2 * ITEMS; i++)
		wrong += back[i] != LAUNCHES * (i / ITEMS + 1);
	return expect(wrong == 0, "results");
}

// Threads with a stream each submit and wait in turn.
static int threads(const char *)
{
	setting t = create_streams(STREAMS);
	std::vector<std::thread> all;
	std::vector<std::vector<float>> times(STREAMS);

	for (int k = 0; k < STREAMS; k++)
		all.emplace_back([&, k] {
			for (int round = 0; round < 5; round++) {
				launch(t.s[k], 1, 20000 * (k + 2), t.spans + 2 * k);
				CHECK(hipStreamSynchronize(t.s[k].stream));
				times[k].push_back(ms_between(t.s[k].before, t.s[k].after));
			}
		});
	for (auto &thread : all)
		thread.join();
	for (int k = 0; k < STREAMS; k++)
		for (float ms : times[k])
			printf("stream %d: %.6f ms\n", k, ms);
	return 0;
}

static void work_for(double seconds)
{
	const clock_t start = clock();

	while ((clock() - start) / (double)CLOCKS_PER_SEC < seconds)
		;
}

// The thread works on its own between two launches, twice.
static int busy_host(const char *)
{
	setting t = create_streams(2);
	int wrong = 0;

	for (int round = 0; round < 2; round++) {
		launch(t.s[0], 1, 3000000, t.spans);
		work_for(0.6);
		launch(t.s[1], 1, 100000, t.spans + 2);
		CHECK(hipDeviceSynchronize());
		wrong += expect(ms_between(t.s[0].before, t.s[1].before) > 0, "the GPU began before");
	}
	return wrong;
}

// Copies run next to kernels, and what waits for a copy begins at its end.
static int copies(const char *)
{
	enum { BYTES = 1 << 20 };
	setting t = create_streams(2);
	timed_stream copy = create_stream();
	void *host, *device;
	int wrong = 0;

	CHECK(hipHostMalloc(&host, BYTES));
	CHECK(hipMalloc(&device, BYTES));
	CHECK(hipMemcpyAsync(device, host, BYTES, hipMemcpyHostToDevice, copy.stream));
	CHECK(hipDeviceSynchronize());
	launch(t.s[0], 1, 600000, t.spans);
	CHECK(hipEventRecord(copy.before, copy.stream));
	CHECK(hipMemcpyAsync(device, host, BYTES, hipMemcpyHostToDevice, copy.stream));
	CHECK(hipEventRecord(copy.after, copy.stream));
	CHECK(hipStreamWaitEvent(t.s[1].stream, copy.after, 0));
	launch(t.s[1], 1, 100000, t.spans + 2);
	CHECK(hipDeviceSynchronize());
	t.s.push_back(copy);
	print_times(t.s);
	wrong += expect(ms_between(t.s[0].before, copy.after) < 0.1, "the copy runs next to the kernel");
	wrong += expect(ms_between(copy.after, t.s[1].after) < 0.075, "the second kernel begins when the copy ends");
	wrong += expect(ms_between(t.s[1].after, t.s[0].after) > 0.1, "and ends before the first");
	return wrong;
}

static const struct {
	const char *name;
	int (*run)(const char *);
} cases[] = {
	{"together", together},
	{"idle-event", idle_event},
	{"after-a-wait", after_a_wait},
	{"polling", polling},
	{"full-queues", full_queues},
	{"threads", threads},
	{"busy-host", busy_host},
	{"copies", copies},
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

// Programs that time themselves with the host's clocks, one case per run: clock-hip CASE. Exit status 0 means success.
// Kernels sleep for a long virtual time that takes little to simulate, so that the host's own work does not matter.
#include <hip/hip_runtime.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
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

// A turn sleeps for 127 times 64 cycles, about 5 us.
__global__ void sleep_and_store(int turns, volatile int *done)
{
	for (int i = 0; i < turns; i++)
		__builtin_amdgcn_s_sleep(127);
	*done = 1;
}

static const int TURNS = 100000; // about half a second

// Takes long to simulate: on 64 CUs a millisecond takes about a second.
__global__ void compute(float *out, int turns, volatile int *done)
{
	float x = out[threadIdx.x];

	for (int i = 0; i < turns; i++)
		x = x * 1.0001f + 1.0f;
	out[blockIdx.x * blockDim.x + threadIdx.x] = x;
	if (threadIdx.x == 0)
		*done = 1;
}

__global__ void wait_for_host(volatile int *go, volatile int *done)
{
	while (*go == 0)
		__builtin_amdgcn_s_sleep(127);
	*done = 1;
}

static int *allocate_flag()
{
	int *flag;

	CHECK(hipHostMalloc(reinterpret_cast<void **>(&flag), sizeof *flag, 0));
	*flag = 0;
	return flag;
}

static void launch(int *flag, int turns = TURNS)
{
	sleep_and_store<<<1, 64>>>(turns, flag);
	CHECK(hipGetLastError());
}

static void launch_slow(int *flag)
{
	float *out;

	CHECK(hipMalloc(reinterpret_cast<void **>(&out), 64 * 256 * sizeof *out));
	compute<<<64, 256>>>(out, 20000, flag);
	CHECK(hipGetLastError());
}

static double seconds_of(const timespec &t)
{
	return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

static double read_posix(clockid_t clock)
{
	timespec t;

	clock_gettime(clock, &t);
	return seconds_of(t);
}

template <class clock_type> static double read_chrono()
{
	return std::chrono::duration<double>(clock_type::now().time_since_epoch()).count();
}

static const struct {
	const char *name;
	double (*read)();
	double step; // its resolution
} clocks[] = {
	{"CLOCK_MONOTONIC", [] { return read_posix(CLOCK_MONOTONIC); }, 0},
	{"CLOCK_MONOTONIC_RAW", [] { return read_posix(CLOCK_MONOTONIC_RAW); }, 0},
	{"CLOCK_REALTIME", [] { return read_posix(CLOCK_REALTIME); }, 0},
	{"CLOCK_PROCESS_CPUTIME_ID", [] { return read_posix(CLOCK_PROCESS_CPUTIME_ID); }, 0},
	{"steady_clock", read_chrono<std::chrono::steady_clock>, 0},
	{"system_clock", read_chrono<std::chrono::system_clock>, 0},
	{"clock()", [] { return static_cast<double>(clock()) / CLOCKS_PER_SEC; }, 1e-6},
	{"time()", [] { return static_cast<double>(time(nullptr)); }, 1},
	{"gettimeofday()",
		[] {
			timeval t;
			gettimeofday(&t, nullptr);
			return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
		},
		1e-6},
	{"timespec_get()",
		[] {
			timespec t;
			timespec_get(&t, TIME_UTC);
			return seconds_of(t);
		},
		0},
};
static const int CLOCKS = sizeof clocks / sizeof *clocks;

static double now()
{
	return read_chrono<std::chrono::steady_clock>();
}

struct event_pair {
	hipEvent_t first, last;

	event_pair()
	{
		CHECK(hipEventCreate(&first));
		CHECK(hipEventCreate(&last));
	}
	double seconds() const
	{
		float ms;
		CHECK(hipEventElapsedTime(&ms, first, last));
		return ms * 1e-3;
	}
};

// The launch that loads the code.
static int *warm_up()
{
	int *flag = allocate_flag();

	launch(flag, 1);
	CHECK(hipDeviceSynchronize());
	*flag = 0;
	return flag;
}

static int is_near(const char *what, double host, double device, double step = 0)
{
	bool near = host >= device * 0.98 - step && host <= device * 1.02 + step;

	if (!near)
		printf("%s: %.6f s, by events %.6f s\n", what, host, device);
	return near ? 0 : 1;
}

// --- cases ---
// Every clock shows the time of events around the same launches.
static int agree()
{
	int *flag = warm_up(), wrong = 0;
	double from[CLOCKS], to[CLOCKS];
	event_pair events;

	for (int i = 0; i < CLOCKS; i++)
		from[i] = clocks[i].read();
	CHECK(hipEventRecord(events.first));
	for (int i = 0; i < 4; i++)
		launch(flag);
	CHECK(hipEventRecord(events.last));
	CHECK(hipDeviceSynchronize());
	for (int i = 0; i < CLOCKS; i++)
		to[i] = clocks[i].read();
	for (int i = 0; i < CLOCKS; i++)
		wrong += is_near(clocks[i].name, to[i] - from[i], events.seconds(), clocks[i].step);
	return expect(events.seconds() > 1, "the kernels take seconds") + wrong;
}

// However a program waits.
static int wait_by(const char *what, void (*wait)(hipEvent_t, int *flag))
{
	int *flag = warm_up();
	event_pair events;
	double start = now(), end;

	CHECK(hipEventRecord(events.first));
	launch(flag);
	CHECK(hipEventRecord(events.last));
	wait(events.last, flag);
	end = now();
	CHECK(hipDeviceSynchronize());
	return is_near(what, end - start, events.seconds());
}

static int waits()
{
	return wait_by("hipEventSynchronize", [](hipEvent_t e, int *) {
		CHECK(hipEventSynchronize(e));
	}) + wait_by("hipStreamSynchronize", [](hipEvent_t, int *) {
		CHECK(hipStreamSynchronize(nullptr));
	}) + wait_by("hipEventQuery", [](hipEvent_t e, int *) {
		while (hipEventQuery(e) == hipErrorNotReady)
			;
	}) + wait_by("hipStreamQuery, with a look at the clock", [](hipEvent_t, int *) {
		while (hipStreamQuery(nullptr) == hipErrorNotReady)
			now();
	}) + wait_by("a blocking copy", [](hipEvent_t, int *flag) {
		int *device;
		CHECK(hipMalloc(reinterpret_cast<void **>(&device), sizeof *device));
		CHECK(hipMemcpy(device, flag, sizeof *device, hipMemcpyHostToDevice));
	}) + wait_by("a thread of the program", [](hipEvent_t, int *) {
		std::thread([] { CHECK(hipDeviceSynchronize()); }).join();
	});
}

// Work of the host while the device works costs no time, unless it takes longer.
static int overlap()
{
	int *flag = warm_up();
	event_pair events;
	volatile double sum = 0;
	double start = now();

	CHECK(hipEventRecord(events.first));
	launch(flag);
	CHECK(hipEventRecord(events.last));
	for (int i = 0; i < 1000000; i++)
		sum = sum + i;
	CHECK(hipDeviceSynchronize());
	return is_near("host work during a kernel", now() - start, events.seconds());
}

static int sleeps()
{
	static const struct {
		const char *name;
		double seconds;
		void (*run)();
	} ways[] = {
		{"usleep", 0.02, [] { usleep(20000); }},
		{"nanosleep", 0.02,
			[] {
				timespec t = {0, 20000000};
				nanosleep(&t, nullptr);
			}},
		{"clock_nanosleep up to a time", 0.02,
			[] {
				timespec t;
				clock_gettime(CLOCK_MONOTONIC, &t);
				t.tv_nsec += 20000000;
				t.tv_sec += t.tv_nsec / 1000000000;
				t.tv_nsec %= 1000000000;
				clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr);
			}},
		{"select", 0.02,
			[] {
				timeval t = {0, 20000};
				select(0, nullptr, nullptr, nullptr, &t);
			}},
		{"sleep_for", 0.02, [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }},
		{"sleep", 1, [] { sleep(1); }},
		{"a condition that no one signals", 0.02,
			[] {
				std::mutex mutex;
				std::condition_variable condition;
				std::unique_lock<std::mutex> lock(mutex);
				condition.wait_for(lock, std::chrono::milliseconds(20));
			}},
	};
	int wrong = 0;

	for (auto &way : ways) {
		double start = now();
		way.run();
		wrong += expect(now() - start >= way.seconds, way.name);
	}
	return wrong;
}

// After a sleep the device has done what it does in this time.
static int sleep_during_kernel()
{
	int *flag = warm_up();

	launch_slow(flag); // half a millisecond
	usleep(50000);
	return expect(*static_cast<volatile int *>(flag) == 1, "the kernel has ended");
}

// The kernel cannot end before the sleep does.
static int released_after_sleep()
{
	int *flag = warm_up(), *go = allocate_flag();

	wait_for_host<<<1, 1>>>(go, flag);
	usleep(10000);
	*static_cast<volatile int *>(go) = 1;
	CHECK(hipDeviceSynchronize());
	return expect(*flag == 1, "the kernel has ended");
}

// A deadline does not pass while the simulation takes its time.
static int deadline()
{
	int *flag = warm_up();
	std::mutex mutex;
	std::condition_variable condition;
	bool done = false;
	std::thread worker([&] {
		launch_slow(flag);
		CHECK(hipDeviceSynchronize());
		std::lock_guard<std::mutex> lock(mutex);
		done = true;
		condition.notify_one();
	});
	std::unique_lock<std::mutex> lock(mutex);
	bool in_time = condition.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; });

	lock.unlock();
	worker.join();
	return expect(in_time, "the worker was in time");
}

// No thread ever reads an earlier time than any thread has read before.
static int threads()
{
	static std::atomic<int64_t> latest{0};
	static std::atomic<int> wrong{0};
	int *flag = warm_up();
	std::vector<std::thread> readers;
	auto read_on = [] {
		for (int i = 0; i < 20000; i++) {
			int64_t before = latest, at = std::chrono::steady_clock::now().time_since_epoch().count();
			wrong += at < before;
			while (before < at && !latest.compare_exchange_weak(before, at))
				;
		}
	};

	for (int i = 0; i < 4; i++)
		readers.emplace_back(read_on);
	for (int i = 0; i < 20; i++) {
		launch(flag, 1000);
		CHECK(hipDeviceSynchronize());
		read_on();
	}
	for (auto &r : readers)
		r.join();
	return expect(wrong == 0, "time never goes back");
}

static int forked()
{
	int *flag = warm_up(), status = 1;
	double before;

	launch(flag);
	CHECK(hipDeviceSynchronize());
	before = now();
	if (pid_t child = fork()) {
		waitpid(child, &status, 0);
		return expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child") +
			expect(now() >= before, "the parent's clock goes on");
	}
	double start = now();
	usleep(1000);
	_exit(start >= before && now() >= start + 0.001 ? 0 : 1);
}

// A child has a device of its own, which starts at another time than the parent's.
static int forked_first()
{
	double before = now();
	int status = 1;

	if (pid_t child = fork()) {
		waitpid(child, &status, 0);
		return expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child");
	}
	_exit(now() >= before ? agree() : 9);
}

// Looks at a clock only for the seed of random numbers, and times with events.
static int by_events()
{
	event_pair events;

	srand(static_cast<unsigned>(time(nullptr)));
	CHECK(hipEventRecord(events.first));
	warm_up();
	CHECK(hipEventRecord(events.last));
	CHECK(hipEventSynchronize(events.last));
	return expect(time(nullptr) > 0 && events.seconds() > 0, "events");
}

static int by_clock()
{
	double start = now();

	warm_up();
	warm_up();
	return expect(now() > start && now() > start, "a clock");
}

static const struct {
	const char *name;
	int (*run)();
} cases[] = {
	{"agree", agree},
	{"waits", waits},
	{"overlap", overlap},
	{"sleeps", sleeps},
	{"sleep-during-kernel", sleep_during_kernel},
	{"released-after-sleep", released_after_sleep},
	{"deadline", deadline},
	{"threads", threads},
	{"forked", forked},
	{"forked-first", forked_first},
	{"by-events", by_events},
	{"by-clock", by_clock},
};

int main(int argc, char **argv)
{
	setvbuf(stdout, nullptr, _IOLBF, 0);
	for (auto &c : cases)
		if (argc > 1 && !strcmp(argv[1], c.name))
			return c.run();
	printf("usage: %s CASE\n", argv[0]);
	return 2;
}

/* A libcuda and libnvidia-ml that run no kernel: one GPU with host memory as its memory. They check the order and the
 * arguments of calls, and write what is wrong to the file $CUDA_DOUBLE_LOG. $CUDA_DOUBLE_FAIL names calls that fail,
 * with their error: "cuInit=100,cuLaunchKernel=719". $CUDA_DOUBLE_MS are the times of launches, one after another and
 * again from the first; a launch waits until it can open the file $CUDA_DOUBLE_WAIT, a pipe; $CUDA_DOUBLE_MHZ the
 * readings of the clock of the SMs, the last one for all that follow; $CUDA_DOUBLE_LIMITS the bits of the clock event
 * reasons. $CUDA_DOUBLE_CLOCK is a file with a line for each time that the clock was locked ("1410") or unlocked ("0");
 * the clock of the SMs is the last one. $CUDA_DOUBLE_OTHERS: processes that have the GPU open besides this one.
 * $CUDA_DOUBLE_CALLS gets a line for each launch: whether the GPU waits. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MODULES = 256, BLOCKS = 4096, EVENTS = 64, STREAMS = 16, PINNED = 256 };
enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, INVALID_CONTEXT = 201, NOT_FOUND = 500 };

struct module {
	char *text;
};
struct function {
	struct module *of;
	char name[120];
	int shared;
	bool launched;
};
struct event {
	bool timed, recorded;
	double ms;
};

#define CONTEXT "CUDA_DOUBLE_CONTEXT" /* for NVML, which is another copy of this library */

static bool initialized, current;
static struct {
	char *at;
	size_t bytes;
} blocks[BLOCKS];
static char *pinned[PINNED];
static size_t pinned_bytes[PINNED];
static double now_ms;
static int launches;

/* --- what is asked of the double --- */
static int wrong(const char *call, const char *what, int error)
{
	const char *path = getenv("CUDA_DOUBLE_LOG");
	FILE *f = path ? fopen(path, "a") : NULL;
	if (f) {
		fprintf(f, "%s: %s\n", call, what);
		fclose(f);
	}
	return error;
}

static void note_launch(bool held)
{
	const char *path = getenv("CUDA_DOUBLE_CALLS");
	FILE *f = path ? fopen(path, "a") : NULL;
	if (f) {
		fprintf(f, held ? "held\n" : "unheld\n");
		fclose(f);
	}
}

static int failure_of(const char *call)
{
	const char *at = getenv("CUDA_DOUBLE_FAIL");
	size_t n = strlen(call);
	for (; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : "")
		if (!strncmp(at, call, n) && at[n] == '=')
			return atoi(at + n + 1);
	return 0;
}

/* The i-th number of a list in the environment; `again`: from the first after the last. */
static double number_of(const char *name, int i, bool again, double fallback)
{
	const char *list = getenv(name);
	int count = 1;
	if (!list || !*list)
		return fallback;
	for (const char *s = list; *s; s++)
		count += *s == ',';
	i = i < count ? i : again ? i % count : count - 1;
	while (i--)
		list = strchr(list, ',') + 1;
	return atof(list);
}

#define BEGIN(needs_context)                                                          \
	do {                                                                          \
		int error = failure_of(__func__);                                     \
		if (error)                                                            \
			return error;                                                 \
		if (!initialized)                                                     \
			return wrong(__func__, "before cuInit", NOT_INITIALIZED);     \
		if (needs_context && !current)                                        \
			return wrong(__func__, "without a context", INVALID_CONTEXT); \
	} while (0)
#define REQUIRE(condition)                                                 \
	do {                                                               \
		if (!(condition))                                          \
			return wrong(__func__, #condition, INVALID_VALUE); \
	} while (0)

static bool holds_block(const char *at, size_t bytes)
{
	for (int i = 0; i < BLOCKS; i++)
		if (blocks[i].at && at >= blocks[i].at && at + bytes <= blocks[i].at + blocks[i].bytes)
			return true;
	return false;
}

/* The last wait of a stream for a value in memory. */
static const volatile unsigned *gate;
static unsigned gate_value;
static bool is_held(void)
{
	return gate && (int)(*gate - gate_value) < 0;
}

static bool is_pinned(const void *p)
{
	for (int i = 0; i < PINNED; i++)
		if (pinned[i] && (uintptr_t)p - (uintptr_t)pinned[i] < pinned_bytes[i])
			return true;
	return false;
}

/* --- the driver --- */
int cuInit(unsigned flags)
{
	int error = failure_of(__func__);
	initialized = !error;
	return error ? error : flags ? INVALID_VALUE : 0;
}

/* NVIDIA's own libraries ask for it, nvrtc too. */
int cuGetExportTable(const void **table, const void *id)
{
	*table = id ? NULL : id;
	return NOT_FOUND;
}

int cuDriverGetVersion(int *version)
{
	*version = 13000;
	return 0;
}

int cuDeviceGetCount(int *count)
{
	BEGIN(false);
	*count = 1;
	return 0;
}

int cuDeviceGet(int *d, int index)
{
	BEGIN(false);
	REQUIRE(index == 0);
	*d = 0;
	return 0;
}

int cuDeviceGetName(char *name, int size, int d)
{
	BEGIN(false);
	snprintf(name, (size_t)size, "NVIDIA Double %d", d);
	return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int d)
{
	static const int values[][2] = {{1, 1024}, {8, 49152}, {10, 32}, {12, 65536}, {16, 4}, {33, 3}, {34, 0},
		{37, 5120}, {38, 50 << 20}, {39, 2048}, {50, 0}, {75, 9}, {76, 0}, {81, 233472}};
	BEGIN(false);
	REQUIRE(d == 0);
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (values[i][0] == attribute) {
			*value = values[i][1];
			return 0;
		}
	*value = 0;
	return 0;
}

int cuDeviceTotalMem_v2(size_t *bytes, int d)
{
	BEGIN(false);
	*bytes = (size_t)(d + 1) << 30;
	return 0;
}

int cuDevicePrimaryCtxRetain(void **context, int d)
{
	BEGIN(false);
	*context = &initialized + d;
	setenv(CONTEXT, "1", 1);
	return 0;
}

int cuCtxSetCurrent(void *context)
{
	BEGIN(false);
	current = context == &initialized;
	return current ? 0 : INVALID_CONTEXT;
}

int cuMemGetInfo_v2(size_t *free_bytes, size_t *total)
{
	BEGIN(true);
	*free_bytes = *total = (size_t)1 << 30;
	return 0;
}

int cuMemAlloc_v2(unsigned long long *p, size_t bytes)
{
	BEGIN(true);
	REQUIRE(bytes);
	if (bytes > (size_t)1 << 30)
		return OUT_OF_MEMORY;
	for (int i = 0; i < BLOCKS; i++)
		if (!blocks[i].at) {
			blocks[i].at = calloc(1, bytes);
			blocks[i].bytes = bytes;
			*p = (uintptr_t)blocks[i].at;
			return 0;
		}
	return OUT_OF_MEMORY;
}

int cuMemFree_v2(unsigned long long p)
{
	BEGIN(true);
	REQUIRE(!is_held()); /* it waits for all streams */
	for (int i = 0; i < BLOCKS; i++)
		if (blocks[i].at && (uintptr_t)blocks[i].at == p) {
			free(blocks[i].at);
			blocks[i].at = NULL;
			return 0;
		}
	return wrong(__func__, "not allocated", INVALID_VALUE);
}

int cuMemHostAlloc(void **p, size_t bytes, unsigned flags)
{
	BEGIN(true);
	REQUIRE(flags == 0);
	*p = calloc(1, bytes);
	for (int i = 0; i < PINNED; i++)
		if (!pinned[i]) {
			pinned[i] = *p;
			pinned_bytes[i] = bytes;
			return 0;
		}
	return OUT_OF_MEMORY;
}

int cuMemFreeHost(void *p)
{
	BEGIN(true);
	for (int i = 0; i < PINNED; i++)
		if (pinned[i] == p)
			pinned[i] = NULL;
	free(p);
	return 0;
}

int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t bytes)
{
	BEGIN(true);
	REQUIRE(holds_block((char *)(uintptr_t)to, bytes));
	memcpy((void *)(uintptr_t)to, from, bytes);
	return 0;
}

int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t bytes)
{
	BEGIN(true);
	REQUIRE(holds_block((char *)(uintptr_t)from, bytes));
	memcpy(to, (void *)(uintptr_t)from, bytes);
	return 0;
}

int cuMemcpyHtoDAsync_v2(unsigned long long to, const void *from, size_t bytes, void *stream)
{
	REQUIRE(stream);
	REQUIRE(!is_held() || is_pinned(from)); /* a copy of other memory waits */
	now_ms += 0.5;
	return cuMemcpyHtoD_v2(to, from, bytes);
}

int cuMemcpyDtoHAsync_v2(void *to, unsigned long long from, size_t bytes, void *stream)
{
	REQUIRE(stream);
	REQUIRE(!is_held() || is_pinned(to)); /* a copy of other memory waits */
	now_ms += 0.5;
	return cuMemcpyDtoH_v2(to, from, bytes);
}

/* Takes PTX: text with a NUL, which names a version and a target. */
int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options, void **values)
{
	BEGIN(true);
	REQUIRE(count && options && values);
	REQUIRE(strstr(image, ".version") && strstr(image, ".target sm_"));
	struct module *m = calloc(1, sizeof *m);
	m->text = strdup(image);
	*module = m;
	return 0;
}

int cuModuleUnload(void *module)
{
	BEGIN(true);
	REQUIRE(!is_held());
	free(((struct module *)module)->text);
	free(module);
	return 0;
}

int cuModuleGetFunction(void **function, void *module, const char *name)
{
	struct module *m = module;
	char entry[160];
	BEGIN(true);
	snprintf(entry, sizeof entry, ".entry %s(", name);
	if (!strstr(m->text, entry))
		return NOT_FOUND;
	struct function *f = calloc(1, sizeof *f);
	f->of = m;
	snprintf(f->name, sizeof f->name, "%s", name);
	*function = f;
	return 0;
}

int cuFuncGetAttribute(int *value, int attribute, void *function)
{
	BEGIN(true);
	REQUIRE(function);
	*value = attribute == 4 ? 40 : 0; /* registers */
	return 0;
}

int cuFuncSetAttribute(void *function, int attribute, int value)
{
	BEGIN(true);
	REQUIRE(attribute == 8 && value > 0 && value <= 232448);
	((struct function *)function)->shared = value;
	return 0;
}

static void wait_to_launch(void)
{
	const char *path = getenv("CUDA_DOUBLE_WAIT");
	FILE *f = path ? fopen(path, "r") : NULL;
	if (f)
		fclose(f);
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
	unsigned shared, void *stream, void **args, void **extra)
{
	struct function *f = function;
	BEGIN(true);
	REQUIRE(gx && gy && gz && bx && by && bz && gy < 65536 && gz < 65536 && (size_t)bx * by * bz <= 1024);
	REQUIRE(stream && args && !extra);
	REQUIRE(shared <= 49152 || shared <= (unsigned)f->shared);
	REQUIRE(!is_held() || f->launched); /* the first launch of a kernel may wait for all streams */
	f->launched = true;
	note_launch(is_held());
	wait_to_launch();
	now_ms += number_of("CUDA_DOUBLE_MS", launches++, true, 1);
	return 0;
}

static char streams[STREAMS];
int cuStreamCreate(void **stream, unsigned flags)
{
	static int made;
	BEGIN(true);
	REQUIRE(flags == 1 && made < STREAMS);
	*stream = &streams[made++];
	return 0;
}

int cuStreamSynchronize(void *stream)
{
	BEGIN(true);
	REQUIRE(!stream);
	return 0;
}

int cuEventCreate(void **event, unsigned flags)
{
	BEGIN(true);
	struct event *e = calloc(1, sizeof *e);
	e->timed = !(flags & 2);
	*event = e;
	return 0;
}

int cuEventRecord(void *event, void *stream)
{
	struct event *e = event;
	BEGIN(true);
	REQUIRE(stream);
	e->recorded = true;
	e->ms = now_ms;
	return 0;
}

int cuStreamWaitEvent(void *stream, void *event, unsigned flags)
{
	BEGIN(true);
	REQUIRE(stream && !flags && ((struct event *)event)->recorded);
	return 0;
}

int cuStreamWaitValue32_v2(void *stream, unsigned long long at, unsigned value, unsigned flags)
{
	BEGIN(true);
	REQUIRE(stream && at && !flags);
	REQUIRE(!is_held());
	gate = (const volatile unsigned *)(uintptr_t)at;
	gate_value = value;
	return 0;
}

/* Host memory that the driver does not know is an error. */
int cuPointerGetAttribute(int *value, int attribute, unsigned long long p)
{
	BEGIN(true);
	REQUIRE(attribute == 2);
	*value = 1;
	return is_pinned((const void *)(uintptr_t)p) ? 0 : INVALID_VALUE;
}

int cuEventQuery(void *event)
{
	BEGIN(true);
	REQUIRE(!is_held()); /* it would never end */
	REQUIRE(((struct event *)event)->recorded);
	return 0;
}

int cuEventElapsedTime(float *ms, void *start, void *stop)
{
	struct event *a = start, *b = stop;
	BEGIN(true);
	REQUIRE(a->timed && b->timed && a->recorded && b->recorded);
	*ms = (float)(b->ms - a->ms);
	return 0;
}

int cuGetErrorString(int error, const char **text)
{
	static const struct {
		int error;
		const char *text;
	} texts[] = {
		{2, "out of memory"}, {100, "no CUDA-capable device is detected"}, {719, "unspecified launch failure"}};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (texts[i].error == error) {
			*text = texts[i].text;
			return 0;
		}
	return INVALID_VALUE;
}

/* --- NVML --- */
static bool nvml_ready;
int nvmlInit_v2(void)
{
	nvml_ready = !failure_of(__func__);
	return failure_of(__func__);
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *pci, void **device)
{
	*device = &nvml_ready;
	return nvml_ready && !strcmp(pci, "00000000:03:00.0") ? 0 : wrong(__func__, pci, 6);
}

/* The last line of $CUDA_DOUBLE_CLOCK; 0: not locked. */
static unsigned read_locked_clock(void)
{
	const char *path = getenv("CUDA_DOUBLE_CLOCK");
	FILE *f = path ? fopen(path, "r") : NULL;
	unsigned mhz = 0;
	while (f && fscanf(f, "%u", &mhz) == 1)
		;
	if (f)
		fclose(f);
	return mhz;
}

static int write_locked_clock(unsigned mhz)
{
	const char *path = getenv("CUDA_DOUBLE_CLOCK");
	FILE *f = path ? fopen(path, "a") : NULL;
	if (!f)
		return 999;
	fprintf(f, "%u\n", mhz);
	return fclose(f) ? 999 : 0;
}

int nvmlDeviceSetGpuLockedClocks(void *device, unsigned low, unsigned high)
{
	if (device != &nvml_ready || low != high)
		return wrong(__func__, "arguments", INVALID_VALUE);
	int error = failure_of(__func__);
	return error ? error : write_locked_clock(low);
}

int nvmlDeviceResetGpuLockedClocks(void *device)
{
	int error = failure_of(__func__);
	return error ? error : device == &nvml_ready ? write_locked_clock(0) : INVALID_VALUE;
}

int nvmlDeviceGetSupportedMemoryClocks(void *device, unsigned *count, unsigned *mhz)
{
	if (device != &nvml_ready || *count < 2)
		return INVALID_VALUE;
	*count = 2;
	mhz[0] = 2619;
	mhz[1] = 405;
	return failure_of(__func__);
}

int nvmlDeviceGetSupportedGraphicsClocks(void *device, unsigned memory_mhz, unsigned *count, unsigned *mhz)
{
	if (device != &nvml_ready || memory_mhz != 2619 || *count < 110)
		return wrong(__func__, "arguments", INVALID_VALUE);
	*count = 110;
	for (unsigned i = 0; i < 110; i++)
		mhz[i] = 1980 - 15 * i; /* to 345 */
	return 0;
}

int nvmlDeviceGetClockInfo(void *device, int type, unsigned *mhz)
{
	static int readings;
	unsigned locked = read_locked_clock();
	*mhz = type != 1 ? 2619 : locked ? locked : (unsigned)number_of("CUDA_DOUBLE_MHZ", readings++, false, 1980);
	return device == &nvml_ready ? failure_of(__func__) : INVALID_VALUE;
}

int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *degrees)
{
	*degrees = 41;
	return device == &nvml_ready && !sensor ? 0 : INVALID_VALUE;
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
	*milliwatts = 123456;
	return device == &nvml_ready ? 0 : INVALID_VALUE;
}

int nvmlDeviceGetCurrentClocksEventReasons(void *device, unsigned long long *bits)
{
	*bits = (unsigned long long)number_of("CUDA_DOUBLE_LIMITS", 0, false, 1);
	return device == &nvml_ready ? 0 : INVALID_VALUE;
}

struct process {
	unsigned pid;
	unsigned long long bytes;
	unsigned instance, compute_instance;
};
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, struct process *list)
{
	unsigned n = (getenv(CONTEXT) != NULL) + (unsigned)number_of("CUDA_DOUBLE_OTHERS", 0, false, 0);
	if (device != &nvml_ready || *count < n)
		return INVALID_VALUE;
	*count = n;
	for (unsigned i = 0; i < n; i++)
		list[i] = (struct process){(unsigned)getpid() + i, 1 << 20, ~0u, ~0u};
	return 0;
}

int nvmlDeviceGetGraphicsRunningProcesses_v3(void *device, unsigned *count, struct process *list)
{
	*count = 0;
	return device == &nvml_ready && list ? 0 : INVALID_VALUE;
}

int nvmlSystemGetNVMLVersion(char *text, unsigned size)
{
	snprintf(text, size, "13.580.65.06");
	return 0;
}

int nvmlSystemGetDriverVersion(char *text, unsigned size)
{
	snprintf(text, size, "580.65.06");
	return 0;
}

const char *nvmlErrorString(int error)
{
	return error == 9 ? "Driver Not Loaded" : "Unknown Error";
}

/* Interposed waits for HSA signals.
 *
 * The runtime spins on a signal's value while a kernel runs. On a software device that is long, and the spinning takes
 * cores from the simulation. Here a waiter sleeps until the device stores a value. It also
 * polls (hsa_signals_poll_delay). */
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/min_max.h"
#include "softgpu/abi/aql.h"
#include "softgpu/driver/check/copied_memory.h"
#include "softgpu/driver/kfd/device_identity.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/interpose/hooks_clock.h"
#include "softgpu/driver/interpose/hooks_ioctl.h"
#include "softgpu/driver/interpose/runtime_callers.h"
#include "softgpu/driver/time/utilization.h"
#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/interpose/loaded_function.h"
#include "softgpu/driver/probe/program_timeline.h"
#include "softgpu/driver/queues/hsa_signals.h"
#include "softgpu/driver/queues/submission_hold.h"
#include "softgpu/driver/time/host_monotonic.h"
#include "softgpu/driver/time/host_time.h"
#include "softgpu/driver/time/host_timeline.h"

#define POLL_NS 200000 /* a sleep of a thread that polls */
#define SPIN_NS 5000   /* shorter than the cost of a sleep */
/* A shorter wait is a question whether the signal is ready: HIP asks so for 10 us before it submits more. */
#define LEAST_WAIT_NS 1000000

typedef int64_t wait_fn(struct hsa_signal, enum hsa_signal_condition, int64_t, uint64_t, int);
EXPORT wait_fn hsa_signal_wait_scacquire, hsa_signal_wait_relaxed, hsa_signal_wait_acquire;

/* --- waits for a signal --- */
struct signal_wait {
	const struct amd_signal *signal;
	enum hsa_signal_condition condition;
	int64_t compare;
};

static bool is_signal_wait_over(const void *what)
{
	const struct signal_wait *w = what;

	return hsa_condition_is_met(__atomic_load_n(&w->signal->value, __ATOMIC_ACQUIRE), w->condition, w->compare);
}

/* The timeout counts system ticks of 1 ns (GET_CLOCK_COUNTERS reports this frequency). */
static int64_t sleep_until_signal(
	struct hsa_signal signal, enum hsa_signal_condition condition, int64_t compare, ns_t timeout)
{
	const struct amd_signal *s = (const struct amd_signal *)(uintptr_t)signal.handle;
	ns_t start = host_monotonic_ns();

	for (;;) {
		uint32_t seen = hsa_signals_generation();
		int64_t value = __atomic_load_n(&s->value, __ATOMIC_ACQUIRE);
		ns_t waited;

		if (hsa_condition_is_met(value, condition, compare))
			return value;
		waited = host_monotonic_ns() - start;
		if (waited >= timeout)
			return value;
		if (waited >= SPIN_NS)
			hsa_signals_wait_change(seen, min_u64(hsa_signals_poll_delay(waited), timeout - waited));
	}
}

/* --- the host's time --- */
static __thread bool observed; /* a signal's time, in the current call of HIP */

/* The thread sees that the device has stored the signal's value, without or after a wait. */
static void observe_signal(struct hsa_signal signal, bool waited)
{
	ns_t stored = 0;

	if (!host_time_is_tracked() || hooks_in_completion_handler())
		return;
	host_timeline_find(signal.handle, &stored);
	if (waited)
		host_time_end(stored);
	else
		host_time_observe(stored);
	observed = true;
}

static void begin_call(void)
{
	if (host_time_is_tracked())
		host_time_begin();
	observed = false;
}

/* The time that the current GPU of the program has reached, in the HIP library that code at `caller` calls. */
static ns_t current_gpu_time(const void *caller)
{
	typedef int get_device_fn(int *);
	typedef int get_bus_fn(char *, int, int);
	static __thread struct loaded_function last_device, last_bus;
	get_device_fn *get_device = (get_device_fn *)loaded_function_get(&last_device, "hipGetDevice", caller);
	get_bus_fn *get_bus = (get_bus_fn *)loaded_function_get(&last_bus, "hipDeviceGetPCIBusId", caller);
	char bus[64];
	int number;

	if (!get_device || !get_bus || get_device(&number) || get_bus(bus, sizeof bus, number))
		return 0;
	for (unsigned i = 0; i < machine_gpu_count(); i++)
		if (strlen(bus) > 5 && strtoul(bus + 5, NULL, 16) == identity_pci_bus(i))
			return host_timeline_latest_of(i);
	return 0;
}

/* The program has asked whether something is ready. HIP may know that it is from its own memory. */
static void poll_device(bool ready, const void *caller)
{
	if (host_time_is_virtual() && !hooks_in_completion_handler())
		host_time_poll(ready, ready && observed ? 0 : host_timeline_latest());
	else if (host_time_is_tracked() && ready && !observed && !hooks_in_completion_handler())
		host_time_observe(current_gpu_time(caller));
}

/* --- polls --- */
/* A thread that polls while the device works (hipStreamQuery in a loop, the runtime's own loops around sched_yield)
 * sleeps after this many polls in a row without a change. */
#define POLLS_BEFORE_BACKOFF 100

static void back_off_polling(void)
{
	static __thread uint32_t polls, seen;
	static __thread uint64_t submitted;
	uint32_t now = hsa_signals_generation();

	if (now != seen || submitted != submission_hold_count_own()) {
		seen = now;
		submitted = submission_hold_count_own();
		polls = 0;
	} else if (++polls > POLLS_BEFORE_BACKOFF) {
		submission_hold_poll(now);
		if (!utilization_is_busy())
			return;
		if (host_time_is_virtual())
			host_time_observe(0);
		hsa_signals_wait_change(now, POLL_NS);
		if (host_time_is_virtual())
			host_time_end(0);
	}
}

EXPORT int sched_yield(void)
{
	if (device_get())
		back_off_polling();
	return (int)syscall(SYS_sched_yield);
}

typedef int64_t load_fn(struct hsa_signal);
EXPORT load_fn hsa_signal_load_relaxed, hsa_signal_load_scacquire;

static int64_t poll_signal(struct hsa_signal signal, const void *caller)
{
	int64_t value;

	back_off_polling();
	value = __atomic_load_n(&((const struct amd_signal *)(uintptr_t)signal.handle)->value, __ATOMIC_ACQUIRE);
	if (value <= 0)
		observe_signal(signal, false);
	if (runtime_caller_of((uintptr_t)caller) == CALLER_PROGRAM)
		poll_device(value <= 0, caller);
	return value;
}

#define INTERPOSE_LOAD(name)                                             \
	int64_t name(struct hsa_signal signal)                           \
	{                                                                \
		if (!device_get() || !signal.handle)                     \
			return RUNTIME_FUNCTION(name)(signal);           \
		return poll_signal(signal, __builtin_return_address(0)); \
	}
INTERPOSE_LOAD(hsa_signal_load_relaxed)
INTERPOSE_LOAD(hsa_signal_load_scacquire)

/* HIP's queries may read nothing but HIP's own memory. The program calls these hooks, so HIP is loaded. */
#define HIP_SUCCESS   0
#define HIP_NOT_READY 600

typedef int query_fn(void *);
EXPORT query_fn hipStreamQuery, hipEventQuery, hipStreamSynchronize, hipEventSynchronize;
EXPORT int hipDeviceSynchronize(void);

static int take_query_status(int status, const void *caller)
{
	if (!device_get())
		return status;
	if (status == HIP_NOT_READY || status == HIP_SUCCESS)
		poll_device(status == HIP_SUCCESS, caller);
	if (status == HIP_NOT_READY)
		back_off_polling();
	return status;
}

#define INTERPOSE_QUERY(name)                                                                          \
	int name(void *object)                                                                         \
	{                                                                                              \
		observed = false;                                                                      \
		return take_query_status(RUNTIME_FUNCTION(name)(object), __builtin_return_address(0)); \
	}
INTERPOSE_QUERY(hipStreamQuery)
INTERPOSE_QUERY(hipEventQuery)

#define INTERPOSE_SYNCHRONIZE(name)                                                                    \
	int name(void *object)                                                                         \
	{                                                                                              \
		begin_call();                                                                          \
		return take_query_status(RUNTIME_FUNCTION(name)(object), __builtin_return_address(0)); \
	}
INTERPOSE_SYNCHRONIZE(hipStreamSynchronize)
INTERPOSE_SYNCHRONIZE(hipEventSynchronize)

int hipDeviceSynchronize(void)
{
	begin_call();
	return take_query_status(RUNTIME_FUNCTION(hipDeviceSynchronize)(), __builtin_return_address(0));
}

/* Copies that the program waits for. With one GPU, the waits for signals in them tell enough. Their arguments are
 * integers and pointers. */
typedef int copy_fn(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
EXPORT copy_fn hipMemcpy, hipMemcpyPeer, hipMemcpyWithStream, hipMemcpyDtoH, hipMemcpyHtoD, hipMemcpyDtoD, hipMemcpy2D,
	hipMemcpyToSymbol, hipMemcpyFromSymbol;

static int take_copy_status(int status, const void *caller)
{
	return machine_gpu_count() > 1 ? take_query_status(status, caller) : status;
}

/* `kind` and `...` say what was copied: enum copy_kind, struct copied_rows. */
#define INTERPOSE_COPY(name, kind, ...)                                                              \
	int name(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g) \
	{                                                                                            \
		observed = false;                                                                    \
		const int status = RUNTIME_FUNCTION(name)(a, b, c, d, e, f, g);                      \
		const struct copied_rows rows = {__VA_ARGS__};                                       \
		copied_memory_note(status, kind, &rows);                                             \
		copied_memory_note_read(status, kind, &rows);                                        \
		return take_copy_status(status, __builtin_return_address(0));                        \
	}
INTERPOSE_COPY(hipMemcpy, d, a, b, c, c, c, 1)
INTERPOSE_COPY(hipMemcpyPeer, 0, 0)
INTERPOSE_COPY(hipMemcpyWithStream, d, a, b, c, c, c, 1)
INTERPOSE_COPY(hipMemcpyDtoH, DEVICE_TO_HOST, a, b, c, c, c, 1)
INTERPOSE_COPY(hipMemcpyHtoD, HOST_TO_DEVICE, a, b, c, c, c, 1)
INTERPOSE_COPY(hipMemcpyDtoD, 0, 0)
INTERPOSE_COPY(hipMemcpy2D, g, a, c, b, d, e, f)
INTERPOSE_COPY(hipMemcpyToSymbol, 0, 0)
INTERPOSE_COPY(hipMemcpyFromSymbol, 0, 0)

/* --- waits --- */
static int64_t wait_for_signal(
	struct hsa_signal signal, enum hsa_signal_condition condition, int64_t compare, ns_t timeout)
{
	int64_t value;
	ns_t start;

	if (host_time_is_virtual())
		host_time_observe(0);
	start = program_timeline_now();
	const struct signal_wait what = {(const struct amd_signal *)(uintptr_t)signal.handle, condition, compare};
	const struct submission_wait wait = {is_signal_wait_over, &what};
	if (timeout >= LEAST_WAIT_NS)
		submission_hold_begin_wait(&wait);
	else
		back_off_polling();
	value = sleep_until_signal(signal, condition, compare, timeout);
	submission_hold_end_wait();
	if (hsa_condition_is_met(value, condition, compare))
		observe_signal(signal, true);
	else if (host_time_is_virtual())
		host_time_end(0);
	program_timeline_add_wait(start);
	return value;
}

#define INTERPOSE_WAIT(name)                                                                                           \
	int64_t name(struct hsa_signal signal, enum hsa_signal_condition condition, int64_t compare, uint64_t timeout, \
		int state)                                                                                             \
	{                                                                                                              \
		if (!device_get() || !signal.handle)                                                                   \
			return RUNTIME_FUNCTION(name)(signal, condition, compare, timeout, state);                     \
		return wait_for_signal(signal, condition, compare, timeout);                                           \
	}
INTERPOSE_WAIT(hsa_signal_wait_scacquire)
INTERPOSE_WAIT(hsa_signal_wait_relaxed)
INTERPOSE_WAIT(hsa_signal_wait_acquire)

/* Clocks. For programs, those of host_time.h, if they are requested.
 *
 * For HIP, CLOCK_MONOTONIC returns the device's virtual time in every run.
 *
 * HIP stamps a command with the host's clock if the device finished it before the submitting thread attached the
 * device's own time stamps (ROCclr, VirtualGPU::updateCommandsState). Hardware is rarely that fast. Here it happens
 * whenever the submitting thread is preempted at that point, and the event's time would come from the wrong clock. No
 * later command of the stream can have been submitted at that point, so the device's current time is exactly the
 * command's time. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "softgpu/core/time_types.h"
#include "softgpu/driver/time/host_time.h"
#include "softgpu/driver/time/host_timeline.h"
#include "softgpu/driver/time/virtual_clock.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/queues/completion_handlers.h"
#include "softgpu/driver/interpose/hooks_clock.h"
#include "softgpu/driver/interpose/hooks_ioctl.h"
#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/interpose/runtime_callers.h"
#include "softgpu/driver/probe/clock_note.h"

#define NS_PER_S UINT64_C(1000000000)

/* --- completion handlers --- */
/* HIP reads the clock in these handlers, on the runtime's event thread. A sanitizer between HIP and this library hides
 * the caller's address, so the thread is marked too. */
typedef bool handler_fn(int64_t value, void *argument);
struct wrapped_handler {
	handler_fn *handler;
	void *argument;
	struct hsa_signal signal;
};

static __thread bool in_completion_handler;
static __thread ns_t completed_at; /* on the host's time line; 0: unknown */

bool hooks_in_completion_handler(void)
{
	return in_completion_handler;
}

static bool run_completion_handler(int64_t value, void *argument)
{
	struct wrapped_handler *c = argument;
	bool again;

	in_completion_handler = true;
	completed_at = 0;
	if (machine_gpu_count() > 1)
		host_timeline_find(c->signal.handle, &completed_at);
	again = c->handler(value, c->argument);
	in_completion_handler = false;
	if (!again)
		free(c);
	return again;
}

typedef int async_handler_fn(struct hsa_signal, int, int64_t, handler_fn *, void *);
EXPORT async_handler_fn hsa_amd_signal_async_handler;

/* Without a signal, the runtime calls the handler at once. */
int hsa_amd_signal_async_handler(
	struct hsa_signal signal, int condition, int64_t value, handler_fn *handler, void *argument)
{
	struct wrapped_handler *c = device_get() && handler && signal.handle ? malloc(sizeof *c) : NULL;
	struct completion_handler h = {
		signal.handle, (enum hsa_signal_condition)condition, value, run_completion_handler, c};

	if (c) {
		*c = (struct wrapped_handler){handler, argument, signal};
		if (completion_handlers_add(&h))
			return 0;
		free(c);
	}
	return RUNTIME_FUNCTION(hsa_amd_signal_async_handler)(signal, condition, value, handler, argument);
}

typedef int destroy_fn(struct hsa_signal);
EXPORT destroy_fn hsa_signal_destroy;
int hsa_signal_destroy(struct hsa_signal signal)
{
	if (signal.handle && device_get())
		completion_handlers_drop(signal.handle);
	return RUNTIME_FUNCTION(hsa_signal_destroy)(signal);
}

/* How often the runtime is open. The last call that closes it ends its callbacks, as in the runtime. */
static _Atomic int open_count;
typedef int runtime_state_fn(void);
EXPORT runtime_state_fn hsa_init, hsa_shut_down;

int hsa_init(void)
{
	int status = RUNTIME_FUNCTION(hsa_init)();

	if (!status)
		open_count++;
	return status;
}

int hsa_shut_down(void)
{
	if (open_count > 0 && --open_count == 0)
		completion_handlers_drop(0);
	return RUNTIME_FUNCTION(hsa_shut_down)();
}

/* --- the clocks --- */
/* Of several GPUs: the time of the command whose completion is handled, or what the thread has seen of them. */
static ns_t device_time(void)
{
	if (machine_gpu_count() == 1)
		return vclock_now(&device_get()->clock);
	return host_timeline_to_device(0, in_completion_handler ? completed_at : host_time_now());
}

/* Time of the device for HIP, of the host's virtual time line for the program; otherwise false. */
static bool read_virtual_clock(clockid_t clock, enum caller caller, ns_t *out)
{
	bool virtual = host_time_is_virtual();

	if (caller == CALLER_PROGRAM)
		clock_note_read();
	if (caller == CALLER_PROGRAM && virtual && clock != CLOCK_THREAD_CPUTIME_ID && clock >= 0) {
		*out = host_time_of_clock(clock, host_time_now());
		return true;
	}
	if (clock != CLOCK_MONOTONIC || !(caller == CALLER_HIP || in_completion_handler) || !device_get())
		return false;
	*out = device_time();
	return true;
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *out)
{
	ns_t now;

	if (!read_virtual_clock(clock, CALLER(), &now))
		return REAL_FUNCTION(clock_gettime)(clock, out);
	out->tv_sec = (time_t)(now / NS_PER_S);
	out->tv_nsec = (long)(now % NS_PER_S);
	return 0;
}

EXPORT int timespec_get(struct timespec *out, int base)
{
	ns_t now;

	if (base != TIME_UTC || !read_virtual_clock(CLOCK_REALTIME, CALLER(), &now))
		return REAL_FUNCTION(timespec_get)(out, base);
	out->tv_sec = (time_t)(now / NS_PER_S);
	out->tv_nsec = (long)(now % NS_PER_S);
	return base;
}

EXPORT int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
	ns_t now;

	if (!read_virtual_clock(CLOCK_REALTIME, CALLER(), &now))
		return REAL_FUNCTION(gettimeofday)(out, zone);
	out->tv_sec = (time_t)(now / NS_PER_S);
	out->tv_usec = (suseconds_t)(now % NS_PER_S / 1000);
	return 0;
}

/* Programs that seed random numbers with it do not measure time, so it does not count for the note. */
EXPORT time_t time(time_t *out)
{
	time_t now;

	if (!host_time_is_virtual() || CALLER() != CALLER_PROGRAM)
		return REAL_FUNCTION(time)(out);
	now = (time_t)(host_time_of_clock(CLOCK_REALTIME, host_time_now()) / NS_PER_S);
	if (out)
		*out = now;
	return now;
}

EXPORT clock_t clock(void)
{
	ns_t now;

	if (!read_virtual_clock(CLOCK_PROCESS_CPUTIME_ID, CALLER(), &now))
		return REAL_FUNCTION(clock)();
	return (clock_t)(now / (NS_PER_S / CLOCKS_PER_SEC));
}

/* std::chrono::steady_clock::now and system_clock::now of libstdc++: the caller of clock_gettime would be libstdc++,
 * for HIP as for the program. */
int64_t _ZNSt6chrono3_V212steady_clock3nowEv(void);
int64_t _ZNSt6chrono3_V212system_clock3nowEv(void);

static int64_t read_chrono(clockid_t clock, enum caller caller)
{
	struct timespec t;
	ns_t now;

	if (caller == CALLER_PROGRAM && read_virtual_clock(clock, caller, &now))
		return (int64_t)now;
	REAL_FUNCTION(clock_gettime)(clock, &t);
	return (int64_t)t.tv_sec * (int64_t)NS_PER_S + t.tv_nsec;
}

EXPORT int64_t _ZNSt6chrono3_V212steady_clock3nowEv(void)
{
	return read_chrono(CLOCK_MONOTONIC, CALLER());
}

EXPORT int64_t _ZNSt6chrono3_V212system_clock3nowEv(void)
{
	return read_chrono(CLOCK_REALTIME, CALLER());
}

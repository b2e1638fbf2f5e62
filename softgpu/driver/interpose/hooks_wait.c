/* Interposed waits for HSA signals.
 *
 * The runtime spins on a signal's value while a kernel runs. On a software device that is long, and the spinning takes
 * cores from the simulation. Here a waiter sleeps until the device stores a value. Stores of other host threads send no
 * notification, so the waiter also polls: soon at first, later after a fraction of the time already waited. (Polling
 * every POLL_NS all the time would take 5 % of a core.) */
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "softgpu/driver/queues/aql.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/interpose/hooks_ioctl.h"
#include "softgpu/driver/time/utilization.h"
#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/queues/hsa_signals.h"
#include "softgpu/driver/time/host_monotonic.h"

#define POLL_NS       200000
#define POLL_MAX_NS   2000000
#define POLL_FRACTION 16   /* delay = time waited / POLL_FRACTION */
#define SPIN_NS       5000 /* shorter than the cost of a sleep */

typedef int64_t wait_fn(struct hsa_signal, enum hsa_signal_condition, int64_t, uint64_t, int);
EXPORT wait_fn hsa_signal_wait_scacquire, hsa_signal_wait_relaxed, hsa_signal_wait_acquire;

static ns_t next_poll_delay(ns_t waited, ns_t timeout)
{
	ns_t ns = waited / POLL_FRACTION, left = timeout - waited;

	ns = ns < POLL_NS ? POLL_NS : ns > POLL_MAX_NS ? POLL_MAX_NS : ns;
	return ns < left ? ns : left;
}

/* The timeout counts system ticks of 1 ns (GET_CLOCK_COUNTERS reports this frequency). */
static int64_t wait_for_signal(
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
			hsa_signals_wait_change(seen, next_poll_delay(waited, timeout));
	}
}

/* --- polls --- */
/* A thread that polls while the device works (hipStreamQuery in a loop, the runtime's own loops around sched_yield)
 * sleeps after this many polls in a row without a change. */
#define POLLS_BEFORE_BACKOFF 100

static void back_off_polling(void)
{
	static __thread uint32_t polls, seen;
	uint32_t now = hsa_signals_generation();

	if (now != seen || !utilization_is_busy()) {
		seen = now;
		polls = 0;
	} else if (++polls > POLLS_BEFORE_BACKOFF) {
		hsa_signals_wait_change(now, POLL_NS);
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

#define INTERPOSE_LOAD(name, order)                                                                           \
	int64_t name(struct hsa_signal signal)                                                                \
	{                                                                                                     \
		if (!device_get() || !signal.handle)                                                          \
			return REAL_FUNCTION(name)(signal);                                                   \
		back_off_polling();                                                                           \
		return __atomic_load_n(&((const struct amd_signal *)(uintptr_t)signal.handle)->value, order); \
	}
INTERPOSE_LOAD(hsa_signal_load_relaxed, __ATOMIC_RELAXED)
INTERPOSE_LOAD(hsa_signal_load_scacquire, __ATOMIC_ACQUIRE)

/* HIP's queries may read nothing but HIP's own memory. The program calls these hooks, so HIP is loaded. */
#define HIP_NOT_READY 600

typedef int query_fn(void *);
EXPORT query_fn hipStreamQuery, hipEventQuery;

#define INTERPOSE_QUERY(name)                                \
	int name(void *object)                               \
	{                                                    \
		int status = REAL_FUNCTION(name)(object);    \
		if (status == HIP_NOT_READY && device_get()) \
			back_off_polling();                  \
		return status;                               \
	}
INTERPOSE_QUERY(hipStreamQuery)
INTERPOSE_QUERY(hipEventQuery)

/* --- waits --- */
#define INTERPOSE_WAIT(name)                                                                                           \
	int64_t name(struct hsa_signal signal, enum hsa_signal_condition condition, int64_t compare, uint64_t timeout, \
		int state)                                                                                             \
	{                                                                                                              \
		if (!device_get() || !signal.handle)                                                                   \
			return REAL_FUNCTION(name)(signal, condition, compare, timeout, state);                        \
		return wait_for_signal(signal, condition, compare, timeout);                                           \
	}
INTERPOSE_WAIT(hsa_signal_wait_scacquire)
INTERPOSE_WAIT(hsa_signal_wait_relaxed)
INTERPOSE_WAIT(hsa_signal_wait_acquire)

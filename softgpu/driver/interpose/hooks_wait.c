/* Interposed waits for HSA signals. The runtime spins on a signal's value, a core or two for as long as a kernel runs,
 * which is long on a software device and takes those cores from it. Here a waiter sleeps until the device stores a
 * value; stores of other host threads, which nobody announces, are seen by looking again: soon at first, later after a
 * part of what has been waited, since a look every POLL_NS takes a twentieth of a core. */
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "softgpu/driver/queues/aql.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/interpose/hooks_ioctl.h"
#include "softgpu/driver/time/utilization.h"
#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/queues/hsa_signals.h"

#define POLL_NS      200000
#define POLL_MOST_NS 2000000
#define POLL_PART    16   /* of the time waited */
#define SPIN_NS      5000 /* short waits end before a sleep would have begun */

typedef int64_t wait_fn(struct hsa_signal, enum hsa_signal_condition, int64_t, uint64_t, int);
EXPORT wait_fn hsa_signal_wait_scacquire, hsa_signal_wait_relaxed, hsa_signal_wait_acquire;

static uint64_t host_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t next_look(uint64_t waited, uint64_t timeout)
{
	uint64_t ns = waited / POLL_PART, left = timeout - waited;

	ns = ns < POLL_NS ? POLL_NS : ns > POLL_MOST_NS ? POLL_MOST_NS : ns;
	return ns < left ? ns : left;
}

/* The time-out counts system ticks of 1 ns (GET_CLOCK_COUNTERS says so). */
static int64_t wait_for(
	struct hsa_signal signal, enum hsa_signal_condition condition, int64_t compare, uint64_t timeout)
{
	const struct amd_signal *s = (const struct amd_signal *)(uintptr_t)signal.handle;
	uint64_t start = host_ns();

	for (;;) {
		uint32_t seen = hsa_signals_generation();
		int64_t value = __atomic_load_n(&s->value, __ATOMIC_ACQUIRE);
		uint64_t waited;

		if (hsa_condition_is_met(value, condition, compare))
			return value;
		waited = host_ns() - start;
		if (waited >= timeout)
			return value;
		if (waited >= SPIN_NS)
			hsa_signals_wait_change(seen, next_look(waited, timeout));
	}
}

/* --- polls --- */
/* A thread that asks again and again while the device works (hipStreamQuery in a loop, the runtime's own loops around
 * sched_yield) gets a rest after so many times in a row without a change. */
#define PATIENT_POLLS 100

static void rest(void)
{
	static __thread uint32_t polls, seen;
	uint32_t now = hsa_signals_generation();

	if (now != seen || !utilization_is_busy()) {
		seen = now;
		polls = 0;
	} else if (++polls > PATIENT_POLLS) {
		hsa_signals_wait_change(now, POLL_NS);
	}
}

EXPORT int sched_yield(void)
{
	if (device_get())
		rest();
	return (int)syscall(SYS_sched_yield);
}

typedef int64_t load_fn(struct hsa_signal);
EXPORT load_fn hsa_signal_load_relaxed, hsa_signal_load_scacquire;

#define LOAD(name, order)                                                                                     \
	int64_t name(struct hsa_signal signal)                                                                \
	{                                                                                                     \
		if (!device_get() || !signal.handle)                                                          \
			return REAL_FUNCTION(name)(signal);                                                   \
		rest();                                                                                       \
		return __atomic_load_n(&((const struct amd_signal *)(uintptr_t)signal.handle)->value, order); \
	}
LOAD(hsa_signal_load_relaxed, __ATOMIC_RELAXED)
LOAD(hsa_signal_load_scacquire, __ATOMIC_ACQUIRE)

/* HIP's own, which may look at nothing but its memory. The program's reference came to us, so HIP is among its
 * libraries. */
#define HIP_NOT_READY 600

typedef int query_fn(void *);
EXPORT query_fn hipStreamQuery, hipEventQuery;

#define QUERY(name)                                          \
	int name(void *object)                               \
	{                                                    \
		int status = REAL_FUNCTION(name)(object);    \
		if (status == HIP_NOT_READY && device_get()) \
			rest();                              \
		return status;                               \
	}
QUERY(hipStreamQuery)
QUERY(hipEventQuery)

/* --- waits --- */
#define WAIT(name)                                                                                                     \
	int64_t name(struct hsa_signal signal, enum hsa_signal_condition condition, int64_t compare, uint64_t timeout, \
		int state)                                                                                             \
	{                                                                                                              \
		if (!device_get() || !signal.handle)                                                                   \
			return REAL_FUNCTION(name)(signal, condition, compare, timeout, state);                        \
		return wait_for(signal, condition, compare, timeout);                                                  \
	}
WAIT(hsa_signal_wait_scacquire)
WAIT(hsa_signal_wait_relaxed)
WAIT(hsa_signal_wait_acquire)

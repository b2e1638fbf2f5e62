#include "softgpu/driver/time/host_time.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/time/utilization.h"

#define NS_PER_S UINT64_C(1000000000)
#define CLOCKS   12    /* numbers of Linux's clocks */
#define SPIN_NS  50000 /* a thread that polls again within this time does nothing else */
#define READS    4     /* of clocks between two polls; a thread that reads on does not poll any more */

static enum { MODE_UNKNOWN, MODE_REAL, MODE_NOTE, MODE_VIRTUAL } mode;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static ns_t clock_start[CLOCKS];
static _Atomic ns_t latest;
static _Atomic ns_t host_cpu;  /* CPU time of all threads but the device's */
static _Atomic ns_t uncounted; /* CPU time of threads that waited */
static _Atomic bool has_device_thread;
static clockid_t device_clock;
static _Atomic unsigned epoch = 1; /* changes in a forked child, whose CPU times start at 0 */

static __thread struct {
	unsigned epoch;
	unsigned polling;    /* calls that may belong to a loop that polls the device */
	struct cpu_times at; /* at the last call */
	ns_t time;
} self;

static ns_t read_clock(clockid_t clock)
{
	struct timespec t = {0};

	REAL_FUNCTION(clock_gettime)(clock, &t);
	return (ns_t)t.tv_sec * NS_PER_S + (ns_t)t.tv_nsec;
}

/* --- mode --- */
static void reset_in_child(void)
{
	has_device_thread = false;
	uncounted = host_cpu = 0;
	epoch++;
}

static void choose_mode(void)
{
	const char *text = getenv("SOFTGPU_HOST_CLOCK");

	mode = text && !strcmp(text, "virtual") ? MODE_VIRTUAL : text && !strcmp(text, "note") ? MODE_NOTE : MODE_REAL;
	if (mode != MODE_VIRTUAL)
		return;
	for (clockid_t c = 0; c < CLOCKS; c++)
		clock_start[c] = c == CLOCK_PROCESS_CPUTIME_ID ? 0 : read_clock(c);
	pthread_atfork(NULL, NULL, reset_in_child);
}

bool host_time_is_virtual(void)
{
	pthread_once(&once, choose_mode);
	return mode == MODE_VIRTUAL;
}

bool host_time_is_tracked(void)
{
	return host_time_is_virtual() || machine_gpu_count() > 1;
}

bool host_time_has_note(void)
{
	pthread_once(&once, choose_mode);
	return mode == MODE_NOTE;
}

/* --- CPU times --- */
void host_time_set_device_thread(void)
{
	if (host_time_is_virtual())
		has_device_thread = pthread_getcpuclockid(pthread_self(), &device_clock) == 0;
}

static void raise_to(_Atomic ns_t *max, ns_t to)
{
	ns_t now = *max;

	while (now < to && !atomic_compare_exchange_weak(max, &now, to))
		;
}

/* The clock of one thread has all, that of the process lacks a little. The difference goes back and forth; the largest
 * one so far is closest to the truth. */
static struct cpu_times read_cpu_times(void)
{
	ns_t all = read_clock(CLOCK_PROCESS_CPUTIME_ID), device = has_device_thread ? read_clock(device_clock) : 0;

	raise_to(&host_cpu, all > device ? all - device : 0);
	return (struct cpu_times){.wall = read_clock(CLOCK_MONOTONIC),
		.thread = read_clock(CLOCK_THREAD_CPUTIME_ID),
		.all = host_cpu - uncounted,
		.device_runs = utilization_is_busy()};
}

/* Adds what has passed since the thread's last call, if it counts. The time is no earlier than `until` and what any
 * thread has read. */
static ns_t advance_thread(const struct cpu_times *now, bool counts, ns_t until)
{
	struct cpu_times last = self.at;
	ns_t own = now->thread - last.thread;

	self.at = *now;
	if (self.epoch != epoch) { /* the thread's first call */
		self.epoch = epoch;
		self.polling = 0;
	} else if (counts) {
		self.time += cpu_times_elapsed(&last, now);
	} else {
		uncounted += own;
		self.at.all -= own;
	}
	self.time = max_u64(self.time, max_u64(until, latest));
	raise_to(&latest, self.time);
	return self.time;
}

static bool is_spinning(const struct cpu_times *now)
{
	return self.polling && cpu_times_elapsed(&self.at, now) <= SPIN_NS;
}

/* What the thread has seen, when its own work does not count. What other threads have seen does not count either: that
 * depends on who is first. */
static ns_t see_time(ns_t until)
{
	if (self.epoch != epoch) {
		self.epoch = epoch;
		self.time = 0;
	}
	self.time = max_u64(self.time, until);
	raise_to(&latest, self.time);
	return self.time;
}

/* --- calls --- */
ns_t host_time_now(void)
{
	if (!host_time_is_virtual())
		return see_time(0);

	struct cpu_times now = read_cpu_times();
	bool spinning = is_spinning(&now);

	self.polling -= self.polling > 0;
	return advance_thread(&now, !spinning, 0);
}

ns_t host_time_begin(void)
{
	self.polling = 0;
	return host_time_now();
}

void host_time_end(ns_t until)
{
	if (!host_time_is_virtual()) {
		see_time(until);
		return;
	}
	struct cpu_times now = read_cpu_times();
	advance_thread(&now, false, until);
}

void host_time_observe(ns_t until)
{
	if (!host_time_is_virtual()) {
		see_time(until);
		return;
	}
	struct cpu_times now = read_cpu_times();
	advance_thread(&now, !is_spinning(&now), until);
}

void host_time_poll(bool ready, ns_t until)
{
	host_time_observe(until);
	self.polling = ready ? 0 : READS;
}

ns_t host_time_latest(void)
{
	return latest;
}

ns_t host_time_of_clock(clockid_t clock, ns_t host)
{
	return (clock >= 0 && clock < CLOCKS ? clock_start[clock] : 0) + host;
}

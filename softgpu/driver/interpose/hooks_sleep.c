/* Interposed sleeps and timed waits of the program, for the host's virtual time.
 *
 * A sleep lasts until the device has reached its end. While the device is idle it lasts as long as it says: other
 * threads of the program may be working, and a thread that looks at what they do must not let time run ahead of them.
 * A deadline on a virtual clock becomes one on the real clock, and is put off while the device has not reached it. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include "base/min_max.h"
#include "softgpu/driver/interpose/hooks_hip_threads.h"
#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/interpose/runtime_callers.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/queues/hsa_signals.h"
#include "softgpu/driver/queues/submission_hold.h"
#include "softgpu/driver/time/host_monotonic.h"
#include "softgpu/driver/time/host_time.h"
#include "softgpu/driver/time/host_timeline.h"
#include "softgpu/driver/time/utilization.h"

#define NS_PER_S UINT64_C(1000000000)
#define STEP_NS  UINT64_C(1000000) /* between looks at the device */
#define PATIENCE (10 * NS_PER_S)   /* how long to wait for the device, which may be waiting for this thread */

static struct timespec to_timespec(ns_t ns)
{
	return (struct timespec){.tv_sec = (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S)};
}

static ns_t from_timespec(const struct timespec *t)
{
	return t->tv_sec < 0 ? 0 : (ns_t)t->tv_sec * NS_PER_S + (ns_t)t->tv_nsec;
}

static ns_t to_host_time(clockid_t clock, const struct timespec *t)
{
	ns_t start = host_time_of_clock(clock, 0), at = from_timespec(t);

	return at > start ? at - start : 0;
}

static bool is_valid(const struct timespec *t)
{
	return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < (long)NS_PER_S;
}

/* The device is on its way to `until`, or will be when threads that submit wait. Without timing it gets nowhere. */
static bool is_device_behind(ns_t until)
{
	const struct softgpu_device *d = device_get();

	return d && d->model.timing && (utilization_is_busy() || submission_hold_is_in_force()) &&
		host_timeline_latest() < until;
}

/* Lets the time pass up to `until`: 0, or EINTR when a signal has arrived; then *left is what is left. */
static int pass_time(ns_t until, ns_t *left)
{
	ns_t rest = until - min_u64(until, host_time_begin()), waited = 0;
	struct timespec step;

	while (rest || is_device_behind(until)) {
		if (is_device_behind(until) && waited < PATIENCE) {
			ns_t start = host_monotonic_ns();
			hsa_signals_wait_change(hsa_signals_generation(), STEP_NS);
			waited += host_monotonic_ns() - start;
			continue;
		}
		if (waited >= PATIENCE) {
			until = min_u64(until, host_timeline_latest());
			break;
		}
		step = to_timespec(min_u64(rest, STEP_NS));
		if (REAL_FUNCTION(nanosleep)(&step, NULL)) {
			*left = rest;
			host_time_end(until - rest);
			return EINTR;
		}
		rest -= min_u64(rest, STEP_NS);
	}
	host_time_end(until);
	*left = 0;
	return 0;
}

static bool is_reached(const void *until)
{
	return host_timeline_latest() >= *(const ns_t *)until;
}

/* Meanwhile the device works. */
static int sleep_until(ns_t until, ns_t *left)
{
	const struct submission_wait wait = {is_reached, &until};

	submission_hold_begin_wait(&wait);
	int error = pass_time(until, left);
	submission_hold_end_wait();
	return error;
}

static bool is_virtual(enum caller caller)
{
	return caller == CALLER_PROGRAM && host_time_is_virtual();
}

static int sleep_for(const struct timespec *t, struct timespec *left)
{
	ns_t rest;
	int error;

	if (!is_valid(t))
		return EINVAL;
	error = sleep_until(host_time_now() + from_timespec(t), &rest);
	if (error && left)
		*left = to_timespec(rest);
	return error;
}

static int fail_with(int error)
{
	errno = error ? error : errno;
	return error ? -1 : 0;
}

/* --- sleeps --- */
EXPORT int nanosleep(const struct timespec *t, struct timespec *left)
{
	return is_virtual(CALLER()) ? fail_with(sleep_for(t, left)) : REAL_FUNCTION(nanosleep)(t, left);
}

EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *t, struct timespec *left)
{
	ns_t rest;

	if (!is_virtual(CALLER()))
		return REAL_FUNCTION(clock_nanosleep)(clock, flags, t, left);
	if (!(flags & TIMER_ABSTIME))
		return sleep_for(t, left);
	if (!is_valid(t))
		return EINVAL;
	return sleep_until(to_host_time(clock, t), &rest);
}

EXPORT int usleep(useconds_t us)
{
	struct timespec t = to_timespec(us * UINT64_C(1000));

	return is_virtual(CALLER()) ? fail_with(sleep_for(&t, NULL)) : REAL_FUNCTION(usleep)(us);
}

EXPORT unsigned sleep(unsigned seconds)
{
	struct timespec t = {.tv_sec = seconds}, left = {0};

	if (!is_virtual(CALLER()))
		return REAL_FUNCTION(sleep)(seconds);
	sleep_for(&t, &left);
	return (unsigned)left.tv_sec;
}

/* Without descriptors, an old way to sleep. */
EXPORT int select(int count, fd_set *restrict read, fd_set *restrict write, fd_set *restrict except,
	struct timeval *restrict timeout)
{
	struct timespec t;

	if (count || !timeout || !is_virtual(CALLER()))
		return REAL_FUNCTION(select)(count, read, write, except, timeout);
	t = (struct timespec){.tv_sec = timeout->tv_sec, .tv_nsec = timeout->tv_usec * 1000};
	return fail_with(sleep_for(&t, NULL));
}

/* --- timed waits --- */
/* A wait up to a deadline on a virtual clock. */
struct timed_wait {
	ns_t until;                  /* host time */
	struct timespec at;          /* the same on the real clock, for the next try */
	struct submission_wait wait; /* meanwhile the device works */
};

static ns_t read_real_clock(clockid_t clock)
{
	struct timespec t;

	REAL_FUNCTION(clock_gettime)(clock, &t);
	return from_timespec(&t);
}

/* Sets the deadline of the next try. */
static void set_deadline(struct timed_wait *w, clockid_t clock, ns_t now)
{
	w->at = to_timespec(read_real_clock(clock) + (w->until > now ? w->until - now : 0));
}

static void begin_timed_wait(struct timed_wait *w, clockid_t clock, const struct timespec *deadline)
{
	w->until = to_host_time(clock, deadline);
	w->wait = (struct submission_wait){is_reached, &w->until};
	set_deadline(w, clock, host_time_begin());
	submission_hold_begin_wait(&w->wait);
}

/* Whether the wait goes on after this result. */
static bool continues_timed_wait(struct timed_wait *w, clockid_t clock, bool timed_out)
{
	if (timed_out && is_device_behind(w->until)) {
		set_deadline(w, clock, host_timeline_latest());
		return true;
	}
	submission_hold_end_wait();
	if (timed_out)
		host_time_end(w->until);
	return false;
}

/* RTLD_NEXT finds the oldest version of a symbol, which has another layout of pthread_cond_t. */
typedef int cond_timedwait_fn(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
static cond_timedwait_fn *real_cond_timedwait(void)
{
	static cond_timedwait_fn *real;

	if (!real)
		real = (cond_timedwait_fn *)dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
	return real;
}

/* The condition's clock: bit 1 of the word that holds its flags (__wrefs of glibc's pthread_cond_t). */
static clockid_t clock_of_cond(const pthread_cond_t *c)
{
	return c->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

EXPORT int pthread_cond_timedwait(
	pthread_cond_t *restrict c, pthread_mutex_t *restrict m, const struct timespec *restrict deadline)
{
	clockid_t clock = clock_of_cond(c);
	struct timed_wait w;
	int error;

	if (!is_virtual(CALLER()) || !is_valid(deadline))
		return real_cond_timedwait()(c, m, deadline);
	begin_timed_wait(&w, clock, deadline);
	do {
		error = real_cond_timedwait()(c, m, &w.at);
	} while (continues_timed_wait(&w, clock, error == ETIMEDOUT));
	return error;
}

EXPORT int pthread_cond_clockwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m, clockid_t clock,
	const struct timespec *restrict deadline)
{
	struct timed_wait w;
	int error;

	if (!is_virtual(CALLER()) || !is_valid(deadline))
		return REAL_FUNCTION(pthread_cond_clockwait)(c, m, clock, deadline);
	begin_timed_wait(&w, clock, deadline);
	do {
		error = REAL_FUNCTION(pthread_cond_clockwait)(c, m, clock, &w.at);
	} while (continues_timed_wait(&w, clock, error == ETIMEDOUT));
	return error;
}

EXPORT int sem_timedwait(sem_t *restrict s, const struct timespec *restrict deadline)
{
	struct timed_wait w;
	int status;

	if (device_get() && CALLER() == CALLER_HIP)
		return hip_semaphore_wait(s, deadline);
	if (!is_virtual(CALLER()) || !is_valid(deadline))
		return REAL_FUNCTION(sem_timedwait)(s, deadline);
	begin_timed_wait(&w, CLOCK_REALTIME, deadline);
	do {
		status = REAL_FUNCTION(sem_timedwait)(s, &w.at);
	} while (continues_timed_wait(&w, CLOCK_REALTIME, status && errno == ETIMEDOUT));
	return status;
}

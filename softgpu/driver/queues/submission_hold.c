#include "softgpu/driver/queues/submission_hold.h"

#include <pthread.h>
#include <stdatomic.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/min_max.h"
#include "softgpu/driver/probe/driver_trace.h"
#include "softgpu/driver/queues/doorbell.h"
#include "softgpu/driver/queues/hsa_signals.h"
#include "softgpu/driver/time/host_monotonic.h"

/* How long a thread holds the device that neither submits nor waits: a hundred times what a launch takes, because hosts
 * that share their processors may be that slow for a while. */
#define LIMIT_NS UINT64_C(250000000)
/* Half as long for a thread that has reached it, at least this, and twice as long again after a wait before it. */
#define LEAST_NS    UINT64_C(1000000)
#define LOOK_NS     UINT64_C(5000000)    /* between two looks at a thread, or its limit if that is less */
#define HOLD_ALL_NS UINT64_C(3000000000) /* a program that waits for packets that it holds back would hang */

/* A thread that has not run is found blocked this often, fewer times with its limit, before it counts as waiting. */
enum { MOST_BLOCKED_LOOKS = 10, LEAST_BLOCKED_LOOKS = 3 };

/* A thread that has submitted. */
struct submitter {
	struct submitter *next;
	bool holds;                         /* goes on, or waits, and may submit again */
	bool polls;                         /* waits until another value than `seen` is stored */
	const struct submission_wait *wait; /* NULL: it does not wait */
	uint32_t seen;
	ns_t next_look; /* host time. 0: no look yet after it submitted or waited */
	ns_t cpu_seen;  /* its CPU time at the last look */
	ns_t used;      /* CPU time since the first look */
	unsigned blocked_looks;
	ns_t limit;
	bool let_pass;   /* the limit, since it waited last */
	bool is_late;    /* what it submits before it waits begins later than what it has submitted */
	clockid_t clock; /* its CPU time */
	long tid;        /* 0: the thread has been created, and has not begun */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for the list and its entries */
static pthread_cond_t given = PTHREAD_COND_INITIALIZER;  /* submission_hold_give */
static struct submitter *submitters;
static pthread_key_t at_thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic unsigned generation = 1; /* changes in a forked child, whose threads are others */
static __thread struct {
	struct submitter *s;
	unsigned generation;
	uint64_t submitted;
} self;

static _Atomic uint64_t submitted;
static _Atomic bool all_held;
static ns_t all_held_at;
static _Atomic bool asleep; /* the device thread, because of a hold */
static bool warned;

/* --- the list --- */
static void forget_thread(void *data)
{
	struct submitter *s = data;

	pthread_mutex_lock(&lock);
	for (struct submitter **at = &submitters; *at; at = &(*at)->next)
		if (*at == s) {
			*at = s->next;
			free(s);
			break;
		}
	pthread_mutex_unlock(&lock);
	if (self.s == data)
		self.s = NULL;
	doorbell_wake();
}

static void create_key(void)
{
	pthread_key_create(&at_thread_end, forget_thread);
}

static struct submitter *own_entry(void)
{
	return self.generation == generation ? self.s : NULL;
}

static struct submitter *add_entry(void)
{
	struct submitter *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->limit = LIMIT_NS;
	pthread_mutex_lock(&lock);
	s->next = submitters;
	submitters = s;
	pthread_mutex_unlock(&lock);
	return s;
}

/* The entry is the calling thread's from now on. */
static bool take_entry(struct submitter *s)
{
	clockid_t clock;

	pthread_once(&once, create_key);
	if (pthread_getcpuclockid(pthread_self(), &clock) || pthread_setspecific(at_thread_end, s))
		return false;
	pthread_mutex_lock(&lock);
	s->clock = clock;
	s->tid = syscall(SYS_gettid);
	s->next_look = 0;
	pthread_mutex_unlock(&lock);
	self.s = s;
	self.generation = generation;
	return true;
}

/* NULL: out of memory; the thread then holds nothing. */
static struct submitter *add_thread(void)
{
	struct submitter *s = add_entry();

	if (s && !take_entry(s)) {
		forget_thread(s);
		return NULL;
	}
	return s;
}

static void wake_device(void)
{
	if (asleep)
		doorbell_wake();
}

/* --- what threads do --- */
static void warn_once(void)
{
	if (!warned)
		driver_warn(
			"the program has worked for 250 ms after it submitted kernels; they have begun, and times of kernels "
			"of several streams may differ from run to run; submit without such a pause, or wait before it");
	warned = true;
}

static void note_work(struct submitter *s)
{
	if (s->is_late)
		warn_once();
	s->holds = true;
	s->polls = false;
	s->wait = NULL;
	s->next_look = 0;
}

void submission_hold_begin(void)
{
	struct submitter *s = own_entry();

	self.submitted++;
	submitted++;
	if (!s && !(s = add_thread()))
		return;
	pthread_mutex_lock(&lock);
	note_work(s);
	pthread_mutex_unlock(&lock);
}

struct submitter *submission_hold_begin_thread(void)
{
	struct submitter *s = add_entry();

	if (s)
		s->holds = true;
	submission_hold_begin();
	return s;
}

void submission_hold_take_thread(struct submitter *s)
{
	if (s && (self.s || !take_entry(s)))
		forget_thread(s);
}

void submission_hold_drop_thread(struct submitter *s)
{
	if (s)
		forget_thread(s);
}

uint64_t submission_hold_count_own(void)
{
	return self.submitted;
}

uint64_t submission_hold_count_all(void)
{
	return submitted;
}

static void begin_to_wait(struct submitter *s)
{
	s->next_look = 0;
	if (!s->let_pass)
		s->limit = min_u64(2 * s->limit, LIMIT_NS);
	s->let_pass = s->is_late = false;
}

void submission_hold_begin_wait(const struct submission_wait *w)
{
	struct submitter *s = own_entry();

	if (!s)
		return;
	pthread_mutex_lock(&lock);
	begin_to_wait(s);
	s->wait = w;
	s->polls = false;
	pthread_mutex_unlock(&lock);
	wake_device();
}

void submission_hold_end_wait(void)
{
	struct submitter *s = own_entry();

	if (!s)
		return;
	pthread_mutex_lock(&lock);
	s->wait = NULL;
	s->next_look = 0;
	pthread_mutex_unlock(&lock);
}

int submission_hold_take(
	const struct submission_wait *w, bool (*take)(const void *what), const struct timespec *deadline)
{
	struct submitter *s = own_entry();
	int error = 0;

	pthread_mutex_lock(&lock);
	while (!take(w->what) && !error) {
		if (s && !s->wait) {
			begin_to_wait(s);
			s->wait = w;
			wake_device();
		}
		error = deadline ? pthread_cond_timedwait(&given, &lock, deadline) : pthread_cond_wait(&given, &lock);
	}
	if (s) {
		s->wait = NULL;
		s->next_look = 0;
	}
	pthread_mutex_unlock(&lock);
	return error;
}

void submission_hold_give(void)
{
	pthread_mutex_lock(&lock);
	pthread_cond_broadcast(&given);
	pthread_mutex_unlock(&lock);
}

void submission_hold_poll(uint32_t seen)
{
	struct submitter *s = own_entry();

	if (!s)
		return;
	pthread_mutex_lock(&lock);
	begin_to_wait(s);
	s->polls = true;
	s->seen = seen;
	pthread_mutex_unlock(&lock);
	wake_device();
}

void submission_hold_all(bool on)
{
	pthread_mutex_lock(&lock);
	all_held = on;
	all_held_at = host_monotonic_ns();
	pthread_mutex_unlock(&lock);
	doorbell_wake();
}

/* --- the device thread --- */
static ns_t cpu_time(clockid_t clock)
{
	struct timespec t = {0};

	REAL_FUNCTION(clock_gettime)(clock, &t);
	return (ns_t)t.tv_sec * 1000000000 + (ns_t)t.tv_nsec;
}

static bool goes_on(const struct submitter *s)
{
	if (s->wait)
		return s->wait->is_over(s->wait->what);
	return !(s->polls && s->seen == hsa_signals_generation());
}

/* Whether the thread only lacks a processor or the disk: states R and D of proc(5). */
static bool is_runnable_thread(long tid)
{
	char path[64], text[256] = "";
	ssize_t bytes = 0;

	snprintf(path, sizeof path, "/proc/self/task/%ld/stat", tid);
	const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		bytes = syscall(SYS_read, fd, text, sizeof text - 1);
		syscall(SYS_close, fd);
	}
	const char *name_end = bytes > 0 ? strrchr(text, ')') : NULL;
	return name_end && (!strncmp(name_end, ") R", 3) || !strncmp(name_end, ") D", 3));
}

static ns_t look_period(const struct submitter *s)
{
	return min_u64(LOOK_NS, s->limit);
}

/* The CPU time of a host that stood still leaps: no more counts than there is between two looks. A thread of a busy
 * host may get no processor for a while, or wait for a lock whose owner gets none; it is blocked by something else if
 * it is found so again and again, without having run. */
static void look_at_thread(struct submitter *s, ns_t now)
{
	const bool is_first = !s->next_look;
	const ns_t cpu = s->tid ? cpu_time(s->clock) : 0;
	const ns_t used = is_first ? 0 : cpu - s->cpu_seen;
	const bool is_free = is_first || used || !s->tid || is_runnable_thread(s->tid);

	s->used = is_first ? 0 : s->used + min_u64(used, look_period(s));
	s->blocked_looks = is_free ? 0 : s->blocked_looks + 1;
	s->cpu_seen = cpu;
	s->next_look = now + look_period(s);
}

static bool is_blocked(const struct submitter *s)
{
	const ns_t looks = MOST_BLOCKED_LOOKS * s->limit / LIMIT_NS;

	return s->blocked_looks >= max_u64(looks, LEAST_BLOCKED_LOOKS);
}

/* Whether the thread holds the device now; *left: ns until it is to be asked again. */
static bool holds_device(struct submitter *s, bool several, ns_t now, ns_t *left)
{
	if (!s->holds || !goes_on(s))
		return false;
	if (now >= s->next_look)
		look_at_thread(s, now);
	*left = s->next_look - now;
	if (s->used < s->limit && !is_blocked(s))
		return true;
	s->is_late = several && s->used >= LIMIT_NS / 2; /* otherwise it waits, such as for other threads */
	s->holds = false;
	s->let_pass = true;
	s->limit = max_u64(s->limit / 2, LEAST_NS);
	return false;
}

static bool is_all_held(ns_t now, ns_t *left)
{
	if (!all_held)
		return false;
	const ns_t gone = now - all_held_at;
	if (gone < HOLD_ALL_NS) {
		*left = HOLD_ALL_NS - gone;
		return true;
	}
	driver_warn("timed out: the program waits for packets that it holds back; they begin now");
	all_held = false;
	return false;
}

bool submission_hold_is_on(unsigned queues, ns_t *ns)
{
	const ns_t now = host_monotonic_ns();
	bool on;

	pthread_mutex_lock(&lock);
	on = is_all_held(now, ns);
	for (struct submitter *s = submitters; s && !on; s = s->next)
		if (queues)
			on = holds_device(s, queues > 1, now, ns);
		else
			s->next_look = 0;
	asleep = on;
	pthread_mutex_unlock(&lock);
	return on;
}

bool submission_hold_is_in_force(void)
{
	return asleep;
}

void submission_hold_reset_in_child(void)
{
	pthread_mutex_init(&lock, NULL);
	pthread_cond_init(&given, NULL);
	submitters = NULL; /* leaked: the list may have been half changed */
	generation++;
	all_held = asleep = false;
}

/* A thread that samples clocks, temperature and power while a point runs. */
#include "gpu/worker/samples/telemetry_sampler.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "base/host_clock.h"
#include "gpu/protocol/worker_protocol.h"

enum { PERIOD_MS = 66, STOP_MS = 200, SLOW_MS = 3 * PERIOD_MS };
#define CLOCK_MOVED 0.02 /* relative change of sclk */

static telemetry_source *source;
static pthread_t thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;       /* protects every reading and `sum` */
static pthread_mutex_t sleep_lock = PTHREAD_MUTEX_INITIALIZER; /* protects `active` */
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static bool active, running;
static atomic_bool stopped;
static struct telemetry_sum sum;

/* --- arithmetic --- */
/* A running mean: the mean of equal readings is exactly that reading, unlike a sum divided by the count. */
#define ADD(field, reading)                                                                    \
	do {                                                                                   \
		if ((reading).valid)                                                           \
			s->field.mean += ((reading).value - s->field.mean) / ++s->field.count; \
	} while (0)

void telemetry_sum_add(struct telemetry_sum *s, struct clocks c)
{
	if (c.sclk_mhz.valid) {
		double v = c.sclk_mhz.value;
		s->sclk_min = !s->sclk.count || v < s->sclk_min ? v : s->sclk_min;
		s->sclk_max = !s->sclk.count || v > s->sclk_max ? v : s->sclk_max;
	}
	ADD(sclk, c.sclk_mhz);
	ADD(mclk, c.mclk_mhz);
	ADD(temp, c.temp_c);
	ADD(power, c.power_w);
	s->limits |= c.limits;
	s->others = c.others > s->others ? c.others : s->others;
}

#define MEAN(field) ((struct reading){s->field.count > 0, s->field.mean})

struct clocks telemetry_sum_mean(const struct telemetry_sum *s, bool *moved)
{
	struct clocks c = {MEAN(sclk), MEAN(mclk), MEAN(temp), MEAN(power), s->limits, s->others};
	*moved = c.sclk_mhz.valid && s->sclk_max - s->sclk_min > CLOCK_MOVED * c.sclk_mhz.value;
	return c;
}

/* --- sampling --- */
/* Slow readings are few, so that a clock that moves between them is not seen. */
static void warn_if_slow(double seconds)
{
	static bool warned;
	if (warned || seconds * 1e3 < SLOW_MS)
		return;
	warned = true;
	protocol_log("warning",
		"a reading of the clocks takes %.1f s; a clock that moves between two of them is not noticed", seconds);
}

/* Call it with the lock held. */
static struct clocks read_source(void)
{
	double start = now_seconds();
	struct clocks c = source();
	warn_if_slow(now_seconds() - start);
	return c;
}

static void add_sample(void)
{
	pthread_mutex_lock(&lock);
	if (!atomic_load(&stopped))
		telemetry_sum_add(&sum, read_source());
	pthread_mutex_unlock(&lock);
}

static void sleep_period(void)
{
	struct timespec t = {0, PERIOD_MS * 1000000L};
	nanosleep(&t, NULL);
}

static void *sample_periodically(void *unused)
{
	(void)unused;
	for (;;) {
		pthread_mutex_lock(&sleep_lock);
		while (!active)
			pthread_cond_wait(&wake, &sleep_lock);
		pthread_mutex_unlock(&sleep_lock);
		add_sample();
		sleep_period();
	}
	return NULL;
}

static void set_active(bool on)
{
	pthread_mutex_lock(&sleep_lock);
	active = on;
	pthread_cond_signal(&wake);
	pthread_mutex_unlock(&sleep_lock);
}

void telemetry_start(telemetry_source *from, bool in_background)
{
	source = from;
	running = in_background && !pthread_create(&thread, NULL, sample_periodically, NULL);
}

void telemetry_begin_point(void)
{
	pthread_mutex_lock(&lock);
	sum = (struct telemetry_sum){0};
	pthread_mutex_unlock(&lock);
	if (running)
		set_active(true);
}

void telemetry_end_sample(void)
{
	if (!running)
		add_sample();
}

struct clocks telemetry_end_point(bool *moved)
{
	if (running)
		set_active(false);
	pthread_mutex_lock(&lock);
	bool none = !sum.sclk.count; /* the point was shorter than the period, or the device is deterministic */
	pthread_mutex_unlock(&lock);
	if (none)
		add_sample();
	pthread_mutex_lock(&lock);
	struct clocks c = telemetry_sum_mean(&sum, moved);
	pthread_mutex_unlock(&lock);
	return c;
}

struct clocks telemetry_read_now(void)
{
	struct clocks c = {0};
	pthread_mutex_lock(&lock);
	if (!atomic_load(&stopped))
		c = read_source();
	pthread_mutex_unlock(&lock);
	return c;
}

void telemetry_stop(void)
{
	struct timespec until;
	atomic_store(&stopped, true);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += STOP_MS * 1000000L;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	pthread_mutex_timedlock(&lock, &until); /* never unlocked: the process ends */
}

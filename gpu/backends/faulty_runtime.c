#include "gpu/backends/faulty_runtime.h"

#include <math.h>
#include <time.h>

/* A process measures one device. */
static const struct gpu_runtime *inner;
static struct gpu_runtime outer;
static struct clocks (*inner_clocks)(void);
static void (*inner_begin)(uint64_t key, long number);
static struct fault_model model;
static double full_mhz;  /* under load; 0: not known */
static long point;       /* from 1 */
static double worked;    /* seconds, for this point */
static double clock_now; /* of the launch that ended last, as a part of the full one */

static void begin_faulty_point(uint64_t key, long number)
{
	inner_begin(key, number);
	point = number + 1;
	worked = 0;
	clock_now = 1;
}

/* --- clocks --- */
static double idle_part(void)
{
	return model.idle_clock && full_mhz ? fmin(model.idle_clock / full_mhz, 1) : 1;
}

static void take_time(double ms)
{
	struct timespec t = {(time_t)(ms / 1e3), (long)(fmod(ms, 1e3) * 1e6)};
	nanosleep(&t, NULL);
}

static struct clocks read_faulty_clocks(void)
{
	struct clocks c = inner_clocks ? inner_clocks() : (struct clocks){0};
	take_time(model.smi_slow);
	if (model.smi_gone)
		return (struct clocks){0};
	c.sclk_mhz.value *= clock_now;
	c.others += model.busy > 0;
	return c;
}

/* --- launches --- */
static enum poll_state fail_launch(struct err *e)
{
	err_set(e, ST_FAILED, "kernel failed: unspecified launch failure (HIP error 719)");
	return POLL_FAILED;
}

static enum poll_state poll_faulty(void *device, double *seconds, struct err *e)
{
	if (point == (long)model.hang)
		return POLL_BUSY;
	enum poll_state s = inner->poll(device, seconds, e);
	if (s != POLL_DONE)
		return s;
	if (point == (long)model.error)
		return fail_launch(e);
	clock_now = worked < FAULT_IDLE_SECONDS ? idle_part() : 1;
	*seconds /= clock_now * (1 - model.busy);
	worked += *seconds;
	return s;
}

static double find_full_clock(const struct opened_device *d)
{
	struct reading r = record_get_reading(d->info.properties, "sclk_mhz");
	if (!r.valid && inner_clocks)
		r = inner_clocks().sclk_mhz;
	return r.valid ? r.value : 0;
}

void faulty_runtime_wrap(struct opened_device *d, const struct fault_model *faults)
{
	inner = d->rt;
	outer = *inner;
	outer.poll = poll_faulty;
	d->rt = &outer;
	model = *faults;
	point = 0;
	clock_now = 1;
	inner_clocks = d->read_clocks;
	full_mhz = find_full_clock(d);
	d->read_clocks = read_faulty_clocks;
	inner_begin = d->begin_noisy_point;
	d->begin_noisy_point = begin_faulty_point;
	d->starts_idle = model.idle_clock > 0;
	d->has_sensors |= model.smi_gone;
}

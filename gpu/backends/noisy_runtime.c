#include "gpu/backends/noisy_runtime.h"

#include "gpu/softgpu-link/exact_time.h"
#include "gpu/softgpu-link/softprobe.h"

/* A process measures one device. */
static const struct gpu_runtime *inner;
static struct gpu_runtime outer;
static struct clocks (*inner_clocks)(void);
static struct noise_model model;
static uint64_t point, number; /* of the next measured time */
static double clock_now = 1;
static unsigned launches, others; /* between the events */

static void begin_noisy_point(uint64_t key, long unused)
{
	(void)unused;
	point = key;
	number = 0;
	clock_now = 1;
}

static struct clocks read_noisy_clocks(void)
{
	struct clocks c = inner_clocks();
	c.sclk_mhz.value *= clock_now;
	return c;
}

/* --- what is measured --- */
static bool begin(void *device, unsigned streams, struct err *e)
{
	launches = others = 0;
	return inner->begin(device, streams, e);
}

static bool launch(void *device, unsigned stream, void *kernel, const struct launch_shape *shape, unsigned lds_bytes,
	void **args, struct err *e)
{
	launches++;
	return inner->launch(device, stream, kernel, shape, lds_bytes, args, e);
}

static bool call(void *device, unsigned stream, enum library_call which, void **args, struct err *e)
{
	others++;
	return inner->call(device, stream, which, args, e);
}

static bool copy(
	void *device, unsigned stream, bool to_device, void *on_device, void *on_host, size_t bytes, struct err *e)
{
	others++;
	return inner->copy(device, stream, to_device, on_device, on_host, bytes, e);
}

/* Events are rounded to their clock. The noise acts on the time that a device without noise shows. */
static double exact_seconds(double event)
{
	struct softgpu_launch last;
	if (launches != 1 || others || !softprobe_last_launch(&last) || !last.cycles)
		return event;
	bool agree;
	return launch_exact_seconds(event, (double)last.ps * 1e-12, &agree);
}

static enum poll_state poll(void *device, double *seconds, struct err *e)
{
	enum poll_state s = inner->poll(device, seconds, e);
	if (s != POLL_DONE || !(launches + others)) /* events alone measure the timer */
		return s;
	struct noise_draw draw = noise_draw(&model, point, number++);
	*seconds = exact_seconds(*seconds) * draw.time;
	clock_now = draw.clock;
	return s;
}

void noisy_runtime_wrap(struct opened_device *d, const struct noise_model *noise)
{
	inner = d->rt;
	outer = *inner;
	outer.begin = begin;
	outer.launch = launch;
	outer.call = inner->call ? call : NULL;
	outer.copy = inner->copy ? copy : NULL;
	outer.poll = poll;
	d->rt = &outer;
	model = *noise;
	inner_clocks = d->read_clocks;
	d->read_clocks = inner_clocks ? read_noisy_clocks : NULL;
	d->begin_noisy_point = begin_noisy_point;
}

#include "softgpu/driver/probe/statistics.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "softgpu/driver/interpose/interpose.h"
#include "softgpu/driver/probe/clock_note.h"
#include "softgpu/driver/probe/driver_trace.h"

static int enabled = -1;
static clockid_t device_clock;
static double process_start, device_start; /* seconds of CPU time at the first packet */
static uint64_t launches;
static bool started;

static double cpu_seconds(clockid_t clock)
{
	struct timespec t = {0};

	REAL_FUNCTION(clock_gettime)(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void statistics_print(void)
{
	if (!started)
		return;

	double device = cpu_seconds(device_clock) - device_start,
	       process = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - process_start;

	driver_warn(
		"%lu launch%s, %.3f s of CPU time for the device, %.3f s for the process since the first packet (ratio %.2f)",
		(unsigned long)launches, launches == 1 ? "" : "es", device, process, device > 0 ? process / device : 0);
}

bool statistics_are_on(void)
{
	const char *text;

	if (enabled < 0) {
		text = getenv("SOFTGPU_STATISTICS");
		enabled = text && atoi(text) > 0;
	}
	return enabled > 0;
}

void statistics_start(void)
{
	if (!statistics_are_on() || started || pthread_getcpuclockid(pthread_self(), &device_clock))
		return;
	process_start = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
	device_start = cpu_seconds(device_clock);
	started = true;
}

void statistics_count_launch(void)
{
	launches++;
	clock_note_launch();
}

void statistics_reset_in_child(void)
{
	started = false;
	launches = 0;
}

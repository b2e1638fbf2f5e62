#include "softgpu/driver/probe/statistics.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "softgpu/driver/probe/driver_trace.h"

static int wanted = -1;
static clockid_t device_clock;
static double process_before, device_before; /* s of CPU time at the first packet */
static uint64_t launches;
static bool begun;

static double seconds(clockid_t clock)
{
	struct timespec t = {0};

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void say(void)
{
	double device = seconds(device_clock) - device_before,
	       process = seconds(CLOCK_PROCESS_CPUTIME_ID) - process_before;

	if (begun)
		driver_warn(
			"%lu launches, %.3f s of CPU for the device, %.3f s for the whole process since the first (%.2f times)",
			(unsigned long)launches, device, process, device > 0 ? process / device : 0);
}

void statistics_start(void)
{
	const char *text;

	if (wanted < 0) {
		text = getenv("SOFTGPU_STATISTICS");
		wanted = text && atoi(text) > 0;
		if (wanted)
			atexit(say);
	}
	if (!wanted || begun || pthread_getcpuclockid(pthread_self(), &device_clock))
		return;
	process_before = seconds(CLOCK_PROCESS_CPUTIME_ID);
	device_before = seconds(device_clock);
	begun = true;
}

void statistics_count_launch(void)
{
	launches++;
}

void statistics_reset_in_child(void)
{
	begun = false;
	launches = 0;
}

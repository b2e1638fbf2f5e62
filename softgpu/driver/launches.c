#include "softgpu/driver/launches.h"

#include <pthread.h>
#include <stdio.h>

#include "softgpu/driver/device.h"
#include "softgpu/driver/symbol.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct launch last;

void launch_record(struct device *d, struct gpu *gpu, const struct dispatch *what, const struct launch_result *r,
	uint64_t start_ns, uint64_t end_ns)
{
	pthread_mutex_lock(&lock);
	last.result = *r;
	last.start_ns = start_ns;
	last.end_ns = end_ns;
	last.number++;
	last.counter_count = gpu_counters(gpu, last.counters, LAUNCH_COUNTERS);
	if (last.counter_count > LAUNCH_COUNTERS)
		last.counter_count = LAUNCH_COUNTERS;
	symbol_name(d, what->kernel_object, last.kernel, sizeof last.kernel);
	pthread_mutex_unlock(&lock);
}

bool launch_last(struct launch *out)
{
	bool any;

	pthread_mutex_lock(&lock);
	*out = last;
	any = last.number > 0;
	pthread_mutex_unlock(&lock);
	return any;
}

void launches_forget(void)
{
	pthread_mutex_init(&lock, NULL);
	last = (struct launch){0};
}

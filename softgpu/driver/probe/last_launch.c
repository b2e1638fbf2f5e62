#include "softgpu/driver/probe/last_launch.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/queues/launch_slots.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct finished_launch launches[GPUS_MAX];

void last_launch_set(unsigned index, struct gpu *gpu, const struct active_launch *r)
{
	struct finished_launch *last = &launches[index];

	pthread_mutex_lock(&lock);
	last->result = r->result;
	last->start_ns = r->start_ns;
	last->end_ns = r->end_ns;
	last->known = true;
	last->number++;
	last->counter_count = gpu_read_counters(gpu, last->counters, LAUNCH_COUNTERS_MAX);
	if (last->counter_count > LAUNCH_COUNTERS_MAX)
		last->counter_count = LAUNCH_COUNTERS_MAX;
	snprintf(last->kernel, sizeof last->kernel, "%.127s", r->kernel);
	pthread_mutex_unlock(&lock);
}

bool last_launch_get(unsigned index, struct finished_launch *out)
{
	pthread_mutex_lock(&lock);
	*out = launches[index];
	pthread_mutex_unlock(&lock);
	return out->known;
}

void last_launch_forget(unsigned index)
{
	pthread_mutex_lock(&lock);
	launches[index] = (struct finished_launch){.number = launches[index].number};
	pthread_mutex_unlock(&lock);
}

void last_launch_reset_in_child(void)
{
	pthread_mutex_init(&lock, NULL);
	memset(launches, 0, sizeof launches);
}

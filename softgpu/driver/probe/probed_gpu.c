#include "softgpu/driver/probe/probed_gpu.h"

#include <pthread.h>
#include <stdatomic.h>

#include "softgpu/driver/kfd/device_identity.h"
#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/queues/launch_slots.h"

static _Atomic unsigned selected; /* index of a GPU */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct gpu *replaced; /* NULL: the selected device's */
static struct finished_launch replayed;

bool probed_gpu_select(unsigned pci_bus)
{
	for (unsigned i = 0; i < machine_gpu_count(); i++)
		if (identity_pci_bus(i) == pci_bus) {
			selected = i;
			return true;
		}
	return false;
}

struct softgpu_device *probed_device(void)
{
	return device_at(selected);
}

struct probed_gpu probed_gpu_take(void)
{
	struct softgpu_device *d = probed_device();

	pthread_mutex_lock(&lock);
	if (replaced)
		return (struct probed_gpu){.gpu = replaced, .replaced = true};
	pthread_mutex_unlock(&lock);
	return (struct probed_gpu){.gpu = d ? d->gpu : NULL};
}

struct probed_gpu probed_gpu_take_idle(void)
{
	struct probed_gpu g = probed_gpu_take();

	g.locked = g.gpu && !g.replaced;
	if (g.locked)
		device_lock();
	return g;
}

void probed_gpu_release(const struct probed_gpu *g)
{
	if (g->locked)
		device_unlock();
	if (g->replaced)
		pthread_mutex_unlock(&lock);
}

bool probed_gpu_last_launch(struct finished_launch *out)
{
	bool is_replaced;

	pthread_mutex_lock(&lock);
	is_replaced = replaced != NULL;
	if (is_replaced)
		*out = replayed;
	pthread_mutex_unlock(&lock);
	return is_replaced ? out->known : last_launch_get(selected, out);
}

void probed_gpu_stop(void)
{
	struct softgpu_device *d = probed_device();
	struct probed_gpu g = probed_gpu_take();

	if (g.replaced)
		gpu_stop_launch(g.gpu);
	else if (d)
		launch_slots_stop(d);
	probed_gpu_release(&g);
}

void probed_gpu_replace(struct gpu *gpu)
{
	pthread_mutex_lock(&lock);
	replaced = gpu;
	replayed = (struct finished_launch){0};
	pthread_mutex_unlock(&lock);
}

void probed_gpu_set_launch(const struct finished_launch *l)
{
	pthread_mutex_lock(&lock);
	replayed = *l;
	pthread_mutex_unlock(&lock);
}

#include "softgpu/driver/time/utilization.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/time/host_monotonic.h"

#define SLOT_NS UINT64_C(50000000)
#define SLOTS   20 /* the window is one second */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct slot {
	uint64_t number;
	ns_t busy_ns;
} slots[GPUS_MAX][SLOTS]; /* rings of slots of host time */

static _Atomic bool device_busy;

void utilization_mark_busy(void)
{
	device_busy = true;
}

void utilization_mark_idle(void)
{
	device_busy = false;
}

bool utilization_is_busy(void)
{
	return device_busy;
}

static void add_to_slot(unsigned gpu, uint64_t number, ns_t ns)
{
	struct slot *s = &slots[gpu][number % SLOTS];

	if (s->number != number)
		*s = (struct slot){.number = number};
	s->busy_ns += ns;
}

void utilization_add_busy(unsigned gpu, ns_t start, ns_t end)
{
	if (end > start + SLOTS * SLOT_NS)
		start = end - SLOTS * SLOT_NS;
	pthread_mutex_lock(&lock);
	while (start < end) {
		uint64_t boundary = (start / SLOT_NS + 1) * SLOT_NS, until = boundary < end ? boundary : end;

		add_to_slot(gpu, start / SLOT_NS, until - start);
		start = until;
	}
	pthread_mutex_unlock(&lock);
}

int64_t utilization_percent(unsigned gpu)
{
	uint64_t now = host_monotonic_ns() / SLOT_NS, busy = 0;

	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < SLOTS; i++)
		if (slots[gpu][i].number + SLOTS > now)
			busy += slots[gpu][i].busy_ns;
	pthread_mutex_unlock(&lock);
	busy = (busy * 100 + SLOTS * SLOT_NS / 2) / (SLOTS * SLOT_NS);
	return busy < 100 ? (int64_t)busy : 100;
}

void utilization_reset_in_child(void)
{
	pthread_mutex_init(&lock, NULL);
	device_busy = false;
	memset(slots, 0, sizeof slots);
}

#include "softgpu/driver/fault.h"

#include "softgpu/driver/aql.h"
#include "softgpu/driver/device.h"
#include "softgpu/driver/events.h"
#include "softgpu/driver/memory.h"
#include "softgpu/driver/queue.h"
#include "softgpu/driver/signals.h"

void fault_memory(struct device *d, struct queue *q, uint64_t va, bool write)
{
	bool mapped = gpu_host(d->gpu, va, 1, VM_READ);

	q->halted = true;
	events_memory_fault(va, mapped, write);
}

void fault_queue(struct device *d, struct queue *q, int64_t error)
{
	const struct amd_queue *a =
		gpu_host(d->gpu, q->read_va - offsetof(struct amd_queue, read_id), sizeof *a, VM_READ);

	q->halted = true;
	if (a)
		signal_store(d, a->inactive_signal, error);
}

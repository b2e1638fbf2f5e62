#include "softgpu/driver/queues/queue_error.h"

#include "softgpu/abi/aql.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/kfd/kfd_events.h"
#include "softgpu/driver/kfd/kfd_memory.h"
#include "softgpu/driver/queues/hsa_queue.h"
#include "softgpu/driver/queues/hsa_signals.h"

void hsa_queue_raise_memory_fault(struct softgpu_device *d, struct hsa_queue *q, uint64_t va, bool write)
{
	bool mapped = gpu_host_pointer(d->gpu, va, 1, VM_READ);

	q->halted = true;
	kfd_events_raise_memory_fault(d->gpu_id, va, mapped, write);
}

void hsa_queue_raise_error(struct softgpu_device *d, struct hsa_queue *q, int64_t error)
{
	const struct amd_queue *a =
		gpu_host_pointer(d->gpu, q->read_va - offsetof(struct amd_queue, read_id), sizeof *a, VM_READ);

	q->halted = true;
	if (a)
		hsa_signal_write(d, a->inactive_signal, error);
}

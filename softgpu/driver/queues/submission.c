#include "softgpu/driver/queues/submission.h"

#include "softgpu/driver/queues/hsa_queue.h"
#include "softgpu/driver/time/host_time.h"
#include "softgpu/driver/time/host_timeline.h"
#include "softgpu/driver/time/virtual_clock.h"

void submission_begin(struct hsa_queue *q, uint64_t packet_va)
{
	bool was_idle = q->idle;
	ns_t submitted = 0;

	q->idle = false;
	if (!host_time_is_virtual())
		return;
	if (!host_timeline_find(packet_va, &submitted) && was_idle)
		submitted = host_time_latest();
	host_timeline_begin(vclock_now(), submitted);
}

void submission_note_store(uint64_t va, ns_t device)
{
	ns_t host = host_timeline_reach(device);

	if (host_time_is_virtual())
		host_timeline_note(va, host);
}

#include "softgpu/driver/queues/submission.h"

#include <pthread.h>
#include <stdatomic.h>

#include "softgpu/driver/kfd/host_machine.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/queues/doorbell.h"
#include "softgpu/driver/queues/hsa_queue.h"
#include "softgpu/driver/queues/queue_clock.h"
#include "softgpu/driver/queues/resident_kernels.h"
#include "softgpu/driver/time/host_time.h"
#include "softgpu/driver/time/host_timeline.h"
#include "softgpu/driver/time/virtual_clock.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for the submitted copies of all queues */
static _Atomic unsigned open_copies;

/* --- copies --- */
static uint64_t submitted_bytes(const struct hsa_queue *q)
{
	return __atomic_load_n(q->doorbell, __ATOMIC_ACQUIRE);
}

/* The last entry takes what does not fit. */
static void add_submitted_copy(struct hsa_queue *q, uint64_t until, ns_t at)
{
	struct submitted_copies *c = &q->copies;

	if (until <= c->until)
		return;
	c->until = until;
	if (c->count < SUBMITTED_COPIES)
		c->count++;
	struct submitted_copy *last = &c->list[(c->first + c->count - 1) % SUBMITTED_COPIES];
	*last = (struct submitted_copy){until, at};
}

void submission_begin_copy(void)
{
	open_copies++;
}

void submission_end_copy(void)
{
	ns_t now = host_time_begin();
	struct hsa_queue *q;

	pthread_mutex_lock(&lock);
	for (unsigned i = 0; (q = hsa_queue_at(i)); i++)
		if (q->kind == HSA_QUEUE_SDMA)
			add_submitted_copy(q, submitted_bytes(q), now);
	pthread_mutex_unlock(&lock);
	open_copies--;
	doorbell_wake();
}

/* The runtime may wait for room in the ring. */
bool submission_is_open(const struct hsa_queue *q)
{
	return open_copies && q->position >= q->copies.until && submitted_bytes(q) - q->position < q->size / 2;
}

static bool find_submitted_copy(struct hsa_queue *q, ns_t *at)
{
	struct submitted_copies *c = &q->copies;
	bool found;

	pthread_mutex_lock(&lock);
	while (c->count && c->list[c->first].until <= q->position) {
		c->first = (c->first + 1) % SUBMITTED_COPIES;
		c->count--;
	}
	found = c->count > 0;
	if (found)
		*at = c->list[c->first].at;
	pthread_mutex_unlock(&lock);
	return found;
}

/* --- packets --- */
/* With several GPUs, what other threads have seen meanwhile would differ from run to run. */
static ns_t time_of_unknown(bool was_idle)
{
	return was_idle && host_time_is_virtual() ? host_time_latest() : 0;
}

/* One GPU: what has been submitted while it works begins then, and does not delay what it works on. */
static bool wait_for_submission(struct hsa_queue *q, ns_t submitted)
{
	const struct softgpu_device *d = q->device;

	return !d->kernels.count || queue_clock_pass_to(q, host_timeline_to_device(d->index, submitted));
}

bool submission_begin(struct hsa_queue *q, uint64_t packet_va)
{
	struct softgpu_device *d = q->device;
	bool was_idle = q->idle, known;
	ns_t submitted = 0;

	resident_kernels_update_clock(d);
	if (!queue_clock_is_due(q))
		return false;
	q->idle = false;
	if (!host_time_is_tracked())
		return true;
	known = q->kind == HSA_QUEUE_SDMA ? find_submitted_copy(q, &submitted)
					  : host_timeline_find(packet_va, &submitted);
	if (!known)
		submitted = time_of_unknown(was_idle);
	if (!host_time_is_virtual()) {
		vclock_advance_to(&d->clock, host_timeline_to_device(d->index, submitted));
		return true;
	}
	if (!wait_for_submission(q, submitted))
		return false;
	host_timeline_begin(d->index, vclock_now(&d->clock), submitted);
	return true;
}

void submission_note_store(struct softgpu_device *d, uint64_t va, ns_t device)
{
	ns_t host = host_timeline_reach(d->index, device);

	if (host_time_is_tracked())
		host_timeline_note(va, host);
}

void submission_note_wait(struct softgpu_device *d, uint64_t va)
{
	ns_t stored;

	if (machine_gpu_count() > 1 && host_timeline_find(va, &stored))
		vclock_advance_to(&d->clock, host_timeline_to_device(d->index, stored));
}

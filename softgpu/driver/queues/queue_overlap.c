#include "softgpu/driver/queues/queue_overlap.h"

#include "base/min_max.h"
#include "softgpu/driver/time/host_monotonic.h"
#include "softgpu/driver/time/virtual_clock.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/queues/doorbell.h"
#include "softgpu/driver/queues/hsa_queue.h"
#include "softgpu/driver/probe/driver_trace.h"

#define STORES  4096                 /* number of stores remembered; signals are 64 bytes apart */
#define HOLD_NS UINT64_C(3000000000) /* time limit: a program that waits for packets it holds back would hang */

static bool held, releasing, overlapping; /* under the device lock */
static ns_t held_at;                      /* host time */
static ns_t sequence_start, latest_end, compute_free_at;
static uint32_t sequence; /* number of the current sequence */
static struct noted_store {
	uint64_t va;
	ns_t ns;
	uint32_t sequence;
} stores[STORES];

void queue_overlap_finish(void)
{
	if (!overlapping || !sequence_start)
		return;
	overlapping = false;
	sequence_start = 0;
}

/* Takes the lock, so no packet that is submitted after this call can already be running. The device thread may not have
 * noticed yet that the last sequence has ended. */
void queue_overlap_hold(bool on)
{
	device_lock();
	releasing = !on;
	if (on) {
		held_at = host_monotonic_ns();
		queue_overlap_finish();
		held = true;
	}
	device_unlock();
	doorbell_wake();
}

void queue_overlap_begin_round(void)
{
	if (!releasing)
		return;
	overlapping = held; /* not if the hold already timed out */
	held = releasing = false;
}

bool queue_overlap_is_held(void)
{
	if (held && host_monotonic_ns() - held_at > HOLD_NS) {
		driver_warn(
			"timed out: the program waits for packets that it holds back; running them one after another");
		held = false;
	}
	return held;
}

bool queue_overlap_is_active(void)
{
	return overlapping;
}

static void begin_sequence(const struct softgpu_device *d)
{
	sequence++;
	sequence_start = latest_end = compute_free_at = vclock_now(&d->clock);
}

void queue_overlap_enter(struct hsa_queue *q)
{
	if (!overlapping)
		return;
	if (!sequence_start)
		begin_sequence(q->device);
	if (q->sequence != sequence) {
		q->sequence = sequence;
		q->local_ns = sequence_start;
	}
	vclock_set(&q->device->clock, q->local_ns);
}

void queue_overlap_leave(struct hsa_queue *q)
{
	if (!overlapping || q->sequence != sequence)
		return;
	q->local_ns = vclock_now(&q->device->clock);
	latest_end = max_u64(latest_end, q->local_ns);
	vclock_set(&q->device->clock, latest_end);
}

static void raise_clock_to(struct softgpu_device *d, ns_t ns)
{
	if (vclock_now(&d->clock) < ns)
		vclock_set(&d->clock, ns);
}

/* Both halves of a 64-bit value map to the same entry: a copy engine polls them separately. */
static struct noted_store *find_store(uint64_t va)
{
	return &stores[(va / 64 ^ va / 64 / STORES) % STORES];
}

void queue_overlap_note_store(struct softgpu_device *d, uint64_t va)
{
	if (overlapping)
		*find_store(va) = (struct noted_store){va & ~UINT64_C(7), vclock_now(&d->clock), sequence};
}

void queue_overlap_note_wait(struct softgpu_device *d, uint64_t va)
{
	const struct noted_store *s = find_store(va);

	if (overlapping && s->sequence == sequence && s->va == (va & ~UINT64_C(7)))
		raise_clock_to(d, s->ns);
}

void queue_overlap_serialize_kernel(struct softgpu_device *d, bool begins)
{
	if (!overlapping)
		return;
	if (begins)
		raise_clock_to(d, compute_free_at);
	else
		compute_free_at = vclock_now(&d->clock);
}

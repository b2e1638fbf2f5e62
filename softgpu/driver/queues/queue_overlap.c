#include "softgpu/driver/queues/queue_overlap.h"

#include <time.h>

#include "softgpu/driver/time/virtual_clock.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/queues/doorbell.h"
#include "softgpu/driver/queues/hsa_queue.h"
#include "softgpu/driver/probe/driver_trace.h"

#define STORES  4096                 /* remembered; signals are 64 bytes apart */
#define HOLD_NS UINT64_C(3000000000) /* a program that waits for what it holds would wait for ever */

static bool held, together; /* under the device lock */
static uint64_t held_at, begun, latest, compute_free;
static uint32_t turn; /* of the sequences; marks what belongs to the present one */
static struct store {
	uint64_t va, ns;
	uint32_t turn;
} stores[STORES];

static uint64_t host_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void queue_overlap_finish(void)
{
	if (!together || !begun)
		return;
	together = false;
	begun = 0;
}

/* Under the lock, so that no packet that is submitted after this is under way. The device thread may not have noticed
 * yet that the last sequence has ended, as the program has. */
void queue_overlap_hold(bool on)
{
	device_lock();
	if (on) {
		held_at = host_ns();
		queue_overlap_finish();
	} else {
		together = held; /* not when it has been let go already */
	}
	held = on;
	device_unlock();
	doorbell_wake();
}

bool queue_overlap_is_held(void)
{
	if (held && host_ns() - held_at > HOLD_NS) {
		driver_warn(
			"the program waits for work that it has asked to hold back; it goes on, one packet after the other");
		held = false;
	}
	return held;
}

bool queue_overlap_is_active(void)
{
	return together;
}

static void begin(void)
{
	turn++;
	begun = latest = compute_free = vclock_now();
}

void queue_overlap_enter(struct hsa_queue *q)
{
	if (!together)
		return;
	if (!begun)
		begin();
	if (q->turn != turn) {
		q->turn = turn;
		q->time = begun;
	}
	vclock_set(q->time);
}

void queue_overlap_leave(struct hsa_queue *q)
{
	if (!together || q->turn != turn)
		return;
	q->time = vclock_now();
	latest = q->time > latest ? q->time : latest;
	vclock_set(latest);
}

static void reach(uint64_t ns)
{
	if (vclock_now() < ns)
		vclock_set(ns);
}

/* A value has two halves, which a copy engine looks at one by one. */
static struct store *store_of(uint64_t va)
{
	return &stores[(va / 64 ^ va / 64 / STORES) % STORES];
}

void queue_overlap_note_store(uint64_t va)
{
	if (together)
		*store_of(va) = (struct store){va & ~UINT64_C(7), vclock_now(), turn};
}

void queue_overlap_note_wait(uint64_t va)
{
	const struct store *s = store_of(va);

	if (together && s->turn == turn && s->va == (va & ~UINT64_C(7)))
		reach(s->ns);
}

void queue_overlap_serialize_kernel(bool begins)
{
	if (!together)
		return;
	if (begins)
		reach(compute_free);
	else
		compute_free = vclock_now();
}

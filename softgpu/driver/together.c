#include "softgpu/driver/together.h"

#include <time.h>

#include "softgpu/driver/clock.h"
#include "softgpu/driver/device.h"
#include "softgpu/driver/doorbell.h"
#include "softgpu/driver/queue.h"
#include "softgpu/driver/trace.h"

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

void together_idle(void)
{
	if (!together || !begun)
		return;
	together = false;
	begun = 0;
}

/* Under the lock, so that no packet that is submitted after this is under way. The device thread may not have noticed
 * yet that the last sequence has ended, as the program has. */
void together_hold(bool on)
{
	device_lock();
	if (on) {
		held_at = host_ns();
		together_idle();
	} else {
		together = held; /* not when it has been let go already */
	}
	held = on;
	device_unlock();
	doorbell_wake();
}

bool together_held(void)
{
	if (held && host_ns() - held_at > HOLD_NS) {
		complain(
			"the program waits for work that it has asked to hold back; it goes on, one packet after the other");
		held = false;
	}
	return held;
}

bool together_under_way(void)
{
	return together;
}

static void begin(void)
{
	turn++;
	begun = latest = compute_free = clock_now();
}

void together_enter(struct queue *q)
{
	if (!together)
		return;
	if (!begun)
		begin();
	if (q->turn != turn) {
		q->turn = turn;
		q->time = begun;
	}
	clock_set(q->time);
}

void together_leave(struct queue *q)
{
	if (!together || q->turn != turn)
		return;
	q->time = clock_now();
	latest = q->time > latest ? q->time : latest;
	clock_set(latest);
}

static void reach(uint64_t ns)
{
	if (clock_now() < ns)
		clock_set(ns);
}

/* A value has two halves, which a copy engine looks at one by one. */
static struct store *store_of(uint64_t va)
{
	return &stores[(va / 64 ^ va / 64 / STORES) % STORES];
}

void together_stored(uint64_t va)
{
	if (together)
		*store_of(va) = (struct store){va & ~UINT64_C(7), clock_now(), turn};
}

void together_waited(uint64_t va)
{
	const struct store *s = store_of(va);

	if (together && s->turn == turn && s->va == (va & ~UINT64_C(7)))
		reach(s->ns);
}

void together_compute(bool begins)
{
	if (!together)
		return;
	if (begins)
		reach(compute_free);
	else
		compute_free = clock_now();
}

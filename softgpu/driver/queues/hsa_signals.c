#include "softgpu/driver/queues/hsa_signals.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "softgpu/abi/aql.h"
#include "softgpu/driver/time/virtual_clock.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/kfd/kfd_events.h"
#include "softgpu/driver/queues/submission.h"
#include "softgpu/driver/probe/driver_trace.h"

/* Polling every POLL_NS all the time would take 5 % of a core. */
#define POLL_NS       200000
#define POLL_MAX_NS   2000000
#define POLL_FRACTION 16 /* delay = time waited / POLL_FRACTION */

static _Atomic uint32_t generation, sleepers;

static struct amd_signal *map_signal(struct softgpu_device *d, uint64_t va)
{
	return gpu_host_pointer(d->gpu, va, sizeof(struct amd_signal), VM_READ | VM_WRITE);
}

/* The mailbox receives the event id for the interrupt handler; the event then wakes the host. */
static void notify_host(struct softgpu_device *d, const struct amd_signal *s)
{
	uint64_t *mailbox;

	hsa_signals_notify();
	if (!s->mailbox)
		return;
	mailbox = gpu_host_pointer(d->gpu, s->mailbox, sizeof *mailbox, VM_WRITE);
	if (mailbox)
		__atomic_store_n(mailbox, s->event, __ATOMIC_SEQ_CST);
	kfd_event_set(s->event);
}

bool hsa_signal_read(struct softgpu_device *d, uint64_t va, int64_t *value)
{
	struct amd_signal *s = map_signal(d, va);

	if (s)
		*value = __atomic_load_n(&s->value, __ATOMIC_ACQUIRE);
	return s;
}

bool hsa_signal_complete(struct softgpu_device *d, uint64_t va, ns_t start, ns_t end)
{
	struct amd_signal *s, copy;

	if (!va)
		return true;
	s = map_signal(d, va);
	if (!s)
		return false;
	s->start = vclock_to_ticks(&d->clock, start);
	s->end = vclock_to_ticks(&d->clock, end);
	copy = *s; /* the host may destroy the signal as soon as it sees the value */
	submission_note_store(d, va, end);
	__atomic_sub_fetch(&s->value, 1, __ATOMIC_SEQ_CST);
	notify_host(d, &copy);
	return true;
}

bool hsa_signal_write(struct softgpu_device *d, uint64_t va, int64_t value)
{
	struct amd_signal *s = map_signal(d, va), copy;

	if (!s)
		return false;
	copy = *s;
	__atomic_store_n(&s->value, value, __ATOMIC_SEQ_CST);
	notify_host(d, &copy);
	return true;
}

uint32_t hsa_signals_generation(void)
{
	return generation;
}

void hsa_signals_notify(void)
{
	generation++;
	if (sleepers)
		syscall(SYS_futex, &generation, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

void hsa_signals_wait_change(uint32_t seen, ns_t ns)
{
	struct timespec limit = {.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};

	sleepers++;
	syscall(SYS_futex, &generation, FUTEX_WAIT_PRIVATE, seen, &limit, NULL, 0);
	sleepers--;
}

ns_t hsa_signals_poll_delay(ns_t waited)
{
	ns_t ns = waited / POLL_FRACTION;

	return ns < POLL_NS ? POLL_NS : ns > POLL_MAX_NS ? POLL_MAX_NS : ns;
}

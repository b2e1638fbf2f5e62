#include "softgpu/driver/time/host_timeline.h"

#include <stdatomic.h>
#include <stddef.h>

#include "base/min_max.h"

/* Rings of packets and signals lie anywhere, and a queue has thousands of slots. In sets, a note that still counts is
 * lost only where WAYS later ones have the same set. */
#define SETS (UINT64_C(1) << 15)
enum { WAYS = 4 };
#define NOTE_CHANGES UINT64_C(1) /* in place of an address */

static struct {
	_Atomic int64_t ahead; /* host time minus device time */
	_Atomic ns_t latest;
} gpus[HOST_TIMELINE_GPUS];
static struct note {
	_Atomic uint64_t va;
	_Atomic ns_t host;
} notes[SETS][WAYS];

ns_t host_timeline_from_device(unsigned gpu, ns_t device)
{
	return (ns_t)((int64_t)device + gpus[gpu].ahead);
}

void host_timeline_open(unsigned gpu, ns_t host, ns_t device)
{
	gpus[gpu].ahead = (int64_t)(host - device);
	gpus[gpu].latest = host;
}

void host_timeline_begin(unsigned gpu, ns_t device, ns_t submitted)
{
	if (submitted > host_timeline_from_device(gpu, device))
		gpus[gpu].ahead = (int64_t)(submitted - device);
	host_timeline_reach(gpu, device);
}

ns_t host_timeline_reach(unsigned gpu, ns_t device)
{
	ns_t host = host_timeline_from_device(gpu, device);

	gpus[gpu].latest = max_u64(gpus[gpu].latest, host);
	return host;
}

ns_t host_timeline_to_device(unsigned gpu, ns_t host)
{
	int64_t device = (int64_t)host - gpus[gpu].ahead;

	return device > 0 ? (ns_t)device : 0;
}

ns_t host_timeline_latest_of(unsigned gpu)
{
	return gpus[gpu].latest;
}

ns_t host_timeline_latest(void)
{
	ns_t latest = 0;

	for (unsigned i = 0; i < HOST_TIMELINE_GPUS; i++)
		latest = max_u64(latest, gpus[i].latest);
	return latest;
}

/* --- notes --- */
static struct note *find_set(uint64_t line)
{
	return notes[(line / 64 ^ line / 64 / SETS) % SETS];
}

/* The note of this line, or else the earliest one; NULL while others change all. */
static struct note *choose_note(uint64_t line)
{
	struct note *set = find_set(line), *earliest = NULL;

	for (int i = 0; i < WAYS; i++) {
		uint64_t va = set[i].va;

		if (va == line)
			return &set[i];
		if (va != NOTE_CHANGES && (!earliest || set[i].host < earliest->host))
			earliest = &set[i];
	}
	return earliest;
}

/* A reader between the stores finds no note. Another writer takes another one. */
void host_timeline_note(uint64_t va, ns_t host)
{
	const uint64_t line = va & ~UINT64_C(63);
	struct note *n;
	uint64_t old;

	do {
		n = choose_note(line);
		old = n ? n->va : NOTE_CHANGES;
	} while (old == NOTE_CHANGES || !atomic_compare_exchange_weak(&n->va, &old, NOTE_CHANGES));
	n->host = host;
	n->va = line;
}

bool host_timeline_find(uint64_t va, ns_t *host)
{
	const uint64_t line = va & ~UINT64_C(63);
	struct note *set = find_set(line);

	for (int i = 0; i < WAYS; i++)
		if (set[i].va == line) {
			*host = set[i].host;
			return set[i].va == line;
		}
	return false;
}

#include "softgpu/driver/time/host_timeline.h"

#include <stdatomic.h>

#include "base/min_max.h"

#define NOTES (UINT64_C(1) << 17) /* the slots of some queues, and signals */

static _Atomic int64_t ahead; /* host time minus device time */
static _Atomic ns_t latest;
static struct note {
	_Atomic uint64_t va;
	_Atomic ns_t host;
} notes[NOTES];

static ns_t to_host(ns_t device)
{
	return (ns_t)((int64_t)device + ahead);
}

void host_timeline_open(ns_t host, ns_t device)
{
	ahead = (int64_t)(host - device);
	latest = host;
}

void host_timeline_begin(ns_t device, ns_t submitted)
{
	if (submitted > to_host(device))
		ahead = (int64_t)(submitted - device);
	host_timeline_reach(device);
}

ns_t host_timeline_reach(ns_t device)
{
	ns_t host = to_host(device);

	latest = max_u64(latest, host);
	return host;
}

ns_t host_timeline_latest(void)
{
	return latest;
}

/* --- notes --- */
static struct note *find_note(uint64_t va)
{
	return &notes[(va / 64 ^ va / 64 / NOTES) % NOTES];
}

/* A reader between the stores finds no note. */
void host_timeline_note(uint64_t va, ns_t host)
{
	struct note *n = find_note(va);

	n->va = 0;
	n->host = host;
	n->va = va & ~UINT64_C(63);
}

bool host_timeline_find(uint64_t va, ns_t *host)
{
	struct note *n = find_note(va);

	if (n->va != (va & ~UINT64_C(63)))
		return false;
	*host = n->host;
	return n->va == (va & ~UINT64_C(63));
}

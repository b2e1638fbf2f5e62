#include "softgpu/driver/time/host_timeline.h"

#include <stdatomic.h>

#include "base/min_max.h"

#define NOTES (UINT64_C(1) << 17) /* the slots of some queues, and signals */

static struct {
	_Atomic int64_t ahead; /* host time minus device time */
	_Atomic ns_t latest;
} gpus[HOST_TIMELINE_GPUS];
static struct note {
	_Atomic uint64_t va;
	_Atomic ns_t host;
} notes[NOTES];

static ns_t to_host(unsigned gpu, ns_t device)
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
	if (submitted > to_host(gpu, device))
		gpus[gpu].ahead = (int64_t)(submitted - device);
	host_timeline_reach(gpu, device);
}

ns_t host_timeline_reach(unsigned gpu, ns_t device)
{
	ns_t host = to_host(gpu, device);

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

#include "softgpu/core/state/host_fault.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "softgpu/core/state/machine.h"

/* The launch that this thread runs, and the way out of it when the host denies an access. */
static _Thread_local struct machine *running;
static _Thread_local sigjmp_buf way_out;

/* The launch of the wave is not known: any that is resident. */
static void end_with_host_fault(struct machine *m, uint64_t va, bool write)
{
	struct launch_result *out = m->windowed ? &m->stopped : m->resident[0]->out;

	m->halt = out->status = LAUNCH_MEMORY_FAULT;
	out->fault_va = va;
	out->fault_access = write ? VM_WRITE : VM_READ;
	snprintf(out->message, sizeof out->message,
		"memory fault: %s at 0x%llx: the program has protected this memory of the host (mprotect)",
		write ? "write" : "read", (unsigned long long)va);
}

void run_guarded(struct machine *m, void (*f)(struct machine *m))
{
	struct machine *before = running;
	sigjmp_buf out;

	memcpy(&out, &way_out, sizeof out);
	if (!sigsetjmp(way_out, 0)) {
		running = m;
		f(m);
	}
	running = before;
	memcpy(&way_out, &out, sizeof out);
}

void gpu_take_host_fault(const void *host, bool write)
{
	struct machine *m = running;
	const uint8_t *at = host;

	for (uint32_t i = 0; m && i < m->vm.count; i++) {
		const struct vm_region *r = &m->vm.region[i];
		if (at < r->host || (uint64_t)(at - r->host) >= r->size)
			continue;
		end_with_host_fault(m, r->va + (uint64_t)(at - r->host), write);
		siglongjmp(way_out, 1);
	}
}

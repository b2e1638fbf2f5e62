/* Stops a launch because of what one of its waves did, and describes where and why. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/state/gpu_memory.h"
#include "softgpu/core/state/machine.h"

/* Where the launch stopped, and why. */
static void describe_stop(struct launch_result *out, const struct launch *n, const struct uop *i, const char *what)
{
	int64_t away = (int64_t)(i->pc - n->entry_pc);
	bool before = away < 0; /* a function may be placed before the kernel */

	out->pc = i->pc;
	out->pc_offset = away;
	snprintf(out->message, sizeof out->message, "%s at 0x%llx (kernel%c0x%llx)", what, (unsigned long long)i->pc,
		before ? '-' : '+', (unsigned long long)(before ? -away : away));
}

/* After an out-of-bounds access, that is the reason; what follows may be its effect. */
void machine_halt(struct wave *w, const struct uop *i, enum launch_status status, const char *fmt, ...)
{
	struct machine *m = w->m;
	struct launch *n = w->launch;
	struct launch_result *out = launch_result_of(w);
	bool out_of_bounds = n->out_of_bounds_until != CYCLE_NEVER;
	char what[200];
	va_list ap;

	if (m->halt)
		return;
	m->halt = out->status = out_of_bounds ? LAUNCH_OUT_OF_BOUNDS : status;
	cu_extend_launch(w->simd->cu, n, w->last);
	if (out_of_bounds)
		return;
	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	describe_stop(out, n, i, what);
}

void machine_locate_item(const struct launch *n, uint32_t number, uint32_t out[3])
{
	const uint16_t *size = n->d->workgroup;

	out[0] = number % size[0];
	out[1] = number / size[0] % size[1];
	out[2] = number / size[0] / size[1];
}

struct bad_access {
	const struct wave *w;
	const struct uop *i;
	uint32_t work_item; /* number in the workgroup */
	uint64_t va, bytes;
	unsigned access;
};

static void record_bad_access(struct launch_result *out, const struct bad_access *b)
{
	out->fault_va = b->va;
	out->fault_bytes = b->bytes;
	out->fault_access = b->access;
	memcpy(out->fault_group, b->w->group->id, sizeof out->fault_group);
	machine_locate_item(b->w->launch, b->work_item, out->fault_item);
}

static const char *describe_bad_access(const struct bad_access *b, const char *kind, char *out, size_t size)
{
	char text[96];

	isa_print(&b->i->d, b->i->pc, text, sizeof text);
	snprintf(out, size, "%s: %s of %llu bytes at 0x%llx by %s", kind, b->access & VM_WRITE ? "write" : "read",
		(unsigned long long)b->bytes, (unsigned long long)b->va, text);
	return out;
}

/* The launch ends soon: no workgroup starts any more. Waves before this one may still make an out-of-bounds access,
 * which then is the one to report; they get limited time, since they may loop on what they failed to read. */
static void record_out_of_bounds(struct machine *m, const struct bad_access *b)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* clusters of several threads may all do so */

	enum { OUT_OF_BOUNDS_CYCLES = 1 << 18 };
	struct launch *n = b->w->launch;
	const uint32_t *id = b->w->group->id;
	uint64_t group = ((uint64_t)id[2] * n->grid[1] + id[1]) * n->grid[0] + id[0];
	uint64_t wave = group * n->waves_per_group + b->w->index;
	char what[200];

	pthread_mutex_lock(&lock);
	if (n->out_of_bounds_until == CYCLE_NEVER || wave < n->out_of_bounds_wave) {
		n->out_of_bounds_wave = wave;
		record_bad_access(n->out, b);
		describe_stop(n->out, n, b->i, describe_bad_access(b, "access outside of a buffer", what, sizeof what));
	}
	n->out_of_bounds_until = min_u64(n->out_of_bounds_until, b->w->last + OUT_OF_BOUNDS_CYCLES);
	m->pause = min_u64(m->pause, n->out_of_bounds_until);
	pthread_mutex_unlock(&lock);
}

bool machine_fault(struct wave *w, const struct uop *i, unsigned lane, uint64_t va, uint64_t bytes, unsigned access)
{
	struct bad_access b = {w, i, w->index * w->launch->lanes + lane, va, bytes, access};
	char what[200];

	if (w->m->halt)
		return false;
	if (memory_is_bounded(w->m, va)) {
		record_out_of_bounds(w->m, &b);
		return true;
	}
	if (w->launch->out_of_bounds_until == CYCLE_NEVER)
		record_bad_access(launch_result_of(w), &b);
	machine_halt(w, i, LAUNCH_MEMORY_FAULT, "%s", describe_bad_access(&b, "memory fault", what, sizeof what));
	return false;
}

void machine_halt_misaligned(struct wave *w, const struct uop *i, unsigned lane, uint64_t at, uint64_t bytes)
{
	struct bad_access b = {w, i, w->index * w->launch->lanes + lane, at, bytes, VM_READ | VM_WRITE};
	char what[200];

	if (w->m->halt)
		return;
	record_bad_access(launch_result_of(w), &b);
	machine_halt(w, i, LAUNCH_MEMORY_FAULT, "%s",
		describe_bad_access(&b, "atomic not aligned to its size", what, sizeof what));
}

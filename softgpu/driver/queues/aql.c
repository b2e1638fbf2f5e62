/* AQL packets: kernel dispatch, barriers, and AMD's own: the wait for a value, and PM4, which only flushes and orders
 * what is in order here already. Agent dispatch is for agents that are no kernel's: the queue ends with an error, as on
 * the card. */
#include "softgpu/driver/queues/aql.h"

#include <stdlib.h>
#include <string.h>

#include "softgpu/driver/time/virtual_clock.h"
#include "softgpu/driver/queues/cu_mask.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/kfd/kfd_events.h"
#include "softgpu/driver/queues/queue_error.h"
#include "softgpu/driver/probe/last_launch.h"
#include "softgpu/driver/kfd/kfd_memory.h"
#include "softgpu/driver/queues/hsa_queue.h"
#include "softgpu/driver/queues/hsa_signals.h"
#include "softgpu/driver/probe/statistics.h"
#include "softgpu/driver/queues/queue_overlap.h"
#include "softgpu/driver/probe/driver_trace.h"

#define DEPENDENCIES       5
#define LEGACY_CODE_OFFSET 256 /* code of an amd_kernel_code_t follows its header */

static struct amd_queue *queue_struct(struct softgpu_device *d, const struct hsa_queue *q)
{
	return gpu_host_pointer(
		d->gpu, q->read_va - offsetof(struct amd_queue, read_id), sizeof(struct amd_queue), VM_READ | VM_WRITE);
}

/* --- barriers --- */
/* An OR packet without dependencies is as good as done. */
static bool barrier_open(struct softgpu_device *d, const struct aql_barrier *b, bool all)
{
	bool any = false, some = false;

	for (int i = 0; i < DEPENDENCIES; i++) {
		int64_t value = 0;

		if (!b->dependency[i] || !hsa_signal_read(d, b->dependency[i], &value))
			continue;
		some = true;
		if (value == 0)
			any = true;
		else if (all)
			return false;
	}
	return all || any || !some;
}

/* An open one has waited for what it depends on. */
static void barrier_passed(const struct aql_barrier *b, bool all)
{
	for (int i = 0; all && i < DEPENDENCIES; i++)
		if (b->dependency[i])
			queue_overlap_note_wait(b->dependency[i] + offsetof(struct amd_signal, value));
}

/* A signal that is not there is as good as reached, as with the other barriers. */
static bool value_reached(struct softgpu_device *d, const struct aql_barrier_value *b)
{
	int64_t value;

	return !b->signal || !hsa_signal_read(d, b->signal, &value) ||
		hsa_condition_is_met(value & b->mask, b->condition, b->value);
}

/* --- dispatches --- */
/* LLVM AMDGPU usage: a code object v2 kernel object starts with the version, the machine kind and gfx major. No
 * descriptor of a later version looks like it: that would be 1 byte of LDS and half a megabyte of kernel arguments. */
static bool is_legacy(struct softgpu_device *d, uint64_t kernel_object)
{
	const uint8_t *k = gpu_host_pointer(d->gpu, kernel_object, LEGACY_CODE_OFFSET, VM_READ);
	uint32_t version;
	uint16_t machine[2];
	int64_t entry;

	if (!k)
		return false;
	memcpy(&version, k, sizeof version);
	memcpy(machine, k + 8, sizeof machine);
	memcpy(&entry, k + 16, sizeof entry);
	return version == 1 && machine[0] == 1 && machine[1] == 9 && entry == LEGACY_CODE_OFFSET;
}

/* A kernel has stored a signal's value and mailbox itself; M0 holds the event's number. */
static void interrupt(uint32_t event)
{
	kfd_event_set(event);
	hsa_signals_notify();
}

static struct dispatch make_dispatch(struct softgpu_device *d, const struct hsa_queue *q, const struct amd_queue *a,
	uint64_t id, const struct aql_dispatch *p)
{
	uint64_t queue_va = q->read_va - offsetof(struct amd_queue, read_id);
	unsigned dimensions = p->setup & 3;
	struct dispatch out = {
		.private_bytes = p->private_bytes,
		.group_bytes = p->group_bytes,
		.kernel_object = p->kernel_object,
		.legacy = is_legacy(d, p->kernel_object),
		.kernarg = p->kernarg,
		.packet_va = q->ring + id * AQL_PACKET_BYTES % q->size,
		.queue_va = queue_va,
		.dispatch_id = id,
		.scratch_base = a->scratch_srd[0] | (uint64_t)(a->scratch_srd[1] & 0xffff) << 32,
		.scratch_wave_bytes = (a->tmpring_size >> 12 & 0x1fff) * 1024, /* WAVESIZE, in 256 dwords */
		.scratch_waves = a->tmpring_size & 0xfff,                      /* WAVES */
		.cus = hsa_queue_get_cu_mask(q),
		.interrupt = interrupt,
		.shared_aperture = LDS_APERTURE,
		.private_aperture = SCRATCH_APERTURE,
		.start_cycle = vclock_core_cycles(),
		.start_ns = vclock_now(),
	};

	memcpy(out.scratch_srd, a->scratch_srd, sizeof out.scratch_srd);
	for (unsigned i = 0; i < 3; i++) {
		out.workgroup[i] = i < dimensions ? p->workgroup[i] : 1;
		out.grid[i] = i < dimensions ? p->grid[i] : 1;
	}
	return out;
}

/* The kernel and the instruction are said first: the runtime may abort as soon as it hears of the fault. */
static void report(struct softgpu_device *d, struct hsa_queue *q, const struct launch_result *r, const char *kernel)
{
	if (r->status == LAUNCH_OK || r->status == LAUNCH_STOPPED)
		return;
	driver_warn("kernel %s: %s", kernel, r->message);
	switch (r->status) {
	case LAUNCH_OK:
	case LAUNCH_STOPPED: break;
	case LAUNCH_MEMORY_FAULT: hsa_queue_raise_memory_fault(d, q, r->fault_va, r->fault_write); break;
	case LAUNCH_ILLEGAL: hsa_queue_raise_error(d, q, QUEUE_ERROR_ILLEGAL); break;
	case LAUNCH_TRAP: hsa_queue_raise_error(d, q, QUEUE_ERROR_TRAP); break;
	case LAUNCH_BAD_PACKET: hsa_queue_raise_error(d, q, QUEUE_ERROR_PACKET); break;
	}
}

/* The kernel's driver takes a mask without a CU as well; what is dispatched hangs, there without a word. */
static enum queue_step_result starve(struct hsa_queue *q)
{
	if (!q->starved)
		driver_warn("queue %u: its CU mask leaves no CU; its kernels wait for another mask", q->id);
	q->starved = true;
	return QUEUE_STEP_BLOCKED;
}

static enum queue_step_result begin(struct softgpu_device *d, struct hsa_queue *q, const struct amd_queue *a,
	uint64_t id, const struct aql_dispatch *p)
{
	struct active_launch *r = &q->running;

	r->what = make_dispatch(d, q, a, id, p);
	r->start_ns = vclock_now();
	if (cu_mask_is_empty(&r->what.cus))
		return starve(q);
	q->starved = false;
	return launch_slot_start(d, r) ? QUEUE_STEP_RUNNING : QUEUE_STEP_BLOCKED;
}

static enum queue_step_result end(struct softgpu_device *d, struct hsa_queue *q)
{
	struct active_launch *r = &q->running;
	const struct dispatch *what = &r->what;
	struct gpu *gpu = r->gpu;
	struct finished_launch last;

	launch_slot_finish(r);
	r->end_ns = vclock_add_launch(r->start_ns, r->result.ps, r->result.cycles);
	queue_overlap_serialize_kernel(false);
	last_launch_set(d, gpu, what, &r->result, r->start_ns, r->end_ns);
	last_launch_get(&last);
	statistics_count_launch();
	driver_trace(TRACE_PACKETS, "queue %u: %s grid %ux%ux%u workgroup %ux%ux%u: status %d, %lu cycles", q->id,
		last.kernel, what->grid[0], what->grid[1], what->grid[2], what->workgroup[0], what->workgroup[1],
		what->workgroup[2], r->result.status, (unsigned long)r->result.cycles);
	report(d, q, &r->result, last.kernel);
	return q->halted ? QUEUE_STEP_IDLE : QUEUE_STEP_DONE;
}

/* A kernel that needs more scratch than the queue has: the runtime is asked for it, and the packet waits. */
static enum queue_step_result want_scratch(struct softgpu_device *d, struct hsa_queue *q, const struct amd_queue *a)
{
	q->scratch_wanted = true;
	if (!hsa_signal_write(d, a->inactive_signal, QUEUE_ERROR_SCRATCH))
		q->halted = true;
	return QUEUE_STEP_BLOCKED;
}

static bool scratch_pending(struct softgpu_device *d, struct hsa_queue *q, const struct amd_queue *a)
{
	int64_t value = 0;

	if (q->scratch_wanted && hsa_signal_read(d, a->inactive_signal, &value) && value != 0)
		return true;
	q->scratch_wanted = false;
	return false;
}

/* --- the queue --- */
static enum queue_step_result execute(struct softgpu_device *d, struct hsa_queue *q, const struct amd_queue *a,
	uint64_t id, const union aql_packet *p)
{
	unsigned type = p->header & 0xff;

	switch (type) {
	case AQL_DISPATCH:
		return p->dispatch.private_bytes > a->scratch_lane_bytes ? want_scratch(d, q, a)
									 : begin(d, q, a, id, &p->dispatch);
	case AQL_BARRIER_AND:
	case AQL_BARRIER_OR:
		if (!barrier_open(d, &p->barrier, type == AQL_BARRIER_AND))
			return QUEUE_STEP_BLOCKED;
		barrier_passed(&p->barrier, type == AQL_BARRIER_AND);
		break;
	case AQL_VENDOR:
		if (p->vendor.format == AQL_BARRIER_VALUE && !value_reached(d, &p->barrier_value))
			return QUEUE_STEP_BLOCKED;
		break;
	default:
		driver_warn("queue %u: packet %lu is of type %u%s", q->id, (unsigned long)id, type,
			type == AQL_AGENT ? ", agent dispatch, which a kernel agent does not take" : "");
		hsa_queue_raise_error(d, q, QUEUE_ERROR_PACKET);
		return QUEUE_STEP_IDLE;
	}
	driver_trace(TRACE_PACKETS, "queue %u: packet %lu of type %u", q->id, (unsigned long)id, type);
	return QUEUE_STEP_DONE;
}

/* The slot goes back to the program before the signal tells it. All packets keep the signal in the same place. */
static enum queue_step_result finish(struct softgpu_device *d, struct hsa_queue *q, struct amd_queue *a,
	union aql_packet *slot, uint64_t start, uint64_t end_ns)
{
	uint64_t completion = slot->barrier.completion;

	__atomic_store_n(&slot->header, AQL_INVALID, __ATOMIC_RELEASE);
	__atomic_store_n(&a->read_id, a->read_id + 1, __ATOMIC_RELEASE);
	if (hsa_signal_complete(d, completion, start, end_ns))
		return QUEUE_STEP_DONE;
	hsa_queue_raise_memory_fault(d, q, completion, true);
	return QUEUE_STEP_IDLE;
}

/* The next packet: there when the write index has passed it and its header says so; the doorbell only wakes. NULL is
 * nothing to do; *step says why. */
static union aql_packet *next_packet(
	struct softgpu_device *d, struct hsa_queue *q, struct amd_queue *a, enum queue_step_result *step)
{
	uint64_t *write = gpu_host_pointer(d->gpu, q->write_va, sizeof *write, VM_READ);
	union aql_packet *slot;

	*step = QUEUE_STEP_BLOCKED;
	if (!a || !write)
		return NULL; /* created, its memory not mapped yet */
	*step = QUEUE_STEP_IDLE;
	if (a->read_id >= __atomic_load_n(write, __ATOMIC_ACQUIRE))
		return NULL;
	slot = gpu_host_pointer(
		d->gpu, q->ring + a->read_id * AQL_PACKET_BYTES % q->size, AQL_PACKET_BYTES, VM_READ | VM_WRITE);
	if (!slot) {
		hsa_queue_raise_memory_fault(d, q, q->ring, true);
		return NULL;
	}
	return (__atomic_load_n(&slot->header, __ATOMIC_ACQUIRE) & 0xff) == AQL_INVALID ? NULL : slot;
}

bool aql_has_packet(struct softgpu_device *d, struct hsa_queue *q)
{
	enum queue_step_result step;

	return next_packet(d, q, queue_struct(d, q), &step) || step == QUEUE_STEP_BLOCKED;
}

static enum queue_step_result go_on(
	struct softgpu_device *d, struct hsa_queue *q, struct amd_queue *a, union aql_packet *slot)
{
	struct active_launch *r = &q->running;
	enum queue_step_result step;

	if (!launch_slot_run(r))
		return QUEUE_STEP_RUNNING;
	step = end(d, q);
	return step == QUEUE_STEP_DONE ? finish(d, q, a, slot, r->start_ns, r->end_ns) : step;
}

enum queue_step_result aql_execute_packet(struct softgpu_device *d, struct hsa_queue *q)
{
	struct amd_queue *a = queue_struct(d, q);
	uint64_t start;
	enum queue_step_result step;
	union aql_packet *slot = next_packet(d, q, a, &step), packet;

	if (!slot)
		return step;
	kfd_memory_flush_mappings(); /* what the packet speaks of may be as new as the packet */
	if (q->running.gpu)
		return go_on(d, q, a, slot);
	if (scratch_pending(d, q, a))
		return QUEUE_STEP_BLOCKED;
	packet = *slot;
	if ((packet.header & 0xff) == AQL_DISPATCH)
		queue_overlap_serialize_kernel(true);
	start = vclock_now();
	step = execute(d, q, a, a->read_id, &packet);
	return step == QUEUE_STEP_DONE ? finish(d, q, a, slot, start, vclock_now()) : step;
}

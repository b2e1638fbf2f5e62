/* AQL packets: kernel dispatch, barriers, and AMD's vendor packets: barrier-value, and PM4, which needs no work because
 * it only flushes and orders. Agent dispatch is not for kernel agents: it ends the queue with an error, as on the card.
 */
#include "softgpu/abi/aql.h"

#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/driver/time/virtual_clock.h"
#include "softgpu/driver/queues/cu_mask.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/kfd/kfd_events.h"
#include "softgpu/driver/queues/queue_error.h"
#include "softgpu/driver/probe/bounded_buffers.h"
#include "softgpu/driver/probe/last_launch.h"
#include "softgpu/driver/probe/program_journal.h"
#include "softgpu/driver/probe/program_report.h"
#include "softgpu/driver/kfd/kfd_memory.h"
#include "softgpu/driver/queues/hsa_queue.h"
#include "softgpu/driver/queues/hsa_signals.h"
#include "softgpu/driver/probe/statistics.h"
#include "softgpu/driver/queues/queue_clock.h"
#include "softgpu/driver/queues/resident_kernels.h"
#include "softgpu/driver/queues/submission.h"
#include "softgpu/driver/probe/driver_trace.h"

#define DEPENDENCIES       5
#define LEGACY_CODE_OFFSET 256 /* the code follows the amd_kernel_code_t header */

static struct amd_queue *map_amd_queue(struct softgpu_device *d, const struct hsa_queue *q)
{
	return gpu_host_pointer(
		d->gpu, q->read_va - offsetof(struct amd_queue, read_id), sizeof(struct amd_queue), VM_READ | VM_WRITE);
}

/* --- barriers --- */
/* An OR packet without dependencies is ready. */
static bool is_barrier_ready(struct softgpu_device *d, const struct aql_barrier *b, bool all)
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

/* Records that the packet waited for its dependencies. */
static void note_barrier_passed(struct softgpu_device *d, const struct aql_barrier *b, bool all)
{
	for (int i = 0; all && i < DEPENDENCIES; i++)
		if (b->dependency[i])
			submission_note_wait(d, b->dependency[i]);
}

/* A missing signal counts as reached, as for the other barriers. */
static bool is_value_reached(struct softgpu_device *d, const struct aql_barrier_value *b)
{
	int64_t value;

	return !b->signal || !hsa_signal_read(d, b->signal, &value) ||
		hsa_condition_is_met(value & b->mask, b->condition, b->value);
}

/* --- dispatches --- */
/* LLVM AMDGPU usage: a code object v2 kernel object starts with the version, the machine kind and gfx major. A later
 * version's descriptor never looks like this: it would mean 1 byte of LDS and half a megabyte of kernel arguments. */
static bool is_legacy_code_object(struct softgpu_device *d, uint64_t kernel_object)
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

/* Called when a kernel has stored a signal's value and mailbox itself; M0 contains the event id. */
static void raise_kernel_interrupt(uint32_t event)
{
	kfd_event_set(event);
	hsa_signals_notify();
}

/* Lanes of the waves of a kernel. */
static uint32_t kernel_wave_lanes(struct softgpu_device *d, uint64_t kernel_object)
{
	enum { AT_PROPERTIES = 56 };
	const uint16_t *properties =
		gpu_host_pointer(d->gpu, kernel_object + AT_PROPERTIES, sizeof *properties, VM_READ);

	return model_wave_lanes(&d->model, properties ? *properties : 0);
}

/* The register COMPUTE_TMPRING_SIZE of the queue (registers.h of ROCR-Runtime). */
static void read_scratch_size(const struct model *m, const struct amd_queue *a, struct dispatch *out)
{
	const struct gpu_family *f = m->gpu->target->family;

	out->scratch_wave_bytes = (a->tmpring_size >> 12 & ((1u << f->tmpring_size_bits) - 1)) * f->tmpring_unit_bytes;
	out->scratch_waves = (a->tmpring_size & 0xfff) * (f->tmpring_of_engine ? (uint32_t)m->shader_engines : 1);
}

/* A queue keeps the largest scratch that a kernel has needed. A launch gets what ROCr would give to it as the first one
 * of a queue (waves of whole KiB, core/runtime/amd_gpu_agent.cpp), so that it does not depend on the launches before
 * it. */
static void limit_scratch_size(struct softgpu_device *d, const struct aql_dispatch *p, struct dispatch *out)
{
	uint64_t lanes = kernel_wave_lanes(d, p->kernel_object);
	uint64_t bytes = (lanes * p->private_bytes + 1023) & ~UINT64_C(1023);
	uint64_t slots = gpu_scratch_waves_of_cu(d->model.gpu->target) * d->model.compute_units;

	if (!bytes || bytes >= out->scratch_wave_bytes)
		return;
	out->scratch_waves = (uint32_t)min_u64((uint64_t)out->scratch_wave_bytes * out->scratch_waves / bytes, slots);
	out->scratch_wave_bytes = (uint32_t)bytes;
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
		.legacy = is_legacy_code_object(d, p->kernel_object),
		.kernarg = p->kernarg,
		.packet_va = q->ring + id * AQL_PACKET_BYTES % q->size,
		.queue_va = queue_va,
		.dispatch_id = id,
		.scratch_base = a->scratch_srd[0] | (uint64_t)(a->scratch_srd[1] & 0xffff) << 32,
		.cus = hsa_queue_get_cu_mask(q),
		.priority = (uint8_t)q->priority,
		.gws = hsa_queue_get_gws(q),
		.interrupt = raise_kernel_interrupt,
		.shared_aperture = LDS_APERTURE,
		.private_aperture = SCRATCH_APERTURE,
		.start_cycle = vclock_core_cycles(&d->clock),
		.start_ns = vclock_now(&d->clock),
	};

	read_scratch_size(&d->model, a, &out);
	limit_scratch_size(d, p, &out);
	memcpy(out.scratch_srd, a->scratch_srd, sizeof out.scratch_srd);
	for (unsigned i = 0; i < 3; i++) {
		out.workgroup[i] = i < dimensions ? p->workgroup[i] : 1;
		out.grid[i] = i < dimensions ? p->grid[i] : 1;
	}
	return out;
}

/* Prints the kernel and the instruction first: the runtime may abort as soon as it sees the fault. */
static void report_launch_failure(struct softgpu_device *d, struct hsa_queue *q, const struct active_launch *launch)
{
	const struct launch_result *r = &launch->result;

	if (r->status == LAUNCH_OUT_OF_BOUNDS)
		bounded_buffers_note(
			&launch->dispatch, r); /* the worker reports it; for the runtime the kernel has ended */
	if (r->status == LAUNCH_OK || r->status == LAUNCH_STOPPED || r->status == LAUNCH_OUT_OF_BOUNDS)
		return;
	driver_warn("kernel %.127s: %s", launch->kernel, r->message);
	switch (r->status) {
	case LAUNCH_OK:
	case LAUNCH_STOPPED:
	case LAUNCH_OUT_OF_BOUNDS: break;
	case LAUNCH_MEMORY_FAULT: hsa_queue_raise_memory_fault(d, q, r->fault_va, r->fault_access & VM_WRITE); break;
	case LAUNCH_ILLEGAL: hsa_queue_raise_error(d, q, QUEUE_ERROR_ILLEGAL); break;
	case LAUNCH_TRAP: hsa_queue_raise_error(d, q, QUEUE_ERROR_TRAP); break;
	case LAUNCH_BAD_PACKET: hsa_queue_raise_error(d, q, QUEUE_ERROR_PACKET); break;
	}
}

/* The Linux driver also accepts an empty CU mask; on the card the kernels then hang silently. */
static enum queue_progress block_on_empty_mask(struct hsa_queue *q)
{
	if (!q->starvation_reported)
		driver_warn("queue %u: the CU mask is empty; kernels wait until it is changed", q->id);
	q->starvation_reported = true;
	return QUEUE_BLOCKED;
}

/* A kernel begins no sooner than kernel_gap_ns after the one right before it in its queue: the packet processor writes
 * back and invalidates caches, and reads the next packet. */
static bool pass_kernel_gap(struct softgpu_device *d, struct hsa_queue *q)
{
	return !q->after_kernel || !d->model.timing ||
		queue_clock_pass_to(q, q->kernel_end_ns + (ns_t)d->model.kernel_gap_ns);
}

static enum queue_progress begin_kernel(struct softgpu_device *d, struct hsa_queue *q, const struct amd_queue *a,
	uint64_t id, const struct aql_dispatch *p)
{
	struct active_launch *r = &q->running;

	if (!pass_kernel_gap(d, q))
		return QUEUE_RUNNING;
	r->dispatch = make_dispatch(d, q, a, id, p);
	r->start_ns = vclock_now(&d->clock);
	if (cu_mask_is_empty(&r->dispatch.cus))
		return block_on_empty_mask(q);
	q->starvation_reported = false;
	if (!launch_slot_start(d, r))
		return QUEUE_BLOCKED;
	program_journal_begin_launch(r);
	return QUEUE_RUNNING;
}

static enum queue_progress complete_kernel(struct softgpu_device *d, struct hsa_queue *q)
{
	struct active_launch *r = &q->running;
	const struct dispatch *what = &r->dispatch;
	struct gpu *gpu = r->gpu;

	launch_slot_finish(r);
	if (!resident_kernels_are_used())
		r->end_ns = vclock_add_launch(&d->clock, r->start_ns, r->result.ps, r->result.cycles);
	q->after_kernel = true;
	q->kernel_end_ns = r->end_ns;
	queue_clock_end_kernel(d);
	last_launch_set(d->index, gpu, r);
	statistics_count_launch();
	program_report_add_launch(gpu, q->id, r);
	program_journal_end_launch(r);
	driver_trace(TRACE_PACKETS, "queue %u: %s grid %ux%ux%u workgroup %ux%ux%u: status %d, %lu cycles", q->id,
		r->kernel, what->grid[0], what->grid[1], what->grid[2], what->workgroup[0], what->workgroup[1],
		what->workgroup[2], r->result.status, (unsigned long)r->result.cycles);
	report_launch_failure(d, q, r);
	return q->halted ? QUEUE_IDLE : QUEUE_DONE;
}

/* The queue says how much scratch it has for each of 64 lanes. */
static bool has_scratch(struct softgpu_device *d, const struct amd_queue *a, const struct aql_dispatch *p)
{
	uint64_t of_wave = UINT64_C(64) * a->scratch_lane_bytes;

	return !p->private_bytes || (uint64_t)kernel_wave_lanes(d, p->kernel_object) * p->private_bytes <= of_wave;
}

/* The kernel needs more scratch than the queue has: asks the runtime to grow it, and the packet waits. */
static enum queue_progress request_scratch(
	struct softgpu_device *d, struct hsa_queue *q, const struct amd_queue *a, const struct aql_dispatch *p)
{
	bool wave32 = kernel_wave_lanes(d, p->kernel_object) == 32;

	q->scratch_requested = true;
	if (!hsa_signal_write(d, a->inactive_signal, wave32 ? QUEUE_ERROR_SCRATCH_WAVE32 : QUEUE_ERROR_SCRATCH))
		q->halted = true;
	return QUEUE_BLOCKED;
}

static bool is_scratch_pending(struct softgpu_device *d, struct hsa_queue *q, const struct amd_queue *a)
{
	int64_t value = 0;

	if (q->scratch_requested && hsa_signal_read(d, a->inactive_signal, &value) && value != 0)
		return true;
	q->scratch_requested = false;
	return false;
}

/* --- packets --- */
static enum queue_progress process_packet(struct softgpu_device *d, struct hsa_queue *q, const struct amd_queue *a,
	uint64_t id, const union aql_packet *p)
{
	unsigned type = p->header & 0xff;

	switch (type) {
	case AQL_DISPATCH:
		return has_scratch(d, a, &p->dispatch) ? begin_kernel(d, q, a, id, &p->dispatch)
						       : request_scratch(d, q, a, &p->dispatch);
	case AQL_BARRIER_AND:
	case AQL_BARRIER_OR:
		if (!is_barrier_ready(d, &p->barrier, type == AQL_BARRIER_AND))
			return QUEUE_BLOCKED;
		note_barrier_passed(d, &p->barrier, type == AQL_BARRIER_AND);
		break;
	case AQL_VENDOR:
		if (p->vendor.format == AQL_BARRIER_VALUE && !is_value_reached(d, &p->barrier_value))
			return QUEUE_BLOCKED;
		break;
	default:
		driver_warn("queue %u: packet %lu has the unsupported type %u%s", q->id, (unsigned long)id, type,
			type == AQL_AGENT ? " (agent dispatch); a GPU executes only kernel dispatches" : "");
		hsa_queue_raise_error(d, q, QUEUE_ERROR_PACKET);
		return QUEUE_IDLE;
	}
	driver_trace(TRACE_PACKETS, "queue %u: packet %lu of type %u", q->id, (unsigned long)id, type);
	return QUEUE_DONE;
}

/* Frees the slot before the signal notifies the program. All packet types have the completion signal at the same
 * offset. */
static enum queue_progress retire_packet(struct softgpu_device *d, struct hsa_queue *q, struct amd_queue *a,
	union aql_packet *slot, ns_t start_ns, ns_t end_ns)
{
	uint64_t completion = slot->barrier.completion;

	__atomic_store_n(&slot->header, AQL_INVALID, __ATOMIC_RELEASE);
	__atomic_store_n(&a->read_id, a->read_id + 1, __ATOMIC_RELEASE);
	if (hsa_signal_complete(d, completion, start_ns, end_ns))
		return QUEUE_DONE;
	hsa_queue_raise_memory_fault(d, q, completion, true);
	return QUEUE_IDLE;
}

/* The next packet, or NULL; *progress then says why. A packet is ready when the write index has passed it and its
 * header is valid; the doorbell only wakes the device thread. */
static union aql_packet *peek_packet(
	struct softgpu_device *d, struct hsa_queue *q, struct amd_queue *a, enum queue_progress *progress)
{
	uint64_t *write = gpu_host_pointer(d->gpu, q->write_va, sizeof *write, VM_READ);
	union aql_packet *slot;

	*progress = QUEUE_BLOCKED;
	if (!a || !write)
		return NULL; /* created, but its memory is not mapped yet */
	*progress = QUEUE_IDLE;
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
	enum queue_progress progress;

	return peek_packet(d, q, map_amd_queue(d, q), &progress) || progress == QUEUE_BLOCKED;
}

static enum queue_progress continue_kernel(
	struct softgpu_device *d, struct hsa_queue *q, struct amd_queue *a, union aql_packet *slot)
{
	struct active_launch *r = &q->running;
	enum queue_progress progress;

	if (resident_kernels_are_used() ? !resident_kernels_have_ended(r) : !launch_slot_run(r))
		return QUEUE_RUNNING;
	progress = complete_kernel(d, q);
	return progress == QUEUE_DONE ? retire_packet(d, q, a, slot, r->start_ns, r->end_ns) : progress;
}

enum queue_progress aql_execute_packet(struct softgpu_device *d, struct hsa_queue *q)
{
	struct amd_queue *a = map_amd_queue(d, q);
	ns_t start;
	enum queue_progress progress;
	union aql_packet *slot = peek_packet(d, q, a, &progress), packet;

	if (!slot)
		return progress;
	kfd_memory_flush_mappings(); /* the packet may refer to memory that was mapped just before */
	if (q->running.gpu)
		return continue_kernel(d, q, a, slot);
	if (is_scratch_pending(d, q, a))
		return QUEUE_BLOCKED;
	packet = *slot;
	if (!submission_begin(q, q->ring + a->read_id * AQL_PACKET_BYTES % q->size))
		return QUEUE_RUNNING;
	if ((packet.header & 0xff) == AQL_DISPATCH)
		queue_clock_begin_kernel(d);
	start = vclock_now(&d->clock);
	progress = process_packet(d, q, a, a->read_id, &packet);
	if (progress != QUEUE_DONE)
		return progress;
	q->after_kernel = false;
	return retire_packet(d, q, a, slot, start, vclock_now(&d->clock));
}

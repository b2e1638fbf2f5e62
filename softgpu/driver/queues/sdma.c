/* The copy engines: packets of SDMA 4.0 (gfx9) and 6.0 (gfx11) as the runtime builds them (sdma_registers.h of
 * ROCR-Runtime). */
#include <string.h>

#include "base/min_max.h"
#include "softgpu/driver/check/host_reads.h"
#include "softgpu/driver/time/virtual_clock.h"
#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/kfd/kfd_events.h"
#include "softgpu/driver/queues/queue_error.h"
#include "softgpu/driver/kfd/kfd_memory.h"
#include "softgpu/driver/queues/hsa_queue.h"
#include "softgpu/driver/queues/hsa_signals.h"
#include "softgpu/driver/queues/queue_clock.h"
#include "softgpu/driver/queues/submission.h"
#include "softgpu/driver/probe/driver_trace.h"
#include "softgpu/driver/probe/program_journal.h"
#include "softgpu/driver/probe/program_timeline.h"

#define COPY_LINEAR 0
#define COPY_RECT   4
#define PAGE_BYTES  UINT64_C(4096) /* copies are checked page by page: the engine stops at the first unmapped page */

/* Result of a packet. */
enum sdma_outcome { SDMA_DONE, SDMA_WAIT, SDMA_FAULT };

struct engine {
	struct softgpu_device *d;
	struct hsa_queue *q;
	const uint32_t *p;
};

static uint64_t packet_address(const struct engine *e, unsigned dword)
{
	return e->p[dword] | (uint64_t)e->p[dword + 1] << 32;
}

static enum sdma_outcome raise_copy_fault(const struct engine *e, uint64_t va, bool write)
{
	driver_warn("copy engine: %s the unmapped address %#lx", write ? "write to" : "read from", (unsigned long)va);
	hsa_queue_raise_memory_fault(e->d, e->q, va, write);
	return SDMA_FAULT;
}

/* Bytes up to the next page boundary. */
static uint64_t bytes_to_page_end(uint64_t va)
{
	return PAGE_BYTES - va % PAGE_BYTES;
}

static enum sdma_outcome copy_bytes(const struct engine *e, uint64_t to, uint64_t from, uint64_t bytes)
{
	host_reads_note_copy(e->d, to, from, bytes);
	while (bytes) {
		uint64_t n = min_u64(bytes, min_u64(bytes_to_page_end(to), bytes_to_page_end(from)));
		void *out = gpu_host_pointer(e->d->gpu, to, n, VM_WRITE);
		const void *in = gpu_host_pointer(e->d->gpu, from, n, VM_READ);

		if (!in)
			return raise_copy_fault(e, from, false);
		if (!out)
			return raise_copy_fault(e, to, true);
		memmove(out, in, n);
		gpu_define_memory(e->d->gpu, to, n);
		to += n, from += n, bytes -= n;
	}
	return SDMA_DONE;
}

static void advance_copy_time(const struct engine *e, const char *name, uint64_t bytes)
{
	const struct model *m = &e->d->model;
	const ns_t start = vclock_now(&e->d->clock),
		   end = start + (uint64_t)m->copy_start_ns + bytes * 1000 / (uint64_t)m->link_mbps;

	queue_clock_pass_to(e->q, end);
	program_timeline_add_copy(e->d->index, e->q->id, name, bytes, start, end);
	program_journal_add_copy(name, bytes, end - start);
}

static enum sdma_outcome copy_linear(const struct engine *e)
{
	uint64_t bytes = (e->p[1] & 0x3fffffff) + UINT64_C(1); /* SDMA 4.0 ignores the upper 8 bits, which are 0 */

	advance_copy_time(e, "copy", bytes);
	return copy_bytes(e, packet_address(e, 5), packet_address(e, 3), bytes);
}

/* Source or destination of a rectangular copy: position and pitches in elements. */
struct copy_rectangle {
	uint64_t base, x, y, z, pitch, slice;
};

static struct copy_rectangle decode_rectangle(const struct engine *e, unsigned dword)
{
	const uint32_t *p = e->p + dword;

	return (struct copy_rectangle){packet_address(e, dword), p[2] & 0x3fff, p[2] >> 16 & 0x3fff, p[3] & 0x7ff,
		(p[3] >> 13) + UINT64_C(1), (p[4] & 0xfffffff) + UINT64_C(1)};
}

static uint64_t rectangle_row(const struct copy_rectangle *s, uint64_t y, uint64_t z, unsigned shift)
{
	return s->base + (((z + s->z) * s->slice + (y + s->y) * s->pitch + s->x) << shift);
}

static enum sdma_outcome copy_rect(const struct engine *e)
{
	unsigned shift = e->p[0] >> 29;
	struct copy_rectangle from = decode_rectangle(e, 1), to = decode_rectangle(e, 6);
	uint64_t width = (e->p[11] & 0x3fff) + UINT64_C(1), height = (e->p[11] >> 16 & 0x3fff) + UINT64_C(1);
	uint64_t depth = (e->p[12] & 0x7ff) + UINT64_C(1);
	enum sdma_outcome sdma_outcome = SDMA_DONE;

	advance_copy_time(e, "copy rectangle", (width * height * depth) << shift);
	for (uint64_t z = 0; z < depth; z++)
		for (uint64_t y = 0; y < height && sdma_outcome == SDMA_DONE; y++)
			sdma_outcome = copy_bytes(
				e, rectangle_row(&to, y, z, shift), rectangle_row(&from, y, z, shift), width << shift);
	return sdma_outcome;
}

/* The packet's count is the number of bytes minus one unit. */
static enum sdma_outcome fill_linear(const struct engine *e)
{
	uint64_t to = packet_address(e, 1), unit = UINT64_C(1) << (e->p[0] >> 30), bytes = (e->p[4] & 0x3fffff) + unit;
	uint64_t done = 0;

	advance_copy_time(e, "fill", bytes);
	while (done < bytes) {
		uint64_t n = min_u64(bytes - done, bytes_to_page_end(to + done));
		uint8_t *out = gpu_host_pointer(e->d->gpu, to + done, n, VM_WRITE);

		if (!out)
			return raise_copy_fault(e, to + done, true);
		for (uint64_t i = 0; i < n; i++)
			out[i] = (uint8_t)(e->p[3] >> (done + i) % unit * 8);
		gpu_define_memory(e->d->gpu, to + done, n);
		done += n;
	}
	return SDMA_DONE;
}

static enum sdma_outcome write_fence(const struct engine *e)
{
	uint32_t *out = gpu_host_pointer(e->d->gpu, packet_address(e, 1), sizeof *out, VM_WRITE);

	if (!out)
		return raise_copy_fault(e, packet_address(e, 1), true);
	submission_note_store(e->d, packet_address(e, 1), vclock_now(&e->d->clock));
	__atomic_store_n(out, e->p[3], __ATOMIC_SEQ_CST);
	hsa_signals_notify();
	return SDMA_DONE;
}

static enum sdma_outcome raise_trap_event(const struct engine *e)
{
	kfd_event_set(e->p[1] & 0xfffffff);
	return SDMA_DONE;
}

static bool is_poll_met(uint32_t value, unsigned function, uint32_t reference)
{
	switch (function) {
	case 1: return value < reference;
	case 2: return value <= reference;
	case 3: return value == reference;
	case 4: return value != reference;
	case 5: return value >= reference;
	case 6: return value > reference;
	default: return true;
	}
}

/* A packet that polls a register flushes the HDP. There is no HDP, so it is done. */
static enum sdma_outcome poll_memory(const struct engine *e)
{
	bool memory = e->p[0] >> 31;
	const uint32_t *in;

	if (!memory)
		return SDMA_DONE;
	in = gpu_host_pointer(e->d->gpu, packet_address(e, 1), sizeof *in, VM_READ);
	if (!in)
		return raise_copy_fault(e, packet_address(e, 1), false);
	if (!is_poll_met(__atomic_load_n(in, __ATOMIC_ACQUIRE) & e->p[4], e->p[0] >> 28 & 7, e->p[3]))
		return SDMA_WAIT;
	submission_note_wait(e->d, packet_address(e, 1));
	return SDMA_DONE;
}

/* Texture cache atomics (TC_OP of the Linux kernel's gc_9_0 headers) in the low five bits. Bit 5 selects 64 bits. Bit 6
 * means no return value and makes no difference here. */
enum {
	SWAP = 7,
	COMPARE = 8,
	ADD = 15,
	SUB,
	SMIN,
	UMIN,
	SMAX,
	UMAX,
	AND,
	OR,
	XOR,
	INC,
	DEC,
	ATOMIC_WIDE = 32,
	ATOMIC_LOOP = 1 << 16
};

static bool compute_atomic(unsigned operation, uint64_t old, int64_t old_signed, uint64_t by, int64_t by_signed,
	uint64_t compare, uint64_t *out)
{
	switch (operation) {
	case SWAP: *out = by; return true;
	case COMPARE: *out = old == compare ? by : old; return true;
	case ADD: *out = old + by; return true;
	case SUB: *out = old - by; return true;
	case SMIN: *out = old_signed < by_signed ? old : by; return true;
	case UMIN: *out = old < by ? old : by; return true;
	case SMAX: *out = old_signed > by_signed ? old : by; return true;
	case UMAX: *out = old > by ? old : by; return true;
	case AND: *out = old & by; return true;
	case OR: *out = old | by; return true;
	case XOR: *out = old ^ by; return true;
	case INC: *out = old >= by ? 0 : old + 1; return true;
	case DEC: *out = old == 0 || old > by ? by : old - 1; return true;
	default: return false;
	}
}

/* The host may change the same word concurrently. False for an unknown operation. */
static bool update_atomic32(uint32_t *word, unsigned operation, uint32_t by, uint32_t compare)
{
	uint32_t old = __atomic_load_n(word, __ATOMIC_SEQ_CST);
	uint64_t next;

	do {
		if (!compute_atomic(operation, old, (int32_t)old, by, (int32_t)by, compare, &next))
			return false;
	} while (!__atomic_compare_exchange_n(word, &old, (uint32_t)next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
	return true;
}

static bool update_atomic64(uint64_t *word, unsigned operation, uint64_t by, uint64_t compare)
{
	uint64_t old = __atomic_load_n(word, __ATOMIC_SEQ_CST), next;

	do {
		if (!compute_atomic(operation, old, (int64_t)old, by, (int64_t)by, compare, &next))
			return false;
	} while (!__atomic_compare_exchange_n(word, &old, next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
	return true;
}

static enum sdma_outcome execute_atomic(const struct engine *e)
{
	unsigned operation = e->p[0] >> 25 & 31;
	bool wide = e->p[0] >> 25 & ATOMIC_WIDE, known;
	uint64_t by = packet_address(e, 3), compare = packet_address(e, 5);
	void *out = gpu_host_pointer(e->d->gpu, packet_address(e, 1), wide ? 8 : 4, VM_READ | VM_WRITE);

	if (!out)
		return raise_copy_fault(e, packet_address(e, 1), true);
	if (operation == COMPARE && e->p[0] & ATOMIC_LOOP &&
		(wide ? *(uint64_t *)out != compare : *(uint32_t *)out != (uint32_t)compare))
		return SDMA_WAIT;
	submission_note_store(e->d, packet_address(e, 1), vclock_now(&e->d->clock));
	known = wide ? update_atomic64(out, operation, by, compare)
		     : update_atomic32(out, operation, (uint32_t)by, (uint32_t)compare);
	if (!known) {
		driver_warn("copy engine: unknown SDMA atomic operation %u", e->p[0] >> 25);
		hsa_queue_raise_error(e->d, e->q, QUEUE_ERROR_PACKET);
		return SDMA_FAULT;
	}
	hsa_signals_notify();
	return SDMA_DONE;
}

static enum sdma_outcome write_timestamp(const struct engine *e)
{
	uint64_t *out = gpu_host_pointer(e->d->gpu, packet_address(e, 1), sizeof *out, VM_WRITE);

	if (!out)
		return raise_copy_fault(e, packet_address(e, 1), true);
	*out = vclock_to_ticks(&e->d->clock, vclock_now(&e->d->clock));
	return SDMA_DONE;
}

/* Nothing to do, and what flushes and invalidates caches: copies read and write memory itself. */
static enum sdma_outcome execute_nop(const struct engine *e)
{
	(void)e;
	return SDMA_DONE;
}

static const struct sdma_operation {
	uint8_t code, sub; /* ANY_SUB: any value */
	uint8_t dwords;
	const char *name;
	enum sdma_outcome (*run)(const struct engine *e);
} operations[] = {
#define ANY_SUB 0xff
	{0, ANY_SUB, 1, "nop", execute_nop}, {1, COPY_LINEAR, 7, "copy", copy_linear},
	{1, COPY_RECT, 13, "copy rectangle", copy_rect}, {5, ANY_SUB, 4, "fence", write_fence},
	{6, ANY_SUB, 2, "trap", raise_trap_event}, {8, ANY_SUB, 6, "poll", poll_memory},
	{10, ANY_SUB, 8, "atomic", execute_atomic}, {11, ANY_SUB, 5, "fill", fill_linear},
	{13, ANY_SUB, 3, "timestamp", write_timestamp},
	{17, ANY_SUB, 5, "cache control", execute_nop}, /* GCR, from SDMA 5.0 on */
};

static const struct sdma_operation *find_operation(uint32_t header)
{
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
		if (operations[i].code == (header & 0xff) &&
			(operations[i].sub == ANY_SUB || operations[i].sub == (header >> 8 & 0xff)))
			return &operations[i];
	return NULL;
}

/* A nop packet contains its own length. */
static uint64_t packet_bytes(const struct sdma_operation *o, uint32_t header)
{
	return (o->code == 0 ? 1 + (header >> 16 & 0x3fff) : o->dwords) * sizeof(uint32_t);
}

bool sdma_has_packet(struct softgpu_device *d, struct hsa_queue *q)
{
	(void)d;
	return q->position < __atomic_load_n(q->doorbell, __ATOMIC_ACQUIRE);
}

enum queue_progress sdma_execute_packet(struct softgpu_device *d, struct hsa_queue *q)
{
	uint64_t write = __atomic_load_n(q->doorbell, __ATOMIC_ACQUIRE), left = q->size - q->position % q->size, bytes;
	uint64_t ring_va = q->ring + q->position % q->size;

	if (q->position >= write)
		return QUEUE_IDLE;
	if (submission_is_open(q))
		return QUEUE_BLOCKED;
	kfd_memory_flush_mappings(); /* the packet may refer to memory that was mapped just before */
	uint64_t *read = gpu_host_pointer(d->gpu, q->read_va, sizeof *read, VM_WRITE);
	struct engine e = {d, q, gpu_host_pointer(d->gpu, ring_va, sizeof(uint32_t), VM_READ)};
	const struct sdma_operation *o;

	if (!read || !e.p)
		return QUEUE_BLOCKED;
	o = find_operation(e.p[0]);
	bytes = o ? packet_bytes(o, e.p[0]) : 0;
	if (!o || bytes > left || !gpu_host_pointer(d->gpu, ring_va, bytes, VM_READ)) {
		driver_warn(
			"copy engine: unsupported packet %#x; only those of the ROCm runtime are supported", e.p[0]);
		hsa_queue_raise_error(d, q, QUEUE_ERROR_PACKET);
		q->halted = true;
		return QUEUE_IDLE;
	}
	if (!submission_begin(q, ring_va))
		return QUEUE_RUNNING;
	switch (o->run(&e)) {
	case SDMA_WAIT: return QUEUE_BLOCKED;
	case SDMA_FAULT: return QUEUE_IDLE;
	case SDMA_DONE: break;
	}
	driver_trace(TRACE_PACKETS, "queue %u: %s", q->id, o->name);
	q->position += bytes;
	__atomic_store_n(read, q->position, __ATOMIC_RELEASE);
	return QUEUE_DONE;
}

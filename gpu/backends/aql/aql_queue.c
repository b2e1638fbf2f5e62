/* Creates the queue, writes its packets and reads its signals. */
#include "gpu/backends/aql/aql_queue.h"

#include <string.h>
#include <time.h>

#include "gpu/softgpu-link/softprobe.h"
#include "softgpu/abi/kfd_abi.h"

enum { RING_PACKETS = 4096, QUEUE_BYTES = 4096, ERROR_SIGNAL_AT = 2048, PACKET_WAIT_NS = 200000 };
enum { CREATE_EVENT = 0x08, WAIT_EVENTS = 0x0c };                             /* linux/kfd_ioctl.h */
enum { BARRIER = 1 << 8, ACQUIRE_SYSTEM = 2 << 9, RELEASE_SYSTEM = 2 << 11 }; /* of a packet's header */

/* --- creation --- */
static bool create_memory_event(struct aql_queue *q, struct err *e)
{
	struct kfd_create_event event = {.type = KFD_EVENT_MEMORY, .node = q->device->node};
	if (!aql_device_request(q->device, CREATE_EVENT, &event, sizeof event, "report memory faults", e))
		return false;
	q->memory_event = event.event_id;
	return true;
}

bool aql_queue_open(struct aql_queue *q, struct aql_device *d, struct err *e)
{
	*q = (struct aql_queue){.device = d};
	q->queue = aql_device_alloc(d, AQL_ON_HOST, QUEUE_BYTES, e);
	q->ring = q->queue ? aql_device_alloc(d, AQL_ON_HOST, RING_PACKETS * AQL_PACKET_BYTES, e) : NULL;
	q->arguments = q->ring ? aql_device_alloc(d, AQL_ON_HOST, RING_PACKETS * AQL_ARGUMENTS, e) : NULL;
	if (!q->arguments)
		return false;
	for (int i = 0; i < RING_PACKETS; i++)
		q->ring[i].header = AQL_INVALID;
	q->error = (struct amd_signal *)((uint8_t *)q->queue + ERROR_SIGNAL_AT);
	q->queue->inactive_signal = (uintptr_t)q->error;
	q->doorbell = aql_device_create_queue(
		d, KFD_QUEUE_AQL, q->ring, RING_PACKETS * AQL_PACKET_BYTES, &q->queue->read_id, &q->queue->write_id, e);
	return q->doorbell && create_memory_event(q, e);
}

/* --- errors --- */
static bool has_memory_fault(const struct aql_queue *q)
{
	struct kfd_event_data event = {.event_id = q->memory_event};
	struct kfd_wait_events wait = {.events = (uintptr_t)&event, .count = 1, .all = 1};
	return aql_device_request(q->device, WAIT_EVENTS, &wait, sizeof wait, "report memory faults", NULL) &&
		wait.result == KFD_WAIT_COMPLETE;
}

bool aql_queue_check(const struct aql_queue *q, struct err *e)
{
	struct softgpu_launch launch;
	if (aql_signal_is_reached(q->error) && !has_memory_fault(q)) /* its value is 0 until an error */
		return true;
	if (softprobe_last_launch(&launch) && *launch.message)
		return err_set(e, ST_FAILED, "kernel %s stopped: %s", launch.kernel, launch.message);
	return err_set(e, ST_FAILED, "the GPU has stopped the queue");
}

/* --- packets --- */
/* Waits until at most `most` packets are left. */
static bool wait_for_packets(struct aql_queue *q, uint64_t most, struct err *e)
{
	while (q->written - __atomic_load_n(&q->queue->read_id, __ATOMIC_ACQUIRE) > most) {
		struct timespec t = {0, PACKET_WAIT_NS};
		if (!aql_queue_check(q, e))
			return false;
		nanosleep(&t, NULL);
	}
	return true;
}

/* Into a free slot. The header is written last: it makes the packet valid. */
static bool write_packet(struct aql_queue *q, union aql_packet *packet, enum aql_type type)
{
	union aql_packet *slot = &q->ring[q->written++ % RING_PACKETS];
	packet->header = AQL_INVALID;
	*slot = *packet;
	__atomic_store_n(&slot->header, (uint16_t)(type | BARRIER | ACQUIRE_SYSTEM | RELEASE_SYSTEM), __ATOMIC_RELEASE);
	__atomic_store_n(&q->queue->write_id, q->written, __ATOMIC_RELEASE);
	*q->doorbell = q->written - 1;
	return true;
}

bool aql_queue_barrier(
	struct aql_queue *q, const struct amd_signal *after, const struct amd_signal *completion, struct err *e)
{
	union aql_packet packet = {.barrier = {.dependency = {(uintptr_t)after}, .completion = (uintptr_t)completion}};
	return wait_for_packets(q, RING_PACKETS - 1, e) && write_packet(q, &packet, AQL_BARRIER_AND);
}

/* --- scratch --- */
/* On gfx11 a wave's scratch is in units of 256 bytes, and the number of waves is that of a shader engine (registers.h
 * of ROCR-Runtime). */
static void set_scratch(struct aql_queue *q, uint32_t wave_bytes, uint32_t engine_waves)
{
	uint64_t at = (uintptr_t)q->scratch;
	q->queue->scratch_srd[0] = (uint32_t)at;
	q->queue->scratch_srd[1] = (uint32_t)(at >> 32);
	q->queue->tmpring_size = engine_waves | wave_bytes / 256 << 12;
	q->queue->scratch_lane_bytes = q->scratch_lane = wave_bytes / 64;
}

static void free_scratch(struct aql_queue *q)
{
	if (q->scratch)
		aql_device_free(q->device, q->scratch);
	q->scratch = NULL;
	q->scratch_lane = 0;
}

void aql_queue_release_scratch(struct aql_queue *q)
{
	struct err stopped;
	if (q->scratch && wait_for_packets(q, 0, &stopped))
		free_scratch(q);
}

static bool reserve_scratch(struct aql_queue *q, uint32_t lane_bytes, struct err *e)
{
	const struct aql_device *d = q->device;
	if (lane_bytes <= q->scratch_lane)
		return true;
	uint32_t wave_bytes = (lane_bytes * 64 + 255) / 256 * 256,
		 engines = (uint32_t)(aql_device_property(d, "properties", "array_count") /
			 aql_device_property(d, "properties", "simd_arrays_per_engine")),
		 waves = (uint32_t)(aql_device_property(d, "properties", "simd_count") *
			 aql_device_property(d, "properties", "max_waves_per_simd"));
	if (!wait_for_packets(q, 0, e)) /* which use the old one */
		return false;
	free_scratch(q);
	q->scratch = aql_device_alloc(q->device, AQL_ON_DEVICE, (size_t)wave_bytes * waves, e);
	if (q->scratch)
		set_scratch(q, wave_bytes, waves / engines);
	return q->scratch;
}

bool aql_queue_launch(struct aql_queue *q, const struct aql_kernel *k, const struct launch_shape *s,
	const uint8_t arguments[AQL_ARGUMENTS], struct err *e)
{
	uint8_t *room = q->arguments + q->written % RING_PACKETS * AQL_ARGUMENTS;
	union aql_packet packet = {.dispatch = {.setup = 3,
					   .private_bytes = k->scratch_bytes,
					   .group_bytes = k->lds_bytes,
					   .kernel_object = k->descriptor,
					   .kernarg = (uintptr_t)room}};
	for (int i = 0; i < 3; i++) {
		packet.dispatch.workgroup[i] = (uint16_t)s->block[i];
		packet.dispatch.grid[i] = s->grid[i] * s->block[i];
	}
	if (!reserve_scratch(q, k->scratch_bytes, e) || !wait_for_packets(q, RING_PACKETS - 1, e))
		return false;
	memcpy(room, arguments, AQL_ARGUMENTS);
	return write_packet(q, &packet, AQL_DISPATCH);
}

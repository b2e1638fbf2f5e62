/* Packets of SDMA 6.0 (sdma_registers.h of ROCR-Runtime). */
#include "gpu/backends/aql/aql_copy.h"

#include <string.h>
#include <time.h>

#include "base/min_max.h"
#include "softgpu/abi/kfd_abi.h"

enum { RING_BYTES = 1 << 20, POINTER_BYTES = 4096, PACKET_MAX = 64, RING_FULL_NS = 200000 };
enum { OP_NOP = 0, OP_COPY = 1, OP_POLL = 8, OP_ATOMIC = 10 };
#define POLL_MEMORY_EQUAL (3u << 28 | 1u << 31)
#define ATOMIC_ADD_64     (47u << 25)
#define POLL_INTERVAL     (0xfffu << 16 | 4) /* retries, cycles / 16 */
#define COPY_MAX          (UINT64_C(1) << 30)

bool aql_engine_open(struct aql_engine *g, struct aql_device *d, struct err *e)
{
	*g = (struct aql_engine){.ring = aql_device_alloc(d, AQL_ON_HOST, RING_BYTES, e)};
	g->pointers = g->ring ? aql_device_alloc(d, AQL_ON_HOST, POINTER_BYTES, e) : NULL;
	if (g->pointers)
		g->doorbell = aql_device_create_queue(
			d, KFD_QUEUE_SDMA, g->ring, RING_BYTES, &g->pointers[0], &g->pointers[1], e);
	return g->doorbell;
}

static void put(struct aql_engine *g, const uint32_t *packet, size_t dwords)
{
	memcpy(g->ring + g->written % RING_BYTES, packet, dwords * sizeof *packet);
	g->written += dwords * sizeof *packet;
}

/* A packet must not cross the end of the ring. */
static void put_packet(struct aql_engine *g, const uint32_t *packet, size_t dwords)
{
	struct timespec t = {0, RING_FULL_NS};
	while (g->written + 2 * PACKET_MAX - __atomic_load_n(&g->pointers[0], __ATOMIC_ACQUIRE) > RING_BYTES)
		nanosleep(&t, NULL);
	static const uint32_t nop[1] = {OP_NOP};
	while (RING_BYTES - g->written % RING_BYTES < PACKET_MAX)
		put(g, nop, 1);
	put(g, packet, dwords);
}

#define ADDRESS(p) (uint32_t)(uintptr_t)(p), (uint32_t)((uintptr_t)(p) >> 32)

void aql_engine_copy(struct aql_engine *g, const struct amd_signal *after, void *to, const void *from, size_t bytes,
	struct amd_signal *completion)
{
	const uint32_t poll[] = {OP_POLL | POLL_MEMORY_EQUAL, ADDRESS(&after->value), 0, UINT32_MAX, POLL_INTERVAL};
	put_packet(g, poll, sizeof poll / sizeof *poll);
	for (size_t at = 0; at < bytes; at += COPY_MAX) {
		const uint32_t copy[] = {OP_COPY, (uint32_t)(min_u64(bytes - at, COPY_MAX) - 1), 0,
			ADDRESS((const uint8_t *)from + at), ADDRESS((uint8_t *)to + at)};
		put_packet(g, copy, sizeof copy / sizeof *copy);
	}
	const uint32_t count_down[] = {
		OP_ATOMIC | ATOMIC_ADD_64, ADDRESS(&completion->value), UINT32_MAX, UINT32_MAX, 0, 0, 0};
	put_packet(g, count_down, sizeof count_down / sizeof *count_down);
	__atomic_store_n(&g->pointers[1], g->written, __ATOMIC_RELEASE);
	*g->doorbell = g->written;
}

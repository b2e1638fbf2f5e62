/* The kernel driver's side of a GPU, without ROCm's runtime: /dev/kfd, its topology, and memory. */
#ifndef GPU_BACKENDS_AQL_AQL_DEVICE_H
#define GPU_BACKENDS_AQL_AQL_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct aql_memory; /* a block that the GPU and the host see at the same address */

struct aql_device {
	int kfd, render;
	unsigned node; /* in the topology */
	uint32_t gpu_id;
	double tick_seconds; /* of the timestamps in signals */
	struct aql_memory *memory;
	uint8_t *doorbells; /* of all queues */
};

enum aql_place { AQL_ON_DEVICE, AQL_ON_HOST, AQL_DOORBELLS };

/* The first GPU. Until the process ends. */
bool aql_device_open(struct aql_device *d, struct err *e);
/* A number from the topology: "properties" of the node, or "caches/1/properties"; 0 if it is not there. */
uint64_t aql_device_property(const struct aql_device *d, const char *file, const char *key);
/* Zeros, readable, writable and executable by the GPU. NULL with an error. */
void *aql_device_alloc(struct aql_device *d, enum aql_place place, size_t bytes, struct err *e);
void aql_device_free(struct aql_device *d, void *p);
/* Whether the GPU reaches this address. */
bool aql_device_sees(const struct aql_device *d, const void *p);
/* A queue of enum kfd_queue_type; its doorbell, NULL with an error. */
volatile uint64_t *aql_device_create_queue(struct aql_device *d, unsigned type, void *ring, size_t bytes,
	void *read_pointer, void *write_pointer, struct err *e);
/* A request of linux/kfd_ioctl.h; `what` for the error. */
bool aql_device_request(
	const struct aql_device *d, unsigned number, void *argument, size_t size, const char *what, struct err *e);

#endif

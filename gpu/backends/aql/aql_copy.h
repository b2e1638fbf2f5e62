/* A copy engine: a queue of SDMA packets. */
#ifndef GPU_BACKENDS_AQL_AQL_COPY_H
#define GPU_BACKENDS_AQL_AQL_COPY_H

#include "gpu/backends/aql/aql_signal.h"

struct aql_engine {
	uint8_t *ring;
	volatile uint64_t *doorbell;
	uint64_t *pointers; /* bytes read by the GPU, bytes written */
	uint64_t written;   /* bytes */
};

bool aql_engine_open(struct aql_engine *g, struct aql_device *d, struct err *e);
/* Copies when `after` is reached, then reaches `completion`. The memory is the device's or of AQL_ON_HOST. */
void aql_engine_copy(struct aql_engine *g, const struct amd_signal *after, void *to, const void *from, size_t bytes,
	struct amd_signal *completion);

#endif

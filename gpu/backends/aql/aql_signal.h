/* Signals for packets to wait for, in memory that the GPU sees. */
#ifndef GPU_BACKENDS_AQL_AQL_SIGNAL_H
#define GPU_BACKENDS_AQL_AQL_SIGNAL_H

#include "gpu/backends/aql/aql_device.h"
#include "softgpu/abi/aql.h"

struct aql_signals {
	struct amd_signal *all;
	unsigned used;
};

static inline void aql_signal_reset(struct amd_signal *s)
{
	*s = (struct amd_signal){.kind = 1, .value = 1};
}

/* A packet that completes it, or a copy, has ended. */
static inline bool aql_signal_is_reached(const struct amd_signal *s)
{
	return !__atomic_load_n(&s->value, __ATOMIC_ACQUIRE);
}

bool aql_signals_open(struct aql_signals *s, struct aql_device *d, struct err *e);
/* One that is not reached; valid until `used` is set back. NULL with an error. */
struct amd_signal *aql_signal_take(struct aql_signals *s, struct err *e);

#endif

/* What happens inside a launch ("inside" in docs/protocol.md): requested through softgpu/probe.h, returned as JSON.
 * Main thread of the worker. */
#ifndef GPU_WORKER_INSIDE_LAUNCH_PROFILE_H
#define GPU_WORKER_INSIDE_LAUNCH_PROFILE_H

#include <jansson.h>
#include <stdint.h>

#include "gpu/softgpu-link/softprobe.h"
#include "gpu/worker/buffers/job_buffers.h"

/* Limits for a record. */
enum {
	PROFILE_SPANS_DEFAULT = 8000, /* unless the job requests another number */
	PROFILE_SPANS_MAX = 200000,
	PROFILE_SETS_MAX = 20000,
	PROFILE_STEPS_MAX = 1024
};

/* Call it before the sample. Returns what to profile (SOFTGPU_PROFILE_...), 0 if the job requests nothing. */
unsigned launch_profile_begin(const json_t *inside, const struct buffers *b);
void launch_profile_end(void);
/* Of the last launch, which took `cycles` cycles; NULL if it was not profiled. */
json_t *launch_profile_record(const json_t *inside, uint64_t cycles, const struct buffers *b);

/* --- parts --- */
json_t *launch_profile_trace(const struct softgpu_trace *t, const json_t *causes);
/* Spans as [wave, simd, slot, start, end, stall reason, offset, issue, CU, instructions], wave by wave. If there are
 * more than `limit`, *grain is set, and each span is the longest activity of its wave within *grain cycles. Sorts `s`.
 */
json_t *launch_profile_spans(
	struct softgpu_span *s, size_t n, size_t limit, uint64_t from, uint64_t to, uint64_t *grain);

#endif

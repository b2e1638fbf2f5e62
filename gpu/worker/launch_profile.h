/* What a job wants to see from within the sample's launch ("inside" in gpu/protocol/record.h): asked of
 * softgpu/probe.h, answered as JSON. The worker's main thread. */
#ifndef GPU_WORKER_LAUNCH_PROFILE_H
#define GPU_WORKER_LAUNCH_PROFILE_H

#include <jansson.h>
#include <stdint.h>

#include "gpu/softgpu-link/softprobe.h"

enum {
	PROFILE_SPANS_DEFAULT = 8000 /* unless the job asks for more */,
	PROFILE_SPANS_MAX = 200000,
	PROFILE_SETS_MAX = 20000,
	PROFILE_STEPS_MAX = 1024
}; /* most of each in a record */

/* Before the sample: what the launches are to be looked at for (SOFTGPU_PROFILE_...), 0 when the job wants nothing of
 * that. */
unsigned launch_profile_begin(const json_t *inside);
void launch_profile_end(void);
/* Of the last launch, which took so many cycles; NULL where nothing was seen. */
json_t *launch_profile_record(const json_t *inside, uint64_t cycles);

/* --- parts --- */
json_t *launch_profile_trace(const struct softgpu_trace *t, const json_t *causes);
/* At most `limit` spans as [wave, simd, slot, start, end, cause, offset, issue, CU], wave by wave; where there are
 * more, what each wave did for the longest time in every `*grain` cycles from `from` on. Orders `s`. */
json_t *launch_profile_spans(
	struct softgpu_span *s, size_t n, size_t limit, uint64_t from, uint64_t to, uint64_t *grain);

#endif

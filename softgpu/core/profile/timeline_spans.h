/* Merges timeline spans: each bucket of time shows a wave's most frequent state. */
#ifndef SOFTGPU_CORE_PROFILE_TIMELINE_SPANS_H
#define SOFTGPU_CORE_PROFILE_TIMELINE_SPANS_H

#include <stddef.h>

#include "softgpu/probe.h"

/* Merges consecutive spans of a wave within the same bucket of `grain` cycles, in place. The merged span has the stall
 * reason with the most cycles, and the instruction of the longest span with that reason. Spans that cross buckets stay.
 * A wave's spans must be in time order. `cus`: number of CUs. Returns the new number of spans; n if memory runs out. */
size_t spans_coarsen(struct softgpu_span *s, size_t n, uint64_t grain, uint32_t cus);

#endif

/* Spans that have become too many: what each wave did most in pieces of equal length. */
#ifndef SOFTGPU_CORE_PROFILE_TIMELINE_SPANS_H
#define SOFTGPU_CORE_PROFILE_TIMELINE_SPANS_H

#include <stddef.h>

#include "softgpu/probe.h"

/* Puts spans of a wave that follow each other within the same `grain` cycles together, in place; the piece has the
 * cause with the most cycles and the instruction of its longest span. Longer ones stay as they are. A wave's spans must
 * be in the order of time. `cus`: CUs that there are. Returns how many are left; n when memory ran out. */
size_t spans_coarsen(struct softgpu_span *s, size_t n, uint64_t grain, uint32_t cus);

#endif

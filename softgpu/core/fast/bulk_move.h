/* What the workgroups of a fill or a copy do to memory and to the tags of L2, done on the host (struct bulk_move). */
#ifndef SOFTGPU_CORE_FAST_BULK_MOVE_H
#define SOFTGPU_CORE_FAST_BULK_MOVE_H

#include "softgpu/core/state/machine.h"

/* Whether the order of the work-items does not matter, none of them faults, and no access leaves the GPU's memory: both
 * ranges are mapped and in it, and they do not overlap. */
bool bulk_move_is_plain(struct launch *n);
/* The workgroups before the first one with a wave that may run other instructions than the rest. */
uint64_t bulk_move_uniform_groups(const struct launch *n);

/* What workgroups [first, end) do to memory. False: a mapping is missing. */
bool bulk_move_perform(struct launch *n, uint64_t first, uint64_t end);
/* Whether memory is as if they had done it. */
bool bulk_move_is_done(struct launch *n, uint64_t first, uint64_t end);
/* Passes their lines through L2, and L3, at cycle t; returns the requests. */
uint64_t bulk_move_request_lines(struct launch *n, uint64_t first, uint64_t end, cycle_t t);

#endif

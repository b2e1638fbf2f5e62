/* Passes the lines of workgroups that are left out through L2 and the Infinity Cache (sampled_launch.h): tags change as
 * if they had been simulated, and no time passes. */
#ifndef SOFTGPU_CORE_FAST_LINE_PASS_H
#define SOFTGPU_CORE_FAST_LINE_PASS_H

#include "softgpu/core/fast/launch_window.h"

struct passed_lines {
	uint64_t end; /* the workgroup at which it ended */
	uint64_t groups, misses, reads,
		writes; /* lines that missed L2, were read from memory, and written, by so many groups */
};

/* From workgroup `first` on, as long as the rate is that of the window: at least a few workgroups, at most up to `end`.
 */
struct passed_lines lines_pass(struct launch *n, const struct launch_rate *r, uint64_t first, uint64_t end, cycle_t t);
/* Whether the dispatcher bounds the launch, and will as long as memory has no more to do than in the window. */
bool lines_have_room(const struct machine *m, const struct launch_rate *r);

#endif

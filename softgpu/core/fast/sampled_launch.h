/* Skips the middle of large fills and copies: part of the launch is simulated, and the host does the rest at once.
 *
 * The launch must be a known one (struct bulk_move) whose memory is the GPU's own. The invariant: between two
 * workgroups that the dispatcher starts, a number of others may be left out, if what they would have done is added.
 *
 * Memory: the host writes what they would have written. Before the first time, memory is compared with what the host
 * would have written for the workgroups that have ended. If it differs, the kernel is not what its name says, and all
 * of the launch is simulated.
 *
 * Instructions and waves are exact. All waves so far have run the same instructions, so each count lies between those
 * of the waves that have ended and of those that have started. If not exactly one whole number per wave does, nothing
 * is left out yet.
 *
 * Cycles, and counters of caches: at their rate in a window before (launch_window.h). The launch must be steady there,
 * or the dispatcher must bound it.
 *
 * L2 and the Infinity Cache: the lines pass through their tags without time (line_pass.h). Where they miss more or less
 * often than those in the window, as when L2 has no clean line left, the launch is simulated again.
 *
 * What is not kept: open rows of DRAM, the translations and lines in flight, L1. All decisions are functions of
 * simulated state, so they are the same in every run, profiled or not. */
#ifndef SOFTGPU_CORE_FAST_SAMPLED_LAUNCH_H
#define SOFTGPU_CORE_FAST_SAMPLED_LAUNCH_H

#include "softgpu/core/state/machine.h"

/* Call before a launch begins. Allocates n->sample if workgroups may be left out; otherwise leaves it NULL. */
void sample_begin(struct launch *n);
void sample_end(struct launch *n);
/* Call before the dispatcher starts a workgroup at cycle t. The next workgroup may be another one afterwards. Cycles
 * that are left out go to n->skipped_cycles; the clock goes on as if they had not passed. */
void sample_take(struct launch *n, cycle_t t);

#endif

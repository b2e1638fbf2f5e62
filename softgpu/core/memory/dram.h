/* A memory channel: the time a line takes on its data bus and in its banks.
 *
 * The bus transfers one line after another. A bank has one row open; opening another takes the bank a row cycle, during
 * which the bus serves other banks: the controller reorders requests. Lines evicted from L2 are collected and written
 * as a batch between reads, because turning the bus around takes time; a batch opens each of its rows once. A refresh
 * waits for idle time, as JEDEC's refresh postponing allows, and delays a channel that has none. The latency of a line
 * that waits for nothing is model.dram_latency, which includes opening a row.
 */
#ifndef SOFTGPU_CORE_MEMORY_DRAM_H
#define SOFTGPU_CORE_MEMORY_DRAM_H

#include "softgpu/core/state/machine.h"

/* At the start of a launch. */
void dram_begin_launch(struct machine *m);

/* Reads a line of 64 bytes, numbered within its channel, from cycle `at` on, then the rest of L2's line. Returns the
 * cycle at which its transfer begins. */
cycle_t dram_read(struct machine *m, struct dram *d, uint64_t line, cycle_t at);
/* Queues a line, or the two of L2's line, to be written. Returns the cycle up to which the channel or one of its banks
 * is busy. */
cycle_t dram_write(struct machine *m, struct dram *d, uint64_t line, unsigned lines, cycle_t at);

#endif

/* A memory channel: what its data bus and its banks take for a line, and in which order.
 *
 * The bus carries one line after the other. A bank has one row open; another row costs the bank its row cycle, during
 * which the bus serves the other banks: the controller takes requests out of turn. What L2 evicts waits until there is
 * a batch, written in one go between reads, for the bus needs time to turn round. A refresh waits for idle time, as
 * JEDEC's postponing allows, and takes the bus from a channel that has none. The latency of a line that waits for
 * nothing is model.dram_latency, a row's opening within it.
 */
#ifndef SOFTGPU_CORE_MEMORY_DRAM_H
#define SOFTGPU_CORE_MEMORY_DRAM_H

#include "softgpu/core/exec/machine.h"

void dram_begin(struct machine *m);

/* A line of 64 bytes, numbered within its channel, is read from cycle `at` on, and behind it the rest of L2's line;
 * returns the cycle when its transfer begins. */
uint64_t dram_read(struct machine *m, struct dram *d, uint64_t line, uint64_t at);
/* So many lines are to be written; returns the cycle up to which the channel has work. */
uint64_t dram_write(struct machine *m, struct dram *d, unsigned lines, uint64_t at);

#endif

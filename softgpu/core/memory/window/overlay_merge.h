/* Writes what the clusters have stored in a window to memory. If several stored to the same bytes, the instruction that
 * is the last in the order of events wins. (The order of instructions is kept by dword.) */
#ifndef SOFTGPU_CORE_MEMORY_WINDOW_OVERLAY_MERGE_H
#define SOFTGPU_CORE_MEMORY_WINDOW_OVERLAY_MERGE_H

#include "softgpu/core/state/machine.h"

/* Writes lines of part `number` of `parts`. Several threads, each with its view, may write different parts at once. */
void overlays_write(struct machine *view, uint32_t number, uint32_t parts);
/* Of a view; NULL is fine. */
void merged_lines_close(struct merged_lines *t);

#endif

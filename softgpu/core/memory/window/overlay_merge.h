/* Writes what the clusters have stored in a window to memory. If several stored to the same bytes, the instruction that
 * is the last in the order of events wins. (The order of instructions is kept by dword.) */
#ifndef SOFTGPU_CORE_MEMORY_WINDOW_OVERLAY_MERGE_H
#define SOFTGPU_CORE_MEMORY_WINDOW_OVERLAY_MERGE_H

#include "softgpu/core/state/machine.h"

/* Writes all lines. */
void overlays_write(struct machine *m);
/* Sorts the cluster's lines into so many parts, and writes one part of all clusters' lines. Several threads, each with
 * its view, may write different parts at once. */
void overlay_sort(struct store_overlay *o, uint32_t parts);
void overlays_write_part(struct machine *view, uint32_t part);
/* Of a view; NULL is fine. */
void merged_lines_close(struct merged_lines *t);

#endif

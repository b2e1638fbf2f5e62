/* A pointer chase: one cycle over all lines of a buffer in random order, so that no two reads in a row are neighbors.
 */
#ifndef GPU_PROTOCOL_CHASE_CYCLE_H
#define GPU_PROTOCOL_CHASE_CYCLE_H

#include <stdint.h>

/* The line to read after `line` in the cycle over lines 0 .. lines - 1. Computed from the number alone: parts of a
 * buffer can be filled in any order, and the order is the same in every run. */
uint64_t chase_cycle_next(uint64_t lines, uint64_t line);

#endif

/* The relative addresses of an access's lanes. Instructions remember it, because an access usually repeats the pattern
 * of the previous one, and then its analysis can be reused. */
#ifndef SOFTGPU_CORE_MEMORY_LANE_PATTERN_H
#define SOFTGPU_CORE_MEMORY_LANE_PATTERN_H

#include "softgpu/core/state/machine.h"

/* Eight neighboring lanes: all the same address, or contiguous elements. */
enum octet_shape { OCTET_SCATTERED, OCTET_UNIFORM, OCTET_CONTIGUOUS };
/* All lanes, in groups of 16; REPEATED: each group is contiguous, and all are at the same address. */
enum wave_shape { WAVE_SHAPE_SCATTERED, WAVE_SHAPE_UNIFORM, WAVE_SHAPE_CONTIGUOUS, WAVE_SHAPE_REPEATED };
enum { LANE_OCTETS = MAX_LANES / 8 };

struct lane_pattern {
	uint32_t relative[MAX_LANES]; /* addresses, less that of the first lane in exec */
	uint64_t exec;                /* the active lanes; 0: no pattern recorded */
	uint64_t heads;               /* lanes of exec that are not within a line's length of the previous one */
	uint32_t low, reach;          /* the lowest address, relative as above, and from there to the highest */
	uint8_t shape[LANE_OCTETS];   /* enum octet_shape; valid, like the next, only if all lanes are active */
	uint8_t whole;                /* enum wave_shape */
} __attribute__((aligned(64)));

/* Records the addresses of the lanes in e (at least one) of a wave, for elements of `bytes` bytes. */
void lane_pattern_record(struct lane_pattern *k, unsigned lanes, const uint32_t *at, uint64_t e, uint32_t bytes);

/* Counts an access that did not repeat the pattern. Whether to record its own: patterns that do not repeat are recorded
 * less and less often. */
static inline bool lane_pattern_count_miss(uint32_t *misses)
{
	enum { ALWAYS_RECORDED = 8 };

	++*misses;
	return *misses <= ALWAYS_RECORDED || !(*misses & (*misses - 1));
}

#endif

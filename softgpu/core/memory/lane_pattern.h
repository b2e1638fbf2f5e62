/* How the lanes of an access lie to each other, whatever the address of the first. Instructions keep it: accesses
 * mostly lie as the ones before did, and what follows from it need not be found again. */
#ifndef SOFTGPU_CORE_MEMORY_LANE_PATTERN_H
#define SOFTGPU_CORE_MEMORY_LANE_PATTERN_H

#include "softgpu/core/exec/machine.h"

/* How the elements of neighbouring lanes lie: all the same, or each behind the one before. */
enum octet_shape { OCTET_SCATTERED, OCTET_UNIFORM, OCTET_CONTIGUOUS };
/* And how all lanes do: by sixteens, or in sixteens of which each is in line and at the same place. */
enum wave_shape { WAVE_SHAPE_SCATTERED, WAVE_SHAPE_UNIFORM, WAVE_SHAPE_CONTIGUOUS, WAVE_SHAPE_REPEATED };
enum { LANE_OCTETS = LANES / 8 };

struct lane_pattern {
	uint32_t relative[LANES]; /* addresses, less that of the first lane in exec */
	uint64_t exec;            /* the lanes that this is about; others' addresses say nothing. 0: nothing is known */
	uint64_t heads;           /* those of exec that are not within a line's length of the one before */
	uint32_t low, reach;      /* the lowest address, relative as above, and from there to the highest */
	uint8_t shape[LANE_OCTETS]; /* enum octet_shape; this and the next are of use where all of the lanes are in exec
	                             */
	uint8_t whole;              /* enum wave_shape */
} __attribute__((aligned(64)));

/* From the addresses of the lanes in e, one or more, elements of so many bytes. */
void lane_pattern_record(struct lane_pattern *k, const uint32_t *at, uint64_t e, uint32_t bytes);

#endif

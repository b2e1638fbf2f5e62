/* Segments: parts of the runs of a launch's waves, in each of which a wave knows the same of others; and the
 * instructions that access memory. */
#ifndef SOFTGPU_CORE_CHECK_RACES_RACE_SEGMENTS_H
#define SOFTGPU_CORE_CHECK_RACES_RACE_SEGMENTS_H

#include "softgpu/core/check/races/global_races.h"

struct race_segment {
	uint32_t wave; /* workgroup * stride + wave */
	uint32_t clock : 31;
	uint32_t released : 1; /* another wave comes after it: the wave's next plain access is in a new one */
	uint32_t clocks;       /* of its workgroup's waves that it knew: an index */
	known_set known;       /* of other workgroups */
};
struct race_site {
	uint64_t pc;
	uint32_t bytes;
};

struct global_races {
	struct global_shadow shadow;
	struct known_waves sets;
	uint32_t stride, waves; /* of a workgroup; the first is a power of two */
	bool failed;            /* out of memory or of numbers: nothing is reported any more */
	struct race_segment *segment;
	uint32_t segments, segments_max; /* number 0 is not used */
	uint32_t *clock;
	uint32_t clocks, clocks_max;
	struct race_site *site;
	uint32_t sites, sites_max; /* number 0: unknown */
	uint16_t site_of[4096];    /* by pc */
};

/* The number of the instruction. */
uint32_t race_site_find(struct global_races *r, uint64_t pc, uint32_t bytes);
/* The segment that the wave is in. `plain`: for an access that releases nothing. 0: out of memory. */
uint32_t race_segment_enter(struct global_races *r, struct group_order *g, uint32_t wave, bool plain);
/* What of the segment is known so far happens before the wave. Returns whether that is news. */
bool race_segment_learn(struct global_races *r, struct group_order *g, uint32_t wave, uint32_t segment);
/* The same for a set. */
bool race_segment_learn_set(struct global_races *r, struct group_order *g, uint32_t wave, known_set other);
/* The set with what the segment is and knows. The caller owns `s`, and then the result. */
known_set race_segment_add(struct global_races *r, known_set s, uint32_t segment);
bool race_segment_is_before(const struct global_races *r, const struct group_order *g, uint32_t wave, uint32_t segment);

#endif

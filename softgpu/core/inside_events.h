/* What is kept of a launch beside sums, when it was asked for: the waves' timeline, and events by cache set and LDS
 * bank. */
#ifndef SOFTGPU_CORE_INSIDE_EVENTS_H
#define SOFTGPU_CORE_INSIDE_EVENTS_H

#include "softgpu/core/machine.h"
#include "softgpu/probe.h"

struct events;

/* `what` is SOFTGPU_LOOK_WAVES and SOFTGPU_LOOK_SETS; NULL when neither is wanted or memory ran out. */
struct events *inside_events_open(const struct machine *m, unsigned what);
void inside_events_close(struct events *e);

/* A wave's span; one that goes on with the wave's last one (its place in *last, from 1; 0: none) lengthens it. */
void inside_events_span(struct events *e, const struct softgpu_span *span, size_t *last);

/* A wave has been created on the CU. */
void inside_events_wave(struct events *e, uint32_t cu);

enum cache_kind { CACHE_L1, CACHE_L2, CACHE_SCALAR, CACHE_LDS, CACHE_KINDS };
enum cache_event { EVENT_HIT, EVENT_MISS, EVENT_EVICTION, EVENTS };
void inside_events_count(
	struct events *e, enum cache_kind cache, uint32_t instance, uint64_t set, enum cache_event event, uint64_t n);

size_t inside_events_timeline(const struct events *e, struct softgpu_span *out, size_t max, uint64_t *dropped);
uint64_t inside_events_grain(const struct events *e);
size_t inside_events_waves(const struct events *e, uint32_t *out, size_t max); /* by CU */
size_t inside_events_sets(const struct events *e, struct softgpu_set *out, size_t max);

#endif

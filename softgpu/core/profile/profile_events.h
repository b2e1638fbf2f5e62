/* Recorded events of a profiled launch: the waves' timeline, and counts by cache set and LDS bank. */
#ifndef SOFTGPU_CORE_PROFILE_PROFILE_EVENTS_H
#define SOFTGPU_CORE_PROFILE_PROFILE_EVENTS_H

#include "softgpu/core/state/machine.h"
#include "softgpu/probe.h"

struct profile_events;

/* `what`: SOFTGPU_PROFILE_WAVES, SOFTGPU_PROFILE_SETS or both. NULL if neither, or if memory runs out. */
struct profile_events *profile_events_open(const struct machine *m, unsigned what);
void profile_events_close(struct profile_events *e);

/* Adds a wave's span. Extends the wave's last span if that continues; *last is its index + 1 (0: none). */
void profile_events_add_span(struct profile_events *e, const struct softgpu_span *span, size_t *last);

/* Counts a wave created on the CU. */
void profile_events_add_wave(struct profile_events *e, uint32_t cu);

enum cache_kind { CACHE_L1, CACHE_L2, CACHE_SCALAR, CACHE_LDS, CACHE_KINDS };
enum cache_event { CACHE_EVENT_HIT, CACHE_EVENT_MISS, CACHE_EVENT_EVICTION, EVENTS };
void profile_events_count(struct profile_events *e, enum cache_kind cache, uint32_t instance, uint64_t set,
	enum cache_event event, uint64_t n);

size_t profile_events_read_timeline(
	const struct profile_events *e, struct softgpu_span *out, size_t max, uint64_t *dropped);
cycle_t profile_events_read_bucket(const struct profile_events *e);
size_t profile_events_read_waves(const struct profile_events *e, uint32_t *out, size_t max); /* by CU */
size_t profile_events_read_sets(const struct profile_events *e, struct softgpu_set *out, size_t max);

#endif

#include "softgpu/core/profile/timeline_spans.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/core/state/machine.h"

/* The merged span that a wave slot's last span went into. */
struct merged_span {
	size_t at; /* its index + 1; 0: none */
	uint64_t bucket, best;
	uint64_t sum[SOFTGPU_STALL_REASONS][2], longest[SOFTGPU_STALL_REASONS][2];
	int64_t offset[SOFTGPU_STALL_REASONS][2];
};

static void add_to_merged(struct merged_span *p, struct softgpu_span *piece, const struct softgpu_span *s)
{
	uint64_t cycles = s->end - s->start, *sum = &p->sum[s->cause][s->issue],
		 *longest = &p->longest[s->cause][s->issue];

	*sum += cycles;
	if (cycles > *longest) {
		*longest = cycles;
		p->offset[s->cause][s->issue] = s->offset;
	}
	piece->end = s->end;
	piece->issued += s->issued;
	if (*sum < p->best)
		return;
	p->best = *sum;
	piece->cause = s->cause;
	piece->issue = s->issue;
	piece->offset = p->offset[s->cause][s->issue];
}

static bool continues_merged(
	const struct merged_span *p, const struct softgpu_span *all, const struct softgpu_span *s, uint64_t grain)
{
	return p->at && all[p->at - 1].wave == s->wave && all[p->at - 1].end == s->start &&
		p->bucket == s->start / grain && (s->end - 1) / grain == p->bucket;
}

size_t spans_coarsen(struct softgpu_span *s, size_t n, uint64_t grain, uint32_t cus)
{
	struct merged_span *merged = calloc((size_t)cus * SIMDS * MAX_WAVES_PER_SIMD, sizeof *merged);
	size_t out = 0;

	if (!merged)
		return n;
	for (size_t k = 0; k < n; k++) {
		struct softgpu_span now = s[k];
		struct merged_span *p = &merged[((size_t)now.cu * SIMDS + now.simd) * MAX_WAVES_PER_SIMD + now.slot];
		if (!continues_merged(p, s, &now, grain)) {
			memset(p, 0, sizeof *p);
			p->bucket = now.start / grain;
			s[out] = now;
			s[out].issued = 0;
			p->at = ++out;
		}
		add_to_merged(p, &s[p->at - 1], &now);
	}
	free(merged);
	return out;
}

#include "softgpu/core/check/races/race_segments.h"

#include <stdlib.h>

/* Room for one more element of `size` bytes. */
static bool make_room(void **list, uint32_t count, uint32_t more, uint32_t *max, uint32_t limit, size_t size)
{
	if (count + more <= *max)
		return true;
	uint32_t larger = *max ? *max : 256;
	while (larger < count + more)
		larger *= 2;
	void *grown = larger <= limit ? realloc(*list, larger * size) : NULL;
	if (!grown)
		return false;
	*list = grown;
	*max = larger;
	return true;
}

/* --- sites --- */
uint32_t race_site_find(struct global_races *r, uint64_t pc, uint32_t bytes)
{
	uint16_t *known = &r->site_of[pc / 4 % (sizeof r->site_of / sizeof *r->site_of)];

	if (*known && r->site[*known].pc == pc)
		return *known;
	for (uint32_t k = 1; k < r->sites; k++)
		if (r->site[k].pc == pc)
			return *known = (uint16_t)k;
	if (!r->sites)
		r->sites = 1;
	if (!make_room((void **)&r->site, r->sites, 1, &r->sites_max, 1u << SHADOW_SITE_BITS, sizeof *r->site))
		return 0;
	r->site[0] = (struct race_site){0};
	r->site[r->sites] = (struct race_site){pc, bytes};
	return *known = (uint16_t)r->sites++;
}

/* --- segments --- */
/* The row of clocks that the wave knows; its own, which the segment has, is as after a barrier. Waves that passed the
 * same barrier have the same row. */
static bool keep_clocks(struct global_races *r, const struct group_order *g, uint32_t wave, uint32_t *out)
{
	const uint32_t *row = g->clocks->clock[wave];
	const uint32_t *before = r->clocks ? r->clock + r->clocks - r->waves : NULL;
	bool same = before;

	for (uint32_t u = 0; same && u < r->waves; u++)
		same = u == wave || before[u] == row[u];
	if (!same) {
		if (!make_room((void **)&r->clock, r->clocks, r->waves, &r->clocks_max, 1u << 30, sizeof *r->clock))
			return false;
		memcpy(r->clock + r->clocks, row, r->waves * sizeof *row);
		r->clock[r->clocks + wave]--;
		r->clocks += r->waves;
	}
	*out = r->clocks - r->waves;
	return true;
}

static uint32_t add_segment(struct global_races *r, struct group_order *g, uint32_t wave)
{
	struct race_segment s = {.wave = g->number * r->stride + wave, .clock = g->clocks->clock[wave][wave]};

	if (!make_room((void **)&r->segment, r->segments, 1, &r->segments_max, 1u << SHADOW_SEGMENT_BITS,
		    sizeof *r->segment) ||
		!keep_clocks(r, g, wave, &s.clocks)) {
		r->failed = true;
		return 0;
	}
	s.known = known_waves_hold(&r->sets, g->known[wave]);
	r->segment[r->segments] = s;
	return r->segments++;
}

/* What waves of the workgroup know of others, from which the wave has learned in LDS. */
static void hear_of_groups(struct global_races *r, struct group_order *g, uint32_t wave)
{
	for (uint32_t from = g->clocks->heard[wave]; from; from &= from - 1)
		g->known[wave] = known_waves_join(&r->sets, g->known[wave], g->known[(unsigned)__builtin_ctz(from)]);
	g->clocks->heard[wave] = 0;
}

uint32_t race_segment_enter(struct global_races *r, struct group_order *g, uint32_t wave, bool plain)
{
	const uint32_t now = g->segment[wave];
	uint32_t *own = &g->clocks->clock[wave][wave];

	hear_of_groups(r, g, wave);
	if (now && plain && r->segment[now].released && r->segment[now].clock == *own)
		++*own;
	if (!now || r->segment[now].clock != *own)
		g->segment[wave] = add_segment(r, g, wave);
	return g->segment[wave];
}

/* --- order --- */
bool race_segment_learn_set(struct global_races *r, struct group_order *g, uint32_t wave, known_set other)
{
	const known_set before = g->known[wave];
	const uint32_t first = g->number * r->stride;
	bool news = false;

	for (uint32_t u = 0; other && u < r->waves; u++) {
		const uint32_t clock = known_waves_find(&r->sets, other, first + u);
		if (u != wave)
			news |= learn_clock(
				&g->clocks->clock[wave][u], clock == KNOWN_ALL ? g->clocks->clock[u][u] : clock);
	}
	g->known[wave] = known_waves_join(&r->sets, before, other);
	return news | (g->known[wave] != before);
}

known_set race_segment_add(struct global_races *r, known_set s, uint32_t segment)
{
	const struct race_segment from = r->segment[segment];
	const uint32_t of = from.wave % r->stride;

	s = known_waves_join(&r->sets, s, from.known);
	for (uint32_t u = 0; u < r->waves; u++) {
		const uint32_t clock = u == of ? from.clock : r->clock[from.clocks + u];
		if (clock)
			s = known_waves_add(&r->sets, s, from.wave - of + u, clock);
	}
	return s;
}

bool race_segment_is_before(const struct global_races *r, const struct group_order *g, uint32_t wave, uint32_t segment)
{
	const struct race_segment *s = &r->segment[segment];

	if (s->wave / r->stride == g->number)
		return s->wave % r->stride == wave || s->clock <= g->clocks->clock[wave][s->wave % r->stride];
	return g->known[wave] && known_waves_find(&r->sets, g->known[wave], s->wave) >= s->clock;
}

bool race_segment_learn(struct global_races *r, struct group_order *g, uint32_t wave, uint32_t segment)
{
	const struct race_segment from = r->segment[segment];
	const uint32_t of = from.wave % r->stride;
	bool news = false;

	if (race_segment_is_before(r, g, wave, segment))
		return false;
	r->segment[segment].released = 1;
	news = race_segment_learn_set(r, g, wave, from.known);
	if (from.wave / r->stride != g->number) {
		g->known[wave] = race_segment_add(r, g->known[wave], segment);
		return true;
	}
	for (uint32_t u = 0; u < r->waves; u++)
		if (u != wave)
			news |= learn_clock(
				&g->clocks->clock[wave][u], u == of ? from.clock : r->clock[from.clocks + u]);
	return news;
}

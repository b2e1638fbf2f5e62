#include "softgpu/core/check/races/global_shadow.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_SHIFT = 12, PAGE_DWORDS = 1 << (PAGE_SHIFT - 2), SITE_LOW_BITS = 10, LANE_BITS = 6, DWORD_BYTES = 4 };
enum { SPARE_PAGES = 64 };

struct shadow_page {
	uint64_t number;
	uint32_t launch;
	bool wanted;
	struct shadow_cell cell[PAGE_DWORDS];
};

void global_shadow_close(struct global_shadow *s)
{
	number_map_free_values(&s->pages);
	number_map_free_values(&s->sync);
	number_map_free_values(&s->bytes);
	*s = (struct global_shadow){0};
}

/* Pages of memory that is no longer used do not stay. */
void global_shadow_begin(struct global_shadow *s)
{
	if (s->pages.count > 2 * s->used + SPARE_PAGES)
		number_map_free_values(&s->pages);
	number_map_free_values(&s->sync);
	number_map_free_values(&s->bytes);
	s->last = NULL;
	s->used = 0;
	s->launch++;
}

static struct shadow_page *add_page(struct global_shadow *s, uint64_t number)
{
	struct shadow_page *p = calloc(1, sizeof *p);

	if (p && number_map_add(&s->pages, number, p)) {
		p->number = number;
		return p;
	}
	free(p);
	return NULL;
}

static void begin_page(struct global_shadow *s, struct shadow_page *p, bool wanted)
{
	if (p->launch)
		memset(p->cell, 0, sizeof p->cell);
	p->launch = s->launch;
	p->wanted = wanted;
	s->used++;
}

struct shadow_cell *global_shadow_find(
	struct global_shadow *s, uint64_t dword, shadow_wanted_fn *wanted, const void *of)
{
	const uint64_t number = dword / PAGE_DWORDS;
	struct shadow_page *p = s->last;

	if (!p || p->number != number) {
		p = number_map_find(&s->pages, number);
		if (!p && !(p = add_page(s, number)))
			return NULL;
		if (p->launch != s->launch)
			begin_page(s, p, wanted(of, number << PAGE_SHIFT));
		s->last = p;
	}
	return p->wanted ? &p->cell[dword % PAGE_DWORDS] : NULL;
}

/* --- what few cells have --- */
static void *find_or_add(struct number_map *m, uint64_t dword, size_t bytes)
{
	void *found = number_map_find(m, dword);

	if (found || !(found = calloc(1, bytes)))
		return found;
	if (number_map_add(m, dword, found))
		return found;
	free(found);
	return NULL;
}

struct cell_sync *global_shadow_sync(struct global_shadow *s, uint64_t dword)
{
	return find_or_add(&s->sync, dword, sizeof(struct cell_sync));
}

struct shadow_cell *global_shadow_bytes(struct global_shadow *s, uint64_t dword)
{
	return find_or_add(&s->bytes, dword, DWORD_BYTES * sizeof(struct shadow_cell));
}

/* --- marks --- */
struct shadow_mark shadow_mark_get(const struct shadow_cell *c, unsigned which)
{
	return (struct shadow_mark){.segment = c->segment[which] & ((1u << SHADOW_SEGMENT_BITS) - 1),
		.site = c->segment[which] >> SHADOW_SEGMENT_BITS << SITE_LOW_BITS | c->at[which] >> LANE_BITS,
		.lane = c->at[which] & ((1u << LANE_BITS) - 1),
		.mask = c->bits >> (4 + 4 * which) & 15};
}

void shadow_mark_set(struct shadow_cell *c, unsigned which, struct shadow_mark m)
{
	c->segment[which] = m.segment | m.site >> SITE_LOW_BITS << SHADOW_SEGMENT_BITS;
	c->at[which] = (uint16_t)(m.site << LANE_BITS | m.lane);
	c->bits = (uint16_t)((c->bits & ~(15u << (4 + 4 * which))) | m.mask << (4 + 4 * which));
}

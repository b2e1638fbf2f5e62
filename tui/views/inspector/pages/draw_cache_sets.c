/* The cache sets page: a map of one cache's sets, the counts of the set at the cursor, the totals of all
 * instances. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/views/inspector/inspector_draw.h"

enum { MAP_AT = 7, SIDE_WIDTH = 44 };

static bool map_is_wide(int width)
{
	return width >= 78 + SIDE_WIDTH - 8;
}

int inspector_sets_columns(const struct app *a)
{
	int room = (map_is_wide(a->width - 2) ? a->width - 2 - SIDE_WIDTH : a->width - 2) - MAP_AT, columns = 8;
	while (columns * 2 <= room && columns < 64)
		columns *= 2;
	return columns;
}

/* 0 for no events; then by the square root, so that small counts stay visible. */
static int count_level(uint64_t n, uint64_t most)
{
	return !n ? -1 : most <= 1 ? 7 : (int)floor(sqrt((double)n / (double)most) * 7.999);
}

static void draw_set_cell(const struct app *a, struct area at, int x, int y, int set, uint64_t most)
{
	static const enum glyph levels[] = {GLYPH_LEVEL0, GLYPH_LEVEL1, GLYPH_LEVEL2, GLYPH_LEVEL3, GLYPH_LEVEL4,
		GLYPH_LEVEL5, GLYPH_LEVEL6, GLYPH_LEVEL7};
	static const int roles[] = {ROLE_STRIP, ROLE_FOCUS, ROLE_WARN};
	static const char digits[] = "12345678";
	const struct set_map *m = &inspector_of(a)->sets;
	int l = count_level(set_map_counts_at(m, set).n[m->what], most);
	char digit[2] = {l < 0 ? '.' : digits[l], 0};
	area_draw_text(
		at, x, y, l < 0 ? ROLE_DIM : roles[m->what], l < 0 || a->ascii ? digit : glyph_text(false, levels[l]));
	if (set == m->cursor)
		area_add_attr(at, x, y, 1, ATTR_REVERSE);
}

static void draw_set_map(const struct app *a, struct area at, struct set_geometry g)
{
	const struct set_map *m = &inspector_of(a)->sets;
	int columns = inspector_sets_columns(a), all = (g.sets + columns - 1) / columns,
	    first = list_first_visible_row(m->cursor / columns, at.r.h, all);
	uint64_t most = set_map_max_count(m);
	for (int y = 0; y < at.r.h && first + y < all; y++) {
		area_printf(at, 0, y, ROLE_DIM, "%6d", (first + y) * columns);
		for (int x = 0; x < columns && (first + y) * columns + x < g.sets; x++)
			draw_set_cell(a, at, MAP_AT + x, y, (first + y) * columns + x, most);
	}
}

static void draw_instances(const struct app *a, struct area at, struct set_geometry g)
{
	const struct set_map *m = &inspector_of(a)->sets;
	const struct set_cache_info *row = set_cache_get_info(m->cache);
	area_printf(at, 0, 0, ROLE_TITLE, "%-8s %10s %10s %10s", row->instance, row->what[0],
		m->cache == SET_LDS ? "conflicts" : row->what[1], row->what[2]);
	int rows = at.r.h - 1, first = list_first_visible_row(m->instance, rows, g.instances);
	for (int y = 0; y < rows && first + y < g.instances; y++) {
		struct set_counts c = set_map_instance_total(m, m->cache, first + y);
		int role = first + y == m->instance ? ROLE_SELECTED : c.n[0] + c.n[1] ? ROLE_TEXT : ROLE_DIM;
		area_printf(at, 0, y + 1, role, "%-8d %10llu %10llu", first + y, (unsigned long long)c.n[0],
			(unsigned long long)c.n[1]);
		if (*row->what[2])
			area_printf(at, 30, y + 1, role, " %10llu", (unsigned long long)c.n[2]);
	}
}

/* Singular of "hits", "misses" for a count of 1. */
static int count_letter(const char *plural, uint64_t n)
{
	int all = (int)strlen(plural);
	return n != 1 ? all : all > 3 && !strcmp(plural + all - 3, "ses") ? all - 2 : all - 1;
}

static void format_set_counts(const struct set_cache_info *row, const struct set_counts *c, char *out, size_t size)
{
	size_t used = 0;
	*out = 0;
	for (int k = 0; k < 3 && *row->what[k] && used < size; k++)
		used += (size_t)snprintf(out + used, size - used, "%s%llu %.*s", k ? ", " : "",
			(unsigned long long)c->n[k], count_letter(row->what[k], c->n[k]), row->what[k]);
}

static void draw_sets_header(const struct app *a, struct area at, struct set_geometry g)
{
	const struct set_map *m = &inspector_of(a)->sets;
	const struct set_cache_info *row = set_cache_get_info(m->cache);
	struct set_counts all = set_map_instance_total(m, m->cache, m->instance),
			  here = set_map_counts_at(m, m->cursor);
	char text[160], ways[32] = "";
	if (m->cache != SET_LDS)
		snprintf(ways, sizeof ways, " of %d lines", g.ways);
	area_draw_fitted(at, 1, 0, at.r.w - 1, ROLE_TEXT, "");
	area_printf(at, 1, 0, ROLE_TITLE, "%s", row->name);
	format_set_counts(row, &all, text, sizeof text);
	area_printf(at, 2 + (int)strlen(row->name), 0, ROLE_TEXT, "%s %d of %d, %d %ss%s: %s", row->instance,
		m->instance, g.instances, g.sets, row->set, ways, text);
	format_set_counts(row, &here, text, sizeof text);
	area_printf(at, 1, 1, ROLE_CURSOR, "%s %d: %s", row->set, m->cursor, text);
	area_printf(at, 1, 2, ROLE_DIM, "shown: %s, at most %llu", row->what[m->what],
		(unsigned long long)set_map_max_count(m));
}

static bool set_cache_was_used(const struct set_map *m, enum set_cache c, int instances)
{
	for (int i = 0; i < instances; i++) {
		struct set_counts sum = set_map_instance_total(m, c, i);
		if (sum.n[0] || sum.n[1] || sum.n[2])
			return true;
	}
	return false;
}

/* A sentence instead of rows of zeros. */
static void draw_unused_cache(enum set_cache c, struct area at)
{
	static const char *const what[SET_CACHE_COUNT] = {[SET_L1] = "vector loads",
		[SET_L2] = "accesses to memory",
		[SET_SCALAR] = "scalar loads",
		[SET_LDS] = "accesses to LDS"};
	char text[120];
	snprintf(text, sizeof text, "The kernel has no %s, so this page is empty.", what[c]);
	area_draw_fitted(at, 0, 0, at.r.w, ROLE_TITLE, text);
	area_draw_fitted(at, 0, 1, at.r.w, ROLE_DIM, "PgDn and PgUp show the other caches and LDS.");
}

void inspector_draw_sets(const struct app *a, struct area at)
{
	const struct set_map *m = &inspector_of(a)->sets;
	struct set_geometry g = set_geometry_of(m->cache, inspector_device_constants(a));
	draw_sets_header(a, at, g);
	int side = map_is_wide(at.r.w) ? SIDE_WIDTH : 0;
	if (!m->loaded)
		area_draw_text(at, 1, 4, ROLE_DIM, "profiling");
	else if (!set_cache_was_used(m, m->cache, g.instances))
		draw_unused_cache(m->cache, area_sub(at, 1, 4, at.r.w - side - 1, at.r.h - 4));
	else
		draw_set_map(a, area_sub(at, 0, 4, at.r.w - side, at.r.h - 4), g);
	if (side)
		draw_instances(a, area_sub(at, at.r.w - side, 3, side, at.r.h - 3), g);
}

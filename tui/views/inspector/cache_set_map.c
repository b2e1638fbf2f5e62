#include "tui/views/inspector/cache_set_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

#define SET_CACHE_ROW(id, name, instance, set, hits, misses, evictions) \
	{name, instance, set, {hits, misses, evictions}},
static const struct set_cache_info caches[SET_CACHE_COUNT] = {SET_CACHES(SET_CACHE_ROW)};
#undef SET_CACHE_ROW

const struct set_cache_info *set_cache_get_info(enum set_cache c)
{
	return &caches[c < SET_CACHE_COUNT ? c : 0];
}

static int cache_of(const json_t *name)
{
	for (int c = 0; c < SET_CACHE_COUNT; c++)
		if (json_is_string(name) && !strcmp(json_string_value(name), caches[c].name))
			return c;
	return -1;
}

static uint64_t count_at(const json_t *v)
{
	return (uint64_t)json_integer_value(v);
}

static void read_totals(struct set_map *m, const json_t *list)
{
	m->total = xcalloc(json_array_size(list) + 1, sizeof *m->total);
	for (size_t k = 0; k < json_array_size(list); k++) {
		const json_t *o = json_array_get(list, k);
		int cache = cache_of(json_object_get(o, "cache"));
		if (cache < 0)
			continue;
		m->total[m->totals++] =
			(struct set_total){(enum set_cache)cache, (int)count_at(json_object_get(o, "instance")),
				{{count_at(json_object_get(o, "hits")), count_at(json_object_get(o, "misses")),
					count_at(json_object_get(o, "evictions"))}}};
	}
}

void set_map_read(struct set_map *m, const json_t *sets)
{
	const json_t *list = json_object_get(sets, "sets");
	struct set_map was = *m;
	free(m->of);
	free(m->counts);
	free(m->total);
	*m = (struct set_map){.cache = was.cache, .instance = was.instance, .what = was.what, .cursor = was.cursor};
	m->loaded = cache_of(json_object_get(sets, "cache")) == (int)m->cache;
	m->cut = json_is_true(json_object_get(sets, "cut"));
	m->of = xcalloc(json_array_size(list) + 1, sizeof *m->of);
	m->counts = xcalloc(json_array_size(list) + 1, sizeof *m->counts);
	for (size_t k = 0; k < json_array_size(list); k++, m->count++) {
		const json_t *r = json_array_get(list, k);
		m->of[m->count][0] = (int)count_at(json_array_get(r, 0));
		m->of[m->count][1] = (int)count_at(json_array_get(r, 1));
		for (size_t n = 0; n < 3; n++)
			m->counts[m->count].n[n] = count_at(json_array_get(r, 2 + n));
	}
	read_totals(m, json_object_get(sets, "totals"));
}

void set_map_free(struct set_map *m)
{
	free(m->of);
	free(m->counts);
	free(m->total);
	memset(m, 0, sizeof *m);
}

static int geometry_constant(const json_t *constants, const char *name)
{
	int v = (int)json_integer_value(json_object_get(constants, name));
	return v > 0 ? v : 1;
}

/* The vector caches next to the ALUs. RDNA has an L0 in each CU; both of a WGP, its instance, are counted together. */
static struct set_geometry first_level_geometry(const json_t *o, int units)
{
	bool rdna = json_object_get(o, "l0_bytes");
	int line = rdna ? geometry_constant(o, "l0_line_bytes") : 64,
	    ways = geometry_constant(o, rdna ? "l0_ways" : "l1_ways");
	return (struct set_geometry){units, geometry_constant(o, rdna ? "l0_bytes" : "l1_bytes") / line / ways, ways};
}

struct set_geometry set_geometry_of(enum set_cache c, const json_t *o)
{
	struct set_geometry g = {0, 0, 0};
	int units = geometry_constant(o, "compute_units") / (json_object_get(o, "l0_bytes") ? 2 : 1),
	    engines = geometry_constant(o, "shader_engines"), per = units / engines,
	    shared = geometry_constant(o, "scalar_cus");
	switch (c) {
	case SET_L1: g = first_level_geometry(o, units); break;
	case SET_L2:
		g.instances = geometry_constant(o, "l2_channels");
		g.ways = geometry_constant(o, "l2_ways");
		g.sets =
			geometry_constant(o, "l2_bytes") / geometry_constant(o, "l2_line_bytes") / g.ways / g.instances;
		break;
	case SET_SCALAR:
		g = (struct set_geometry){engines * ((per + shared - 1) / shared),
			geometry_constant(o, "scalar_bytes") / 64 / geometry_constant(o, "scalar_ways"),
			geometry_constant(o, "scalar_ways")};
		break;
	default: g = (struct set_geometry){units, geometry_constant(o, "lds_banks"), 1};
	}
	return g;
}

/* Counts arrive ordered by instance and set. */
struct set_counts set_map_counts_at(const struct set_map *m, int set)
{
	for (int low = 0, high = m->count - 1; low <= high;) {
		int k = (low + high) / 2,
		    by = m->of[k][0] != m->instance ? m->of[k][0] - m->instance : m->of[k][1] - set;
		if (!by)
			return m->counts[k];
		if (by < 0)
			low = k + 1;
		else
			high = k - 1;
	}
	return (struct set_counts){{0}};
}

uint64_t set_map_max_count(const struct set_map *m)
{
	uint64_t most = 0;
	for (int k = 0; k < m->count; k++)
		if (m->of[k][0] == m->instance && m->counts[k].n[m->what] > most)
			most = m->counts[k].n[m->what];
	return most;
}

struct set_counts set_map_instance_total(const struct set_map *m, enum set_cache c, int instance)
{
	for (int k = 0; k < m->totals; k++)
		if (m->total[k].cache == c && m->total[k].instance == instance)
			return m->total[k].sum;
	return (struct set_counts){{0}};
}

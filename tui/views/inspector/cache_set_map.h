/* Hits, misses and evictions of the sets of one cache (or of the banks of one LDS) in a launch, and the totals of
 * every cache instance. */
#ifndef TUI_VIEWS_INSPECTOR_CACHE_SET_MAP_H
#define TUI_VIEWS_INSPECTOR_CACHE_SET_MAP_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* id, name in records, name of an instance, name of a set, the three counts */
/* clang-format off */
#define SET_CACHES(X) \
	X(L1,     "L1",     "CU",      "set",  "hits",   "misses",  "evictions") \
	X(L2,     "L2",     "channel", "set",  "hits",   "misses",  "evictions") \
	X(SCALAR, "scalar", "cache",   "set",  "hits",   "misses",  "evictions") \
	X(LDS,    "LDS",    "CU",      "bank", "dwords", "conflict cycles", "")
/* clang-format on */
#define SET_CACHE_ID(id, ...) SET_##id,
enum set_cache { SET_CACHES(SET_CACHE_ID) SET_CACHE_COUNT };
#undef SET_CACHE_ID
struct set_cache_info {
	const char *name, *instance, *set, *what[3];
};
const struct set_cache_info *set_cache_get_info(enum set_cache c);

struct set_counts {
	uint64_t n[3];
}; /* hits, misses, evictions */
struct set_total {
	enum set_cache cache;
	int instance;
	struct set_counts sum;
};

struct set_map {
	enum set_cache cache;
	int instance;
	bool loaded;  /* the sets of that cache are loaded */
	bool cut;     /* only some of its instances are loaded */
	int (*of)[2]; /* instance and set of each count; owned, as the other arrays */
	struct set_counts *counts;
	int count;
	struct set_total *total; /* instances that were used */
	int totals;
	/* what is shown */
	int what;   /* 0..2: hits, misses, evictions */
	int cursor; /* set */
};

void set_map_read(struct set_map *m, const json_t *sets); /* `sets`: "sets" of a record's "inside" */
void set_map_free(struct set_map *m);

/* The geometry of a cache, from the device record's "constants". */
struct set_geometry {
	int instances, sets, ways;
};
struct set_geometry set_geometry_of(enum set_cache c, const json_t *constants);

/* One set of the shown instance; zeros when it was not used. */
struct set_counts set_map_counts_at(const struct set_map *m, int set);
uint64_t set_map_max_count(const struct set_map *m); /* the largest shown count in the shown instance */
struct set_counts set_map_instance_total(const struct set_map *m, enum set_cache c, int instance);

#endif

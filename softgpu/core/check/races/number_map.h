/* A map from numbers (of pages, of dwords) to pointers. */
#ifndef SOFTGPU_CORE_CHECK_RACES_NUMBER_MAP_H
#define SOFTGPU_CORE_CHECK_RACES_NUMBER_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Open addressing; all zeros: empty. A pointer that it keeps is never NULL. */
struct number_map {
	struct number_slot {
		uint64_t number;
		void *value; /* NULL: unused */
	} * slot;
	size_t slots, count; /* slots: 0 or a power of two */
};

/* NULL: not there. */
void *number_map_find(const struct number_map *m, uint64_t number);
/* The number must not be there yet. The map does not own the value. False: out of memory. */
bool number_map_add(struct number_map *m, uint64_t number, void *value);
/* Frees each value and empties the map. */
void number_map_free_values(struct number_map *m);

#endif

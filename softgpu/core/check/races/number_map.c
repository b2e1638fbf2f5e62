#include "softgpu/core/check/races/number_map.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 1024 };

static size_t slot_of(const struct number_map *m, uint64_t number)
{
	size_t k = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (m->slots - 1);

	while (m->slot[k].value && m->slot[k].number != number)
		k = (k + 1) & (m->slots - 1);
	return k;
}

void *number_map_find(const struct number_map *m, uint64_t number)
{
	return m->slots ? m->slot[slot_of(m, number)].value : NULL;
}

static bool grow_slots(struct number_map *m)
{
	const size_t slots = m->slots ? 2 * m->slots : FIRST_SLOTS;
	struct number_map more = {.slot = calloc(slots, sizeof *more.slot), .slots = slots, .count = m->count};

	if (!more.slot)
		return false;
	for (size_t k = 0; k < m->slots; k++)
		if (m->slot[k].value)
			more.slot[slot_of(&more, m->slot[k].number)] = m->slot[k];
	free(m->slot);
	*m = more;
	return true;
}

bool number_map_add(struct number_map *m, uint64_t number, void *value)
{
	if (2 * m->count >= m->slots && !grow_slots(m))
		return false;
	m->slot[slot_of(m, number)] = (struct number_slot){number, value};
	m->count++;
	return true;
}

void number_map_free_values(struct number_map *m)
{
	for (size_t k = 0; k < m->slots; k++)
		free(m->slot[k].value);
	free(m->slot);
	*m = (struct number_map){0};
}

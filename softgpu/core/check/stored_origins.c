#include "softgpu/core/check/stored_origins.h"

#include <stdlib.h>
#include <string.h>

enum { STORES_MAX = 255 };

struct stored_origins {
	struct dword_origin {
		uint8_t store, lane; /* store: its place in the list, from 1 on; 0: unknown */
		uint16_t item[3];
	} of[ORIGIN_DWORDS];
	struct stored_origin *store; /* of waves, by their first work-item */
	unsigned count, capacity;
};

void stored_origins_close(struct stored_origins *o)
{
	if (o)
		free(o->store);
	free(o);
}

static bool is_same_store(const struct stored_origin *a, const struct stored_origin *b)
{
	return a->launch == b->launch && a->store.pc == b->store.pc && a->store.wave == b->store.wave &&
		!memcmp(a->store.group, b->store.group, sizeof a->store.group);
}

/* Its place from 1 on; 0: it is not there. */
static unsigned find_store(const struct stored_origins *o, const struct stored_origin *from)
{
	for (unsigned k = o->count; k-- > 0;)
		if (is_same_store(&o->store[k], from))
			return k + 1;
	return 0;
}

/* Those of which no dword is left. */
static void remove_overwritten(struct stored_origins *o)
{
	uint8_t moved[STORES_MAX + 1] = {0};
	unsigned kept = 0;

	for (unsigned k = 0; k < ORIGIN_DWORDS; k++)
		moved[o->of[k].store] = 1;
	for (unsigned k = 0; k < o->count; k++)
		if (moved[k + 1]) {
			o->store[kept] = o->store[k];
			moved[k + 1] = (uint8_t)++kept;
		}
	moved[0] = 0;
	for (unsigned k = 0; k < ORIGIN_DWORDS; k++)
		o->of[k].store = moved[o->of[k].store];
	o->count = kept;
}

static bool make_room(struct stored_origins *o)
{
	if (o->count == STORES_MAX)
		remove_overwritten(o);
	if (o->count < o->capacity)
		return true;
	const unsigned capacity = o->capacity ? 2 * o->capacity : 8;
	struct stored_origin *more = o->count < STORES_MAX ? realloc(o->store, capacity * sizeof *more) : NULL;
	if (!more)
		return false;
	o->store = more;
	o->capacity = capacity;
	return true;
}

static unsigned enter_store(struct stored_origins *o, const struct stored_origin *from)
{
	const unsigned known = find_store(o, from);

	if (known || !make_room(o) || o->count == STORES_MAX)
		return known;
	o->store[o->count++] = *from;
	return o->count;
}

void stored_origins_note(struct stored_origins **o, unsigned dword, const struct stored_origin *from)
{
	if (!*o && (!from || !(*o = calloc(1, sizeof **o))))
		return;
	struct dword_origin *d = &(*o)->of[dword];
	if (from && from->store.bytes < 4 && d->store && is_same_store(&(*o)->store[d->store - 1], from))
		return;
	d->store = 0;
	if (!from)
		return;
	d->store = (uint8_t)enter_store(*o, from);
	d->lane = (uint8_t)from->store.lane;
	for (unsigned k = 0; k < 3; k++)
		d->item[k] = (uint16_t)from->store.item[k];
}

bool stored_origins_find(const struct stored_origins *o, unsigned dword, struct stored_origin *out)
{
	if (!o || !o->of[dword].store)
		return false;
	*out = o->store[o->of[dword].store - 1];
	out->store.lane = o->of[dword].lane;
	for (unsigned k = 0; k < 3; k++)
		out->store.item[k] = o->of[dword].item[k];
	return true;
}

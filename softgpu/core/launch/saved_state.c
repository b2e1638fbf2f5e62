/* The state's bytes: the number of launches, GDS, then each cache: its ways and sets, and for each set that is not
 * empty its number, its tags and the ranks of its ways. Numbers are of this host's byte order (x86-64). */
#include "softgpu/core/launch/saved_state.h"

#include <stdlib.h>
#include <string.h>

#include "softgpu/core/launch/cold_caches.h"
#include "softgpu/core/state/gpu.h"

enum { WAYS_MAX = 64, LAST_SET = -1 };

/* --- the caches, in a fixed order --- */
static struct cache *cache_at(struct machine *m, uint32_t k)
{
	if (k < m->channels)
		return &m->channel[k].l2;
	k -= m->channels;
	if (k < m->channels)
		return &m->channel[k].l3;
	k -= m->channels;
	if (k < m->sqcs)
		return &m->sqc[k].code;
	return k == m->sqcs ? &m->fabric.tlb : NULL;
}

/* --- writing --- */
struct state_writer {
	uint8_t *data;
	size_t bytes, capacity;
	bool failed;
};

static void add_bytes(struct state_writer *w, const void *data, size_t bytes)
{
	if (w->bytes + bytes > w->capacity) {
		size_t capacity = 2 * w->capacity + bytes;
		uint8_t *more = realloc(w->data, capacity);
		if (!more) {
			w->failed = true;
			return;
		}
		w->data = more;
		w->capacity = capacity;
	}
	memcpy(w->data + w->bytes, data, bytes);
	w->bytes += bytes;
}

static bool is_empty_set(const struct cache *c, const uint8_t *set)
{
	const uint64_t *tag = (const uint64_t *)set;

	for (uint32_t way = 0; way < c->ways; way++)
		if (tag[way])
			return false;
	return true;
}

static void add_cache(struct state_writer *w, const struct cache *c)
{
	const int32_t end = LAST_SET;

	add_bytes(w, &c->ways, sizeof c->ways);
	add_bytes(w, &c->sets, sizeof c->sets);
	for (uint32_t k = 0; k < c->sets; k++) {
		const uint8_t *set = c->set + (size_t)k * c->set_bytes;
		if (is_empty_set(c, set))
			continue;
		add_bytes(w, &k, sizeof k);
		add_bytes(w, set, c->ways * sizeof(uint64_t));
		add_bytes(w, set + c->rank_at, c->ways);
	}
	add_bytes(w, &end, sizeof end);
}

uint8_t *gpu_save_state(const struct gpu *g, size_t *bytes)
{
	struct machine *m = (struct machine *)&g->m;
	struct state_writer w = {0};

	add_bytes(&w, &m->launches, sizeof m->launches);
	add_bytes(&w, m->gds, sizeof m->gds);
	for (uint32_t k = 0; cache_at(m, k); k++) {
		cache_forget_writes(cache_at(m, k)); /* as the next launch does when it begins */
		add_cache(&w, cache_at(m, k));
	}
	*bytes = w.bytes;
	if (!w.failed)
		return w.data;
	free(w.data);
	return NULL;
}

/* --- reading: the bytes may be anything --- */
struct state_reader {
	const uint8_t *data;
	size_t left;
};

static bool take_bytes(struct state_reader *r, void *out, size_t bytes)
{
	if (bytes > r->left)
		return false;
	memcpy(out, r->data, bytes);
	r->data += bytes;
	r->left -= bytes;
	return true;
}

/* Ranks are the numbers below `ways`, each once: a search for the last one ends. */
static bool are_ranks(const uint8_t *rank, uint32_t ways)
{
	uint64_t seen = 0;

	for (uint32_t way = 0; way < ways; way++)
		seen |= rank[way] < ways ? UINT64_C(1) << rank[way] : 0;
	return (uint32_t)__builtin_popcountll(seen) == ways;
}

static bool take_set(struct state_reader *r, struct cache *c, uint32_t k)
{
	uint8_t *set = c->set + (size_t)k * c->set_bytes, rank[WAYS_MAX];
	uint64_t tag[WAYS_MAX];

	if (!take_bytes(r, tag, c->ways * sizeof *tag) || !take_bytes(r, rank, c->ways) || !are_ranks(rank, c->ways))
		return false;
	c->filled = c->written = true;
	memcpy(set, tag, c->ways * sizeof *tag);
	memcpy(set + c->rank_at, rank, c->ways);
	for (uint32_t way = 0; way < c->ways; way++) {
		((uint32_t *)(set + c->brief_at))[way] = (uint32_t)(tag[way] & ~CACHE_MARKS);
		if (!rank[way])
			*(uint32_t *)(set + c->newest_at) = way;
	}
	return true;
}

static bool take_cache(struct state_reader *r, struct cache *c)
{
	uint32_t ways, sets;
	int32_t k;

	if (!take_bytes(r, &ways, sizeof ways) || !take_bytes(r, &sets, sizeof sets) || ways != c->ways ||
		sets != c->sets || ways > WAYS_MAX)
		return false;
	if (c->sets)
		cache_clear(c);
	for (;;) {
		if (!take_bytes(r, &k, sizeof k))
			return false;
		if (k == LAST_SET)
			return true;
		if (k < 0 || (uint32_t)k >= sets || !take_set(r, c, (uint32_t)k))
			return false;
	}
}

static bool take_state(struct machine *m, struct state_reader *r)
{
	if (!take_bytes(r, &m->launches, sizeof m->launches) || !take_bytes(r, m->gds, sizeof m->gds))
		return false;
	for (uint32_t k = 0; cache_at(m, k); k++)
		if (!take_cache(r, cache_at(m, k)))
			return false;
	return !r->left;
}

static void complete_fills(struct machine *m)
{
	for (uint32_t k = 0; cache_at(m, k); k++)
		if (cache_at(m, k)->sets)
			cache_complete_fills(cache_at(m, k));
}

bool gpu_restore_state(struct gpu *g, const uint8_t *state, size_t bytes)
{
	memory_clear_caches(&g->m);
	complete_fills(&g->m);
	if (take_state(&g->m, &(struct state_reader){state, bytes}))
		return true;
	memory_clear_caches(&g->m);
	return false;
}

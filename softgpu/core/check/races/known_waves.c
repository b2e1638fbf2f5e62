#include "softgpu/core/check/races/known_waves.h"

#include <stdlib.h>
#include <string.h>

enum { BITS = 4, CHILDREN = 1 << BITS, NODES_MAX = 1 << 22 };

/* Children of a leaf are clocks. */
struct known_node {
	uint32_t owners;
	uint32_t child[CHILDREN];
};

void known_waves_close(struct known_waves *k)
{
	free(k->node);
	*k = (struct known_waves){0};
}

void known_waves_begin(struct known_waves *k, uint64_t waves)
{
	k->count = k->free = 0;
	k->top = 0;
	while (waves > (uint64_t)CHILDREN << BITS * k->top)
		k->top++;
}

/* --- nodes --- */
static bool has_no_nodes(known_set s)
{
	return s == KNOWN_NOTHING || s == KNOWN_ALL;
}

/* KNOWN_ALL: there is no room. */
static uint32_t take_node(struct known_waves *k)
{
	uint32_t n = k->free;

	if (n) {
		k->free = k->node[n].child[0];
	} else {
		if (k->count + 1 >= k->capacity) {
			const uint32_t capacity = k->capacity ? 2 * k->capacity : 1024;
			struct known_node *more =
				capacity <= NODES_MAX ? realloc(k->node, capacity * sizeof *more) : NULL;
			if (!more)
				return KNOWN_ALL;
			k->node = more;
			k->capacity = capacity;
		}
		n = ++k->count;
	}
	k->node[n] = (struct known_node){.owners = 1};
	return n;
}

known_set known_waves_hold(struct known_waves *k, known_set s)
{
	if (!has_no_nodes(s))
		k->node[s].owners++;
	return s;
}

static void drop_node(struct known_waves *k, known_set s, unsigned level)
{
	if (has_no_nodes(s) || --k->node[s].owners)
		return;
	for (unsigned c = 0; level && c < CHILDREN; c++)
		drop_node(k, k->node[s].child[c], level - 1);
	k->node[s].child[0] = k->free;
	k->free = s;
}

void known_waves_drop(struct known_waves *k, known_set s)
{
	drop_node(k, s, k->top);
}

/* A node that may change: this one, or a copy if others have it. */
static uint32_t own_node(struct known_waves *k, uint32_t n, unsigned level)
{
	const uint32_t copy = k->node[n].owners == 1 ? n : take_node(k);

	if (copy == n)
		return n;
	if (copy != KNOWN_ALL) {
		memcpy(k->node[copy].child, k->node[n].child, sizeof k->node[n].child);
		for (unsigned c = 0; level && c < CHILDREN; c++)
			known_waves_hold(k, k->node[copy].child[c]);
	}
	k->node[n].owners--;
	return copy;
}

/* --- sets --- */
uint32_t known_waves_find(const struct known_waves *k, known_set s, uint32_t wave)
{
	for (unsigned level = k->top; !has_no_nodes(s); level--) {
		s = k->node[s].child[wave >> BITS * level & (CHILDREN - 1)];
		if (!level)
			return s;
	}
	return s;
}

static uint32_t add_to_node(struct known_waves *k, uint32_t n, unsigned level, uint32_t wave, uint32_t clock)
{
	const unsigned c = wave >> BITS * level & (CHILDREN - 1);

	if (n == KNOWN_ALL)
		return n;
	n = n ? own_node(k, n, level) : take_node(k);
	if (n == KNOWN_ALL)
		return n;
	uint32_t below = k->node[n].child[c];
	if (level)
		below = add_to_node(k, below, level - 1, wave, clock);
	else if (clock > below)
		below = clock;
	k->node[n].child[c] = below; /* `node` may have moved */
	return n;
}

known_set known_waves_add(struct known_waves *k, known_set s, uint32_t wave, uint32_t clock)
{
	return known_waves_find(k, s, wave) >= clock ? s : add_to_node(k, s, k->top, wave, clock);
}

/* Whether a has all of b. */
static bool node_covers(const struct known_waves *k, uint32_t a, uint32_t b, unsigned level)
{
	if (a == b || !b || a == KNOWN_ALL)
		return true;
	if (!a || b == KNOWN_ALL)
		return false;
	for (unsigned c = 0; c < CHILDREN; c++) {
		const uint32_t of_a = k->node[a].child[c], of_b = k->node[b].child[c];
		if (level ? !node_covers(k, of_a, of_b, level - 1) : of_b > of_a)
			return false;
	}
	return true;
}

static uint32_t join_nodes(struct known_waves *k, uint32_t a, uint32_t b, unsigned level)
{
	if (node_covers(k, a, b, level))
		return a;
	if (node_covers(k, b, a, level)) {
		known_waves_hold(k, b);
		drop_node(k, a, level);
		return b;
	}
	a = own_node(k, a, level);
	for (unsigned c = 0; a != KNOWN_ALL && c < CHILDREN; c++) {
		const uint32_t of_a = k->node[a].child[c], of_b = k->node[b].child[c];
		const uint32_t both = level ? join_nodes(k, of_a, of_b, level - 1) : of_a > of_b ? of_a : of_b;
		k->node[a].child[c] = both;
	}
	return a;
}

known_set known_waves_join(struct known_waves *k, known_set s, known_set other)
{
	return join_nodes(k, s, other, k->top);
}

#include "softgpu/core/memory/l2_exchange.h"

#include <stdlib.h>
#include <string.h>

#include "softgpu/core/memory/l2.h"
#include "softgpu/core/memory/store_stops.h"
#include "softgpu/core/timing/window_log.h"

enum { KEY_IDS = 1 << EVENT_TIE_BREAK_BITS, WINDOW_CYCLES_MAX = 1024 };
_Static_assert(DISPATCHER <= (int)KEY_IDS, "the low bits of keys are below KEY_IDS");

/* Requests in the order of their keys. */
struct l2_order {
	struct l2_request **by_id, **by_key;
	size_t room;
	uint32_t of_id[KEY_IDS + 1], of_cycle[WINDOW_CYCLES_MAX + 1];
};

bool l2_exchange_open(struct machine *m)
{
	m->order = calloc(1, sizeof *m->order);
	return m->order;
}

void l2_exchange_close(struct machine *m)
{
	for (uint32_t k = 0; m->cluster && k < m->clusters; k++) {
		struct cluster *c = &m->cluster[k];
		free(c->request.at);
		free(c->part.at);
		free(c->completion.at);
		free(c->fill.at);
		free(c->waiting.at);
		free(c->ended.at);
		free(c->deferred.at);
	}
	if (m->order) {
		free(m->order->by_id);
		free(m->order->by_key);
	}
	free(m->order);
}

/* --- order --- */
static unsigned id_of_key(uint64_t key)
{
	return key & (KEY_IDS - 1);
}

static void add_up(uint32_t *count, size_t n)
{
	uint32_t sum = 0;

	for (size_t k = 0; k < n; k++) {
		const uint32_t here = count[k];
		count[k] = sum;
		sum += here;
	}
}

static void make_room(struct l2_order *o, size_t requests)
{
	while (o->room < requests) {
		size_t room = o->room;
		o->by_id = cluster_grow_list(o->by_id, &room, sizeof *o->by_id);
		o->by_key = cluster_grow_list(o->by_key, &o->room, sizeof *o->by_key);
	}
}

/* Sorts by counting: by the low bits of the keys, then by the cycle. Each cluster's requests are in order already.
 * Returns the number. */
static size_t order_requests(struct machine *m)
{
	struct l2_order *o = m->order;
	const cycle_t begin = m->cluster->begin, cycles = m->cluster->end - begin;
	size_t all = 0;

	memset(o->of_id, 0, sizeof o->of_id);
	memset(o->of_cycle, 0, (cycles + 1) * sizeof *o->of_cycle);
	for (uint32_t k = 0; k < m->clusters; k++) {
		const struct cluster *c = &m->cluster[k];
		all += c->request.count;
		for (size_t n = 0; n < c->request.count; n++) {
			o->of_id[id_of_key(c->request.at[n].key)]++;
			o->of_cycle[(c->request.at[n].key >> EVENT_ID_BITS) - begin]++;
		}
	}
	make_room(o, all);
	add_up(o->of_id, KEY_IDS);
	add_up(o->of_cycle, cycles);
	for (uint32_t k = 0; k < m->clusters; k++)
		for (size_t n = 0; n < m->cluster[k].request.count; n++) {
			struct l2_request *r = &m->cluster[k].request.at[n];
			o->by_id[o->of_id[id_of_key(r->key)]++] = r;
		}
	for (size_t n = 0; n < all; n++)
		o->by_key[o->of_cycle[(o->by_id[n]->key >> EVENT_ID_BITS) - begin]++] = o->by_id[n];
	return all;
}

/* --- requests --- */
static cycle_t serve_store(struct machine *m, const struct l2_request *r)
{
	const cycle_t taken = l2_store(m, r->line, r->at, m->model.l2_line_cycles, NULL);

	if (r->memory && taken > r->at + m->model.l2_queue_cycles)
		store_stops_add(m, r->memory, r->at, taken - m->model.l2_queue_cycles);
	return taken;
}

static void serve_request(struct machine *m, struct l2_request *r)
{
	cycle_t t = 0;

	switch ((enum request_kind)r->kind) {
	case REQUEST_LOAD: t = l2_load(m, r->line, r->at, NULL); break;
	case REQUEST_STORE: t = serve_store(m, r); break;
	case REQUEST_ATOMIC: t = l2_atomic(m, r->line, r->at, r->same, NULL); break;
	case REQUEST_LATER: return;
	}
	r->done = max_u64(t + r->extra, r->floor);
	if (r->kind != REQUEST_LOAD)
		m->resident[0]->end = max_u64(m->resident[0]->end, r->done);
}

/* --- what depends on them --- */
static void resolve_later_requests(struct cluster *c)
{
	for (size_t n = 0; n < c->request.count; n++) {
		struct l2_request *r = &c->request.at[n];
		if (r->kind == REQUEST_LATER)
			r->done = max_u64(r->floor, c->request.at[r->line].done);
	}
}

static void resolve_fills(struct cluster *c)
{
	for (size_t n = 0; n < c->fill.count; n++) {
		const struct pending_fill f = c->fill.at[n];
		if (*f.ready == f.due)
			*f.ready = c->request.at[f.due - CYCLE_UNKNOWN].done;
	}
}

cycle_t completion_time(const struct cluster *c, cycle_t due)
{
	return due < CYCLE_UNKNOWN ? due : completion_of(c, due)->floor;
}

/* A completion depends on earlier ones only. */
static void resolve_completions(struct cluster *c)
{
	for (size_t n = 0; n < c->completion.count; n++) {
		struct completion *x = &c->completion.at[n];
		cycle_t t = max_u64(x->floor, max_u64(completion_time(c, x->before), completion_time(c, x->also)));
		for (uint64_t k = x->first; k < x->first + x->count; k++)
			t = max_u64(t, c->request.at[c->part.at[k]].done);
		x->floor = t;
		if (x->wave && x->wave->due[x->counter][x->slot] == COMPLETION_BASE + n)
			x->wave->due[x->counter][x->slot] = t;
	}
}

void l2_exchange_serve(struct machine *m)
{
	const size_t all = order_requests(m);

	for (size_t n = 0; n < all; n++)
		serve_request(m, m->order->by_key[n]);
	for (uint32_t k = 0; k < m->clusters; k++) {
		struct cluster *c = &m->cluster[k];
		resolve_later_requests(c);
		resolve_fills(c);
		resolve_completions(c);
		c->request.count = c->part.count = c->completion.count = c->fill.count = 0;
	}
}

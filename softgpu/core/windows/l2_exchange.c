#include "softgpu/core/windows/l2_exchange.h"

#include <stdlib.h>
#include <string.h>

#include "softgpu/core/memory/l2.h"
#include "softgpu/core/memory/window/overlay_merge.h"
#include "softgpu/core/memory/window/store_overlay.h"
#include "softgpu/core/memory/store_stops.h"
#include "softgpu/core/timing/counting_sort.h"
#include "softgpu/core/timing/window_log.h"

enum {
	KEY_IDS = 1 << EVENT_TIE_BREAK_BITS,
	FEW_REQUESTS = 24 /* those of some clusters, each in order: sooner sorted than counted */
};
_Static_assert(DISPATCHER <= (int)KEY_IDS, "the low bits of keys are below KEY_IDS");

/* A request to serve. */
struct ordered {
	uint64_t key;
	void *what; /* struct l2_request, or l2_query */
};

/* In the order of their keys. */
struct l2_order {
	struct ordered *by_id, *by_key;
	size_t count, room;
	uint32_t of_id[KEY_IDS + 1], of_cycle[WINDOW_CYCLES_MAX + 1];
};

void l2_exchange_close(struct machine *m)
{
	for (uint32_t k = 0; m->cluster && k < m->clusters; k++) {
		struct cluster *c = &m->cluster[k];
		free(c->request.at);
		free(c->query.at);
		free(c->part.at);
		free(c->completion.at);
		free(c->fill.at);
		free(c->waiting.at);
		free(c->started.at);
		free(c->ended.at);
		free(c->deferred.at);
		overlay_close(&c->stores);
		free(c->stopped);
	}
	for (uint32_t k = 0; m->view && k < m->views; k++) {
		merged_lines_close(m->view[k]->thread.merged);
		struct l2_order *o = m->view[k]->thread.order;
		if (!o)
			continue;
		free(o->by_id);
		free(o->by_key);
		free(o);
	}
}

/* --- order --- */
static unsigned id_of_key(uint64_t key)
{
	return key & (KEY_IDS - 1);
}

bool l2_channels_are_apart(const struct machine *m)
{
	return !m->channel->l3.sets && !model_is_ideal(&m->model, IDEAL_channels);
}

static uint32_t channel_of_request(const struct machine *m, const struct l2_request *r)
{
	uint64_t round;

	return l2_channel_number(m, r->line, &round);
}

static struct l2_query query_of(const struct cluster *c, size_t request)
{
	const struct l2_request *r = &c->request.at[request];

	return (struct l2_query){r->key, r->line, r->at, request, r->kind, r->same};
}

void l2_exchange_sort(const struct machine *m, struct cluster *c)
{
	uint32_t *from = c->channel_from;

	memset(from, 0, (m->channels + 1) * sizeof *from);
	for (size_t n = 0; n < c->request.count; n++)
		if (c->request.at[n].kind != REQUEST_LATER)
			from[channel_of_request(m, &c->request.at[n])]++;
	counts_add_up(from, m->channels);
	while (c->query.room < c->request.count)
		c->query.at = cluster_grow_list(c->query.at, &c->query.room, sizeof *c->query.at);
	for (size_t n = 0; n < c->request.count; n++)
		if (c->request.at[n].kind != REQUEST_LATER)
			c->query.at[from[channel_of_request(m, &c->request.at[n])]++] = query_of(c, n);
	counts_step_back(from, m->channels);
}

static struct l2_order *begin_order(struct machine *m)
{
	struct l2_order *o = m->thread.order;

	if (!o && !(o = m->thread.order = calloc(1, sizeof *o)))
		abort(); /* as cluster_grow_list */
	memset(o->of_id, 0, sizeof o->of_id);
	memset(o->of_cycle, 0, (m->cluster->end - m->cluster->begin + 1) * sizeof *o->of_cycle);
	o->count = 0;
	return o;
}

static void make_room(struct l2_order *o, size_t more)
{
	while (o->room < o->count + more) {
		size_t room = o->room;
		o->by_id = cluster_grow_list(o->by_id, &room, sizeof *o->by_id);
		o->by_key = cluster_grow_list(o->by_key, &o->room, sizeof *o->by_key);
	}
}

static void add_to_order(struct l2_order *o, cycle_t begin, uint64_t key, void *what)
{
	o->of_id[id_of_key(key)]++;
	o->of_cycle[(key >> EVENT_ID_BITS) - begin]++;
	o->by_key[o->count++] = (struct ordered){key, what};
}

static void add_queries_of_channel(struct l2_order *o, const struct cluster *c, uint32_t channel)
{
	const uint32_t from = c->channel_from[channel], to = c->channel_from[channel + 1];

	make_room(o, to - from);
	for (struct l2_query *q = c->query.at + from; q < c->query.at + to; q++)
		add_to_order(o, c->begin, q->key, q);
}

static void add_requests(struct l2_order *o, const struct cluster *c)
{
	make_room(o, c->request.count);
	for (struct l2_request *r = c->request.at; r < c->request.at + c->request.count; r++)
		if (r->kind != REQUEST_LATER)
			add_to_order(o, c->begin, r->key, r);
}

static void sort_by_insertion(struct ordered *at, size_t count)
{
	for (size_t n = 1; n < count; n++) {
		const struct ordered x = at[n];
		size_t k = n;
		for (; k && at[k - 1].key > x.key; k--)
			at[k] = at[k - 1];
		at[k] = x;
	}
}

/* Sorts by counting: by the low bits of the keys, then by the cycle. Requests with the same key are of one CU, and stay
 * in the order in which it made them, in each channel. */
static void end_order(const struct machine *m, struct l2_order *o)
{
	const cycle_t begin = m->cluster->begin;

	if (o->count <= FEW_REQUESTS) {
		sort_by_insertion(o->by_key, o->count);
		return;
	}
	counts_add_up(o->of_id, KEY_IDS);
	counts_add_up(o->of_cycle, m->cluster->end - begin);
	for (size_t n = 0; n < o->count; n++)
		o->by_id[o->of_id[id_of_key(o->by_key[n].key)]++] = o->by_key[n];
	for (size_t n = 0; n < o->count; n++)
		o->by_key[o->of_cycle[(o->by_id[n].key >> EVENT_ID_BITS) - begin]++] = o->by_id[n];
}

/* --- requests --- */
/* Returns what L2 says. */
static inline cycle_t serve_request(struct machine *m, enum request_kind kind, uint64_t line, cycle_t at, unsigned same)
{
	switch (kind) {
	case REQUEST_LOAD: return l2_load(m, line, at, NULL);
	case REQUEST_STORE: return l2_store(m, line, at, m->model.l2_line_cycles, NULL);
	case REQUEST_ATOMIC: return l2_atomic(m, line, at, same, NULL);
	case REQUEST_LATER: break;
	}
	return at;
}

void l2_exchange_serve_channel(struct machine *m, uint32_t channel)
{
	struct l2_order *o = begin_order(m);

	for (uint32_t k = 0; k < m->clusters; k++)
		add_queries_of_channel(o, &m->cluster[k], channel);
	end_order(m, o);
	for (size_t n = 0; n < o->count; n++) {
		struct l2_query *q = o->by_key[n].what;
		q->at = serve_request(m, q->kind, q->line, q->at, q->same);
	}
}

void l2_exchange_serve_all(struct machine *m)
{
	struct l2_order *o = begin_order(m);

	for (uint32_t k = 0; k < m->clusters; k++)
		add_requests(o, &m->cluster[k]);
	end_order(m, o);
	for (size_t n = 0; n < o->count; n++) {
		struct l2_request *r = o->by_key[n].what;
		r->done = serve_request(m, r->kind, r->line, r->at, r->same);
	}
}

/* --- what depends on them --- */
/* r->done is when the channel accepted the store. */
static void stop_cu(const struct machine *m, const struct l2_request *r)
{
	if (r->memory && r->done > r->at + m->model.l2_queue_cycles)
		store_stops_add(m, r->memory, r->at, r->done - m->model.l2_queue_cycles);
}

static void read_answers(const struct machine *m, struct cluster *c)
{
	for (uint32_t n = 0; n < c->channel_from[m->channels]; n++)
		c->request.at[c->query.at[n].request].done = c->query.at[n].at;
}

static void resolve_requests(const struct machine *m, struct cluster *c)
{
	for (size_t n = 0; n < c->request.count; n++) {
		struct l2_request *r = &c->request.at[n];
		if (r->kind == REQUEST_LATER) {
			r->done = max_u64(r->floor, c->request.at[r->line].done);
			continue;
		}
		if (r->kind == REQUEST_STORE)
			stop_cu(m, r);
		r->done = max_u64(r->done + r->extra, r->floor);
		if (r->kind != REQUEST_LOAD)
			c->latest = max_u64(c->latest, r->done);
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

void l2_exchange_resolve(const struct machine *m, struct cluster *c, bool by_channel)
{
	if (by_channel)
		read_answers(m, c);
	resolve_requests(m, c);
	resolve_fills(c);
	resolve_completions(c);
	c->request.count = c->part.count = c->completion.count = c->fill.count = 0;
}

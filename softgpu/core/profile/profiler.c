#include "softgpu/core/profile/profiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/memory/lds_timing.h"
#include "softgpu/core/profile/wave_trace.h"
#include "softgpu/isa/isa.h"

enum { FIRST_ROWS = 1024 };

/* What a wave's cycles up to `at` went to. The last instruction's own issue cycles are owed until the next one shows
 * that they passed. */
struct watched {
	uint64_t at;
	uint64_t owed;
	const struct uop *last;
	uint64_t account[STALL_REASON_COUNT];
	struct access_path path; /* of the access being made */
	struct access_path vm[VM_COUNT_MAX + 1],
		lgkm[LGKM_COUNT_MAX + 1]; /* of those in flight, in their places, waitcnt.h */
	struct access_path drain;         /* of the store that is through last */
	struct softgpu_span where;        /* what its spans have in common */
	size_t span;                      /* the last one */
};

/* An instruction, by where it lies in the code cache. */
struct row {
	const struct uop *i;
	uint64_t count, issue, stall[STALL_REASON_COUNT];
};

/* A point on the way that led to the end of the launch: what the cycles before `at` went to. */
struct way {
	uint64_t at, account[STALL_REASON_COUNT];
};

struct profiler {
	struct watched *wave; /* by SIMD and slot */
	uint64_t *stopped;    /* by CU: until when channels keep its address stage from taking more */
	struct row *row;      /* a hash table */
	size_t rows, used;
	struct way dispatcher, last; /* the dispatcher's; that of the wave that finished last */
	struct watched *ending;
	struct profile_events *events;
	uint64_t entry_pc;
	struct softgpu_instruction *seen; /* at the end of the launch */
	size_t seen_count;
	bool complete; /* the launch came to its end */
};

static struct watched *watched(const struct wave *w)
{
	return &w->m->profiler->wave[w->simd->number * MAX_WAVES_PER_SIMD + w->slot];
}

/* --- instructions --- */
static struct row *place(struct row *rows, size_t count, const struct uop *i)
{
	size_t k = ((uintptr_t)i / sizeof *i * 0x9e3779b97f4a7c15u >> 20) & (count - 1);

	while (rows[k].i && rows[k].i != i)
		k = (k + 1) & (count - 1);
	return &rows[k];
}

static bool grow(struct profiler *in)
{
	size_t count = in->rows ? 2 * in->rows : FIRST_ROWS;
	struct row *rows = calloc(count, sizeof *rows);

	if (!rows)
		return false;
	for (size_t k = 0; k < in->rows; k++)
		if (in->row[k].i)
			*place(rows, count, in->row[k].i) = in->row[k];
	free(in->row);
	in->row = rows;
	in->rows = count;
	return true;
}

/* The instruction's row. */
static struct row *row_of(struct profiler *in, const struct uop *i)
{
	struct row *r = place(in->row, in->rows, i);

	if (r->i)
		return r;
	if (2 * in->used >= in->rows) {
		if (!grow(in))
			abort();
		r = place(in->row, in->rows, i);
	}
	in->used++;
	r->i = i;
	return r;
}

/* --- cycles --- */
static enum stall_reason issue_cause(const struct uop *i)
{
	switch (i->unit) {
	case UNIT_VALU: return STALL_VALU;
	case UNIT_BRANCH: return STALL_BRANCH;
	case UNIT_SMEM:
	case UNIT_VMEM:
	case UNIT_FLAT:
	case UNIT_LDS: return STALL_MEMORY;
	default: return STALL_SALU;
	}
}

static void span(struct profiler *in, struct watched *v, const struct uop *i, enum stall_reason cause, bool issue,
	uint64_t until)
{
	struct softgpu_span s = v->where;

	if (!in->events)
		return;
	s.start = v->at;
	s.end = until;
	s.offset = (int64_t)(i->pc - in->entry_pc);
	s.cause = cause;
	s.issue = issue;
	profile_events_add_span(in->events, &s, &v->span);
}

/* The wave stalls until cycle `until` at instruction i. */
static void stall(struct profiler *in, struct watched *v, const struct uop *i, enum stall_reason cause, uint64_t until)
{
	if (until <= v->at)
		return;
	v->account[cause] += until - v->at;
	row_of(in, i)->stall[cause] += until - v->at;
	span(in, v, i, cause, false, until);
	v->at = until;
}

/* The same for what the access is doing meanwhile. */
static void stall_for(
	struct profiler *in, struct watched *v, const struct uop *i, const struct access_path *p, uint64_t until)
{
	for (uint32_t k = 0; k < p->count; k++)
		stall(in, v, i, p->cause[k], min_u64(p->until[k], until));
	stall(in, v, i, p->count ? p->cause[p->count - 1] : STALL_UNIT, until);
}

/* What the last instruction has still to issue, as far as it could by cycle t. */
static void settle(struct profiler *in, struct watched *v, uint64_t t)
{
	uint64_t cycles = v->at < t ? min_u64(v->owed, t - v->at) : 0;

	v->owed = 0;
	if (!cycles)
		return;
	v->account[issue_cause(v->last)] += cycles;
	row_of(in, v->last)->issue += cycles;
	span(in, v, v->last, issue_cause(v->last), true, v->at + cycles);
	v->at += cycles;
}

/* Why the instruction behind `last` could not come earlier than its wave's next cycle, and which of the two is to
 * blame. */
static enum stall_reason delay(const struct uop *last, const struct uop *i, const struct uop **blame)
{
	*blame = last;
	if (last && last->kind == UOP_BARRIER)
		return STALL_BARRIER;
	if (last && last->d.op == OP_s_sleep)
		return STALL_SLEEP;
	if (last && last->kind == UOP_BRANCH && !(i == last + last->words && i->fetch_stall))
		return STALL_BRANCH;
	*blame = i;
	return i->fetch_stall ? STALL_FETCH : STALL_UNIT;
}

/* Everything before cycle t, at which the wave issues i or tries to. */
static void catch_up(struct wave *w, struct watched *v, const struct uop *i, uint64_t t)
{
	struct profiler *in = w->m->profiler;
	const struct uop *blame;

	settle(in, v, t);
	enum stall_reason cause = delay(v->last, i, &blame);
	stall(in, v, blame, cause, min_u64(w->next, t));
	stall(in, v, i, STALL_UNIT, t);
}

void profiler_record_issue(struct wave *w, const struct uop *i, uint64_t t)
{
	struct watched *v = watched(w);

	if (!i->d.size) /* no instruction: it leads to the next page */
		return;
	catch_up(w, v, i, t);
	trace_issue(w, i, t);
	row_of(w->m->profiler, i)->count++;
	v->last = i;
	v->owed = i->cost;
	if (i->kind == UOP_ENDPGM)
		w->m->profiler->ending = v;
}

void profiler_record_backpressure(struct wave *w, const struct uop *i, uint64_t t, uint64_t until)
{
	struct watched *v = watched(w);
	struct access_path p;

	catch_up(w, v, i, t);
	access_path_begin(&p, t);
	profiler_add_address_stage(w->simd->cu, &p, until);
	stall_for(w->m->profiler, v, i, &p, until);
}

void profiler_record_fetch(struct wave *w, const struct uop *i, uint64_t t, uint64_t until)
{
	struct watched *v = watched(w);

	catch_up(w, v, i, t);
	stall(w->m->profiler, v, i, STALL_ICACHE, until);
}

static struct access_path *path_ring(struct watched *v, enum waitcnt_kind kind)
{
	return kind == WAITCNT_VM ? v->vm : v->lgkm;
}

void profiler_record_wait(struct wave *w, unsigned vm, unsigned lgkm)
{
	struct profiler *in = w->m->profiler;
	struct watched *v = watched(w);

	const unsigned left[WAITCNT_KINDS] = {[WAITCNT_VM] = vm, [WAITCNT_LGKM] = lgkm};

	for (int kind = WAITCNT_KINDS - 1; kind >= 0; kind--)
		if (w->waitcnt[kind].count > left[kind]) {
			const unsigned last = w->waitcnt[kind].count - left[kind] - 1;
			stall_for(in, v, v->last, &path_ring(v, kind)[waitcnt_ring_index(w, kind, last)],
				waitcnt_completion(w, kind, last));
		}
}

/* --- accesses --- */
struct access_path *profiler_new_access_path(struct wave *w)
{
	return &watched(w)->path;
}

void profiler_record_counter_full(struct wave *w, enum waitcnt_kind kind, uint64_t until)
{
	struct watched *v = watched(w);

	settle(w->m->profiler, v, v->at + v->owed);
	stall_for(w->m->profiler, v, v->last, &path_ring(v, kind)[waitcnt_ring_index(w, kind, 0)], until);
}

/* Accesses come back in order: one that alone would be through no later goes the way of the one before. */
void profiler_commit_access(struct wave *w, enum waitcnt_kind kind)
{
	struct watched *v = watched(w);
	const unsigned before = w->waitcnt[kind].count - 1;
	struct access_path *ring = path_ring(v, kind), *last = &ring[waitcnt_ring_index(w, kind, before - 1)];

	trace_complete_access(w, &v->path, waitcnt_completion(w, kind, before));
	ring[waitcnt_ring_index(w, kind, before)] =
		before && access_path_end(last) >= access_path_end(&v->path) ? *last : v->path;
}

void profiler_record_drain(struct wave *w, const struct access_path *p)
{
	struct watched *v = watched(w);

	if (access_path_end(p) > access_path_end(&v->drain))
		v->drain = *p;
}

void profiler_record_cu_stall(struct cu *cu, uint64_t until)
{
	uint64_t *stopped = &cu->m->profiler->stopped[cu - cu->m->cu];

	*stopped = max_u64(*stopped, until);
}

void profiler_add_address_stage(const struct cu *cu, struct access_path *p, uint64_t until)
{
	access_path_add(p, STALL_CHANNEL_QUEUE, min_u64(cu->m->profiler->stopped[cu - cu->m->cu], until));
	access_path_add(p, STALL_L1_QUEUE, until);
}

/* --- sets and banks --- */
void profiler_record_cache(struct machine *m, enum cache_kind cache, size_t instance, uint64_t set, bool hit)
{
	trace_cache_answer(m, cache, hit);
	profile_events_count(m->profiler->events, cache, instance, set, hit ? CACHE_EVENT_HIT : CACHE_EVENT_MISS, 1);
}

void profiler_record_eviction(struct machine *m, enum cache_kind cache, size_t instance, uint64_t set, uint64_t tag)
{
	if (tag)
		profile_events_count(m->profiler->events, cache, instance, set, CACHE_EVENT_EVICTION, 1);
}

void profiler_record_banks(struct wave *w, const uint32_t *at, uint64_t e, unsigned dwords, bool atomic)
{
	const struct machine *m = w->m;
	uint32_t count[64] = {0}, over[64] = {0}, cu = w->simd->cu - m->cu;

	trace_lds_access(w, at, e, dwords, atomic);
	if (!m->profiler->events)
		return;
	lds_count_bank_dwords(&m->model, at, e, dwords, atomic, count, over);
	for (uint32_t b = 0; b < m->model.lds_banks; b++) {
		profile_events_count(m->profiler->events, CACHE_LDS, cu, b, CACHE_EVENT_HIT, count[b]);
		profile_events_count(m->profiler->events, CACHE_LDS, cu, b, CACHE_EVENT_MISS, over[b]);
	}
}

/* --- the critical path --- */
static void way_of(struct way *way, const struct watched *v)
{
	way->at = v->at;
	memcpy(way->account, v->account, sizeof way->account);
}

void profiler_record_dispatch(struct machine *m, uint64_t t)
{
	struct way *d = &m->profiler->dispatcher;

	if (t <= d->at)
		return;
	d->account[STALL_DISPATCH] += t - d->at;
	d->at = t;
}

void profiler_record_freed_slot(struct machine *m, uint64_t t)
{
	if (m->profiler->ending && m->profiler->ending->at == t)
		way_of(&m->profiler->dispatcher, m->profiler->ending);
}

void profiler_record_start(struct wave *w, uint64_t start)
{
	const struct way *d = &w->m->profiler->dispatcher;
	struct watched *v = watched(w);

	w->m->profiler->entry_pc = w->m->launch.entry_pc;
	v->at = start;
	v->owed = 0;
	v->last = NULL;
	v->span = 0;
	v->where = (struct softgpu_span){.wave = w->m->sums.waves - 1,
		.cu = w->simd->number / SIMDS,
		.simd = w->simd->number % SIMDS,
		.slot = w->slot};
	v->drain.count = 0;
	v->drain.begin = 0;
	memcpy(v->account, d->account, sizeof v->account);
	v->account[STALL_DISPATCH] += start - d->at;
	profile_events_add_wave(w->m->profiler->events, v->where.cu);
	trace_start(w);
}

void profiler_record_finish(struct wave *w, uint64_t t)
{
	struct profiler *in = w->m->profiler;
	struct watched *v = watched(w);

	trace_finish(w);
	settle(in, v, t + v->owed);
	stall_for(in, v, v->last, &v->drain, access_path_end(&v->drain));
	in->ending = NULL;
	if (v->at > in->last.at)
		way_of(&in->last, v);
}

/* --- a launch --- */
void profiler_free(struct machine *m)
{
	struct profiler *in = m->last_profile;

	if (in) {
		free(in->wave);
		free(in->stopped);
		free(in->row);
		free(in->seen);
		profile_events_close(in->events);
	}
	free(in);
	m->last_profile = m->profiler = NULL;
}

void profiler_begin(struct machine *m, unsigned what)
{
	struct profiler *in;

	profiler_free(m);
	if (!what)
		return;
	in = m->last_profile = calloc(1, sizeof *in);
	if (!in)
		return;
	in->wave = calloc((size_t)m->cus * SIMDS * MAX_WAVES_PER_SIMD, sizeof *in->wave);
	in->stopped = calloc(m->cus, sizeof *in->stopped);
	in->events = profile_events_open(m, what);
	if (in->wave && in->stopped && grow(in))
		m->profiler = in;
	else
		profiler_free(m);
	trace_begin(m);
}

static int by_address(const void *a, const void *b)
{
	const struct softgpu_instruction *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

/* The code cache may have forgotten its instructions by the time somebody asks. */
static void keep_profile(struct machine *m, struct profiler *in)
{
	in->seen = calloc(in->used + 1, sizeof *in->seen);
	for (size_t k = 0; k < in->rows && in->seen; k++) {
		const struct row *r = &in->row[k];
		if (!r->i)
			continue;
		struct softgpu_instruction *s = &in->seen[in->seen_count++];
		s->offset = (int64_t)(r->i->pc - m->launch.entry_pc);
		s->count = r->count;
		s->issue = r->issue;
		memcpy(s->stall, r->stall, sizeof s->stall);
		isa_print(&r->i->d, r->i->pc, s->text, sizeof s->text);
	}
	if (in->seen)
		qsort(in->seen, in->seen_count, sizeof *in->seen, by_address);
}

void profiler_end(struct machine *m)
{
	struct profiler *in = m->profiler;

	m->profiler = NULL;
	if (!in)
		return;
	in->complete = !m->halt;
	keep_profile(m, in);
	if (m->launch.end <= in->last.at)
		return;
	m->profiler = in; /* the dispatcher was busy longer than any wave */
	profiler_record_dispatch(m, m->launch.end);
	m->profiler = NULL;
	in->last = in->dispatcher;
}

/* --- what has been seen --- */
size_t profiler_read_breakdown(const struct machine *m, struct softgpu_cycles *out, size_t max)
{
	static const struct softgpu_cycles names[] = {
#define STALL_REASON(id, stack, label, letter, family, help, phrase) {"CYCLES_" #id, help, 0},
#include "softgpu/stall_reasons.def"
#undef STALL_REASON
	};

	if (!m->last_profile || !m->last_profile->complete)
		return 0;
	for (size_t k = 0; k < STALL_REASON_COUNT && k < max; k++) {
		out[k] = names[k];
		out[k].cycles = m->last_profile->last.account[k];
	}
	return STALL_REASON_COUNT;
}

size_t profiler_read_profile(const struct machine *m, struct softgpu_instruction *out, size_t max)
{
	const struct profiler *in = m->last_profile;

	if (!in || !in->seen)
		return 0;
	memcpy(out, in->seen, (max < in->seen_count ? max : in->seen_count) * sizeof *out);
	return in->seen_count;
}

const struct profile_events *profiler_get_events(const struct machine *m)
{
	return m->last_profile ? m->last_profile->events : NULL;
}

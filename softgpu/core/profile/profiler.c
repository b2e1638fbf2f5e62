#include "softgpu/core/profile/profiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/timing/line_dependencies.h"
#include "softgpu/core/memory/lds_timing.h"
#include "softgpu/core/profile/wave_trace.h"
#include "softgpu/isa/isa.h"

enum { FIRST_ENTRIES = 1024 };

/* A point on the critical path, and the breakdown of the cycles before it. */
struct critical_path {
	cycle_t at;
	uint64_t breakdown[STALL_REASON_COUNT];
};

/* The cycles of a wave up to `at`. The issue cycles of its last instruction are pending until the next one shows that
 * they have passed. */
struct wave_profile {
	cycle_t at;
	cycle_t pending;
	const struct uop *last;
	uint64_t breakdown[STALL_REASON_COUNT];
	struct access_path path;                                     /* of the current access */
	struct access_path outstanding[WAITCNT_KINDS][WAITCNT_RING]; /* rings, waitcnt.h */
	struct access_path drain;                                    /* of the store that completes last */
	struct softgpu_span where;                                   /* fields that are the same in all its spans; how
	                                                                many instructions the next one has issued */
	size_t span;                                                 /* the last one */
	struct critical_path end; /* of a wave whose room the dispatcher does not know to be free yet */
};

/* The profile of an instruction, which is identified by its address in the decode cache. */
struct inst_profile {
	const struct uop *i;
	uint64_t count, issue, stall[STALL_REASON_COUNT];
};

struct profiler {
	struct wave_profile *wave;  /* by SIMD and slot */
	cycle_t *stopped;           /* by CU: until when L2 channels stop its address stage */
	struct inst_profile *insts; /* hash table */
	size_t capacity, used;
	struct critical_path dispatcher, last; /* of the dispatcher; of the wave that finished last */
	struct wave_profile *ending;
	const struct critical_path *freed; /* of the wave whose room becomes free now, later than it ended; else NULL */
	struct profile_events *events;
	uint64_t entry_pc;
	struct softgpu_instruction *result; /* set at the end of the launch */
	size_t result_count;
	bool complete; /* the launch was not halted */
};

static struct wave_profile *profile_of(const struct wave *w)
{
	return &w->m->profiler->wave[w->simd->number * MAX_WAVES_PER_SIMD + w->slot];
}

/* --- instructions --- */
static struct inst_profile *find_inst_entry(struct inst_profile *rows, size_t count, const struct uop *i)
{
	size_t k = ((uintptr_t)i / sizeof *i * 0x9e3779b97f4a7c15u >> 20) & (count - 1);

	while (rows[k].i && rows[k].i != i)
		k = (k + 1) & (count - 1);
	return &rows[k];
}

static bool grow_table(struct profiler *in)
{
	size_t count = in->capacity ? 2 * in->capacity : FIRST_ENTRIES;
	struct inst_profile *rows = calloc(count, sizeof *rows);

	if (!rows)
		return false;
	for (size_t k = 0; k < in->capacity; k++)
		if (in->insts[k].i)
			*find_inst_entry(rows, count, in->insts[k].i) = in->insts[k];
	free(in->insts);
	in->insts = rows;
	in->capacity = count;
	return true;
}

static struct inst_profile *entry_of(struct profiler *in, const struct uop *i)
{
	struct inst_profile *r = find_inst_entry(in->insts, in->capacity, i);

	if (r->i)
		return r;
	if (2 * in->used >= in->capacity) {
		if (!grow_table(in))
			abort();
		r = find_inst_entry(in->insts, in->capacity, i);
	}
	in->used++;
	r->i = i;
	return r;
}

/* --- cycles --- */
static enum stall_reason issue_reason(const struct uop *i)
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

static void add_profile_span(struct profiler *in, struct wave_profile *v, const struct uop *i, enum stall_reason reason,
	bool issue, cycle_t until)
{
	struct softgpu_span s = v->where;

	if (!in->events)
		return;
	s.start = v->at;
	s.end = until;
	s.offset = (int64_t)(i->pc - in->entry_pc);
	s.cause = reason;
	s.issue = issue;
	v->where.issued = 0;
	profile_events_add_span(in->events, &s, &v->span);
}

/* The wave stalls at instruction i until cycle `until`. */
static void add_stall(
	struct profiler *in, struct wave_profile *v, const struct uop *i, enum stall_reason reason, cycle_t until)
{
	if (until <= v->at)
		return;
	v->breakdown[reason] += until - v->at;
	entry_of(in, i)->stall[reason] += until - v->at;
	add_profile_span(in, v, i, reason, false, until);
	v->at = until;
}

/* The same, for the reasons in the path of an access. */
static void add_stalls_of_path(
	struct profiler *in, struct wave_profile *v, const struct uop *i, const struct access_path *p, cycle_t until)
{
	for (uint32_t k = 0; k < p->count; k++)
		add_stall(in, v, i, p->reason[k], min_u64(p->until[k], until));
	add_stall(in, v, i, p->count ? p->reason[p->count - 1] : STALL_UNIT, until);
}

/* Adds the pending issue cycles of the last instruction, as far as they have passed by cycle t. */
static void settle_pending_issue(struct profiler *in, struct wave_profile *v, cycle_t t)
{
	cycle_t cycles = v->at < t ? min_u64(v->pending, t - v->at) : 0;

	v->pending = 0;
	if (!cycles)
		return;
	const cycle_t banks = min_u64(v->last->bank_cycles, cycles - 1), issue = cycles - banks;

	v->breakdown[issue_reason(v->last)] += issue;
	entry_of(in, v->last)->issue += issue;
	add_profile_span(in, v, v->last, issue_reason(v->last), true, v->at + issue);
	v->at += issue;
	add_stall(in, v, v->last, STALL_VGPR_BANK, v->at + banks);
}

/* What i waits for besides its fetch. */
static enum stall_reason operand_reason(const struct uop *i)
{
	if (i->dependency & AWAITS_RESULTS)
		return STALL_DEPENDENCY;
	return i->dependency & USES_MATRIX_CORE ? STALL_MATRIX : STALL_UNIT;
}

/* Why instruction i, after `last`, cannot issue before w->next, and which of the two is charged. */
static enum stall_reason delay_reason(const struct uop *last, const struct uop *i, const struct uop **blame)
{
	*blame = last;
	if (last && (last->kind == UOP_BARRIER || last->kind == UOP_GLOBAL_SYNC))
		return STALL_BARRIER;
	if (last && last->d.op == OP_s_sleep)
		return STALL_SLEEP;
	if (last && last->kind == UOP_BRANCH && !(i == last + last->words && i->fetch_stall))
		return STALL_BRANCH;
	*blame = i;
	return i->fetch_stall ? STALL_FETCH : operand_reason(i);
}

/* Adds all cycles before t, at which the wave issues i or tries to. */
static void catch_up_to(struct wave *w, struct wave_profile *v, const struct uop *i, cycle_t t)
{
	struct profiler *in = w->m->profiler;
	const struct uop *blame;

	settle_pending_issue(in, v, t);
	enum stall_reason reason = delay_reason(v->last, i, &blame);
	if (reason == STALL_FETCH && operand_reason(i) != STALL_UNIT) { /* it may wait longer than for the fetch */
		add_stall(in, v, i, STALL_FETCH, min_u64(v->at + i->fetch_stall, min_u64(w->next, t)));
		reason = operand_reason(i);
	}
	add_stall(in, v, blame, reason, min_u64(w->next, t));
	add_stall(in, v, i, STALL_UNIT, t);
}

void profiler_record_issue(struct wave *w, const struct uop *i, cycle_t t)
{
	struct wave_profile *v = profile_of(w);

	if (!i->d.size) /* not an instruction: links to the next page of the decode cache */
		return;
	catch_up_to(w, v, i, t);
	trace_issue(w, i, t);
	entry_of(w->m->profiler, i)->count++;
	v->last = i;
	v->pending = i->cost;
	v->where.issued++;
	if (i->kind == UOP_ENDPGM)
		w->m->profiler->ending = v;
}

void profiler_record_backpressure(struct wave *w, const struct uop *i, cycle_t t, cycle_t until)
{
	struct wave_profile *v = profile_of(w);
	struct access_path p;

	catch_up_to(w, v, i, t);
	access_path_begin(&p, t);
	profiler_add_address_stage(w->simd->cu, &p, until);
	add_stalls_of_path(w->m->profiler, v, i, &p, until);
}

void profiler_record_end_wait(struct wave *w, const struct uop *i, cycle_t t)
{
	struct wave_profile *v = profile_of(w);

	catch_up_to(w, v, i, t);
	for (int kind = WAITCNT_KINDS - 1; kind >= 0; kind--)
		if (w->waitcnt[kind].count) {
			const unsigned last = w->waitcnt[kind].count - 1;
			add_stalls_of_path(w->m->profiler, v, i,
				&v->outstanding[kind][waitcnt_ring_index(w, kind, last)],
				waitcnt_completion(w, kind, last));
		}
}

void profiler_record_fetch(struct wave *w, const struct uop *i, cycle_t t, cycle_t until)
{
	struct wave_profile *v = profile_of(w);

	catch_up_to(w, v, i, t);
	add_stall(w->m->profiler, v, i, STALL_ICACHE, until);
}

void profiler_record_wait(struct wave *w, const struct uop *i)
{
	struct profiler *in = w->m->profiler;
	struct wave_profile *v = profile_of(w);

	const unsigned left[WAITCNT_KINDS] = {
		[WAITCNT_VM] = i->wait_vm, [WAITCNT_VS] = i->wait_vs, [WAITCNT_LGKM] = i->wait_lgkm};

	for (int kind = WAITCNT_KINDS - 1; kind >= 0; kind--)
		if (w->waitcnt[kind].count > left[kind]) {
			const unsigned last = w->waitcnt[kind].count - left[kind] - 1;
			add_stalls_of_path(in, v, v->last, &v->outstanding[kind][waitcnt_ring_index(w, kind, last)],
				waitcnt_completion(w, kind, last));
		}
}

/* --- accesses --- */
struct access_path *profiler_new_access_path(struct wave *w)
{
	return &profile_of(w)->path;
}

void profiler_record_counter_full(struct wave *w, enum waitcnt_kind kind, cycle_t until)
{
	struct wave_profile *v = profile_of(w);

	settle_pending_issue(w->m->profiler, v, v->at + v->pending);
	add_stalls_of_path(w->m->profiler, v, v->last, &v->outstanding[kind][waitcnt_ring_index(w, kind, 0)], until);
}

/* Accesses complete in order: one that alone would complete no later than its predecessor takes that one's path. */
void profiler_commit_access(struct wave *w, enum waitcnt_kind kind)
{
	struct wave_profile *v = profile_of(w);
	const unsigned before = w->waitcnt[kind].count - 1;
	struct access_path *ring = v->outstanding[kind], *last = &ring[waitcnt_ring_index(w, kind, before - 1)];

	trace_complete_access(w, &v->path, waitcnt_completion(w, kind, before));
	ring[waitcnt_ring_index(w, kind, before)] =
		before && access_path_end(last) >= access_path_end(&v->path) ? *last : v->path;
}

void profiler_record_drain(struct wave *w, const struct access_path *p)
{
	struct wave_profile *v = profile_of(w);

	if (access_path_end(p) > access_path_end(&v->drain))
		v->drain = *p;
}

void profiler_record_cu_stall(struct cu *cu, cycle_t until)
{
	cycle_t *stopped = &cu->m->profiler->stopped[cu - cu->m->cu];

	*stopped = max_u64(*stopped, until);
}

void profiler_add_address_stage(const struct cu *cu, struct access_path *p, cycle_t until)
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
static void copy_critical_path(struct critical_path *way, const struct wave_profile *v)
{
	way->at = v->at;
	memcpy(way->breakdown, v->breakdown, sizeof way->breakdown);
}

void profiler_record_dispatch(struct machine *m, cycle_t t)
{
	struct critical_path *d = &m->profiler->dispatcher;

	if (t <= d->at)
		return;
	d->breakdown[STALL_DISPATCH] += t - d->at;
	d->at = t;
}

void profiler_record_end(struct wave *w)
{
	struct wave_profile *v = profile_of(w);

	copy_critical_path(&v->end, v);
}

void profiler_begin_release(const struct wave *w)
{
	w->m->profiler->freed = &profile_of(w)->end;
}

void profiler_end_release(struct machine *m)
{
	m->profiler->freed = NULL;
}

void profiler_record_freed_slot(struct machine *m, cycle_t t)
{
	if (m->profiler->freed)
		m->profiler->dispatcher = *m->profiler->freed;
	else if (m->profiler->ending && m->profiler->ending->at == t)
		copy_critical_path(&m->profiler->dispatcher, m->profiler->ending);
}

void profiler_record_start(struct wave *w, cycle_t start)
{
	const struct critical_path *d = &w->m->profiler->dispatcher;
	struct wave_profile *v = profile_of(w);

	w->m->profiler->entry_pc = w->launch->entry_pc;
	v->at = start;
	v->pending = 0;
	v->last = NULL;
	v->span = 0;
	v->where = (struct softgpu_span){.wave = w->m->thread.sums.waves - 1,
		.cu = w->simd->number / SIMDS,
		.simd = w->simd->number % SIMDS,
		.slot = w->slot};
	v->drain.count = 0;
	v->drain.begin = 0;
	memcpy(v->breakdown, d->breakdown, sizeof v->breakdown);
	v->breakdown[STALL_DISPATCH] += start - d->at;
	profile_events_add_wave(w->m->profiler->events, v->where.cu);
	trace_start(w);
}

void profiler_record_finish(struct wave *w, cycle_t t)
{
	struct profiler *in = w->m->profiler;
	struct wave_profile *v = profile_of(w);

	trace_finish(w);
	settle_pending_issue(in, v, t + v->pending);
	add_stalls_of_path(in, v, v->last, &v->drain, access_path_end(&v->drain));
	in->ending = NULL;
	if (v->at > in->last.at)
		copy_critical_path(&in->last, v);
}

/* --- a launch --- */
void profiler_free(struct machine *m)
{
	struct profiler *in = m->last_profile;

	if (in) {
		free(in->wave);
		free(in->stopped);
		free(in->insts);
		free(in->result);
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
	if (in->wave && in->stopped && grow_table(in))
		m->profiler = in;
	else
		profiler_free(m);
	trace_begin(m);
}

static int compare_addresses(const void *a, const void *b)
{
	const struct softgpu_instruction *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Copies the profile, because the decode cache may drop its instructions later. */
static void keep_profile(const struct launch *n, struct profiler *in)
{
	in->result = calloc(in->used + 1, sizeof *in->result);
	for (size_t k = 0; k < in->capacity && in->result; k++) {
		const struct inst_profile *r = &in->insts[k];
		if (!r->i)
			continue;
		struct softgpu_instruction *s = &in->result[in->result_count++];
		s->offset = (int64_t)(r->i->pc - n->entry_pc);
		s->count = r->count;
		s->issue = r->issue;
		memcpy(s->stall, r->stall, sizeof s->stall);
		isa_print(&r->i->d, r->i->pc, s->text, sizeof s->text);
	}
	if (in->result)
		qsort(in->result, in->result_count, sizeof *in->result, compare_addresses);
}

/* Adds `more` to values that sum to `sum`, in proportion. The largest one takes what rounding leaves. */
static void extend_breakdown(uint64_t breakdown[STALL_REASON_COUNT], uint64_t sum, uint64_t more)
{
	uint64_t left = more, *most = breakdown;

	for (unsigned k = 0; k < STALL_REASON_COUNT; k++) {
		const uint64_t share = sum ? (unsigned __int128)breakdown[k] * more / sum : 0;
		left -= share;
		breakdown[k] += share;
		if (breakdown[k] > *most)
			most = &breakdown[k];
	}
	*most += left;
}

/* Waves that were left out (sampled_launch.h) count as those that were not. */
static void extend_instructions(const struct launch *n, struct profiler *in)
{
	const uint64_t more = n->skipped_waves, waves = n->m->thread.sums.waves - more;

	if (!more)
		return;
	for (size_t k = 0; k < in->capacity; k++) {
		struct inst_profile *r = &in->insts[k];
		if (!r->i)
			continue;
		r->count = r->i->hits;
		r->issue += (unsigned __int128)r->issue * more / waves;
		for (unsigned s = 0; s < STALL_REASON_COUNT; s++)
			r->stall[s] += (unsigned __int128)r->stall[s] * more / waves;
	}
}

static void end_critical_path(const struct launch *n, struct profiler *in)
{
	struct machine *m = n->m;

	if (n->end > in->last.at) { /* the dispatcher was busy longer than any wave */
		m->profiler = in;
		profiler_record_dispatch(m, n->end);
		m->profiler = NULL;
		in->last = in->dispatcher;
	}
	extend_breakdown(in->last.breakdown, in->last.at, n->skipped_cycles);
}

void profiler_end(const struct launch *n)
{
	struct machine *m = n->m;
	struct profiler *in = m->profiler;

	m->profiler = NULL;
	if (!in)
		return;
	if (m->overlapped) { /* what it has is of several kernels */
		profiler_free(m);
		return;
	}
	in->complete = !m->halt;
	extend_instructions(n, in);
	keep_profile(n, in);
	end_critical_path(n, in);
}

/* --- results --- */
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
		out[k].cycles = m->last_profile->last.breakdown[k];
	}
	return STALL_REASON_COUNT;
}

size_t profiler_read_profile(const struct machine *m, struct softgpu_instruction *out, size_t max)
{
	const struct profiler *in = m->last_profile;

	if (!in || !in->result)
		return 0;
	memcpy(out, in->result, (max < in->result_count ? max : in->result_count) * sizeof *out);
	return in->result_count;
}

const struct profile_events *profiler_get_events(const struct machine *m)
{
	return m->last_profile ? m->last_profile->events : NULL;
}

#include "softgpu/core/profile/wave_trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/min_max.h"
#include "softgpu/core/memory/l2.h"
#include "softgpu/core/memory/lds_timing.h"

/* A growing list. */
struct list {
	void *data;
	size_t count, room;
};

struct trace {
	struct softgpu_follow want;
	struct wave *w;                      /* while it is alive */
	uint64_t issued, nth;                /* its steps so far; executions to skip */
	bool following, over;                /* following: between the first and the last step; over: after the last */
	bool open;                           /* caches still answer the last access */
	size_t answered;                     /* index + 1 of the line that they answered last */
	uint32_t sgpr[SOFTGPU_SGPRS], *vgpr; /* registers after the previous step */
	uint32_t *before;                    /* vgpr before the first step */
	uint8_t scc;
	struct list steps, changes, accesses, lines, memories;
	struct softgpu_trace result;
};

static void *append_zeroed(struct list *l, size_t size)
{
	if (l->count == l->room) {
		size_t room = l->room ? 2 * l->room : 64;
		void *more = realloc(l->data, room * size);
		if (!more)
			abort();
		l->data = more;
		l->room = room;
	}
	return memset((char *)l->data + l->count++ * size, 0, size);
}

static struct softgpu_step *last_trace_step(const struct trace *t)
{
	return (struct softgpu_step *)t->steps.data + t->steps.count - 1;
}

static struct softgpu_access *last_trace_access(const struct trace *t)
{
	return (struct softgpu_access *)t->accesses.data + t->accesses.count - 1;
}

static struct softgpu_line *trace_line_at(const struct trace *t, size_t k)
{
	return (struct softgpu_line *)t->lines.data + k;
}

/* --- a launch --- */
static void reset_trace(struct trace *t)
{
	t->w = NULL;
	t->issued = 0;
	t->nth = t->want.nth;
	t->following = t->over = t->open = false;
	t->steps.count = t->changes.count = t->accesses.count = t->lines.count = t->memories.count = 0;
}

void trace_free(struct machine *m)
{
	struct trace *t = m->trace;

	if (!t)
		return;
	free(t->steps.data);
	free(t->changes.data);
	free(t->accesses.data);
	free(t->lines.data);
	free(t->memories.data);
	free(t->vgpr);
	free(t->before);
	free(t);
	m->trace = NULL;
}

bool trace_select_wave(struct machine *m, const struct softgpu_follow *what)
{
	trace_free(m);
	if (!what)
		return true;
	struct trace *t = m->trace = calloc(1, sizeof *t);
	if (!t)
		return false;
	t->vgpr = calloc(MAX_VGPRS * MAX_LANES, sizeof *t->vgpr);
	t->before = calloc(MAX_VGPRS * MAX_LANES, sizeof *t->before);
	t->want = *what;
	if (t->want.steps > SOFTGPU_STEPS)
		t->want.steps = SOFTGPU_STEPS;
	if (t->vgpr && t->before)
		return true;
	trace_free(m);
	return false;
}

void trace_begin(struct machine *m)
{
	if (m->trace)
		reset_trace(m->trace);
}

/* --- registers --- */
static struct softgpu_change *add_change(struct trace *t, unsigned reg, uint64_t lanes)
{
	struct softgpu_change *c = append_zeroed(&t->changes, sizeof *c);

	c->reg = reg;
	c->lanes = lanes;
	last_trace_step(t)->changes++;
	return c;
}

static void record_vgpr_change(struct trace *t, unsigned k)
{
	const uint32_t count = t->w->launch->lanes, *now = t->w->v + (size_t)k * count;
	uint32_t *was = t->vgpr + (size_t)k * count;
	uint64_t lanes = 0;

	if (!memcmp(now, was, count * sizeof *now))
		return;
	for (unsigned l = 0; l < count; l++)
		lanes |= (uint64_t)(now[l] != was[l]) << l;
	memcpy(add_change(t, SOFTGPU_VGPR0 + k, lanes)->value, now, count * sizeof *now);
	memcpy(was, now, count * sizeof *now);
}

/* Records the registers that the last step changed. */
static void record_register_changes(struct trace *t)
{
	const struct wave *w = t->w;

	for (unsigned k = 0; k < SOFTGPU_SGPRS; k++)
		if (w->s[k] != t->sgpr[k])
			add_change(t, k, 1)->value[0] = t->sgpr[k] = w->s[k];
	if (w->scc != t->scc)
		add_change(t, SOFTGPU_SCC, 1)->value[0] = t->scc = w->scc;
	for (unsigned k = 0; k < t->result.vgprs; k++)
		record_vgpr_change(t, k);
}

/* --- watched memory --- */
static uint32_t copy_dwords(uint32_t *out, const uint8_t *from, uint64_t bytes)
{
	const uint32_t n = (uint32_t)min_u64(bytes / sizeof *out, SOFTGPU_WATCHED_DWORDS);

	memcpy(out, from, n * sizeof *out);
	return n;
}

/* Returns how many dwords there are. */
static uint32_t read_watched_dwords(const struct trace *t, uint32_t *out)
{
	const struct wave *w = t->w;
	const uint64_t at = t->want.watched;

	if (t->want.watch == SOFTGPU_WATCH_LDS)
		return at < w->lds_bytes ? copy_dwords(out, w->lds + at, w->lds_bytes - at) : 0;
	const struct vm_region *r = vm_find(&w->m->vm, at, 1, VM_READ);
	return r ? copy_dwords(out, r->host + (at - r->va), r->size - (at - r->va)) : 0;
}

/* Whether these are the dwords of the last record. */
static bool watched_memory_is(const struct trace *t, const struct softgpu_memory *now)
{
	if (!t->memories.count)
		return false;
	const struct softgpu_memory *last = (struct softgpu_memory *)t->memories.data + t->memories.count - 1;
	return last->dwords == now->dwords && !memcmp(last->value, now->value, sizeof now->value);
}

/* Records the watched dwords before the step that was just added, if they changed. */
static void record_watched_memory(struct trace *t)
{
	struct softgpu_memory now = {.step = (uint32_t)t->steps.count - 1};

	if (t->want.watch == SOFTGPU_WATCH_NOTHING)
		return;
	now.dwords = read_watched_dwords(t, now.value);
	if (!watched_memory_is(t, &now))
		memcpy(append_zeroed(&t->memories, sizeof now), &now, sizeof now);
}

/* --- steps --- */
void trace_start(struct wave *w)
{
	struct trace *t = w->m->trace;

	if (t && w->m->thread.sums.waves - 1 == t->want.wave)
		t->w = w;
}

static struct trace *active_trace_of(const struct wave *w)
{
	struct trace *t = w->m->trace;

	return t && t->w == w && t->following ? t : NULL;
}

static void begin_trace(struct trace *t, const struct wave *w)
{
	struct softgpu_trace *s = &t->result;

	memset(s, 0, sizeof *s);
	s->wave = t->want.wave;
	s->vgprs = w->launch->accum_offset;
	s->cu = w->simd->number / SIMDS;
	s->simd = w->simd->number % SIMDS;
	s->slot = w->slot;
	s->scc = t->scc = w->scc;
	s->first = t->issued;
	memcpy(s->sgpr, w->s, sizeof s->sgpr);
	memcpy(t->sgpr, w->s, sizeof t->sgpr);
	memcpy(t->vgpr, w->v, (size_t)s->vgprs * w->launch->lanes * sizeof *t->vgpr);
	memcpy(t->before, w->v, (size_t)s->vgprs * w->launch->lanes * sizeof *t->before);
	t->following = true;
}

static bool is_first_step(struct trace *t, const struct wave *w, const struct uop *i, cycle_t cycle)
{
	if (t->issued < t->want.from || cycle < t->want.cycle || t->over)
		return false;
	if (t->want.offset < 0)
		return true;
	return (int64_t)(i->pc - w->launch->entry_pc) == t->want.offset && !t->nth--;
}

static void stop_trace(struct trace *t)
{
	t->following = t->open = false;
	t->over = true;
}

void trace_issue(struct wave *w, const struct uop *i, cycle_t cycle)
{
	struct trace *t = w->m->trace;

	if (!t || t->w != w)
		return;
	if (t->following)
		record_register_changes(t);
	else if (is_first_step(t, w, i, cycle))
		begin_trace(t, w);
	t->issued++;
	t->open = false;
	if (!t->following)
		return;
	if (t->steps.count >= t->want.steps) {
		stop_trace(t);
		return;
	}
	struct softgpu_step *s = append_zeroed(&t->steps, sizeof *s);
	s->cycle = cycle;
	s->offset = (int64_t)(i->pc - w->launch->entry_pc);
	record_watched_memory(t);
}

void trace_finish(struct wave *w)
{
	struct trace *t = w->m->trace;

	if (!t || t->w != w)
		return;
	if (t->following) {
		record_register_changes(t);
		t->result.ended = 1;
		stop_trace(t);
	}
	t->w = NULL;
}

/* --- accesses --- */
static struct softgpu_access *add_access(struct trace *t, unsigned kind, unsigned op, uint64_t lanes, uint32_t bytes)
{
	struct softgpu_access *a = append_zeroed(&t->accesses, sizeof *a);

	a->kind = kind;
	a->op = op;
	a->lanes = lanes;
	a->bytes = bytes;
	last_trace_step(t)->accesses++;
	t->open = true;
	t->answered = t->lines.count;
	return a;
}

static void add_trace_line(struct trace *t, const struct machine *m, struct softgpu_access *a, uint64_t line)
{
	for (size_t k = t->lines.count - a->lines; k < t->lines.count; k++)
		if (trace_line_at(t, k)->at == line << LINE_BITS)
			return;
	struct softgpu_line *l = append_zeroed(&t->lines, sizeof *l);
	l->at = line << LINE_BITS;
	l->channel = l2_channel_number(m, line, &(uint64_t){0});
	l->l1 = l->l2 = -1;
	a->lines++;
}

static void add_trace_lines(
	struct trace *t, const struct machine *m, struct softgpu_access *a, uint64_t at, uint32_t bytes)
{
	for (uint64_t line = at >> LINE_BITS; line <= (at + bytes - 1) >> LINE_BITS; line++)
		add_trace_line(t, m, a, line);
}

/* Lines in the order in which l1.c collects them: by lane; element by element if elements are not contiguous. */
void trace_vector_access(struct wave *w, const struct memory_access *x, enum memory_kind kind)
{
	static const uint8_t ops[] = {
		[MEMORY_LOAD] = SOFTGPU_LOADS, [MEMORY_STORE] = SOFTGPU_STORES, [MEMORY_ATOMIC] = SOFTGPU_ATOMICS};
	struct trace *t = active_trace_of(w);

	if (!t || !x->memory)
		return;
	struct softgpu_access *a = add_access(t, SOFTGPU_BY_VECTOR, ops[kind], x->memory, x->elements * x->bytes);
	for (uint64_t e = x->memory; e; e &= e - 1)
		a->at[__builtin_ctzll(e)] = x->at[__builtin_ctzll(e)] + x->to_phys;
	for (uint32_t k = 0; k < access_pieces(x); k++)
		for (uint64_t e = x->memory; e; e &= e - 1) {
			const unsigned l = __builtin_ctzll(e);
			const uint32_t bytes = access_piece_bytes(x, l, k);
			if (bytes)
				add_trace_lines(t, w->m, a, a->at[l] + (uint64_t)k * x->step, bytes);
		}
}

void trace_lds_access(struct wave *w, const uint32_t *at, uint64_t e, unsigned dwords, bool atomic)
{
	struct trace *t = active_trace_of(w);

	if (!t || !e)
		return;
	struct softgpu_access *a =
		add_access(t, SOFTGPU_BY_LDS, atomic ? SOFTGPU_ATOMICS : SOFTGPU_LOADS, e, 4 * dwords);
	for (uint64_t rest = e; rest; rest &= rest - 1)
		a->at[__builtin_ctzll(rest)] = at[__builtin_ctzll(rest)];
	a->cycles = lds_bank_cycles(&w->m->model, at, e, dwords, atomic, &a->conflict);
}

void trace_scalar_access(struct wave *w, uint64_t phys, unsigned dwords)
{
	struct trace *t = active_trace_of(w);

	if (!t)
		return;
	struct softgpu_access *a = add_access(t, SOFTGPU_BY_SCALAR, SOFTGPU_LOADS, 1, 4 * dwords);
	a->at[0] = phys;
	add_trace_lines(t, w->m, a, phys, 4 * dwords);
}

/* A line accesses its first cache, and L2 after a miss; stores and atomics access only L2. */
void trace_cache_answer(struct machine *m, enum cache_kind cache, bool hit)
{
	struct trace *t = m->trace;
	struct softgpu_line *l;

	if (!t || !t->open)
		return;
	l = t->answered > t->lines.count - last_trace_access(t)->lines ? trace_line_at(t, t->answered - 1) : NULL;
	if (cache != CACHE_L2 || !l || l->l1 != 0 || l->l2 >= 0) {
		if (t->answered == t->lines.count)
			return;
		l = trace_line_at(t, t->answered++);
	}
	if (cache == CACHE_L2)
		l->l2 = hit;
	else
		l->l1 = hit;
}

/* Completes all accesses of the step: an instruction may make two. */
void trace_complete_access(struct wave *w, const struct access_path *p, cycle_t due)
{
	struct trace *t = active_trace_of(w);

	if (!t || !t->open)
		return;
	t->open = false;
	for (uint32_t k = 0; k < last_trace_step(t)->accesses; k++) {
		struct softgpu_access *a = last_trace_access(t) - k;
		a->begin = p->begin;
		a->end = due;
		a->segments = p->count;
		for (uint32_t n = 0; n < p->count; n++) {
			a->segment[n].until = p->until[n];
			a->segment[n].cause = p->reason[n];
		}
	}
}

/* --- results --- */
const struct softgpu_trace *trace_get_last(const struct machine *m)
{
	struct trace *t = m->trace;

	if (!t || !t->steps.count)
		return NULL;
	struct softgpu_trace *s = &t->result;
	s->vgpr = t->before;
	s->step = t->steps.data;
	s->change = t->changes.data;
	s->access = t->accesses.data;
	s->line = t->lines.data;
	s->memory = t->memories.data;
	s->steps = t->steps.count;
	s->changes = t->changes.count;
	s->accesses = t->accesses.count;
	s->lines = t->lines.count;
	s->memories = t->memories.count;
	return s;
}

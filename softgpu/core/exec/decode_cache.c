/* Decodes code by page, and describes straight-line runs for the issue loop. */
#include "softgpu/core/exec/decode_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/core/exec/code_copies.h"
#include "softgpu/core/timing/line_dependencies.h"
#include "softgpu/core/exec/uop_build.h"
#include "softgpu/core/memory/access_memo.h"
#include "softgpu/core/memory/icache_fetch.h"
#include "softgpu/core/jit/jit.h"

enum { PAGE_BYTES = CODE_PAGE_BYTES, PAGE_DWORDS = PAGE_BYTES / 4, BUCKETS = 256, MAX_INST_BYTES = 12 };

/* Decoded instructions of one page, by dword. Three extra entries lead to the next page. */
struct page {
	uint64_t va;
	struct page *next; /* in the bucket */
	uint32_t decoded;
	uint16_t list[PAGE_DWORDS];       /* dwords at which an instruction was decoded */
	struct uop inst[PAGE_DWORDS + 4]; /* plus one that issue examines but never reaches */
};

struct decode_cache {
	struct page *bucket[BUCKETS];
	struct page *last;
	struct page *replaced; /* code that has changed since, but that resident waves still run */
	struct uop_constant *constants;
	struct uop indexed;
	struct uop unfetchable[2]; /* for addresses that cannot be fetched or cached */
};

struct decode_cache *decode_cache_open(void)
{
	struct decode_cache *c = aligned_alloc(64, (sizeof(struct decode_cache) + 63) / 64 * 64);

	if (c)
		memset(c, 0, sizeof *c);
	return c;
}

static void free_memo(struct uop *i)
{
	if (i->d.enc == ENC_FLAT || i->d.enc == ENC_GLOBAL)
		memory_memos_free(i->memory);
	else
		free(i->memo);
}

static void free_pages(struct page **list)
{
	for (struct page *p = *list, *next; p; p = next) {
		next = p->next;
		for (uint32_t k = 0; k < p->decoded; k++)
			free_memo(&p->inst[p->list[k]]);
		free(p);
	}
	*list = NULL;
}

static void free_all_pages(struct decode_cache *c)
{
	for (unsigned b = 0; b < BUCKETS; b++)
		free_pages(&c->bucket[b]);
	free_pages(&c->replaced);
	uop_constants_free(&c->constants);
	c->last = NULL;
}

void decode_cache_close(struct decode_cache *c)
{
	if (c)
		free_all_pages(c);
	free(c);
}

/* The page of an address if it exists, else NULL. */
static struct page *find_page(const struct decode_cache *c, uint64_t va)
{
	struct page *p = c->last;

	va &= ~(uint64_t)(PAGE_BYTES - 1);
	if (p && p->va == va)
		return p;
	for (p = c->bucket[va / PAGE_BYTES % BUCKETS]; p && p->va != va; p = p->next)
		;
	return p;
}

/* --- ends of straight-line code --- */
static void op_illegal(struct wave *w, const struct uop *i)
{
	char name[96];
	const struct vm_region *r = vm_find(&w->m->vm, i->pc, 4, VM_READ);
	size_t avail = r ? r->size - (i->pc - r->va) : 0;

	snprintf(name, sizeof name, "not mapped");
	if (r)
		isa_print_unknown(r->host + (i->pc - r->va), avail < MAX_INST_BYTES ? avail : MAX_INST_BYTES,
			launch_executor(w)->target, name, sizeof name);
	machine_halt(w, i, LAUNCH_ILLEGAL, "illegal instruction: %s", name);
}

static void op_fetch_fault(struct wave *w, const struct uop *i)
{
	launch_result_of(w)->fault_va = i->pc;
	machine_halt(w, i, LAUNCH_MEMORY_FAULT, "no executable code is mapped");
}

static void op_next_page(struct wave *w, const struct uop *i)
{
	const struct uop *next = decode_cache_lookup(launch_executor(w), i->pc);

	w->next = results_wait(w, next, w->last);
	jit_note_execution(w, next, i->hits); /* compiled code ends with its page */
	fetch_resume_at(w, next);
}

static void build_stop_uop(const struct executor *x, struct uop *i, uint64_t pc, op_fn *fn)
{
	*i = (struct uop){.fn = fn,
		.pc = pc,
		.kind = UOP_SHARED,
		.unit = UNIT_INTERNAL,
		.cost = 4,
		.words = 1,
		.d.target = x->target};
}

/* Whether straight-line code ends here. */
static bool ends_straight_line(const struct uop *i)
{
	return i->kind == UOP_ENDPGM || i->fn == op_illegal || i->d.op == OP_s_branch || i->d.op == OP_s_setpc_b64;
}

static void set_valu_run(struct uop *i)
{
	const uint8_t next_run = i[i->words].valu_run;

	i->valu_run = i->kind != UOP_PLAIN || i->unit != UNIT_VALU || i->matrix_cycles || !i->busy ? 0
		: next_run < UINT8_MAX                                                             ? next_run + 1
												   : next_run;
}

static void set_valu_run_cycles(struct uop *i)
{
	const struct uop *after = i + i->words;
	const unsigned cycles = i->cost + after->valu_run_cycles;

	i->valu_run_cycles = i->valu_run < 2 || after->fetch_stall > i->cost || after->dependency & AWAITS_RESULTS ? 0
		: cycles < SCHED_RING_CYCLES ? cycles
					     : SCHED_RING_CYCLES;
}

static void set_fast_class(struct uop *i)
{
	const struct uop *after = i + i->words;

	if (i->kind == UOP_PLAIN && i->valu_run < LONG_VALU_RUN && !i->matrix_cycles)
		i->fast = FAST_PRIVATE;
	else if (i->unit == UNIT_LDS && i->may_run_ahead)
		i->fast = FAST_LDS;
	i->next_waitcnt_words = after->kind == UOP_WAITCNT ? after->words : 0;
}

/* What the issue loop needs about the instructions that follow each. */
static void analyze_following(struct uop *i)
{
	set_valu_run(i);
	set_valu_run_cycles(i);
	set_fast_class(i);
}

/* The instruction of the page that ends where dword k begins; NULL: none is decoded, or execution does not go on there.
 */
static struct uop *instruction_ending_at(struct page *p, unsigned k)
{
	for (unsigned words = 1; words <= MAX_INST_BYTES / 4 && words <= k; words++) {
		struct uop *i = &p->inst[k - words];
		if (k - words < PAGE_DWORDS && i->fn && i->words == words)
			return ends_straight_line(i) ? NULL : i;
	}
	return NULL;
}

/* The instructions before dword k in line, the nearest first. */
static unsigned find_instructions_before(
	const struct decode_cache *c, struct page *p, unsigned k, struct uop *before[DEPENDENCY_REACH])
{
	unsigned n = 0;

	while (n < DEPENDENCY_REACH && p) {
		struct uop *i = instruction_ending_at(p, k);
		if (i) {
			before[n++] = i;
			k = i - p->inst;
		} else if (k < MAX_INST_BYTES / 4) {
			p = find_page(c, p->va - PAGE_BYTES);
			k += PAGE_DWORDS;
		} else {
			break;
		}
	}
	return n;
}

/* The page and dword of the next instruction in line. */
static struct uop *next_in_line(const struct decode_cache *c, struct page **p, unsigned *k)
{
	*k += (*p)->inst[*k].words;
	if (*k >= PAGE_DWORDS) {
		*k -= PAGE_DWORDS;
		*p = find_page(c, (*p)->va + PAGE_BYTES);
	}
	return *p && (*p)->inst[*k].fn ? &(*p)->inst[*k] : NULL;
}

static void analyze_preceding(const struct executor *x, struct page *p, unsigned k)
{
	struct uop *before[DEPENDENCY_REACH], *i = &p->inst[k];
	const unsigned count = find_instructions_before(x->decode_cache, p, k, before);

	uop_add_bank_cycles(&x->m->model, i, before, count);
	uop_find_dependencies(&x->m->model, i, before, count);
}

/* The new instructions from dword k on, and those after them that were decoded before. */
static void analyze_dependencies(const struct executor *x, struct page *p, unsigned k, unsigned count)
{
	const struct uop *i = &p->inst[k];

	for (count += DEPENDENCY_REACH; i && count; count--) {
		analyze_preceding(x, p, k);
		i = ends_straight_line(i) ? NULL : next_in_line(x->decode_cache, &p, &k);
	}
	jit_time_blocks(x->jit);
}

/* The page's instructions from the first-th in its list on are new. */
static void analyze_line(const struct executor *x, struct page *p, uint32_t first)
{
	if ((x->m->model.valu_latency || x->m->agprs) && p->decoded > first)
		analyze_dependencies(x, p, p->list[first], p->decoded - first);
	for (uint32_t n = p->decoded; n-- > first;)
		analyze_following(&p->inst[p->list[n]]);
}

/* Decodes straight-line code from dword k on, so that issue always finds the next instruction decoded. Returns where it
 * ends; from PAGE_DWORDS on, in the next page. */
static unsigned decode_straight_line(struct executor *x, struct page *p, unsigned k)
{
	uint32_t first = p->decoded;

	while (k < PAGE_DWORDS && !p->inst[k].fn) {
		struct uop *i = &p->inst[k];
		uint64_t pc = p->va + k * 4;
		const struct vm_region *r = vm_find(&x->m->vm, pc, 4, VM_READ | VM_EXEC);
		size_t avail = r ? r->size - (pc - r->va) : 0;
		struct isa_inst d;
		if (!r)
			build_stop_uop(x, i, pc, op_fetch_fault);
		else if (!isa_decode(r->host + (pc - r->va), avail < MAX_INST_BYTES ? avail : MAX_INST_BYTES, x->target,
				 &d) ||
			!uop_build(x, &x->decode_cache->constants, i, pc, &d))
			build_stop_uop(x, i, pc, op_illegal);
		p->list[p->decoded++] = k;
		if (!r || ends_straight_line(i))
			break;
		k += i->words;
	}
	analyze_line(x, p, first);
	return k;
}

/* --- pages --- */
static struct page *create_page(struct executor *x, uint64_t va)
{
	struct page *p = aligned_alloc(64, (sizeof *p + 63) / 64 * 64);

	if (!p || !code_copies_add(x->m->code_copies, &x->m->vm, va)) {
		free(p);
		return NULL;
	}
	memset(p, 0, sizeof *p);
	p->va = va;
	for (unsigned k = PAGE_DWORDS; k < PAGE_DWORDS + 3; k++)
		p->inst[k] = (struct uop){
			.fn = op_next_page, .pc = va + k * 4, .kind = UOP_BRANCH, .unit = UNIT_INTERNAL, .words = 1};
	struct page **bucket = &x->decode_cache->bucket[va / PAGE_BYTES % BUCKETS];
	p->next = *bucket;
	return *bucket = p;
}

static struct page *get_page(struct executor *x, uint64_t va)
{
	struct decode_cache *c = x->decode_cache;
	struct page *p = find_page(c, va);

	va &= ~(uint64_t)(PAGE_BYTES - 1);
	if (!p && vm_find(&x->m->vm, va, 4, VM_READ | VM_EXEC))
		p = create_page(x, va);
	if (p)
		c->last = p;
	return p;
}

/* Through all pages: an instruction awaits results of those before it from the first wave on, wherever it is. */
static void decode_line(struct executor *x, struct page *p, unsigned k)
{
	while (p && !p->inst[k].fn) {
		k = decode_straight_line(x, p, k);
		if (k < PAGE_DWORDS)
			return;
		k -= PAGE_DWORDS;
		p = get_page(x, p->va + PAGE_BYTES);
	}
}

struct uop *decode_cache_lookup(struct executor *x, uint64_t va)
{
	struct page *p = va & 3 ? NULL : get_page(x, va);

	if (!p) {
		build_stop_uop(x, &x->decode_cache->unfetchable[0], va, op_fetch_fault);
		return x->decode_cache->unfetchable;
	}
	unsigned k = (va - p->va) / 4;
	if (!p->inst[k].fn)
		decode_line(x, p, k);
	return &p->inst[k];
}

/* --- the same code in another thread's cache --- */
static struct page *page_of(const struct decode_cache *c, const struct uop *i)
{
	return find_page(c, i->fn == op_next_page ? i->pc - PAGE_BYTES : i->pc);
}

/* The wave may await results of instructions that this thread has not decoded. */
static void decode_before(struct executor *x, const struct executor *from, const struct uop *i)
{
	struct page *p = page_of(from->decode_cache, i);
	struct uop *before[DEPENDENCY_REACH];
	unsigned count = p ? find_instructions_before(from->decode_cache, p, i - p->inst, before) : 0;

	while (count--)
		decode_cache_lookup(x, before[count]->pc);
}

const struct uop *decode_cache_find_same(struct executor *x, const struct executor *from, const struct uop *i)
{
	if (x->m->model.valu_latency || x->m->agprs)
		decode_before(x, from, i);
	if (i->fn != op_next_page)
		return decode_cache_lookup(x, i->pc);
	const struct page *p = get_page(x, i->pc - PAGE_BYTES);
	return p ? &p->inst[PAGE_DWORDS + i->pc % PAGE_BYTES / 4] : decode_cache_lookup(x, i->pc);
}

/* --- residency in instruction caches --- */
static void drop_line(struct executor *x, uint64_t va, uint64_t bit)
{
	for (int k = -2; k < 1 << FETCH_LINE_BITS >> 2; k++) { /* a 12-byte instruction may begin before the line */
		uint64_t at = va + 4 * (int64_t)k;
		struct page *p = find_page(x->decode_cache, at);
		if (p)
			p->inst[(at - p->va) / 4].resident_in &= ~bit;
	}
	jit_code_evicted(x->jit, bit);
}

void decode_cache_drop_line(struct machine *m, uint64_t va, uint64_t bit)
{
	for (unsigned k = 0; k < EXECUTORS_MAX; k++)
		if (m->thread.executor[k].decode_cache)
			drop_line(&m->thread.executor[k], va, bit);
}

/* Calls visit() for every decoded instruction. */
static void visit_decoded(struct executor *x, void (*visit)(struct uop *i, void *data), void *data)
{
	const struct decode_cache *c = x->decode_cache;

	for (unsigned b = 0; b <= BUCKETS; b++)
		for (struct page *p = b < BUCKETS ? c->bucket[b] : c->replaced; p; p = p->next)
			for (uint32_t k = 0; k < p->decoded; k++)
				visit(&p->inst[p->list[k]], data);
}

static void drop_residency(struct uop *i, void *bit)
{
	i->resident_in &= ~*(const uint64_t *)bit;
}

void decode_cache_drop_all(struct machine *m, uint64_t bit)
{
	for (unsigned k = 0; k < EXECUTORS_MAX; k++) {
		struct executor *x = &m->thread.executor[k];
		if (!x->decode_cache)
			continue;
		visit_decoded(x, drop_residency, &bit);
		jit_code_evicted(x->jit, bit);
	}
}

void decode_caches_drop_all(struct machine *m)
{
	for (uint32_t k = 0; k < m->owner->views; k++)
		decode_cache_drop_all(m->owner->view[k], UINT64_MAX);
}

/* --- launches --- */
static void clear_code(struct executor *x)
{
	jit_discard_all(x->jit);
	free_all_pages(x->decode_cache);
}

/* Resident waves go on with the code that they have. */
static void replace_code(struct decode_cache *c)
{
	for (unsigned b = 0; b < BUCKETS; b++)
		for (struct page *p = c->bucket[b], *next; p; p = next) {
			next = p->next;
			p->next = c->replaced;
			c->replaced = p;
		}
	memset(c->bucket, 0, sizeof c->bucket);
	c->last = NULL;
}

static void clear_hits(struct uop *i, void *unused)
{
	(void)unused;
	i->hits = 0;
}

/* All threads at once: other pages may point to one that is stale. */
static void renew_code(struct machine *m)
{
	fetch_begin_launch(m, true);
	decode_caches_drop_all(m);
	code_copies_clear(m->code_copies);
	for (uint32_t v = 0; v < m->views; v++)
		for (unsigned k = 0; k < EXECUTORS_MAX; k++) {
			struct executor *x = &m->view[v]->thread.executor[k];
			if (!x->decode_cache)
				continue;
			jit_flush_counts(x->jit);
			if (m->residents)
				replace_code(x->decode_cache);
			else
				clear_code(x);
		}
	m->has_replaced_code = m->residents > 0;
}

void decode_caches_begin_launch(struct machine *m)
{
	if (code_copies_are_stale(m->code_copies, &m->vm) || (m->has_replaced_code && !m->residents))
		renew_code(m);
	if (!m->residents)
		decode_cache_clear_counts(m);
}

void decode_cache_clear_counts(struct machine *view)
{
	for (unsigned k = 0; k < EXECUTORS_MAX; k++) {
		struct executor *x = &view->thread.executor[k];
		if (!x->decode_cache)
			continue;
		jit_flush_counts(x->jit);
		visit_decoded(x, clear_hits, NULL);
	}
}

struct hit_visitor {
	void (*visit)(const struct uop *i, void *data);
	void *data;
};

static void visit_if_hit(struct uop *i, void *visitor)
{
	const struct hit_visitor *v = visitor;

	if (i->hits)
		v->visit(i, v->data);
}

void decode_cache_visit(const struct machine *m, void (*visit)(const struct uop *i, void *data), void *data)
{
	for (unsigned k = 0; k < EXECUTORS_MAX; k++) {
		struct executor x = m->thread.executor[k];
		if (!x.decode_cache)
			continue;
		jit_flush_counts(x.jit);
		visit_decoded(&x, visit_if_hit, &(struct hit_visitor){visit, data});
	}
}

/* --- relative addressing --- */
static void op_skipped(struct wave *w, const struct uop *i)
{
	(void)w, (void)i;
}

const struct uop *uop_apply_gpr_index(struct wave *w, const struct uop *i)
{
	struct uop *x = &launch_executor(w)->decode_cache->indexed;
	unsigned mode = w->gpr_idx >> 12, index = w->s[ISA_M0] & 255;

	*x = *i;
	if (w->gpr_idx & GPR_IDX_SKIP) {
		x->fn = op_skipped;
		return x;
	}
	for (unsigned k = 0; k < 3; k++)
		if (mode >> k & 1 && x->rel[k])
			x->src[k] += index * w->launch->lanes * 4;
	if (mode & 8 && i->d.dst >= ISA_VGPR0 && i->d.dst != ISA_NONE)
		x->dst += index * w->launch->lanes * 4;
	return x;
}

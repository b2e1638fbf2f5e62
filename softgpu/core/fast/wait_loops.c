/* Finds loops in a kernel's code, and in each loop the registers that depend on loads. */
#include "softgpu/core/fast/wait_loops.h"

#include <stdlib.h>
#include <string.h>

#include "softgpu/core/fast/kernel_code.h"

/* Registers by operand number. */
struct register_set {
	uint64_t bits[(ISA_REGISTERS + 63) / 64];
};

/* What is known of an instruction in the loop that is examined. */
struct inst_state {
	bool from_first, in_loop;
	struct register_set loaded; /* before it: what depends on a load for which a wave can wait */
};

/* A branch back, from `last` to `first`, and what lies between them. */
struct loop {
	const struct code_inst *inst; /* of the whole kernel */
	struct inst_state *state;
	uint32_t count, first, last;
	struct register_set varies; /* what depends on its own value of the trip before */
	bool stores_loaded;         /* something that the loop stores depends on such a load */
	bool changed;               /* in this pass */
};

/* --- a loop --- */
static bool mark_from_first(struct loop *l, uint32_t n)
{
	const bool is_new = n != NO_INSTRUCTION && !l->state[n].from_first;

	if (is_new)
		l->state[n].from_first = true;
	return is_new;
}

static bool leads_into_loop(const struct loop *l, uint32_t n)
{
	return n != NO_INSTRUCTION && l->state[n].in_loop;
}

/* Marks what can be reached from the first instruction, and of that what leads to the last one without passing the
 * first one again. False if there is no way around: no loop. */
static bool mark_loop(struct loop *l)
{
	bool more = true;

	for (uint32_t n = 0; n < l->count; n++)
		l->state[n].from_first = n == l->first, l->state[n].in_loop = false;
	while (more) {
		more = false;
		for (uint32_t n = 0; n < l->count; n++)
			if (l->state[n].from_first)
				more |= mark_from_first(l, l->inst[n].next) | mark_from_first(l, l->inst[n].to);
	}
	l->state[l->last].in_loop = more = l->state[l->last].from_first;
	while (more) {
		more = false;
		for (uint32_t n = l->count; n-- > 0;) {
			const struct code_inst *i = &l->inst[n];
			if (!l->state[n].in_loop && l->state[n].from_first &&
				((i->next != l->first && leads_into_loop(l, i->next)) ||
					(i->to != l->first && leads_into_loop(l, i->to))))
				l->state[n].in_loop = more = true;
		}
	}
	return l->state[l->last].in_loop && l->state[l->first].in_loop;
}

/* --- registers --- */
static bool has_register(const struct register_set *set, unsigned r)
{
	return set->bits[r / 64] >> (r % 64) & 1;
}

static bool has_any_read(const struct register_set *set, const struct code_inst *i, bool with_exec)
{
	for (unsigned n = 0; n < i->effects.read_count; n++) {
		const struct isa_span s = i->effects.reads[n];
		for (unsigned r = s.first; r < (unsigned)s.first + s.count && (with_exec || s.first != ISA_EXEC); r++)
			if (has_register(set, r))
				return true;
	}
	return false;
}

static void add_writes(struct register_set *set, const struct code_inst *i)
{
	for (unsigned n = 0; n < i->effects.write_count; n++)
		for (unsigned k = 0; k < i->effects.writes[n].count; k++) {
			const unsigned r = i->effects.writes[n].first + k;
			set->bits[r / 64] |= UINT64_C(1) << (r % 64);
		}
}

/* A vector register keeps the lanes that EXEC turns off. */
static void remove_scalar_writes(struct register_set *set, const struct code_inst *i)
{
	for (unsigned n = 0; n < i->effects.write_count; n++)
		for (unsigned k = 0; k < i->effects.writes[n].count; k++) {
			const unsigned r = i->effects.writes[n].first + k;
			if (r < ISA_VGPR0)
				set->bits[r / 64] &= ~(UINT64_C(1) << (r % 64));
		}
}

/* The largest set of registers each of which is computed from one of the set. EXEC says which lanes take part, not what
 * they compute. */
static void find_varying(struct loop *l)
{
	struct register_set before;

	for (uint32_t n = 0; n < l->count; n++)
		if (l->state[n].in_loop)
			add_writes(&l->varies, &l->inst[n]);
	do {
		before = l->varies;
		memset(&l->varies, 0, sizeof l->varies);
		for (uint32_t n = 0; n < l->count; n++)
			if (l->state[n].in_loop && has_any_read(&before, &l->inst[n], false))
				add_writes(&l->varies, &l->inst[n]);
	} while (memcmp(&before, &l->varies, sizeof before) != 0);
}

/* --- loads that end a loop --- */
static bool is_memory_access(const struct code_inst *i)
{
	const unsigned unit = isa_info(i->d.op)->unit;

	return unit == UNIT_VMEM || unit == UNIT_FLAT;
}

/* Whether a wave can wait for what the instruction loads. What the loop itself stores may come back from anywhere. */
static bool is_awaitable_load(const struct loop *l, const struct code_inst *i)
{
	if (!i->effects.write_count)
		return false;
	if (isa_info(i->d.op)->unit == UNIT_LDS || i->d.enc == ENC_FLAT)
		return true;
	if (l->stores_loaded && is_memory_access(i))
		return true;
	return i->d.enc == ENC_GLOBAL && !has_any_read(&l->varies, i, false);
}

static void merge_loaded(struct loop *l, uint32_t to, const struct register_set *from)
{
	for (unsigned k = 0; leads_into_loop(l, to) && k < sizeof from->bits / sizeof *from->bits; k++) {
		l->changed |= (from->bits[k] & ~l->state[to].loaded.bits[k]) != 0;
		l->state[to].loaded.bits[k] |= from->bits[k];
	}
}

/* What a branch may skip depends on its condition. */
static void merge_branch(struct loop *l, uint32_t n, struct register_set loaded, bool depends)
{
	const uint32_t to = l->inst[n].to;

	for (uint32_t k = n + 1; depends && to != NO_INSTRUCTION && k < to; k++)
		if (l->state[k].in_loop)
			add_writes(&loaded, &l->inst[k]);
	merge_loaded(l, to, &loaded);
}

/* Whether a conditional branch may end the loop, or is the one that decides whether it goes on. */
static bool may_end_loop(const struct loop *l, uint32_t n)
{
	const struct code_inst *i = &l->inst[n];

	return isa_is_conditional_branch(i->d.op) &&
		(n == l->last || !leads_into_loop(l, i->next) || !leads_into_loop(l, i->to));
}

/* Goes through one instruction. True if it may end the loop, depending on a load. */
static bool pass_instruction(struct loop *l, uint32_t n)
{
	const struct code_inst *i = &l->inst[n];
	struct register_set loaded = l->state[n].loaded;
	const bool depends = is_awaitable_load(l, i) || has_any_read(&loaded, i, true);

	if (depends && may_end_loop(l, n))
		return true;
	if (depends && is_memory_access(i) && !i->effects.write_count) {
		l->changed |= !l->stores_loaded;
		l->stores_loaded = true;
	}
	if (depends)
		add_writes(&loaded, i);
	else
		remove_scalar_writes(&loaded, i);
	merge_branch(l, n, loaded, depends);
	merge_loaded(l, i->next, &loaded);
	return false;
}

static bool ends_on_load(struct loop *l)
{
	for (uint32_t n = 0; n < l->count; n++)
		memset(&l->state[n].loaded, 0, sizeof l->state[n].loaded);
	find_varying(l);
	do {
		l->changed = false;
		for (uint32_t n = 0; n < l->count; n++)
			if (l->state[n].in_loop && pass_instruction(l, n))
				return true;
	} while (l->changed);
	return false;
}

/* --- a kernel --- */
static bool has_wait_loop(const struct kernel_code *k, struct inst_state *state)
{
	for (uint32_t n = 0; n < k->count; n++) {
		struct loop l = {.inst = k->inst, .state = state, .count = k->count, .first = k->inst[n].to, .last = n};
		if (l.first <= n && mark_loop(&l) && ends_on_load(&l))
			return true;
	}
	return false;
}

bool kernel_has_wait_loop(struct vm *vm, enum isa_target target, uint64_t entry)
{
	struct kernel_code k;
	const bool known = kernel_code_read(&k, vm, target, entry);
	struct inst_state *state = calloc(k.count + 1, sizeof *state);
	const bool waits = !known || !state || has_wait_loop(&k, state);

	free(state);
	kernel_code_free(&k);
	return waits;
}

/* --- polls --- */
/* Whether the loop only waits: an instruction that returns nothing may store. */
static bool only_waits(const struct loop *l)
{
	for (uint32_t n = 0; n < l->count; n++) {
		const struct code_inst *i = &l->inst[n];
		const unsigned unit = isa_info(i->d.op)->unit;
		if (l->state[n].in_loop &&
			(i->d.op == OP_s_barrier ||
				((unit == UNIT_LDS || is_memory_access(i)) && !i->effects.write_count)))
			return false;
	}
	return true;
}

static void add_reads(struct register_set *set, const struct code_inst *i)
{
	for (unsigned n = 0; n < i->effects.read_count; n++)
		for (unsigned k = 0; k < i->effects.reads[n].count; k++) {
			const unsigned r = i->effects.reads[n].first + k;
			if (i->effects.reads[n].first != ISA_EXEC)
				set->bits[r / 64] |= UINT64_C(1) << (r % 64);
		}
}

static bool has_any_write(const struct register_set *set, const struct code_inst *i)
{
	struct register_set written = {{0}};
	uint64_t both = 0;

	add_writes(&written, i);
	for (unsigned k = 0; k < sizeof set->bits / sizeof *set->bits; k++)
		both |= set->bits[k] & written.bits[k];
	return both;
}

static void remove_writes(struct register_set *set, const struct code_inst *i)
{
	struct register_set written = {{0}};

	add_writes(&written, i);
	for (unsigned k = 0; k < sizeof set->bits / sizeof *set->bits; k++)
		set->bits[k] &= ~written.bits[k];
}

/* Whether the instruction reads the same in each trip: followed back to the start of the loop, it depends only on
 * registers that the loop does not write. A loop that only waits has no other order of its instructions. */
static bool reads_the_same(const struct loop *l, uint32_t n)
{
	struct register_set needs = {{0}};

	add_reads(&needs, &l->inst[n]);
	for (uint32_t k = n; k-- > l->first;)
		if (l->state[k].in_loop && has_any_write(&needs, &l->inst[k])) {
			remove_writes(&needs, &l->inst[k]);
			add_reads(&needs, &l->inst[k]);
		}
	for (uint32_t k = 0; k < l->count; k++)
		if (l->state[k].in_loop && has_any_write(&needs, &l->inst[k]))
			return false;
	return true;
}

static bool is_poll(const struct loop *l, uint32_t n)
{
	const struct code_inst *i = &l->inst[n];

	return l->state[n].in_loop && (isa_info(i->d.op)->unit == UNIT_LDS || i->d.enc == ENC_FLAT) &&
		i->effects.write_count && reads_the_same(l, n);
}

static size_t add_polls(const struct loop *l, uint64_t *pc, size_t count, size_t max)
{
	for (uint32_t n = 0; n < l->count && count < max; n++)
		if (is_poll(l, n))
			pc[count++] = l->inst[n].pc;
	return count;
}

size_t kernel_find_polls(struct vm *vm, enum isa_target target, uint64_t entry, uint64_t *pc, size_t max)
{
	struct kernel_code k;
	const bool known = kernel_code_read(&k, vm, target, entry);
	struct inst_state *state = calloc(k.count + 1, sizeof *state);
	size_t count = 0;

	for (uint32_t n = 0; known && state && n < k.count; n++) {
		struct loop l = {.inst = k.inst, .state = state, .count = k.count, .first = k.inst[n].to, .last = n};
		if (l.first <= n && mark_loop(&l) && only_waits(&l) && ends_on_load(&l))
			count = add_polls(&l, pc, count, max);
	}
	free(state);
	kernel_code_free(&k);
	return count;
}

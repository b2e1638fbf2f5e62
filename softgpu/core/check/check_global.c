/* Races in global memory: what the accesses of waves are for global_races.h, and the reports. */
#include "softgpu/core/check/checker.h"
#include "softgpu/core/check/load_extension.h"

#include <string.h>

#include "base/min_max.h"
#include "softgpu/isa/family.h"

/* An instruction's access, while its lanes are looked at. */
struct global_check {
	struct wave *w;
	const struct uop *i;
	unsigned access; /* enum vm_access */
	uint32_t bytes, element, shift;
	uint32_t first_data; /* the register with the data of a store */
	bool has_data;       /* it is known */
	const uint64_t *at;
};

/* --- loads --- */
static bool is_one_of(const struct special_loads *s, const struct uop *i)
{
	for (size_t k = 0; k < s->count; k++)
		if (s->pc[k] == i->pc)
			return true;
	return false;
}

enum touch_kind checker_load_kind(const struct wave *w, const struct uop *i)
{
	const struct checker *of = w->m->checker;

	return is_one_of(&of->polls, i) ? TOUCH_POLL : is_one_of(&of->atomic, i) ? TOUCH_ATOMIC_LOAD : TOUCH_LOAD;
}

/* Atomic and volatile loads bypass the L1 cache; one that also streams is a nontemporal one. */
static enum touch_kind touch_kind_of_memory(const struct global_check *c)
{
	if (c->access != VM_READ)
		return c->access == VM_WRITE ? TOUCH_STORE : TOUCH_ATOMIC;
	return (c->i->d.flags & (FLAG_GLC | FLAG_SLC)) == FLAG_GLC ? TOUCH_POLL : checker_load_kind(c->w, c->i);
}

/* An exchange or a comparison. The store that opens the lock is a plain one by its code. */
static bool may_be_lock(const struct uop *i)
{
	return strstr(isa_info(i->d.op)->name, "swap") != NULL;
}

/* --- memory --- */
/* Memory of the runtime on the host, such as buffers of printf, is handed over by the host. */
static bool is_memory_checked(const void *of, uint64_t va)
{
	struct machine *m = ((const struct wave *)of)->m;
	const struct vm_region *r = vm_find(&m->vm, va, 1, 0);
	struct check_extent e = {0};

	if (!r || !(r->phys & VM_SYSTEM))
		return r;
	return m->checker->find && m->checker->find(va, &e) && e.state == EXTENT_LIVE;
}

/* --- reports --- */
/* The byte that the lane stores at this address. */
static uint8_t stored_byte_of(const struct global_check *c, unsigned lane, uint64_t at)
{
	const uint32_t byte = (uint32_t)(at - c->at[lane]), each = c->element < 4 ? c->element : 4;
	const uint32_t *v = wave_vgpr(c->w, c->first_data + byte / each);

	return (uint8_t)(v[lane] >> (c->shift + 8 * (byte % each)));
}

/* Both orders leave the same value: that of the other side is the one that is there. */
static bool leaves_same_value(const struct global_check *c, const struct global_conflict *f)
{
	const uint64_t va = c->at[f->lane];

	if (c->access != VM_WRITE || !c->has_data || !f->other_stores || f->other_is_atomic)
		return false;
	const struct vm_region *r = vm_find(&c->w->m->vm, va, c->bytes, 0);
	if (!r)
		return false;
	for (uint32_t k = 0; k < c->bytes; k++)
		if (stored_byte_of(c, f->lane, va + k) != r->host[va + k - r->va])
			return false;
	return true;
}

static struct check_side describe_global_other(const struct global_check *c, const struct global_conflict *f)
{
	const struct launch *n = c->w->launch;
	struct check_side s = {.pc = f->other_pc,
		.offset = f->other_pc ? (int64_t)(f->other_pc - n->entry_pc) : 0,
		.address = f->at,
		.access = f->other_is_atomic ? VM_READ | VM_WRITE
			: f->other_stores    ? VM_WRITE
					     : VM_READ,
		.wave = f->other_wave,
		.launch_wave = CHECK_WAVE_UNKNOWN, /* it may have ended */
		.lane = f->other_lane};
	uint32_t group = f->other_group;

	for (unsigned k = 0; k < 3; group /= n->grid[k++])
		s.group[k] = group % n->grid[k];
	machine_locate_item(n, f->other_wave * n->lanes + f->other_lane, s.item);
	return s;
}

static void report_global_race(void *of, const struct global_conflict *f)
{
	const struct global_check *c = of;
	struct check_report found = {.kind = CHECK_KIND_GLOBAL_RACE,
		.at = checker_describe_side(c->w, c->i, f->lane),
		.other = describe_global_other(c, f),
		.has_other = true};
	struct check_extent e = {0};

	if (leaves_same_value(c, f))
		return;
	found.at.address = c->at[f->lane];
	found.at.bytes = c->bytes;
	found.at.access = c->access;
	if (c->w->m->checker->find && c->w->m->checker->find(f->at, &e))
		found.allocation = e.state == EXTENT_LIVE ? e.allocation : 0;
	check_reports_add(&c->w->m->checker->reports, &found);
}

/* --- accesses --- */
static void touch_piece(struct global_check *c, uint64_t lanes)
{
	struct group_check *g = c->w->group->check;
	const enum touch_kind kind = touch_kind_of_memory(c);
	const struct global_touch t = {.kind = kind,
		.returns = kind == TOUCH_ATOMIC && c->i->d.flags & FLAG_GLC,
		.swaps = kind == TOUCH_ATOMIC && may_be_lock(c->i),
		.group = &g->order,
		.wave = c->w->index,
		.bytes = c->bytes,
		.pc = c->i->pc,
		.lanes = lanes,
		.at = c->at,
		.wanted = is_memory_checked,
		.wanted_of = c->w};

	global_races_touch(g->global, &t, report_global_race, c);
}

static bool is_touch_checked(const struct wave *w)
{
	return w->group->check && w->group->check->global;
}

void checker_touch_memory(struct wave *w, const struct uop *i, const struct checked_access *a, uint64_t lanes)
{
	struct global_check c = {w, i, a->access, a->bytes, a->element, a->shift, stored_register(i),
		a->pieces == 1 && !isa_converts_format(i->d.op), a->at};
	uint64_t at[MAX_LANES];

	if (!is_touch_checked(w) || !lanes)
		return;
	touch_piece(&c, lanes);
	for (uint32_t k = 1; k < a->pieces; k++) {
		for (unsigned l = 0; l < w->launch->lanes; l++)
			at[l] = a->at[l] + (uint64_t)k * a->step;
		c.at = at;
		touch_piece(&c, lanes);
	}
}

void checker_touch_scalar(struct wave *w, const struct uop *i, uint64_t at, uint32_t bytes, unsigned access)
{
	const uint64_t lanes = wave_exec_mask(w);
	const unsigned lane = lanes ? (unsigned)__builtin_ctzll(lanes) : 0;
	uint64_t all[MAX_LANES];
	struct global_check c = {.w = w, .i = i, .access = access, .bytes = bytes, .element = 4, .at = all};

	if (!is_touch_checked(w))
		return;
	all[lane] = at;
	touch_piece(&c, UINT64_C(1) << lane);
}

void checker_pass_order(struct wave *from, struct wave *to)
{
	struct group_check *a = from->group->check, *b = to->group->check;

	if (a && b && a->global && a->global == b->global)
		global_races_pass_order(a->global, &a->order, from->index, &b->order, to->index);
}

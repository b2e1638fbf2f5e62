/* Accesses to LDS: inside of the bytes that the workgroup asked for, aligned, and without races. */
#include "softgpu/core/check/checker.h"
#include "softgpu/core/check/races/lds_races.h"

#include "base/min_max.h"

/* An instruction's access, while its lanes are looked at. */
struct lds_check {
	struct wave *w;
	const struct uop *i;
	const struct checked_lds *a;
};

static unsigned access_of(const struct checked_lds *a)
{
	return a->atomic ? VM_READ | VM_WRITE : a->data ? VM_WRITE : VM_READ;
}

static struct check_side describe_access(const struct lds_check *c, unsigned lane)
{
	struct check_side s = checker_describe_side(c->w, c->i, lane);

	s.address = c->a->at[lane];
	s.bytes = c->a->bytes;
	s.access = access_of(c->a);
	return s;
}

static void report_lane(const struct lds_check *c, unsigned lane, enum check_kind kind)
{
	const struct check_report found = {.kind = kind,
		.space = SPACE_LDS,
		.at = describe_access(c, lane),
		.room = c->w->launch->group_bytes_asked};

	check_reports_add(&c->w->m->checker->reports, &found);
}

/* --- bounds and alignment --- */
static bool is_inside(uint32_t at, uint32_t bytes, uint32_t size)
{
	return bytes <= size && at <= size - bytes;
}

/* The lanes whose access is in the LDS that the hardware has given to the workgroup, which may be more than it asked
 * for. */
static uint64_t check_bounds(const struct lds_check *c, uint64_t lanes)
{
	const uint32_t asked = c->w->launch->group_bytes_asked, bytes = c->a->bytes;
	uint64_t made = lanes;

	for (uint64_t l = lanes; l; l &= l - 1) {
		const unsigned lane = __builtin_ctzll(l);
		const uint32_t at = c->a->at[lane];
		if (!is_inside(at, bytes, asked) && checker_checks(c->w, CHECK_MEMORY))
			report_lane(c, lane, CHECK_KIND_LDS_OUT_OF_BOUNDS);
		if (!is_inside(at, bytes, c->w->lds_bytes))
			made &= ~(l & -l);
	}
	return made;
}

static void check_lds_alignment(const struct lds_check *c, uint64_t lanes)
{
	const uint32_t align = c->a->atomic ? c->a->bytes : min_u64(c->a->bytes & -c->a->bytes, 4);
	const enum check what = c->a->atomic ? CHECK_MEMORY : CHECK_ALIGN;

	if (!checker_checks(c->w, what))
		return;
	for (uint64_t l = lanes; l; l &= l - 1)
		if (c->a->at[__builtin_ctzll(l)] & (align - 1))
			report_lane(c, __builtin_ctzll(l),
				c->a->atomic ? CHECK_KIND_MISALIGNED_ATOMIC : CHECK_KIND_MISALIGNED);
}

/* --- races --- */
static enum touch_kind touch_kind_of_lds(const struct lds_check *c)
{
	if (c->a->atomic || c->a->data)
		return c->a->atomic ? TOUCH_ATOMIC : TOUCH_STORE;
	return checker_load_kind(c->w, c->i);
}

/* The byte that the lane stores at this address. */
static uint8_t stored_byte(const struct lds_check *c, unsigned lane, uint32_t at)
{
	const uint32_t byte = at - c->a->at[lane] + c->a->shift / 8;

	return (uint8_t)(c->a->data[byte / 4 * c->w->launch->lanes + lane] >> 8 * (byte % 4));
}

/* Both orders leave the same value: in the bytes that both store, that of the other side is the one that is there. */
static bool stores_same_value(const struct lds_check *c, const struct lds_conflict *f)
{
	if (!c->a->data || c->a->atomic || !f->other_stores || f->other_is_atomic)
		return false;
	if (!f->same_instruction) {
		for (uint32_t at = c->a->at[f->lane]; at < c->a->at[f->lane] + c->a->bytes; at++)
			if (stored_byte(c, f->lane, at) != c->w->lds[at])
				return false;
		return true;
	}
	const uint32_t from = max_u64(c->a->at[f->lane], c->a->at[f->other_lane]),
		       to = min_u64(c->a->at[f->lane], c->a->at[f->other_lane]) + c->a->bytes;
	for (uint32_t at = from; at < to; at++)
		if (stored_byte(c, f->lane, at) != stored_byte(c, f->other_lane, at))
			return false;
	return true;
}

static struct check_side describe_other(const struct lds_check *c, const struct lds_conflict *f)
{
	struct check_side s = describe_access(c, f->lane);

	s.offset = 4 * (int64_t)f->other_pc;
	s.pc = c->w->launch->entry_pc + s.offset;
	s.wave = f->other_wave;
	s.launch_wave = c->w->group->check->wave[f->other_wave].launch_wave;
	s.lane = f->other_lane;
	s.address = f->at;
	s.bytes = 0;
	s.cycle -= (uint32_t)s.cycle - f->other_cycle;
	s.access = f->other_is_atomic ? VM_READ | VM_WRITE : f->other_stores ? VM_WRITE : VM_READ;
	machine_locate_item(c->w->launch, f->other_wave * c->w->launch->lanes + f->other_lane, s.item);
	return s;
}

static void report_race(void *of, const struct lds_conflict *f)
{
	const struct lds_check *c = of;

	if (!checker_checks(c->w, CHECK_RACE) || stores_same_value(c, f))
		return;
	const struct check_report found = {.kind = f->same_instruction ? CHECK_KIND_LANE_RACE : CHECK_KIND_LDS_RACE,
		.space = SPACE_LDS,
		.at = describe_access(c, f->lane),
		.other = describe_other(c, f),
		.has_other = true,
		.room = c->w->launch->group_bytes_asked};
	check_reports_add(&c->w->m->checker->reports, &found);
}

static void check_races(struct lds_check *c, uint64_t lanes)
{
	const struct checked_lds *a = c->a;
	const struct lds_touch t = {.kind = touch_kind_of_lds(c),
		.returns = a->returns,
		.wave = c->w->index,
		.bytes = a->bytes,
		.pc = (int32_t)((int64_t)(c->i->pc - c->w->launch->entry_pc) / 4),
		.cycle = (uint32_t)(c->w->last - c->w->launch->begin),
		.lanes = lanes,
		.at = a->at};

	lds_races_touch(c->w->group->check->races, &t, report_race, c);
}

void checker_access_lds(struct wave *w, const struct uop *i, const struct checked_lds *a, uint64_t lanes)
{
	struct lds_check c = {w, i, a};

	checker_note_lanes(w, i, lanes);
	lanes = check_bounds(&c, lanes);
	check_lds_alignment(&c, lanes);
	checker_note_poll(w, i, a, lanes);
	if (w->group->check && w->group->check->races)
		check_races(&c, lanes);
	init_access_lds(w, i, a, lanes);
}

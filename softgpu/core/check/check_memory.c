/* Accesses to memory: inside of the program's allocations, to the byte, and aligned. */
#include "softgpu/core/check/checker.h"

#include "base/min_max.h"

/* --- what may be accessed --- */
/* The extent of the address. It is asked for again when the address space has changed. */
static const struct check_extent *find_extent(struct machine *m, uint64_t va)
{
	struct checker *c = m->checker;
	struct check_extent *e = &c->extent;

	if (va - e->va < e->bytes && c->extent_epoch == m->vm.epoch)
		return e;
	c->extent_epoch = m->vm.epoch;
	if (!c->find || !c->find(va, e))
		*e = (struct check_extent){.va = va & ~UINT64_C(4095), .bytes = 4096};
	return e;
}

static bool is_forbidden(const struct check_extent *e)
{
	return e->state == EXTENT_FREED || e->state == EXTENT_GAP;
}

static enum check_kind kind_of_extent(const struct check_extent *e)
{
	return e->state == EXTENT_FREED ? CHECK_KIND_USE_AFTER_FREE : CHECK_KIND_OUT_OF_BOUNDS;
}

/* The extent that forbids some of the bytes; NULL: all may be accessed. */
static const struct check_extent *find_forbidden(struct machine *m, uint64_t va, uint64_t bytes)
{
	for (uint64_t at = va, end = va + bytes; at < end;) {
		const struct check_extent *e = find_extent(m, at);
		if (is_forbidden(e))
			return e;
		at = e->va + e->bytes;
	}
	return NULL;
}

/* --- reports --- */
static void report_access(struct wave *w, const struct uop *i, unsigned lane, struct check_report found)
{
	found.at = checker_describe_side(w, i, lane);
	found.at.address = found.other.address;
	found.at.bytes = found.other.bytes;
	found.at.access = found.other.access;
	found.other = (struct check_side){0};
	check_reports_add(&w->m->checker->reports, &found);
}

/* False: nothing is mapped there, so the access is left out. */
static bool check_extents(
	struct wave *w, const struct uop *i, unsigned lane, uint64_t va, uint32_t bytes, unsigned access)
{
	const struct check_extent *e = find_forbidden(w->m, va, bytes);

	if (!e) {
		if (vm_find(&w->m->vm, va, bytes, access))
			return true;
		checker_report_unmapped(w, i, lane, va, bytes, access);
		return false;
	}
	report_access(w, i, lane,
		(struct check_report){.kind = kind_of_extent(e),
			.allocation = e->allocation,
			.other = {.address = va, .bytes = bytes, .access = access}});
	return vm_find(&w->m->vm, va, bytes, access) != NULL;
}

static void check_alignment(
	struct wave *w, const struct uop *i, unsigned lane, uint64_t va, uint32_t bytes, unsigned access)
{
	const bool atomic = access == (VM_READ | VM_WRITE);
	/* A compiler loads neighbors together, so more than a dword need not be aligned to more. */
	const uint32_t align = atomic ? bytes : min_u64(bytes & -bytes, 4);

	if (!(va & (align - 1)) || !checker_checks(w, atomic ? CHECK_MEMORY : CHECK_ALIGN))
		return;
	report_access(w, i, lane,
		(struct check_report){.kind = atomic ? CHECK_KIND_MISALIGNED_ATOMIC : CHECK_KIND_MISALIGNED,
			.other = {.address = va, .bytes = bytes, .access = access}});
}

/* --- vector accesses --- */
/* Whether all pieces of all lanes lie in the extent that was found last and is the program's, which is the usual case.
 */
static bool are_all_inside(const struct machine *m, const struct checked_access *a, uint64_t lanes)
{
	const struct check_extent *e = &m->checker->extent;
	const uint64_t span = (a->pieces - 1) * (uint64_t)a->step + a->bytes;
	uint64_t low = UINT64_MAX, high = 0;

	if (m->checker->extent_epoch != m->vm.epoch || is_forbidden(e) || e->state == EXTENT_UNKNOWN)
		return false;
	for (uint64_t l = lanes; l; l &= l - 1) {
		const uint64_t at = a->at[__builtin_ctzll(l)];
		low = min_u64(low, at);
		high = max_u64(high, at);
	}
	return low >= e->va && high - e->va <= e->bytes && span <= e->bytes - (high - e->va);
}

static bool check_lane(struct wave *w, const struct uop *i, const struct checked_access *a, unsigned lane)
{
	bool made = true;

	checker_access_arguments(w, i, lane, a->at[lane], a->pieces * a->bytes, a->access);
	if (a->pieces == 1 || a->step == a->bytes)
		return check_extents(w, i, lane, a->at[lane], a->pieces * a->bytes, a->access);
	for (uint32_t k = 0; k < a->pieces; k++)
		made &= check_extents(w, i, lane, a->at[lane] + (uint64_t)k * a->step, a->bytes, a->access);
	return made;
}

static void check_alignments(struct wave *w, const struct uop *i, const struct checked_access *a, uint64_t lanes)
{
	for (uint64_t l = lanes; l; l &= l - 1) {
		const unsigned lane = __builtin_ctzll(l);
		check_alignment(w, i, lane, a->at[lane], a->bytes, a->access);
	}
}

/* Scratch has addresses of its own for each work-item. */
static void check_scratch(struct wave *w, const struct uop *i, const struct checked_access *a, uint64_t lanes)
{
	const uint32_t room = w->launch->private_bytes;

	for (uint64_t l = lanes; l; l &= l - 1) {
		const unsigned lane = __builtin_ctzll(l);
		if (a->at[lane] + a->bytes > room)
			report_access(w, i, lane,
				(struct check_report){.kind = CHECK_KIND_SCRATCH_OUT_OF_BOUNDS,
					.space = SPACE_SCRATCH,
					.room = room,
					.other = {.address = a->at[lane], .bytes = a->bytes, .access = a->access}});
	}
}

void checker_report_unmapped(
	struct wave *w, const struct uop *i, unsigned lane, uint64_t va, uint64_t bytes, unsigned access)
{
	if (checker_checks(w, CHECK_MEMORY))
		report_access(w, i, lane,
			(struct check_report){.kind = CHECK_KIND_UNMAPPED,
				.other = {.address = va, .bytes = (uint32_t)bytes, .access = access}});
}

void checker_access_memory(struct wave *w, const struct uop *i, const struct checked_access *a, uint64_t *lanes)
{
	const uint64_t all = *lanes;

	if (all)
		checker_note_access(w);
	if (a->space == SPACE_SCRATCH) {
		if (checker_checks(w, CHECK_MEMORY))
			check_scratch(w, i, a, all);
		init_access_scratch(w, i, a, all);
		return;
	}
	checker_note_lanes(w, i, all);
	if (checker_checks(w, CHECK_ALIGN) || a->access == (VM_READ | VM_WRITE))
		check_alignments(w, i, a, all);
	if (checker_checks(w, CHECK_MEMORY) && !are_all_inside(w->m, a, all))
		for (uint64_t l = all; l; l &= l - 1)
			if (!check_lane(w, i, a, __builtin_ctzll(l)))
				*lanes &= ~(l & -l);
	checker_touch_memory(w, i, a, *lanes);
	init_access_memory(w, i, a, *lanes);
}

bool checker_access_texel(
	struct wave *w, const struct uop *i, unsigned lane, uint64_t va, uint32_t bytes, unsigned access)
{
	return !checker_checks(w, CHECK_MEMORY) || check_extents(w, i, lane, va, bytes, access);
}

/* Compilers read a byte or a short with a scalar load of its dword, so of each dword only the first byte counts. */
bool checker_access_scalar(struct wave *w, const struct uop *i, uint64_t at, uint32_t bytes, unsigned access)
{
	const uint64_t lanes = wave_exec_mask(w);
	const unsigned lane = lanes ? __builtin_ctzll(lanes) : 0;
	bool made = true;

	if (checker_checks(w, CHECK_MEMORY))
		checker_access_arguments(w, i, lane, at, bytes, access);
	for (uint32_t k = 0; checker_checks(w, CHECK_MEMORY) && k < bytes; k += 4)
		made &= check_extents(w, i, lane, at + k, access == VM_READ ? 1 : 4, access);
	if (made) {
		checker_touch_scalar(w, i, at, bytes, access);
		init_access_scalar(w, i, at, bytes, access);
	}
	return made;
}

/* Waves that wait forever for a value in LDS.
 *
 * Only what is certain is reported: each wave of the workgroup that still runs waits at a barrier, or polls LDS and
 * comes back to its poll with the same registers, without any other access in between. Then nothing stores to LDS any
 * more. A loop that counts its trips, or that looks at memory or at a clock, has other registers or other accesses. */
#include "softgpu/core/check/checker.h"

#include <string.h>

enum { TRIPS = 16 /* before registers are compared */, OTHER_POLLS_MAX = 8 };

/* What the instruction reads may be another value the next time. Flat accesses to memory are looked at when they are
 * made. */
static bool may_read_changes(const struct uop *i)
{
	enum { SHADER_CYCLES = 29, REGISTER_BITS = 63 }; /* LLVM's AMDGPU assembler, hwreg */

	switch (i->unit) {
	case UNIT_VMEM:
	case UNIT_SMEM: return true;
	case UNIT_LDS: return i->d.flags & FLAG_GDS;
	default:
		return (i->d.op == OP_s_getreg_b32 && (i->d.imm & REGISTER_BITS) == SHADER_CYCLES) ||
			i->d.op == OP_s_sendmsg_rtn_b32 || i->d.op == OP_s_sendmsg_rtn_b64;
	}
}

void checker_note_access(struct wave *w)
{
	if (w->group->check)
		w->group->check->wave[w->index].poll.trips = 0;
}

void checker_note_instruction(struct wave *w, const struct uop *i)
{
	const struct group_check *g = w->group->check;

	if (g && g->wave[w->index].poll.trips && may_read_changes(i))
		checker_note_access(w);
}

static uint64_t hash_words(uint64_t hash, const uint32_t *words, size_t count)
{
	for (size_t k = 0; k < count; k++)
		hash = (hash ^ words[k]) * UINT64_C(1099511628211);
	return hash;
}

static uint64_t hash_registers(const struct wave *w)
{
	const struct launch *n = w->launch;
	const size_t vgprs = (size_t)n->vgprs * n->lanes;
	uint64_t hash = hash_words(UINT64_C(14695981039346656037), w->s, SGPR_FILE_SIZE);

	hash = hash_words(hash, w->v, vgprs);
	if (w->m->agprs)
		hash = hash_words(hash, w->v + w->m->agprs, vgprs);
	return hash_words(hash, (const uint32_t[]){w->scc, w->mode, w->gpr_idx}, 3);
}

/* --- a wave --- */
/* True: the wave is where it was in the trip before, and so will be in all further ones. */
static bool repeats_itself(struct wave *w, struct wave_poll *p, uint32_t version)
{
	if (p->version != version || !p->trips) {
		p->version = version;
		p->trips = 1;
	} else if (p->trips < TRIPS) {
		p->hash = ++p->trips == TRIPS ? hash_registers(w) : 0;
	} else if (p->trips == TRIPS) {
		p->trips = p->hash == hash_registers(w) ? TRIPS + 1 : 1;
	}
	return p->trips > TRIPS;
}

/* A loop may have several polls: one of them is followed. */
static bool is_followed(struct wave_poll *p, uint64_t pc)
{
	if (p->pc == pc) {
		p->others = 0;
		return true;
	}
	if (p->pc && ++p->others < OTHER_POLLS_MAX)
		return false;
	*p = (struct wave_poll){.pc = pc};
	return true;
}

/* --- the workgroup --- */
static bool waits_forever(const struct workgroup *g, unsigned index)
{
	const struct wave_check *c = &g->check->wave[index];

	return !g->wave[index] || c->at_barrier || (c->poll.trips > TRIPS && c->poll.version == g->check->lds_stores);
}

static void report_stuck(struct wave *w, const struct uop *i, const struct checked_lds *a, uint64_t lanes)
{
	struct group_check *c = w->group->check;
	const unsigned lane = (unsigned)__builtin_ctzll(lanes);
	struct check_report found = {.kind = CHECK_KIND_STUCK_WAVE,
		.space = SPACE_LDS,
		.at = checker_describe_side(w, i, lane),
		.room = w->launch->group_bytes_asked};

	found.at.address = a->at[lane];
	found.at.bytes = a->bytes;
	found.at.access = VM_READ;
	for (unsigned k = 0; k < w->launch->waves_per_group && !found.has_other; k++)
		if (w->group->wave[k] && c->wave[k].at_barrier) {
			found.has_other = true;
			found.other = c->wave[k].barrier;
		}
	c->is_stuck = true;
	check_reports_add(&w->m->checker->reports, &found);
}

void checker_note_poll(struct wave *w, const struct uop *i, const struct checked_lds *a, uint64_t lanes)
{
	struct group_check *c = w->group->check;

	if (!c || !lanes || c->is_stuck || !checker_checks(w, CHECK_BARRIER))
		return;
	if (a->data || a->atomic) {
		c->lds_stores++;
		return;
	}
	if (checker_load_kind(w, i) != TOUCH_POLL || !is_followed(&c->wave[w->index].poll, i->pc) ||
		!repeats_itself(w, &c->wave[w->index].poll, c->lds_stores))
		return;
	for (unsigned k = 0; k < w->launch->waves_per_group; k++)
		if (!waits_forever(w->group, k))
			return;
	report_stuck(w, i, a, lanes);
}

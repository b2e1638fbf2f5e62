#include "softgpu/core/streak_rows.h"

/* --- the table ----------------------------------------------------------------------------------------------------- */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-braces" /* a row's sources stand without */
static const struct step steps[OP_COUNT][MOST_STEPS] = {
#define STREAK(name, ...) [OP_##name] = { __VA_ARGS__ },
#include "softgpu/core/streak.def"
#undef STREAK
};
#pragma GCC diagnostic pop

const struct step *streak_steps(unsigned op)
{
	return steps[op];
}

static bool reads_old(const struct inst *i)
{
	const struct step *s = steps[i->d.op];

	for (unsigned n = 0; n < MOST_STEPS && s[n].what; n++)
		for (unsigned k = 0; k < 3; k++)
			if (s[n].from[k] == D)
				return true;
	return false;
}

bool streak_reads(const struct inst *i, int vgpr)
{
	for (unsigned k = 0; k < i->sources; k++)
		if (source_vgpr(i, k) == vgpr)
			return true;
	return dst_vgpr(i) == vgpr && reads_old(i);
}

/* --- what can be compiled ------------------------------------------------------------------------------------------ */
static bool takes(const struct machine *m, const struct inst *i)
{
	const struct isa_inst *d = &i->d;

	if (i->kind != KIND_PLAIN || i->unit != UNIT_VALU || !steps[d->op][0].what || d->clamp || d->omod || d->op_sel)
		return false;
	if (i->fn != m->ops[d->op] && (i->fn != m->ops[OP_COUNT] || d->form != FORM_PLAIN))
		return false;
	for (unsigned k = 0; k < i->sources; k++)
		if ((is_sgpr(i, k) && d->src[k] >= 128) || (is_vgpr(i, k) && d->src[k] >= ISA_AGPR0))
			return false;
	return d->dst >= ISA_VGPR0 && d->dst < ISA_AGPR0;
}

unsigned streak_sgpr_place(const struct streak_sgprs *s, unsigned number)
{
	unsigned k = 0;

	while (k < s->count && s->number[k] != number)
		k++;
	return k;
}

void streak_add_sgprs(struct streak_sgprs *s, const struct inst *i)
{
	for (unsigned k = 0; k < i->sources; k++)
		if (is_sgpr(i, k) && streak_sgpr_place(s, i->d.src[k]) == s->count)
			s->number[s->count++] = i->d.src[k];
}

unsigned streak_length(const struct machine *m, const struct inst *i, uint8_t *fp)
{
	struct streak_sgprs sgprs = { .count = 0 };
	unsigned n = 0;

	for (*fp = FP_NONE; n < MOST_STREAK && takes(m, i); n++, i += i->words) {
		if (i->fp && *fp && i->fp != *fp)
			break;
		streak_add_sgprs(&sgprs, i);
		if (sgprs.count > MOST_SGPRS)
			break;
		*fp |= i->fp;
	}
	return n;
}

/* Undefined bits in scratch: what a work-item stored there, and nothing else, is defined. Spilled registers keep theirs
 * bit by bit. */
#include "softgpu/core/check/checker.h"

#include <stdlib.h>

#include "softgpu/core/check/load_extension.h"
#include "softgpu/core/check/undefined_registers.h"

/* An instruction's access, while its lanes are looked at. */
struct scratch_access {
	const struct model *model;
	struct undefined_registers *u;
	uint8_t *defined; /* bits of each byte, those of all lanes together */
	uint32_t lanes;
	const struct uop *i;
	const struct checked_access *a;
	uint32_t each; /* bytes of an element in a register */
};

/* NULL: out of memory. Fresh scratch is undefined. */
static uint8_t *scratch_of(const struct wave *w)
{
	struct wave_check *c = &w->group->check->wave[w->index];

	if (!c->defined_scratch)
		c->defined_scratch = calloc(w->launch->lanes, w->launch->private_bytes);
	return c->defined_scratch;
}

static uint8_t *defined_bits(const struct scratch_access *s, unsigned lane, uint32_t byte)
{
	return &s->defined[(s->a->at[lane] + byte) * s->lanes + lane];
}

static void load_scratch(const struct scratch_access *s, unsigned lane)
{
	if (isa_converts_format(s->i->d.op)) /* the result is defined already */
		return;
	for (uint32_t k = 0; k * s->each < s->a->bytes; k++) {
		const unsigned n = s->i->d.dst - ISA_VGPR0 + k;
		const uint32_t old = undefined_lane(s->u, n, lane);
		uint32_t bits = 0;
		for (uint32_t b = 0; b < s->each; b++)
			bits |= (uint32_t)(uint8_t) ~*defined_bits(s, lane, k * s->each + b) << 8 * b;
		if (!bits && !old)
			continue;
		const struct load_extension x = find_load_extension(s->model, s->i);
		set_undefined_lane(s->u, n, lane, extend_undefined_bits(&x, bits, s->each, old));
	}
}

static void store_scratch(const struct scratch_access *s, unsigned lane)
{
	const unsigned first = stored_register(s->i) - ISA_VGPR0;
	const bool converts = isa_converts_format(s->i->d.op);

	for (uint32_t b = 0; b < s->a->bytes; b++) {
		const uint32_t bits = converts ? 0 : undefined_lane(s->u, first + b / s->each, lane);
		*defined_bits(s, lane, b) = (uint8_t) ~(bits >> (s->a->shift + 8 * (b % s->each)));
	}
}

void init_access_scratch(struct wave *w, const struct uop *i, const struct checked_access *a, uint64_t lanes)
{
	const struct group_check *c = w->group->check;
	struct scratch_access s = {.model = &w->m->model,
		.i = i,
		.a = a,
		.lanes = w->launch->lanes,
		.each = a->element < 4 ? a->element : 4};

	if (!c || !(s.u = c->wave[w->index].registers) || !lanes || !(s.defined = scratch_of(w)))
		return;
	for (uint64_t l = lanes; l; l &= l - 1) {
		const unsigned lane = (unsigned)__builtin_ctzll(l);
		if (a->at[lane] + a->bytes > w->launch->private_bytes)
			continue; /* another check's */
		if (a->access == VM_READ)
			load_scratch(&s, lane);
		else
			store_scratch(&s, lane);
	}
}

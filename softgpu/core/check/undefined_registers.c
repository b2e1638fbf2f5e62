#include "softgpu/core/check/undefined_registers.h"

#include <stdlib.h>
#include <string.h>

static void define_sgprs(struct undefined_registers *u, unsigned first, unsigned count)
{
	memset(u->s + first, 0, count * sizeof *u->s);
}

struct undefined_registers *undefined_registers_open(const struct wave *w)
{
	const struct launch *n = w->launch;
	const unsigned vgprs = w->m->agprs ? ISA_REGISTERS - ISA_VGPR0 : n->vgprs,
		       ids = n->packed_ids ? 1 : 1 + n->more_ids;
	const size_t bytes = (size_t)vgprs * n->lanes * sizeof(uint32_t);
	struct undefined_registers *u = malloc(sizeof *u + bytes);

	if (!u)
		return NULL;
	memset(u->s, 0xff, sizeof u->s);
	memset(u->some, 0, sizeof u->some);
	memset(u->v, 0xff, bytes);
	u->scc = true;
	u->lanes = n->lanes;
	u->vgprs = vgprs;
	for (unsigned k = ids; k < vgprs; k++)
		u->some[k] = n->all_lanes;
	define_sgprs(u, 0, n->initial_sgprs);
	define_sgprs(u, ISA_FLAT_SCRATCH, ISA_VCC - ISA_FLAT_SCRATCH);
	define_sgprs(u, ISA_TTMP0, ISA_M0 - ISA_TTMP0);
	define_sgprs(u, ISA_NULL, SGPR_FILE_SIZE - ISA_NULL);
	return u;
}

bool undefined_span(const struct undefined_registers *u, struct isa_span s, uint64_t lanes)
{
	uint64_t some = 0;

	if (s.first == ISA_SCC)
		return u->scc;
	for (unsigned k = 0; k < s.count; k++)
		if (s.first >= ISA_VGPR0)
			some |= s.first - ISA_VGPR0 + k < u->vgprs ? u->some[s.first - ISA_VGPR0 + k] & lanes : 0;
		else
			some |= s.first + k < SGPR_FILE_SIZE ? u->s[s.first + k] : 0;
	return some;
}

void define_span(struct undefined_registers *u, struct isa_span s, uint64_t lanes)
{
	if (s.first == ISA_SCC)
		u->scc = false;
	for (unsigned k = 0; s.first != ISA_SCC && k < s.count; k++)
		if (s.first >= ISA_VGPR0)
			u->some[(s.first - ISA_VGPR0 + k) % (ISA_REGISTERS - ISA_VGPR0)] &= ~lanes;
		else if (s.first + k < SGPR_FILE_SIZE)
			u->s[s.first + k] = 0;
}

void set_undefined_lane(struct undefined_registers *u, unsigned n, unsigned lane, uint32_t bits)
{
	if (n >= u->vgprs)
		return;
	undefined_bits(u, n)[lane] = bits;
	u->some[n] = (u->some[n] & ~(UINT64_C(1) << lane)) | (uint64_t)(bits != 0) << lane;
}

/* Which bits of a wave's registers were never written, or come from such bits. 1: undefined. */
#ifndef SOFTGPU_CORE_CHECK_UNDEFINED_REGISTERS_H
#define SOFTGPU_CORE_CHECK_UNDEFINED_REGISTERS_H

#include "softgpu/core/state/machine.h"
#include "softgpu/isa/register_effects.h"

struct undefined_registers {
	uint32_t s[SGPR_FILE_SIZE]; /* by operand number */
	bool scc;
	uint32_t lanes, vgprs;                    /* of the wave; vgprs: with accumulation registers, 512 */
	uint64_t some[ISA_REGISTERS - ISA_VGPR0]; /* of a VGPR: lanes with undefined bits */
	uint32_t v[];                             /* bits of a VGPR's lanes; only those in `some` count */
};

static inline uint32_t *vgpr_of(const struct wave *w, unsigned n)
{
	return wave_vgpr(w, ISA_VGPR0 + n);
}

/* As a wave starts: its arguments, workgroup and work-item are defined. The caller frees it. NULL: out of memory. */
struct undefined_registers *undefined_registers_open(const struct wave *w);

/* VGPR n, counted from ISA_VGPR0; its bits of `lanes` lanes. */
static inline uint32_t *undefined_bits(struct undefined_registers *u, unsigned n)
{
	return u->v + (size_t)n * u->lanes;
}

/* Whether any bit of the span is undefined, of VGPRs in these lanes. */
bool undefined_span(const struct undefined_registers *u, struct isa_span s, uint64_t lanes);
/* The span's bits become defined, of VGPRs in these lanes. */
void define_span(struct undefined_registers *u, struct isa_span s, uint64_t lanes);
/* A lane of VGPR n gets these undefined bits. */
void set_undefined_lane(struct undefined_registers *u, unsigned n, unsigned lane, uint32_t bits);
/* The undefined bits of a lane of VGPR n. */
static inline uint32_t undefined_lane(struct undefined_registers *u, unsigned n, unsigned lane)
{
	return n < u->vgprs && u->some[n] >> lane & 1 ? undefined_bits(u, n)[lane] : 0;
}

#endif

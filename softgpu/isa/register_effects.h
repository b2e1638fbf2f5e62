/* What registers an instruction reads and writes: its operand columns in gfx9.def, and what its row's semantics mention
 * beyond them (SCC, VCC, EXEC, M0, the old value of the destination). */
#ifndef SOFTGPU_ISA_REGISTER_EFFECTS_H
#define SOFTGPU_ISA_REGISTER_EFFECTS_H

#include "softgpu/isa/isa.h"

/* Registers [first, first + count), as operand numbers: SGPRs and the special ones, ISA_SCC, VGPRs, accumulation
 * registers. */
struct isa_span {
	uint16_t first, count;
};
enum { ISA_SPANS_MAX = 10, ISA_REGISTERS = ISA_AGPR0 + 256 };

struct isa_effects {
	struct isa_span reads[ISA_SPANS_MAX], writes[ISA_SPANS_MAX];
	unsigned read_count, write_count;
};

/* Memory is left out. A destination of which a part stays, of its bits or of its lanes by DPP, counts as read; that
 * lanes outside of EXEC keep theirs does not. */
void isa_effects(const struct isa_inst *in, struct isa_effects *out);

/* "v[2:3]", "vcc", "scc". Always terminates. */
char *isa_span_text(struct isa_span s, char *out, size_t size);

#endif

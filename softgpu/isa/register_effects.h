/* Registers that an instruction reads and writes, explicit operands and implied ones (SCC, VCC, EXEC, M0, the old value
 * of the destination). Both come from the columns of operations.def. */
#ifndef SOFTGPU_ISA_REGISTER_EFFECTS_H
#define SOFTGPU_ISA_REGISTER_EFFECTS_H

#include "softgpu/isa/isa.h"

/* Registers [first, first + count) as operand numbers: SGPRs and special registers, ISA_SCC, VGPRs, accumulation
 * registers. */
struct isa_span {
	uint16_t first, count;
};
enum { ISA_SPANS_MAX = 12, ISA_REGISTERS = ISA_AGPR0 + 256 };

struct isa_effects {
	struct isa_span reads[ISA_SPANS_MAX], writes[ISA_SPANS_MAX];
	unsigned read_count, write_count;
};

/* Memory is not included. A destination counts as read when some of its bits stay, or some lanes because of DPP; lanes
 * that EXEC disables do not count. */
void isa_effects(const struct isa_inst *in, struct isa_effects *out);

/* The registers that an access to memory or LDS takes its address from: the lane's, the wave's, descriptors. Returns
 * their number; 0: no access, or the address is a constant. */
enum { ISA_ADDRESS_SPANS = 3 };
unsigned isa_address_registers(const struct isa_inst *in, struct isa_span out[ISA_ADDRESS_SPANS]);

/* "v[2:3]", "vcc", "scc". Always terminates. */
char *isa_span_text(struct isa_span s, enum isa_target target, char *out, size_t size);

#endif

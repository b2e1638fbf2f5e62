/* One decoded instruction made ready to be carried out: its function, where its operands and results lie, what it
 * costs. */
#ifndef SOFTGPU_CORE_EXEC_UOP_BUILD_H
#define SOFTGPU_CORE_EXEC_UOP_BUILD_H

#include "softgpu/core/exec/machine.h"

struct uop_constant; /* a constant in all lanes */

/* Fills *i for what was decoded at `pc`. Its memo is then the caller's to free; constants of vector operands go into
 * the list and live until uop_constants_free. False: this machine has no such instruction or operand, or memory ran
 * out. */
bool uop_build(struct machine *m, struct uop_constant **columns, struct uop *i, uint64_t pc, const struct isa_inst *d);
void uop_constants_free(struct uop_constant **columns); /* and empties the list */

#endif

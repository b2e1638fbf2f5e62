/* Prepares one decoded instruction for execution: its function, the locations of operands and results, its cost. */
#ifndef SOFTGPU_CORE_EXEC_UOP_BUILD_H
#define SOFTGPU_CORE_EXEC_UOP_BUILD_H

#include "softgpu/core/state/machine.h"

struct uop_constant; /* a constant, repeated for all lanes */

/* Fills *i for the instruction d at `pc`. The caller frees i->memo. Constants of vector operands are added to the list
 * and live until uop_constants_free. False: the instruction or an operand is not supported, or out of memory. */
bool uop_build(
	struct executor *x, struct uop_constant **constants, struct uop *i, uint64_t pc, const struct isa_inst *d);
void uop_constants_free(struct uop_constant **constants); /* frees all and clears the list */

#endif

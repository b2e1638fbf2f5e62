/* Bank conflicts of the vector registers of gfx11. Bank b holds the registers whose number is b modulo vgpr_banks, and
 * reads one of them in a cycle. The operands of an instruction are gathered while those before it issue, so that it
 * waits only if instructions in line together read a bank too often. Each bank keeps the register that it read last for
 * each source position, and does not read these again. */
#ifndef SOFTGPU_CORE_EXEC_VGPR_BANKS_H
#define SOFTGPU_CORE_EXEC_VGPR_BANKS_H

#include "softgpu/core/exec/uop.h"
#include "softgpu/core/model_config.h"

/* Adds to the cost of a vector instruction the cycles that it waits for its registers. before: the instructions before
 * it in line, the nearest first. */
void uop_add_bank_cycles(const struct model *m, struct uop *i, struct uop *const *before, unsigned count);

#endif

/* Bank conflicts of the vector registers of gfx11. Bank b holds the registers whose number is b modulo vgpr_banks. In a
 * cycle each bank reads one register, so an instruction that needs several of one bank takes longer. Each bank keeps
 * the register that it read last for each source position, and does not read it again. */
#ifndef SOFTGPU_CORE_EXEC_VGPR_BANKS_H
#define SOFTGPU_CORE_EXEC_VGPR_BANKS_H

#include "softgpu/core/exec/uop.h"
#include "softgpu/core/model_config.h"

/* Adds to the cost of a vector instruction the cycles that conflicts take. before: the instructions before it in line,
 * the nearest first. */
void uop_add_bank_cycles(const struct model *m, struct uop *i, struct uop *const *before, unsigned count);

#endif

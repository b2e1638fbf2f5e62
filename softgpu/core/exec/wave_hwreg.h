/* The hardware registers of a wave: MODE, STATUS and others that s_getreg reads. */
#ifndef SOFTGPU_CORE_EXEC_WAVE_HWREG_H
#define SOFTGPU_CORE_EXEC_WAVE_HWREG_H

#include "softgpu/core/state/machine.h"

/* `operand` is the immediate of s_getreg and s_setreg: register, first bit, size. */
uint32_t wave_getreg(const struct wave *w, uint32_t operand);
/* Whether an s_getreg reads a clock. */
bool wave_register_is_clock(const struct uop *i);
void wave_setreg(struct wave *w, uint32_t operand, uint32_t value);
/* Sets MODE and everything derived from it. */
void wave_set_mode(struct wave *w, uint32_t mode);

#endif

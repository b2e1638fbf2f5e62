/* One decoded instruction made ready to be carried out: its function, where its operands and results lie, what it
 * costs. */
#ifndef SOFTGPU_CORE_INST_H
#define SOFTGPU_CORE_INST_H

#include "softgpu/core/machine.h"

struct column; /* a constant in all lanes */

/* Fills *i for what was decoded at `pc`. Its memo is then the caller's to free; constants of vector operands go into
 * the list and live until columns_free. False: this machine has no such instruction or operand, or memory ran out. */
bool inst_make(struct machine *m, struct column **columns, struct inst *i, uint64_t pc, const struct isa_inst *d);
void columns_free(struct column **columns); /* and empties the list */

#endif

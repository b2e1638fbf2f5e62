/* Instructions explained in a line each: what a mnemonic computes, and what one instruction is, reads and writes. */
#ifndef KERNELS_INSPECT_INSTRUCTION_HELP_H
#define KERNELS_INSPECT_INSTRUCTION_HELP_H

#include <stddef.h>

#include "kernels/inspect/instruction_costs.h"

/* By the name without its encoding, "v_add_u32"; NULL for a name that instruction_help.def has no row for. */
const char *instruction_help_find(const char *mnemonic);
/* Rows of instruction_help.def: their pattern and text; NULL behind the last. */
const char *instruction_help_row(size_t i, const char **text);

/* "VOP2, 4 bytes" */
char *instruction_help_encoding(const struct isa_inst *in, char *out, size_t size);
/* "reads v4 v3 vcc exec, writes v3 vcc" */
char *instruction_help_registers(const struct isa_inst *in, char *out, size_t size);
/* "4 cycles a wave", "4 cycles a wave to issue, data after 176 at the nearest"; "" where the costs are not known */
char *instruction_help_rate(const struct isa_inst *in, const struct issue_costs *costs, char *out, size_t size);

#endif

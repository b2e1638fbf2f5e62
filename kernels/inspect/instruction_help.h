/* Explains instructions in one line each: what a mnemonic computes, its encoding, the registers it reads and writes. */
#ifndef KERNELS_INSPECT_INSTRUCTION_HELP_H
#define KERNELS_INSPECT_INSTRUCTION_HELP_H

#include <stddef.h>

#include "kernels/inspect/instruction_costs.h"

/* By mnemonic without encoding, "v_add_u32"; NULL if instruction_help.def has no row for it. */
const char *instruction_help_find(const char *mnemonic);

/* "VOP2, 4 bytes" */
char *instruction_help_encoding(const struct isa_inst *in, char *out, size_t size);
/* "reads v4 v3 vcc exec, writes v3 vcc" */
char *instruction_help_registers(const struct isa_inst *in, char *out, size_t size);
/* "4 cycles per wave", "4 cycles per wave to issue, data at least 176 cycles later"; "" if the costs are unknown */
char *instruction_help_rate(const struct isa_inst *in, const struct issue_costs *costs, char *out, size_t size);

#endif

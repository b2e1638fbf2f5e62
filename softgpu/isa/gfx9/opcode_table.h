/* Private to softgpu/isa/gfx9: maps the opcode number of an encoding to an operation. */
#ifndef SOFTGPU_ISA_OPCODE_TABLE_H
#define SOFTGPU_ISA_OPCODE_TABLE_H

#include "softgpu/isa/family.h"

/* The row for an opcode number of an encoding on a target; OP_INVALID: none. VOP3 numbers of VOP1, VOP2 and VOPC rows
 * find these rows if they have a long form. */
unsigned isa_lookup(enum isa_enc enc, unsigned code, enum isa_target target);

/* Forms of a VOP1, VOP2 or VOPC row. */
bool isa_has_long(const struct isa_info *row);
bool isa_has_sdwa(const struct isa_info *row);
bool isa_has_dpp(const struct isa_info *row, enum isa_target target);
/* Whether the row's DPP form is of gfx90a only, which moves 64 bits, from one lane of each row (row_newbcast). */
bool isa_has_wide_dpp(const struct isa_info *row);
/* Whether the name of the short form ends in _e32. */
bool isa_has_e32_suffix(const struct isa_info *row);
/* Buffer loads whose LDS bit sends the data to LDS. */
bool isa_loads_lds(const struct isa_info *row);
/* v_madmk, v_madak: the source (1 or 2) that is always a literal; 0 for other instructions. */
unsigned isa_literal_source(unsigned op);

/* Unsupported modifier bits: where LLVM rejects them, these return false; where LLVM ignores them, they are cleared. */
bool isa_fit_long(const struct isa_info *row, struct isa_inst *in);
bool isa_fit_sdwa(const struct isa_info *row, struct isa_inst *in);
bool isa_fit_dpp(const struct isa_info *row, struct isa_inst *in);

#endif

/* Inside softgpu/isa: from an encoding's opcode number to a row of gfx9.def. */
#ifndef SOFTGPU_ISA_OPCODE_TABLE_H
#define SOFTGPU_ISA_OPCODE_TABLE_H

#include "softgpu/isa/isa.h"

/* The row of that encoding and number on that target, OP_INVALID without one. VOP3 numbers of VOP1, VOP2 and VOPC rows
 * find those rows when they have a long form. */
unsigned isa_lookup(enum isa_enc enc, unsigned code, enum isa_target target);

/* Which forms a VOP1, VOP2 or VOPC row has. */
bool isa_has_long(const struct isa_info *row);
bool isa_has_sdwa(const struct isa_info *row);
bool isa_has_dpp(const struct isa_info *row);
/* Whether the short form's name ends in _e32. */
bool isa_has_e32_suffix(const struct isa_info *row);
/* Buffer loads that with the LDS bit put their data into LDS. */
bool isa_loads_lds(const struct isa_info *row);
/* v_madmk, v_madak: a literal is part of the instruction; 1 or 2 says which source, 0 not. */
unsigned isa_literal_source(unsigned op);

bool isa_is_float(enum isa_type t);

/* Sources other than a carry. */
int isa_source_count(const struct isa_info *row);

/* Modifier bits that the row's instruction does not have must be 0 where LLVM says so and are dropped where it ignores
 * them. False when one is set that may not be. */
bool isa_fit_long(const struct isa_info *row, struct isa_inst *in);
bool isa_fit_packed(const struct isa_info *row, struct isa_inst *in);
bool isa_fit_sdwa(const struct isa_info *row, struct isa_inst *in);
bool isa_fit_dpp(const struct isa_info *row, struct isa_inst *in);

#endif

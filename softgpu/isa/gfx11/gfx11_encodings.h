/* Private to softgpu/isa/gfx11: the rows of gfx11_encodings.def. */
#ifndef SOFTGPU_ISA_GFX11_GFX11_ENCODINGS_H
#define SOFTGPU_ISA_GFX11_GFX11_ENCODINGS_H

#include "softgpu/isa/family.h"

struct gfx11_encoding {
	const char *mnemonic;
	uint16_t op; /* enum isa_op */
	uint16_t code;
	uint8_t enc;
};

/* Never NULL. Row 0 is "invalid". */
const struct gfx11_encoding *gfx11_encoding_at(unsigned row);

/* The row for an opcode number of an encoding; 0: none. VOP3 numbers of VOP1, VOP2 and VOPC rows find these rows if
 * they have a long form. */
unsigned gfx11_find_encoding(enum isa_enc enc, unsigned code);

/* Forms of a VOP1, VOP2 or VOPC row; other rows have one, with or without DPP. */
bool gfx11_has_long(const struct gfx11_encoding *e);
bool gfx11_has_dpp(const struct gfx11_encoding *e);
/* v_fmamk, v_fmaak: the source (1 or 2) that is always a literal; 0 for other operations. */
unsigned gfx11_literal_source(unsigned op);

/* Unsupported modifier bits: where LLVM rejects them, these return false; where LLVM ignores them, they are cleared. */
bool gfx11_fit_long(const struct isa_info *row, struct isa_inst *in);
bool gfx11_fit_packed(const struct isa_info *row, struct isa_inst *in);
bool gfx11_fit_dpp(const struct isa_info *row, struct isa_inst *in);

#endif

/* Private to softgpu/isa/gfx11: the rows of gfx11.def as encodings of operations. */
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

/* The row for an opcode number of an encoding; 0: none. */
unsigned gfx11_find_encoding(enum isa_enc enc, unsigned code);

#endif

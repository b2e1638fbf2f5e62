/* Prints instructions as llvm-objdump does for gfx11. */
#include "softgpu/isa/gfx11/gfx11_encodings.h"

#include <stdio.h>

const char *gfx11_mnemonic(const struct isa_inst *in)
{
	return gfx11_encoding_at(in->row)->mnemonic;
}

size_t gfx11_print(const struct isa_inst *in, char *out, size_t size)
{
	return snprintf(out, size, "%s", gfx11_mnemonic(in));
}

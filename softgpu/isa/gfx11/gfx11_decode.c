/* Decodes gfx11 machine words. */
#include "softgpu/isa/gfx11/gfx11_encodings.h"

#include <stdio.h>
#include <string.h>

unsigned gfx11_decode(const void *code, size_t avail, enum isa_target target, struct isa_inst *out)
{
	(void)code, (void)avail, (void)target;
	*out = (struct isa_inst){.op = OP_INVALID};
	return 0;
}

size_t gfx11_print_unknown(const void *code, size_t avail, char *out, size_t size)
{
	uint32_t word = 0;

	memcpy(&word, code, avail < 4 ? avail : 4);
	return snprintf(out, size, "word 0x%08x", word);
}

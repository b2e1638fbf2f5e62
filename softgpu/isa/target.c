/* The targets, and the family that decodes and prints for each. */
#include <string.h>

#include "softgpu/isa/family.h"

enum isa_target isa_target_by_name(const char *name)
{
	static const struct {
		char name[12];
		enum isa_target target;
	} names[] = {
		{"gfx900", ISA_GFX900},
		{"gfx906", ISA_GFX906},
		{"gfx908", ISA_GFX908},
		{"gfx1100", ISA_GFX1100_WAVE32},
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i].name, name))
			return names[i].target;
	return 0;
}

enum isa_target isa_target_of_wave_size(enum isa_target t, unsigned lanes)
{
	return !(t & ISA_GFX11) ? t : lanes == 64 ? ISA_GFX1100_WAVE64 : ISA_GFX1100_WAVE32;
}

unsigned isa_decode(const void *code, size_t avail, enum isa_target target, struct isa_inst *out)
{
	unsigned size =
		target & ISA_GFX11 ? gfx11_decode(code, avail, target, out) : gfx9_decode(code, avail, target, out);

	out->target = target;
	return size;
}

const char *isa_mnemonic(const struct isa_inst *in)
{
	return in->target & ISA_GFX11 && in->row ? gfx11_mnemonic(in) : isa_info(in->op)->name;
}

size_t isa_print(const struct isa_inst *in, uint64_t pc, char *out, size_t size)
{
	(void)pc; /* branches print the immediate, as objdump does without symbols */
	return in->target & ISA_GFX11 ? gfx11_print(in, out, size) : gfx9_print(in, out, size);
}

size_t isa_print_unknown(const void *code, size_t avail, enum isa_target target, char *out, size_t size)
{
	return target & ISA_GFX11 ? gfx11_print_unknown(code, avail, out, size)
				  : gfx9_print_unknown(code, avail, out, size);
}

/* The targets, and the family that decodes and prints for each. */
#include <string.h>

#include "softgpu/isa/family.h"

/* EF_AMDGPU_MACH is from LLVM's AMDGPU usage, table "AMDGPU ELF Header e_flags". */
static const struct {
	char name[12];
	enum isa_target target;
	uint8_t mach;
} targets[] = {
	{"gfx900", ISA_GFX900, 0x2c},
	{"gfx906", ISA_GFX906, 0x2f},
	{"gfx908", ISA_GFX908, 0x30},
	{"gfx1100", ISA_GFX1100_WAVE32, 0x41},
};

enum isa_target isa_target_by_name(const char *name)
{
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
		if (!strcmp(targets[i].name, name))
			return targets[i].target;
	return 0;
}

const char *isa_target_name_of_elf(uint32_t e_flags)
{
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
		if (targets[i].mach == (e_flags & 0xff))
			return targets[i].name;
	return NULL;
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

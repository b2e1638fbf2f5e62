/* The targets: their names, families and instruction sets. */
#include <string.h>

#include "softgpu/isa/family.h"

/* The instruction set in waves of 32 lanes and of 64; NONE: the target has no such waves. Several targets may have the
 * same one. EF_AMDGPU_MACH is from LLVM's AMDGPU usage, table "AMDGPU ELF Header e_flags". */
enum { NONE = 0 };
static const struct isa_target_row {
	char name[12];
	const struct isa_family *family;
	uint16_t of_32_lanes, of_64_lanes;
	uint8_t mach;
} targets[] = {
	{"gfx900", &isa_family_gfx9, NONE, ISA_GFX900, 0x2c},
	{"gfx906", &isa_family_gfx9, NONE, ISA_GFX906, 0x2f},
	{"gfx908", &isa_family_gfx9, NONE, ISA_GFX908, 0x30},
	{"gfx90a", &isa_family_gfx9, NONE, ISA_GFX90A, 0x3f},
	{"gfx1100", &isa_family_gfx11, ISA_GFX1100_WAVE32, ISA_GFX1100_WAVE64, 0x41},
};
enum { TARGET_COUNT = sizeof targets / sizeof *targets };

const char *isa_target_name(size_t i)
{
	return i < TARGET_COUNT ? targets[i].name : NULL;
}

enum isa_target isa_target_by_name(const char *name)
{
	for (size_t i = 0; i < TARGET_COUNT; i++)
		if (!strcmp(targets[i].name, name))
			return targets[i].of_32_lanes ? targets[i].of_32_lanes : targets[i].of_64_lanes;
	return 0;
}

const char *isa_target_name_of_elf(uint32_t e_flags)
{
	for (size_t i = 0; i < TARGET_COUNT; i++)
		if (targets[i].mach == (e_flags & 0xff))
			return targets[i].name;
	return NULL;
}

/* The first target with the instruction set; the first of all for 0. */
static const struct isa_target_row *find_target_row(enum isa_target t)
{
	for (size_t i = 0; i < TARGET_COUNT; i++)
		if ((targets[i].of_32_lanes | targets[i].of_64_lanes) & t)
			return &targets[i];
	return targets;
}

enum isa_target isa_target_of_wave_size(enum isa_target t, unsigned lanes)
{
	const struct isa_target_row *row = find_target_row(t);

	return lanes == 32 && row->of_32_lanes ? row->of_32_lanes : row->of_64_lanes;
}

const struct isa_family *isa_family_of(enum isa_target target)
{
	return find_target_row(target)->family;
}

unsigned isa_decode(const void *code, size_t avail, enum isa_target target, struct isa_inst *out)
{
	unsigned size = isa_family_of(target)->decode(code, avail, target, out);

	out->target = target;
	return size;
}

const char *isa_mnemonic(const struct isa_inst *in)
{
	return isa_family_of(in->target)->mnemonic(in);
}

size_t isa_print(const struct isa_inst *in, uint64_t pc, char *out, size_t size)
{
	(void)pc; /* branches print the immediate, as objdump does without symbols */
	return isa_family_of(in->target)->print(in, out, size);
}

size_t isa_print_unknown(const void *code, size_t avail, enum isa_target target, char *out, size_t size)
{
	return isa_family_of(target)->print_unknown(code, avail, out, size);
}

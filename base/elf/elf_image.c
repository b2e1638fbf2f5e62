#include "base/elf/elf_image.h"

#include <elf.h>
#include <string.h>

enum { RELOCATION_RELATIVE64 = 13 /* R_AMDGPU_RELATIVE64 */, IMAGE_MAX = 1 << 28 };

/* The next loaded segment from *index on; *index is set to the one after it. */
static bool next_segment(const struct elf_file *f, unsigned *index, Elf64_Phdr *out)
{
	Elf64_Ehdr h;
	memcpy(&h, f->data, sizeof h);
	while (*index < h.e_phnum) {
		const uint8_t *row = elf_part(f, h.e_phoff, (uint64_t)h.e_phnum * sizeof *out);
		if (!row)
			return false;
		memcpy(out, row + (size_t)(*index)++ * sizeof *out, sizeof *out);
		if (out->p_type == PT_LOAD)
			return true;
	}
	return false;
}

uint64_t elf_image_size(const struct elf_file *f)
{
	uint64_t end = 0;
	Elf64_Phdr p;
	for (unsigned i = 0; next_segment(f, &i, &p);) {
		if (p.p_vaddr > IMAGE_MAX || p.p_memsz > IMAGE_MAX || p.p_filesz > p.p_memsz ||
			!elf_part(f, p.p_offset, p.p_filesz))
			return 0;
		end = p.p_vaddr + p.p_memsz > end ? p.p_vaddr + p.p_memsz : end;
	}
	return end;
}

static void apply_relocations(
	const struct elf_file *f, const struct elf_section *s, uint8_t *to, uint64_t size, uint64_t va)
{
	Elf64_Rela r;
	for (uint64_t i = 0; i < s->size / sizeof r; i++) {
		memcpy(&r, f->data + s->offset + i * sizeof r, sizeof r);
		uint64_t address = va + (uint64_t)r.r_addend;
		if (ELF64_R_TYPE(r.r_info) == RELOCATION_RELATIVE64 && size >= 8 && r.r_offset <= size - 8)
			memcpy(to + r.r_offset, &address, sizeof address);
	}
}

void elf_image_load(const struct elf_file *f, uint8_t *to, uint64_t size, uint64_t va)
{
	Elf64_Phdr p;
	struct elf_section s;
	memset(to, 0, size);
	for (unsigned i = 0; next_segment(f, &i, &p);)
		memcpy(to + p.p_vaddr, f->data + p.p_offset, p.p_filesz);
	for (unsigned i = 0; elf_next_section(f, SHT_RELA, &i, &s);)
		apply_relocations(f, &s, to, size, va);
}

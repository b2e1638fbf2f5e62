/* Loads the segments of a code object and relocates it. */
#include "gpu/backends/aql/aql_code.h"

#include <elf.h>
#include <string.h>

enum { RELOCATION_RELATIVE64 = 13, IMAGE_MAX = 1 << 28 }; /* R_AMDGPU_RELATIVE64: LLVM AMDGPU usage; bytes */

struct image {
	const uint8_t *bytes;
	size_t size;
};

/* A table of the file; NULL if it is out of bounds or not aligned. */
static const void *table_at(const struct image *i, uint64_t offset, uint64_t bytes)
{
	return offset % 8 || offset > i->size || bytes > i->size - offset ? NULL : i->bytes + offset;
}

static const Elf64_Phdr *program_headers(const struct image *i, unsigned *count)
{
	const Elf64_Ehdr *h = table_at(i, 0, sizeof *h);
	*count = h ? h->e_phnum : 0;
	return h ? table_at(i, h->e_phoff, (uint64_t)h->e_phnum * sizeof(Elf64_Phdr)) : NULL;
}

/* The end of the segments in memory; 0 if there are none or one is out of bounds. */
static uint64_t segments_end(const struct image *i)
{
	unsigned count;
	uint64_t end = 0;
	const Elf64_Phdr *p = program_headers(i, &count);
	for (unsigned k = 0; p && k < count; k++) {
		if (p[k].p_type != PT_LOAD)
			continue;
		if (p[k].p_vaddr > IMAGE_MAX || p[k].p_memsz > IMAGE_MAX || p[k].p_filesz > p[k].p_memsz ||
			p[k].p_offset > i->size || p[k].p_filesz > i->size - p[k].p_offset)
			return 0;
		end = p[k].p_vaddr + p[k].p_memsz > end ? p[k].p_vaddr + p[k].p_memsz : end;
	}
	return end;
}

static void copy_segments(const struct image *i, uint8_t *to)
{
	unsigned count;
	const Elf64_Phdr *p = program_headers(i, &count);
	for (unsigned k = 0; k < count; k++)
		if (p[k].p_type == PT_LOAD)
			memcpy(to + p[k].p_vaddr, i->bytes + p[k].p_offset, p[k].p_filesz);
}

static void relocate(const struct image *i, uint8_t *to, uint64_t end)
{
	const Elf64_Ehdr *h = (const Elf64_Ehdr *)i->bytes;
	const Elf64_Shdr *s = table_at(i, h->e_shoff, (uint64_t)h->e_shnum * sizeof *s);
	for (unsigned k = 0; s && k < h->e_shnum; k++) {
		const Elf64_Rela *r = s[k].sh_type == SHT_RELA ? table_at(i, s[k].sh_offset, s[k].sh_size) : NULL;
		for (uint64_t n = 0; r && n < s[k].sh_size / sizeof *r; n++)
			if (ELF64_R_TYPE(r[n].r_info) == RELOCATION_RELATIVE64 && r[n].r_offset <= end - 8) {
				uint64_t address = (uintptr_t)to + (uint64_t)r[n].r_addend;
				memcpy(to + r[n].r_offset, &address, sizeof address);
			}
	}
}

uint8_t *aql_code_load(struct aql_device *d, const struct code_object *object, struct err *e)
{
	struct image i;
	i.bytes = code_object_bytes(object, &i.size);
	uint64_t end = segments_end(&i);
	if (end < 8) {
		err_set(e, ST_FAILED, "the segments of the code object are missing, damaged or too large");
		return NULL;
	}
	uint8_t *to = aql_device_alloc(d, AQL_ON_DEVICE, end, e);
	if (!to)
		return NULL;
	copy_segments(&i, to);
	relocate(&i, to, end);
	return to;
}

#include "softgpu/run/loaded_object.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "softgpu/isa/isa.h"

enum { PAGE = 4096, MACHINE_AMDGPU = 224, RELOCATION_RELATIVE64 = 13 };
enum { IMAGE_MAX = 1 << 28 /* bytes: largest address and size of a segment */ };

static bool read_elf_file(struct loaded_object *o, const char *path, char *why, size_t size)
{
	FILE *f = fopen(path, "rb");

	if (!f) {
		snprintf(why, size, "cannot open %s: %s", path, strerror(errno));
		return false;
	}
	fseek(f, 0, SEEK_END);
	long n = ftell(f);
	rewind(f);
	o->file = malloc(n > 0 ? n : 1);
	o->file_size = o->file && n > 0 ? fread(o->file, 1, n, f) : 0;
	fclose(f);
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)o->file;
	if (o->file_size < sizeof *e || memcmp(e->e_ident, ELFMAG, SELFMAG) || e->e_machine != MACHINE_AMDGPU) {
		snprintf(why, size, "%s is not an AMD GPU code object", path);
		return false;
	}
	return true;
}

const char *loaded_object_target(const struct loaded_object *o)
{
	const char *name = isa_target_name_of_elf(((const Elf64_Ehdr *)o->file)->e_flags);

	return name ? name : "an unknown target";
}

/* A part of the file; NULL if it is out of bounds. */
static const void *file_part(const struct loaded_object *o, uint64_t offset, uint64_t bytes)
{
	return offset <= o->file_size && bytes <= o->file_size - offset ? o->file + offset : NULL;
}

/* A table of structures, which must be aligned. */
static const void *file_table(const struct loaded_object *o, uint64_t offset, uint64_t bytes)
{
	return offset % _Alignof(Elf64_Shdr) ? NULL : file_part(o, offset, bytes);
}

static const Elf64_Phdr *program_headers(const struct loaded_object *o, unsigned *count)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)o->file;

	*count = e->e_phnum;
	return file_table(o, e->e_phoff, (uint64_t)e->e_phnum * sizeof(Elf64_Phdr));
}

static const Elf64_Shdr *find_section(const struct loaded_object *o, unsigned type, unsigned index)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)o->file;
	const Elf64_Shdr *s = file_table(o, e->e_shoff, (uint64_t)e->e_shnum * sizeof *s);

	for (unsigned k = 0; s && k < e->e_shnum; k++)
		if (type ? s[k].sh_type == type : k == index)
			return &s[k];
	return NULL;
}

/* The end of the segments in memory; 0 if there are none or one is out of bounds. */
static uint64_t segments_end(const struct loaded_object *o, const Elf64_Phdr *p, unsigned count)
{
	uint64_t end = 0;

	for (unsigned k = 0; p && k < count; k++) {
		if (p[k].p_type != PT_LOAD)
			continue;
		if (p[k].p_vaddr > IMAGE_MAX || p[k].p_memsz > IMAGE_MAX || p[k].p_filesz > p[k].p_memsz ||
			!file_part(o, p[k].p_offset, p[k].p_filesz))
			return 0;
		if (p[k].p_vaddr + p[k].p_memsz > end)
			end = p[k].p_vaddr + p[k].p_memsz;
	}
	return end;
}

static bool copy_segments(struct loaded_object *o)
{
	unsigned count;
	const Elf64_Phdr *p = program_headers(o, &count);

	o->size = (segments_end(o, p, count) + PAGE - 1) / PAGE * PAGE;
	o->host = o->size ? aligned_alloc(PAGE, o->size) : NULL;
	if (!o->host)
		return false;
	memset(o->host, 0, o->size);
	for (unsigned k = 0; k < count; k++)
		if (p[k].p_type == PT_LOAD)
			memcpy(o->host + p[k].p_vaddr, file_part(o, p[k].p_offset, p[k].p_filesz), p[k].p_filesz);
	return true;
}

static void apply_relocations(struct loaded_object *o)
{
	const Elf64_Shdr *s = find_section(o, SHT_RELA, 0);
	const Elf64_Rela *r = s ? file_table(o, s->sh_offset, s->sh_size) : NULL;

	for (uint64_t k = 0; r && k < s->sh_size / sizeof *r; k++)
		if (ELF64_R_TYPE(r[k].r_info) == RELOCATION_RELATIVE64 && r[k].r_offset <= o->size - 8) {
			uint64_t v = o->va + r[k].r_addend;
			memcpy(o->host + r[k].r_offset, &v, sizeof v);
		}
}

bool loaded_object_open(
	struct loaded_object *o, struct gpu *g, const char *path, uint64_t va, uint64_t phys, char *why, size_t size)
{
	*o = (struct loaded_object){.gpu = g, .va = va};
	if (!read_elf_file(o, path, why, size)) {
		free(o->file);
		return false;
	}
	if (!copy_segments(o) || !gpu_map(g, va, o->size, o->host, phys, VM_READ | VM_WRITE | VM_EXEC)) {
		snprintf(why, size, "cannot map %s: its segments are missing, damaged or too large", path);
		free(o->host);
		free(o->file);
		return false;
	}
	apply_relocations(o);
	return true;
}

void loaded_object_close(struct loaded_object *o)
{
	gpu_unmap(o->gpu, o->va, o->size);
	free(o->host);
	free(o->file);
}

/* Whether a symbol is the descriptor of this kernel, or with NULL of any: "NAME.kd". */
static bool is_descriptor(const char *symbol, size_t len, const char *kernel)
{
	size_t n = len - strlen(".kd");
	return len > strlen(".kd") && !strcmp(symbol + n, ".kd") &&
		(!kernel || (n == strlen(kernel) && !memcmp(symbol, kernel, n)));
}

uint64_t loaded_object_find_kernel(const struct loaded_object *o, const char *name)
{
	const Elf64_Shdr *s = find_section(o, SHT_DYNSYM, 0), *t = s ? find_section(o, 0, s->sh_link) : NULL;
	const Elf64_Sym *y = s ? file_table(o, s->sh_offset, s->sh_size) : NULL;
	const char *names = t ? file_part(o, t->sh_offset, t->sh_size) : NULL;

	for (uint64_t k = 0; y && names && k < s->sh_size / sizeof *y; k++) {
		uint64_t left = y[k].st_name < t->sh_size ? t->sh_size - y[k].st_name : 0;
		const char *symbol = names + (left ? y[k].st_name : 0);
		size_t n = strnlen(symbol, left);
		if (n < left && y[k].st_value && is_descriptor(symbol, n, name))
			return o->va + y[k].st_value;
	}
	return 0;
}

/* Reads sections, symbols and notes of an ELF file in memory. */
#include "base/elf/elf_file.h"

#include <elf.h>
#include <string.h>

static bool is_inside(const struct elf_file *f, uint64_t offset, uint64_t size)
{
	return offset <= f->size && size <= f->size - offset;
}

/* The data may be unaligned, so structures are copied. */
static void read_bytes(const struct elf_file *f, uint64_t offset, void *out, size_t size)
{
	memcpy(out, f->data + offset, size);
}

bool elf_open(struct elf_file *f, const void *data, size_t size, unsigned machine, const char **why)
{
	Elf64_Ehdr h;
	*f = (struct elf_file){data, size, 0, 0};
	if (size < sizeof h || memcmp(data, ELFMAG, SELFMAG)) {
		*why = "not an ELF file";
		return false;
	}
	read_bytes(f, 0, &h, sizeof h);
	if (h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_ident[EI_DATA] != ELFDATA2LSB || h.e_machine != machine) {
		*why = machine == EM_AMDGPU ? "an ELF file, but not for an AMD GPU" : "an ELF file for another machine";
		return false;
	}
	if (h.e_shentsize != sizeof(Elf64_Shdr) || !is_inside(f, h.e_shoff, (uint64_t)h.e_shnum * sizeof(Elf64_Shdr))) {
		*why = "its section table lies outside the file";
		return false;
	}
	f->sections = h.e_shnum;
	f->section_table = h.e_shoff;
	return true;
}

uint32_t elf_flags(const struct elf_file *f)
{
	Elf64_Ehdr h;
	read_bytes(f, 0, &h, sizeof h);
	return h.e_flags;
}

const uint8_t *elf_part(const struct elf_file *f, uint64_t offset, uint64_t size)
{
	return is_inside(f, offset, size) ? f->data + offset : NULL;
}

bool elf_section_at(const struct elf_file *f, unsigned index, struct elf_section *out)
{
	Elf64_Shdr s;
	if (index >= f->sections)
		return false;
	read_bytes(f, f->section_table + (uint64_t)index * sizeof s, &s, sizeof s);
	*out = (struct elf_section){
		s.sh_name, s.sh_type, s.sh_link, s.sh_flags, s.sh_addr, s.sh_offset, s.sh_size, s.sh_entsize};
	return s.sh_type == SHT_NOBITS || is_inside(f, s.sh_offset, s.sh_size);
}

bool elf_next_section(const struct elf_file *f, uint32_t type, unsigned *index, struct elf_section *out)
{
	while (*index < f->sections)
		if (elf_section_at(f, (*index)++, out) && out->type == type)
			return true;
	return false;
}

/* A terminated string in a string section; NULL if it is not inside. */
static const char *string_at(const struct elf_file *f, const struct elf_section *strings, uint32_t at)
{
	if (strings->type != SHT_STRTAB || at >= strings->size)
		return NULL;
	const char *s = (const char *)f->data + strings->offset + at;
	return memchr(s, 0, strings->size - at) ? s : NULL;
}

static bool has_name(const char *symbol, const char *name)
{
	return !strcmp(symbol, name);
}

static bool has_end(const char *symbol, const char *end)
{
	size_t n = strlen(symbol), tail = strlen(end);
	return n > tail && !strcmp(symbol + n - tail, end);
}

bool elf_next_symbol(const struct elf_file *f, const struct elf_section *table, uint64_t *index, struct elf_symbol *out)
{
	struct elf_section strings;
	if (table->entry_size != sizeof(Elf64_Sym) || !elf_section_at(f, table->link, &strings))
		return false;
	while (*index < table->size / sizeof(Elf64_Sym)) {
		Elf64_Sym s;
		read_bytes(f, table->offset + (*index)++ * sizeof s, &s, sizeof s);
		const char *found = s.st_shndx == SHN_UNDEF ? NULL : string_at(f, &strings, s.st_name);
		if (!found)
			continue;
		*out = (struct elf_symbol){found, s.st_value, s.st_size, ELF64_ST_TYPE(s.st_info), s.st_shndx};
		return true;
	}
	return false;
}

static bool symbol_in(const struct elf_file *f, const struct elf_section *table,
	bool (*matches)(const char *symbol, const char *text), const char *text, struct elf_symbol *out)
{
	struct elf_symbol s;
	for (uint64_t i = 0; elf_next_symbol(f, table, &i, &s);)
		if (matches(s.name, text)) {
			*out = s;
			return true;
		}
	return false;
}

bool elf_symbol(const struct elf_file *f, const char *name, struct elf_symbol *out)
{
	static const uint32_t types[] = {SHT_SYMTAB, SHT_DYNSYM};
	for (int t = 0; t < 2; t++) {
		struct elf_section table;
		for (unsigned i = 0; elf_next_section(f, types[t], &i, &table);)
			if (symbol_in(f, &table, has_name, name, out))
				return true;
	}
	return false;
}

bool elf_symbol_ending(const struct elf_file *f, const char *end, struct elf_symbol *out)
{
	struct elf_section table;
	for (unsigned i = 0; elf_next_section(f, SHT_DYNSYM, &i, &table);)
		if (symbol_in(f, &table, has_end, end, out))
			return true;
	return false;
}

const char *elf_section_name(const struct elf_file *f, const struct elf_section *s)
{
	struct elf_section names;
	Elf64_Ehdr h;
	read_bytes(f, 0, &h, sizeof h);
	return elf_section_at(f, h.e_shstrndx, &names) ? string_at(f, &names, s->name) : NULL;
}

bool elf_find_section(const struct elf_file *f, const char *name, const uint8_t **data, size_t *size)
{
	struct elf_section s;
	for (unsigned i = 0; i < f->sections; i++) {
		const char *found = elf_section_at(f, i, &s) && s.type != SHT_NOBITS ? elf_section_name(f, &s) : NULL;
		if (!found || strcmp(found, name))
			continue;
		*data = f->data + s.offset;
		*size = s.size;
		return true;
	}
	return false;
}

bool elf_offset(const struct elf_file *f, uint64_t va, uint64_t size, uint64_t *offset, uint64_t *room)
{
	for (unsigned i = 0; i < f->sections; i++) {
		struct elf_section s;
		if (!elf_section_at(f, i, &s) || s.type == SHT_NOBITS || s.type == SHT_NULL || !s.address)
			continue;
		if (va < s.address || va - s.address > s.size || size > s.size - (va - s.address))
			continue;
		*offset = s.offset + (va - s.address);
		if (room)
			*room = s.size - (va - s.address);
		return true;
	}
	return false;
}

static uint64_t pad_to_4(uint64_t n)
{
	return (n + 3) & ~UINT64_C(3);
}

static const uint8_t *note_in(
	const struct elf_file *f, const struct elf_section *s, const char *owner, uint32_t type, size_t *size)
{
	uint64_t at = 0, owner_size = strlen(owner) + 1;
	Elf64_Nhdr n;
	while (s->size - at >= sizeof n) {
		read_bytes(f, s->offset + at, &n, sizeof n);
		uint64_t name = at + sizeof n, body = name + pad_to_4(n.n_namesz), next = body + pad_to_4(n.n_descsz);
		if (body + n.n_descsz > s->size)
			break;
		if (n.n_type == type && n.n_namesz == owner_size &&
			!memcmp(f->data + s->offset + name, owner, owner_size)) {
			*size = n.n_descsz;
			return f->data + s->offset + body;
		}
		if (next > s->size)
			break;
		at = next;
	}
	return NULL;
}

const uint8_t *elf_note(const struct elf_file *f, const char *owner, uint32_t type, size_t *size)
{
	struct elf_section s;
	for (unsigned i = 0; elf_next_section(f, SHT_NOTE, &i, &s);) {
		const uint8_t *note = note_in(f, &s, owner, type, size);
		if (note)
			return note;
	}
	return NULL;
}

/* An ELF64 file in memory, of a GPU or of the host. All returned pointers are checked to be inside the file. Layout:
 * "ELF-64 Object File Format", and LLVM "User Guide for AMDGPU Backend", section "ELF Code Object". */
#ifndef BASE_ELF_ELF_FILE_H
#define BASE_ELF_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_file {
	const uint8_t *data;
	size_t size;
	unsigned sections;
	uint64_t section_table;
};
struct elf_symbol {
	const char *name;
	uint64_t value, size;
	unsigned type, section; /* STT_..., index */
};

/* `machine` is EM_AMDGPU or EM_X86_64. False: *why is the reason, a constant string. */
bool elf_open(struct elf_file *f, const void *data, size_t size, unsigned machine, const char **why);
uint32_t elf_flags(const struct elf_file *f);
/* Bytes of the file; NULL if they are not inside. */
const uint8_t *elf_part(const struct elf_file *f, uint64_t offset, uint64_t size);

/* The first section of a type (SHT_...) from *index on, inside of the file; *index is set to the next one. */
struct elf_section {
	uint32_t name, type, link;
	uint64_t flags, address, offset, size, entry_size;
};
bool elf_next_section(const struct elf_file *f, uint32_t type, unsigned *index, struct elf_section *out);
/* Any section that is inside of the file, by its index; false: there is none. */
bool elf_section_at(const struct elf_file *f, unsigned index, struct elf_section *out);
const char *elf_section_name(const struct elf_file *f, const struct elf_section *s); /* NULL if it is not inside */
/* The next defined symbol of a table from *index on; *index is set to the next one. */
bool elf_next_symbol(
	const struct elf_file *f, const struct elf_section *table, uint64_t *index, struct elf_symbol *out);
/* A defined symbol by name, from .symtab or .dynsym. */
bool elf_symbol(const struct elf_file *f, const char *name, struct elf_symbol *out);
/* The first symbol of .dynsym whose name ends so, such as ".kd", and has something before it. */
bool elf_symbol_ending(const struct elf_file *f, const char *end, struct elf_symbol *out);
/* File offset of [va, va + size). False if no section contains all of it. *room (may be NULL) gets the number of bytes
 * up to the end of the section. */
bool elf_offset(const struct elf_file *f, uint64_t va, uint64_t size, uint64_t *offset, uint64_t *room);
/* The bytes of a section by name; false if there is none in the file. */
bool elf_find_section(const struct elf_file *f, const char *name, const uint8_t **data, size_t *size);
/* Descriptor of a note, NULL if not found. */
const uint8_t *elf_note(const struct elf_file *f, const char *owner, uint32_t type, size_t *size);

#endif

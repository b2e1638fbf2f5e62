#include "softgpu/driver/code/loaded_image.h"

#include <elf.h>
#include <string.h>

#include "softgpu/driver/kfd/kfd_memory.h"
#include "softgpu/driver/kfd/softgpu_device.h"

bool loaded_image_find(struct softgpu_device *d, uint64_t va, struct loaded_image *out)
{
	struct kfd_mapping found;

	if (!kfd_memory_find_mapping(va, &found))
		return false;
	out->base = found.start;
	out->size = found.size;
	out->data = gpu_host_pointer(d->gpu, out->base, out->size, VM_READ);
	return out->data;
}

static const void *image_at(const struct loaded_image *i, uint64_t offset, uint64_t size)
{
	return offset <= i->size && size <= i->size - offset ? i->data + offset : NULL;
}

/* The n-th segment of a type, from segment *from on; NULL: none is left. */
static const Elf64_Phdr *next_segment(const struct loaded_image *i, uint32_t type, unsigned *from)
{
	const Elf64_Ehdr *h = image_at(i, 0, sizeof *h);

	if (!h || memcmp(h->e_ident, ELFMAG, SELFMAG))
		return NULL;
	while (*from < h->e_phnum) {
		const Elf64_Phdr *p = image_at(i, h->e_phoff + (*from)++ * sizeof *p, sizeof *p);
		if (p && p->p_type == type)
			return p;
	}
	return NULL;
}

/* --- symbols --- */
/* The loader relocates some entries of the dynamic table and leaves others as offsets. */
static uint64_t image_offset_of(const struct loaded_image *i, uint64_t pointer)
{
	return pointer >= i->base ? pointer - i->base : pointer;
}

struct dynamic_tables {
	uint64_t symbols, strings, hash;
};

static bool find_dynamic_tables(const struct loaded_image *i, struct dynamic_tables *out)
{
	const Elf64_Phdr *p;
	const Elf64_Dyn *d;

	for (unsigned n = 0; (p = next_segment(i, PT_DYNAMIC, &n));)
		for (uint64_t o = p->p_vaddr; (d = image_at(i, o, sizeof *d)) && d->d_tag != DT_NULL; o += sizeof *d) {
			if (d->d_tag == DT_SYMTAB)
				out->symbols = image_offset_of(i, d->d_un.d_ptr);
			if (d->d_tag == DT_STRTAB)
				out->strings = image_offset_of(i, d->d_un.d_ptr);
			if (d->d_tag == DT_HASH)
				out->hash = image_offset_of(i, d->d_un.d_ptr);
		}
	return out->symbols && out->strings && out->hash;
}

const char *loaded_image_symbol(const struct loaded_image *i, uint64_t value)
{
	struct dynamic_tables d = {0};
	const uint32_t *hash;

	if (!find_dynamic_tables(i, &d) || !(hash = image_at(i, d.hash, 8)))
		return NULL;
	for (uint32_t n = 0; n < hash[1]; n++) {
		const Elf64_Sym *s = image_at(i, d.symbols + n * sizeof *s, sizeof *s);
		const char *name =
			s && s->st_name && s->st_value == value ? image_at(i, d.strings + s->st_name, 1) : NULL;

		if (!s)
			break;
		if (name && memchr(name, 0, (size_t)(i->data + i->size - (const uint8_t *)name)))
			return name;
	}
	return NULL;
}

/* --- notes --- */
/* LLVM AMDGPU usage, "Code Object V3 and Above Note Records": name "AMDGPU", type NT_AMDGPU_METADATA. */
enum { NOTE_METADATA = 32, NOTE_NAME_BYTES = 8 };

static uint64_t round_up_to_dwords(uint64_t bytes)
{
	return (bytes + 3) & ~UINT64_C(3);
}

static const uint8_t *metadata_of_note(const struct loaded_image *i, uint64_t at, const Elf64_Nhdr *h, size_t *size)
{
	const char *name = image_at(i, at + sizeof *h, NOTE_NAME_BYTES);
	const uint8_t *text = image_at(i, at + sizeof *h + round_up_to_dwords(h->n_namesz), h->n_descsz);

	if (h->n_type != NOTE_METADATA || !name || h->n_namesz != sizeof "AMDGPU" ||
		memcmp(name, "AMDGPU", h->n_namesz))
		return NULL;
	*size = h->n_descsz;
	return text;
}

const uint8_t *loaded_image_metadata(const struct loaded_image *i, size_t *size)
{
	const Elf64_Phdr *p;
	const Elf64_Nhdr *h;

	for (unsigned n = 0; (p = next_segment(i, PT_NOTE, &n));)
		for (uint64_t at = p->p_vaddr, left = p->p_memsz, bytes; (h = image_at(i, at, sizeof *h));
			at += bytes) {
			const uint8_t *found = metadata_of_note(i, at, h, size);
			if (found)
				return found;
			bytes = sizeof *h + round_up_to_dwords(h->n_namesz) + round_up_to_dwords(h->n_descsz);
			if (bytes >= left)
				break;
			left -= bytes;
		}
	return NULL;
}

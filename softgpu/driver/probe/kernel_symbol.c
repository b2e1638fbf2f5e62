#include "softgpu/driver/probe/kernel_symbol.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "softgpu/driver/kfd/softgpu_device.h"
#include "softgpu/driver/kfd/kfd_memory.h"

/* A loaded code object: segments are at their addresses relative to `base`. Every read is checked, because programs can
 * write this memory. */
struct loaded_image {
	const uint8_t *data;
	uint64_t base, size;
};

static const void *image_at(const struct loaded_image *i, uint64_t offset, uint64_t size)
{
	return offset <= i->size && size <= i->size - offset ? i->data + offset : NULL;
}

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
	const Elf64_Ehdr *h = image_at(i, 0, sizeof *h);
	const Elf64_Dyn *d = NULL;

	if (!h || memcmp(h->e_ident, ELFMAG, SELFMAG))
		return false;
	for (unsigned n = 0; n < h->e_phnum; n++) {
		const Elf64_Phdr *p = image_at(i, h->e_phoff + n * sizeof *p, sizeof *p);

		if (p && p->p_type == PT_DYNAMIC)
			for (uint64_t o = p->p_vaddr; (d = image_at(i, o, sizeof *d)) && d->d_tag != DT_NULL;
				o += sizeof *d) {
				if (d->d_tag == DT_SYMTAB)
					out->symbols = image_offset_of(i, d->d_un.d_ptr);
				if (d->d_tag == DT_STRTAB)
					out->strings = image_offset_of(i, d->d_un.d_ptr);
				if (d->d_tag == DT_HASH)
					out->hash = image_offset_of(i, d->d_un.d_ptr);
			}
	}
	return out->symbols && out->strings && out->hash;
}

static const char *find_symbol_name(const struct loaded_image *i, uint64_t value)
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

void kernel_symbol_find(struct softgpu_device *d, uint64_t kernel_object, char *out, size_t size)
{
	struct loaded_image loaded_image = {0};
	const char *name = NULL;
	size_t length;

	if (kfd_memory_find_mapping(kernel_object, &loaded_image.base, &loaded_image.size))
		loaded_image.data = gpu_host_pointer(d->gpu, loaded_image.base, loaded_image.size, VM_READ);
	if (loaded_image.data)
		name = find_symbol_name(&loaded_image, kernel_object - loaded_image.base);
	if (name)
		snprintf(out, size, "%s", name);
	else
		snprintf(out, size, "%#lx", (unsigned long)kernel_object);
	length = strlen(out);
	if (length > 3 && !strcmp(out + length - 3, ".kd"))
		out[length - 3] = 0;
}

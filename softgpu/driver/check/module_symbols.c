#include "softgpu/driver/check/module_symbols.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

struct symbols {
	const Elf64_Sym *table;
	const char *names;
	const uint32_t *hash; /* DT_GNU_HASH */
};

/* The loader has added the module's address to those of a dynamic section that can be written. */
static const void *place_in_module(const struct link_map *map, Elf64_Addr at)
{
	return (const void *)(at < map->l_addr ? at + map->l_addr : at);
}

static struct symbols find_symbols(const struct link_map *map)
{
	struct symbols s = {0};

	for (const Elf64_Dyn *d = map->l_ld; d->d_tag != DT_NULL; d++)
		switch (d->d_tag) {
		case DT_SYMTAB: s.table = place_in_module(map, d->d_un.d_ptr); break;
		case DT_STRTAB: s.names = place_in_module(map, d->d_un.d_ptr); break;
		case DT_GNU_HASH: s.hash = place_in_module(map, d->d_un.d_ptr); break;
		}
	return s;
}

/* The hash table has the number of buckets, the first symbol in it, and the size of a filter, which the buckets and
 * their chains follow. The last symbol of a chain has an odd hash. */
static uint32_t count_symbols(const uint32_t *hash)
{
	const uint32_t buckets = hash[0], first = hash[1], filter_words = hash[2];
	const uint32_t *bucket = hash + 4 + (size_t)filter_words * 2, *chain = bucket + buckets;
	uint32_t last = 0;

	for (uint32_t i = 0; i < buckets; i++)
		last = bucket[i] > last ? bucket[i] : last;
	if (last < first)
		return first;
	while (!(chain[last - first] & 1))
		last++;
	return last + 1;
}

const char *module_function_at(const void *address)
{
	struct dl_find_object module;
	struct symbols s;
	uint32_t count;

	if (_dl_find_object((void *)address, &module))
		return NULL;
	s = find_symbols(module.dlfo_link_map);
	count = s.table && s.names && s.hash ? count_symbols(s.hash) : 0;
	for (uint32_t i = 0; i < count; i++) {
		const uintptr_t offset = (uintptr_t)address - module.dlfo_link_map->l_addr - s.table[i].st_value;

		if (s.table[i].st_shndx != SHN_UNDEF && ELF64_ST_TYPE(s.table[i].st_info) == STT_FUNC &&
			offset < s.table[i].st_size)
			return s.names + s.table[i].st_name;
	}
	return NULL;
}

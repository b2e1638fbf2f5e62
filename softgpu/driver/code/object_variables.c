#include "softgpu/driver/code/object_variables.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/elf/elf_file.h"

/* --- items --- */
static bool add_item(struct object_variables *v, uint64_t from, uint64_t bytes, const char *name)
{
	struct object_item *more = realloc(v->list, (v->count + 1) * sizeof *more);

	if (!more)
		return false;
	v->list = more;
	more[v->count++] =
		(struct object_item){from, from + bytes < from ? from : from + bytes, name ? strdup(name) : NULL};
	return true;
}

static int compare_items(const void *a, const void *b)
{
	const struct object_item *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to < y->to) - (x->to > y->to);
}

/* Several symbols may name one variable, or its parts. */
static void join_overlapping(struct object_variables *v)
{
	size_t kept = 0;

	for (size_t i = 0; i < v->count; i++) {
		struct object_item *last = kept ? &v->list[kept - 1] : NULL, here = v->list[i];

		if (!last || here.from >= last->to) {
			v->list[kept++] = here;
			continue;
		}
		last->to = here.to > last->to ? here.to : last->to;
		free(here.name);
	}
	v->count = kept;
}

/* --- sections --- */
static bool begins_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

static bool has_data(const struct elf_file *f, const struct elf_section *s)
{
	const char *name = elf_section_name(f, s);

	return name && (begins_with(name, ".data") || begins_with(name, ".bss") || begins_with(name, ".rodata"));
}

/* Whether all of its symbols are variables with a size. */
static bool has_sizes(const struct elf_file *f, const struct elf_section *symbols, unsigned section)
{
	struct elf_symbol s;
	bool any = false;

	for (uint64_t i = 0; elf_next_symbol(f, symbols, &i, &s);) {
		if (s.section != section || s.type == STT_SECTION)
			continue;
		if (!s.size)
			return false;
		any = true;
	}
	return any;
}

/* HIP's threadIdx.x and the like, which have no content. Their byte counts as filling. */
static bool is_coordinate(const char *symbol)
{
	return begins_with(symbol, "_ZN17__HIP_CoordinatesI");
}

static bool add_variables(
	const struct elf_file *f, const struct elf_section *symbols, unsigned section, struct object_variables *v)
{
	struct elf_symbol s;

	for (uint64_t i = 0; elf_next_symbol(f, symbols, &i, &s);)
		if (s.section == section && s.size && !is_coordinate(s.name) && !add_item(v, s.value, s.size, s.name))
			return false;
	return true;
}

static bool add_sections(const struct elf_file *f, const struct elf_section *symbols, struct object_variables *v)
{
	struct elf_section s;
	bool added = add_item(v, 0, sizeof(Elf64_Ehdr), NULL);

	for (unsigned i = 0; i < f->sections && added; i++) {
		if (!elf_section_at(f, i, &s) || !(s.flags & SHF_ALLOC) || !s.size)
			continue;
		if (has_data(f, &s) && has_sizes(f, symbols, i))
			added = add_variables(f, symbols, i, v);
		else
			added = add_item(v, s.address, s.size, NULL);
	}
	return added;
}

void object_variables_read(const uint8_t *file, size_t bytes, struct object_variables *out)
{
	struct elf_section symbols;
	struct elf_file f;
	const char *why;
	unsigned from = 0;

	*out = (struct object_variables){0};
	if (!elf_open(&f, file, bytes, EM_AMDGPU, &why) || !elf_next_section(&f, SHT_SYMTAB, &from, &symbols))
		return;
	if (!add_sections(&f, &symbols, out)) {
		object_variables_free(out);
		return;
	}
	qsort(out->list, out->count, sizeof *out->list, compare_items);
	join_overlapping(out);
}

void object_variables_free(struct object_variables *v)
{
	for (size_t i = 0; i < v->count; i++)
		free(v->list[i].name);
	free(v->list);
	*v = (struct object_variables){0};
}

/* --- search --- */
/* The first item behind the offset. */
static size_t find_next_item(const struct object_variables *v, uint64_t offset)
{
	size_t low = 0, high = v->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (v->list[middle].from <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Of two variables, the nearer one has the filling. Either may be NULL, or no variable. */
static struct object_extent split_filling(
	const struct object_variables *v, size_t next, uint64_t from, uint64_t to, uint64_t offset)
{
	const struct object_item *before = next ? &v->list[next - 1] : NULL,
				 *after = next < v->count ? &v->list[next] : NULL;
	const bool has_before = before && before->name, has_after = after && after->name;
	const uint64_t middle = from + (to - from + 1) / 2;

	if (!has_before && !has_after)
		return (struct object_extent){PLACE_UNKNOWN, from, to, 0};
	if (!has_before || !has_after)
		return (struct object_extent){PLACE_FILLING, from, to, has_before ? next - 1 : next};
	if (offset < middle)
		return (struct object_extent){PLACE_FILLING, from, middle, next - 1};
	return (struct object_extent){PLACE_FILLING, middle, to, next};
}

struct object_extent object_variables_find(const struct object_variables *v, uint64_t bytes, uint64_t offset)
{
	const size_t next = find_next_item(v, offset);
	const struct object_item *at = next ? &v->list[next - 1] : NULL;

	if (!at || offset >= bytes)
		return (struct object_extent){PLACE_UNKNOWN, offset, offset + 1, 0};
	if (offset < at->to)
		return (struct object_extent){at->name ? PLACE_VARIABLE : PLACE_UNKNOWN, at->from, at->to, next - 1};
	return split_filling(v, next, at->to, next < v->count ? v->list[next].from : bytes, offset);
}

#include "base/elf/offload_bundle.h"

#include <string.h>

static const char magic[] = "__CLANG_OFFLOAD_BUNDLE__", compressed_magic[] = "CCOB";
enum { MAGIC = sizeof magic - 1, COMPRESSED_MAGIC = sizeof compressed_magic - 1 };
enum { ALIGNMENT = 8, GAP_MAX = 4096 }; /* between bundles: clang aligns each to a page */

enum offload_format offload_format_of(const void *data, size_t size)
{
	if (size >= MAGIC && !memcmp(data, magic, MAGIC))
		return OFFLOAD_BUNDLE;
	return size >= COMPRESSED_MAGIC && !memcmp(data, compressed_magic, COMPRESSED_MAGIC) ? OFFLOAD_COMPRESSED
											     : OFFLOAD_NONE;
}

/* After the magic and the number of entries: offset, size, length of the id, id. *at is set behind the entry. */
static bool read_entry_at(const uint8_t *data, size_t size, size_t *at, struct offload_entry *out)
{
	uint64_t entry[3];
	if (size - *at < sizeof entry)
		return false;
	memcpy(entry, data + *at, sizeof entry);
	*at += sizeof entry;
	if (entry[2] > size - *at || entry[0] > size || entry[1] > size - entry[0])
		return false;
	size_t n = entry[2] < sizeof out->id ? entry[2] : sizeof out->id - 1;
	memcpy(out->id, data + *at, n);
	out->id[n] = 0;
	out->code = data + entry[0];
	out->size = entry[1];
	*at += entry[2];
	return true;
}

static bool read_count(const uint8_t *data, size_t size, size_t *at, uint64_t *count)
{
	*at = MAGIC + sizeof *count;
	if (offload_format_of(data, size) != OFFLOAD_BUNDLE || size < *at)
		return false;
	memcpy(count, data + MAGIC, sizeof *count);
	return true;
}

bool offload_next_entry(const void *data, size_t size, struct offload_cursor *c, struct offload_entry *out)
{
	uint64_t count;
	size_t first;
	c->damaged = c->damaged || !read_count(data, size, &first, &count);
	if (c->damaged || c->index >= count)
		return false;
	c->at = c->at ? c->at : first;
	c->damaged = !read_entry_at(data, size, &c->at, out);
	c->index++;
	return !c->damaged;
}

/* The id is KIND-TRIPLE-TARGET. The triple's fourth part is empty; old compilers leave it out. */
const char *offload_target_of(const struct offload_entry *e)
{
	static const char system[] = "-amdhsa";
	const char *triple = strncmp(e->id, "host-", 5) ? strstr(e->id, system) : NULL;
	if (!triple)
		return "";
	triple += sizeof system - 1;
	return triple + strspn(triple, "-");
}

static size_t find_bundle_end(const uint8_t *data, size_t size)
{
	struct offload_entry e;
	uint64_t count;
	size_t at, end;
	if (!read_count(data, size, &at, &count))
		return size;
	for (end = at; count && read_entry_at(data, size, &at, &e); count--) {
		size_t code_end = (size_t)(e.code - data) + e.size;
		end = end < at ? at : end;
		end = end < code_end ? code_end : end;
	}
	return end;
}

bool offload_next_bundle(const uint8_t *section, size_t size, size_t *at, struct offload_bundle *out)
{
	for (size_t gap = 0; *at < size && gap <= GAP_MAX; *at += ALIGNMENT, gap += ALIGNMENT) {
		enum offload_format format = offload_format_of(section + *at, size - *at);
		if (format == OFFLOAD_NONE)
			continue;
		*out = (struct offload_bundle){format, section + *at, size - *at};
		*at += format == OFFLOAD_BUNDLE ? find_bundle_end(out->data, out->size) : out->size;
		*at = (*at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
		return true;
	}
	return false;
}

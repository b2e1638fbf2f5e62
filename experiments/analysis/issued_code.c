#include "experiments/analysis/issued_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

void issued_code_free(struct issued_code *c)
{
	free(c->line);
	memset(c, 0, sizeof *c);
}

void issued_code_read(struct issued_code *c, const json_t *inside)
{
	const json_t *list = json_object_get(inside, "instructions"), *causes = json_object_get(inside, "causes");
	issued_code_free(c);
	c->cycles = (uint64_t)json_integer_value(json_object_get(inside, "cycles"));
	c->lines = (int)json_array_size(list);
	c->line = xcalloc((size_t)c->lines + 1, sizeof *c->line);
	for (int i = 0; i < c->lines; i++) {
		const json_t *row = json_array_get(list, (size_t)i);
		const char *text = json_string_value(json_array_get(row, 1));
		c->line[i].offset = json_integer_value(json_array_get(row, 0));
		c->line[i].count = (uint64_t)json_integer_value(json_array_get(row, 2));
		c->line[i].cycles = (uint64_t)json_integer_value(json_array_get(row, 3));
		snprintf(c->line[i].text, sizeof c->line[i].text, "%s", text ? text : "");
	}
	for (size_t i = 0; i < json_array_size(causes) && i < STALL_REASONS_MAX; i++) {
		const char *name = json_string_value(json_array_get(causes, i));
		snprintf(c->cause[c->causes++], sizeof c->cause[0], "%s", name ? name : "");
	}
}

int issued_code_find_line(const struct issued_code *c, int64_t offset)
{
	for (int low = 0, high = c->lines - 1; low <= high;) {
		int middle = (low + high) / 2;
		if (c->line[middle].offset == offset)
			return middle;
		if (c->line[middle].offset < offset)
			low = middle + 1;
		else
			high = middle - 1;
	}
	return -1;
}

/* A loop's instructions run at least as often as any in its branches, and more often than those around it. */
int issued_code_find_hot_loop(const struct issued_code *c, uint64_t waves, uint64_t *trips)
{
	int hot = 0, first;
	for (int i = 1; i < c->lines; i++)
		hot = c->line[i].cycles > c->line[hot].cycles ? i : hot;
	if (!c->lines || !waves || c->line[hot].count / waves < 2)
		return -1;
	for (first = hot; first > 0 && c->line[first - 1].count >= c->line[hot].count;)
		first--;
	*trips = c->line[first].count / waves;
	return first;
}

const char *issued_code_text(const struct issued_code *c, int64_t offset)
{
	int i = issued_code_find_line(c, offset);
	return i < 0 ? "" : c->line[i].text;
}

const char *issued_code_stall_name(const struct issued_code *c, int cause)
{
	return cause >= 0 && cause < c->causes ? c->cause[cause] : "";
}

enum memory_path instruction_memory_path(const char *text)
{
	static const struct {
		const char *begins;
		enum memory_path way;
	} names[] = {
		{"global_", MEMORY_PATH_VECTOR},
		{"flat_", MEMORY_PATH_VECTOR},
		{"buffer_", MEMORY_PATH_VECTOR},
		{"scratch_", MEMORY_PATH_VECTOR},
		{"ds_", MEMORY_PATH_LDS},
		{"s_load_", MEMORY_PATH_SCALAR},
		{"s_store_", MEMORY_PATH_SCALAR},
		{"s_buffer_", MEMORY_PATH_SCALAR},
		{"s_scratch_", MEMORY_PATH_SCALAR},
		{"s_atomic_", MEMORY_PATH_SCALAR},
	};
	if (!strncmp(text, "buffer_wbinvl1", 14) || !strncmp(text, "ds_bpermute", 11) ||
		!strncmp(text, "ds_permute", 10) || !strncmp(text, "ds_swizzle", 10))
		return MEMORY_PATH_NONE;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strncmp(text, names[i].begins, strlen(names[i].begins)))
			return names[i].way;
	return MEMORY_PATH_NONE;
}

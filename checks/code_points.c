#include "checks/code_points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "kernels/inspect/code_object.h"

/* A code object. What could not be read is NULL. */
struct opened_code {
	char *name;
	struct code_object *object;
	struct debug_lines *lines;
};

struct code_points {
	char *folder;
	struct opened_code *list;
	size_t count;
	/* The listing that was needed last. */
	const struct kernel_info *listed;
	struct kernel_line *listing;
	size_t listing_count;
};

struct code_points *code_points_new(const char *folder)
{
	struct code_points *c = xcalloc(1, sizeof *c);
	c->folder = xstrdup(folder ? folder : "");
	return c;
}

void code_points_free(struct code_points *c)
{
	for (size_t i = 0; i < c->count; i++) {
		free(c->list[i].name);
		if (c->list[i].object)
			code_object_close(c->list[i].object);
		debug_lines_close(c->list[i].lines);
	}
	free(c->listing);
	free(c->list);
	free(c->folder);
	free(c);
}

static struct opened_code *open_code(struct code_points *c, const char *name)
{
	for (size_t i = 0; i < c->count; i++)
		if (!strcmp(c->list[i].name, name))
			return &c->list[i];
	char *path = xasprintf("%s/%s", c->folder, name);
	c->list = xrealloc(c->list, (c->count + 1) * sizeof *c->list);
	c->list[c->count] = (struct opened_code){xstrdup(name), code_object_open(path, NULL), debug_lines_open(path)};
	free(path);
	return &c->list[c->count++];
}

/* The driver keeps only the beginning of a long symbol. */
static const struct kernel_info *find_kernel_of_symbol(const struct code_object *o, const char *symbol)
{
	const struct kernel_info *list, *found = NULL;
	size_t count = o ? code_object_list_kernels(o, &list) : 0, length = strlen(symbol);
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(list[i].name, symbol))
			return &list[i];
		if (!strncmp(list[i].name, symbol, length))
			found = &list[i];
	}
	return found;
}

static void print_instruction(struct code_points *c, const struct code_object *o, const struct kernel_info *k,
	uint64_t va, struct code_point *out)
{
	size_t from, to;
	if (c->listed != k) {
		free(c->listing);
		c->listed = k;
		c->listing = code_object_disassemble(o, k, &c->listing_count, &from, &to, NULL);
	}
	for (size_t i = 0; c->listing && i < c->listing_count; i++)
		if (c->listing[i].va == va)
			snprintf(out->instruction, sizeof out->instruction, "%s", c->listing[i].text);
}

void code_points_find(
	struct code_points *c, const char *code, const char *kernel, int64_t offset, struct code_point *out)
{
	*out = (struct code_point){0};
	if (!*code)
		return;
	const struct opened_code *o = open_code(c, code);
	const struct kernel_info *k = find_kernel_of_symbol(o->object, kernel);
	if (!k)
		return;
	const uint64_t va = k->code_va + (uint64_t)offset;
	debug_lines_find(o->lines, va, &out->frames);
	print_instruction(c, o->object, k, va, out);
}

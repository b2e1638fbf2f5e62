/* Reads DWARF line tables with libdw. */
#include "kernels/inspect/source_map.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/paths.h"

static bool is_file(const char *path, const char *file)
{
	return path && !strcmp(path_basename(path), path_basename(file));
}

/* The line in `file` that calls the inlined function `scope`; 0 if it is called from another file. */
static int call_line(Dwarf_Die *unit, Dwarf_Die *scope, const char *file)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number = 0, line = 0;
	Dwarf_Files *files;
	size_t count;
	if (dwarf_tag(scope) != DW_TAG_inlined_subroutine ||
		dwarf_formudata(dwarf_attr(scope, DW_AT_call_file, &attribute), &number) ||
		dwarf_formudata(dwarf_attr(scope, DW_AT_call_line, &attribute), &line) ||
		dwarf_getsrcfiles(unit, &files, &count) || number >= count)
		return 0;
	return is_file(dwarf_filesrc(files, number, NULL, NULL), file) ? (int)line : 0;
}

/* The first call from the file itself, from the innermost inlined function outward. dwarf_getscopes alone would
 * continue from the definition of the innermost function instead. */
static int inlined_at(Dwarf_Die *unit, Dwarf_Addr va, const char *file)
{
	Dwarf_Die *innermost = NULL, *scopes = NULL;
	int n = dwarf_getscopes(unit, va, &innermost) > 0 ? dwarf_getscopes_die(&innermost[0], &scopes) : 0, line = 0;
	for (int i = 0; i < n && !line; i++)
		line = call_line(unit, &scopes[i], file);
	free(innermost);
	free(scopes);
	return line;
}

/* The last row of the line table and its line: consecutive instructions often belong to the same row. */
struct memo {
	const Dwarf_Line *row;
	int line;
};

static int line_in(Dwarf_Die *unit, Dwarf_Addr va, const char *file, struct memo *last)
{
	Dwarf_Line *row = dwarf_getsrc_die(unit, va);
	int line = 0;
	if (!row || row == last->row)
		return row ? last->line : 0;
	if (!is_file(dwarf_linesrc(row, NULL, NULL), file) || dwarf_lineno(row, &line))
		line = inlined_at(unit, va, file);
	*last = (struct memo){row, line};
	return line;
}

static bool map_units(Dwarf *dwarf, const char *file, const struct kernel_line *lines, size_t count, int *line_of)
{
	bool any = false;
	struct memo last = {NULL, 0};
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, skeleton;
	Dwarf_Lines *rows;
	size_t n;
	while (!dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &unit, &skeleton)) {
		if (dwarf_getsrclines(&unit, &rows, &n) || !n)
			continue;
		any = true;
		for (size_t i = 0; i < count; i++)
			if (!line_of[i])
				line_of[i] = line_in(&unit, lines[i].va, file, &last);
	}
	return any;
}

/* --- the object --- */
struct line_tables {
	Elf *elf;
	Dwarf *dwarf; /* NULL: none */
};

static struct line_tables open_line_tables(const struct code_object *o)
{
	size_t size;
	const void *bytes = code_object_bytes(o, &size);
	elf_version(EV_CURRENT);
	Elf *elf = elf_memory((char *)bytes, size); /* it does not write */
	return (struct line_tables){elf, elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL};
}

static void close_line_tables(struct line_tables *t)
{
	if (t->dwarf)
		dwarf_end(t->dwarf);
	if (t->elf)
		elf_end(t->elf);
}

bool source_map_build(
	const struct code_object *o, const char *file, const struct kernel_line *lines, size_t count, int *line_of)
{
	struct line_tables t = open_line_tables(o);
	memset(line_of, 0, count * sizeof *line_of);
	bool ok = t.dwarf && map_units(t.dwarf, file, lines, count, line_of);
	close_line_tables(&t);
	return ok;
}

/* A relative path begins in the folder of the compiler. */
static char *absolute_path(Dwarf_Die *unit, const char *path)
{
	Dwarf_Attribute attribute;
	const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	if (!path || (*path != '/' && (!folder || *folder != '/')))
		return NULL;
	return *path == '/' ? xstrdup(path) : xasprintf("%s/%s", folder, path);
}

static bool is_inlined(Dwarf_Die *unit, Dwarf_Addr va)
{
	Dwarf_Die *scopes = NULL;
	bool inlined = dwarf_getscopes(unit, va, &scopes) > 0 && dwarf_tag(&scopes[0]) == DW_TAG_inlined_subroutine;
	free(scopes);
	return inlined;
}

/* The file of the first instruction that no header's function was inlined for. */
static char *find_file_in(Dwarf_Die *unit, const struct kernel_info *k)
{
	for (uint64_t va = k->code_va; va - k->code_va < k->code_bytes; va += 4) {
		Dwarf_Line *row = dwarf_getsrc_die(unit, va);
		int line;
		if (!row)
			return NULL;
		if (!dwarf_lineno(row, &line) && line && !is_inlined(unit, va))
			return absolute_path(unit, dwarf_linesrc(row, NULL, NULL));
	}
	return absolute_path(unit, dwarf_diename(unit));
}

char *source_map_find_file(const struct code_object *o, const struct kernel_info *k)
{
	struct line_tables t = open_line_tables(o);
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, skeleton;
	char *file = NULL;
	while (t.dwarf && !file && !dwarf_get_units(t.dwarf, cu, &cu, NULL, NULL, &unit, &skeleton))
		file = find_file_in(&unit, k);
	close_line_tables(&t);
	return file;
}

static void visit_unit_files(Dwarf_Die *unit, void (*visit)(void *ctx, const char *path), void *ctx)
{
	Dwarf_Files *files;
	size_t count;
	if (dwarf_getsrcfiles(unit, &files, &count))
		return;
	for (size_t i = 0; i < count; i++) {
		char *path = absolute_path(unit, dwarf_filesrc(files, i, NULL, NULL));
		if (path)
			visit(ctx, path);
		free(path);
	}
}

void source_map_visit_files(const struct code_object *o, void (*visit)(void *ctx, const char *path), void *ctx)
{
	struct line_tables t = open_line_tables(o);
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, skeleton;
	while (t.dwarf && !dwarf_get_units(t.dwarf, cu, &cu, NULL, NULL, &unit, &skeleton))
		visit_unit_files(&unit, visit, ctx);
	close_line_tables(&t);
}

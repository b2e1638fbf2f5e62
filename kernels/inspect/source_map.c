/* Reads DWARF line tables with libdw. */
#include "kernels/inspect/source_map.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

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

bool source_map_build(
	const struct code_object *o, const char *file, const struct kernel_line *lines, size_t count, int *line_of)
{
	size_t size;
	const void *bytes = code_object_bytes(o, &size);
	memset(line_of, 0, count * sizeof *line_of);
	elf_version(EV_CURRENT);
	Elf *elf = elf_memory((char *)bytes, size); /* it does not write */
	Dwarf *dwarf = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
	bool ok = dwarf && map_units(dwarf, file, lines, count, line_of);
	if (dwarf)
		dwarf_end(dwarf);
	if (elf)
		elf_end(elf);
	return ok;
}

#include "kernels/inspect/debug_lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/input_file.h"

struct debug_lines {
	int fd;   /* -1: none */
	Elf *elf; /* NULL: of the file */
	Dwarf *dwarf;
};

static struct debug_lines *make_debug_lines(int fd, Elf *elf, Dwarf *dwarf)
{
	struct debug_lines *d = xmalloc(sizeof *d);
	*d = (struct debug_lines){fd, elf, dwarf};
	if (dwarf)
		return d;
	debug_lines_close(d);
	return NULL;
}

struct debug_lines *debug_lines_open(const char *path)
{
	const char *why;
	int fd = input_file_open(path, &why);
	return make_debug_lines(fd, NULL, fd >= 0 ? dwarf_begin(fd, DWARF_C_READ) : NULL);
}

struct debug_lines *debug_lines_from_object(const struct code_object *o)
{
	size_t size;
	const void *bytes = code_object_bytes(o, &size);
	elf_version(EV_CURRENT);
	Elf *elf = elf_memory((char *)bytes, size);
	return make_debug_lines(-1, elf, elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL);
}

void debug_lines_close(struct debug_lines *d)
{
	if (!d)
		return;
	dwarf_end(d->dwarf);
	elf_end(d->elf);
	if (d->fd >= 0)
		close(d->fd);
	free(d);
}

void source_frames_free(struct source_frames *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->list[i].function);
		free(f->list[i].file);
	}
	*f = (struct source_frames){0};
}

void source_frames_copy(struct source_frames *to, const struct source_frames *from)
{
	*to = (struct source_frames){.count = from->count};
	for (size_t i = 0; i < from->count; i++) {
		const struct source_frame *f = &from->list[i];
		to->list[i] = (struct source_frame){
			f->function ? xstrdup(f->function) : NULL, f->file ? xstrdup(f->file) : NULL, f->line};
	}
}

bool source_file_is_system(const char *path)
{
	static const char *const folders[] = {"/usr/", "/opt/rocm", "/lib/", "/proc/", "/sys/", "/dev/"};
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (!strncmp(path, folders[i], strlen(folders[i])))
			return true;
	return false;
}

size_t source_frames_find_own(const struct source_frames *f)
{
	for (size_t i = 0; i < f->count; i++)
		if (!source_file_is_system(f->list[i].file))
			return i;
	return 0;
}

/* --- one address --- */
/* A relative path begins in the folder of the compiler. */
static char *join_compiler_folder(Dwarf_Die *unit, const char *path)
{
	Dwarf_Attribute attribute;
	const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	while (!strncmp(path, "./", 2))
		path += 2;
	return *path == '/' || !folder ? xstrdup(path) : xasprintf("%s/%s", folder, path);
}

static void add_frame(struct source_frames *out, Dwarf_Die *unit, const char *function, const char *file, int line)
{
	if (out->count == SOURCE_FRAMES_MAX || !file || line < 1)
		return;
	out->list[out->count++] =
		(struct source_frame){function ? xstrdup(function) : NULL, join_compiler_folder(unit, file), line};
}

/* Where the inlined function was called. */
static void find_call(Dwarf_Die *unit, Dwarf_Die *inlined, const char **file, int *line)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number = 0, at = 0;
	Dwarf_Files *files;
	size_t count;
	*file = NULL;
	if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &number) ||
		dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &at) ||
		dwarf_getsrcfiles(unit, &files, &count) || number >= count)
		return;
	*file = dwarf_filesrc(files, number, NULL, NULL);
	*line = (int)at;
}

/* dwarf_getscopes alone would continue from the definition of the innermost function instead of its call. */
static void walk_scopes(Dwarf_Die *unit, Dwarf_Addr va, const char *file, int line, struct source_frames *out)
{
	Dwarf_Die *innermost = NULL, *scopes = NULL;
	int n = dwarf_getscopes(unit, va, &innermost) > 0 ? dwarf_getscopes_die(&innermost[0], &scopes) : 0;
	bool is_whole = false;
	for (int i = 0; i < n && !is_whole; i++) {
		int tag = dwarf_tag(&scopes[i]);
		is_whole = tag == DW_TAG_subprogram;
		if (!is_whole && tag != DW_TAG_inlined_subroutine)
			continue;
		add_frame(out, unit, dwarf_diename(&scopes[i]), file, line);
		if (!is_whole)
			find_call(unit, &scopes[i], &file, &line);
	}
	if (!out->count)
		add_frame(out, unit, NULL, file, line);
	free(innermost);
	free(scopes);
}

static bool find_in_unit(Dwarf_Die *unit, uint64_t va, struct source_frames *out)
{
	Dwarf_Line *row = dwarf_getsrc_die(unit, va);
	int line = 0;
	if (!row || dwarf_lineno(row, &line))
		return false;
	walk_scopes(unit, va, dwarf_linesrc(row, NULL, NULL), line, out);
	return true;
}

void debug_lines_find(struct debug_lines *d, uint64_t va, struct source_frames *out)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, skeleton;
	*out = (struct source_frames){0};
	while (d && !dwarf_get_units(d->dwarf, cu, &cu, NULL, NULL, &unit, &skeleton))
		if (dwarf_haspc(&unit, va) > 0 && find_in_unit(&unit, va, out))
			return;
}

#include "kernels/inspect/objdump/objdump_tool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/host/child_program.h"
#include "base/host/host_paths.h"
#include "base/host/temporary_folder.h"

/* --- where --- */
static void add_found(struct text_list *tools, const char *name)
{
	char *found = host_find_program(name);
	if (found)
		text_list_add(tools, found);
}

static void add_of_rocm(struct text_list *tools)
{
	static const char *const below[] = {"llvm/bin", "lib/llvm/bin"};
	struct text_list folders = {0};
	host_list_rocm(&folders);
	for (size_t i = 0; i < folders.count; i++)
		for (size_t k = 0; k < sizeof below / sizeof *below; k++) {
			char *path = xasprintf("%s/%s/llvm-objdump", folders.items[i], below[k]);
			add_found(tools, path);
			free(path);
		}
	text_list_free(&folders);
}

static void add_of_debian(struct text_list *tools)
{
	struct text_list paths = {0};
	char *pattern = host_path("/usr/lib/llvm-*/bin/llvm-objdump");
	host_list_newest(&paths, pattern);
	for (size_t i = 0; i < paths.count; i++)
		add_found(tools, paths.items[i]);
	text_list_free(&paths);
	free(pattern);
}

static struct text_list find_tools(void)
{
	struct text_list tools = {0};
	add_of_rocm(&tools);
	add_found(&tools, "llvm-objdump");
	add_of_debian(&tools);
	return tools;
}

/* --- asking --- */
/* A tool that does not know the target prints that, and may abort. */
static bool ask_tool(char *tool, char *file, const struct kernel_info *k, struct objdump_code *out)
{
	struct buf said = {0};
	char *cpu = xasprintf("--mcpu=%s", k->arch), *from = xasprintf("--start-address=0x%" PRIx64, k->code_va),
	     *to = xasprintf("--stop-address=0x%" PRIx64, k->code_va + k->code_bytes);
	char *argv[] = {tool, "-d", cpu, from, to, file, NULL};
	bool known = !child_run(argv, NULL, NULL, &said) && said.data &&
		!strstr(said.data, "not a recognized processor") && objdump_read_listing(said.data, k, out);
	free(cpu);
	free(from);
	free(to);
	buf_free(&said);
	return known;
}

static bool ask_tools(
	const struct text_list *tools, char *file, const struct kernel_info *k, struct objdump_code *out, struct err *e)
{
	for (size_t i = 0; i < tools->count; i++)
		if (ask_tool(tools->items[i], file, k, out))
			return true;
	if (!tools->count)
		return err_set(e, ST_REQUEST, "cannot disassemble %s: install llvm-objdump, of Debian's package llvm",
			k->arch);
	return err_set(e, ST_REQUEST, "cannot disassemble %s: %s does not know it%s; install a newer LLVM", k->arch,
		tools->items[0], tools->count > 1 ? ", nor do the others here" : "");
}

bool objdump_list_kernel(
	const struct code_object *o, const struct kernel_info *k, struct objdump_code *out, struct err *e)
{
	size_t size;
	const void *bytes = code_object_bytes(o, &size);
	struct text_list tools = find_tools();
	char *folder = temporary_folder_create(e), *file = folder ? xasprintf("%s/kernel.co", folder) : NULL;
	bool ok = folder && temporary_file_write(file, bytes, size, e) && ask_tools(&tools, file, k, out, e);
	if (folder)
		temporary_folder_remove(folder);
	free(file);
	free(folder);
	text_list_free(&tools);
	return ok;
}

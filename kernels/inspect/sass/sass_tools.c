#include "kernels/inspect/sass/sass_tools.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host/child_program.h"
#include "base/host/host_paths.h"
#include "base/host/temporary_folder.h"

/* In PATH, or where the toolkit installs it. The caller frees it; NULL: it is not there. */
static char *find_tool(const char *name)
{
	char *found = host_find_program(name);
	char *folder = host_path("/usr/local/cuda/bin"), *path = xasprintf("%s/%s", folder, name);
	if (!found)
		found = host_find_program(path);
	free(folder);
	free(path);
	return found;
}

/* Runs a tool with these arguments, the last one NULL. */
static bool run_tool(char **argv, struct buf *out, struct err *e)
{
	int status = child_run(argv, NULL, NULL, out);
	if (!status)
		return true;
	const char *said = out->data ? out->data : "";
	const char *line = strstr(said, "error") ? strstr(said, "error") : said;
	if (status < 0)
		return err_set(e, ST_FAILED, "cannot run %s: %s", argv[0], strerror(errno));
	return err_set(e, ST_FAILED, "%s failed: %.*s", argv[0], (int)strcspn(line, "\n"), line);
}

static bool assemble(char *ptxas, char *from, char *to, const struct sass_source *s, struct buf *said, struct err *e)
{
	char *arch = xasprintf("--gpu-name=%s", s->arch), *most = xasprintf("--maxrregcount=%u", s->most_registers);
	char *argv[] = {ptxas, "--verbose", "--generate-line-info", arch, "--output-file", to, from,
		s->most_registers ? most : NULL, NULL};
	bool ok = run_tool(argv, said, e);
	free(arch);
	free(most);
	return ok;
}

/* nvdisasm first: it has the lines of the source. */
static void list_code(char *cubin, struct sass_output *out)
{
	struct err e = {0};
	char *nvdisasm = find_tool("nvdisasm"), *cuobjdump = nvdisasm ? NULL : find_tool("cuobjdump");
	char *with_lines[] = {nvdisasm, "-c", "-g", "-hex", cubin, NULL}, *plain[] = {cuobjdump, "-sass", cubin, NULL};
	if (!nvdisasm && !cuobjdump)
		snprintf(out->why, sizeof out->why, "install nvdisasm or cuobjdump of the CUDA toolkit");
	else if (!run_tool(nvdisasm ? with_lines : plain, &out->listing, &e))
		snprintf(out->why, sizeof out->why, "%s", e.text);
	else
		out->lister = nvdisasm ? "nvdisasm" : "cuobjdump";
	free(nvdisasm);
	free(cuobjdump);
}

static bool run_in_folder(
	const char *folder, char *ptxas, const struct sass_source *s, struct sass_output *out, struct err *e)
{
	char *from = xasprintf("%s/kernel.ptx", folder), *to = xasprintf("%s/kernel.cubin", folder);
	bool ok = temporary_file_write(from, s->ptx, s->bytes, e) && assemble(ptxas, from, to, s, &out->resources, e);
	if (ok)
		list_code(to, out);
	free(from);
	free(to);
	return ok;
}

bool sass_run_tools(const struct sass_source *s, struct sass_output *out, struct err *e)
{
	*out = (struct sass_output){0};
	char *ptxas = find_tool("ptxas");
	if (!ptxas)
		return err_set(e, ST_REQUEST, "install ptxas of the CUDA toolkit");
	char *folder = temporary_folder_create(e);
	bool ok = folder && run_in_folder(folder, ptxas, s, out, e);
	if (folder)
		temporary_folder_remove(folder);
	free(folder);
	free(ptxas);
	if (!ok)
		sass_output_free(out);
	return ok;
}

void sass_output_free(struct sass_output *o)
{
	buf_free(&o->resources);
	buf_free(&o->listing);
}

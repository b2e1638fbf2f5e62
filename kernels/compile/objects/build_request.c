#include "kernels/compile/objects/build_request.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "softgpu/isa/isa_family.h"

static char *stem_of(const char *path)
{
	const char *name = path_basename(path), *dot = strrchr(name, '.');
	return xasprintf("%.*s", (int)(dot ? (size_t)(dot - name) : strlen(name)), name);
}

static const char cu_mode[] = "-mcumode";

bool kernel_flag_is_allowed(const char *word, size_t len)
{
	static const char *const flags[] = {
		"-ffast-math", "-fgpu-flush-denormals-to-zero", "-fno-hip-fp32-correctly-rounded-divide-sqrt", cu_mode};
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (len == strlen(flags[i]) && !memcmp(word, flags[i], len))
			return true;
	return false;
}

/* Allows only definitions and known flags: other options can make a compiler load and run code. */
static bool good_define(const char *d, bool assembly)
{
	size_t n = 0;
	if (!isalpha((unsigned char)d[0]) && d[0] != '_')
		return false;
	while (isalnum((unsigned char)d[n]) || d[n] == '_')
		n++;
	if (d[n] != '=' || !assembly)
		return d[n] == '=' || !d[n];
	char *end;
	strtol(d + n + 1, &end, 0); /* symbols of the assembler are numbers */
	return d[n + 1] && !*end;
}

static bool split_defines(struct build_request *r, struct err *e)
{
	char *text = xstrdup(r->s->defines ? r->s->defines : ""), *rest = text, *word;
	int n = 0;
	bool ok = true;
	while (ok && (word = strtok_r(rest, " \t", &rest))) {
		bool flag = !r->task.assembly && kernel_flag_is_allowed(word, strlen(word));
		if (!flag && (strncmp(word, "-D", 2) || !good_define(word + 2, r->task.assembly)))
			ok = err_set(e, ST_REQUEST, "'%s' in the defines of %s: expected -DNAME=%s", word, r->s->file,
				r->task.assembly ? "INTEGER" : "VALUE");
		else if (!strcmp(word, cu_mode) && strncmp(r->arch, "gfx1", 4))
			continue; /* others have only CUs */
		else if (n == DEFINES_MAX)
			ok = err_set(e, ST_REQUEST, "more than %d defines for %s", DEFINES_MAX, r->s->file);
		else
			r->defines[n++] = r->task.assembly && !strchr(word, '=') ? xasprintf("%s=1", word + 2)
										 : xstrdup(flag ? word : word + 2);
	}
	free(text);
	return ok;
}

/* The family that assembly of the project is for: "gfx11/NAME.s" says it; files without a folder are for gfx9. */
struct source_family {
	char name[16];
};
static struct source_family family_of_source(const char *file)
{
	const char *slash = strchr(file, '/');
	struct source_family f;
	snprintf(f.name, sizeof f.name, "%.*s", slash ? (int)(slash - file) : 4, slash ? file : "gfx9");
	return f;
}

bool kernel_source_fits(const char *file, const char *arch)
{
	char base[32];
	snprintf(base, sizeof base, "%.*s", (int)strcspn(arch, ":"), arch);
	const enum isa_target target = isa_target_by_name(base);
	return !path_has_suffix(file, ".s") ||
		(target && !strcmp(isa_family_of(target)->name, family_of_source(file).name));
}

bool build_request_open(struct build_request *r, struct err *e)
{
	const char *why;
	const char *root = r->given ? r->given->root : NULL;
	char *kernels = root ? xasprintf("%s/kernels", root) : path_kernels(NULL);
	r->own = r->s->file[0] == '/';
	r->source = r->own ? xstrdup(r->s->file) : xasprintf("%s/%s", kernels, r->s->file);
	r->folder = path_copy_folder(r->source);
	r->include = path_copy_folder(kernels);
	free(kernels);
	r->stem = stem_of(r->source);
	r->base_arch = xasprintf("%.*s", (int)strcspn(r->arch, ":"), r->arch);
	r->places = (struct input_places){r->folder, r->include};
	r->task = (struct compile_task){r->source, path_has_suffix(r->source, ".s"), r->arch, r->include, r->folder,
		r->defines, NULL, NULL, NULL};
	if (!input_file_is_readable(r->source, &why)) /* the compiler would wait for a named pipe */
		return err_set(e, ST_REQUEST, "cannot read the kernel source %s: %s", r->source, why);
	if (!r->own && !kernel_source_fits(r->s->file, r->arch))
		return err_set(e, ST_REQUEST, "%s is %s assembly, but the device is %s%s", r->s->file,
			family_of_source(r->s->file).name, r->base_arch,
			strchr(r->s->file, '/') ? "" : "; use variant=compiled");
	return split_defines(r, e);
}

void build_request_close(struct build_request *r)
{
	for (int i = 0; r->defines[i]; i++)
		free(r->defines[i]);
	free(r->source);
	free(r->folder);
	free(r->include);
	free(r->base_arch);
	free(r->stem);
	kernel_inputs_free(&r->inputs);
}

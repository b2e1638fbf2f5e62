#include "gpu/worker/reference/native_reference.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/host/child_program.h"
#include "base/host/package_advice.h"
#include "base/host/temporary_folder.h"
#include "kernels/compile/compiler.h"

/* Known to the user's source: the launch as in HIP, and vectors. */
static const char prelude[] =
	"#include <math.h>\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <sys/types.h>\n"
	"struct dim3 { unsigned x, y, z; } gridDim, blockDim;\n"
	"typedef unsigned char uchar;\n"
	"typedef struct { int x, y; } int2;\ntypedef struct { int x, y, z, w; } int4;\n"
	"typedef struct { unsigned x, y; } uint2;\ntypedef struct { unsigned x, y, z, w; } uint4;\n"
	"typedef struct { float x, y; } float2;\ntypedef struct { float x, y, z, w; } float4;\n"
	"typedef struct { double x, y; } double2;\n";

/* The library of the last source. */
static struct {
	char *text;
	void *library;
	void (*function)(void);
	uint32_t *grid, *block;
} loaded;

/* --- the source --- */
/* The compiler compares the function with the arguments that the experiment declares. */
static void add_signature_check(struct buf *out, const struct job *j)
{
	buf_printf(out, "\n#line %d \"%s\"\nvoid (*wavedeck_reference)(", j->args_line ? j->args_line : 1,
		*j->definition ? strrchr(j->definition, '/') ? strrchr(j->definition, '/') + 1 : j->definition
			       : "args");
	for (int i = 0; i < j->arg_count; i++)
		buf_printf(out, "%s%s", i ? ", " : "", j->args[i].declared);
	buf_printf(out, "%s) = %s;\n", j->arg_count ? "" : "void", j->reference.name);
}

static char *make_source(const struct job *j)
{
	struct buf out = {0};
	buf_puts(&out, prelude);
	buf_printf(&out, "#line 1 \"%s\"\n", j->reference.file);
	buf_puts(&out, j->reference.source);
	add_signature_check(&out, j);
	return out.data;
}

static bool write_source(const char *path, const char *text, struct err *e)
{
	FILE *f = fopen(path, "we");
	bool ok = f && fputs(text, f) >= 0;
	if (f)
		ok = !fclose(f) && ok;
	return ok || err_set(e, ST_FAILED, "cannot write %s; free some space, or set TMPDIR", path);
}

/* --- the compiler --- */
enum { ARGUMENTS_MAX = 40 };

static bool set_no_c_compiler(const struct job *j, struct err *e)
{
	char command[200];
	package_install_command("compiler", 0, command, sizeof command);
	return err_set(
		e, ST_REQUEST, "clang not found, needed to compile %s; install it: %s", j->reference.file, command);
}

/* The defines were checked when the job was made: -DNAME or -DNAME=VALUE. */
static bool compile_library(const struct job *j, const char *source, const char *output, struct err *e)
{
	struct buf log = {0};
	char *clang = toolchain_find()->clang, *defines = xstrdup(j->reference.defines), *rest = defines, *word;
	if (!clang) {
		free(defines);
		return set_no_c_compiler(j, e);
	}
	char *argv[ARGUMENTS_MAX] = {clang, "-std=gnu11", "-O2", "-g", "-Wno-everything",
		"-Werror=implicit-function-declaration", "-Werror=incompatible-function-pointer-types",
		"-ffp-contract=off", "-fPIC", "-shared", "-o", (char *)output, (char *)source, "-lm"};
	int count = 14;
	while (count < ARGUMENTS_MAX - 1 && (word = strtok_r(rest, " ", &rest)))
		argv[count++] = word;
	int status = child_run(argv, NULL, NULL, &log);
	bool ok = !status || compiler_set_error(log.data, "the compiler failed without a message", e);
	char *advice = ok ? NULL : strstr(e->text, "; fix the kernel source");
	if (advice)
		snprintf(advice, sizeof e->text - (size_t)(advice - e->text), "; fix %s", j->reference.file);
	buf_free(&log);
	free(defines);
	return ok;
}

/* --- the library --- */
static void unload_library(void)
{
	if (loaded.library)
		dlclose(loaded.library);
	free(loaded.text);
	memset(&loaded, 0, sizeof loaded);
}

static bool open_library(const struct job *j, const char *path, struct err *e)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return err_set(e, ST_FAILED, "cannot load %s: %s", j->reference.file, dlerror());
	loaded.library = library;
	*(void **)&loaded.function = dlsym(library, j->reference.name);
	loaded.grid = dlsym(library, "gridDim");
	loaded.block = dlsym(library, "blockDim");
	return loaded.function ||
		err_set(e, ST_REQUEST, "%s has no function '%s' that others can call; remove static", j->reference.file,
			j->reference.name);
}

static bool build_library(const struct job *j, const char *text, struct err *e)
{
	char *folder = temporary_folder_create(e);
	if (!folder)
		return false;
	char *source = xasprintf("%s/reference.c", folder), *library = xasprintf("%s/reference.so", folder);
	bool ok =
		write_source(source, text, e) && compile_library(j, source, library, e) && open_library(j, library, e);
	temporary_folder_remove(folder);
	free(source);
	free(library);
	free(folder);
	return ok;
}

bool native_reference_load(const struct job *j, struct reference *out, struct err *e)
{
	char *text = make_source(j), *key = xasprintf("%s\n%s", j->reference.defines, text);
	bool ok = loaded.text && !strcmp(loaded.text, key);
	if (!ok) {
		unload_library();
		ok = build_library(j, text, e);
		if (ok)
			loaded.text = xstrdup(key);
		else
			unload_library();
		if (ok) /* the last line of standard error explains a crash */
			fprintf(stderr, "calling %s of %s\n", j->reference.name, j->reference.file);
	}
	free(text);
	free(key);
	if (!ok)
		return false;
	memcpy(loaded.grid, j->shape.grid, sizeof j->shape.grid);
	memcpy(loaded.block, j->shape.block, sizeof j->shape.block);
	*out = (struct reference){.name = j->reference.name, .call = loaded.function, .without_shape = true};
	return true;
}

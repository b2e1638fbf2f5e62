/* Finds a prebuilt or cached code object for a kernel source, or compiles it. */
#include "kernels/compile/kernel_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/host/package_advice.h"
#include "base/host/temporary_folder.h"
#include "kernels/compile/objects/build_request.h"
#include "kernels/compile/objects/object_cache.h"
#include "kernels/compile/objects/prebuilt_object.h"
#include "kernels/compile/objects/source_compile.h"
#include "kernels/compile/cuda/cuda_compiler.h"
#include "kernels/compile/parameter_types.h"

/* clang, if it can compile this source; NULL: another compiler has to. */
static const struct toolchain *find_compiler_for(const struct build_request *r)
{
	if (cuda_is_target(r->arch))
		return NULL;
	const struct toolchain *tools = toolchain_find();
	return (r->task.assembly ? tools->clang != NULL : toolchain_compiles_hip(tools)) ? tools : NULL;
}

static bool find_other_compiler(struct build_request *r, const char **version)
{
	bool cuda = cuda_is_target(r->arch);
	r->compile = cuda ? cuda_compile : hiprtc_compile;
	return cuda ? cuda_compiler_find(version) : !r->task.assembly && hiprtc_find(version);
}

static bool set_no_compiler(const struct build_request *r, struct err *e)
{
	if (cuda_is_target(r->arch))
		return cuda_set_no_compiler(r->s->file, r->arch, e);
	const struct toolchain *tools = toolchain_find();
	char command[200];
	package_install_command(r->task.assembly ? "compiler linker"
			: !tools->clang          ? "compiler linker device-libraries hip-headers"
			: !tools->bitcode        ? "device-libraries"
						 : "hip-headers",
		tools->major, command, sizeof command);
	if (!tools->clang)
		return err_set(e, ST_REQUEST, "clang not found, needed to %s %s; install it: %s",
			r->task.assembly ? "assemble" : "compile", r->s->file, command);
	return err_set(e, ST_REQUEST, "%s not found, needed to compile %s; install them: %s",
		tools->bitcode ? "the headers of HIP" : "device libraries for clang", r->s->file, command);
}

/* The compiler would wait for a named pipe. */
static bool check_readable(struct build_request *r, struct err *e)
{
	kernel_inputs_free(&r->inputs);
	kernel_inputs_scan(&r->inputs, &r->places, r->source);
	return !r->inputs.unreadable ||
		err_set(e, ST_REQUEST, "cannot read the kernel source %s: %s", r->inputs.unreadable, r->inputs.why);
}

/* What compilers say of a target that they do not know, in place of which one line says what to do. */
static bool set_unknown_target(const struct build_request *r, const char *version, struct err *e)
{
	static const char *const messages[] = {"invalid target ID", "unsupported HIP gpu architecture",
		"unsupported CUDA gpu architecture", "Unsupported gpu architecture", "--gpu-architecture"};
	for (size_t i = 0; e && i < sizeof messages / sizeof *messages; i++)
		if (strstr(e->text, messages[i]))
			return err_set(e, ST_REQUEST, "%s does not know the target %.40s; choose another, or %s",
				version, r->arch,
				cuda_is_target(r->arch) ? "install a newer compiler of CUDA"
							: "name a newer clang in WAVEDECK_CLANG");
	return false;
}

static bool find_or_compile(struct build_request *r, struct kernel_build *out, struct err *e)
{
	const struct toolchain *tools = find_compiler_for(r);
	const char *version = tools ? tools->version : NULL;
	if (!tools && !find_other_compiler(r, &version))
		return set_no_compiler(r, e);
	r->request_key = build_request_hash(r, tools, version);
	snprintf(out->compiler, sizeof out->compiler, "%s", version);
	return object_cache_find(r, out) ||
		(check_readable(r, e) &&
			(source_compile_to_cache(r, tools, out, e) || set_unknown_target(r, version, e)));
}

/* Looks up the parameters in the cache, or asks the compiler (0.2 s). Without them, the code object has only the sizes
 * of the parameters. */
static void find_parameter_types(struct build_request *r, struct kernel_build *out)
{
	const struct toolchain *tools = find_compiler_for(r);
	if (!r->s->entry || !r->own || r->task.assembly || !tools)
		return;
	char *tail = xasprintf("%s.types", r->s->entry), *name = object_cache_path(r, r->object_key, tail);
	out->types = parameter_types_load(name);
	char *folder = out->types ? NULL : temporary_folder_create(NULL);
	if (folder) {
		r->task.temporary = folder;
		build_folder_set(folder);
		out->types = parameter_types_find(tools, &r->task, r->s->entry);
		build_folder_set(NULL);
		temporary_folder_remove(folder);
		if (out->types)
			parameter_types_keep(name, out->types);
	}
	free(folder);
	free(tail);
	free(name);
}

char *kernel_find_prebuilt(const struct kernel_source *s, const char *arch)
{
	struct build_request r = {.s = s, .arch = arch};
	char *path = build_request_open(&r, NULL) ? prebuilt_object_path(&r) : NULL;
	build_request_close(&r);
	return path;
}

bool kernel_build(const struct kernel_source *s, const char *arch, struct kernel_build *out, struct err *e)
{
	return kernel_build_given(s, NULL, arch, out, e);
}

bool kernel_build_given(const struct kernel_source *s, const struct kernel_given *given, const char *arch,
	struct kernel_build *out, struct err *e)
{
	struct build_request r = {.s = s, .given = given, .arch = arch};
	*out = (struct kernel_build){0};
	bool ok = build_request_open(&r, e) && (prebuilt_object_find(&r, out) || find_or_compile(&r, out, e));
	if (ok) {
		find_parameter_types(&r, out);
		out->inputs = r.inputs;
		r.inputs = (struct kernel_inputs){0};
	}
	build_request_close(&r);
	if (!ok)
		kernel_build_free(out);
	return ok;
}

void kernel_build_free(struct kernel_build *b)
{
	free(b->path);
	free(b->types);
	b->path = b->types = NULL;
	kernel_inputs_free(&b->inputs);
}

/* Builds and loads kernels, with a cache of loaded modules. */
#include "gpu/worker/loaded_kernel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/vendor/vendor_words.h"
#include "gpu/protocol/argument_check.h"
#include "gpu/protocol/worker_protocol.h"
#include "gpu/softgpu-link/softprobe.h"
#include "gpu/worker/received_content.h"
#include "kernels/compile/kernel_build.h"

enum { MODULES = 64 };

/* A file may be rebuilt under the same name, so its time and size are part of the key. */
struct module {
	char *path;
	struct timespec time;
	off_t size;
	void *handle;
	struct code_object *object;
	json_t *sources;
};
static struct module modules[MODULES];
static int module_count;

static void drop_oldest_module(const struct gpu_runtime *rt, void *device)
{
	rt->unload(device, modules[0].handle);
	code_object_close(modules[0].object);
	json_decref(modules[0].sources);
	free(modules[0].path);
	memmove(&modules[0], &modules[1], (MODULES - 1) * sizeof *modules);
	module_count--;
}

static struct module *find_module(const char *path, const struct stat *st)
{
	for (int i = 0; i < module_count; i++) {
		struct module *m = &modules[i];
		if (!strcmp(m->path, path) && m->size == st->st_size && !memcmp(&m->time, &st->st_mtim, sizeof m->time))
			return m;
	}
	return NULL;
}

/* On the software GPU, one: the addresses of code and buffers must not depend on earlier points. */
static int module_limit(void)
{
	return softprobe_is_present() ? 1 : MODULES;
}

static void set_hash(json_t *o, const char *key, uint64_t hash)
{
	char text[24];
	snprintf(text, sizeof text, "%016" PRIx64, hash);
	json_object_set_new(o, key, json_string(text));
}

/* The user's and the project's files by name. Headers of the system are many; the device's record has their version. */
static json_t *describe_sources(const struct kernel_inputs *inputs)
{
	json_t *o = json_object(), *files = json_object();
	for (int i = 0; i < inputs->count; i++)
		if (!kernel_input_is_of_system(&inputs->list[i]))
			set_hash(files, inputs->list[i].name, inputs->list[i].hash);
	json_object_set_new(o, "files", files);
	uint64_t libraries = kernel_inputs_hash_libraries(inputs);
	if (libraries)
		set_hash(o, "libraries", libraries);
	return o;
}

static struct module *load_cached_module(
	const struct gpu_runtime *rt, void *device, const struct kernel_build *build, struct err *e)
{
	const char *path = build->path;
	struct stat st = {0};
	stat(path, &st);
	struct module *known = find_module(path, &st);
	if (known)
		return known;
	struct code_object *object = code_object_open(path, e);
	if (!object)
		return NULL;
	while (module_count >= module_limit())
		drop_oldest_module(rt, device);
	void *handle = rt->load(device, object, e);
	if (!handle) {
		code_object_close(object);
		return NULL;
	}
	modules[module_count] = (struct module){
		xstrdup(path), st.st_mtim, st.st_size, handle, object, describe_sources(&build->inputs)};
	return &modules[module_count++];
}

static unsigned block_threads(const struct job *j)
{
	return j->shape.block[0] * j->shape.block[1] * j->shape.block[2];
}

/* The resources from the code object, for the workgroup size of the job. */
static void describe_kernel(struct loaded_kernel *out, const struct kernel_info *info, const struct job *j)
{
	out->info = *info;
	out->info.lds_bytes += j->lds_bytes;
	kernel_compute_occupancy(&out->info, block_threads(j));
	out->waves_per_cu = kernel_waves_per_cu(&out->info, block_threads(j));
}

/* An error names the line of the definition that names the kernel. */
static const struct kernel_info *find_job_kernel(const struct code_object *o, const struct job *j, struct err *e)
{
	struct err why;
	const struct kernel_info *k = code_object_find_kernel_of(o, j->file, j->entry, &why);
	char where[DEFINITION_PLACE];
	if (!k)
		err_set(e, why.status, "%s%s", job_format_place(j, j->entry_line, where), why.text);
	return k;
}

static bool from_module(const struct gpu_runtime *rt, void *device, const char *arch, const struct module *m,
	const struct job *j, const char *types, struct loaded_kernel *out, struct err *e)
{
	const struct kernel_info *info = find_job_kernel(m->object, j, e);
	if (!info || !arguments_check(j, info, types, e))
		return false;
	out->object = m->object;
	out->sources = m->sources;
	out->handle = rt->kernel(device, m->handle, j->entry, e);
	struct kernel_info known = *info;
	if (vendor_is_nvidia(arch)) /* PTX may be of an older target */
		snprintf(known.arch, sizeof known.arch, "%s", arch);
	if (out->handle && rt->describe)
		rt->describe(device, out->handle, &known);
	describe_kernel(out, &known, j);
	return out->handle != NULL;
}

/* The caller frees the build, even on failure. */
static bool build_for(
	const char *arch, const struct job *j, struct loaded_kernel *out, struct kernel_build *build, struct err *e)
{
	struct job_files files;
	*out = (struct loaded_kernel){0};
	*build = (struct kernel_build){0};
	bool built = content_find(j, arch, &files, e);
	struct kernel_source source = {
		files.present ? files.file : j->file, j->defines, j->arg_count ? j->entry : NULL};
	built = built && kernel_build_given(&source, files.present ? &files.given : NULL, arch, build, e);
	if (!built)
		content_rename(j, &files, e->text, sizeof e->text);
	content_free(&files);
	if (*build->warning)
		protocol_log("warning", "%s", build->warning);
	snprintf(out->compiler, sizeof out->compiler, "%s", build->compiler);
	return built;
}

bool kernel_load(const struct gpu_runtime *rt, void *device, const char *arch, const struct job *j,
	struct loaded_kernel *out, struct err *e)
{
	struct kernel_build build;
	if (!build_for(arch, j, out, &build, e))
		return false;
	struct module *m = load_cached_module(rt, device, &build, e);
	bool ok = m && from_module(rt, device, arch, m, j, build.types, out, e);
	kernel_build_free(&build);
	return ok;
}

bool kernel_compile(const char *arch, const struct job *j, struct loaded_kernel *out, bool *refused, struct err *e)
{
	struct kernel_build build;
	if (build_for(arch, j, out, &build, e))
		out->object = code_object_open(build.path, e);
	out->sources = describe_sources(&build.inputs);
	*refused = build.refused;
	kernel_build_free(&build);
	const struct kernel_info *info = out->object ? find_job_kernel(out->object, j, e) : NULL;
	if (info)
		describe_kernel(out, info, j);
	else
		kernel_release(out);
	return info != NULL;
}

void kernel_release(struct loaded_kernel *k)
{
	code_object_close(k->object);
	json_decref(k->sources);
	k->object = NULL;
	k->sources = NULL;
}

json_t *kernel_record(const struct loaded_kernel *k)
{
	char hash[24];
	snprintf(hash, sizeof hash, "%016" PRIx64, code_object_hash(k->object));
	json_t *o = json_pack("{s:s,s:s}", "hash", hash, "compiler", k->compiler);
	json_object_update(o, k->sources);
	json_object_update_new(o,
		json_pack("{s:i,s:i,s:i,s:i,s:i,s:s*}", "vgprs", (int)k->info.vgprs, "sgprs", (int)k->info.sgprs, "lds",
			(int)k->info.lds_bytes, "scratch", (int)k->info.scratch_bytes, "waves_per_simd",
			(int)k->info.waves_per_simd, "limited_by", k->info.limited_by));
	return o;
}

/* --- expected instructions --- */
const char *kernel_check_contract(const struct loaded_kernel *k, const struct job *j, char *text, size_t size)
{
	size_t count = 0, start, end;
	struct err why;
	const char *verdict = "none";
	struct kernel_line *lines = NULL;
	*text = 0;
	for (int i = 0; i < j->contract_count; i++) {
		const struct isa_contract *c = &j->contract[i];
		if (contract_is_of_sass(c) || !contract_applies_to(c, k->info.arch))
			continue;
		if (!lines && !(lines = code_object_disassemble(k->object, &k->info, &count, &start, &end, &why))) {
			snprintf(text, size, "%s", why.text);
			return "none";
		}
		int found = contract_count_matches(c, lines, count);
		verdict = contract_is_met(c, found) ? "ok" : "broken";
		if (!contract_is_met(c, found)) {
			contract_describe_violation(c, found, text, size);
			break;
		}
	}
	free(lines);
	return verdict;
}

#include "kernels/compile/objects/source_compile.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/fatal_signals.h"
#include "base/host/temporary_folder.h"
#include "kernels/compile/objects/object_cache.h"
#include "kernels/compile/cuda/cuda_compiler.h"
#include "kernels/compile/include_search.h"
#include "kernels/compile/precompiled_header.h"

enum { COMPILES_MAX = 3 };

/* The folder of the current build, for kernel_build_cancel; NULL: none. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *temporary;

void build_folder_set(const char *folder)
{
	fatal_signals_add(clang_end); /* later than the folder, so that clang ends before the folder is removed */
	pthread_mutex_lock(&lock);
	temporary = folder;
	pthread_mutex_unlock(&lock);
}

bool kernel_build_cancel(void)
{
	bool at_work = clang_cancel();
	pthread_mutex_lock(&lock);
	at_work |= temporary != NULL;
	if (temporary)
		rmdir(temporary); /* fails if it is not empty; with hiprtc it is empty */
	pthread_mutex_unlock(&lock);
	return at_work;
}

static void scan_inputs(struct build_request *r)
{
	kernel_inputs_scan(&r->inputs, &r->places, r->source);
	if (!cuda_is_target(r->arch))
		return;
	char *prelude = cuda_find_prelude();
	kernel_inputs_scan(&r->inputs, &r->places, prelude);
	free(prelude);
}

/* After the compile, so that their contents are those that the compiler read, unless one changed since. */
static void find_inputs(struct build_request *r, const struct toolchain *tools, const char *rule,
	const struct precompiled_header *header)
{
	kernel_inputs_free(&r->inputs);
	if (!tools || r->task.assembly) {
		scan_inputs(r);
	} else {
		kernel_inputs_add_rule(&r->inputs, &r->places, r->source, rule);
		if (r->task.header)
			kernel_inputs_add_files(&r->inputs, &r->places, &header->inputs);
		kernel_inputs_add_libraries(&r->inputs, &r->places, tools->bitcode, r->base_arch);
	}
	r->inputs.searched = include_search_hash(&r->inputs, &r->places);
}

static bool inputs_changed_since(const struct build_request *r, long long ns)
{
	return kernel_inputs_changed_since(&r->inputs, ns) || include_search_changed_since(&r->inputs, &r->places, ns);
}

/* Without the precompiled header if the source includes another one of this name. */
static bool compile_once(struct build_request *r, const struct toolchain *tools, const char *file,
	struct precompiled_header *header, struct err *e)
{
	if (!tools) {
		if (!r->compile(&r->task, file, e))
			return false;
		find_inputs(r, NULL, r->task.rule, header);
		return true;
	}
	r->task.header = header->path;
	if (!clang_compile(tools, &r->task, file, e))
		return false;
	find_inputs(r, tools, r->task.rule, header);
	if (!r->task.header || !precompiled_header_is_of_another(header, &r->inputs))
		return true;
	precompiled_header_refuse(header);
	return compile_once(r, tools, file, header, e);
}

/* A file that changes meanwhile is compiled again, and so is one that comes where the compiler looks earlier. */
static bool compile_unchanged(struct build_request *r, const struct toolchain *tools, const char *file, struct err *e)
{
	struct precompiled_header header = {0};
	char *rule = xasprintf("%s/kernel.d", r->task.temporary);
	long long start = 0;
	bool ok = !tools || precompiled_header_find(tools, &r->task, &header, e);
	r->task.rule = rule;
	for (int tries = 0; ok && tries < COMPILES_MAX; tries++) {
		if (tries && !inputs_changed_since(r, start))
			break;
		start = kernel_inputs_now();
		ok = compile_once(r, tools, file, &header, e);
	}
	r->inputs.incomplete |= inputs_changed_since(r, start);
	r->task.rule = r->task.header = NULL;
	precompiled_header_free(&header);
	free(rule);
	return ok;
}

/* Compiles in a folder of its own, where a killed process leaves its files, and copies the result to out->path. If that
 * is not writable, the file is kept in this process, and out->path changes. */
bool source_compile_to_cache(
	struct build_request *r, const struct toolchain *tools, struct kernel_build *out, struct err *e)
{
	char *folder = temporary_folder_create(e), *file = folder ? xasprintf("%s/kernel.co", folder) : NULL;
	if (!folder)
		return false;
	r->task.temporary = folder;
	build_folder_set(folder);
	bool ok = compile_unchanged(r, tools, file, e);
	out->refused = !ok;
	if (ok) {
		object_cache_choose_path(r, file, out);
		ok = object_cache_keep(file, out, e);
	}
	if (ok)
		object_cache_keep_list(r);
	build_folder_set(NULL);
	temporary_folder_remove(folder);
	free(folder);
	free(file);
	return ok;
}

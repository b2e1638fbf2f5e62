#include "kernels/compile/objects/object_cache.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/paths.h"
#include "kernels/compile/cache_copy.h"
#include "kernels/compile/compiler_environment.h"
#include "kernels/compile/kernel_files.h"
#include "kernels/compile/memfd_cache.h"
#include "kernels/inspect/code_object.h"

enum { CACHE_VERSION = 4 /* raise when flags change */ };

uint64_t build_request_hash(const struct build_request *r, const struct toolchain *tools, const char *compiler)
{
	uint64_t h = hash_bytes(HASH_START, &(uint32_t){CACHE_VERSION}, 4), source = 0;
	kernel_file_hash(r->source, &source);
	h = hash_bytes(h, &source, sizeof source);
	for (int i = 0; r->defines[i]; i++)
		h = hash_text(h, r->defines[i]);
	h = compiler_environment_hash(hash_text(hash_text(h, r->arch), compiler));
	return tools ? compiler_program_hash(h, tools->clang) : h;
}

/* `tail`: "files", "co", "ENTRY.types" */
char *object_cache_path(const struct build_request *r, uint64_t key, const char *tail)
{
	char *name = xasprintf("kernels/%s-%s-%016llx.%s", r->stem, r->base_arch, (unsigned long long)key, tail);
	char *path = path_user_cache(name);
	free(name);
	return path;
}

/* --- find --- */
static bool is_code_object(const char *path)
{
	struct code_object *o = code_object_open(path, NULL);
	code_object_close(o);
	return o != NULL;
}

/* The code object of an earlier compile, if all files are as they were. */
bool object_cache_find(struct build_request *r, struct kernel_build *out)
{
	char *list = object_cache_path(r, r->request_key, "files"), *unnamed_list = memfd_cache_find(list);
	bool known = kernel_inputs_load(&r->inputs, &r->places, unnamed_list ? unnamed_list : list);
	free(list);
	free(unnamed_list);
	if (!known)
		return false;
	r->object_key = kernel_inputs_hash(&r->inputs, r->request_key);
	char *path = object_cache_path(r, r->object_key, "co"), *unnamed = memfd_cache_find(path);
	out->path = unnamed ? unnamed : path;
	if (unnamed)
		free(path);
	out->from_cache = is_code_object(out->path);
	if (!out->from_cache) {
		free(out->path);
		out->path = NULL;
	}
	return out->from_cache;
}

/* --- keep --- */
static void warn_not_cached(struct kernel_build *out, int why)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects `warned` */
	static bool warned;
	char *folder = path_copy_folder(out->path);
	pthread_mutex_lock(&lock);
	if (!warned)
		snprintf(out->warning, sizeof out->warning,
			"cannot cache compiled kernels in %.160s: %s; they are compiled again in each run; set XDG_CACHE_HOME to a "
			"writable folder",
			folder, strerror(why));
	warned = true;
	pthread_mutex_unlock(&lock);
	free(folder);
}

/* Keeps the compiled file in this process, because the cache is not writable. */
static bool keep_unnamed(const char *file, struct kernel_build *out, struct err *e)
{
	char *path = memfd_cache_store(out->path, file);
	if (!path)
		return err_set(e, ST_FAILED, "cannot open %s: %s", file, strerror(errno));
	free(out->path);
	out->path = path;
	return true;
}

bool object_cache_keep(const char *file, struct kernel_build *out, struct err *e)
{
	if (cache_copy_file(file, out->path))
		return true;
	warn_not_cached(out, errno);
	return keep_unnamed(file, out, e);
}

/* Of a source that may include more than is known, each code object has a key of its own, and no list leads to it. */
void object_cache_choose_path(struct build_request *r, const char *file, struct kernel_build *out)
{
	struct code_object *o = r->inputs.incomplete ? code_object_open(file, NULL) : NULL;
	uint64_t content = o ? code_object_hash(o) : 0;
	code_object_close(o);
	r->object_key = kernel_inputs_hash(&r->inputs, r->request_key);
	if (content)
		r->object_key = hash_bytes(r->object_key, &content, sizeof content);
	out->path = object_cache_path(r, r->object_key, "co");
}

/* The list is written last: it leads to a complete object. Without a writable cache it stays in this process. */
void object_cache_keep_list(const struct build_request *r)
{
	char *list = object_cache_path(r, r->request_key, "files"),
	     *file = xasprintf("%s/kernel.files", r->task.temporary);
	if (!r->inputs.incomplete && !kernel_inputs_keep(&r->inputs, list) && kernel_inputs_keep(&r->inputs, file))
		free(memfd_cache_store(list, file));
	free(list);
	free(file);
}

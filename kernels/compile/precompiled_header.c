/* As for a kernel, a list "REQUEST.files" in the cache names the files that the compiler read for a request: a
 * compiler and its flags. With what these files contain now, the request is the key of "KEY.pch", which is empty if it
 * is not to be used. */
#include "kernels/compile/precompiled_header.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/hash.h"
#include "base/host/child_program.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "kernels/compile/cache_copy.h"
#include "kernels/compile/compiler_environment.h"
#include "kernels/compile/header_words.h"
#include "kernels/compile/include_search.h"
#include "kernels/compile/kernel_build.h"

/* The header is in no folder of a source. */
static const struct input_places nowhere = {"/proc/none", "/proc/none"};
static const char header_name[] = "hip/hip_runtime.h";

/* --- for which sources --- */
static const char *skip_comment(const char *s)
{
	const char *end = strncmp(s, "//", 2) ? strncmp(s, "/*", 2) ? NULL : strstr(s + 2, "*/") : strchr(s, '\n');
	return end ? end + (*end == '*' ? 2 : 1) : NULL;
}

/* Behind blanks, comments, and the condition for hiprtc, which has the header built in. */
static const char *skip_start_of_source(const char *s)
{
	static const char *const conditions[] = {"#if !defined(__HIPCC_RTC__)\n", "#ifndef __HIPCC_RTC__\n"};
	for (const char *next = s; next;) {
		s = next + strspn(next, " \t\r\n");
		next = skip_comment(s);
		for (size_t k = 0; k < sizeof conditions / sizeof *conditions && !next; k++)
			if (!strncmp(s, conditions[k], strlen(conditions[k])))
				next = s + strlen(conditions[k]);
	}
	return s;
}

static bool includes_it_first(const char *source)
{
	static const char line[] = "#include <hip/hip_runtime.h>\n";
	struct buf b = {0};
	const char *why;
	bool ok = input_file_read(source, KERNEL_SOURCE_MAX, &b, &why) && b.len &&
		!strncmp(skip_start_of_source(b.data), line, sizeof line - 1);
	buf_free(&b);
	return ok;
}

/* The header asks for names like these, and makes some of parts, which are no words of it. */
static bool may_change_header(const char *define)
{
	static const char *const beginnings[] = {"_", "HIP", "HCC", "ROC", "AMD", "CUDA", "NDEBUG"};
	for (size_t k = 0; k < sizeof beginnings / sizeof *beginnings; k++)
		if (!strncmp(define, beginnings[k], strlen(beginnings[k])))
			return true;
	return false;
}

static bool may_use(const struct compile_task *t)
{
	for (char *const *d = t->defines; *d; d++)
		if (**d != '-' && may_change_header(*d))
			return false;
	return !t->assembly && compiler_environment_hash(HASH_START) == HASH_START && includes_it_first(t->source);
}

/* The tree is searched before the folder of the header, and the definitions precede it. */
static bool is_unchanged_by(const struct kernel_inputs *inputs, const struct compile_task *t)
{
	const struct input_places places = {t->folder, t->include};
	for (char *const *d = t->defines; *d; d++)
		if (**d != '-' && headers_have_word(inputs, *d))
			return false;
	return !include_search_hides(inputs, &places);
}

/* --- the cache --- */
static char *header_source(const struct toolchain *tools)
{
	return xasprintf("%s/include/%s", tools->rocm, header_name);
}

static uint64_t request_of(const struct toolchain *tools, const struct compile_task *t)
{
	char *source = header_source(tools);
	uint64_t h = compiler_program_hash(hash_text(HASH_START, tools->version), tools->clang);
	h = clang_hash_arguments(tools, t, hash_text(h, source));
	free(source);
	return h;
}

/* `tail`: "files", "pch" */
static char *header_path(uint64_t key, const char *tail)
{
	char *name = xasprintf("headers/%016llx.%s", (unsigned long long)key, tail), *path = path_user_cache(name);
	free(name);
	return path;
}

static bool is_writable_folder(const char *name)
{
	char *folder = path_user_cache(name);
	bool ok = path_make_directories(folder, NULL) && !access(folder, W_OK);
	free(folder);
	return ok;
}

static bool find_kept(uint64_t request, struct precompiled_header *out)
{
	char *list = header_path(request, "files");
	bool known = kernel_inputs_load(&out->inputs, &nowhere, list);
	free(list);
	out->path = known ? header_path(kernel_inputs_hash(&out->inputs, request), "pch") : NULL;
	if (known && !access(out->path, R_OK))
		return true;
	precompiled_header_free(out);
	return false;
}

/* The list is written last: it leads to a complete file. */
static bool keep(uint64_t request, const char *file, struct precompiled_header *out)
{
	char *list = header_path(request, "files");
	out->path = header_path(kernel_inputs_hash(&out->inputs, request), "pch");
	bool ok = cache_copy_file(file, out->path) && kernel_inputs_keep(&out->inputs, list);
	free(list);
	return ok;
}

static bool make(const struct toolchain *tools, const struct compile_task *t, uint64_t request,
	struct precompiled_header *out, struct err *e)
{
	char *source = header_source(tools), *file = xasprintf("%s/header.pch", t->temporary),
	     *rule = xasprintf("%s/header.d", t->temporary);
	struct compile_task task = *t;
	task.rule = rule;
	long long start = kernel_inputs_now();
	int status = clang_precompile(tools, &task, source, file);
	bool ok = !status;
	if (ok) {
		kernel_inputs_add_rule(&out->inputs, &nowhere, source, rule);
		out->inputs.searched = include_search_hash(&out->inputs, &nowhere);
		ok = !out->inputs.incomplete && !kernel_inputs_changed_since(&out->inputs, start) &&
			keep(request, file, out);
	}
	if (!ok)
		precompiled_header_free(out);
	unlink(file);
	unlink(rule);
	free(source);
	free(file);
	free(rule);
	return status != CHILD_KILLED ||
		err_set(e, ST_FAILED, "the compiler was killed while compiling %s; possibly out of memory", t->source);
}

bool precompiled_header_find(
	const struct toolchain *tools, const struct compile_task *t, struct precompiled_header *out, struct err *e)
{
	struct stat st;
	*out = (struct precompiled_header){0};
	if (!may_use(t) || !is_writable_folder("headers"))
		return true;
	uint64_t request = request_of(tools, t);
	if (!find_kept(request, out) && !make(tools, t, request, out, e))
		return false;
	if (out->path && (stat(out->path, &st) || !st.st_size || !is_unchanged_by(&out->inputs, t)))
		precompiled_header_free(out);
	return true;
}

/* --- use --- */
bool precompiled_header_is_of_another(const struct precompiled_header *h, const struct kernel_inputs *read)
{
	for (int i = 0; i < read->count; i++) {
		const char *path = read->list[i].path;
		size_t n = strlen(path), tail = sizeof header_name - 1;
		if (n > tail && path[n - tail - 1] == '/' && !strcmp(path + n - tail, header_name) &&
			strcmp(path, h->inputs.list[0].path))
			return true;
	}
	return false;
}

static void print_nothing(FILE *out, const void *ctx)
{
	(void)out;
	(void)ctx;
}

void precompiled_header_refuse(struct precompiled_header *h)
{
	file_write_atomic(h->path, print_nothing, NULL, "", NULL);
	precompiled_header_free(h);
}

void precompiled_header_free(struct precompiled_header *h)
{
	free(h->path);
	kernel_inputs_free(&h->inputs);
	*h = (struct precompiled_header){0};
}

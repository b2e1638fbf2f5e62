/* Finds a prebuilt or cached code object for a kernel source, or compiles it. */
#include "kernels/compile/kernel_build.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/input_file.h"
#include "base/host/package_advice.h"
#include "base/host/fatal_signals.h"
#include "base/paths.h"
#include "base/host/temporary_folder.h"
#include "kernels/inspect/code_object.h"
#include "kernels/compile/cache_copy.h"
#include "kernels/compile/compiler.h"
#include "kernels/compile/compiler_environment.h"
#include "kernels/compile/cuda/cuda_compiler.h"
#include "kernels/compile/include_search.h"
#include "kernels/compile/kernel_files.h"
#include "kernels/compile/kernel_inputs.h"
#include "kernels/compile/parameter_types.h"
#include "kernels/compile/precompiled_header.h"
#include "kernels/compile/memfd_cache.h"
#include "softgpu/isa/isa_family.h"

enum { CACHE_VERSION = 4 /* raise when flags change */, DEFINES_MAX = 16, COMPILES_MAX = 3 };

/* The state of one call of kernel_build; several threads may call it. */
struct request {
	const struct kernel_source *s;
	const struct kernel_given *given; /* NULL: searched on this machine */
	const char *arch;
	char *source, *folder, *include, *base_arch, *stem;
	bool own;                       /* the user's file, not one of the project */
	char *defines[DEFINES_MAX + 1]; /* "NAME=VALUE", "-ffast-math" */
	struct compile_task task;
	/* A compiler that does not list the files it reads: hiprtc, or one of CUDA. NULL: clang. */
	bool (*compile)(const struct compile_task *t, const char *output, struct err *e);
	struct input_places places;
	struct kernel_inputs inputs; /* of the code object, once it is known */
	uint64_t request_key, object_key;
};

/* --- request --- */
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

static bool split_defines(struct request *r, struct err *e)
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

static bool request_open(struct request *r, struct err *e)
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

static void request_close(struct request *r)
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

/* --- the cache ---
 * A list "STEM-ARCH-REQUEST.files" names the files that the compiler read for a request: a source, its flags, a
 * compiler. With what these files contain now, the request is the key of "STEM-ARCH-KEY.co". */
static uint64_t hash_request(const struct request *r, const struct toolchain *tools, const char *compiler)
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
static char *cache_path(const struct request *r, uint64_t key, const char *tail)
{
	char *name = xasprintf("kernels/%s-%s-%016llx.%s", r->stem, r->base_arch, (unsigned long long)key, tail);
	char *path = path_user_cache(name);
	free(name);
	return path;
}

/* --- prebuilt code objects --- */
/* Only in the source tree: installed sources have the time of their installation. */
static bool edited_since(const struct request *r, const struct stat *object)
{
	return path_is_source_tree() &&
		kernel_inputs_changed_since(
			&r->inputs, (long long)object->st_mtim.tv_sec * 1000000000 + object->st_mtim.tv_nsec + 1);
}

/* "clang 15.0.6" from the .comment section; assembled objects have none. */
static void compiler_of(const char *path, char *out, size_t size)
{
	static const char mark[] = "clang version ";
	size_t n;
	struct code_object *o = code_object_open(path, NULL);
	snprintf(out, size, "prebuilt");
	if (!o)
		return;
	const char *data = code_object_bytes(o, &n), *at = memmem(data, n, mark, sizeof mark - 1);
	if (at) {
		at += sizeof mark - 1;
		size_t length = 0;
		while (at + length < data + n && (isdigit((unsigned char)at[length]) || at[length] == '.'))
			length++;
		snprintf(out, size, "prebuilt: clang %.*s", (int)length, at);
	}
	code_object_close(o);
}

/* NULL: none. The caller frees it. */
static char *find_prebuilt_path(struct request *r)
{
	struct stat st;
	if (r->own && path_has_suffix(r->source, ".co")) {
		kernel_inputs_scan(&r->inputs, &r->places, r->source);
		return xstrdup(r->source);
	}
	if (r->own || r->defines[0])
		return NULL;
	kernel_inputs_scan(&r->inputs, &r->places, r->source);
	if (r->given)
		return r->given->object ? xstrdup(r->given->object) : NULL;
	char *name = xasprintf("%s.co", r->stem);
	char *path = path_kernel_object(r->base_arch, name);
	free(name);
	if (!stat(path, &st) && !edited_since(r, &st))
		return path;
	free(path);
	return NULL;
}

static bool find_prebuilt(struct request *r, struct kernel_build *out)
{
	char *path = find_prebuilt_path(r);
	if (!path) {
		kernel_inputs_free(&r->inputs);
		return false;
	}
	out->path = path;
	out->from_cache = true;
	compiler_of(path, out->compiler, sizeof out->compiler);
	return true;
}

/* --- compile --- */
static bool is_code_object(const char *path)
{
	struct code_object *o = code_object_open(path, NULL);
	code_object_close(o);
	return o != NULL;
}

/* The folder of the current build, for kernel_build_cancel; NULL: none. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *temporary;

static void set_build_folder(const char *folder)
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

static void warn_not_cached(struct kernel_build *out, int why)
{
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

static bool keep_compiled(const char *file, struct kernel_build *out, struct err *e)
{
	if (cache_copy_file(file, out->path))
		return true;
	warn_not_cached(out, errno);
	return keep_unnamed(file, out, e);
}

static void scan_inputs(struct request *r)
{
	kernel_inputs_scan(&r->inputs, &r->places, r->source);
	if (!cuda_is_target(r->arch))
		return;
	char *prelude = cuda_find_prelude();
	kernel_inputs_scan(&r->inputs, &r->places, prelude);
	free(prelude);
}

/* After the compile, so that their contents are those that the compiler read, unless one changed since. */
static void find_inputs(
	struct request *r, const struct toolchain *tools, const char *rule, const struct precompiled_header *header)
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

static bool inputs_changed_since(const struct request *r, long long ns)
{
	return kernel_inputs_changed_since(&r->inputs, ns) || include_search_changed_since(&r->inputs, &r->places, ns);
}

/* Without the precompiled header if the source includes another one of this name. */
static bool compile_once(struct request *r, const struct toolchain *tools, const char *file,
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
static bool compile_unchanged(struct request *r, const struct toolchain *tools, const char *file, struct err *e)
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

/* Of a source that may include more than is known, each code object has a key of its own, and no list leads to it. */
static void set_object_path(struct request *r, const char *file, struct kernel_build *out)
{
	struct code_object *o = r->inputs.incomplete ? code_object_open(file, NULL) : NULL;
	uint64_t content = o ? code_object_hash(o) : 0;
	code_object_close(o);
	r->object_key = kernel_inputs_hash(&r->inputs, r->request_key);
	if (content)
		r->object_key = hash_bytes(r->object_key, &content, sizeof content);
	out->path = cache_path(r, r->object_key, "co");
}

/* The list is written last: it leads to a complete object. Without a writable cache it stays in this process. */
static void keep_list(const struct request *r)
{
	char *list = cache_path(r, r->request_key, "files"), *file = xasprintf("%s/kernel.files", r->task.temporary);
	if (!r->inputs.incomplete && !kernel_inputs_keep(&r->inputs, list) && kernel_inputs_keep(&r->inputs, file))
		free(memfd_cache_store(list, file));
	free(list);
	free(file);
}

/* Compiles in a folder of its own, where a killed process leaves its files, and copies the result to out->path. If that
 * is not writable, the file is kept in this process, and out->path changes. */
static bool compile_to_cache(struct request *r, const struct toolchain *tools, struct kernel_build *out, struct err *e)
{
	char *folder = temporary_folder_create(e), *file = folder ? xasprintf("%s/kernel.co", folder) : NULL;
	if (!folder)
		return false;
	r->task.temporary = folder;
	set_build_folder(folder);
	bool ok = compile_unchanged(r, tools, file, e);
	out->refused = !ok;
	if (ok) {
		set_object_path(r, file, out);
		ok = keep_compiled(file, out, e);
	}
	if (ok)
		keep_list(r);
	set_build_folder(NULL);
	temporary_folder_remove(folder);
	free(folder);
	free(file);
	return ok;
}

/* clang, if it can compile this source; NULL: another compiler has to. */
static const struct toolchain *find_compiler_for(const struct request *r)
{
	if (cuda_is_target(r->arch))
		return NULL;
	const struct toolchain *tools = toolchain_find();
	return (r->task.assembly ? tools->clang != NULL : toolchain_compiles_hip(tools)) ? tools : NULL;
}

static bool find_other_compiler(struct request *r, const char **version)
{
	bool cuda = cuda_is_target(r->arch);
	r->compile = cuda ? cuda_compile : hiprtc_compile;
	return cuda ? cuda_compiler_find(version) : !r->task.assembly && hiprtc_find(version);
}

static bool set_no_compiler(const struct request *r, struct err *e)
{
	if (cuda_is_target(r->arch))
		return err_set(e, ST_REQUEST, "no compiler of CUDA found, needed to compile %s for %s; %s", r->s->file,
			r->arch, cuda_compiler_advice());
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

/* The code object of an earlier compile, if all files are as they were. */
static bool find_cached(struct request *r, struct kernel_build *out)
{
	char *list = cache_path(r, r->request_key, "files"), *unnamed_list = memfd_cache_find(list);
	bool known = kernel_inputs_load(&r->inputs, &r->places, unnamed_list ? unnamed_list : list);
	free(list);
	free(unnamed_list);
	if (!known)
		return false;
	r->object_key = kernel_inputs_hash(&r->inputs, r->request_key);
	char *path = cache_path(r, r->object_key, "co"), *unnamed = memfd_cache_find(path);
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

/* The compiler would wait for a named pipe. */
static bool check_readable(struct request *r, struct err *e)
{
	kernel_inputs_free(&r->inputs);
	kernel_inputs_scan(&r->inputs, &r->places, r->source);
	return !r->inputs.unreadable ||
		err_set(e, ST_REQUEST, "cannot read the kernel source %s: %s", r->inputs.unreadable, r->inputs.why);
}

static bool find_or_compile(struct request *r, struct kernel_build *out, struct err *e)
{
	const struct toolchain *tools = find_compiler_for(r);
	const char *version = tools ? tools->version : NULL;
	if (!tools && !find_other_compiler(r, &version))
		return set_no_compiler(r, e);
	r->request_key = hash_request(r, tools, version);
	snprintf(out->compiler, sizeof out->compiler, "%s", version);
	return find_cached(r, out) || (check_readable(r, e) && compile_to_cache(r, tools, out, e));
}

/* Looks up the parameters in the cache, or asks the compiler (0.2 s). Without them, the code object has only the sizes
 * of the parameters. */
static void find_parameter_types(struct request *r, struct kernel_build *out)
{
	const struct toolchain *tools = find_compiler_for(r);
	if (!r->s->entry || !r->own || r->task.assembly || !tools)
		return;
	char *tail = xasprintf("%s.types", r->s->entry), *name = cache_path(r, r->object_key, tail);
	out->types = parameter_types_load(name);
	char *folder = out->types ? NULL : temporary_folder_create(NULL);
	if (folder) {
		r->task.temporary = folder;
		set_build_folder(folder);
		out->types = parameter_types_find(tools, &r->task, r->s->entry);
		set_build_folder(NULL);
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
	struct request r = {.s = s, .arch = arch};
	char *path = request_open(&r, NULL) ? find_prebuilt_path(&r) : NULL;
	request_close(&r);
	return path;
}

bool kernel_build(const struct kernel_source *s, const char *arch, struct kernel_build *out, struct err *e)
{
	return kernel_build_given(s, NULL, arch, out, e);
}

bool kernel_build_given(const struct kernel_source *s, const struct kernel_given *given, const char *arch,
	struct kernel_build *out, struct err *e)
{
	struct request r = {.s = s, .given = given, .arch = arch};
	*out = (struct kernel_build){0};
	bool ok = request_open(&r, e) && (find_prebuilt(&r, out) || find_or_compile(&r, out, e));
	if (ok) {
		find_parameter_types(&r, out);
		out->inputs = r.inputs;
		r.inputs = (struct kernel_inputs){0};
	}
	request_close(&r);
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

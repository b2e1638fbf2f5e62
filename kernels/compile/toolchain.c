/* Finds clang, its device libraries and the headers of HIP, in the order of toolchain.sh. */
#include "kernels/compile/toolchain.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/host/child_program.h"
#include "base/host/host_paths.h"
#include "kernels/compile/compiler_answers.h"

/* The compilers of the two Debian releases that the tests run on come first. */
static const int versions[] = {15, 17, 16, 18, 19, 20, 21, 22, 23};
enum { OLDEST = 15 };

static struct toolchain found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool folder_has_file(const char *folder, const char *file)
{
	char *path = xasprintf("%s/%s", folder, file);
	bool yes = !access(path, R_OK);
	free(path);
	return yes;
}

/* The folder of the program itself, of which `path` may be a link. */
static char *find_bin_folder(const char *path)
{
	char *file = realpath(path, NULL), *slash = file ? strrchr(file, '/') : NULL;
	if (slash)
		*slash = 0;
	return file;
}

/* --- device libraries --- */
/* The folder with the compiler's own files is named "17", up to 15 "15.0.6". */
static void list_resource_folders(struct text_list *l, const char *prefix, int major)
{
	char *patterns[] = {xasprintf("%s/lib/clang/%d", prefix, major), xasprintf("%s/lib/clang/%d.*", prefix, major),
		xasprintf("%s/lib64/clang/%d", prefix, major)};
	struct text_list folders = {0};
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		host_list_newest(&folders, patterns[i]);
		free(patterns[i]);
	}
	for (size_t i = 0; i < folders.count; i++) {
		text_list_add(l, xasprintf("%s/amdgcn/bitcode", folders.items[i]));
		text_list_add(l, xasprintf("%s/lib/amdgcn/bitcode", folders.items[i]));
	}
	text_list_free(&folders);
}

static void list_own_folders(struct text_list *l, const struct toolchain *t)
{
	char *bin = find_bin_folder(t->clang);
	char *prefixes[] = {xasprintf("%s/usr/lib/llvm-%d", host_root(), t->major), xasprintf("%s/..", bin ? bin : ""),
		host_path("/usr")};
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
		list_resource_folders(l, prefixes[i], t->major);
		free(prefixes[i]);
	}
	text_list_add(l, xasprintf("%s/../../amdgcn/bitcode", bin ? bin : ""));
	text_list_add(l, xasprintf("%s/../../../amdgcn/bitcode", bin ? bin : ""));
	free(bin);
}

static void list_shared_folders(struct text_list *l)
{
	static const char *const folders[] = {"lib/x86_64-linux-gnu", "lib64", "lib", "share", "."};
	struct text_list rocm = {0};
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		text_list_add(l, xasprintf("%s/usr/%s/amdgcn/bitcode", host_root(), folders[i]));
	host_list_rocm(&rocm);
	for (size_t i = 0; i < rocm.count; i++)
		text_list_add(l, xasprintf("%s/amdgcn/bitcode", rocm.items[i]));
	text_list_free(&rocm);
}

/* Bitcode of a newer LLVM is unreadable. */
static bool reads_bitcode(const struct toolchain *t, const char *folder)
{
	char *file = xasprintf("%s/ockl.bc", folder);
	char *argv[] = {t->clang, "-x", "ir", "-target", "amdgcn-amd-amdhsa", "-nogpulib", "-emit-llvm", "-c", "-o",
		"/dev/null", file, NULL};
	bool ok = !access(file, R_OK) && compiler_ask(argv, file, NULL);
	free(file);
	return ok;
}

static char *find_bitcode(const struct toolchain *t)
{
	struct text_list folders = {0};
	char *bitcode = NULL;
	list_own_folders(&folders, t);
	list_shared_folders(&folders);
	for (size_t i = 0; !bitcode && i < folders.count; i++)
		if (reads_bitcode(t, folders.items[i]))
			bitcode = realpath(folders.items[i], NULL);
	text_list_free(&folders);
	return bitcode;
}

/* --- clang --- */
/* Takes `path`. False if it does not run or is too old. */
static bool try_compiler(struct toolchain *t, char *path)
{
	struct buf log = {0};
	char *argv[] = {path, "--version", NULL};
	const char *at = path && compiler_ask(argv, NULL, &log) && log.data ? strstr(log.data, "clang version ") : NULL;
	if (at) {
		at += strlen("clang version ");
		t->major = atoi(at);
		snprintf(t->version, sizeof t->version, "clang %.*s", (int)strcspn(at, " \n"), at);
	}
	buf_free(&log);
	bool ok = at && t->major >= OLDEST;
	if (ok)
		t->clang = path;
	else
		free(path);
	return ok;
}

static bool find_version(struct toolchain *t, int version)
{
	char name[16];
	snprintf(name, sizeof name, "clang-%d", version);
	return try_compiler(t, host_find_program(name));
}

static bool find_rocm_clang(struct toolchain *t)
{
	static const char *const places[] = {"llvm/bin/clang", "lib/llvm/bin/clang"};
	struct text_list folders = {0};
	char *path = NULL;
	host_list_rocm(&folders);
	text_list_add(&folders, host_path("/usr/lib64/rocm"));
	text_list_add(&folders, host_path("/usr/lib/rocm"));
	for (size_t i = 0; !path && i < 2 * folders.count; i++) {
		char *file = xasprintf("%s/%s", folders.items[i / 2], places[i % 2]);
		path = host_find_program(file);
		free(file);
	}
	text_list_free(&folders);
	return try_compiler(t, path ? path : host_find_program("amdclang"));
}

static void toolchain_free(struct toolchain *t)
{
	free(t->clang);
	free(t->bitcode);
	*t = (struct toolchain){0};
}

/* Takes `t`. Keeps it if it has device libraries or is the first; then true if it has them. */
static bool keep_better(struct toolchain *t)
{
	t->bitcode = find_bitcode(t);
	bool complete = t->bitcode;
	if (complete || !found.clang) {
		toolchain_free(&found);
		found = *t;
	} else {
		toolchain_free(t);
	}
	return complete;
}

/* Distributions without numbered names have one clang. */
static bool find_compiler(void)
{
	struct toolchain plain = {0}, t;
	bool tried = false, complete = false;
	for (size_t i = 0; !complete && i < sizeof versions / sizeof *versions; i++) {
		t = (struct toolchain){0};
		bool there = find_version(&t, versions[i]);
		if (!there && !tried)
			try_compiler(&plain, host_find_program("clang"));
		tried |= !there;
		if (!there && plain.clang && plain.major == versions[i]) {
			there = true;
			t = plain;
			plain = (struct toolchain){0};
		}
		complete = there && keep_better(&t);
	}
	toolchain_free(&plain);
	t = (struct toolchain){0};
	return complete || (find_rocm_clang(&t) && keep_better(&t));
}

/* --- the headers of HIP --- */
static char *find_headers(const struct toolchain *t)
{
	struct text_list folders = {0};
	char *rocm = NULL, *own = host_path("/opt/rocm");
	if (t->clang && !strncmp(t->clang, own, strlen(own))) {
		char *end = strstr(t->clang, "/lib/llvm/bin/");
		end = end ? end : strstr(t->clang, "/llvm/bin/");
		text_list_add(&folders, xasprintf("%.*s", end ? (int)(end - t->clang) : 0, t->clang));
	}
	text_list_add(&folders, host_path("/usr"));
	host_list_rocm(&folders);
	for (size_t i = 0; !rocm && i < folders.count; i++)
		if (folder_has_file(folders.items[i], "include/hip/hip_version.h"))
			rocm = xstrdup(folders.items[i]);
	text_list_free(&folders);
	free(own);
	return rocm;
}

static void find_once(void)
{
	const char *chosen = getenv("WAVEDECK_CLANG");
	if (!chosen || !*chosen)
		find_compiler();
	else if (try_compiler(&found, host_find_program(chosen)))
		found.bitcode = find_bitcode(&found);
	found.rocm = find_headers(&found);
}

const struct toolchain *toolchain_find(void)
{
	pthread_once(&once, find_once);
	return &found;
}

bool toolchain_compiles_hip(const struct toolchain *t)
{
	return t->clang && t->bitcode && t->rocm;
}

/* --- lld --- */
char *toolchain_find_linker(const struct toolchain *t, char *version, size_t size)
{
	struct buf log = {0};
	char *argv[] = {t->clang, "-print-prog-name=lld", NULL}, *path = NULL;
	if (t->clang && child_succeeds(argv, &log) && log.data) {
		log.data[strcspn(log.data, "\n")] = 0;
		path = host_find_program(log.data);
	}
	buf_free(&log);
	char *ask[] = {path, "-flavor", "gnu", "--version", NULL};
	const char *at = path && child_succeeds(ask, &log) && log.data ? strstr(log.data, "LLD ") : NULL;
	snprintf(version, size, "%.*s", at ? (int)strcspn(at + 4, " \n") : 0, at ? at + 4 : "");
	buf_free(&log);
	return path;
}

char *toolchain_find_tool(const struct toolchain *t, const char *name)
{
	char *bin = t->clang ? find_bin_folder(t->clang) : NULL, *path = bin ? xasprintf("%s/%s", bin, name) : NULL;
	char *found_path = path ? host_find_program(path) : NULL;
	free(path);
	free(bin);
	return found_path;
}

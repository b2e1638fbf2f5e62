/* hiprtc, the run-time compiler of ROCm, for machines without clang. Up to ROCm 6 it is part of libamdhip64, from ROCm
 * 7 on a separate library with the same interface. */
#include "kernels/compile/compiler.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/elf/offload_bundle.h"
#include "base/input_file.h"
#include "kernels/compile/kernel_build.h"
#include "base/host/package_advice.h"
#include "base/host/shared_library.h"

static struct {
	pthread_once_t once;
	bool found;
	char version[32];
	int (*Version)(int *major, int *minor);
	int (*CreateProgram)(void **program, const char *source, const char *name, int headers, const char **texts,
		const char **names);
	int (*DestroyProgram)(void **program);
	int (*CompileProgram)(void *program, int options, const char **list);
	int (*GetProgramLogSize)(void *program, size_t *size);
	int (*GetProgramLog)(void *program, char *log);
	int (*GetCodeSize)(void *program, size_t *size);
	int (*GetCode)(void *program, char *code);
} rtc = {.once = PTHREAD_ONCE_INIT};

static bool load_from(const struct shared_library *library)
{
	char why[200];
	void *l = shared_library_open(library, RTLD_NOW | RTLD_LOCAL, why, sizeof why);
	if (!l)
		return false;
#define FUNCTION(name) (*(void **)&rtc.name = dlsym(l, "hiprtc" #name))
	bool all = FUNCTION(Version) && FUNCTION(CreateProgram) && FUNCTION(DestroyProgram) &&
		FUNCTION(CompileProgram) && FUNCTION(GetProgramLogSize) && FUNCTION(GetProgramLog) &&
		FUNCTION(GetCodeSize) && FUNCTION(GetCode);
#undef FUNCTION
	if (!all)
		dlclose(l);
	return all;
}

static void load_once(void)
{
	static const struct shared_library libraries[] = {
		{"libhiprtc.so", "7 6", "hiprtcGetCode"}, {"libamdhip64.so", "6 5", "hiprtcGetCode"}};
	int major = 0, minor = 0;
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries && !rtc.found; i++)
		rtc.found = load_from(&libraries[i]);
	if (!rtc.found)
		return;
	rtc.Version(&major, &minor);
	snprintf(rtc.version, sizeof rtc.version, "hiprtc %d.%d", major, minor);
}

bool hiprtc_find(const char **version)
{
	pthread_once(&rtc.once, load_once);
	*version = rtc.version;
	return rtc.found;
}

static char *read_whole_source(const char *path)
{
	struct buf text = {0};
	const char *why;
	buf_add(&text, "", 0);
	if (input_file_read(path, KERNEL_SOURCE_MAX, &text, &why))
		return text.data;
	buf_free(&text);
	return NULL;
}

static bool set_hiprtc_error(void *program, struct err *e)
{
	size_t size = 0;
	char *log = NULL;
	if (program && !rtc.GetProgramLogSize(program, &size) && size) {
		log = xcalloc(size + 1, 1);
		rtc.GetProgramLog(program, log);
	}
	char command[160], fallback[240];
	package_install_command("compiler linker", 0, command, sizeof command);
	snprintf(fallback, sizeof fallback, "hiprtc failed without a message; install clang to see the error: %s",
		command);
	compiler_set_error(log, fallback, e);
	free(log);
	return false;
}

/* The device code, which is in a bundle or alone. NULL if not found. */
static const char *find_device_code(const char *code, size_t *size)
{
	struct offload_cursor at = {0};
	struct offload_entry entry;
	if (offload_format_of(code, *size) != OFFLOAD_BUNDLE)
		return code;
	while (offload_next_entry(code, *size, &at, &entry))
		if (*offload_target_of(&entry)) {
			*size = entry.size;
			return (const char *)entry.code;
		}
	return NULL;
}

static bool write_code(void *program, const char *output, struct err *e)
{
	size_t size = 0;
	if (rtc.GetCodeSize(program, &size) || !size)
		return set_hiprtc_error(program, e);
	char *all = xmalloc(size);
	bool ok = !rtc.GetCode(program, all);
	const char *code = ok ? find_device_code(all, &size) : NULL;
	FILE *f = code ? fopen(output, "we") : NULL;
	ok = f && fwrite(code, 1, size, f) == size;
	if (f && fclose(f))
		ok = false;
	free(all);
	return ok || err_set(e, ST_FAILED, "cannot write %s", output);
}

bool hiprtc_compile(const struct compile_task *t, const char *output, struct err *e)
{
	char *text = read_whole_source(t->source), *options[COMPILE_ARGS_MAX];
	int count = 0;
	void *program = NULL;
	if (!text)
		return err_set(e, ST_REQUEST, "cannot read %s", t->source);
	options[count++] = xasprintf("--offload-arch=%s", t->arch);
	options[count++] = xstrdup("-O3");
	options[count++] = xstrdup("--gpu-max-threads-per-block=1024");
	options[count++] = xstrdup("-gline-tables-only"); /* as in clang.c */
	options[count++] = xasprintf("-I%s", t->folder);
	options[count++] = xasprintf("-I%s", t->include);
	for (char *const *d = t->defines; *d && count < COMPILE_ARGS_MAX; d++)
		options[count++] = xasprintf(**d == '-' ? "%s" : "-D%s", *d);
	bool ok = !rtc.CreateProgram(&program, text, t->source, 0, NULL, NULL);
	ok = ok && !rtc.CompileProgram(program, count, (const char **)options) ? write_code(program, output, e)
									       : set_hiprtc_error(program, e);
	if (program)
		rtc.DestroyProgram(&program);
	for (int i = 0; i < count; i++)
		free(options[i]);
	free(text);
	return ok;
}

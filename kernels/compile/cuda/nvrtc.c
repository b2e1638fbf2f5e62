/* nvrtc, CUDA's compiler as a library. Functions and options: NVRTC's documentation. */
#include "kernels/compile/cuda/cuda_compiler.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/host/shared_library.h"
#include "base/input_file.h"
#include "kernels/compile/kernel_build.h"

enum { TARGETS_MAX = 64 };

typedef void *nvrtc_program;
static struct {
	pthread_once_t once;
	bool found;
	char version[32];
	int (*read_version)(int *major, int *minor);
	int (*count_targets)(int *count);
	int (*list_targets)(int *list);
	int (*create)(nvrtc_program *p, const char *source, const char *name, int headers, const char *const *texts,
		const char *const *names);
	int (*destroy)(nvrtc_program *p);
	int (*compile)(nvrtc_program p, int options, const char *const *list);
	int (*log_size)(nvrtc_program p, size_t *size);
	int (*log)(nvrtc_program p, char *text);
	int (*ptx_size)(nvrtc_program p, size_t *size);
	int (*ptx)(nvrtc_program p, char *text);
} rtc = {.once = PTHREAD_ONCE_INIT};

static bool resolve_nvrtc(void *library)
{
	static const struct library_function functions[] = {
		{"nvrtcVersion", &rtc.read_version},
		{"nvrtcGetNumSupportedArchs", &rtc.count_targets},
		{"nvrtcGetSupportedArchs", &rtc.list_targets},
		{"nvrtcCreateProgram", &rtc.create},
		{"nvrtcDestroyProgram", &rtc.destroy},
		{"nvrtcCompileProgram", &rtc.compile},
		{"nvrtcGetProgramLogSize", &rtc.log_size},
		{"nvrtcGetProgramLog", &rtc.log},
		{"nvrtcGetPTXSize", &rtc.ptx_size},
		{"nvrtcGetPTX", &rtc.ptx},
	};
	return !shared_library_find(library, functions, sizeof functions / sizeof *functions);
}

/* Some installations have only the library with another memory allocator, "alt". */
static void load_nvrtc(void)
{
	static const struct shared_library names[] = {
		{"libnvrtc.so", "13 12 11.2", "nvrtcGetSupportedArchs"},
		{"libnvrtc.alt.so", "13 12", "nvrtcGetSupportedArchs"},
	};
	char why[200];
	int major = 0, minor = 0;
	for (size_t i = 0; i < sizeof names / sizeof *names && !rtc.found; i++) {
		void *library = shared_library_open(&names[i], RTLD_NOW | RTLD_LOCAL, why, sizeof why);
		rtc.found = library && resolve_nvrtc(library);
	}
	if (!rtc.found || rtc.read_version(&major, &minor))
		return;
	snprintf(rtc.version, sizeof rtc.version, "nvrtc %d.%d", major, minor);
}

bool nvrtc_find(const char **version)
{
	pthread_once(&rtc.once, load_nvrtc);
	*version = rtc.version;
	return rtc.found;
}

/* The newest target that this library knows and that is not newer than `arch`: a driver takes PTX of older ones. */
static int choose_target(const char *arch)
{
	int wanted = atoi(arch + strcspn(arch, "0123456789")), list[TARGETS_MAX], count = 0, best = 0;
	if (rtc.count_targets(&count) || count > TARGETS_MAX || rtc.list_targets(list))
		return wanted;
	for (int i = 0; i < count; i++)
		if (list[i] <= wanted && list[i] > best)
			best = list[i];
	return best ? best : wanted;
}

/* The source, behind what it finds of HIP. NULL: it cannot be read. */
static char *read_with_prelude(const char *path)
{
	struct buf text = {0};
	const char *why;
	char *prelude = cuda_find_prelude();
	buf_printf(&text, "#include \"%s\"\n#line 1 \"%s\"\n", prelude, path);
	free(prelude);
	if (input_file_read(path, KERNEL_SOURCE_MAX, &text, &why))
		return text.data;
	buf_free(&text);
	return NULL;
}

static int list_options(const struct compile_task *t, char **out)
{
	int n = 0;
	out[n++] = xasprintf("--gpu-architecture=compute_%d", choose_target(t->arch));
	out[n++] = xstrdup("-D__HIPCC_RTC__");
	out[n++] = xstrdup("--std=c++17");
	out[n++] = xstrdup("--generate-line-info");
	out[n++] = xstrdup("--disable-warnings");
	out[n++] = xasprintf("--include-path=%s", t->folder);
	out[n++] = xasprintf("--include-path=%s", t->include);
	char *headers = cuda_find_headers();
	out[n++] = xasprintf("--include-path=%s", headers);
	free(headers);
	for (char *const *d = t->defines; *d && n < COMPILE_ARGS_MAX; d++) {
		const char *flag = **d == '-' ? cuda_translate_flag(*d) : NULL;
		if (**d != '-' || flag)
			out[n++] = flag ? xstrdup(flag) : xasprintf("-D%s", *d);
	}
	return n;
}

static bool set_nvrtc_error(nvrtc_program program, struct err *e)
{
	size_t size = 0;
	char *log = NULL;
	if (program && !rtc.log_size(program, &size) && size) {
		log = xcalloc(size + 1, 1);
		rtc.log(program, log);
	}
	compiler_set_error(log, "nvrtc failed without a message; compile the kernel with nvcc to see it", e);
	free(log);
	return false;
}

static bool write_ptx(nvrtc_program program, const char *output, struct err *e)
{
	size_t size = 0;
	if (rtc.ptx_size(program, &size) || !size)
		return set_nvrtc_error(program, e);
	char *text = xmalloc(size); /* with its NUL */
	FILE *f = rtc.ptx(program, text) ? NULL : fopen(output, "we");
	bool ok = f && fwrite(text, 1, size - 1, f) == size - 1;
	if (f && fclose(f))
		ok = false;
	free(text);
	return ok || err_set(e, ST_FAILED, "cannot write %s", output);
}

bool nvrtc_compile(const struct compile_task *t, const char *output, struct err *e)
{
	char *text = read_with_prelude(t->source), *options[COMPILE_ARGS_MAX];
	nvrtc_program program = NULL;
	if (!text)
		return err_set(e, ST_REQUEST, "cannot read %s", t->source);
	int count = list_options(t, options);
	bool ok = !rtc.create(&program, text, t->source, 0, NULL, NULL) &&
		!rtc.compile(program, count, (const char *const *)options);
	ok = ok ? write_ptx(program, output, e) : set_nvrtc_error(program, e);
	if (program)
		rtc.destroy(&program);
	for (int i = 0; i < count; i++)
		free(options[i]);
	free(text);
	return ok;
}

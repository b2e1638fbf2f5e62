/* nvcc in a child process, which can be canceled. Options: NVIDIA CUDA Compiler Driver. */
#include "kernels/compile/cuda/cuda_compiler.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host/child_program.h"
#include "base/host/host_paths.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char *program, version[32];

/* "Cuda compilation tools, release 13.0, V13.0.88" */
static void find_nvcc_once(void)
{
	char *toolkit = host_path("/usr/local/cuda/bin/nvcc");
	program = host_find_program("nvcc");
	program = program ? program : host_find_program(toolkit);
	free(toolkit);
	struct buf text = {0};
	char *ask[] = {program, "--version", NULL};
	const char *at = program && child_succeeds(ask, &text) && text.data ? strstr(text.data, ", V") : NULL;
	snprintf(version, sizeof version, "nvcc %.*s", at ? (int)strcspn(at + 3, "\n") : 0, at ? at + 3 : "");
	buf_free(&text);
	if (!at) {
		free(program);
		program = NULL;
	}
}

bool nvcc_find(const char **out)
{
	pthread_once(&once, find_nvcc_once);
	*out = version;
	return program;
}

bool nvcc_compile(const struct compile_task *t, const char *output, struct err *e)
{
	char *argv[COMPILE_ARGS_MAX + 1] = {0};
	int n = 0;
	argv[n++] = xstrdup(program);
	argv[n++] = xstrdup("--ptx");
	argv[n++] = xstrdup("--x=cu");
	argv[n++] = xasprintf("--gpu-architecture=compute_%s", t->arch + strcspn(t->arch, "0123456789"));
	char *prelude = cuda_find_prelude();
	argv[n++] = xasprintf("--pre-include=%s", prelude);
	free(prelude);
	argv[n++] = xstrdup("-D__HIPCC_RTC__");
	argv[n++] = xstrdup("--std=c++17");
	argv[n++] = xstrdup("--generate-line-info");
	argv[n++] = xstrdup("--disable-warnings");
	argv[n++] = xasprintf("--include-path=%s", t->folder);
	argv[n++] = xasprintf("--include-path=%s", t->include);
	char *headers = cuda_find_headers();
	argv[n++] = xasprintf("--include-path=%s", headers);
	free(headers);
	for (char *const *d = t->defines; *d && n < COMPILE_ARGS_MAX - 4; d++) {
		const char *flag = **d == '-' ? cuda_translate_flag(*d) : NULL;
		if (**d != '-' || flag)
			argv[n++] = flag ? xstrdup(flag) : xasprintf("-D%s", *d);
	}
	argv[n++] = xstrdup("--output-file");
	argv[n++] = xstrdup(output);
	argv[n++] = xstrdup(t->source);
	bool ok = cuda_run_compiler(t, argv, e);
	for (int i = 0; i < n; i++)
		free(argv[i]);
	return ok;
}

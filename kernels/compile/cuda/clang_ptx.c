/* clang in a child process, without the CUDA toolkit: for machines that have only the driver. */
#include "kernels/compile/cuda/cuda_compiler.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host/child_program.h"
#include "base/min_max.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool makes_ptx;

/* Some builds of clang leave the target out. */
static void ask_clang_once(void)
{
	struct buf text = {0};
	char *ask[] = {toolchain_find()->clang, "--print-targets", NULL};
	makes_ptx = *ask && child_succeeds(ask, &text) && text.data && strstr(text.data, "nvptx64");
	buf_free(&text);
}

bool clang_ptx_find(const char **version)
{
	pthread_once(&once, ask_clang_once);
	*version = toolchain_find()->version;
	return makes_ptx;
}

/* The newest target that both clang and the GPU know, and the PTX that it needs: a driver takes PTX of older targets.
 * NVPTX.td of LLVM. */
static void add_target(const struct compile_task *t, char **argv, int *n)
{
	bool knows_90 = toolchain_find()->major >= 16;
	int target = (int)min_u64(knows_90 ? 90 : 86, strtoul(t->arch + strcspn(t->arch, "0123456789"), NULL, 10));
	argv[(*n)++] = xasprintf("--cuda-gpu-arch=sm_%d", target);
	argv[(*n)++] = xstrdup("-Xclang");
	argv[(*n)++] = xstrdup("-target-feature");
	argv[(*n)++] = xstrdup("-Xclang");
	argv[(*n)++] = xstrdup(knows_90 ? "+ptx78" : "+ptx75");
}

static int list_arguments(const struct compile_task *t, const char *output, char **argv)
{
	static const char *const fixed[] = {"-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-nostdinc",
		"-S", "-O3", "-std=c++17", "-w", "-gline-tables-only", "-fms-extensions", "-D__HIPCC_RTC__",
		"-fno-crash-diagnostics"};
	int n = 0;
	argv[n++] = xstrdup(toolchain_find()->clang);
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		argv[n++] = xstrdup(fixed[i]);
	add_target(t, argv, &n);
	argv[n++] = xstrdup("-include");
	argv[n++] = cuda_find_prelude();
	argv[n++] = xasprintf("-I%s", t->folder);
	argv[n++] = xasprintf("-I%s", t->include);
	char *headers = cuda_find_headers();
	argv[n++] = xasprintf("-I%s", headers);
	free(headers);
	for (char *const *d = t->defines; *d && n < COMPILE_ARGS_MAX - 3; d++)
		if (**d != '-' || !strcmp(*d, "-ffast-math"))
			argv[n++] = xasprintf(**d == '-' ? "%s" : "-D%s", *d);
	argv[n++] = xstrdup("-o");
	argv[n++] = xstrdup(output);
	argv[n++] = xstrdup(t->source);
	return n;
}

bool clang_ptx_compile(const struct compile_task *t, const char *output, struct err *e)
{
	char *argv[COMPILE_ARGS_MAX + 1] = {0};
	int n = list_arguments(t, output, argv);
	bool ok = cuda_run_compiler(t, argv, e);
	for (int i = 0; i < n; i++)
		free(argv[i]);
	return ok;
}

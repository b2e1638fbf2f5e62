/* Chooses a compiler for NVIDIA targets. */
#include "kernels/compile/cuda/cuda_compiler.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/host/child_program.h"
#include "base/paths.h"

static const struct cuda_compiler {
	const char *name;
	bool (*find)(const char **version);
	bool (*compile)(const struct compile_task *t, const char *output, struct err *e);
} compilers[] = {
	{"nvrtc", nvrtc_find, nvrtc_compile},
	{"nvcc", nvcc_find, nvcc_compile},
	{"clang", clang_ptx_find, clang_ptx_compile},
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const struct cuda_compiler *chosen;
static const char *chosen_version;

bool cuda_is_target(const char *arch)
{
	return !strncmp(arch, "sm", 2);
}

char *cuda_find_prelude(void)
{
	return path_kernels("hip_on_cuda.inc");
}

char *cuda_find_headers(void)
{
	return path_kernels("on_cuda");
}

/* NULL: the first that is found. */
static const char *wanted_compiler(void)
{
	const char *name = getenv("WAVEDECK_CUDA_COMPILER");
	return name && *name ? name : NULL;
}

static void choose_once(void)
{
	const char *wanted = wanted_compiler();
	for (size_t i = 0; i < sizeof compilers / sizeof *compilers && !chosen; i++)
		if ((!wanted || !strcmp(wanted, compilers[i].name)) && compilers[i].find(&chosen_version))
			chosen = &compilers[i];
}

bool cuda_compiler_find(const char **version)
{
	pthread_once(&once, choose_once);
	*version = chosen_version;
	return chosen;
}

bool cuda_compile(const struct compile_task *t, const char *output, struct err *e)
{
	const char *unused;
	return cuda_compiler_find(&unused) ? chosen->compile(t, output, e)
					   : cuda_set_no_compiler(path_basename(t->source), t->arch, e);
}

static bool is_compiler(const char *name)
{
	for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++)
		if (!strcmp(name, compilers[i].name))
			return true;
	return false;
}

bool cuda_set_no_compiler(const char *file, const char *arch, struct err *e)
{
	const char *wanted = wanted_compiler();
	if (!wanted)
		return err_set(e, ST_REQUEST,
			"no compiler of CUDA found, needed to compile %s for %s; install nvrtc or nvcc of the CUDA toolkit, or clang",
			file, arch);
	if (!is_compiler(wanted))
		return err_set(e, ST_REQUEST,
			"WAVEDECK_CUDA_COMPILER is '%.60s', not a compiler of CUDA; set it to nvrtc, nvcc or clang",
			wanted);
	return err_set(e, ST_REQUEST,
		"%s not found, which WAVEDECK_CUDA_COMPILER names, needed to compile %s for %s; install it, or unset that",
		wanted, file, arch);
}

bool cuda_run_compiler(const struct compile_task *t, char *const *argv, struct err *e)
{
	struct buf log = {0};
	int status = child_run(argv, t->temporary, t->temporary ? clang_note_running : NULL, &log);
	if (status == CHILD_KILLED)
		err_set(e, ST_FAILED, "%s was killed while compiling %s; possibly out of memory",
			path_basename(argv[0]), t->source);
	else if (status < 0)
		err_set(e, ST_FAILED, "cannot run %s: %s", argv[0], strerror(errno));
	else if (status)
		compiler_set_error(log.data, "the compiler failed without a message", e);
	buf_free(&log);
	return !status;
}

const char *cuda_translate_flag(const char *flag)
{
	static const struct {
		const char *clang, *cuda;
	} flags[] = {
		{"-ffast-math", "--use_fast_math"},
		{"-fgpu-flush-denormals-to-zero", "--ftz=true"},
		{"-fno-hip-fp32-correctly-rounded-divide-sqrt", "--prec-div=false"},
	};
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (!strcmp(flag, flags[i].clang))
			return flags[i].cuda;
	return NULL;
}

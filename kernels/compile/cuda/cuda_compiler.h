/* The compilers of CUDA, for targets of NVIDIA ("sm_90"): nvrtc in this process, nvcc or clang in a child process. They
 * make PTX, a text that the driver compiles for its GPU when it loads it, and keeps in a cache of its own. */
#ifndef KERNELS_COMPILE_CUDA_CUDA_COMPILER_H
#define KERNELS_COMPILE_CUDA_CUDA_COMPILER_H

#include <stdbool.h>

#include "kernels/compile/compiler.h"

/* The file with what a source finds of HIP. It is of this program, also for sources from another machine. The caller
 * frees the path. */
char *cuda_find_prelude(void);
/* The folder with hip/hip_runtime.h, for sources that include it all the same; searched last. The caller frees it. */
char *cuda_find_headers(void);
bool cuda_is_target(const char *arch); /* "sm_90" */
/* The first compiler that is on this machine; $WAVEDECK_CUDA_COMPILER names another. *version: "nvrtc 13.0". */
bool cuda_compiler_find(const char **version);
/* Writes PTX. False with the first error line of the compiler. */
bool cuda_compile(const struct compile_task *t, const char *output, struct err *e);
/* Sets the error that none is found, or not the one that $WAVEDECK_CUDA_COMPILER names. Returns false. */
bool cuda_set_no_compiler(const char *file, const char *arch, struct err *e);

/* --- each compiler --- */
bool nvrtc_find(const char **version);
bool nvrtc_compile(const struct compile_task *t, const char *output, struct err *e);
bool nvcc_find(const char **version);
bool nvcc_compile(const struct compile_task *t, const char *output, struct err *e);
bool clang_ptx_find(const char **version);
bool clang_ptx_compile(const struct compile_task *t, const char *output, struct err *e);
/* Runs a compiler in a child process, which can be canceled; argv ends with NULL. */
bool cuda_run_compiler(const struct compile_task *t, char *const *argv, struct err *e);
/* A flag of CUDA's compilers for one that kernel_flag_is_allowed allows; NULL: none is needed. */
const char *cuda_translate_flag(const char *flag);

#endif

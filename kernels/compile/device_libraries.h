/* The device libraries for a target. Those of Debian 12 (ROCm 5.2) are older than gfx11, which its clang compiles for.
 * What they have for each target is one number, the version of its instruction set. */
#ifndef KERNELS_COMPILE_DEVICE_LIBRARIES_H
#define KERNELS_COMPILE_DEVICE_LIBRARIES_H

#include "kernels/compile/toolchain.h"

/* The folder to compile for `arch` with: that of `tools`, or links to its files and the number that it lacks, made
 * below `temporary`. The caller frees it. */
char *device_libraries_folder(const struct toolchain *tools, const char *arch, const char *temporary);

#endif

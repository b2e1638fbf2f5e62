/* What the files of captured launches say, as libsoftgpu.so reads them. Opens no device. */
#ifndef GPU_SOFTGPU_LINK_CAPTURED_FILE_H
#define GPU_SOFTGPU_LINK_CAPTURED_FILE_H

#include "base/err.h"
#include "softgpu/probe.h"

/* False with an error in one line, which names the file. */
bool captured_file_read(const char *file, struct softgpu_captured *out, struct err *e);
/* Loads the library, before a fork for example. The other functions do it as well. */
bool captured_file_load_library(struct err *e);
/* Runs it as captured, in this process, which must have loaded the library. False with the difference. `stall`: the
 * reason for most of its cycles, "L2", with its share; "" if it takes so long that it was not profiled. */
struct captured_stall {
	char name[32];
	double share;
};
bool captured_file_replay(const char *file, struct captured_stall *stall, char *why, size_t size);

#endif

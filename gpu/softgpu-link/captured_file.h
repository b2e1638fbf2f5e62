/* What the files of captured launches say, as libsoftgpu.so reads them. Opens no device. */
#ifndef GPU_SOFTGPU_LINK_CAPTURED_FILE_H
#define GPU_SOFTGPU_LINK_CAPTURED_FILE_H

#include "base/err.h"
#include "softgpu/probe.h"

/* False with an error in one line, which names the file. */
bool captured_file_read(const char *file, struct softgpu_captured *out, struct err *e);
/* Loads the library, before a fork for example. The other functions do it as well. */
bool captured_file_load_library(struct err *e);
/* Runs it as captured, in this process, which must have loaded the library. False with the difference. */
bool captured_file_replay(const char *file, char *why, size_t size);

#endif

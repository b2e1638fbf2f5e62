/* Which launches are kept, and their files. The environment asks for it:
 *   SOFTGPU_CAPTURE           the folder; without it nothing is kept
 *   SOFTGPU_CAPTURE_KERNEL    a regular expression (POSIX, extended) for names of kernels, as in the source or as
 * symbols SOFTGPU_CAPTURE_LAUNCHES  numbers of launches of the process, from 0: "3,7-9" SOFTGPU_CAPTURE_SLOWEST   as
 * many, those that took the most cycles Without the last two: of each kernel, the launch that took the most cycles.
 * Device thread, under the device lock. */
#ifndef SOFTGPU_DRIVER_CAPTURE_KEPT_LAUNCHES_H
#define SOFTGPU_DRIVER_CAPTURE_KEPT_LAUNCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/capture/captured_launch.h"

const char *kept_launches_folder(void); /* NULL: nothing is kept. Any thread */
/* Before the launch: whether it may be kept. */
bool kept_launches_want(const char *kernel, uint64_t number);
/* After it: writes its file, in place of that of a faster launch where only the slowest are kept. Sets c->code, from
 * the code object at [code_at, code_at + code_bytes). */
void kept_launches_add(struct captured_launch *c, uint64_t code_at, uint64_t code_bytes);

#endif

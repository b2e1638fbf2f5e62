/* What determines the results of a software GPU besides the job: two workers that agree here measure the same. */
#ifndef GPU_REMOTE_BUILD_IDENTITY_H
#define GPU_REMOTE_BUILD_IDENTITY_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define PROGRAM_VERSION "wavedeck " WAVEDECK_VERSION

/* Adds `host`, `build` and `software_gpu` (the build IDs of this program and of libsoftgpu.so) and `compiler`
 * to the hello of a worker that was started elsewhere. */
void build_identity_add(json_t *hello);

/* Of this program, 40 digits; "" if the linker made none. */
const char *build_identity_of_program(void);
/* Of the software GPU that its workers load. */
const char *build_identity_of_softgpu(void);

/* Whether a worker with this hello may measure for this process; otherwise `why` says what to do. `label` is the place,
 * `via` the command that started it. `simulated`: it measures on a software GPU. */
bool build_identity_check(
	const json_t *hello, const char *label, const char *via, bool simulated, char *why, size_t size);

#endif

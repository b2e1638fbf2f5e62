/* A kernel that is ready to launch: built, loaded, inspected. The last 64 modules stay loaded, by path; on the
 * software GPU the last one. */
#ifndef GPU_WORKER_LOADED_KERNEL_H
#define GPU_WORKER_LOADED_KERNEL_H

#include <jansson.h>

#include "gpu/backends/gpu_runtime.h"
#include "gpu/protocol/job_record.h"
#include "kernels/inspect/code_object.h"

struct loaded_kernel {
	void *handle;               /* of the runtime; owned by the module cache */
	struct code_object *object; /* owned by the module cache */
	json_t *sources;            /* "files" and "libraries" of its record; owned by the module cache */
	struct kernel_info info;    /* for the workgroup size of the job */
	unsigned waves_per_cu;      /* the same */
	char compiler[96];
};

/* Builds the kernel for `arch` if needed (0.2 to 0.5 s) and loads it. False with an error. */
bool kernel_load(const struct gpu_runtime *rt, void *device, const char *arch, const struct job *j,
	struct loaded_kernel *out, struct err *e);
/* Builds and inspects without loading on a device; free with kernel_release. *refused: the compiler rejected the
 * source. */
bool kernel_compile(const char *arch, const struct job *j, struct loaded_kernel *out, bool *refused, struct err *e);
void kernel_release(struct loaded_kernel *k);
/* "kernel" of a point record: hash, compiler, what it was compiled from, resources. */
json_t *kernel_record(const struct loaded_kernel *k);
/* Checks the expected instructions: "ok", "broken" with `text`, or "none" if the job specifies none for this target. */
const char *kernel_check_contract(const struct loaded_kernel *k, const struct job *j, char *text, size_t size);

#endif

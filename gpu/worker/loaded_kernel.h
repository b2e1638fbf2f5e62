/* A kernel ready to launch: built, loaded, looked at. Modules are kept for the life of the process, by path. */
#ifndef GPU_WORKER_LOADED_KERNEL_H
#define GPU_WORKER_LOADED_KERNEL_H

#include <jansson.h>

#include "gpu/backends/gpu_runtime.h"
#include "gpu/protocol/job_record.h"
#include "kernels/inspect/code_object.h"

struct loaded_kernel {
	void *handle;               /* the runtime's; owned by the cache */
	struct code_object *object; /* owned by the cache */
	struct kernel_info info;    /* for the job's block */
	char compiler[96];
};

/* Builds for `arch` when needed (which takes time), loads. False with one line. */
bool kernel_load(const struct gpu_runtime *rt, void *device, const char *arch, const struct job *j,
	struct loaded_kernel *out, struct err *e);
/* Builds and looks without loading anything on a device; kernel_release gives it back. *refused: it was the compiler
 * who said no. */
bool kernel_compile(const char *arch, const struct job *j, struct loaded_kernel *out, bool *refused, struct err *e);
void kernel_release(struct loaded_kernel *k);
/* {"hash":..,"compiler":..,"vgprs":..}: the provenance in a point record. */
json_t *kernel_record(const struct loaded_kernel *k);
/* Whether the compiled instructions are those the experiment is about: "ok", "broken" with `text`, or "none" without a
 * contract for this arch. */
const char *kernel_check_contract(const struct loaded_kernel *k, const struct job *j, char *text, size_t size);

#endif

/* Loads a code object into the address space of a software GPU, without ROCm. */
#ifndef SOFTGPU_RUN_LOADED_OBJECT_H
#define SOFTGPU_RUN_LOADED_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/elf/elf_file.h"
#include "softgpu/core/softgpu.h"

struct loaded_object {
	struct gpu *gpu;
	uint8_t *file; /* as read */
	struct elf_file elf;
	uint8_t *host; /* as loaded */
	uint64_t va, size;
};

/* Reads the ELF file and maps its segments at `va`, physical address `phys`. On failure returns false and writes one
 * line to `why`. Close with loaded_object_close. */
bool loaded_object_open(
	struct loaded_object *o, struct gpu *g, const char *path, uint64_t va, uint64_t phys, char *why, size_t size);
void loaded_object_close(struct loaded_object *o);

/* "gfx900"; "an unknown target" if the simulator does not have it. */
const char *loaded_object_target(const struct loaded_object *o);
/* Address of a kernel's descriptor; 0: not found. A NULL name selects the first kernel. */
uint64_t loaded_object_find_kernel(const struct loaded_object *o, const char *name);

#endif

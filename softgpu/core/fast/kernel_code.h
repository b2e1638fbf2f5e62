/* The code that a kernel can reach, decoded along its branches. */
#ifndef SOFTGPU_CORE_FAST_KERNEL_CODE_H
#define SOFTGPU_CORE_FAST_KERNEL_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "softgpu/core/state/vm.h"
#include "softgpu/isa/isa.h"
#include "softgpu/isa/register_effects.h"

#define NO_INSTRUCTION UINT32_MAX

struct code_inst {
	struct isa_inst d;
	struct isa_effects effects;
	uint64_t pc;
	uint32_t next, to; /* numbers of the instructions after it in line, and of its branch; or NO_INSTRUCTION */
};

struct kernel_code {
	struct code_inst *inst; /* by address */
	uint32_t count;
};

/* Reads the kernel whose code begins at `entry`. False if not all of its code is known: it has calls or other jumps to
 * where registers say, or words that are no instructions; or memory runs out. The caller frees it in any case. */
bool kernel_code_read(struct kernel_code *k, struct vm *vm, enum isa_target target, uint64_t entry);
void kernel_code_free(struct kernel_code *k);

/* s_cbranch_scc0 and the like. */
bool isa_is_conditional_branch(unsigned op);

#endif

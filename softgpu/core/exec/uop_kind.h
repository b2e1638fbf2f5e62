/* How an instruction issues: its kind, its cost, and the floating-point environment that it needs. */
#ifndef SOFTGPU_CORE_EXEC_UOP_KIND_H
#define SOFTGPU_CORE_EXEC_UOP_KIND_H

#include "softgpu/core/state/machine.h"

static inline bool is_memory(unsigned unit)
{
	return unit == UNIT_SMEM || unit == UNIT_VMEM || unit == UNIT_FLAT || unit == UNIT_LDS;
}

static inline bool has_operand_type(const struct isa_info *info, unsigned type)
{
	return info->dst == type || info->src[0] == type || info->src[1] == type || info->src[2] == type;
}

enum fp_class uop_fp_class(unsigned op, const struct isa_info *info);

/* Sets the kind and what depends on it: cost, counts of waits, use of the matrix core. */
void uop_set_kind(const struct executor *x, struct uop *i, const struct isa_info *info);

#endif
